#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/csv.h"
#include "model/base/nearest.h"
#include "record.h"

typedef enum isocast_record_ranks {
    ISOCAST_RECORD_RANKS_GOOD,
    ISOCAST_RECORD_RANKS_NO_LIST,  /* the text is none, or has a rank that is not below the limit */
    ISOCAST_RECORD_RANKS_TOO_MANY, /* more ranks than asked for */
    ISOCAST_RECORD_RANKS_NO_MEMORY
} isocast_record_ranks;

typedef struct range {
    unsigned long long first, last, step;
} range;

/* "4", "0-3" or "8-14/2" at *at, which moves behind it. */
static bool read_range(const char **at, range *out) {
    static const char before[3] = {'\0', '-', '/'};
    unsigned long long parts[3] = {0, 0, 1};
    size_t given = 0;
    while (given < 3 && (given == 0 || **at == before[given])) {
        const char *digits = *at + (given > 0 ? 1 : 0);
        if (*digits < '0' || *digits > '9') {
            return false;
        }
        char *end = NULL;
        parts[given++] = strtoull(digits, &end, 10);
        *at = end;
    }
    *out = (range){parts[0], given == 1 ? parts[0] : parts[1], parts[2]};
    return **at == '\0' || **at == ' ';
}

/* Reads numbers parted by blanks, each below `limit`; "first-last/step" stands for several. *ranks
 * becomes the ranks in their order, *count, at most `most` of them, also where the text is no list:
 * what stands before the mistake. The caller frees *ranks. */
static isocast_record_ranks read_rank_list(const char *text, size_t limit, size_t most,
                                           size_t **ranks, size_t *count) {
    size_t capacity = 0;
    const char *at = text;
    while (*at != '\0') {
        range next;
        if (!read_range(&at, &next) || next.first > next.last || next.last >= limit ||
            next.step == 0 || next.step > limit) {
            return ISOCAST_RECORD_RANKS_NO_LIST;
        }
        for (unsigned long long rank = next.first; rank <= next.last; rank += next.step) {
            if (*count >= most) {
                return ISOCAST_RECORD_RANKS_TOO_MANY;
            }
            if (!isocast_array_grow((void **)ranks, *count, &capacity, sizeof **ranks)) {
                return ISOCAST_RECORD_RANKS_NO_MEMORY;
            }
            (*ranks)[(*count)++] = (size_t)rank;
        }
        at += *at == ' ' ? 1 : 0;
    }
    return ISOCAST_RECORD_RANKS_GOOD;
}

static const char again[] = "a part of the file is missing; copy it again, or record again";

/* Row `row` of the file is "lines,N": N rows must follow it, and the last one must have its line
 * break. Errors: INVALID, with a diagnostic. */
static isocast_status lines_are_there(const isocast_csv *csv, size_t row,
                                      const isocast_source *source,
                                      isocast_diagnostics *diagnostics) {
    const isocast_csv_field *fields = csv->fields + csv->rows[row].first;
    const isocast_csv_field *said = &fields[csv->rows[row].count > 1 ? 1 : 0];
    size_t there = csv->row_count - row - 1;
    char count[32];
    snprintf(count, sizeof count, "%zu", there);
    if (csv->rows[row].count != 2 || strcmp(said->text, count) != 0) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, isocast_csv_span(said), again,
                                "'%.40s' lines must follow this one, and %zu do", said->text,
                                there);
    } else if (source->text[source->length - 1] != '\n') {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, isocast_csv_span(said), again,
                                "the last of the %zu lines that follow this one is cut off", there);
    } else {
        return ISOCAST_OK;
    }
    return ISOCAST_INVALID;
}

/* Whether a record without other problems has all that each record has: its program, its processes,
 * how it ended, and the lines of all processes where it ended well. Errors: INVALID, with
 * diagnostics. */
