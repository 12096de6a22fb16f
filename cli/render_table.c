/* Aligned columns for people: numbers to the right, texts to the left, units under the names. */
#include "render.h"
#include "render_grid.h"
#include "text_width.h"

static const char gap[] = "  ";

static void append_spaces(size_t count, isocast_buffer *out) {
    isocast_buffer_printf(out, "%*s", (int)count, "");
}

static void append_padded(const cli_grid *grid, size_t column, const char *text,
                          isocast_buffer *out) {
    const cli_grid_column *head = &grid->columns[column];
    size_t padding = head->width - cli_text_width(text);
    isocast_buffer_puts(out, column == 0 ? "" : gap);
    if (!head->is_text) {
        append_spaces(padding, out);
    }
    isocast_buffer_puts(out, text);
    if (head->is_text && column + 1 < grid->column_count) {
        append_spaces(padding, out);
    }
}

/* Ends a line; blanks that padding left at its end are cut. */
static void end_line(isocast_buffer *out) {
    while (!out->failed && out->length > 0 && out->text[out->length - 1] == ' ') {
        out->text[--out->length] = '\0';
    }
    isocast_buffer_puts(out, "\n");
}

static void append_head(const cli_grid *grid, isocast_buffer *out) {
    bool has_units = false;
    for (size_t i = 0; i < grid->column_count; i++) {
        append_padded(grid, i, grid->columns[i].heading, out);
        has_units = has_units || grid->columns[i].unit[0] != '\0';
    }
    end_line(out);
    for (size_t i = 0; has_units && i < grid->column_count; i++) {
        append_padded(grid, i, grid->columns[i].unit, out);
    }
    if (has_units) {
        end_line(out);
    }
}

static void append_lines(char *const *lines, size_t count, isocast_buffer *out) {
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(out, "%s\n", lines[i]);
    }
}

void cli_render_table(const cli_report *report, bool quiet, isocast_buffer *out) {
    cli_grid grid;
    if (!cli_grid_create(report, &grid)) {
        out->failed = true;
        return;
    }
    if (!quiet && report->title_count > 0) {
        append_lines(report->titles, report->title_count, out);
        isocast_buffer_puts(out, "\n");
    }
    append_head(&grid, out);
    for (size_t row = 0; row < grid.row_count; row++) {
        for (size_t i = 0; i < grid.column_count; i++) {
            append_padded(&grid, i, cli_grid_text(&grid, row, i), out);
        }
        end_line(out);
    }
    if (!quiet && report->footnote_count > 0) {
        isocast_buffer_puts(out, "\n");
        append_lines(report->footnotes, report->footnote_count, out);
    }
    cli_grid_free(&grid);
}
