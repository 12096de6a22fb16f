/* CSV with a header: the probe's samples, single timings of any benchmark, and rows that have a
 * median and quartiles already. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "import_reader.h"
#include "model/base/known_operation.h"
#include "model/base/operation_name.h"

/* What a column may be called, and the unit of its times in s. */
typedef struct column_name {
    const char *name;
    size_t place; /* offset in import_columns */
    double scale; /* s a unit; 0: no time */
} column_name;

#define PLACE(member) offsetof(import_columns, member)

static const column_name names[] = {
    {"operation", PLACE(operation), 0},
    {"collective", PLACE(operation), 0},
    {"algorithm", PLACE(algorithm), 0},
    {"processes_per_node", PLACE(per_node), 0},
    {"ppn", PLACE(per_node), 0},
    {"system", PLACE(system), 0},
    {"nodes", PLACE(nodes), 0},
    {"p", PLACE(p), 0},
    {"processes", PLACE(p), 0},
    {"m", PLACE(m), 0},
    {"bytes", PLACE(m), 0},
    {"launch", PLACE(launch), 0},
    {"job", PLACE(launch), 0},
    {"samples", PLACE(count), 0},
    {"seconds", PLACE(seconds), 1},
    {"t_s", PLACE(seconds), 1},
    {"t_us", PLACE(seconds), 1e-6},
    {"t_ns", PLACE(seconds), 1e-9},
    {"t_avg_s", PLACE(seconds), 1},
    {"t_avg_us", PLACE(seconds), 1e-6},
    {"t_avg_ns", PLACE(seconds), 1e-9},
    {"t_median_s", PLACE(seconds), 1},
    {"t_median_us", PLACE(seconds), 1e-6},
    {"t_median_ns", PLACE(seconds), 1e-9},
    {"t_p25_s", PLACE(lower), 1},
    {"t_p25_us", PLACE(lower), 1e-6},
    {"t_p25_ns", PLACE(lower), 1e-9},
    {"t_p75_s", PLACE(upper), 1},
    {"t_p75_us", PLACE(upper), 1e-6},
    {"t_p75_ns", PLACE(upper), 1e-9},
};
enum { NAMES = sizeof names / sizeof names[0] };

static void split(import_reader *reader) {
    reader->field_count = 0;
    const char *at = reader->line;
    while (reader->field_count < IMPORT_FIELDS_MAX) {
        import_field *field = &reader->fields[reader->field_count++];
        bool quoted = at < reader->line_end && *at == '"';
        field->begin = at + quoted;
        const char *end =
            memchr(field->begin, quoted ? '"' : ',', (size_t)(reader->line_end - field->begin));
        field->end = end != NULL ? end : reader->line_end;
        at = field->end + (quoted && end != NULL);
        if (at >= reader->line_end || *at != ',') {
            return;
        }
        at++;
    }
}

static int *member(import_columns *columns, size_t place) {
    return (int *)((char *)columns + place);
}

static void take_header(import_reader *reader, import_columns *columns) {
    for (size_t i = 0; i < reader->field_count; i++) {
        for (size_t k = 0; k < NAMES; k++) {
            if (import_is(reader->fields[i], names[k].name)) {
                *member(columns, names[k].place) = (int)i;
                columns->scale = names[k].scale > 0 ? names[k].scale : columns->scale;
            }
        }
        columns->kernels = columns->kernels || import_is(reader->fields[i], "stop");
    }
    columns->most = (int)reader->field_count;
}

static size_t append(char *key, size_t used, const char *text, size_t length) {
    size_t most = sizeof((import_reader *)0)->operation_key - 1;
    length = used + length < most ? length : most - used;
    memcpy(key + used, text, length);
    return used + length;
}

/* The operation that Intel's benchmarks, or MPI itself, call by the text of a field; NULL where
 * there is none. */
static const char *imb_name(import_field field) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        for (size_t k = 0; k < ISOCAST_OPERATION_NAMES_MAX && known->imb[k] != NULL; k++) {
            if (import_is(field, known->imb[k])) {
                return known->name;
            }
        }
    }
    return NULL;
}

/* Benchmarks write "Alltoall" where MPI has MPI_Alltoall. */
static void lower(char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)tolower((unsigned char)text[i]);
    }
}

static bool is_on_one_node(const import_reader *reader) {
    int column = reader->columns.nodes;
    return column >= 0 && import_is(reader->fields[column], "1");
}

/* "collective_algorithm_ppnN_system" of the row, to show whether it is the last one's, with an end
 * of its own where all processes are on one node. key: as long as operation_key. */
static size_t write_key(const import_reader *reader, char *key) {
    static const char *const marks[] = {"", "_", "_ppn", "_"};
    const import_columns *c = &reader->columns;
    const int columns[] = {c->operation, c->algorithm, c->per_node,
                           reader->system == NULL ? c->system : -1};
    size_t used = 0;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        /* One process per node is the default, and is not reported. */
        if (columns[i] < 0 || (i == 2 && import_is(reader->fields[columns[i]], "1"))) {
            continue;
        }
        import_field field = reader->fields[columns[i]];
        const char *known = i == 0 ? imb_name(field) : NULL;
        used = append(key, used, marks[i], strlen(marks[i]));
        size_t begin = used;
        used = known != NULL ? append(key, used, known, strlen(known))
                             : append(key, used, field.begin, (size_t)(field.end - field.begin));
        if (i == 0 && !isocast_operation_starts(key, used)) {
            lower(key + begin, used - begin);
        }
    }
    if (is_on_one_node(reader)) {
        used = append(key, used, OBSERVATIONS_ON_ONE_NODE, strlen(OBSERVATIONS_ON_ONE_NODE));
    }
    key[used] = '\0';
    return used;
}