static isocast_status is_whole(const isocast_record *record, bool has_end,
                               const isocast_source *source, isocast_diagnostics *diagnostics) {
    const struct {
        bool there;
        const char *name;
    } due[] = {{record->program != NULL, "program"},
               {record->processes != NULL, "processes"},
               {has_end, "end"}};
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        if (!due[i].there) {
            isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, source->name, again,
                                         "has no line '%s'", due[i].name);
            return ISOCAST_INVALID;
        }
    }
    size_t unknown = 0;
    for (size_t i = 0; i < record->process_count; i++) {
        unknown += record->processes[i].known ? 0 : 1;
    }
    if (record->end == ISOCAST_RECORD_COMPLETE && unknown > 0) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, source->name, again,
                                     "has no line 'process' for %zu of its %zu processes, which "
                                     "all ended well",
                                     unknown, record->process_count);
        return ISOCAST_INVALID;
    }
    return ISOCAST_OK;
}

enum { MEMBERS_MAX = 1 << 24 }; /* of all communicators together */

typedef struct reader {
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    const isocast_csv_field *fields; /* [count] of the line that is read */
    size_t count;
    isocast_record *record;
    size_t argument_capacity, communicator_capacity, frame_capacity, site_capacity, call_capacity,
        compute_capacity;
    size_t members; /* of all communicators so far */
    bool has_end;   /* there was a line that shows how the run ended */
    isocast_status status;
} reader;

static void fail(reader *r, isocast_status status) {
    r->status = r->status == ISOCAST_NO_MEMORY ? r->status : status;
}

/* Notes what is wrong with a field of the line; a field that the line lacks is its last one. */
__attribute__((format(printf, 3, 4))) static void refuse(reader *r, size_t field,
                                                         const char *format, ...) {
    va_list values;
    va_start(values, format);
    char text[256];
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    size_t at = field < r->count ? field : r->count - 1;
    isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source,
                            isocast_csv_span(&r->fields[at]), NULL, "%s", text);
    fail(r, ISOCAST_INVALID);
}

static const char *text_of(const reader *r, size_t field) {
    return field < r->count ? r->fields[field].text : "";
}

static char *copy_of(reader *r, size_t field) {
    char *copy = strdup(text_of(r, field));
    if (copy == NULL) {
        fail(r, ISOCAST_NO_MEMORY);
    }
    return copy;
}

/* No run has more bytes, calls or seconds: sums and squares of numbers up to here are finite. */
static const double number_most = 1e20;
static const double squares_most = 1e60;

/* A number from `least` to `most`. */
static double number_within(reader *r, size_t field, const char *what, double least, double most) {
    const char *text = text_of(r, field);
    char *end = NULL;
    double value = strtod(text, &end);
    bool plain = strspn(text, "+-.0123456789eE") == strlen(text);
    if (end == text || *end != '\0' || !plain || !isfinite(value) || value < least ||
        value > most) {
        refuse(r, field, "%s must be a number from %g to %g, this is '%.40s'", what, least, most,
               text);
        return least;
    }
    return value;
}

static double number_of(reader *r, size_t field, const char *what, double least) {
    return number_within(r, field, what, least, number_most);
}

/* A whole number below `limit`. */
static size_t index_of(reader *r, size_t field, const char *what, size_t limit) {
    const char *text = text_of(r, field);
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value >= limit) {
        if (limit == 0) {
            refuse(r, field, "there is none of that kind before this line: %s cannot be '%.40s'",
                   what, text);
        } else {
            refuse(r, field, "%s must be a whole number from 0 to %zu, this is '%.40s'", what,
                   limit - 1, text);
        }
        return 0;
    }
    return (size_t)value;
}

/* The same, where nothing stands for none. */
static size_t index_or_none(reader *r, size_t field, const char *what, size_t limit) {
    return text_of(r, field)[0] == '\0' ? SIZE_MAX : index_of(r, field, what, limit);
}

/* Numbers of things come in their order, so that none is missing. */
static bool is_next(reader *r, size_t field, const char *what, size_t next) {
    char due[32];
    snprintf(due, sizeof due, "%zu", next);
    if (strcmp(text_of(r, field), due) != 0) {
        refuse(r, field, "this %s must have the number %s, it has '%.40s'", what, due,
               text_of(r, field));
        return false;
    }
    return true;
}

