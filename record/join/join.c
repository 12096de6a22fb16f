#include "join.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <sha256.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/base/array.h"
#include "model/base/csv.h"
#include "model/base/text.h"

/* Modules that were opened. Start from {0}. */
typedef struct record_modules {
    struct record_module *items; /* [count] */
    uint32_t count;
    int cause; /* errno of the last failure of the system that left out a name; 0: none */
} record_modules;

typedef struct record_site_name {
    const char *function; /* "" where not known, as file; both live as long as the modules */
    const char *file;
    int line; /* 0 where not known */
} record_site_name;

/* An address's place, and those that the compiler put its function into, innermost first. */
enum { NAMES_MOST = 8 };
typedef struct record_names {
    record_site_name items[NAMES_MOST];
    size_t count; /* at least 1 */
} record_names;

struct record_module {
    char *path;
    Dwfl *session;
    Dwfl_Module *module; /* NULL where the file cannot be read */
};

/* Debug information in files of their own is looked for nowhere: not on the network either. */
static int find_nothing(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word check, char **out) {
    (void)module;
    (void)data;
    (void)name;
    (void)base;
    (void)file;
    (void)link;
    (void)check;
    (void)out;
    return -1;
}

static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_nothing,
                                         .section_address = dwfl_offline_section_address};

/* libdw's own way to end for want of memory is to end the program. */
static _Thread_local jmp_buf without_memory;

__attribute__((noreturn)) static void leave_libdw(void) {
    longjmp(without_memory, 1);
}

/* A file that is gone, or has no debug information, is none of these causes. */
static void note_modules(record_modules *modules) {
    switch (errno) {
    case ENOMEM:
    case EIO:
    case EINTR:
    case EMFILE:
    case ENFILE:
    case EACCES:
    case ENOSPC:
        modules->cause = errno;
        break;
    default:
        break;
    }
}

static void open_module(record_modules *modules, struct record_module *module, const char *path) {
    *module = (struct record_module){.path = strdup(path), .session = dwfl_begin(&callbacks)};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (module->session != NULL && file >= 0) {
        dwfl_report_begin(module->session);
        module->module = dwfl_report_offline(module->session, path, path, file);
        dwfl_report_end(module->session, NULL, NULL);
        Dwarf_Addr bias = 0;
        Dwarf *debug = module->module != NULL ? dwfl_module_getdwarf(module->module, &bias) : NULL;
        if (debug != NULL) {
            dwarf_new_oom_handler(debug, leave_libdw);
        }
    }
    if (module->path == NULL || module->module == NULL) {
        note_modules(modules);
    }
    if (module->module == NULL && file >= 0) {
        close(file); /* else it is the module's */
    }
}

static struct record_module *find_module(record_modules *modules, const char *path) {
    for (uint32_t i = 0; i < modules->count; i++) {
        if (modules->items[i].path != NULL && strcmp(modules->items[i].path, path) == 0) {
            return &modules->items[i];
        }
    }
    struct record_module *grown =
        realloc(modules->items, (modules->count + 1) * sizeof *modules->items);
    if (grown == NULL) {
        return NULL;
    }
    modules->items = grown;
    open_module(modules, &grown[modules->count], path);
    return &grown[modules->count++];
}

/* The line of the call that the compiler replaced by the function's body. */
static void call_of(Dwarf_Die *inlined, Dwarf_Die *unit, record_site_name *name) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    Dwarf_Word line = 0;
    Dwarf_Files *files = NULL;
    size_t count = 0;
    bool known = dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) == 0 &&
                 dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0 &&
                 dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count && line <= INT_MAX;
    const char *file = known ? dwarf_filesrc(files, (size_t)number, NULL, NULL) : NULL;
    name->file = file != NULL ? file : "";
    name->line = file != NULL ? (int)line : 0;
}

/* Names the functions around an address: the one that it is in, and those that the compiler put
 * that one into, as callers. */
