#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

cli_report *cli_report_create(void) {
    return calloc(1, sizeof(cli_report));
}

static void free_texts(char **texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(texts[i]);
    }
    free(texts);
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
    free_texts(report->titles, report->title_count);
    free_texts(report->footnotes, report->footnote_count);
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

/* Room for one more element of `size` bytes; grows where the count is a power of two or zero. */
static bool grow(void **items, size_t count, size_t size) {
    if (count != 0 && (count & (count - 1)) != 0) {
        return true;
    }
    void *grown = realloc(*items, (count == 0 ? 1 : 2 * count) * size);
    if (grown != NULL) {
        *items = grown;
    }
    return grown != NULL;
}

/* Appends to titles or footnotes, taking the text over. */
static bool append_text(char ***texts, size_t *count, char *text) {
    if (text == NULL || !grow((void **)texts, *count, sizeof **texts)) {
        free(text);
        return false;
    }
    (*texts)[(*count)++] = text;
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

void cli_report_title(cli_report *report, const char *format, ...) {
    va_list arguments;
    if (report == NULL) {
        return;
    }
    va_start(arguments, format);
    char *text = format_line(format, arguments);
    va_end(arguments);
    report->failed |= !append_text(&report->titles, &report->title_count, text);
}

void cli_report_footnote(cli_report *report, const char *format, ...) {
    va_list arguments;
    if (report == NULL) {
        return;
    }
    va_start(arguments, format);
    char *text = format_line(format, arguments);
    va_end(arguments);
    report->failed |= !append_text(&report->footnotes, &report->footnote_count, text);
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
    if (!copied ||
        !grow((void **)&report->columns, report->column_count, sizeof *report->columns)) {
        free_column(&copy);
        report->failed = true;
        return;
    }
    report->columns[report->column_count++] = copy;
}

static void append_cell(cli_report *report, cli_cell cell) {
    if (!grow((void **)&report->cells, report->cell_count, sizeof *report->cells)) {
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

void cli_report_rely(cli_report *report, const isocast_buffer *text) {
    if (report != NULL) {
        report->failed = report->failed || text->failed;
    }
}

size_t cli_report_rows(const cli_report *report) {
    return report->column_count == 0 ? 0 : report->cell_count / report->column_count;
}

const cli_cell *cli_report_cell(const cli_report *report, size_t row, size_t column) {
    return &report->cells[row * report->column_count + column];
}
