#include "report_fit.h"

#include <math.h>

#include "calibrate/fit/fit_verdict.h"
#include "cli/output/json_text.h"
#include "plot_results.h"

ISOCAST_GIVES(const cli_fit_view *, view_of, at->result)
ISOCAST_GIVES(const fit_result *, result_of, at->row)

/* The operation that has the list. */
ISOCAST_GIVES(const fit_result *, result_above, at->in->row)
ISOCAST_GIVES(const void *, timings_of, &result_of(at)->timings)

static void put_span(const isocast_at *at, isocast_buffer *out) {
    const fit_timings *t = timings_of(at);
    double from = t->counts_of_p[0];
    double to = t->counts_of_p[t->p_count - 1];
    isocast_buffer_printf(out, from < to ? "%.0f to %.0f" : "%.0f", from, to);
}

static void put_sizes(const isocast_at *at, isocast_buffer *out) {
    const fit_timings *t = timings_of(at);
    fit_verdict_bytes(t->sizes[0], out);
    if (t->size_count > 1) {
        isocast_buffer_puts(out, " to ");
        fit_verdict_bytes(t->sizes[t->size_count - 1], out);
    }
}

ISOCAST_ELEMENTS(count_of_p, result_of(at)->timings.p_count, result_of(at)->timings.counts_of_p[i])
ISOCAST_ELEMENTS(size_of, result_of(at)->timings.size_count, result_of(at)->timings.sizes[i])

ISOCAST_GIVES(double, switch_count,
              result_of(at)->has_form ? (double)(result_of(at)->form.ranges.count - 1) : 0)
ISOCAST_GIVES(double, sigma_within, sqrt(result_of(at)->timings.within_variance))

/* A switch is the range that it begins. */
static const isocast_field switch_fields[] = {
    ISOCAST_FIELD("m_below", NUMBER, fit_range, below, "B", "the largest size of the law before",
                  .known = true),
    ISOCAST_FIELD("m_above", NUMBER, fit_range, first, "B", "the smallest size of the law after",
                  .known = true)};
static const isocast_table switch_table = {
    NULL, "one switch, which lies between two sizes measured", ISOCAST_TABLE(switch_fields)};
ISOCAST_OWN_ITEMS(switch_item, result_of(in)->has_form ? result_of(in)->form.ranges.count - 1 : 0,
                  &result_of(in)->form.ranges.items[i + 1])

/* A coefficient is known by its number. */
ISOCAST_GIVES(fit_coefficient, coefficient_of, fit_result_coefficient(result_above(at), at->index))

ISOCAST_PUTS(put_name, isocast_buffer_puts(out, coefficient_of(at).name))

ISOCAST_PUTS(put_value, isocast_buffer_printf(out, "%.4g %s", coefficient_of(at).value,
                                              coefficient_of(at).unit))

ISOCAST_PUTS(put_error, isocast_buffer_printf(out, "%.2g %s", coefficient_of(at).error,
                                              coefficient_of(at).unit))

ISOCAST_GIVES(const char *, operation_above, result_above(at)->name)
ISOCAST_GIVES(double, value_of, coefficient_of(at).value)
ISOCAST_GIVES(double, standard_error, coefficient_of(at).error)

static const char *unit_of(const isocast_at *at) {
    const char *unit = coefficient_of(at).unit;
    return unit[0] != '\0' ? unit : "1";
}

static const char *const unit_words[] = {"s", "s/B", "1", NULL};
static const isocast_field coefficient_fields[] = {
    ISOCAST_PUT("coefficient", put_name, NULL, ISOCAST_ROWS),
    ISOCAST_PUT("value", put_value, NULL, ISOCAST_ROWS),
    ISOCAST_PUT("standard_error", put_error, NULL, ISOCAST_ROWS),
    ISOCAST_TEXT("of", operation_above, NULL, ISOCAST_ROWS),
    ISOCAST_PUT("name", put_name, "its name in the formula", ISOCAST_JSON, .known = true),
    ISOCAST_NUMBER("value", value_of, NULL, "its value, in the unit that unit names", ISOCAST_JSON,
                   .known = true),
    ISOCAST_NUMBER("standard_error", standard_error, NULL, "its standard error, in the same unit",
                   ISOCAST_JSON, .known = true),
    ISOCAST_WORD("unit", unit_of, unit_words, "unit of both", ISOCAST_JSON)};
static const isocast_table coefficients = ISOCAST_TABLE_OF(coefficient_fields, "one coefficient");
ISOCAST_OWN_ITEMS(coefficient_item, fit_result_coefficients(result_of(in)), in->row)