static void name_functions(Dwfl_Module *module, Dwarf_Addr address, record_names *out) {
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Die *around = NULL;
    Dwarf_Die *scopes = NULL;
    /* The first of them is where the address is; those behind it are where a function was written,
     * and not what it was put into. */
    int count = unit != NULL ? dwarf_getscopes(unit, address - bias, &around) : 0;
    count = count > 0 ? dwarf_getscopes_die(&around[0], &scopes) : 0;
    free(around);
    bool ended = false;
    for (int i = 0; i < count && !ended; i++) {
        int tag = dwarf_tag(&scopes[i]);
        bool inlined = tag == DW_TAG_inlined_subroutine;
        if (inlined || tag == DW_TAG_subprogram) {
            const char *name = dwarf_diename(&scopes[i]);
            out->items[out->count - 1].function = name != NULL ? name : "";
            ended = !inlined || out->count == NAMES_MOST;
        }
        if (inlined && !ended) {
            record_site_name *caller = &out->items[out->count++];
            *caller = (record_site_name){"", "", 0};
            call_of(&scopes[i], unit, caller);
        }
    }
    free(scopes);
    if (out->items[0].function[0] == '\0') {
        const char *name = dwfl_module_addrname(module, address);
        out->items[0].function = name != NULL ? name : "";
    }
}

static void name_place(Dwfl_Module *module, uint64_t offset, record_names *out) {
    Dwarf_Addr bias = 0;
    if (dwfl_module_getelf(module, &bias) == NULL) {
        return;
    }
    Dwarf_Addr address = offset - 1 + bias;
    record_site_name *name = &out->items[0];
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    const char *file =
        line != NULL ? dwfl_lineinfo(line, NULL, &name->line, NULL, NULL, NULL) : NULL;
    name->file = file != NULL ? file : "";
    name->line = file != NULL ? name->line : 0;
    name_functions(module, address, out);
}

/* What the address before `offset`, a return address in the module's file, belongs to. */
static record_names find_names(record_modules *modules, const char *path, uint64_t offset) {
    static const record_names none = {{{"", "", 0}}, 1};
    record_names names = none;
    if (modules->cause == ENOMEM || setjmp(without_memory) != 0) {
        modules->cause = ENOMEM;
        return none;
    }
    errno = 0;
    struct record_module *found = find_module(modules, path);
    if (found == NULL) {
        note_modules(modules);
    }
    if (found == NULL || found->module == NULL || offset == 0) {
        return none;
    }
    name_place(found->module, offset, &names);
    if (names.items[0].line == 0 || names.items[0].function[0] == '\0' || errno == ENOMEM) {
        note_modules(modules);
    }
    return names;
}

static void free_modules(record_modules *modules) {
    for (uint32_t i = 0; i < modules->count; i++) {
        free(modules->items[i].path);
        if (modules->items[i].session != NULL) {
            dwfl_end(modules->items[i].session);
        }
    }
    free(modules->items);
    *modules = (record_modules){0};
}

/* A site of the record, or a frame. */
typedef struct site {
    record_site_name name;
    const char *module;
    uint64_t offset;
    uint32_t caller; /* a frame of the record; RECORD_PART_NONE: not known */
} site;

/* What an address became: its name is looked up once. */
typedef struct numbered {
    const char *module;
    uint64_t offset;
    uint32_t caller, number;
} numbered;

typedef struct site_list {
    site *items; /* [count] */
    size_t count, capacity;
    numbered *known; /* [known_count] */
    size_t known_count, known_capacity;
} site_list;

typedef struct joiner {
    const record_parts *parts;
    isocast_buffer *text;
    record_joined *out;
    record_modules modules;
    site_list sites, frames;
    record_part_communicator *communicators; /* [communicator_count], numbers as of the record */
    const uint32_t **members;                /* [communicator_count] */
    size_t communicator_count, communicator_capacity, members_capacity;
    uint32_t **site_numbers;         /* [parts][sites of the part] */
    uint32_t *frame_numbers;         /* [RECORD_PART_FRAMES] of the part that is read */
    uint32_t **communicator_numbers; /* likewise */
    bool failed;                     /* no memory */
} joiner;

static double tick_of(const record_part *part) {
    const record_part_head *head = &part->head;
    double ticks = (double)(head->last_ticks - head->first_ticks);
    double clock = (double)(head->last_clock - head->first_clock);
    return ticks > 0 && clock > 0 ? 1e-9 * clock / ticks : 0;
}

