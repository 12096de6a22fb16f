/* A Markdown table as GitHub reads it, with the unit in the head. */
#include "render_formats.h"
#include "render_grid.h"
#include "text_width.h"

/* A bar or a newline would end the cell; the other characters would be read as markup. */
static void append_escaped(const char *text, isocast_buffer *out) {
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\n' || *c == '\r') {
            isocast_buffer_puts(out, " ");
            continue;
        }
        if (*c == '|' || *c == '*' || *c == '`' || *c == '<' || *c == '\\') {
            isocast_buffer_puts(out, "\\");
        }
        isocast_buffer_append(out, c, 1);
    }
}

static void append_lines(const cli_report_lines *lines, isocast_buffer *out) {
    for (size_t i = 0; i < lines->count; i++) {
        append_escaped(lines->items[i], out);
        isocast_buffer_puts(out, "\n\n");
    }
}

static void append_head(const cli_grid *grid, isocast_buffer *out) {
    isocast_buffer_puts(out, "|");
    for (size_t i = 0; i < grid->column_count; i++) {
        isocast_buffer_puts(out, " ");
        append_escaped(grid->columns[i].heading, out);
        if (grid->columns[i].unit[0] != '\0') {
            isocast_buffer_printf(out, " (%s)", grid->columns[i].unit);
        }
        isocast_buffer_puts(out, " |");
    }
    isocast_buffer_puts(out, "\n|");
    for (size_t i = 0; i < grid->column_count; i++) {
        isocast_buffer_puts(out, grid->columns[i].is_text ? ":---|" : "---:|");
    }
    isocast_buffer_puts(out, "\n");
}

void cli_render_markdown(const cli_report *report, bool quiet, isocast_buffer *out) {
    cli_grid grid;
    if (!cli_grid_create(report, &grid)) {
        out->failed = true;
        return;
    }
    if (!quiet) {
        append_lines(&report->titles, out);
    }
    bool has_rows = grid.row_count > 0;
    if (has_rows) {
        append_head(&grid, out);
    }
    for (size_t row = 0; row < grid.row_count; row++) {
        isocast_buffer_puts(out, "|");
        for (size_t i = 0; i < grid.column_count; i++) {
            isocast_buffer_puts(out, " ");
            append_escaped(cli_grid_text(&grid, row, i), out);
            isocast_buffer_puts(out, " |");
        }
        isocast_buffer_puts(out, "\n");
    }
    if (!quiet && report->footnotes.count > 0) {
        isocast_buffer_puts(out, has_rows ? "\n" : "");
        append_lines(&report->footnotes, out);
    }
    cli_grid_free(&grid);
}
