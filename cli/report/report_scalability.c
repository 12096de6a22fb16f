#include "report_scalability.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_notes.h"
#include "report_prediction.h"

const char *cli_scalability_status_name(isocast_scalability_status status) {
    switch (status) {
    case ISOCAST_SCALABILITY_OK:
        return "ok";
    case ISOCAST_SCALABILITY_SEVERAL:
        return "several";
    case ISOCAST_SCALABILITY_BELOW:
        return "below";
    case ISOCAST_SCALABILITY_ABOVE:
        return "above";
    case ISOCAST_SCALABILITY_MISFIT:
        return "misfit";
    case ISOCAST_SCALABILITY_TOO_FEW:
        break;
    }
    return "too-few";
}

const char *cli_scalability_trend_name(const isocast_scalability_row *row) {
    if (!row->has_trend) {
        return NULL;
    }
    static const char *const names[] = {[ISOCAST_TREND_POLYNOMIAL] = "polynomial",
                                        [ISOCAST_TREND_MONOTONE] = "monotone",
                                        [ISOCAST_TREND_LOCAL] = "cubics"};
    return names[row->reading.kind];
}

double cli_scalability_degree(const isocast_scalability_row *row) {
    bool is_polynomial = row->has_trend && row->reading.kind == ISOCAST_TREND_POLYNOMIAL;
    return is_polynomial ? (double)row->reading.degree : NAN;
}

double cli_scalability_error(const isocast_scalability_row *row) {
    return row->has_trend ? row->reading.error : NAN;
}

/* The columns that isospeed-efficiency does not need are for the other metrics alone. */
static bool is_for_all(const char *name) {
    static const char *const names[] = {"R_f", "T", "T_alone"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return false;
        }
    }
    return true;
}

static bool is_isospeed_e(const isocast_scalability *s) {
    return s->metric == ISOCAST_METRIC_ISOSPEED_E;
}

static void add_columns(cli_report *report, const isocast_scalability *s) {
    const isocast_metric_row *metric = isocast_metric_row_of(s->metric);
    char heading[48];
    snprintf(heading, sizeof heading, "error of %s", metric->bare);
    const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT, .optional = true},
        {.name = "C",
         .unit = "flop/s",
         .kind = CLI_COLUMN_NUMBER,
         .digits = 5,
         .optional = !is_isospeed_e(s)},
        {.name = "R_f", .kind = CLI_COLUMN_NUMBER},
        {.name = "N", .kind = CLI_COLUMN_NUMBER},
        {.name = "N_low", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "N_high", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER},
        {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "T_alone", .unit = "s", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "psi", .kind = CLI_COLUMN_NUMBER, .optional = !is_isospeed_e(s)},
        {.name = "psi_from_base", .kind = CLI_COLUMN_NUMBER, .optional = !is_isospeed_e(s)},
        {.name = "trend", .kind = CLI_COLUMN_TEXT, .optional = true},
        {.name = "degree", .kind = CLI_COLUMN_COUNT, .optional = true},
        {.name = "validation_error",
         .heading = heading,
         .unit = metric->unit[0] != '\0' ? metric->unit : NULL,
         .kind = CLI_COLUMN_NUMBER,
         .digits = 2,
         .optional = true},
        {.name = "points", .kind = CLI_COLUMN_COUNT, .optional = true},
        {.name = "N_first", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "N_last", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "status", .kind = CLI_COLUMN_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (is_isospeed_e(s) ? is_for_all(columns[i].name) : true) {
            cli_report_column(report, &columns[i]);
        }
    }
}