static isocast_record_end end_of(const record_part *part) {
    switch (part->head.state) {
    case RECORD_PART_COMPLETE:
        return ISOCAST_RECORD_COMPLETE;
    case RECORD_PART_ABORTED:
        return ISOCAST_RECORD_ABORTED;
    case RECORD_PART_EXITED:
        return ISOCAST_RECORD_EXITED;
    default:
        return ISOCAST_RECORD_KILLED;
    }
}

/* One process that aborts or exits has the others killed, so that counts before their end. */
static isocast_record_end worse(isocast_record_end a, isocast_record_end b) {
    static const int badness[ISOCAST_RECORD_ENDS] = {[ISOCAST_RECORD_COMPLETE] = 0,
                                                     [ISOCAST_RECORD_ABORTED] = 3,
                                                     [ISOCAST_RECORD_EXITED] = 2,
                                                     [ISOCAST_RECORD_KILLED] = 1};
    return badness[a] >= badness[b] ? a : b;
}

void record_sum_up(const record_parts *parts, record_joined *out) {
    *out = (record_joined){.processes = parts->processes, .heard = parts->count};
    out->end = parts->count < parts->processes ? ISOCAST_RECORD_KILLED : ISOCAST_RECORD_COMPLETE;
    for (size_t i = 0; i < parts->count; i++) {
        const record_part_head *head = &parts->items[i]->head;
        double tick = tick_of(parts->items[i]);
        double T = (double)(head->now - head->begin) * tick;
        double region = (double)head->region * tick;
        out->end = worse(out->end, end_of(parts->items[i]));
        out->T = T > out->T ? T : out->T;
        out->region = region > out->region ? region : out->region;
        out->regions = fmax(out->regions, (double)head->regions);
        out->lost += (double)head->lost;
    }
}

/* Places in the source that are one are one site, though the compiler made several of them. */
static bool is_same_site(const site *a, const site *b) {
    if (a->caller != b->caller || strcmp(a->module, b->module) != 0) {
        return false;
    }
    if (a->name.line > 0 && b->name.line > 0) {
        return a->name.line == b->name.line && strcmp(a->name.file, b->name.file) == 0 &&
               strcmp(a->name.function, b->name.function) == 0;
    }
    return a->offset == b->offset;
}

/* A frame of the same place among the callers of a site or a frame: it is of a function that calls
 * itself. RECORD_PART_NONE: none is. */
static uint32_t find_again(const joiner *j, const site *new) {
    uint32_t at = new->caller;
    while (at < j->frames.count) {
        site like = *new;
        like.caller = j->frames.items[at].caller;
        if (is_same_site(&j->frames.items[at], &like)) {
            return at;
        }
        at = j->frames.items[at].caller;
    }
    return RECORD_PART_NONE;
}

static uint32_t number_in(joiner *j, site_list *list, const site *new) {
    uint32_t again = list == &j->frames ? find_again(j, new) : RECORD_PART_NONE;
    if (again != RECORD_PART_NONE) {
        return again;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (is_same_site(&list->items[i], new)) {
            return (uint32_t)i;
        }
    }
    if (!isocast_array_grow((void **)&list->items, list->count, &list->capacity,
                            sizeof *list->items)) {
        j->failed = true;
        return 0;
    }
    list->items[list->count++] = *new;
    return (uint32_t)(list->count - 1);
}

/* Functions that the compiler put into others are callers as all are. */
static uint32_t number_site(joiner *j, const record_part *part, const record_part_frame *from,
                            site_list *list) {
    site new = {.module = part->modules[from->module].path,
                .offset = from->offset,
                .caller = from->caller != RECORD_PART_NONE ? j->frame_numbers[from->caller]
                                                           : RECORD_PART_NONE};
    numbered key = {new.module, new.offset, new.caller, 0};
    for (size_t i = 0; i < list->known_count; i++) {
        const numbered *known = &list->known[i];
        if (known->offset == key.offset && known->caller == key.caller &&
            strcmp(known->module, key.module) == 0) {
            return known->number;
        }
    }
    const record_names names = find_names(&j->modules, new.module, new.offset);
    for (size_t i = names.count; i-- > 1;) {
        new.name = names.items[i];
        new.caller = number_in(j, &j->frames, &new);
    }
    new.name = names.items[0];
    key.number = number_in(j, list, &new);
    if (!isocast_array_grow((void **)&list->known, list->known_count, &list->known_capacity,
                            sizeof key)) {
        j->failed = true;
        return 0;
    }
    list->known[list->known_count++] = key;
    return key.number;
}

