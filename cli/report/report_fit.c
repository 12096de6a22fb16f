#include "report_fit.h"

#include <math.h>
#include <string.h>

#include "calibrate/fit/fit_verdict.h"
#include "cli/output/json_text.h"
#include "plot_residuals.h"

static void put_span(cli_report *report, double from, double to) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, from < to ? "%.0f to %.0f" : "%.0f", from, to);
    cli_report_text(report, text.text);
    isocast_buffer_free(&text);
}

static void put_sizes(cli_report *report, const fit_timings *t) {
    isocast_buffer text = {0};
    fit_verdict_bytes(t->sizes[0], &text);
    if (t->size_count > 1) {
        isocast_buffer_puts(&text, " to ");
        fit_verdict_bytes(t->sizes[t->size_count - 1], &text);
    }
    cli_report_text(report, text.text);
    isocast_buffer_free(&text);
}

static size_t switches_of(const fit_result *result) {
    return result->has_form ? result->form.ranges.count - 1 : 0;
}

cli_report *cli_report_fit(const fit_results *results) {
    static const cli_column columns[] = {
        {.name = "operation", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_TEXT},
        {.name = "m", .kind = CLI_COLUMN_TEXT},
        {.name = "points", .kind = CLI_COLUMN_COUNT},
        {.name = "launches", .kind = CLI_COLUMN_COUNT},
        {.name = "switches", .kind = CLI_COLUMN_COUNT},
        {.name = "sigma_launch", .kind = CLI_COLUMN_SHARE, .optional = true},
        {.name = "mean_error", .kind = CLI_COLUMN_SHARE},
        {.name = "forecast_error", .kind = CLI_COLUMN_SHARE, .optional = true},
        {.name = "model", .kind = CLI_COLUMN_TEXT},
        {.name = "formula", .kind = CLI_COLUMN_TEXT, .file_only = true},
        {.name = "verdict", .kind = CLI_COLUMN_TEXT, .file_only = true}};
    cli_report *report = cli_report_create();
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    for (size_t i = 0; i < results->count; i++) {
        const fit_result *result = &results->items[i];
        const fit_timings *t = &result->timings;
        cli_report_text(report, result->name);
        put_span(report, t->counts_of_p[0], t->counts_of_p[t->p_count - 1]);
        put_sizes(report, t);
        cli_report_number(report, (double)t->count);
        cli_report_number(report, (double)t->launches_most);
        cli_report_number(report, (double)switches_of(result));
        cli_report_number(report, result->sigma_launch);
        cli_report_number(report, result->mean_error);
        cli_report_number(report, result->forecast_error);
        cli_report_text(report, result->model.text);
        cli_report_text(report, result->formula.text);
        cli_report_text(report, result->verdict.text);
        cli_report_footnote(report, "%s: %s", result->name,
                            result->verdict.text != NULL ? result->verdict.text : "");
    }
    return report;
}

cli_report *cli_report_coefficients(const fit_results *results) {
    static const cli_column columns[] = {{.name = "coefficient", .kind = CLI_COLUMN_TEXT},
                                         {.name = "value", .kind = CLI_COLUMN_TEXT},
                                         {.name = "standard_error", .kind = CLI_COLUMN_TEXT},
                                         {.name = "of", .kind = CLI_COLUMN_TEXT}};
    cli_report *report = cli_report_create();
    cli_report_title(report, "Coefficients with standard errors");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    for (size_t i = 0; i < results->count; i++) {
        const fit_result *result = &results->items[i];
        for (size_t k = 0; k < fit_result_coefficients(result); k++) {
            fit_coefficient one = fit_result_coefficient(result, k);
            char value[64];
            char error[64];
            snprintf(value, sizeof value, "%.4g %s", one.value, one.unit);
            snprintf(error, sizeof error, "%.2g %s", one.error, one.unit);
            cli_report_text(report, one.name);
            cli_report_text(report, value);
            cli_report_text(report, error);
            cli_report_text(report, result->name);
        }
    }
    return report;
}

