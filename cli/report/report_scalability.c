#include "report_scalability.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/fields.h"
#include "report_notes.h"
#include "report_prediction.h"

static bool is_isospeed_e(const isocast_scalability *s) {
    return s->metric == ISOCAST_METRIC_ISOSPEED_E;
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
    cli_report_footnote(report,
                        "%s: %s is %s the wanted one at every N measured (%s at the %s, %.4g). "
                        "Measure %s ones.",
                        row->system, isocast_metric_row_of(held)->symbol, where,
                        isocast_metric_text(held, value, 3).text, end, N, further);
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
    isocast_buffer_printf(out, " with the work of %s, N ", view->subject.algorithm->name);
    if (isnan(s->efficiency)) {
        isocast_buffer_printf(out, "as listed in %s", view->subject.runs);
        return;
    }
    if (is_isospeed_e(s)) {
        isocast_buffer_printf(out, "that gives E = %s = %.4g", metric->formula, s->efficiency);
    } else {
        isocast_buffer_printf(out, "that gives the %s %s = %s", metric->held, metric->formula,
                              isocast_metric_text(s->metric, s->efficiency, 4).text);
    }
    isocast_buffer_printf(out, " by the runs of %s", view->subject.runs);
    bool several = false;
    for (size_t i = 1; i < s->count; i++) {
        several |= s->rows[i].other_sizes_group != s->rows[0].other_sizes_group;
    }
    if (!several && s->count > 0) {
        cli_report_append_other_sizes(view->subject.algorithm, s->rows[0].other_sizes, out);
    }
}

cli_report *cli_report_of_scalability(const cli_scalability_view *view) {
    const isocast_scalability *s = view->scalability;
    cli_report *report = cli_report_create();
    isocast_buffer title = {0};
    cli_title_of_scalability(view, &title);
    cli_report_title(report, "%s", title.text != NULL ? title.text : "");
    isocast_buffer_free(&title);
    cli_fields_fill(report, &cli_scalability_rows, view, cli_scalability_row_item);
    if (view->subject.algorithm != NULL) {
        cli_report_call(report, "N", view->subject.algorithm->sizes[0].name);
    }
    add_footnotes(report, s);
    if (view->subject.machine != NULL && view->subject.algorithm != NULL) {
        cli_report_note_marked_speed(report, view->subject.machine,
                                     view->subject.algorithm->kernel);
    }
    return report;
}
