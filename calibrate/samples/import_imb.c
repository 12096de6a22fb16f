/* Text output of the Intel MPI Benchmarks:
 *
 *     # Benchmarking Allreduce
 *     # #processes = 144
 *        #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
 *             8         1000         4.50        18.59        11.69
 *
 * The time taken is t_max, that of the slowest process over the repetitions; of PingPong and the
 * like their one t, which is that of one message. */
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
    for (size_t i = 0; i < reader->field_count; i++) {
        import_field field = reader->fields[i];
        if (import_is(field, "#bytes")) {
            reader->size_column = (int)i;
        } else if (import_is(field, "t_max[usec]") || import_is(field, "t[usec]")) {
            reader->time_column = (int)i;
        }
    }
}

static void take_imb(import_reader *reader) {
    import_split(reader);
    if (is_heading(reader)) {
        take_heading(reader);
        return;
    }
    const char *count = import_find(reader, "#processes =");
    if (count != NULL) {
        import_field field = {count + strlen("#processes ="), reader->line_end};
        while (field.begin < field.end && *field.begin == ' ') {
            field.begin++;
        }
        const char *end = memchr(field.begin, ' ', (size_t)(field.end - field.begin));
        field.end = end != NULL ? end : field.end;
        if (!import_number(field, &reader->processes)) {
            import_problem(reader, field, "IMB writes it as # #processes = 16",
                           "the number of processes is not a number");
        }
        return;
    }
    if (reader->field_count == 0 || !import_numeric(reader->fields[0]) || !reader->has_operation ||
        reader->time_column < 0) {
        return;
    }
    import_row_in_us(reader);
}

bool import_imb_starts(import_reader *reader) {
    static const char title[] = "# Benchmarking ";
    if (import_starts(reader, title)) {
        const char *word = reader->line + strlen(title);
        const char *end = word;
        while (end < reader->line_end && *end != ' ') {
            end++;
        }
        import_mpi_operation(reader, word, (size_t)(end - word));
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