static uint32_t number_communicator(joiner *j, const record_part *part, size_t index,
                                    const record_part_communicator *from) {
    record_part_communicator new = *from;
    const uint32_t *members = part->members + from->members;
    new.members = 0;
    new.site = from->site != RECORD_PART_NONE ? j->site_numbers[index][from->site] : from->site;
    new.parent = from->parent != RECORD_PART_NONE ? j->communicator_numbers[index][from->parent]
                                                  : from->parent;
    for (size_t i = 0; i < j->communicator_count; i++) {
        if (memcmp(&j->communicators[i], &new, sizeof new) == 0 &&
            memcmp(j->members[i], members, new.size * sizeof *members) == 0) {
            return (uint32_t)i;
        }
    }
    if (!isocast_array_grow((void **)&j->communicators, j->communicator_count,
                            &j->communicator_capacity, sizeof new) ||
        !isocast_array_grow((void **)&j->members, j->communicator_count, &j->members_capacity,
                            sizeof members)) {
        j->failed = true;
        return 0;
    }
    j->communicators[j->communicator_count] = new;
    j->members[j->communicator_count] = members;
    return (uint32_t)j->communicator_count++;
}

/* Gives the sites and communicators of all parts numbers of the record. */
static void number_all(joiner *j) {
    for (size_t k = 0; k < j->parts->count && !j->failed; k++) {
        const record_part *part = j->parts->items[k];
        const record_part_head *head = &part->head;
        j->site_numbers[k] = calloc(head->site_count + 1, sizeof(uint32_t));
        j->communicator_numbers[k] = calloc(head->communicator_count + 1, sizeof(uint32_t));
        j->failed = j->site_numbers[k] == NULL || j->communicator_numbers[k] == NULL;
        for (uint32_t i = 0; i < head->frame_count && !j->failed; i++) {
            j->frame_numbers[i] = number_site(j, part, &part->frames[i], &j->frames);
        }
        for (uint32_t i = 0; i < head->site_count && !j->failed; i++) {
            j->site_numbers[k][i] = number_site(j, part, &part->sites[i].frame, &j->sites);
        }
        for (uint32_t i = 0; i < head->communicator_count && !j->failed; i++) {
            j->communicator_numbers[k][i] =
                number_communicator(j, part, k, &part->communicators[i]);
        }
    }
}

/* A text of the program or the system as a field. Control characters and bytes that are no UTF-8
 * become '?': a record that held them could not be read. */
static void put(joiner *j, const char *text) {
    isocast_buffer clean = {0};
    isocast_text_clean(text, strlen(text), "", &clean);
    isocast_buffer_puts(j->text, ",");
    isocast_csv_write(clean.text != NULL ? clean.text : "", j->text);
    j->failed = j->failed || clean.failed;
    isocast_buffer_free(&clean);
}

static void put_line(joiner *j, const char *name, const char *text) {
    isocast_buffer_puts(j->text, name);
    put(j, text);
    isocast_buffer_puts(j->text, "\n");
}

/* A number, or nothing for none. */
static void put_number(joiner *j, uint32_t number) {
    if (number == RECORD_PART_NONE) {
        isocast_buffer_puts(j->text, ",");
    } else {
        isocast_buffer_printf(j->text, ",%u", number);
    }
}

/* The program's file, as the processes ran it: that of the first site in it. */
static void put_hash(joiner *j) {
    char hash[SHA256_DIGEST_STRING_LENGTH] = "";
    const record_part *part = j->parts->items[0];
    errno = 0;
    bool known = part->head.module_count > 0 && SHA256File(part->modules[0].path, hash) != NULL;
    if (!known) {
        note_modules(&j->modules);
    }
    isocast_buffer_printf(j->text, "hash,%s%s\n", known ? "sha256:" : "", known ? hash : "");
}

