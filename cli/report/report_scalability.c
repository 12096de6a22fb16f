#include "results.h"

#include <math.h>
#include <stdio.h>

#include "model/base/any.h"
#include "model/runs/scalability.h"
#include "model/runs/set_times.h"
#include "report_notes.h"
#include "report_prediction.h"

ISOCAST_GIVES(const isocast_set_table *, table_of, ((const cli_view *)at->result)->result)

ISOCAST_GIVES(const isocast_set_row *, set_of, at->row)
ISOCAST_GIVES(double, average_speed, set_of(at)->W / (set_of(at)->R_f * set_of(at)->T))

enum { TIMES = 1, FACTORS };
#define SET_FIELD(member, kind, unit, ...)                                                         \
    ISOCAST_FIELD(#member, kind, isocast_set_row, member, unit, __VA_ARGS__)
static const isocast_field set_row_fields[] = {
    SET_FIELD(set, TEXT, NULL, "its name, such as 4x2: 4 processors on each of 2 nodes",
              .known = true),
    SET_FIELD(n, COUNT, NULL, "processors, by the name; null where it has no such number",
              .optional = true),
    SET_FIELD(T_ref, NUMBER, "s", "time of the reference program", .optional = true,
              .compared = TIMES),
    SET_FIELD(R_f, NUMBER, NULL, "performance reference factor: the file's, else by its times",
              .optional = true, .compared = FACTORS),
    SET_FIELD(R_f_from_time, NUMBER, NULL, "n T_ref(1)/T_ref(set)", .optional = true,
              .compared = FACTORS),
    SET_FIELD(T, NUMBER, "s", "time of the program", .optional = true, .compared = TIMES),
    SET_FIELD(W, NUMBER, "flop", "its work, where the file has a column W", .optional = true),
    ISOCAST_NUMBER("average_speed", average_speed, "flop/s", "W/(R_f T), where W and R_f are known",
                   .optional = true),
    SET_FIELD(psi, NUMBER, NULL, "to this row from the row before", .optional = true),
    SET_FIELD(psi_from_base, NUMBER, NULL, "to this row from the first", .optional = true)};
static const isocast_table set_rows = ISOCAST_TABLE_OF(set_row_fields, "one processor set");

ISOCAST_OWN_ITEMS(set_item, table_of(in)->count, &table_of(in)->rows[i])

/* The formula that psi was computed by. */
static const char *psi_formula(const isocast_set_table *table) {
    return table->has_W && table->metric == ISOCAST_METRIC_ISOSPEED
               ? isocast_metric_row_of(table->metric)->psi
               : "T/T'";
}

static void put_set_title(const isocast_set_table *table, isocast_buffer *out) {
    if (table->times_name == NULL) {
        isocast_buffer_printf(out, "Performance reference factors by the times of %s",
                              table->reference_name);
        return;
    }
    const isocast_metric_row *metric = isocast_metric_row_of(table->metric);
    isocast_buffer_printf(out, "Scalability (%s) by the times of %s, taken at one %s %s",
                          metric->name, table->times_name, metric->held, metric->formula);
}

ISOCAST_ANY(has_both_factors, (const isocast_set_table *table), table->count,
            !isnan(table->rows[i].R_f_given) && !isnan(table->rows[i].R_f_from_time))

static void add_set_footnotes(cli_report *report, const isocast_set_table *table) {
    CLI_NOTE_IF(
        table->reference_name != NULL, report,
        "R_f = n T_ref(1)/T_ref: T_ref is the time of the reference program, n counts processors.");
    CLI_NOTE_IF(has_both_factors(table), report,
                "R_f is the file's own; R_f_from_time follows from its times.");
    CLI_NOTE_IF(table->times_name != NULL, report,
                "psi = %s to this row from the row before; psi_from_base from %s.",
                psi_formula(table), table->rows[0].set);
    CLI_NOTE_IF(table->times_name != NULL && !table->has_W, report,
                "Each time was taken at the W that holds the %s, so psi is the ratio of the times.",
                isocast_metric_row_of(table->metric)->held);
    CLI_NOTE_IF(table->reference_name != NULL && table->without_R_f, report,
                "Some sets have no reference time: their R_f is not known.");
}

size_t cli_reports_of_sets(const void *result, bool csv, cli_report **reports) {
    const cli_view *view = result;
    const isocast_set_table *table = view->result;
    isocast_buffer title = {0};
    put_set_title(table, &title);
    if (view->subject.matrix != NULL) {
        return cli_reports_of_matrix(view->subject.matrix, csv, &title, psi_formula(table),
                                     reports);
    }
    cli_report *report = cli_report_create();
    cli_report_title_take(report, &title);
    cli_fields_fill(report, &set_rows, view, set_item);
    add_set_footnotes(report, table);
    reports[0] = report;
    return 1;
}

ISOCAST_GIVES(const char *, set_metric,
              table_of(at)->times_name != NULL ? isocast_metric_name(table_of(at)->metric) : NULL)
ISOCAST_GIVES(const char *, formula_of,
              table_of(at)->times_name != NULL ? psi_formula(table_of(at)) : NULL)
ISOCAST_GIVES(const void *, from_table, table_of(at))

static const isocast_field set_fields[] = {
    CLI_SCHEMA("isocast.processor-sets/1"),
    ISOCAST_TEXT("metric", set_metric,
                 "what the times were taken at; null for reference times alone",
                 .words = cli_metric_words),
    ISOCAST_TEXT("psi_formula", formula_of, "the formula that psi was computed by; null likewise"),
    ISOCAST_FIELD("times", TEXT, isocast_set_table, times_name, NULL,
                  "the file of times; null likewise", .from = from_table),
    ISOCAST_FIELD("reference", TEXT, isocast_set_table, reference_name, NULL,
                  "the file of reference times; null where none was given", .from = from_table),
    ISOCAST_LIST("rows", set_item, &set_rows, "the sets in the order of the file"),
    CLI_PAIRS,
    CLI_PROVENANCE_BRIEF};
const isocast_table cli_sets_document = {
    "processor-sets",
    "isocast scalability TIMES.csv --format json: times and reference factors of processor sets",
    ISOCAST_TABLE(set_fields)};

/* What a scalability says: its rows, and its JSON. */

CLI_RESULT(isocast_scalability)
ISOCAST_GIVES(const cli_subject *, subject_of, at->result)
ISOCAST_GIVES(const isocast_scalability_row *, row_of, at->row)
ISOCAST_GIVES(const isocast_metric_row *, metric_of, isocast_metric_row_of(result_of(at)->metric))
ISOCAST_GIVES(bool, has_factor, result_of(at)->metric != ISOCAST_METRIC_ISOSPEED_E)
ISOCAST_GIVES(bool, holds_E, !has_factor(at))
ISOCAST_GIVES(bool, has_other_sizes, subject_of(at)->algorithm->size_count > 1)

ISOCAST_NAMES(other_size_of,
              cli_other_size(subject_of(at)->algorithm, row_of(at)->other_sizes, i, value))

static const char *const trend_words[] = {[ISOCAST_TREND_POLYNOMIAL] = "polynomial",
                                          [ISOCAST_TREND_MONOTONE] = "monotone",
                                          [ISOCAST_TREND_LOCAL] = "cubics",
                                          NULL};
ISOCAST_GIVES(const char *, trend_of,
              row_of(at)->has_trend ? trend_words[row_of(at)->reading.kind] : NULL)

ISOCAST_GIVES(double, degree_of,
              row_of(at)->has_trend &&row_of(at)->reading.kind == ISOCAST_TREND_POLYNOMIAL
                  ? (double)row_of(at)->reading.degree
                  : NAN)
ISOCAST_GIVES(double, error_of, row_of(at)->has_trend ? row_of(at)->reading.error : NAN)
ISOCAST_GIVES(const char *, error_unit, metric_of(at)->unit[0] != '\0' ? metric_of(at)->unit : NULL)

ISOCAST_PUTS(error_heading, isocast_buffer_printf(out, "error of %s", metric_of(at)->bare))

ISOCAST_GIVES(double, points_of, row_of(at)->points > 0 ? (double)row_of(at)->points : NAN)

static const char *const status_words[] = {[ISOCAST_SCALABILITY_OK] = "ok",
                                           [ISOCAST_SCALABILITY_SEVERAL] = "several",
                                           [ISOCAST_SCALABILITY_BELOW] = "below",
                                           [ISOCAST_SCALABILITY_ABOVE] = "above",
                                           [ISOCAST_SCALABILITY_MISFIT] = "misfit",
                                           [ISOCAST_SCALABILITY_TOO_FEW] = "too-few",
                                           NULL};

ISOCAST_OWN_ITEMS(crossing_item, row_of(in)->reading.count, &row_of(in)->reading.crossings[i])

#define CROSSING(name, kind, member, ...)                                                          \
    ISOCAST_FIELD(name, kind, isocast_crossing, member, NULL, __VA_ARGS__)
static const isocast_field crossing_fields[] = {
    CROSSING("N", NUMBER, N, "problem size", .known = true),
    CROSSING("N_low", NUMBER, low,
             "lower end of its 90 % interval; null where it is not within the sizes measured, or "
             "not of this crossing"),
    CROSSING("N_high", NUMBER, high, "upper end, likewise"),
    CROSSING("rises", FLAG, rises, "E rises with N there; else it falls")};
static const isocast_table crossings = ISOCAST_TABLE_OF(crossing_fields, "one of them");

#define FIELD(name, kind, member, unit, ...)                                                       \
    ISOCAST_FIELD(name, kind, isocast_scalability_row, member, unit, __VA_ARGS__)
#define ONE_OF_INTERVAL                                                                            \
    "end of the 90 % interval of N, from the scatter about the trend line and its own error; "     \
    "null where it is not within the sizes measured"
static const isocast_field row_fields[] = {
    FIELD("system", TEXT, system, NULL, "name of the system", .known = true),
    FIELD("p", COUNT, p, NULL, "processes", .optional = true),
    FIELD("C", NUMBER, C, "flop/s",
          "marked speed of the system; null where the metric does not need it and the runs do not "
          "say",
          .digits = 5, .optional = true, .needed = holds_E),
    ISOCAST_MADE("other_sizes", NAMED, .named = other_size_of, NULL,
                 "the further size parameters, by name", .known = true, .shown = has_other_sizes),
    FIELD("R_f", NUMBER, R_f, NULL,
          "performance reference factor of the system: what the machine file or the reference "
          "times give, else p, or C/C_j where marked speeds differ; not with isospeed-e",
          .shown = has_factor),
    FIELD("N", NUMBER, N, NULL,
          "problem size that the efficiency needs, the smallest of several, or as listed; null "
          "unless the status is ok or several"),
    FIELD("N_low", NUMBER, N_low, NULL, "lower " ONE_OF_INTERVAL, .optional = true),
    FIELD("N_high", NUMBER, N_high, NULL, "upper " ONE_OF_INTERVAL, .optional = true),
    FIELD("W", NUMBER, W, "flop", "work at N"),
    FIELD("T", NUMBER, T, "s",
          "time at N, which what is held makes; null in a list; not with isospeed-e",
          .optional = true, .shown = has_factor),
    FIELD("T_alone", NUMBER, T_alone, "s",
          "T(W,1), the time of the runs on one process at N; only where the efficiency is held",
          .optional = true, .shown = has_factor),
    FIELD("psi", NUMBER, psi, NULL,
          "scalability to this row from the row before; null in the "
          "first",
          .optional = true, .needed = holds_E),
    FIELD("psi_from_base", NUMBER, psi_from_base, NULL, "scalability to this row from the first",
          .optional = true, .needed = holds_E),
    ISOCAST_TEXT("trend", trend_of,
                 "kind of the trend line: a polynomial in N, a monotone line, or cubics over ln N "
                 "through the nearest sizes; null for a list, or too few sizes",
                 .words = trend_words, .optional = true),
    ISOCAST_COUNT("degree", degree_of, "degree of the trend line where it is a polynomial",
                  .optional = true),
    ISOCAST_NUMBER("validation_error", error_of, NULL,
                   "root mean square of the leave-one-out errors of E at the sizes between the "
                   "first and the last, weighted by their shares of ln N; null for a list, or too "
                   "few sizes; with isospeed in flop/s, else",
                   .heading_put = error_heading, .unit_of = error_unit, .digits = 2,
                   .optional = true),
    ISOCAST_COUNT("points", points_of, "sizes measured; null for a list", .optional = true),
    FIELD("N_first", NUMBER, N_first, NULL, "smallest size measured", ISOCAST_FILES),
    FIELD("N_last", NUMBER, N_last, NULL, "largest size measured", ISOCAST_FILES),
    ISOCAST_LIST("crossings", crossing_item, &crossings,
                 "every size within those measured at which E passes the efficiency, at most 16, "
                 "rising; empty for a list"),
    FIELD("oversubscribed", FLAG, oversubscribed, NULL,
          "it was measured with more processes than processors"),
    FIELD("status", TEXT, status, NULL,
          "several: E passes the efficiency at several sizes, and N is the smallest; below: E is "
          "over it at every size measured; above: E is under it at every size measured; misfit: "
          "the measured E passes it, the polynomial of the degree asked for does not; too-few: "
          "fewer sizes than the trend line needs",
          .words = status_words, .known = true)};
static const isocast_table scalability_rows = ISOCAST_TABLE_OF(row_fields, "one system");

ISOCAST_OWN_ITEMS(cli_scalability_row_item, result_of(in)->count, &result_of(in)->rows[i])

/* The i-th row that was measured, or that has a line; NULL where there is none. */
static const isocast_scalability_row *row_with(const isocast_scalability *s, size_t i, bool line) {
    for (size_t k = 0, seen = 0; k < s->count; k++) {
        bool has = line ? s->rows[k].line_N != NULL : s->rows[k].measured_N != NULL;
        if (has && seen++ == i) {
            return &s->rows[k];
        }
    }
    return NULL;
}

ISOCAST_OWN_ITEMS(measured_item, result_of(in)->count, row_with(result_of(in), i, false))
ISOCAST_OWN_ITEMS(line_item, result_of(in)->count, row_with(result_of(in), i, true))

ISOCAST_ELEMENTS(measured_N, row_of(at)->points, row_of(at)->measured_N[i])
ISOCAST_ELEMENTS(measured_E, row_of(at)->points, row_of(at)->measured_E[i])
ISOCAST_ELEMENTS(line_N, ISOCAST_TREND_PLACES, row_of(at)->line_N[i])
ISOCAST_ELEMENTS(line_E, ISOCAST_TREND_PLACES, row_of(at)->line_E[i])

#define SYSTEM FIELD("system", TEXT, system, NULL, "name of the system", .known = true)
static const isocast_field measured_fields[] = {
    SYSTEM, ISOCAST_MADE("N", NUMBERS, .element = measured_N, NULL, "problem sizes"),
    ISOCAST_MADE("E", NUMBERS, .element = measured_E, NULL, "speed-efficiency measured at each")};
static const isocast_table measured = ISOCAST_TABLE_OF(measured_fields, "one system");
static const isocast_field line_fields[] = {
    SYSTEM, ISOCAST_MADE("N", NUMBERS, .element = line_N, NULL, "problem sizes"),
    ISOCAST_MADE("E", NUMBERS, .element = line_E, NULL,
                 "speed-efficiency of the trend line at each; null where the line is not known")};
static const isocast_table lines = ISOCAST_TABLE_OF(line_fields, "one system");

ISOCAST_GIVES(double, efficiency_of, result_of(at)->efficiency)
ISOCAST_GIVES(bool, is_by_reference, result_of(at)->measure == ISOCAST_SIZE_BY_REFERENCE)

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.scalability/1"),
    ISOCAST_TEXT("algorithm", cli_subject_algorithm, "name of the algorithm whose work was taken",
                 .known = true),
    CLI_RUNS("the file of measured runs, or the list"),
    CLI_METRIC,
    CLI_SIZE,
    ISOCAST_NUMBER("efficiency", efficiency_of, NULL,
                   "speed-efficiency that is held; null for a list; with isospeed in flop/s, else"),
    ISOCAST_LIST("rows", cli_scalability_row_item, &scalability_rows,
                 "one row a system, by C, the smallest first"),
    ISOCAST_LIST("measured", measured_item, &measured,
                 "the medians measured, by system; empty for a list"),
    ISOCAST_LIST("curves", line_item, &lines,
                 "the trend lines that were read, over the sizes measured; empty for a list"),
    CLI_PAIRS,
    CLI_BY_REFERENCE(is_by_reference),
    CLI_PROVENANCE};