static json_t *json_coefficients(const fit_result *result) {
    json_t *list = json_array();
    for (size_t k = 0; k < fit_result_coefficients(result); k++) {
        fit_coefficient one = fit_result_coefficient(result, k);
        json_t *object = json_object();
        cli_json_set(&object, "name", cli_json_string(one.name));
        cli_json_set(&object, "value", cli_json_number(one.value));
        cli_json_set(&object, "standard_error", cli_json_number(one.error));
        cli_json_set(&object, "unit", cli_json_string(one.unit[0] != '\0' ? one.unit : "1"));
        cli_json_append(&list, object);
    }
    return list;
}

static json_t *json_covariance(const fit_result *result) {
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

static json_t *json_switches(const fit_result *result) {
    json_t *list = json_array();
    for (size_t r = 1; result->has_form && r < result->form.ranges.count; r++) {
        json_t *one = json_object();
        cli_json_set(&one, "m_below", cli_json_number(result->form.ranges.items[r].below));
        cli_json_set(&one, "m_above", cli_json_number(result->form.ranges.items[r].first));
        cli_json_append(&list, one);
    }
    return list;
}

/* What the formula gives at the p asked for, else at 2, 4 and 8 times the largest, at each size,
 * with the band. */
static json_t *json_forecasts(const fit_result *result, const double *to, size_t to_count) {
    const fit_timings *t = &result->timings;
    double last = t->counts_of_p[t->p_count - 1];
    const double further[] = {2 * last, 4 * last, 8 * last};
    json_t *list = json_array();
    for (size_t k = 0; k < (to_count > 0 ? to_count : 3); k++) {
        for (size_t i = 0; i < t->size_count; i++) {
            double p = to_count > 0 ? to[k] : further[k];
            double low = 0;
            double high = 0;
            double seconds = fit_result_band(result, p, t->sizes[i], &low, &high);
            json_t *one = json_object();
            cli_json_set(&one, "p", cli_json_number(p));
            cli_json_set(&one, "m", cli_json_number(t->sizes[i]));
            cli_json_set(&one, "T", cli_json_number(seconds));
            cli_json_set(&one, "T_low", cli_json_number(low));
            cli_json_set(&one, "T_high", cli_json_number(high));
            cli_json_set(&one, "low_confidence", json_boolean(p > FIT_RESULT_TRUSTED * last));
            cli_json_append(&list, one);
        }
    }
    return list;
}

static json_t *json_operation(const fit_result *result, const double *to, size_t to_count) {
    const fit_timings *t = &result->timings;
    json_t *object = json_object();
    cli_json_set(&object, "operation", cli_json_string(result->name));
    cli_json_set(&object, "model", cli_json_string(result->model.text));
    cli_json_set(&object, "formula", cli_json_string(result->formula.text));
    cli_json_set(&object, "p", cli_json_numbers(t->counts_of_p, t->p_count));
    cli_json_set(&object, "m", cli_json_numbers(t->sizes, t->size_count));
    cli_json_set(&object, "points", cli_json_number((double)t->count));
    cli_json_set(&object, "launches", cli_json_number((double)t->launches_most));
    cli_json_set(&object, "sigma_launch", cli_json_number(result->sigma_launch));
    cli_json_set(&object, "sigma_within", cli_json_number(sqrt(t->within_variance)));
    cli_json_set(&object, "mean_error", cli_json_number(result->mean_error));
    cli_json_set(&object, "max_error", cli_json_number(result->max_error));
    cli_json_set(&object, "forecast_error", cli_json_number(result->forecast_error));
    cli_json_set(&object, "forecasts", cli_json_number((double)result->forecasts));
    cli_json_set(&object, "switches", json_switches(result));
    cli_json_set(&object, "coefficients", json_coefficients(result));
    cli_json_set(&object, "covariance", json_covariance(result));
    cli_json_set(&object, "beyond", json_forecasts(result, to, to_count));
    cli_json_set(&object, "verdict", cli_json_string(result->verdict.text));
    return object;
}

json_t *cli_json_fit(const fit_results *results, const double *to, size_t to_count,
                     json_t *provenance) {
    json_t *root = json_object();
    json_t *list = json_array();
    for (size_t i = 0; i < results->count; i++) {
        cli_json_append(&list, json_operation(&results->items[i], to, to_count));
    }
    cli_json_set(&root, "schema", json_string("isocast.fit/1"));
    cli_json_set(&root, "operations", list);
    cli_json_set(&root, "provenance", provenance);
    return root;
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
