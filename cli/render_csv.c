/* RFC 4180, except that a line ends in a plain newline; SI units, full precision; a missing value
 * is empty. */
#include <math.h>
#include <string.h>

#include "number.h"
#include "render.h"

static void append_field(const char *text, isocast_buffer *out) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        isocast_buffer_puts(out, text);
        return;
    }
    isocast_buffer_puts(out, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        isocast_buffer_puts(out, *c == '"' ? "\"" : "");
        isocast_buffer_append(out, c, 1);
    }
    isocast_buffer_puts(out, "\"");
}

static void append_cell(const cli_cell *cell, isocast_buffer *out) {
    if (cell->text != NULL) {
        append_field(cell->text, out);
    } else if (!isnan(cell->value)) {
        cli_number_format(cell->value, out);
    }
}

void cli_render_csv(const cli_report *report, isocast_buffer *out) {
    for (size_t i = 0; i < report->column_count; i++) {
        isocast_buffer_puts(out, i == 0 ? "" : ",");
        append_field(report->columns[i].name, out);
    }
    isocast_buffer_puts(out, "\n");
    for (size_t row = 0; row < cli_report_rows(report); row++) {
        for (size_t i = 0; i < report->column_count; i++) {
            isocast_buffer_puts(out, i == 0 ? "" : ",");
            append_cell(cli_report_cell(report, row, i), out);
        }
        isocast_buffer_puts(out, "\n");
    }
}
