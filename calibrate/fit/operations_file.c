#include "operations_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

/* A YAML scalar in double quotes, without the control characters that reading would refuse. */
static void put_text(isocast_buffer *out, const char *text) {
    isocast_buffer clean = {0};
    isocast_text_clean(text, strlen(text), "", &clean);
    out->failed = out->failed || clean.failed;
    isocast_buffer_puts(out, "\"");
    for (size_t i = 0; i < clean.length; i++) {
        isocast_buffer_puts(out, clean.text[i] == '"' || clean.text[i] == '\\' ? "\\" : "");
        isocast_buffer_append(out, clean.text + i, 1);
    }
    isocast_buffer_puts(out, "\"");
    isocast_buffer_free(&clean);
}

static void put_entry(isocast_buffer *out, const char *key, const char *text) {
    isocast_buffer_puts(out, key);
    put_text(out, text);
    isocast_buffer_puts(out, "\n");
}

/* One coefficient of one operation. */
typedef struct cursor {
    size_t operation, index;
} cursor;

/* Whether there is one at the cursor, which goes on to the next operation where one is done. */
static bool at_coefficient(const fit_results *results, cursor *at) {
    while (at->operation < results->count &&
           at->index == fit_result_coefficients(&results->items[at->operation])) {
        *at = (cursor){at->operation + 1, 0};
    }
    return at->operation < results->count;
}

static fit_coefficient coefficient_at(const fit_results *results, const cursor *at) {
    return fit_result_coefficient(&results->items[at->operation], at->index);
}

static void put_parameters(const fit_results *results, isocast_buffer *out) {
    const char *head = "parameters:\n";
    for (cursor at = {0}; at_coefficient(results, &at); at.index++, head = "") {
        fit_coefficient one = coefficient_at(results, &at);
        isocast_buffer_printf(out, "%s  %s: %.9g%s%s\n", head, one.name, one.value,
                              one.unit[0] != '\0' ? " " : "", one.unit);
    }
}

static void put_operations(const fit_results *results, isocast_buffer *out) {
    isocast_buffer_puts(out, "operations:    # times in p and the message size m\n");
    for (size_t i = 0; i < results->count; i++) {
        const fit_result *result = &results->items[i];
        isocast_buffer_printf(out, "  %s: %s\n", result->name, result->formula.text);
    }
}

static void put_errors(const fit_results *results, isocast_buffer *out) {
    const char *head = "  standard_errors:\n";
    for (cursor at = {0}; at_coefficient(results, &at); at.index++, head = "") {
        fit_coefficient one = coefficient_at(results, &at);
        isocast_buffer_printf(out, "%s    %s: %.3g%s%s\n", head, one.name, one.error,
                              one.unit[0] != '\0' ? " " : "", one.unit);
    }
}

/* A matrix of more parameters is not written: a machine file has room for so many values. */
static const size_t matrix_most = 300;

/* The same as at_coefficient, but for operations of one coefficient, which is correlated with none.
 */
static bool at_correlated(const fit_results *results, cursor *at) {
    while (at_coefficient(results, at) &&
           fit_result_coefficients(&results->items[at->operation]) < 2) {
        at->index++;
    }
    return at->operation < results->count;
}

/* Coefficients of different operations are not correlated. */
static void put_row(const fit_results *results, const cursor *row, isocast_buffer *out) {
    const char *comma = "      - [";
    const fit_result *own = &results->items[row->operation];
    for (cursor at = {0}; at_correlated(results, &at); at.index++, comma = ", ") {
        double value =
            at.operation == row->operation ? fit_result_covariance(own, row->index, at.index) : 0;
        isocast_buffer_printf(out, "%s%.6g", comma, value);
    }
    isocast_buffer_puts(out, "]\n");
}

static void put_covariance(const fit_results *results, isocast_buffer *out) {
    size_t count = 0;
    for (cursor at = {0}; at_correlated(results, &at); at.index++) {
        count++;
    }
    if (count > matrix_most) {
        isocast_buffer_printf(out,
                              "  # Covariances are left out: %zu parameters are too many. The "
                              "JSON of fit-operations has them.\n",
                              count);
    }
    if (count == 0 || count > matrix_most) {
        return;
    }
    const char *comma = "  covariance:    # SI\n    parameters: [";
    for (cursor at = {0}; at_correlated(results, &at); at.index++, comma = ", ") {
        isocast_buffer_printf(out, "%s%s", comma, coefficient_at(results, &at).name);
    }
    isocast_buffer_puts(out, "]\n    matrix:\n");
    for (cursor row = {0}; at_correlated(results, &row); row.index++) {
        put_row(results, &row, out);
    }
}