static void *covariance_of(const isocast_at *at) {
    const fit_result *result = at->row;
    json_t *rows = json_array();
    for (size_t i = 0; i < fit_result_coefficients(result); i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < fit_result_coefficients(result); k++) {
            cli_json_append(&row, cli_json_number(fit_result_covariance(result, i, k)));
        }
        cli_json_append(&rows, row);
    }
    return rows;
}

/* What the formula gives at the p asked for, else at 2, 4 and 8 times the largest, at each size. */
typedef struct forecast {
    double p, m, T, low, high;
} forecast;

static forecast forecast_of(const isocast_at *at) {
    const fit_result *result = result_above(at);
    const fit_timings *t = &result->timings;
    const cli_fit_view *view = view_of(at);
    size_t k = at->index / t->size_count;
    forecast f = {.p = view->to_count > 0 ? view->to[k]
                                          : pow(2, (double)k + 1) * t->counts_of_p[t->p_count - 1],
                  .m = t->sizes[at->index % t->size_count]};
    f.T = fit_result_band(result, f.p, f.m, &f.low, &f.high);
    return f;
}

ISOCAST_GIVES(double, forecast_p, forecast_of(at).p)
ISOCAST_GIVES(double, forecast_m, forecast_of(at).m)
ISOCAST_GIVES(double, forecast_T, forecast_of(at).T)
ISOCAST_GIVES(double, forecast_low, forecast_of(at).low)
ISOCAST_GIVES(double, forecast_high, forecast_of(at).high)

static bool is_far(const isocast_at *at) {
    const fit_timings *t = &result_above(at)->timings;
    return forecast_of(at).p > FIT_RESULT_TRUSTED * t->counts_of_p[t->p_count - 1];
}

#define FORECAST(name, how, unit, ...) ISOCAST_NUMBER(name, how, unit, __VA_ARGS__, .known = true)
static const isocast_field forecast_fields[] = {
    FORECAST("p", forecast_p, NULL, "processes"),
    FORECAST("m", forecast_m, "B", "message size"),
    FORECAST("T", forecast_T, "s", "the time"),
    FORECAST("T_low", forecast_low, "s", "lower end of the 90 % band for a launch"),
    FORECAST("T_high", forecast_high, "s", "its upper end"),
    ISOCAST_FLAG("low_confidence", is_far,
                 "whether p lies so far beyond the largest measured that the forecast is to be "
                 "taken with caution")};
static const isocast_table forecast_table = ISOCAST_TABLE_OF(forecast_fields, "one forecast");
ISOCAST_OWN_ITEMS(forecast_item,
                  (view_of(in)->to_count > 0 ? view_of(in)->to_count : 3) *
                      result_of(in)->timings.size_count,
                  in->row)

