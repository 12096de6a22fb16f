#include "report_join.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/quantity.h"

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
                    cli_report_footnote(joined, "%s", text);
                } else if (!shared && in < count) {
                    cli_report_footnote(joined, "%s%s%s, %s", join->name, join->sign,
                                        isocast_quantity_text(join->value(join->context, k),
                                                              join->unit, join->digits)
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