static isocast_record_end end_of(reader *r, size_t field) {
    size_t i = 0;
    while (i < ISOCAST_RECORD_ENDS && strcmp(isocast_record_end_names[i], text_of(r, field)) != 0) {
        i++;
    }
    if (i == ISOCAST_RECORD_ENDS) {
        refuse(r, field, "a run ends complete, aborted, exited or killed, not '%.40s'",
               text_of(r, field));
        return ISOCAST_RECORD_KILLED;
    }
    return (isocast_record_end)i;
}

/* Room for one more item of an array of the record; false without memory. */
static bool grow(reader *r, void **items, size_t count, size_t *capacity, size_t size) {
    if (!isocast_array_grow(items, count, capacity, size)) {
        fail(r, ISOCAST_NO_MEMORY);
        return false;
    }
    return true;
}

/* A text that a record has once. */
static void take_text(reader *r, char **out) {
    if (*out != NULL) {
        refuse(r, 0, "a second line '%.40s'", text_of(r, 0));
        return;
    }
    *out = copy_of(r, 1);
}

static void read_isocast(reader *r) {
    take_text(r, &r->record->isocast);
}

static void read_date(reader *r) {
    take_text(r, &r->record->date);
}

static void read_program(reader *r) {
    take_text(r, &r->record->program);
}

static void read_hash(reader *r) {
    take_text(r, &r->record->hash);
}

static void read_launcher(reader *r) {
    take_text(r, &r->record->launcher);
}

static void read_argument(reader *r) {
    isocast_record *record = r->record;
    if (grow(r, (void **)&record->arguments, record->argument_count, &r->argument_capacity,
             sizeof *record->arguments)) {
        char *text = copy_of(r, 1);
        if (text != NULL) {
            record->arguments[record->argument_count++] = text;
        }
    }
}

static void read_end(reader *r) {
    if (r->has_end) {
        refuse(r, 0, "a second line 'end'");
    }
    r->record->end = end_of(r, 1);
    r->has_end = true;
}

static void read_processes(reader *r) {
    isocast_record *record = r->record;
    if (record->processes != NULL) {
        refuse(r, 0, "a second line 'processes'");
        return;
    }
    size_t count = index_of(r, 1, "the number of processes", ISOCAST_RECORD_PROCESSES_MAX + 1);
    if (count == 0) {
        if (r->status == ISOCAST_OK) {
            refuse(r, 1, "a run has one process at least");
        }
        return;
    }
    record->processes = calloc(count, sizeof *record->processes);
    record->process_count = record->processes != NULL ? count : 0;
    if (record->processes == NULL) {
        fail(r, ISOCAST_NO_MEMORY);
    }
}

static void read_process(reader *r) {
    size_t rank = index_of(r, 1, "a process", r->record->process_count);
    if (rank >= r->record->process_count) {
        return;
    }
    isocast_record_process *process = &r->record->processes[rank];
    if (process->known) {
        refuse(r, 1, "a second line about process %zu", rank);
        return;
    }
    *process = (isocast_record_process){.known = true,
                                        .node = copy_of(r, 2),
                                        .T = number_of(r, 3, "T", 0),
                                        .cpu = number_of(r, 4, "the processor time", 0),
                                        .mpi = number_of(r, 5, "the time inside of MPI", 0),
                                        .region = number_of(r, 6, "the time of regions", 0),
                                        .regions = number_of(r, 7, "the number of regions", 0),
                                        .lost = number_of(r, 8, "the number of lost calls", 0),
                                        .end = end_of(r, 9)};
}

static isocast_record_site read_place(reader *r) {
    return (isocast_record_site){.function = copy_of(r, 2),
                                 .file = copy_of(r, 3),
                                 .line = index_of(r, 4, "a line", (size_t)1 << 31),
                                 .module = copy_of(r, 5),
                                 .offset = number_of(r, 6, "an offset", 0),
                                 .caller = SIZE_MAX};
}

static void read_site(reader *r) {
    isocast_record *record = r->record;
    if (is_next(r, 1, "site", record->site_count) &&
        grow(r, (void **)&record->sites, record->site_count, &r->site_capacity,
             sizeof *record->sites)) {
        record->sites[record->site_count++] = read_place(r);
    }
}