/* Where the words of the process begin in the command; 0 where they are not its last ones. */
static size_t find_program(const record_part *part, const char *const *command) {
    size_t words = 0;
    size_t own = 0;
    while (command[words] != NULL) {
        words++;
    }
    const char *const last = part->head.command + sizeof part->head.command;
    for (const char *at = part->head.command; at < last && *at != '\0'; at += strlen(at) + 1) {
        own++;
    }
    const char *at = part->head.command;
    for (size_t i = 0; i < own && own <= words; i++) {
        if (strcmp(at, command[words - own + i]) != 0) {
            return 0;
        }
        at += strlen(at) + 1;
    }
    return own > 0 && own <= words ? words - own : 0;
}

static void put_launcher(joiner *j, const record_run *run) {
    isocast_buffer words = {0};
    isocast_buffer_puts(&words, run->launcher);
    for (size_t i = 0; i < j->out->first_word; i++) {
        isocast_buffer_printf(&words, "%s%s", words.length > 0 ? " " : "", run->command[i]);
    }
    j->failed = j->failed || words.failed;
    put_line(j, "launcher", words.text != NULL ? words.text : "");
    isocast_buffer_free(&words);
}

static void put_head(joiner *j, const record_run *run) {
    const char *const *command = run->command + j->out->first_word;
    char date[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    isocast_buffer_printf(j->text, "record,%d\n", ISOCAST_RECORD_VERSION);
    put_line(j, "isocast", RECORD_ISOCAST_VERSION);
    put_line(j, "date", date);
    put_line(j, "program", command[0]);
    put_hash(j);
    for (size_t i = 1; command[i] != NULL; i++) {
        put_line(j, "argument", command[i]);
    }
    put_launcher(j, run);
    isocast_buffer_printf(j->text, "processes,%zu\n", j->out->processes);
}

static void put_end(joiner *j) {
    put_line(j, "end", isocast_record_end_names[j->out->end]);
}

static void put_site(joiner *j, const char *kind, size_t number, const site *s) {
    isocast_buffer_printf(j->text, "%s,%zu", kind, number);
    put(j, s->name.function);
    put(j, s->name.file);
    isocast_buffer_printf(j->text, ",%d", s->name.line);
    put(j, s->module);
    isocast_buffer_printf(j->text, ",%llu", (unsigned long long)s->offset);
}

static void put_sites(joiner *j) {
    for (size_t i = 0; i < j->frames.count; i++) {
        put_site(j, "frame", i, &j->frames.items[i]);
        put_number(j, j->frames.items[i].caller);
        isocast_buffer_puts(j->text, "\n");
    }
    for (size_t i = 0; i < j->sites.count; i++) {
        const site *s = &j->sites.items[i];
        put_site(j, "site", i, s);
        isocast_buffer_puts(j->text, "\n");
        if (s->caller != RECORD_PART_NONE) {
            isocast_buffer_printf(j->text, "caller,%zu,%u\n", i, s->caller);
        }
        j->out->named += s->name.line > 0;
    }
    j->out->sites = j->sites.count;
}

/* "0-3 8-14/2": runs of equal steps. */
static void put_members(joiner *j, const uint32_t *members, uint32_t size) {
    for (uint32_t i = 0; i < size;) {
        uint32_t last = i;
        uint32_t step = 0;
        if (i + 1 < size && members[i + 1] > members[i]) {
            step = members[i + 1] - members[i];
            while (last + 1 < size && members[last + 1] > members[last] &&
                   members[last + 1] - members[last] == step) {
                last++;
            }
        }
        /* Two that are not beside each other are shorter by themselves. */
        last = step > 1 && last == i + 1 ? i : last;
        isocast_buffer_printf(j->text, "%s%u", i > 0 ? " " : "", members[i]);
        if (last > i) {
            isocast_buffer_printf(j->text, "-%u", members[last]);
        }
        if (last > i && step > 1) {
            isocast_buffer_printf(j->text, "/%u", step);
        }
        i = last + 1;
    }
}

static const char *kind_of(const record_part_communicator *c) {
    switch (c->kind) {
    case RECORD_PART_WORLD:
        return "MPI_COMM_WORLD";
    case RECORD_PART_SELF:
        return "MPI_COMM_SELF";
    default:
        return c->kind < ISOCAST_RECORD_OPERATION_COUNT
                   ? isocast_record_operation_find(c->kind)->name
                   : "unknown";
    }
}

static void put_communicators(joiner *j) {
    for (size_t i = 0; i < j->communicator_count; i++) {
        const record_part_communicator *c = &j->communicators[i];
        isocast_buffer_printf(j->text, "communicator,%zu,%s", i, kind_of(c));
        put_number(j, c->site);
        put_number(j, c->parent);
        put_number(j, c->remote_size > 0 ? c->remote_size : RECORD_PART_NONE);
        isocast_buffer_puts(j->text, ",");
        put_members(j, j->members[i], c->size);
        isocast_buffer_puts(j->text, c->is_graph ? ",graph" : ",");
        for (uint32_t d = 0; d < c->dimension_count; d++) {
            isocast_buffer_printf(j->text, "%s%u", d > 0 ? "x" : "", c->dimensions[d]);
        }
        isocast_buffer_puts(j->text, ",");
        for (uint32_t d = 0; d < c->dimension_count; d++) {
            isocast_buffer_printf(j->text, "%s%u", d > 0 ? "x" : "", c->periodic[d]);
        }
        isocast_buffer_puts(j->text, "\n");
    }
}

static void put_process(joiner *j, const record_part *part) {
    const record_part_head *head = &part->head;
    double tick = tick_of(part);
    double mpi = 0;
    for (uint32_t i = 0; i < head->call_count; i++) {
        uint32_t operation = part->calls[i].key.operation;
        bool at_ends = operation == ISOCAST_RECORD_OPERATION_Init ||
                       operation == ISOCAST_RECORD_OPERATION_Init_thread;
        mpi += at_ends ? 0 : (double)part->calls[i].ticks * tick;
    }
    isocast_buffer_printf(j->text, "process,%u", head->rank);
    char node[sizeof head->node];
    snprintf(node, sizeof node, "%s", head->node);
    put(j, node);
    isocast_buffer_printf(j->text, ",%.9g,%.9g,%.9g,%.9g,%llu,%llu,%s\n",
                          (double)(head->now - head->begin) * tick,
                          1e-9 * (double)(head->cpu_now - head->cpu_begin), mpi,
                          (double)head->region * tick, (unsigned long long)head->regions,
                          (unsigned long long)head->lost, isocast_record_end_names[end_of(part)]);
    if (head->others_now > head->others_begin) {
        isocast_buffer_printf(j->text, "threads,%u,%.9g\n", head->rank,
                              1e-9 * (double)(head->others_now - head->others_begin));
    }
    if (head->memory_most > head->memory_begin) {
        isocast_buffer_printf(j->text, "memory,%u,%llu\n", head->rank,
                              (unsigned long long)(head->memory_most - head->memory_begin));
    }
}

static int by_key(const void *a, const void *b) {
    return memcmp(&((const record_part_call *)a)->key, &((const record_part_call *)b)->key,
                  sizeof(record_part_key));
}

/* Sites first, then operations, in the order of their numbers. */
static int by_site(const void *a, const void *b) {
    const record_part_key *x = &((const record_part_call *)a)->key;
    const record_part_key *y = &((const record_part_call *)b)->key;
    const int64_t differences[] = {(int64_t)x->site - y->site, (int64_t)x->operation - y->operation,
                                   (int64_t)x->communicator - y->communicator,
                                   (int64_t)x->partner - y->partner};
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        if (differences[i] != 0) {
            return differences[i] < 0 ? -1 : 1;
        }
    }
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? -1 : 1;
    }
    return by_key(a, b);
}