static void take_operation(import_reader *reader) {
    char key[sizeof reader->operation_key];
    size_t length = write_key(reader, key);
    if (length > 0 && strcmp(key, reader->operation_key) == 0) {
        return;
    }
    memcpy(reader->operation_key, key, length + 1);
    /* A time per flop of a kernel is no operation. */
    if (reader->columns.kernels && !isocast_operation_is_name(key)) {
        reader->has_operation = false;
        if (reader->out->passed_line == 0) {
            reader->out->passed_line = reader->line_number;
            reader->out->passed_file = reader->file;
        }
        return;
    }
    import_operation(reader, key, length, false);
}

static void take_launch(import_reader *reader) {
    if (reader->columns.launch < 0) {
        if (!reader->has_launch) {
            import_launch(reader, "", 0);
        }
        return;
    }
    import_field field = reader->fields[reader->columns.launch];
    size_t length = (size_t)(field.end - field.begin);
    if (reader->has_launch && strlen(reader->launch_key) == length &&
        memcmp(reader->launch_key, field.begin, length) == 0) {
        return;
    }
    if (length < sizeof reader->launch_key) {
        memcpy(reader->launch_key, field.begin, length);
        reader->launch_key[length] = '\0';
    }
    import_launch(reader, field.begin, length);
}

/* The standard deviation of ln T by the quartiles that the row has; NAN where it has none. */
static double spread(const import_reader *reader) {
    double lower = 0;
    double upper = 0;
    bool known = import_number(reader->fields[reader->columns.lower], &lower) &&
                 import_number(reader->fields[reader->columns.upper], &upper) && lower > 0 &&
                 upper >= lower;
    return known ? log(upper / lower) / 1.349 : NAN;
}

static bool take_p(import_reader *reader, double *p) {
    import_field field = reader->fields[reader->columns.p];
    if (!import_number(field, p) || !import_processes(*p)) {
        import_problem(reader, field, "write a whole number, 1 or more",
                       "'%.*s' is not a number of processes", (int)(field.end - field.begin),
                       field.begin);
        return false;
    }
    return true;
}

/* Whether the header comes once more, because files were joined. */
static bool is_header(const import_reader *reader) {
    import_field p = reader->fields[reader->columns.p];
    return import_is(p, "p") || import_is(p, "processes");
}

/* Notes how many processes share a node, where a column states. More nodes than processes are those
 * of a job: a ping-pong of a job on 16 nodes, whose first two processes may share one. False where
 * memory is short. */
static bool note_per_node(import_reader *reader, double p) {
    const import_columns *c = &reader->columns;
    double number = 0;
    if (!reader->has_operation || (c->nodes < 0 && c->per_node < 0) ||
        !import_number(reader->fields[c->nodes >= 0 ? c->nodes : c->per_node], &number) ||
        !(number >= 1)) {
        return true;
    }
    double each = c->nodes < 0 ? number : number <= p ? p / number : NAN;
    return observations_note_per_node(reader->out, reader->operation, each);
}

static void take_row(import_reader *reader) {
    const import_columns *c = &reader->columns;
    if (*reader->line == '#') {
        return;
    }
    split(reader);
    if (reader->field_count != (size_t)c->most) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "every row has as many fields as the header",
                       "this row has %zu fields, the header %d", reader->field_count, c->most);
        return;
    }
    if (is_header(reader)) {
        return;
    }
    if (reader->system != NULL && !import_is(reader->fields[c->system], reader->system)) {
        return;
    }
    take_operation(reader);
    take_launch(reader);
    double p = 0;
    double m = 0;
    double seconds = 0;
    if (reader->no_memory || !take_p(reader, &p) ||
        !import_values(reader, reader->fields[c->m], 1, reader->fields[c->seconds], c->scale, &m,
                       &seconds)) {
        return;
    }
    reader->rows++;
    bool added = note_per_node(reader, p);
    if (added && reader->has_operation && c->lower >= 0 && c->upper >= 0) {
        double count = 1;
        if (c->count >= 0 && !import_number(reader->fields[c->count], &count)) {
            count = 1;
        }
        added = observations_add_median(reader->out, reader->operation, reader->launch, p, m,
                                        seconds, spread(reader), count);
    } else if (added && reader->has_operation) {
        added = observations_add(reader->out, reader->operation, reader->launch, p, m, seconds);
    }
    reader->no_memory = !added;
    import_limit(reader, reader->out->count, IMPORT_PLACES_MAX,
                 "places of operation, launch, p and m");
}

/* Without its columns a file cannot be read. */
static void pass_over(import_reader *reader) {
    (void)reader;
}

bool import_csv_starts(import_reader *reader) {
    import_field line = {reader->line, reader->line_end};
    if (*reader->line == '#') {
        return true;
    }
    if (memchr(line.begin, ',', (size_t)(line.end - line.begin)) == NULL) {
        return false;
    }
    split(reader);
    import_columns columns = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0, false};
    take_header(reader, &columns);
    if (columns.operation < 0 && columns.p < 0) {
        return false;
    }
    static const struct {
        size_t place;
        const char *what;
    } due[] = {{PLACE(operation), "operation (or collective)"},
               {PLACE(p), "p (or processes)"},
               {PLACE(m), "m (or bytes)"},
               {PLACE(seconds), "seconds (or t_us, t_ns, t_median_ns and the like)"}};
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++) {
        if (*member(&columns, due[i].place) < 0) {
            import_problem(reader, line, "the header names the columns, in any order",
                           "there is no column %s", due[i].what);
        }
    }
    if (reader->system != NULL && columns.system < 0) {
        import_problem(reader, line, "leave the system out: all rows are then one machine's",
                       "there is no column system");
    }
    reader->columns = columns;
    reader->take = reader->problems == 0 ? take_row : pass_over;
    return true;
}