static void read_frame(reader *r) {
    isocast_record *record = r->record;
    if (is_next(r, 1, "frame", record->frame_count) &&
        grow(r, (void **)&record->frames, record->frame_count, &r->frame_capacity,
             sizeof *record->frames)) {
        isocast_record_site frame = read_place(r);
        frame.caller = index_or_none(r, 7, "a frame", record->frame_count);
        record->frames[record->frame_count++] = frame;
    }
}

static void read_caller(reader *r) {
    isocast_record *record = r->record;
    size_t site = index_of(r, 1, "a site", record->site_count);
    size_t frame = index_of(r, 2, "a frame", record->frame_count);
    if (site < record->site_count && frame < record->frame_count) {
        record->sites[site].caller = frame;
    }
}

/* The members of a communicator; false, with a diagnostic, where the field is no list of ranks. */
static bool read_ranks(reader *r, size_t field, size_t limit, size_t **items, size_t *count) {
    const char *text = text_of(r, field);
    switch (read_rank_list(text, limit, MEMBERS_MAX - r->members, items, count)) {
    case ISOCAST_RECORD_RANKS_GOOD:
        r->members += *count;
        return true;
    case ISOCAST_RECORD_RANKS_NO_LIST:
        refuse(r, field, "'%.40s' is no list of ranks below %zu, such as '0-3 8-14/2'", text,
               limit);
        return false;
    case ISOCAST_RECORD_RANKS_TOO_MANY:
        refuse(r, field, "the communicators of a record have at most %d members together",
               MEMBERS_MAX);
        return false;
    case ISOCAST_RECORD_RANKS_NO_MEMORY:
        break;
    }
    fail(r, ISOCAST_NO_MEMORY);
    return false;
}

/* "4x2" and "1x0": the dimensions of a grid, and which are periodic. */
static void read_grid(reader *r, size_t field, isocast_record_communicator *c) {
    const char *sizes = text_of(r, field);
    const char *periods = text_of(r, field + 1);
    c->dimensions = calloc(ISOCAST_RECORD_DIMENSIONS_MAX, sizeof *c->dimensions);
    c->periodic = calloc(ISOCAST_RECORD_DIMENSIONS_MAX, sizeof *c->periodic);
    if (c->dimensions == NULL || c->periodic == NULL) {
        fail(r, ISOCAST_NO_MEMORY);
        return;
    }
    size_t product = 1;
    bool good = true;
    while (good && *sizes != '\0') {
        char *end = NULL;
        bool digit = *sizes >= '0' && *sizes <= '9';
        unsigned long long size = digit ? strtoull(sizes, &end, 10) : 0;
        good = digit && size > 0 && size <= c->size && (*end == '\0' || *end == 'x') &&
               c->dimension_count < ISOCAST_RECORD_DIMENSIONS_MAX &&
               (*periods == '0' || *periods == '1') && product <= c->size;
        if (good) {
            product *= (size_t)size;
            c->dimensions[c->dimension_count] = (size_t)size;
            c->periodic[c->dimension_count++] = *periods == '1';
            sizes = *end == 'x' ? end + 1 : end;
            periods += periods[1] == 'x' ? 2 : 1;
        }
    }
    if (!good || *periods != '\0' || product != c->size) {
        refuse(r, field,
               "'%.40s', '%.40s' are no dimensions of a grid of %zu processes and whether they are "
               "periodic, such as '4x2', '1x0'",
               text_of(r, field), text_of(r, field + 1), c->size);
    }
}

