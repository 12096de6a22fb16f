/* Aligned columns for people: numbers to the right, texts to the left, units under the names. What
 * is wider than the page is set in bands of columns below each other, each with the first column;
 * titles, footnotes, and texts at the end of a line are wrapped. No number or name is ever broken.
 */
#include "render_formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/number.h"
#include "json_text.h"
#include "model/base/csv.h"
#include "render_grid.h"

/* Blanks between columns, and the narrowest column in which a text is wrapped. */
enum { GAP = 2, NARROWEST = 20 };

/* The first column, which names the row, and columns first to end - 1. */
typedef struct band {
    size_t first;
    size_t end;
} band;

static void append_spaces(size_t count, isocast_buffer *out) {
    isocast_buffer_printf(out, "%*s", (int)count, "");
}

/* One paragraph, whose lines begin at column `indent`, where the first one already is. A word that
 * is wider than the page has a line of its own. */
static void append_wrapped(const char *text, size_t indent, size_t columns, isocast_buffer *out) {
    size_t at = indent;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        size_t width = cli_bytes_width(text, length);
        bool fits = at + 1 + width <= columns;
        if (at > indent) {
            isocast_buffer_puts(out, fits ? " " : "\n");
            append_spaces(fits ? 0 : indent, out);
            at = fits ? at + 1 : indent;
        }
        isocast_buffer_append(out, text, length);
        at += width;
        text += length + strspn(text + length, " ");
    }
}

