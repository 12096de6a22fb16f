#include "run_files.h"

#include <stdint.h>
#include <string.h>

#include "run_table.h"

/* The first line that is no comment, and not empty. */
static isocast_span first_line(const isocast_source *source) {
    size_t at = strncmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < source->length) {
        isocast_span line = isocast_source_line(source, at);
        size_t begin = at + strspn(source->text + at, " \t\r");
        if (begin < line.end && source->text[begin] != '#') {
            return (isocast_span){begin, line.end};
        }
        at = isocast_source_next_line(source, at);
    }
    return (isocast_span){0, 0};
}

typedef enum run_format { OTHER, EXTRA_P, JSON, REFRAME_LOG, HYPERFINE_CSV } run_format;

static run_format format_of(const isocast_source *source, size_t *at) {
    isocast_span line = first_line(source);
    const char *text = source->text + line.begin;
    size_t length = line.end - line.begin;
    *at = line.begin;
    return length == 0                                                    ? OTHER
           : text[0] == '{' || text[0] == '['                             ? JSON
           : strncmp(text, "PARAMETER ", strlen("PARAMETER ")) == 0       ? EXTRA_P
           : strncmp(text, "command,mean,", strlen("command,mean,")) == 0 ? HYPERFINE_CSV
           : memmem(text, length, "_value|", strlen("_value|")) != NULL   ? REFRAME_LOG
                                                                          : OTHER;
}

bool isocast_run_file_recognise(const isocast_source *source) {
    size_t at;
    return format_of(source, &at) != OTHER;
}

/* hyperfine's CSV is one but for its names: the parameters are called parameter_NAME. */
static isocast_status read_hyperfine_csv(const isocast_source *source,
                                         isocast_diagnostics *diagnostics, isocast_csv *out) {
    static const char before[] = "parameter_";
    bool is_parameter[ISOCAST_RUN_COLUMNS_MAX] = {false};
    isocast_status status = isocast_csv_read(source, diagnostics, out);
    for (size_t i = 0;
         status == ISOCAST_OK && i < out->rows[0].count && i < ISOCAST_RUN_COLUMNS_MAX; i++) {
        char **name = &out->fields[out->rows[0].first + i].text;
        is_parameter[i] = strncmp(*name, before, strlen(before)) == 0;
        *name += is_parameter[i] ? strlen(before) : 0;
        const char *ours = isocast_run_ours("results", *name, strlen(*name));
        *name = ours != NULL && !is_parameter[i] ? (char *)ours : *name;
    }
    if (status == ISOCAST_OK && out->rows[0].count <= ISOCAST_RUN_COLUMNS_MAX) {
        isocast_run_name_parameters(out, is_parameter);
    }
    return status;
}

isocast_status isocast_run_file_read(const isocast_source *source, isocast_diagnostics *diagnostics,
                                     isocast_csv *out) {
    size_t at;
    run_format format = format_of(source, &at);
    if (format == HYPERFINE_CSV) {
        return read_hyperfine_csv(source, diagnostics, out);
    }
    isocast_run_table table = {.source = source, .diagnostics = diagnostics};
    if (isocast_run_begin(&table) != ISOCAST_OK) {
        return isocast_run_finish(&table, out);
    }
    if (format == JSON) {
        isocast_run_json(&table, at);
    } else if (format == REFRAME_LOG) {
        isocast_run_reframe_log(&table);
    } else {
        isocast_run_extra_p(&table);
    }
    return isocast_run_finish(&table, out);
}
