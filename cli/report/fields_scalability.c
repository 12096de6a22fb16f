/* What a scalability says: its rows, and its JSON. */
#include <math.h>

#include "cli/output/fields.h"
#include "report_scalability.h"

ISOCAST_GIVES(const isocast_scalability *, result_of,
              ((const cli_scalability_view *)at->result)->scalability)
ISOCAST_GIVES(const isocast_scalability_row *, row_of, at->row)
ISOCAST_GIVES(const isocast_metric_row *, metric_of, isocast_metric_row_of(result_of(at)->metric))
ISOCAST_GIVES(bool, has_factor, result_of(at)->metric != ISOCAST_METRIC_ISOSPEED_E)
ISOCAST_GIVES(bool, is_isospeed_e, !has_factor(at))
ISOCAST_GIVES(bool, has_other_sizes,
              ((const cli_scalability_view *)at->result)->subject.algorithm->size_count > 1)

static const char *other_size_of(const isocast_at *at, size_t i, double *value) {
    return cli_other_size(((const cli_scalability_view *)at->result)->subject.algorithm,
                          row_of(at)->other_sizes, i, value);
}

static const char *trend_of(const isocast_at *at) {
    static const char *const names[] = {[ISOCAST_TREND_POLYNOMIAL] = "polynomial",
                                        [ISOCAST_TREND_MONOTONE] = "monotone",
                                        [ISOCAST_TREND_LOCAL] = "cubics"};
    return row_of(at)->has_trend ? names[row_of(at)->reading.kind] : NULL;
}

static double degree_of(const isocast_at *at) {
    const isocast_scalability_row *row = row_of(at);
    bool is_polynomial = row->has_trend && row->reading.kind == ISOCAST_TREND_POLYNOMIAL;
    return is_polynomial ? (double)row->reading.degree : NAN;
}

ISOCAST_GIVES(double, error_of, row_of(at)->has_trend ? row_of(at)->reading.error : NAN)
ISOCAST_GIVES(const char *, error_unit, metric_of(at)->unit[0] != '\0' ? metric_of(at)->unit : NULL)

static void error_heading(const isocast_at *at, isocast_buffer *out) {
    isocast_buffer_printf(out, "error of %s", metric_of(at)->bare);
}

ISOCAST_GIVES(double, points_of, row_of(at)->points > 0 ? (double)row_of(at)->points : NAN)

static const char *status_of(const isocast_at *at) {
    static const char *const words[] = {
        [ISOCAST_SCALABILITY_OK] = "ok",         [ISOCAST_SCALABILITY_SEVERAL] = "several",
        [ISOCAST_SCALABILITY_BELOW] = "below",   [ISOCAST_SCALABILITY_ABOVE] = "above",
        [ISOCAST_SCALABILITY_MISFIT] = "misfit", [ISOCAST_SCALABILITY_TOO_FEW] = "too-few"};
    return words[row_of(at)->status];
}

ISOCAST_OWN_ITEMS(crossing_item, row_of(in)->reading.count, &row_of(in)->reading.crossings[i])

static const char *const trend_words[] = {"polynomial", "monotone", "cubics", NULL};
static const char *const status_words[] = {"ok",     "several", "below", "above",
                                           "misfit", "too-few", NULL};

#define CROSSING(name, kind, member, ...)                                                          \
    ISOCAST_FIELD(name, kind, isocast_crossing, member, NULL, __VA_ARGS__)
static const isocast_field crossing_fields[] = {
    CROSSING("N", NUMBER, N, "problem size", .known = true),
    CROSSING("N_low", NUMBER, low,
             "lower end of its 90 % interval; null where it is not within the sizes measured, or "
             "not of this crossing"),
    CROSSING("N_high", NUMBER, high, "upper end, likewise"),
    CROSSING("rises", FLAG, rises, "E rises with N there; else it falls")};
static const isocast_table crossings = {NULL, "one of them", ISOCAST_TABLE(crossing_fields)};

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
          .digits = 5, .optional = true, .needed = is_isospeed_e),
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
          .optional = true, .needed = is_isospeed_e),
    FIELD("psi_from_base", NUMBER, psi_from_base, NULL, "scalability to this row from the first",
          .optional = true, .needed = is_isospeed_e),
    ISOCAST_MADE("trend", TEXT, .text = trend_of, NULL,
                 "kind of the trend line: a polynomial in N, a monotone line, or cubics over ln N "
                 "through the nearest sizes; null for a list, or too few sizes",
                 .words = trend_words, .optional = true),
    ISOCAST_MADE("degree", COUNT, .number = degree_of, NULL,
                 "degree of the trend line where it is a polynomial", .optional = true),
    ISOCAST_MADE("validation_error", NUMBER, .number = error_of, NULL,
                 "root mean square of the leave-one-out errors of E at the sizes between the first "
                 "and the last, weighted by their shares of ln N; null for a list, or too few "
                 "sizes; with isospeed in flop/s, else",
                 .heading_put = error_heading, .unit_of = error_unit, .digits = 2,
                 .optional = true),
    ISOCAST_MADE("points", COUNT, .number = points_of, NULL, "sizes measured; null for a list",
                 .optional = true),
    FIELD("N_first", NUMBER, N_first, NULL, "smallest size measured", .where = ISOCAST_IN_FILES),
    FIELD("N_last", NUMBER, N_last, NULL, "largest size measured", .where = ISOCAST_IN_FILES),
    ISOCAST_MADE("crossings", LIST, .item = crossing_item, NULL,
                 "every size within those measured at which E passes the efficiency, at most 16, "
                 "rising; empty for a list",
                 .of = &crossings),
    FIELD("oversubscribed", FLAG, oversubscribed, NULL,
          "it was measured with more processes than processors"),
    ISOCAST_MADE("status", TEXT, .text = status_of, NULL,
                 "several: E passes the efficiency at several sizes, and N is the smallest; below: "
                 "E is over it at every size measured; above: E is under it at every size "
                 "measured; misfit: the measured E passes it, the polynomial of the degree asked "
                 "for does not; too-few: fewer sizes than the trend line needs",
                 .words = status_words, .known = true)};
