#include "record_whole.h"

#include <stdio.h>
#include <string.h>

static const char again[] = "a part of the file is missing; copy it again, or record again";

isocast_status isocast_record_lines_are_there(const isocast_csv *csv, size_t row,
                                              const isocast_source *source,
                                              isocast_diagnostics *diagnostics) {
    const isocast_csv_field *fields = csv->fields + csv->rows[row].first;
    const isocast_csv_field *said = &fields[csv->rows[row].count > 1 ? 1 : 0];
    size_t there = csv->row_count - row - 1;
    char count[32];
    snprintf(count, sizeof count, "%zu", there);
    if (csv->rows[row].count != 2 || strcmp(said->text, count) != 0) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, said->span, again,
                                "'%.40s' lines must follow this one, and %zu do", said->text,
                                there);
    } else if (source->text[source->length - 1] != '\n') {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, said->span, again,
                                "the last of the %zu lines that follow this one is cut off", there);
    } else {
        return ISOCAST_OK;
    }
    return ISOCAST_INVALID;
}

isocast_status isocast_record_is_whole(const isocast_record *record, bool has_end,
                                       const isocast_source *source,
                                       isocast_diagnostics *diagnostics) {
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
