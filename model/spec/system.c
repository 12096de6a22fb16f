#include "system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "marked_speed.h"
#include "model/base/list.h"
#include "model/base/nearest.h"

/* Processes of one system; more is a slip, and stays exact in a double. */
static const double processes_most = 1e12;

typedef struct parsing {
    const isocast_machine *machine;
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    const char *program; /* whose marked speeds are taken */
    size_t entries_most; /* of the system */
} parsing;

static isocast_span trim(const isocast_source *source, isocast_span span) {
    while (span.begin < span.end && strchr(" \t\n\r", source->text[span.begin]) != NULL) {
        span.begin++;
    }
    while (span.end > span.begin && strchr(" \t\n\r", source->text[span.end - 1]) != NULL) {
        span.end--;
    }
    return span;
}

static bool spells(const isocast_source *source, isocast_span span, const char *name) {
    return strlen(name) == span.end - span.begin &&
           memcmp(source->text + span.begin, name, span.end - span.begin) == 0;
}

/* The whole span: digits, which an exponent of one or two may follow, as in 1e6. */
static bool read_count(const isocast_source *source, isocast_span span, double *out) {
    enum { EXPONENT_DIGITS = 2 };
    double parts[2] = {0, 0};
    size_t digits[2] = {0, 0};
    int part = 0;
    for (size_t i = span.begin; i < span.end; i++) {
        char byte = source->text[i];
        bool is_exponent = (byte == 'e' || byte == 'E') && part == 0;
        if (is_exponent) {
            part = 1;
        } else if (byte < '0' || byte > '9') {
            return false;
        } else {
            parts[part] = parts[part] * 10 + (byte - '0');
            digits[part]++;
        }
    }
    *out = parts[0] * pow(10, parts[1]);
    return digits[0] > 0 && (part == 0 || (digits[1] > 0 && digits[1] <= EXPONENT_DIGITS));
}

static size_t find_byte(const isocast_source *source, isocast_span span, char byte) {
    for (size_t i = span.begin; i < span.end; i++) {
        if (source->text[i] == byte) {
            return i;
        }
    }
    return span.end;
}

static void list_known(const parsing *p, isocast_buffer *hint) {
    size_t named = p->machine->system_count;
    isocast_buffer_puts(hint, named > 0 ? "systems:" : "write");
    for (size_t i = 0; i < named; i++) {
        isocast_buffer_printf(hint, " %s,", p->machine->systems[i].name);
    }
    if (p->machine->class_count == 1) {
        isocast_buffer_puts(hint, " a number of processes, kxm for k processes on each of m nodes, "
                                  "or a mix such as 1x2+2x1");
        return;
    }
    isocast_buffer_puts(hint, named > 0 ? " or a mix such as" : " a mix such as");
    for (size_t i = 0; i < p->machine->class_count && i < 3; i++) {
        isocast_buffer_printf(hint, "%s%s:1", i == 0 ? " " : "+", p->machine->classes[i].name);
    }
    isocast_buffer_printf(hint, ", or %s:1x2 for 1 process on each of 2 nodes",
                          p->machine->classes[0].name);
}

/* Appends a guess what was meant by a text that is no system, where there is one. */
static void guess_system(const parsing *p, isocast_span span, isocast_buffer *hint) {
    size_t count = p->machine->system_count;
    const char **names = calloc(count + 1, sizeof *names);
    char *text = strndup(p->source->text + span.begin, span.end - span.begin);
    if (names == NULL || text == NULL) {
        isocast_diagnostics_fail(p->diagnostics);
    } else if (text[strcspn(text, " ;")] != '\0') {
        isocast_buffer_puts(hint, "commas part several systems, as in 2,4,8");
    } else {
        for (size_t i = 0; i < count; i++) {
            names[i] = p->machine->systems[i].name;
        }
        /* Of short names, such as C8, any other would do. */
        const char *nearest = isocast_nearest_name(text, names, count);
        if (nearest != NULL && (strlen(nearest) > 3 || strcasecmp(nearest, text) == 0)) {
            isocast_buffer_printf(hint, "did you mean '%s'?", nearest);
        }
    }
    free(names);
    free(text);
}

static isocast_status refuse_unknown(const parsing *p, isocast_span span, const char *what) {
    isocast_buffer hint = {0};
    guess_system(p, span, &hint);
    if (hint.length == 0) {
        list_known(p, &hint);
    }
    isocast_diagnostics_rely(p->diagnostics, &hint);
    isocast_diagnostics_add(p->diagnostics, ISOCAST_ERROR, p->source, span, hint.text, "%s", what);
    isocast_buffer_free(&hint);
    return ISOCAST_INVALID;
}