static void put_partner(joiner *j, int32_t partner) {
    static const char *const words[] = {"", "any", "null", "other"};
    if (partner >= 0) {
        isocast_buffer_printf(j->text, ",%d", partner);
    } else {
        isocast_buffer_printf(j->text, ",%s", partner >= -4 ? words[-partner - 1] : "");
    }
}

static void put_call(joiner *j, const record_part_call *row, uint32_t rank, double tick) {
    const record_part_key *key = &row->key;
    bool merged = key->merged != 0;
    isocast_buffer_printf(j->text, "%s,%u,%u", merged ? "merged" : "call", rank, key->site);
    put_number(j, key->communicator);
    isocast_buffer_printf(j->text, ",%s", isocast_record_operation_find(key->operation)->name);
    double time = (double)row->ticks * tick;
    if (merged) {
        isocast_buffer_printf(j->text, ",%llu,%.6g,%.9g,%.9g,%llu,%llu\n",
                              (unsigned long long)row->calls, time, row->sum / (double)row->calls,
                              row->squares, (unsigned long long)row->least,
                              (unsigned long long)row->most);
        j->out->merged++;
    } else {
        put_partner(j, key->partner);
        isocast_buffer_printf(j->text, ",%llu", (unsigned long long)key->bytes);
        put_partner(j, key->source);
        if (key->received == RECORD_PART_NO_SIZE) {
            isocast_buffer_puts(j->text, ",");
        } else {
            isocast_buffer_printf(j->text, ",%llu", (unsigned long long)key->received);
        }
        isocast_buffer_printf(j->text, ",%llu,%.6g\n", (unsigned long long)row->calls, time);
    }
    j->out->calls += (double)row->calls;
}

