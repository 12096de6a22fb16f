/* Text output of the OSU micro-benchmarks (mvapich.cse.ohio-state.edu/benchmarks):
 *
 *     # OSU MPI Allreduce Latency Test v7.4
 *     # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
 *     4                      28.46             27.90             29.01        1000
 *
 * The time taken is that of the slowest process (Max) where there is one, else the average. The
 * output does not show how many processes took part. */
#include <string.h>

#include "import_reader.h"

/* Names in a heading are separated by two blanks or more; single blanks belong to a name. */
static void split_heading(import_reader *reader) {
    const char *at = reader->line + 1;
    reader->field_count = 0;
    while (reader->field_count < IMPORT_FIELDS_MAX) {
        while (at < reader->line_end && *at == ' ') {
            at++;
        }
        if (at == reader->line_end) {
            return;
        }
        import_field *field = &reader->fields[reader->field_count++];
        field->begin = at;
        while (at < reader->line_end &&
               !(*at == ' ' && (at + 1 == reader->line_end || at[1] == ' '))) {
            at++;
        }
        field->end = at;
    }
}

static void take_heading(import_reader *reader) {
    split_heading(reader);
    reader->size_column = -1;
    reader->time_column = -1;
    reader->heading_columns = 0;
    for (size_t i = 0; i < reader->field_count; i++) {
        import_field field = reader->fields[i];
        if (import_is(field, "Size")) {
            reader->size_column = (int)i;
        } else if (import_is(field, "Max Latency(us)") ||
                   (reader->time_column < 0 &&
                    (import_is(field, "Avg Latency(us)") || import_is(field, "Latency (us)") ||
                     import_is(field, "Latency(us)")))) {
            reader->time_column = (int)i;
        }
    }
}

static void take_osu(import_reader *reader) {
    if (*reader->line == '#') {
        take_heading(reader);
        return;
    }
    import_split(reader);
    /* Skips what else a job writes before, between and after its outputs. */
    if (!reader->has_operation || reader->time_column < 0 || !import_numeric(reader->fields[0])) {
        return;
    }
    import_row_in_us(reader);
}

static const char *const *names_of(const isocast_known_operation *known) {
    return known->osu;
}

bool import_osu_starts(import_reader *reader) {
    const char *title = import_starts(reader, "# OSU") ? import_find(reader, "MPI") : NULL;
    if (title == NULL) {
        return false;
    }
    reader->take = take_osu;
    reader->time_column = -1;
    import_next_run(reader);
    const char *words = title + strcspn(title, " ");
    const char *end = import_find(reader, "Latency Test");
    /* Outputs of bandwidth, message rate and overlap hold no time of one call. */
    reader->has_operation = false;
    if (end != NULL && words < end) {
        while (words < end && *words == ' ') {
            words++;
        }
        while (end > words && end[-1] == ' ') {
            end--;
        }
        import_known_operation(reader, words, (size_t)(end - words), names_of);
    }
    return true;
}
