/* Text output of ReproMPI (github.com/hunsa/reprompi):
 *
 *     #@datatype_extent_bytes=1
 *     #@nprocs=4
 *                 test       nrep        count    runtime_sec
 *        MPI_Allreduce          0            1   0.0000109819
 *
 * or, with a summary, columns mean_runtime_sec, median_runtime_sec and so on, of which the median
 * is taken where there is one. */
#include <string.h>

#include "import_reader.h"

/* Finds the columns by their names; false where the line is no heading. */
static bool take_heading(import_reader *reader) {
    if (reader->field_count < 3 || !import_is(reader->fields[0], "test")) {
        return false;
    }
    static const char *const times[] = {"mean_runtime_sec", "median_runtime_sec", "runtime_sec"};
    size_t best = 0;
    reader->size_column = reader->time_column = -1;
    for (size_t i = 0; i < reader->field_count; i++) {
        import_field field = reader->fields[i];
        if (import_is(field, "count") || import_is(field, "msize")) {
            reader->size_column = (int)i;
        }
        for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
            if (import_is(field, times[k]) && k + 1 > best) {
                reader->time_column = (int)i;
                best = k + 1;
            }
        }
    }
    return true;
}

/* Reads "#@key=number"; false where it is another line. */
static bool take_setting(import_reader *reader, const char *key, double *out) {
    if (!import_starts(reader, key)) {
        return false;
    }
    import_field field = {reader->line + strlen(key), reader->line_end};
    if (!import_number(field, out) || *out < 1) {
        import_problem(reader, field, "write a whole number, 1 or more", "'%.*s' is not a count",
                       (int)(field.end - field.begin), field.begin);
    }
    return true;
}

/* Whether the line is a row. Other lines of a job do not start with the name of a call. */
static bool is_call(import_field field) {
    return field.end - field.begin > 4 && memcmp(field.begin, "MPI_", 4) == 0;
}

static void take_reprompi(import_reader *reader) {
    if (take_setting(reader, "#@nprocs=", &reader->processes) ||
        take_setting(reader, "#@datatype_extent_bytes=", &reader->bytes_each) ||
        *reader->line == '#') {
        return;
    }
    import_split(reader);
    if (reader->field_count == 0 || take_heading(reader) || !is_call(reader->fields[0])) {
        return;
    }
    if (reader->size_column < 0 || reader->time_column < 0) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "ReproMPI writes: test nrep count runtime_sec",
                       "no heading with a size and a time came before this row");
        return;
    }
    if (reader->field_count <= (size_t)reader->time_column ||
        reader->field_count <= (size_t)reader->size_column) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "the heading above has more columns", "this row is cut off");
        return;
    }
    import_field name = reader->fields[0];
    name.begin += strlen("MPI_");
    import_mpi_operation(reader, name.begin, (size_t)(name.end - name.begin));
    import_row(reader, reader->fields[reader->size_column], reader->bytes_each,
               reader->fields[reader->time_column], 1);
}

bool import_reprompi_starts(import_reader *reader) {
    if (import_starts(reader, "#MPI calls:")) {
        import_next_run(reader);
    } else if (reader->take == take_reprompi || !import_starts(reader, "#@")) {
        return false;
    }
    if (reader->take != take_reprompi) {
        reader->take = take_reprompi;
        reader->bytes_each = 1;
        reader->size_column = reader->time_column = -1;
        take_reprompi(reader);
    }
    return true;
}