static void add_call(record_part_call *to, const record_part_call *from) {
    to->calls += from->calls;
    to->ticks += from->ticks;
    to->sum += from->sum;
    to->squares += from->squares;
    to->least = from->least < to->least ? from->least : to->least;
    to->most = from->most > to->most ? from->most : to->most;
}

static void put_calls(joiner *j, const record_part *part, size_t index) {
    uint32_t count = part->head.call_count;
    record_part_call *rows = calloc(count + 1, sizeof *rows);
    if (rows == NULL) {
        j->failed = true;
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        rows[kept] = part->calls[i];
        record_part_key *key = &rows[kept].key;
        /* A process that was killed may have left a row before its first call was counted. */
        if (key->operation >= ISOCAST_RECORD_OPERATION_COUNT || rows[kept].calls == 0) {
            continue;
        }
        key->site = j->site_numbers[index][key->site];
        if (key->communicator != RECORD_PART_NONE) {
            key->communicator = j->communicator_numbers[index][key->communicator];
        }
        kept++;
    }
    qsort(rows, kept, sizeof *rows, by_site);
    double tick = tick_of(part);
    for (uint32_t i = 0; i < kept; i++) {
        if (i + 1 < kept && by_key(&rows[i], &rows[i + 1]) == 0) {
            add_call(&rows[i + 1], &rows[i]);
        } else {
            put_call(j, &rows[i], part->head.rank, tick);
        }
    }
    free(rows);
}

/* Calls that count with the average time of others. */
static void put_estimated(joiner *j, const record_part *part, size_t index) {
    uint64_t *calls = calloc(j->sites.count + 1, sizeof *calls);
    if (calls == NULL) {
        j->failed = true;
        return;
    }
    for (uint32_t i = 0; i < part->head.site_count; i++) {
        calls[j->site_numbers[index][i]] += part->sites[i].estimated;
    }
    for (size_t i = 0; i < j->sites.count; i++) {
        if (calls[i] > 0) {
            isocast_buffer_printf(j->text, "estimated,%u,%zu,%llu\n", part->head.rank, i,
                                  (unsigned long long)calls[i]);
        }
    }
    free(calls);
}

static int by_way(const void *a, const void *b) {
    const record_part_compute *x = a;
    const record_part_compute *y = b;
    int64_t difference = (int64_t)x->from - y->from;
    difference = difference != 0 ? difference : (int64_t)x->to - y->to;
    return difference < 0 ? -1 : difference > 0;
}