static void add_row(cli_report *report, const isocast_scalability_row *row, bool isospeed_e) {
    cli_report_text(report, row->system);
    cli_report_number(report, row->p);
    cli_report_number(report, row->C);
    if (!isospeed_e) {
        cli_report_number(report, row->R_f);
    }
    cli_report_number(report, row->N);
    cli_report_number(report, row->N_low);
    cli_report_number(report, row->N_high);
    cli_report_number(report, row->W);
    if (!isospeed_e) {
        cli_report_number(report, row->T);
        cli_report_number(report, row->T_alone);
    }
    cli_report_number(report, row->psi);
    cli_report_number(report, row->psi_from_base);
    cli_report_text(report, cli_scalability_trend_name(row));
    cli_report_number(report, cli_scalability_degree(row));
    cli_report_number(report, cli_scalability_error(row));
    cli_report_number(report, row->points > 0 ? (double)row->points : NAN);
    cli_report_number(report, row->N_first);
    cli_report_number(report, row->N_last);
    cli_report_text(report, cli_scalability_status_name(row->status));
}

/* Every N at which what is held passes the wanted value. */
static void list_crossings(cli_report *report, const isocast_metric_row *metric,
                           const isocast_scalability_row *row) {
    isocast_buffer list = {0};
    for (size_t i = 0; i < row->reading.count; i++) {
        const isocast_crossing *crossing = &row->reading.crossings[i];
        isocast_buffer_printf(&list, "%s%.4g (%s)", i == 0 ? "" : ", ", crossing->N,
                              crossing->rises ? "rising" : "falling");
    }
    cli_report_footnote(report, "%s: %s passes the wanted one at N = %s%s; the smallest is given.",
                        row->system, metric->symbol, list.text != NULL ? list.text : "",
                        row->reading.more ? " and at more" : "");
    isocast_buffer_free(&list);
}

/* The wanted value lies outside what was measured. */
static void note_outside(cli_report *report, isocast_metric held,
                         const isocast_scalability_row *row, const char *where, const char *end,
                         const char *further, double value, double N) {
    isocast_buffer text = {0};
    isocast_metric_format(held, value, 3, &text);
    cli_report_footnote(report,
                        "%s: %s is %s the wanted one at every N measured (%s at the %s, %.4g). "
                        "Measure %s ones.",
                        row->system, isocast_metric_row_of(held)->symbol, where,
                        text.text != NULL ? text.text : "", end, N, further);
    isocast_buffer_free(&text);
}

static void explain_status(cli_report *report, isocast_metric held,
                           const isocast_scalability_row *row) {
    const isocast_metric_row *metric = isocast_metric_row_of(held);
    switch (row->status) {
    case ISOCAST_SCALABILITY_SEVERAL:
        list_crossings(report, metric, row);
        break;
    case ISOCAST_SCALABILITY_BELOW:
        note_outside(report, held, row, "over", "smallest", "smaller", row->E_first, row->N_first);
        break;
    case ISOCAST_SCALABILITY_ABOVE:
        note_outside(report, held, row, "under", "largest", "larger", row->E_last, row->N_last);
        break;
    case ISOCAST_SCALABILITY_MISFIT:
        cli_report_footnote(report,
                            "%s: the measured %s passes the wanted one, but the polynomial of "
                            "degree %d does not. Choose another degree, or none.",
                            row->system, metric->bare, row->reading.degree);
        break;
    case ISOCAST_SCALABILITY_TOO_FEW:
        cli_report_footnote(report, "%s: too few sizes were measured for the trend line: %zu.",
                            row->system, row->points);
        break;
    case ISOCAST_SCALABILITY_OK:
        if (!row->reading.crossings[0].rises && row->has_trend) {
            cli_report_footnote(report,
                                "%s: %s falls with N there: it is over the wanted one at smaller "
                                "N.",
                                row->system, metric->symbol);
        }
        break;
    }
}

static bool has_interval(const isocast_scalability *s) {
    bool found = false;
    for (size_t i = 0; i < s->count; i++) {
        found |= !isnan(s->rows[i].N_low);
    }
    return found;
}