static void read_communicator(reader *r) {
    isocast_record *record = r->record;
    if (!is_next(r, 1, "communicator", record->communicator_count) ||
        !grow(r, (void **)&record->communicators, record->communicator_count,
              &r->communicator_capacity, sizeof *record->communicators)) {
        return;
    }
    size_t index = record->communicator_count++;
    isocast_record_communicator *c = &record->communicators[index];
    *c = (isocast_record_communicator){
        .kind = copy_of(r, 2),
        .site = index_or_none(r, 3, "a site", record->site_count),
        .parent = index_or_none(r, 4, "a communicator", index),
        .remote_size = text_of(r, 5)[0] == '\0'
                           ? 0
                           : index_of(r, 5, "a size", ISOCAST_RECORD_PROCESSES_MAX + 1)};
    if (!read_ranks(r, 6, record->process_count, &c->members, &c->size)) {
        return;
    }
    if (c->size == 0) {
        refuse(r, 6, "a communicator has one member at least");
    } else if (strcmp(text_of(r, 7), "graph") == 0) {
        c->is_graph = true;
    } else if (text_of(r, 7)[0] != '\0') {
        read_grid(r, 7, c);
    }
}

/* A rank of the communicator, or a word for none. */
static long partner_of(reader *r, size_t field, size_t communicator) {
    static const struct {
        const char *name;
        long partner;
    } words[] = {{"", ISOCAST_RECORD_NO_PARTNER},
                 {"any", ISOCAST_RECORD_ANY},
                 {"null", ISOCAST_RECORD_PROC_NULL},
                 {"other", ISOCAST_RECORD_OTHER_GROUP}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text_of(r, field), words[i].name) == 0) {
            return words[i].partner;
        }
    }
    size_t size = r->record->process_count;
    if (communicator < r->record->communicator_count) {
        const isocast_record_communicator *c = &r->record->communicators[communicator];
        size = c->remote_size > 0 ? c->remote_size : c->size;
    }
    return (long)index_of(r, field, "a partner", size);
}

/* What call and merged lines begin with: process, site, communicator, operation. */
static isocast_record_call *add_call(reader *r) {
    isocast_record *record = r->record;
    if (!grow(r, (void **)&record->calls, record->call_count, &r->call_capacity,
              sizeof *record->calls)) {
        return NULL;
    }
    size_t operation = isocast_record_operation_named(text_of(r, 4));
    if (operation == ISOCAST_RECORD_OPERATION_COUNT) {
        refuse(r, 4, "there is no call '%.40s' in records", text_of(r, 4));
        return NULL;
    }
    isocast_record_call *call = &record->calls[record->call_count++];
    *call = (isocast_record_call){
        .process = index_of(r, 1, "a process", record->process_count),
        .site = index_of(r, 2, "a site", record->site_count),
        .communicator = index_or_none(r, 3, "a communicator", record->communicator_count),
        .operation = (isocast_record_operation)operation,
        .neighbours = 1};
    return call;
}

/* Calls that say how many neighbours there are in place of what is received. */
static bool is_to_equal_neighbours(isocast_record_operation operation) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Neighbor_allgather:
    case ISOCAST_RECORD_OPERATION_Neighbor_alltoall:
    case ISOCAST_RECORD_OPERATION_Ineighbor_allgather:
    case ISOCAST_RECORD_OPERATION_Ineighbor_alltoall:
        return true;
    default:
        return false;
    }
}

static void read_call(reader *r) {
    isocast_record_call *call = add_call(r);
    if (call == NULL) {
        return;
    }
    call->partner = partner_of(r, 5, call->communicator);
    call->bytes = text_of(r, 6)[0] == '\0' ? 0 : number_of(r, 6, "the size", 0);
    bool beside = isocast_record_is_to_neighbours(call->operation);
    if (beside && text_of(r, 7)[0] != '\0') {
        call->neighbours = number_of(r, 7, "the number of neighbours", 0);
        call->source = ISOCAST_RECORD_NO_PARTNER;
    } else {
        call->source = partner_of(r, 7, call->communicator);
    }
    call->received = text_of(r, 8)[0] == '\0' ? NAN : number_of(r, 8, "the size", 0);
    if (is_to_equal_neighbours(call->operation) && isfinite(call->received)) {
        call->neighbours = call->received;
    }
    call->calls = number_of(r, 9, "the number of calls", 1);
    call->time = number_of(r, 10, "the time", 0);
}