const isocast_table cli_scalability_document = {"scalability", "what isocast scalability gives",
                                                ISOCAST_TABLE(fields)};

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
    cli_note(report, "%s: %s passes the wanted one at N = %s%s; the smallest is given.",
             row->system, metric->symbol, list.text != NULL ? list.text : "",
             row->reading.more ? " and at more" : "");
    isocast_buffer_free(&list);
}

/* The wanted value lies outside what was measured. */
static void note_outside(cli_report *report, isocast_metric held,
                         const isocast_scalability_row *row, const char *where, const char *end,
                         const char *further, double value, double N) {
    cli_note(
        report,
        "%s: %s is %s the wanted one at every N measured (%s at the %s, %.4g). Measure %s ones.",
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
        cli_note(report,
                 "%s: the measured %s passes the wanted one, but the polynomial of degree %d does "
                 "not. Choose another degree, or none.",
                 row->system, metric->bare, row->reading.degree);
        break;
    case ISOCAST_SCALABILITY_TOO_FEW:
        cli_note(report, "%s: too few sizes were measured for the trend line: %zu.", row->system,
                 row->points);
        break;
    case ISOCAST_SCALABILITY_OK:
        CLI_NOTE_IF(!row->reading.crossings[0].rises && row->has_trend, report,
                    "%s: %s falls with N there: it is over the wanted one at smaller N.",
                    row->system, metric->symbol);
        break;
    }
}