static void note_psi(cli_report *report, const isocast_scalability *s, const char *source) {
    const isocast_metric_row *metric = isocast_metric_row_of(s->metric);
    if (metric->psi == NULL) {
        cli_report_footnote(report, "%s; there is no psi: the result is the function W.", source);
    } else {
        cli_report_footnote(
            report, "%s; psi = %s to this row from the row before; psi_from_base from the first.",
            source, metric->psi);
    }
    if (metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE) {
        cli_report_footnote(report, "T_alone is T(W,1), the time of the runs on '%s', one process.",
                            s->single);
    }
}

static void add_footnotes(cli_report *report, const isocast_scalability *s) {
    if (s->measure == ISOCAST_SIZE_BY_REFERENCE) {
        cli_report_footnote(report, "C is R_f C_1 here, the size by the reference program, not the "
                                    "sum of the marked speeds.");
    }
    const isocast_metric_row *metric = isocast_metric_row_of(s->metric);
    if (isnan(s->efficiency)) {
        note_psi(report, s, "N as listed");
        return;
    }
    char source[96];
    snprintf(source, sizeof source, "N is read off a trend line of %s over N", metric->symbol);
    note_psi(report, s, source);
    if (has_interval(s)) {
        cli_report_footnote(report,
                            "N_low to N_high: 90 %% interval from the scatter about the "
                            "line and its own error; error of %s: root mean square, leave-one-out.",
                            metric->bare);
    }
    for (size_t i = 0; i < s->count; i++) {
        explain_status(report, s->metric, &s->rows[i]);
        if (s->rows[i].oversubscribed) {
            cli_report_footnote(report,
                                "%s was measured with more processes than processors "
                                "(oversubscribed): its times are the scheduler's too.",
                                s->rows[i].system);
        }
    }
}

void cli_title_of_scalability(const cli_scalability_view *view, isocast_buffer *out) {
    const isocast_scalability *s = view->scalability;
    const isocast_metric_row *metric = isocast_metric_row_of(s->metric);
    isocast_buffer_puts(out, "Scalability");
    if (!is_isospeed_e(s)) {
        isocast_buffer_printf(out, " (%s)", metric->name);
    }
    isocast_buffer_printf(out, " with the work of %s, N ", view->algorithm->name);
    if (isnan(s->efficiency)) {
        isocast_buffer_printf(out, "as listed in %s", view->runs_name);
        return;
    }
    if (is_isospeed_e(s)) {
        isocast_buffer_printf(out, "that gives E = %s = %.4g", metric->formula, s->efficiency);
    } else {
        isocast_buffer_printf(out, "that gives the %s %s = ", metric->held, metric->formula);
        isocast_metric_format(s->metric, s->efficiency, 4, out);
    }
    isocast_buffer_printf(out, " by the runs of %s", view->runs_name);
    bool several = false;
    for (size_t i = 1; i < s->count; i++) {
        several |= s->rows[i].other_sizes_group != s->rows[0].other_sizes_group;
    }
    if (!several && s->count > 0) {
        cli_report_append_other_sizes(view->algorithm, s->rows[0].other_sizes, out);
    }
}

cli_report *cli_report_of_scalability(const cli_scalability_view *view) {
    const isocast_scalability *s = view->scalability;
    cli_report *report = cli_report_create();
    isocast_buffer title = {0};
    cli_title_of_scalability(view, &title);
    cli_report_title(report, "%s", title.text != NULL ? title.text : "");
    isocast_buffer_free(&title);
    add_columns(report, s);
    if (view->algorithm != NULL) {
        cli_report_call(report, "N", view->algorithm->sizes[0].name);
    }
    for (size_t i = 0; i < s->count; i++) {
        add_row(report, &s->rows[i], is_isospeed_e(s));
    }
    add_footnotes(report, s);
    if (view->machine != NULL && view->algorithm != NULL) {
        cli_report_note_marked_speed(report, view->machine, view->algorithm->kernel);
    }
    return report;
}