static void put_ranges(const fit_results *results, isocast_buffer *out) {
    isocast_buffer_puts(out, "  ranges:\n");
    for (size_t i = 0; i < results->count; i++) {
        const fit_timings *t = &results->items[i].timings;
        isocast_buffer_printf(out, "    %s: {p: [%.0f, %.0f], m: [%.0f B, %.0f B]}\n",
                              results->items[i].name, t->counts_of_p[0],
                              t->counts_of_p[t->p_count - 1], t->sizes[0],
                              t->sizes[t->size_count - 1]);
    }
    isocast_buffer_puts(out, "  fit:\n");
    for (size_t i = 0; i < results->count; i++) {
        const fit_result *result = &results->items[i];
        isocast_buffer_printf(out, "    %s:\n      points: %zu\n      mean_error: %.3g\n",
                              result->name, result->timings.count, result->mean_error);
        isocast_buffer_printf(out, "      max_error: %.3g\n", result->max_error);
        if (result->forecasts > 0) {
            isocast_buffer_printf(out, "      forecast_error: %.3g\n", result->forecast_error);
        }
        put_entry(out, "      form: ", result->model.text);
        put_entry(out, "      verdict: ", result->verdict.text);
    }
}

/* The typical spreads over operations: root mean squares. */
static void put_sigmas(const fit_results *results, isocast_buffer *out) {
    double sums[2] = {0};
    double counts[2] = {0};
    for (size_t i = 0; i < results->count; i++) {
        const fit_timings *t = &results->items[i].timings;
        const double variances[2] = {t->launch_variance > 0 ? t->launch_variance : NAN,
                                     t->within_variance};
        for (int k = 0; k < 2; k++) {
            sums[k] += isnan(variances[k]) ? 0 : variances[k];
            counts[k] += isnan(variances[k]) ? 0 : 1;
        }
    }
    static const char *const keys[2] = {"launch", "within"};
    const char *mark = "  sigma: {";
    for (int k = 0; k < 2; k++) {
        if (counts[k] > 0) {
            isocast_buffer_printf(out, "%s%s: %.3g", mark, keys[k], sqrt(sums[k] / counts[k]));
            mark = ", ";
        }
    }
    isocast_buffer_puts(
        out, counts[0] + counts[1] > 0 ? "}    # sd of ln T between launches, within one\n" : "");
}

static size_t most_launches(const fit_results *results) {
    size_t most = 0;
    for (size_t i = 0; i < results->count; i++) {
        size_t launches = results->items[i].timings.launches_most;
        most = launches > most ? launches : most;
    }
    return most;
}

void operations_file_write(const operations_file *file, const fit_results *results,
                           isocast_buffer *out) {
    isocast_buffer_puts(
        out, "# Written by isocast fit-operations; every number can be changed by hand.\n");
    put_entry(out, "machine: ", file->name);
    isocast_buffer_puts(out, "source: ");
    char text[256];
    snprintf(text, sizeof text, "fitted %s with isocast %s", file->date, file->version);
    put_text(out, text);
    isocast_buffer_printf(
        out, "\nnodes:\n  node: {count: %.0f, processors: %.0f, marked_speed: %.6g Mflop/s}\n",
        file->nodes, file->processors, file->marked_speed * 1e-6);
    put_parameters(results, out);
    put_operations(results, out);
    isocast_buffer_printf(out, "calibration:\n  date: %s\n  isocast: %s\n", file->date,
                          file->version);
    put_entry(out, "  command: ", file->command);
    isocast_buffer_printf(out, "  seed: %llu\n  launches: %zu\n",
                          (unsigned long long)file->settings->seed, most_launches(results));
    put_entry(out, "  samples: ", file->sources);
    put_sigmas(results, out);
    put_ranges(results, out);
    put_errors(results, out);
    put_covariance(results, out);
}