static void append_padded(const cli_grid *grid, size_t column, const char *text, bool last,
                          isocast_buffer *out) {
    const cli_grid_column *head = &grid->columns[column];
    size_t padding = head->width - cli_text_width(text);
    append_spaces(column == 0 ? 0 : GAP, out);
    if (!head->is_text) {
        append_spaces(padding, out);
    }
    isocast_buffer_puts(out, text);
    if (head->is_text && !last) {
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

/* What stands in a column: in its head, under it, or in a row. */
typedef enum line_kind { LINE_HEADING, LINE_UNIT, LINE_ROW } line_kind;

static const char *text_at(const cli_grid *grid, line_kind kind, size_t row, size_t column) {
    switch (kind) {
    case LINE_HEADING:
        return grid->columns[column].heading;
    case LINE_UNIT:
        return grid->columns[column].unit;
    case LINE_ROW:
        break;
    }
    return cli_grid_text(grid, row, column);
}

static void append_line(const cli_grid *grid, band b, size_t columns, line_kind kind, size_t row,
                        isocast_buffer *out) {
    size_t at = 0;
    for (size_t i = 0; i < b.end; i = i == 0 ? b.first : i + 1) {
        const char *text = text_at(grid, kind, row, i);
        bool last = i + 1 == b.end;
        size_t begin = at + (i == 0 ? 0 : GAP);
        if (last && grid->columns[i].is_text && begin + cli_text_width(text) > columns &&
            begin + NARROWEST <= columns) {
            append_spaces(begin - at, out);
            append_wrapped(text, begin, columns, out);
        } else {
            append_padded(grid, i, text, last, out);
        }
        at = begin + grid->columns[i].width;
    }
    end_line(out);
}

static void append_band(const cli_grid *grid, band b, size_t columns, isocast_buffer *out) {
    bool has_units = false;
    for (size_t i = 0; i < b.end; i = i == 0 ? b.first : i + 1) {
        has_units = has_units || grid->columns[i].unit[0] != '\0';
    }
    append_line(grid, b, columns, LINE_HEADING, 0, out);
    if (has_units) {
        append_line(grid, b, columns, LINE_UNIT, 0, out);
    }
    for (size_t row = 0; row < grid->row_count; row++) {
        append_line(grid, b, columns, LINE_ROW, row, out);
    }
}

/* As many columns from `first` on as fit beside the first one, and one at least. */
static band band_from(const cli_grid *grid, size_t first, size_t columns) {
    band b = {first, first};
    size_t width = grid->column_count > 0 ? grid->columns[0].width : 0;
    while (b.end < grid->column_count) {
        width += GAP + grid->columns[b.end].width;
        if (columns > 0 && width > columns && b.end > first) {
            break;
        }
        b.end++;
    }
    return b;
}

static void append_grid(const cli_grid *grid, size_t columns, isocast_buffer *out) {
    if (grid->column_count <= 1) {
        append_band(grid, (band){grid->column_count, grid->column_count}, columns, out);
        return;
    }
    for (size_t first = 1; first < grid->column_count;) {
        band b = band_from(grid, first, columns);
        isocast_buffer_puts(out, first > 1 ? "\n" : "");
        append_band(grid, b, columns, out);
        first = b.end;
    }
}

static void append_lines(const cli_report_lines *lines, size_t columns, isocast_buffer *out) {
    for (size_t i = 0; i < lines->count; i++) {
        if (columns > 0) {
            append_wrapped(lines->items[i], 0, columns, out);
            isocast_buffer_puts(out, "\n");
        } else {
            isocast_buffer_printf(out, "%s\n", lines->items[i]);
        }
    }
}

void cli_render_table(const cli_report *report, bool quiet, size_t columns, isocast_buffer *out) {
    cli_grid grid;
    if (!cli_grid_create(report, &grid)) {
        out->failed = true;
        return;
    }
    /* A head without a row says nothing. */
    bool has_rows = grid.row_count > 0;
    if (!quiet && report->titles.count > 0) {
        append_lines(&report->titles, columns, out);
        isocast_buffer_puts(out, "\n");
    }
    if (has_rows) {
        append_grid(&grid, columns, out);
    }
    if (!quiet && report->footnotes.count > 0) {
        isocast_buffer_puts(out, has_rows ? "\n" : "");
        append_lines(&report->footnotes, columns, out);
    }
    cli_grid_free(&grid);
}

/* RFC 4180, except that a line ends in a plain newline; SI units, full precision; a missing value
 * is empty; a text is guarded from spreadsheets (csv.h). */

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

/* Any report as JSON, with the columns' names as keys and SI values. */

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

/* Tables in markup, with the unit in the head: Markdown as GitHub reads it, and LaTeX with the
 * rules of booktabs, which has what is said about the table as comments. */
typedef struct markup {
    /* What stands for a character that would be read as markup, which may end a cell; NULL: it does
     * itself. */
    const char *(*in_cell)(char c);
    const char *(*in_line)(char c);
    const char *line_begins, *line_ends;
    const char *begins, *head_ends, *ends; /* of the table, its alignments left out */
    const char *left, *right, *aligned;    /* alignments of a column, and what follows them */
    bool aligned_first;                    /* they stand before the head */
    const char *row_begins, *between, *row_ends;
} markup;

static const char *in_markdown(char c) {
    static const char special[] = "|*`<\\";
    static const char *const escaped[] = {"\\|", "\\*", "\\`", "\\<", "\\\\"};
    const char *found = strchr(special, c);
    return found != NULL ? escaped[found - special] : NULL;
}

static const char *in_latex(char c) {
    static const char special[] = "\\{}$&#_%~^<>|";
    static const char *const escaped[] = {"\\textbackslash{}",
                                          "\\{",
                                          "\\}",
                                          "\\$",
                                          "\\&",
                                          "\\#",
                                          "\\_",
                                          "\\%",
                                          "\\textasciitilde{}",
                                          "\\textasciicircum{}",
                                          "\\textless{}",
                                          "\\textgreater{}",
                                          "\\textbar{}",
                                          "\\textquotedbl{}"};
    const char *found = strchr(special, c);
    return found != NULL ? escaped[found - special] : NULL;
}

static const char *as_it_is(char c) {
    (void)c;
    return NULL;
}

static const markup markdown = {.in_cell = in_markdown,
                                .in_line = in_markdown,
                                .line_begins = "",
                                .line_ends = "\n\n",
                                .begins = "",
                                .head_ends = "|",
                                .ends = "",
                                .left = ":---|",
                                .right = "---:|",
                                .aligned = "\n",
                                .row_begins = "| ",
                                .between = " | ",
                                .row_ends = " |\n"};
static const markup latex = {.in_cell = in_latex,
                             .in_line = as_it_is,
                             .line_begins = "% ",
                             .line_ends = "\n",
                             .begins = "% needs \\usepackage{booktabs}\n\\begin{tabular}{",
                             .head_ends = "\\midrule\n",
                             .ends = "\\bottomrule\n\\end{tabular}\n",
                             .left = "l",
                             .right = "r",
                             .aligned = "}\n\\toprule\n",
                             .aligned_first = true,
                             .row_begins = "",
                             .between = " & ",
                             .row_ends = " \\\\\n"};

static void append_escaped(const char *text, const char *(*escape)(char), isocast_buffer *out) {
    for (const char *c = text; *c != '\0'; c++) {
        const char *escaped = *c == '\n' || *c == '\r' ? " " : escape(*c);
        if (escaped != NULL) {
            isocast_buffer_puts(out, escaped);
        } else {
            isocast_buffer_append(out, c, 1);
        }
    }
}

void cli_put_latex(const char *text, isocast_buffer *out) {
    append_escaped(text, in_latex, out);
}

static void append_escaped_lines(const cli_report_lines *lines, const markup *m,
                                 isocast_buffer *out) {
    for (size_t i = 0; i < lines->count; i++) {
        isocast_buffer_puts(out, m->line_begins);
        append_escaped(lines->items[i], m->in_line, out);
        isocast_buffer_puts(out, m->line_ends);
    }
}

static void append_alignments(const cli_grid *grid, const markup *m, isocast_buffer *out) {
    for (size_t i = 0; i < grid->column_count; i++) {
        isocast_buffer_puts(out, grid->columns[i].is_text ? m->left : m->right);
    }
    isocast_buffer_puts(out, m->aligned);
}

static void append_head(const cli_grid *grid, const markup *m, isocast_buffer *out) {
    isocast_buffer_puts(out, m->begins);
    if (m->aligned_first) {
        append_alignments(grid, m, out);
    }
    for (size_t i = 0; i < grid->column_count; i++) {
        isocast_buffer_puts(out, i == 0 ? m->row_begins : m->between);
        append_escaped(grid->columns[i].heading, m->in_cell, out);
        if (grid->columns[i].unit[0] != '\0') {
            isocast_buffer_puts(out, " (");
            append_escaped(grid->columns[i].unit, m->in_cell, out);
            isocast_buffer_puts(out, ")");
        }
    }
    isocast_buffer_puts(out, m->row_ends);
    isocast_buffer_puts(out, m->head_ends);
    if (!m->aligned_first) {
        append_alignments(grid, m, out);
    }
}

void cli_render_markup(const cli_report *report, bool is_latex, bool quiet, isocast_buffer *out) {
    const markup *m = is_latex ? &latex : &markdown;
    cli_grid grid;
    if (!cli_grid_create(report, &grid)) {
        out->failed = true;
        return;
    }
    if (!quiet) {
        append_escaped_lines(&report->titles, m, out);
    }
    bool has_rows = grid.row_count > 0;
    if (has_rows) {
        append_head(&grid, m, out);
    }
    for (size_t row = 0; row < grid.row_count; row++) {
        for (size_t i = 0; i < grid.column_count; i++) {
            isocast_buffer_puts(out, i == 0 ? m->row_begins : m->between);
            append_escaped(cli_grid_text(&grid, row, i), m->in_cell, out);
        }
        isocast_buffer_puts(out, m->row_ends);
    }
    isocast_buffer_puts(out, has_rows ? m->ends : "");
    if (!quiet && report->footnotes.count > 0) {
        isocast_buffer_puts(out, has_rows && !is_latex ? "\n" : "");
        append_escaped_lines(&report->footnotes, m, out);
    }
    cli_grid_free(&grid);
}