static void read_merged(reader *r) {
    isocast_record_call *call = add_call(r);
    if (call == NULL) {
        return;
    }
    call->merged = true;
    call->partner = call->source = ISOCAST_RECORD_SEVERAL;
    call->received = NAN;
    call->calls = number_of(r, 5, "the number of calls", 1);
    call->time = number_of(r, 6, "the time", 0);
    call->bytes = number_of(r, 7, "the mean size", 0);
    call->bytes_squares = number_within(r, 8, "the sum of squares", 0, squares_most);
    call->bytes_least = number_of(r, 9, "the least size", 0);
    call->bytes_most = number_of(r, 10, "the largest size", call->bytes_least);
}

static void read_memory(reader *r) {
    size_t process = index_of(r, 1, "a process", r->record->process_count);
    double memory = number_of(r, 2, "the memory", 0);
    if (process < r->record->process_count) {
        r->record->processes[process].memory = memory;
    }
}

static void read_threads(reader *r) {
    size_t process = index_of(r, 1, "a process", r->record->process_count);
    double others = number_of(r, 2, "the processor time", 0);
    if (process < r->record->process_count) {
        r->record->processes[process].others = others;
    }
}

static void read_estimated(reader *r) {
    isocast_record *record = r->record;
    size_t process = index_of(r, 1, "a process", record->process_count);
    index_of(r, 2, "a site", record->site_count);
    double calls = number_of(r, 3, "the number of calls", 1);
    if (process < record->process_count) {
        record->processes[process].estimated += calls;
    }
}

static void read_compute(reader *r) {
    isocast_record *record = r->record;
    if (!grow(r, (void **)&record->computes, record->compute_count, &r->compute_capacity,
              sizeof *record->computes)) {
        return;
    }
    record->computes[record->compute_count++] = (isocast_record_compute){
        .process = index_of(r, 1, "a process", record->process_count),
        .from = index_of(r, 2, "a site", record->site_count),
        .to = index_of(r, 3, "a site", record->site_count),
        .times = number_of(r, 4, "the number of times", 1),
        .time = number_of(r, 5, "the time", 0),
        .squares = number_within(r, 6, "the sum of squares", 0, squares_most),
        .least = number_of(r, 7, "the least time", 0),
        .most = number_of(r, 8, "the longest time", 0)};
}

/* The lines of a record, by their first field. */
static const struct {
    const char *name;
    size_t fields; /* with the name */
    void (*read)(reader *r);
} lines[] = {{"isocast", 2, read_isocast},     {"date", 2, read_date},
             {"program", 2, read_program},     {"hash", 2, read_hash},
             {"argument", 2, read_argument},   {"launcher", 2, read_launcher},
             {"processes", 2, read_processes}, {"end", 2, read_end},
             {"frame", 8, read_frame},         {"site", 7, read_site},
             {"caller", 3, read_caller},       {"communicator", 9, read_communicator},
             {"process", 10, read_process},    {"call", 11, read_call},
             {"merged", 11, read_merged},      {"compute", 9, read_compute},
             {"estimated", 4, read_estimated}, {"memory", 3, read_memory},
             {"threads", 3, read_threads}};

static void read_line(reader *r) {
    const char *names[sizeof lines / sizeof lines[0]];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        names[i] = lines[i].name;
        if (strcmp(lines[i].name, text_of(r, 0)) != 0) {
            continue;
        }
        if (r->count != lines[i].fields) {
            refuse(r, 0, "a line '%s' has %zu fields, this one has %zu", lines[i].name,
                   lines[i].fields, r->count);
            return;
        }
        lines[i].read(r);
        return;
    }
    const char *near = isocast_nearest_name(text_of(r, 0), names, sizeof names / sizeof names[0]);
    refuse(r, 0, "there is no line '%.40s' in records%s%s%s", text_of(r, 0),
           near != NULL ? "; is it '" : "", near != NULL ? near : "", near != NULL ? "'" : "");
}