static isocast_status refuse_class(const parsing *p, isocast_span span) {
    char name[64];
    size_t length =
        span.end - span.begin < sizeof name - 1 ? span.end - span.begin : sizeof name - 1;
    memcpy(name, p->source->text + span.begin, length);
    name[length] = '\0';
    isocast_buffer hint = {0};
    const char **names = malloc((p->machine->class_count + 1) * sizeof *names);
    if (names == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < p->machine->class_count; i++) {
        names[i] = p->machine->classes[i].name;
    }
    isocast_nearest_hint(&hint, name, names, p->machine->class_count, "node classes");
    free(names);
    isocast_diagnostics_rely(p->diagnostics, &hint);
    isocast_diagnostics_add(p->diagnostics, ISOCAST_ERROR, p->source, span, hint.text,
                            "'%s' is not a node class of machine '%s'", name,
                            p->machine->name != NULL ? p->machine->name : "");
    isocast_buffer_free(&hint);
    return ISOCAST_INVALID;
}

static isocast_system *create(const parsing *p, isocast_span name) {
    size_t most = p->entries_most;
    isocast_system *system = calloc(1, sizeof *system);
    if (system == NULL) {
        return NULL;
    }
    system->name = strndup(p->source->text + name.begin, name.end - name.begin);
    system->classes = calloc(most, sizeof *system->classes);
    system->each = calloc(most, sizeof *system->each);
    system->placed = calloc(most, sizeof *system->placed);
    system->rows = calloc(most * ISOCAST_CLASS_ROWS, sizeof *system->rows);
    if (system->name == NULL || system->classes == NULL || system->each == NULL ||
        system->placed == NULL || system->rows == NULL) {
        isocast_system_free(system);
        return NULL;
    }
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        system->table.rows[row] = system->rows + row * most;
    }
    return system;
}

/* Nodes that a system's entries of a class take. */
static double nodes_of_class(const isocast_system *system, size_t index) {
    double nodes = 0;
    for (size_t i = 0; i < system->count; i++) {
        bool same = system->classes[i] == index;
        nodes += same ? ceil(system->table.rows[ISOCAST_CLASS_PROCESSES][i] / system->each[i]) : 0;
    }
    return nodes;
}

/* Adds `processes` of a class, `per_node` to a node (0: as many as it has processors). */
static void add_entry(const parsing *p, isocast_system *system, size_t index, double processes,
                      double per_node) {
    const isocast_node_class *c = &p->machine->classes[index];
    double speed = isocast_marked_speed_of(c, p->program);
    double each = per_node > 0 ? per_node : isocast_node_class_fill(c, processes);
    size_t at = system->count++;
    system->classes[at] = index;
    system->each[at] = fmin(each, processes);
    system->placed[at] = per_node > 0;
    system->rows[ISOCAST_CLASS_PROCESSES * p->entries_most + at] = processes;
    system->rows[ISOCAST_CLASS_MARKED_SPEED * p->entries_most + at] = speed;
    isocast_node_share share = isocast_node_class_share(c, each);
    system->rows[ISOCAST_CLASS_MEMORY * p->entries_most + at] = share.memory;
    /* Fewer processes than a full node have more of these. */
    share = isocast_node_class_share(c, system->each[at]);
    system->rows[ISOCAST_CLASS_BANDWIDTH * p->entries_most + at] = share.bandwidth;
    system->rows[ISOCAST_CLASS_CACHE * p->entries_most + at] = share.cache;
    system->table.count = system->count;
    system->p += processes;
    system->C += processes * speed;
    system->C_j = at == 0 ? speed : system->C_j;
    system->nodes += ceil(processes / each);
    system->p_node = at == 0 ? system->each[at] : system->p_node;
    system->p_node_max = fmax(system->p_node_max, system->each[at]);
    system->beyond_machine = system->beyond_machine || processes > c->count * c->processors ||
                             nodes_of_class(system, index) > c->count;
}

static isocast_status check_count(const parsing *p, isocast_span span, double processes) {
    if (processes < 1) {
        return isocast_diagnostics_refuse(p->diagnostics, p->source, span, NULL,
                                          "a system needs at least one process");
    }
    if (processes > processes_most) {
        return isocast_diagnostics_refuse(p->diagnostics, p->source, span, NULL,
                                          "too many processes (at most 1e12)");
    }
    return ISOCAST_OK;
}