static void put_computes(joiner *j, const record_part *part, size_t index) {
    uint32_t count = part->head.compute_count;
    record_part_compute *ways = calloc(count + 1, sizeof *ways);
    if (ways == NULL) {
        j->failed = true;
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        ways[kept] = part->computes[i];
        ways[kept].from = j->site_numbers[index][ways[kept].from];
        ways[kept].to = j->site_numbers[index][ways[kept].to];
        kept += ways[kept].times > 0;
    }
    qsort(ways, kept, sizeof *ways, by_way);
    for (uint32_t i = 0; i < kept; i++) {
        record_part_compute *way = &ways[i];
        if (i + 1 < kept && by_way(way, way + 1) == 0) {
            record_part_compute *next = way + 1;
            next->times += way->times;
            next->time += way->time;
            next->squares += way->squares;
            next->least = fmin(next->least, way->least);
            next->most = fmax(next->most, way->most);
        } else {
            /* Calls timed by samples went the way, too: some took no longer than the mean, and some
             * no less. */
            double mean = way->time / (double)way->times;
            double least = fmin(way->least, mean);
            double most = fmax(way->most, mean);
            isocast_buffer_printf(j->text, "compute,%u,%u,%u,%llu,%.9g,%.9g,%.6g,%.6g\n",
                                  part->head.rank, way->from, way->to,
                                  (unsigned long long)way->times, 1e-9 * way->time,
                                  1e-18 * way->squares, 1e-9 * least, 1e-9 * most);
        }
    }
    free(ways);
}

static void put_body(joiner *j) {
    put_end(j);
    put_sites(j);
    put_communicators(j);
    for (size_t k = 0; k < j->parts->count; k++) {
        put_process(j, j->parts->items[k]);
    }
    for (size_t k = 0; k < j->parts->count; k++) {
        put_calls(j, j->parts->items[k], k);
        put_estimated(j, j->parts->items[k], k);
    }
    for (size_t k = 0; k < j->parts->count; k++) {
        put_computes(j, j->parts->items[k], k);
    }
}

/* The number of lines behind the head goes before them, so that a file that is cut off anywhere is
 * known for one. No field holds a line break. */
static void put_all(joiner *j, const record_run *run) {
    put_head(j, run);
    isocast_buffer *whole = j->text;
    isocast_buffer body = {0};
    j->text = &body;
    put_body(j);
    j->text = whole;
    size_t lines = 0;
    for (size_t i = 0; i < body.length; i++) {
        lines += body.text[i] == '\n' ? 1 : 0;
    }
    isocast_buffer_printf(whole, "lines,%zu\n", lines);
    isocast_buffer_append(whole, body.text != NULL ? body.text : "", body.length);
    j->failed = j->failed || body.failed;
    isocast_buffer_free(&body);
}

isocast_status record_join(const record_parts *parts, const record_run *run, isocast_buffer *text,
                           record_joined *out) {
    joiner j = {.parts = parts,
                .text = text,
                .out = out,
                .site_numbers = calloc(parts->count + 1, sizeof(uint32_t *)),
                .frame_numbers = calloc(RECORD_PART_FRAMES, sizeof(uint32_t)),
                .communicator_numbers = calloc(parts->count + 1, sizeof(uint32_t *))};
    j.failed = j.site_numbers == NULL || j.communicator_numbers == NULL || j.frame_numbers == NULL;
    record_sum_up(parts, out);
    out->first_word = find_program(parts->items[0], run->command);
    if (!j.failed) {
        number_all(&j);
    }
    if (!j.failed) {
        put_all(&j, run);
    }
    for (size_t k = 0; j.site_numbers != NULL && j.communicator_numbers != NULL && k < parts->count;
         k++) {
        free(j.site_numbers[k]);
        free(j.communicator_numbers[k]);
    }
    free(j.site_numbers);
    free(j.communicator_numbers);
    free(j.sites.items);
    free(j.sites.known);
    free(j.frames.items);
    free(j.frames.known);
    free(j.frame_numbers);
    free(j.communicators);
    free(j.members);
    out->unnamed_cause = j.modules.cause;
    free_modules(&j.modules);
    return j.failed || text->failed || out->unnamed_cause == ENOMEM ? ISOCAST_NO_MEMORY
                                                                    : ISOCAST_OK;
}