/* The first line says what the file is; another version may mean something else by its lines. */
static bool read_first(reader *r) {
    if (strcmp(text_of(r, 0), "record") != 0 || r->count != 2) {
        isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->source,
                                isocast_csv_span(&r->fields[0]), "'isocast record' writes records",
                                "this is no record: its first line is not 'record,%d'",
                                ISOCAST_RECORD_VERSION);
        fail(r, ISOCAST_INVALID);
        return false;
    }
    char due[16];
    snprintf(due, sizeof due, "%d", ISOCAST_RECORD_VERSION);
    if (strcmp(text_of(r, 1), due) != 0) {
        refuse(r, 1, "this is a record of version '%.20s'; version %s is known", text_of(r, 1),
               due);
        return false;
    }
    return true;
}

static void put_frame(const isocast_record_site *frame, isocast_buffer *out) {
    bool named = frame->line > 0;
    const char *path = named ? frame->file : frame->module;
    const char *slash = strrchr(path, '/');
    isocast_buffer_puts(out, slash != NULL ? slash + 1 : path);
    if (named) {
        isocast_buffer_printf(out, ":%zu in %s\n", frame->line, frame->function);
    } else {
        isocast_buffer_printf(out, "+%.0f\n", frame->offset);
    }
}

/* What a path is long enough for: those of recorded runs have a dozen callers. */
enum { CALLERS_MOST = 256 };

static void add_paths(reader *r) {
    isocast_record *record = r->record;
    for (size_t i = 0; i < record->site_count; i++) {
        isocast_buffer path = {0};
        size_t at = record->sites[i].caller;
        for (size_t k = 0; k < CALLERS_MOST && at != SIZE_MAX; k++) {
            put_frame(&record->frames[at], &path);
            at = record->frames[at].caller;
        }
        record->sites[i].path = isocast_buffer_take(&path);
        if (record->sites[i].path == NULL) {
            fail(r, ISOCAST_NO_MEMORY);
        }
    }
}

/* Texts that the file does not have are empty. */
static void complete(reader *r) {
    isocast_record *record = r->record;
    char **texts[] = {&record->isocast, &record->date, &record->hash, &record->launcher};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (*texts[i] == NULL && (*texts[i] = strdup("")) == NULL) {
            fail(r, ISOCAST_NO_MEMORY);
        }
    }
}

static void read_lines(reader *r, const isocast_csv *csv) {
    for (size_t i = 0; i < csv->row_count && r->status != ISOCAST_NO_MEMORY; i++) {
        r->fields = csv->fields + csv->rows[i].first;
        r->count = csv->rows[i].count;
        if (i == 0 && !read_first(r)) {
            return;
        }
        if (i > 0 && strcmp(text_of(r, 0), "lines") == 0) {
            isocast_status whole = lines_are_there(csv, i, r->source, r->diagnostics);
            if (whole != ISOCAST_OK) {
                fail(r, whole);
                return;
            }
        } else if (i > 0) {
            read_line(r);
        }
    }
    if (csv->row_count == 0) {
        isocast_diagnostics_add_file(r->diagnostics, ISOCAST_ERROR, r->source->name, NULL,
                                     "holds no lines");
        fail(r, ISOCAST_INVALID);
    } else if (r->status == ISOCAST_OK) {
        fail(r, is_whole(r->record, r->has_end, r->source, r->diagnostics));
        complete(r);
        add_paths(r);
    }
}

isocast_status isocast_record_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                   isocast_record **out) {
    isocast_csv csv = {0};
    reader r = {
        .source = source, .diagnostics = diagnostics, .record = calloc(1, sizeof *r.record)};
    r.status = r.record == NULL ? ISOCAST_NO_MEMORY : isocast_csv_read(source, diagnostics, &csv);
    if (r.status == ISOCAST_OK) {
        read_lines(&r, &csv);
    }
    isocast_csv_free(&csv);
    if (r.status != ISOCAST_OK) {
        isocast_source_free(source);
        isocast_record_free(r.record);
        return r.status;
    }
    r.record->source = source;
    *out = r.record;
    return ISOCAST_OK;
}

isocast_status isocast_record_load(const char *path, isocast_diagnostics *diagnostics,
                                   isocast_record **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read_kind(path, ISOCAST_INPUT_ANY,
                                                     ISOCAST_RECORD_FILE_MAX, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_record_read(source, diagnostics, out) : status;
}