/* The part's own class, or the machine's only one. */
static isocast_status find_class(const parsing *p, isocast_span name, bool named, bool is_set,
                                 size_t *out) {
    size_t index = 0;
    if (!named && p->machine->class_count == 1) {
        *out = 0;
        return ISOCAST_OK;
    }
    while (named && index < p->machine->class_count &&
           !spells(p->source, name, p->machine->classes[index].name)) {
        index++;
    }
    if (named && index < p->machine->class_count) {
        *out = index;
        return ISOCAST_OK;
    }
    if (named) {
        return refuse_class(p, name);
    }
    return refuse_unknown(p, name,
                          is_set
                              ? "the machine has several node classes, so a set does not determine "
                                "which are used"
                              : "the machine has several node classes, so a number does not "
                                "determine which are used");
}

/* Whether a class may come again in a mix: with another number of processes on a node. */
static isocast_status check_again(const parsing *p, const isocast_system *system, isocast_span part,
                                  isocast_span name, size_t index, double per_node) {
    for (size_t i = 0; i < system->count; i++) {
        if (system->classes[i] != index) {
            continue;
        }
        if (per_node == 0 || !system->placed[i]) {
            return isocast_diagnostics_refuse(
                p->diagnostics, p->source, name.begin < name.end ? name : part,
                "add up its processes, or place them as sets, such as 1x2+2x1",
                "this node class is named twice");
        }
        if (system->each[i] == per_node) {
            return isocast_diagnostics_refuse(
                p->diagnostics, p->source, part, "add up their nodes: 1x2+1x2 is 1x4",
                "two sets of the mix have as many processes on a node");
        }
    }
    return ISOCAST_OK;
}

static isocast_status check_per_node(const parsing *p, isocast_span span, size_t index,
                                     double per_node) {
    const isocast_node_class *class = &p->machine->classes[index];
    if (per_node <= class->processors) {
        return ISOCAST_OK;
    }
    isocast_buffer hint = {0};
    if (p->machine->class_count == 1) {
        isocast_buffer_printf(&hint, "a node has %g processor%s", class->processors,
                              class->processors == 1 ? "" : "s");
    } else {
        isocast_buffer_printf(&hint, "a node of class '%s' has %g processor%s", class->name,
                              class->processors, class->processors == 1 ? "" : "s");
    }
    isocast_buffer_puts(&hint, "; kxm is k processes on each of m nodes");
    isocast_diagnostics_rely(p->diagnostics, &hint);
    isocast_status status =
        isocast_diagnostics_refuse(p->diagnostics, p->source, span, hint.text,
                                   "more processes on a node than it has processors");
    isocast_buffer_free(&hint);
    return status;
}

/* "64" or "4x16", 4 processes on each of 16 nodes [HE, processor sets]: the processes, and how many
 * of them are on a node (0: not said). */
static bool read_amount(const parsing *p, isocast_span digits, double *processes,
                        double *per_node) {
    double nodes;
    size_t cross = find_byte(p->source, digits, 'x');
    if (cross == digits.end) {
        *per_node = 0;
        return read_count(p->source, digits, processes);
    }
    if (!read_count(p->source, (isocast_span){digits.begin, cross}, per_node) ||
        !read_count(p->source, (isocast_span){cross + 1, digits.end}, &nodes)) {
        return false;
    }
    /* None on no matter how many nodes is none. */
    *processes = *per_node * nodes;
    return true;
}

/* "class:64", "class:4x16", or on a machine of one class "4x16". A number alone is a system, but no
 * part of a mix. */
static isocast_status parse_part(const parsing *p, isocast_span part, bool alone,
                                 isocast_system *system) {
    part = trim(p->source, part);
    size_t colon = find_byte(p->source, part, ':');
    bool named = colon < part.end;
    isocast_span name = named ? trim(p->source, (isocast_span){part.begin, colon}) : part;
    isocast_span digits = trim(p->source, (isocast_span){named ? colon + 1 : part.begin, part.end});
    double processes;
    double per_node;
    bool readable = read_amount(p, digits, &processes, &per_node);
    if (!readable || (!alone && !named && per_node == 0 && processes > 0)) {
        return alone && !named ? refuse_unknown(p, part, "this is not a system of the machine")
                               : isocast_diagnostics_refuse(
                                     p->diagnostics, p->source, part,
                                     p->machine->class_count == 1
                                         ? "write kxm, k processes on each of m nodes, joined "
                                           "by +, such as 1x2+2x1"
                                         : "write class:processes, joined by +, such as "
                                           "server:2+blade:7, or class:kxm",
                                     "this is not a part of a mix");
    }
    size_t index = 0;
    isocast_status status = find_class(p, name, named, per_node > 0, &index);
    if (status == ISOCAST_OK) {
        status = check_again(p, system, part, name, index, per_node);
    }
    if (status == ISOCAST_OK) {
        status = check_count(p, digits, processes);
    }
    if (status == ISOCAST_OK) {
        status = check_per_node(p, digits, index, per_node);
    }
    if (status == ISOCAST_OK) {
        add_entry(p, system, index, processes, per_node);
    }
    return status;
}

