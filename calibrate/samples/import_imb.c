/* Text output of the Intel MPI Benchmarks:
 *
 *     # Benchmarking Allreduce
 *     # #processes = 144
 *        #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
 *             8         1000         4.50        18.59        11.69
 *
 * The time taken is t_max, that of the slowest process over the repetitions; of PingPong and the
 * like their one t, which is that of one message. Benchmarks of several groups at once are called
 * Multi-NAME. They state a group's time while others send, and are left out. */
#include <string.h>

#include "import_reader.h"

/* "#bytes" and "#repetitions" are column names, so a heading starts with # like a comment. */
static bool is_heading(const import_reader *reader) {
    return reader->field_count > 1 &&
           (import_is(reader->fields[0], "#bytes") || import_is(reader->fields[0], "#repetitions"));
}

static void take_heading(import_reader *reader) {
    reader->size_column = -1;
    reader->time_column = -1;
    reader->heading_columns = reader->field_count;
    for (size_t i = 0; i < reader->field_count; i++) {
        import_field field = reader->fields[i];
        if (import_is(field, "#bytes")) {
            reader->size_column = (int)i;
        } else if (import_is(field, "t_max[usec]") || import_is(field, "t[usec]")) {
            reader->time_column = (int)i;
        }
    }
}

/* "# #processes = 16", after which a rank order or threads may follow. */
static void take_processes(import_reader *reader, const char *count) {
    import_field field = {count, count};
    while (field.begin < reader->line_end && *field.begin == ' ') {
        field.begin++;
    }
    field.end = field.begin;
    while (field.end < reader->line_end && *field.end != ' ' && *field.end != ';') {
        field.end++;
    }
    if (!import_number(field, &reader->processes)) {
        import_problem(reader, field, "IMB writes it as # #processes = 16",
                       "the number of processes is not a number");
    }
}

/* A row without a time: "4194304 time-out.; Time limit ...". */
static bool shows_failure(const import_reader *reader) {
    static const char *const failures[] = {"out-of-mem.", "int-overflow", "time-out."};
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        size_t length = strlen(failures[i]);
        import_field word = reader->fields[reader->field_count > 1 ? 1 : 0];
        if ((size_t)(word.end - word.begin) >= length &&
            memcmp(word.begin, failures[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static void take_imb(import_reader *reader) {
    import_split(reader);
    if (is_heading(reader)) {
        take_heading(reader);
        return;
    }
    const char *count = import_find(reader, "#processes =");
    if (count != NULL) {
        take_processes(reader, count + strlen("#processes ="));
        return;
    }
    if (reader->field_count == 0 || !import_numeric(reader->fields[0]) || !reader->has_operation ||
        reader->time_column < 0 || shows_failure(reader)) {
        return;
    }
    import_row_in_us(reader);
}

bool import_imb_starts(import_reader *reader) {
    static const char title[] = "# Benchmarking ";
    static const char several[] = "Multi-";
    if (import_starts(reader, title)) {
        const char *word = reader->line + strlen(title);
        const char *end = word;
        while (end < reader->line_end && *end != ' ') {
            end++;
        }
        size_t length = (size_t)(end - word);
        reader->has_operation = false;
        if (length < strlen(several) || memcmp(word, several, strlen(several)) != 0) {
            import_mpi_operation(reader, word, length);
        }
        reader->processes = 0;
        reader->take = take_imb;
        reader->time_column = -1;
        import_next_run(reader);
        return true;
    }
    if (import_find(reader, "MPI Benchmarks") != NULL && *reader->line == '#') {
        reader->take = take_imb;
        reader->has_operation = false;
        return true;
    }
    return false;
}