#define RESULT(member, kind, ...)                                                                  \
    ISOCAST_FIELD(#member, kind, fit_result, member, NULL, __VA_ARGS__)
#define TEXT_OF(name, member, ...)                                                                 \
    ISOCAST_FIELD(name, TEXT, fit_result, member.text, NULL, __VA_ARGS__, .known = true)
#define TIMINGS(name, member, ...)                                                                 \
    ISOCAST_FIELD(name, COUNT, fit_timings, member, NULL, __VA_ARGS__, .from = timings_of,         \
                  .is_size = true, .known = true)
static const isocast_field operation_fields[] = {
    ISOCAST_FIELD("operation", TEXT, fit_result, name, NULL, "its name in formulas", .known = true),
    ISOCAST_PUT("p", put_span, NULL, ISOCAST_ROWS),
    ISOCAST_PUT("m", put_sizes, NULL, ISOCAST_ROWS),
    ISOCAST_MADE("p", NUMBERS, .element = count_of_p, NULL, "numbers of processes measured, rising",
                 .known = true),
    ISOCAST_MADE("m", NUMBERS, .element = size_of, "B", "sizes measured, rising", .known = true),
    TIMINGS("points", count, "pairs of p and m measured"),
    TIMINGS("launches", launches_most, "most launches that a pair was measured in"),
    ISOCAST_COUNT("switches", switch_count, NULL, ISOCAST_ROWS),
    RESULT(sigma_launch, SHARE,
           "standard deviation of ln T between launches; null where no pair has two",
           .optional = true),
    ISOCAST_NUMBER(
        "sigma_within", sigma_within, NULL,
        "standard deviation of ln T within a launch, by the quartiles; null where not known",
        ISOCAST_JSON),
    RESULT(mean_error, SHARE, "mean relative error of the formula at the points", .known = true),
    RESULT(max_error, NUMBER, "largest of them", ISOCAST_JSON, .known = true),
    RESULT(forecast_error, SHARE,
           "median relative error of forecasts of the largest p from smaller ones; null where p "
           "has too few values",
           .optional = true),
    RESULT(forecasts, COUNT, "how many these are", ISOCAST_JSON, .is_size = true, .known = true),
    TEXT_OF("model", model, "the formula in words"),
    TEXT_OF("formula", formula, "its time in p and m, for a machine file", ISOCAST_FILES),
    ISOCAST_LIST("switches", switch_item, &switch_table, "where the time changes its law in m"),
    ISOCAST_LIST("coefficients", coefficient_item, &coefficients,
                 "of the formula, in its order; one, the level, where it is made of tables"),
    ISOCAST_MADE("covariance", FOREIGN, .foreign = covariance_of, NULL,
                 "of the coefficients, in their order",
                 .schema =
                     "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"description\": "
                     "\"a row\", \"items\": {\"type\": \"number\", \"description\": \"in the "
                     "product of the units of both [1]\"}}}"),
    ISOCAST_LIST("beyond", forecast_item, &forecast_table,
                 "what the formula gives at the p of --to, or 2, 4 and 8 times the largest, at "
                 "every size measured"),
    TEXT_OF("verdict", verdict, "how far it may be trusted, in sentences", ISOCAST_FILES)};
static const isocast_table operations = ISOCAST_TABLE_OF(operation_fields, "one operation");
ISOCAST_OWN_ITEMS(operation_item, view_of(in)->results->count, &view_of(in)->results->items[i])

static void *files_of(const isocast_at *at) {
    json_t *files = json_array();
    for (size_t i = 0; i < view_of(at)->file_count; i++) {
        cli_json_append(&files, cli_json_string(view_of(at)->files[i]));
    }
    return files;
}

static const isocast_field provenance_fields[] = {
    CLI_VERSION, CLI_COMMAND,
    ISOCAST_MADE("files", FOREIGN, .foreign = files_of, NULL, "the files of timings",
                 .schema = "{\"type\": \"array\", \"items\": {\"type\": \"string\", "
                           "\"description\": \"a path as it was given\"}}")};
static const isocast_table provenance = {NULL, NULL, ISOCAST_TABLE(provenance_fields)};

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.fit/1"),
    ISOCAST_LIST("operations", operation_item, &operations,
                 "one for each operation that has timings"),
    ISOCAST_OBJECT("provenance", NULL, &provenance, "where the result comes from", .known = true)};
const isocast_table cli_fit_document = {"fit", "what isocast fit-operations writes",
                                        ISOCAST_TABLE(fields)};

static cli_report *report_operations(const cli_fit_view *view) {
    cli_report *report = cli_report_create();
    cli_fields_fill(report, &operations, view, operation_item);
    for (size_t i = 0; i < view->results->count; i++) {
        const fit_result *result = &view->results->items[i];
        cli_note(report, "%s: %s", result->name,
                 result->verdict.text != NULL ? result->verdict.text : "");
    }
    return report;
}

static cli_report *report_coefficients(const cli_fit_view *view) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "Coefficients with standard errors");
    cli_fields_head(report, &coefficients, view);
    for (size_t i = 0; i < view->results->count; i++) {
        const isocast_at operation = {.result = view, .row = &view->results->items[i]};
        isocast_at at = {.result = view, .in = &operation};
        for (; at.index < fit_result_coefficients(operation.row); at.index++) {
            cli_fields_row(report, &coefficients, &at);
        }
    }
    return report;
}

size_t cli_reports_of_fit(const void *view, bool csv, cli_report **reports) {
    (void)csv;
    reports[0] = report_operations(view);
    reports[1] = report_coefficients(view);
    return 2;
}

void cli_fit_residuals(const observations *o, const fit_results *results, isocast_buffer *out) {
    isocast_buffer_puts(out, CLI_RESIDUALS_HEADER "\n");
    for (size_t i = 0; i < results->count; i++) {
        const fit_result *result = &results->items[i];
        for (size_t k = 0; k < result->timings.count; k++) {
            const fit_summary *at = &result->timings.items[k];
            double fitted = fit_result_time(result, at->p, at->m);
            for (size_t l = 0; l < at->launches; l++) {
                const observation *item = &o->items[at->first + l];
                isocast_buffer_printf(out, "%s,%.0f,%.0f,%u,%.6g,%.6g,%.6g\n", result->name, at->p,
                                      at->m, item->launch, item->seconds, fitted,
                                      fitted > 0 ? item->seconds / fitted : 0);
            }
        }
    }
}