isocast_status isocast_system_parse_mix(const isocast_machine *machine, const char *program,
                                        const isocast_source *source, isocast_span where,
                                        isocast_diagnostics *diagnostics, isocast_system **out) {
    parsing p = {machine, source, diagnostics, program, 1};
    where = trim(source, where);
    for (size_t i = where.begin; i < where.end; i++) {
        p.entries_most += source->text[i] == '+';
    }
    isocast_system *system = create(&p, where);
    isocast_status status = system == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    size_t begin = where.begin;
    while (status == ISOCAST_OK && begin <= where.end) {
        size_t plus = find_byte(source, (isocast_span){begin, where.end}, '+');
        status = parse_part(&p, (isocast_span){begin, plus}, p.entries_most == 1, system);
        begin = plus + 1;
    }
    if (status == ISOCAST_OK) {
        status = isocast_system_refer(machine, system);
    }
    if (status != ISOCAST_OK) {
        isocast_system_free(system);
        return status;
    }
    *out = system;
    return ISOCAST_OK;
}

isocast_status isocast_system_parse(const isocast_machine *machine, const char *program,
                                    const isocast_source *source, isocast_span where,
                                    isocast_diagnostics *diagnostics, isocast_system **out) {
    where = trim(source, where);
    for (size_t i = 0; i < machine->system_count; i++) {
        if (!spells(source, where, machine->systems[i].name)) {
            continue;
        }
        isocast_system *system = NULL;
        isocast_status status =
            isocast_system_parse_mix(machine, program, machine->tree->source,
                                     machine->systems[i].span, diagnostics, &system);
        if (status != ISOCAST_OK) {
            return status;
        }
        char *name = strdup(machine->systems[i].name);
        if (name == NULL) {
            isocast_system_free(system);
            return ISOCAST_NO_MEMORY;
        }
        free(system->name);
        system->name = name;
        *out = system;
        return ISOCAST_OK;
    }
    return isocast_system_parse_mix(machine, program, source, where, diagnostics, out);
}

void isocast_system_free(isocast_system *system) {
    if (system != NULL) {
        free(system->name);
        free(system->classes);
        free(system->each);
        free(system->placed);
        free(system->rows);
        free(system);
    }
}

double isocast_system_memory(const isocast_system *system) {
    double least = NAN;
    for (size_t i = 0; i < system->count; i++) {
        least = fmin(least, system->table.rows[ISOCAST_CLASS_MEMORY][i]);
    }
    return least;
}

void isocast_systems_free(isocast_system **systems, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_system_free(systems[i]);
    }
    free(systems);
}

isocast_status isocast_numbers_parse(const char *label, const char *text,
                                     isocast_diagnostics *diagnostics, double **out,
                                     size_t *count) {
    isocast_source *source = NULL;
    isocast_list_item *items = NULL;
    size_t item_count = 0;
    isocast_status status = isocast_source_create(label, text, strlen(text), &source);
    if (status == ISOCAST_OK) {
        status = isocast_list_split(source, diagnostics, &items, &item_count);
    }
    double *numbers = status == ISOCAST_OK ? malloc((item_count + 1) * sizeof *numbers) : NULL;
    for (size_t i = 0; numbers != NULL && i < item_count; i++) {
        numbers[i] = items[i].number;
        const char *digits = source->text + items[i].span.begin;
        size_t length = items[i].span.end - items[i].span.begin;
        if (i > 0 && length == 3 && digits[0] == '0' && strspn(digits, "0123456789") >= 3) {
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, items[i].span,
                                    "write 2000, not 2,000; commas part several numbers",
                                    "this number begins with 0");
            status = ISOCAST_INVALID;
        }
        if (!items[i].is_number) {
            bool percent = source->text[items[i].span.end - 1] == '%';
            char share[64];
            double value = strtod(source->text + items[i].span.begin, NULL);
            snprintf(share, sizeof share, "write a share of 1: %.10g %% is %.10g", value,
                     value / 100);
            isocast_diagnostics_add(
                diagnostics, ISOCAST_ERROR, source, items[i].span,
                percent ? share
                        : "write it out, as in 0.5, 2000 or 1e6; commas part several numbers",
                "expected a number here");
            status = ISOCAST_INVALID;
        }
    }
    isocast_source_free(source);
    free(items);
    if (status != ISOCAST_OK || numbers == NULL) {
        free(numbers);
        return status != ISOCAST_OK ? status : ISOCAST_NO_MEMORY;
    }
    *out = numbers;
    *count = item_count;
    return ISOCAST_OK;
}