ISOCAST_ANY(has_interval, (const isocast_scalability *s), s->count, !isnan(s->rows[i].N_low))

static void note_psi(cli_report *report, const isocast_scalability *s, const char *source) {
    const isocast_metric_row *metric = isocast_metric_row_of(s->metric);
    if (metric->psi == NULL) {
        cli_note(report, "%s; there is no psi: the result is the function W.", source);
    } else {
        cli_note(report,
                 "%s; psi = %s to this row from the row before; psi_from_base from the first.",
                 source, metric->psi);
    }
    CLI_NOTE_IF(metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE, report,
                "T_alone is T(W,1), the time of the runs on '%s', one process.", s->single);
}

static void add_footnotes(cli_report *report, const isocast_scalability *s) {
    CLI_NOTE_IF(
        s->measure == ISOCAST_SIZE_BY_REFERENCE, report,
        "C is R_f C_1 here, the size by the reference program, not the sum of the marked speeds.");
    const isocast_metric_row *metric = isocast_metric_row_of(s->metric);
    if (isnan(s->efficiency)) {
        note_psi(report, s, "N as listed");
        return;
    }
    char source[96];
    snprintf(source, sizeof source, "N is read off a trend line of %s over N", metric->symbol);
    note_psi(report, s, source);
    CLI_NOTE_IF(has_interval(s), report,
                "N_low to N_high: 90 %% interval from the scatter about the line and its own "
                "error; error of %s: root mean square, leave-one-out.",
                metric->bare);
    for (size_t i = 0; i < s->count; i++) {
        explain_status(report, s->metric, &s->rows[i]);
        CLI_NOTE_IF(s->rows[i].oversubscribed, report,
                    "%s was measured with more processes than processors (oversubscribed): its "
                    "times are the scheduler's too.",
                    s->rows[i].system);
    }
}

