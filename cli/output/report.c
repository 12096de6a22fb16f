#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"

static bool has_footnote(const cli_report *report, const char *text) {
    for (size_t i = 0; i < report->footnotes.count; i++) {
        if (strcmp(report->footnotes.items[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static void add_rows(cli_report *joined, const cli_report *report, const cli_join *join, size_t k) {
    for (size_t row = 0; row < cli_report_rows(report); row++) {
        if (join->column != NULL) {
            cli_report_number(joined, join->value(join->context, k));
        }
        for (size_t column = 0; column < report->column_count; column++) {
            const cli_cell *cell = cli_report_cell(report, row, column);
            if (report->columns[column].kind == CLI_COLUMN_TEXT) {
                cli_report_text(joined, cell->text);
            } else {
                cli_report_number(joined, cell->value);
            }
        }
    }
}

/* What all say is said once, at the end. */
static void add_footnotes(cli_report *joined, cli_report *const *reports, size_t count,
                          const cli_join *join) {
    for (int shared = 0; shared < 2; shared++) {
        for (size_t k = 0; k < (shared ? 1 : count); k++) {
            for (size_t i = 0; i < reports[k]->footnotes.count; i++) {
                const char *text = reports[k]->footnotes.items[i];
                size_t in = 0;
                while (in < count && has_footnote(reports[in], text)) {
                    in++;
                }
                if (shared && in == count) {
                    cli_note(joined, "%s", text);
                } else if (!shared && in < count) {
                    cli_note(joined, "%s%s%s, %s", join->name, join->sign,
                             isocast_quantity_text(join->value(join->context, k), join->unit,
                                                   join->digits)
                                 .text,
                             text);
                }
            }
        }
    }
}

static cli_report *join_all(cli_report *const *reports, size_t count, const cli_join *join,
                            const char *title) {
    cli_report *joined = cli_report_create();
    if (reports[0]->titles.count > 0) {
        cli_report_title(joined, "%s", reports[0]->titles.items[0]);
    }
    cli_report_title(joined, "%s", title);
    if (join->column != NULL) {
        cli_report_column(joined, join->column);
    }
    for (size_t i = 0; i < reports[0]->column_count; i++) {
        cli_report_column(joined, &reports[0]->columns[i]);
    }
    for (size_t k = 0; k < count; k++) {
        add_rows(joined, reports[k], join, k);
    }
    add_footnotes(joined, reports, count, join);
    return joined;
}

cli_report *cli_report_join(cli_report **reports, size_t count, const cli_join *join,
                            const char *title, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, title);
    bool whole = vasprintf(&text, title, arguments) >= 0;
    va_end(arguments);
    for (size_t k = 0; k < count; k++) {
        whole = whole && reports[k] != NULL && !reports[k]->failed;
    }
    cli_report *joined = whole ? join_all(reports, count, join, text) : NULL;
    for (size_t k = 0; k < count; k++) {
        cli_report_free(reports[k]);
    }
    free(text);
    return joined;
}

isocast_amount cli_per_cent(double share, int decimals, bool with_sign) {
    isocast_amount out;
    const char *sign = with_sign && share > 0 ? "+" : "";
    double value = 100 * share;
    if (isinf(value)) { /* sizes of two numbers may be too far apart for one */
        (void)snprintf(out.text, sizeof out.text, "%s",
                       share < 0 ? "less than -1e308" : "more than 1e308");
    } else if (decimals >= 0 && fabs(value) < 1e5) {
        (void)snprintf(out.text, sizeof out.text, "%s%.*f", sign, decimals, value);
    } else {
        (void)snprintf(out.text, sizeof out.text, "%s%.3g", sign, value);
    }
    return out;
}

cli_report *cli_report_create(void) {
    return calloc(1, sizeof(cli_report));
}

static void free_lines(cli_report_lines *lines) {
    for (size_t i = 0; i < lines->count; i++) {
        free(lines->items[i]);
    }
    free(lines->items);
}

static void free_column(cli_column *column) {
    free((char *)column->name);
    free((char *)column->heading);
    free((char *)column->unit);
}

void cli_report_free(cli_report *report) {
    if (report == NULL) {
        return;
    }
    free_lines(&report->titles);
    free_lines(&report->footnotes);
    for (size_t i = 0; i < report->column_count; i++) {
        free_column(&report->columns[i]);
    }
    free(report->columns);
    for (size_t i = 0; i < report->cell_count; i++) {
        free(report->cells[i].text);
    }
    free(report->cells);
    free(report);
}

/* Appends to titles or footnotes, taking the text over. */
static bool append_text(cli_report_lines *lines, char *text) {
    if (text == NULL || !isocast_array_grow((void **)&lines->items, lines->count, &lines->capacity,
                                            sizeof *lines->items)) {
        free(text);
        return false;
    }
    lines->items[lines->count++] = text;
    return true;
}

/* One line for people to read. NULL where memory is short. */
__attribute__((format(printf, 1, 0))) static char *format_line(const char *format,
                                                               va_list arguments) {
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        return NULL;
    }
    isocast_buffer line = {0};
    isocast_text_clean(text, strlen(text), "", &line);
    free(text);
    return isocast_buffer_take(&line);
}

__attribute__((format(printf, 3, 0))) static void
append_line(cli_report *report, cli_report_lines *lines, const char *format, va_list arguments) {
    report->failed |= !append_text(lines, format_line(format, arguments));
}

void cli_report_title_of(cli_report *report, const char *format, va_list arguments) {
    if (report != NULL) {
        append_line(report, &report->titles, format, arguments);
    }
}

void cli_report_title(cli_report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cli_report_title_of(report, format, arguments);
    va_end(arguments);
}

void cli_note(cli_report *report, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (report != NULL) {
        append_line(report, &report->footnotes, format, arguments);
    }
    va_end(arguments);
}

static void take_line(cli_report *report, isocast_buffer *text,
                      void (*add)(cli_report *report, const char *format, ...)) {
    if (text->failed) {
        cli_report_fail(report);
    } else {
        add(report, "%s", text->text != NULL ? text->text : "");
    }
    isocast_buffer_free(text);
}

void cli_report_title_take(cli_report *report, isocast_buffer *text) {
    take_line(report, text, cli_report_title);
}

void cli_note_take(cli_report *report, isocast_buffer *text) {
    take_line(report, text, cli_note);
}

static bool copy_text(const char **text) {
    if (*text == NULL) {
        return true;
    }
    *text = strdup(*text);
    return *text != NULL;
}

void cli_report_column(cli_report *report, const cli_column *column) {
    if (report == NULL || report->failed) {
        return;
    }
    cli_column copy = *column;
    bool copied = copy_text(&copy.name);
    copied &= copy_text(&copy.heading);
    copied &= copy_text(&copy.unit);
    if (!copied || !isocast_array_grow((void **)&report->columns, report->column_count,
                                       &report->column_capacity, sizeof *report->columns)) {
        free_column(&copy);
        report->failed = true;
        return;
    }
    report->columns[report->column_count++] = copy;
}

/* Whether `word` stands at `at` in a text by itself: before it a blank, behind it one or "_". */
static bool is_word_at(const char *text, size_t at, const char *word) {
    size_t length = strlen(word);
    return strncmp(text + at, word, length) == 0 && (at == 0 || text[at - 1] == ' ') &&
           strchr(" _", text[at + length]) != NULL;
}

void cli_report_call(cli_report *report, const char *word, const char *name) {
    if (report == NULL || report->failed) {
        return;
    }
    for (size_t i = 0; i < report->column_count; i++) {
        cli_column *column = &report->columns[i];
        const char *old = column->heading != NULL ? column->heading : column->name;
        isocast_buffer heading = {0};
        bool any = false;
        for (size_t at = 0; old[at] != '\0';) {
            bool is_word = is_word_at(old, at, word);
            isocast_buffer_append(&heading, is_word ? name : old + at, is_word ? strlen(name) : 1);
            at += is_word ? strlen(word) : 1;
            any = any || is_word;
        }
        if (any) {
            free((char *)column->heading);
            column->heading = isocast_buffer_take(&heading);
            report->failed |= column->heading == NULL;
        }
        isocast_buffer_free(&heading);
    }
}

static void append_cell(cli_report *report, cli_cell cell) {
    if (!isocast_array_grow((void **)&report->cells, report->cell_count, &report->cell_capacity,
                            sizeof *report->cells)) {
        free(cell.text);
        report->failed = true;
        return;
    }
    report->cells[report->cell_count++] = cell;
}

void cli_report_text(cli_report *report, const char *text) {
    if (report == NULL || report->failed) {
        return;
    }
    cli_cell cell = {.text = text == NULL ? NULL : strdup(text), .value = NAN};
    report->failed = text != NULL && cell.text == NULL;
    append_cell(report, cell);
}

void cli_report_number(cli_report *report, double value) {
    if (report != NULL && !report->failed) {
        append_cell(report, (cli_cell){.value = isfinite(value) ? value : NAN});
    }
}

void cli_report_fail(cli_report *report) {
    if (report != NULL) {
        report->failed = true;
    }
}

size_t cli_report_rows(const cli_report *report) {
    return report == NULL || report->column_count == 0 ? 0
                                                       : report->cell_count / report->column_count;
}

const cli_cell *cli_report_cell(const cli_report *report, size_t row, size_t column) {
    return &report->cells[row * report->column_count + column];
}
