/* Any report as JSON, with the columns' names as keys and SI values. */
#include <stdio.h>

#include "json_text.h"
#include "render_formats.h"

static json_t *row_object(const cli_report *report, size_t row) {
    json_t *object = json_object();
    for (size_t i = 0; i < report->column_count; i++) {
        const cli_cell *cell = cli_report_cell(report, row, i);
        json_t *value = report->columns[i].kind == CLI_COLUMN_TEXT ? cli_json_string(cell->text)
                                                                   : cli_json_number(cell->value);
        cli_json_set(&object, report->columns[i].name, value);
    }
    return object;
}

static json_t *row_array(const cli_report *report) {
    json_t *array = json_array();
    for (size_t row = 0; row < cli_report_rows(report); row++) {
        cli_json_append(&array, row_object(report, row));
    }
    return array;
}

void cli_render_json(cli_report *const *reports, size_t count, isocast_buffer *out) {
    json_t *root = json_object();
    for (size_t i = 0; i < count; i++) {
        char key[32] = "rows";
        if (i > 0) {
            (void)snprintf(key, sizeof key, "rows_%zu", i + 1);
        }
        cli_json_set(&root, key, row_array(reports[i]));
    }
    if (root == NULL) {
        out->failed = true;
        return;
    }
    cli_json_format(root, out);
    json_decref(root);
}