ISOCAST_ANY(has_several_sizes, (const isocast_scalability *s), s->count,
            s->rows[i].other_sizes_group != s->rows[0].other_sizes_group)

/* What was computed, in one line. */
static void put_title(const cli_view *view, isocast_buffer *out) {
    const isocast_scalability *s = view->result;
    const isocast_metric_row *metric = isocast_metric_row_of(s->metric);
    isocast_buffer_puts(out, "Scalability");
    CLI_PUT_IF(!is_isospeed_e(s), out, " (%s)", metric->name);
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
    if (!has_several_sizes(s) && s->count > 0) {
        cli_report_append_other_sizes(view->subject.algorithm, s->rows[0].other_sizes, out);
    }
}

size_t cli_reports_of_scalability(const void *result, bool csv, cli_report **reports) {
    const cli_view *view = result;
    const isocast_scalability *s = view->result;
    const cli_subject *subject = &view->subject;
    isocast_buffer title = {0};
    put_title(view, &title);
    if (subject->matrix != NULL) {
        return cli_reports_of_matrix(subject->matrix, csv, &title,
                                     isocast_metric_row_of(s->metric)->psi, reports);
    }
    cli_report *report = cli_report_create();
    cli_report_title_take(report, &title);
    cli_fields_fill(report, &scalability_rows, view, cli_scalability_row_item);
    cli_report_call(report, "N", subject->algorithm->sizes[0].name);
    add_footnotes(report, s);
    if (subject->machine != NULL) {
        cli_report_note_marked_speed(report, subject->machine, subject->algorithm->kernel);
    }
    reports[0] = report;
    return 1;
}
