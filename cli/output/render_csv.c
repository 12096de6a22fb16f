/* RFC 4180, except that a line ends in a plain newline; SI units, full precision; a missing value
 * is empty; a text is guarded from spreadsheets (csv.h). */
#include <math.h>

#include "cli/options/number.h"
#include "model/base/csv.h"
#include "render_formats.h"

static void append_cell(const cli_cell *cell, isocast_buffer *out) {
    if (cell->text != NULL) {
        isocast_csv_write(cell->text, out);
    } else if (!isnan(cell->value)) {
        cli_number_format(cell->value, out);
    }
}

void cli_render_csv(const cli_report *report, isocast_buffer *out) {
    for (size_t i = 0; i < report->column_count; i++) {
        isocast_buffer_puts(out, i == 0 ? "" : ",");
        isocast_csv_write(report->columns[i].name, out);
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