const isocast_table cli_scalability_rows = {NULL, "one system", ISOCAST_TABLE(row_fields)};

ISOCAST_ITEMS(cli_scalability_row_item, result_of(in)->count, &result_of(in)->rows[i])

/* The i-th row that was measured, or that has a line. */
static bool row_with(const isocast_at *in, size_t i, isocast_at *out, bool line) {
    const isocast_scalability *s = result_of(in);
    for (size_t k = 0, seen = 0; k < s->count; k++) {
        bool has = line ? s->rows[k].line_N != NULL : s->rows[k].measured_N != NULL;
        if (has && seen++ == i) {
            out->row = &s->rows[k];
            return true;
        }
    }
    return false;
}

static bool measured_item(const isocast_at *in, size_t i, isocast_at *out) {
    return row_with(in, i, out, false);
}

static bool line_item(const isocast_at *in, size_t i, isocast_at *out) {
    return row_with(in, i, out, true);
}

static bool element(const double *values, size_t count, size_t i, double *value) {
    *value = i < count ? values[i] : (double)NAN;
    return i < count;
}

static bool measured_N(const isocast_at *at, size_t i, double *value) {
    return element(row_of(at)->measured_N, row_of(at)->points, i, value);
}

static bool measured_E(const isocast_at *at, size_t i, double *value) {
    return element(row_of(at)->measured_E, row_of(at)->points, i, value);
}

static bool line_N(const isocast_at *at, size_t i, double *value) {
    return element(row_of(at)->line_N, ISOCAST_TREND_PLACES, i, value);
}

static bool line_E(const isocast_at *at, size_t i, double *value) {
    return element(row_of(at)->line_E, ISOCAST_TREND_PLACES, i, value);
}

#define SYSTEM FIELD("system", TEXT, system, NULL, "name of the system", .known = true)
static const isocast_field measured_fields[] = {
    SYSTEM, ISOCAST_MADE("N", NUMBERS, .element = measured_N, NULL, "problem sizes"),
    ISOCAST_MADE("E", NUMBERS, .element = measured_E, NULL, "speed-efficiency measured at each")};
static const isocast_table measured = {NULL, "one system", ISOCAST_TABLE(measured_fields)};
static const isocast_field line_fields[] = {
    SYSTEM, ISOCAST_MADE("N", NUMBERS, .element = line_N, NULL, "problem sizes"),
    ISOCAST_MADE("E", NUMBERS, .element = line_E, NULL,
                 "speed-efficiency of the trend line at each; null where the line is not known")};
static const isocast_table lines = {NULL, "one system", ISOCAST_TABLE(line_fields)};

ISOCAST_GIVES(double, efficiency_of, result_of(at)->efficiency)
ISOCAST_GIVES(bool, is_by_reference, result_of(at)->measure == ISOCAST_SIZE_BY_REFERENCE)

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.scalability/1"),
    ISOCAST_MADE("algorithm", TEXT, .text = cli_subject_algorithm, NULL,
                 "name of the algorithm whose work was taken", .known = true),
    CLI_RUNS("the file of measured runs, or the list"),
    CLI_METRIC,
    CLI_SIZE,
    ISOCAST_MADE("efficiency", NUMBER, .number = efficiency_of, NULL,
                 "speed-efficiency that is held; null for a list; with isospeed in flop/s, else"),
    ISOCAST_MADE("rows", LIST, .item = cli_scalability_row_item, NULL,
                 "one row a system, by C, the smallest first", .of = &cli_scalability_rows),
    ISOCAST_MADE("measured", LIST, .item = measured_item, NULL,
                 "the medians measured, by system; empty for a list", .of = &measured),
    ISOCAST_MADE("curves", LIST, .item = line_item, NULL,
                 "the trend lines that were read, over the sizes measured; empty for a list",
                 .of = &lines),
    CLI_PAIRS,
    CLI_BY_REFERENCE(is_by_reference),
    CLI_PROVENANCE};
const isocast_table cli_scalability_document = {"scalability", "what isocast scalability gives",
                                                ISOCAST_TABLE(fields)};
