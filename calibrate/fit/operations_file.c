#include "operations_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit_result_text.h"
#include "machine_origin.h"
#include "machine_text.h"

static size_t stem_length(const char *name) {
    const char *end = strstr(name, OBSERVATIONS_ON_ONE_NODE);
    return end != NULL ? (size_t)(end - name) : strlen(name);
}

static bool is_on_one_node(const fit_result *result) {
    return strstr(result->name, OBSERVATIONS_ON_ONE_NODE) != NULL;
}

/* The same operation, where it was measured on one node and on several; NULL where it was not. */
static const fit_result *partner_of(const fit_results *results, const fit_result *result) {
    size_t length = stem_length(result->name);
    for (size_t i = 0; i < results->count; i++) {
        const fit_result *other = &results->items[i];
        if (other != result && stem_length(other->name) == length &&
            strncmp(other->name, result->name, length) == 0) {
            return other;
        }
    }
    return NULL;
}

static void widen(const fit_result *result, double p[2], double m[2]) {
    const fit_timings *t = &result->timings;
    p[0] = fmin(p[0], t->counts_of_p[0]);
    p[1] = fmax(p[1], t->counts_of_p[t->p_count - 1]);
    m[0] = fmin(m[0], t->sizes[0]);
    m[1] = fmax(m[1], t->sizes[t->size_count - 1]);
}

/* What is spoken of the fit is that of several nodes, where one_node is not NULL. */
static void put_operation(const fit_result *result, const fit_result *one_node,
                          isocast_buffer *out) {
    char name[FIT_NAME_MAX];
    snprintf(name, sizeof name, "%.*s", (int)stem_length(result->name), result->name);
    machine_text_head(out, "  ", name);
    double p[2] = {INFINITY, 0};
    double m[2] = {INFINITY, 0};
    widen(result, p, m);
    if (one_node != NULL) {
        widen(one_node, p, m);
    }
    machine_text_measured(out, p, m);
    isocast_buffer_printf(out, "    fit:\n      points: %zu\n      mean_error: %.3g\n",
                          result->timings.count, result->mean_error);
    isocast_buffer_printf(out, "      max_error: %.3g\n", result->max_error);
    if (result->forecasts > 0) {
        isocast_buffer_printf(out, "      forecast_error: %.3g\n", result->forecast_error);
    }
    machine_text_entry(out, "      ", "form", result->model.text);
    machine_text_entry(out, "      ", "verdict", result->verdict.text);
    if (one_node == NULL) {
        fit_result_put(result, 4, out);
        return;
    }
    isocast_buffer_puts(out, "    one_node:\n");
    fit_result_put(one_node, 6, out);
    isocast_buffer_puts(out, "    several_nodes:\n");
    fit_result_put(result, 6, out);
}

static void put_operations(const fit_results *results, isocast_buffer *out) {
    isocast_buffer_puts(out, "operations:    # times in p and the message size m\n");
    for (size_t i = 0; i < results->count; i++) {
        const fit_result *result = &results->items[i];
        const fit_result *partner = partner_of(results, result);
        if (partner == NULL || !is_on_one_node(result)) {
            put_operation(result, partner, out);
        }
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
    machine_origin_put_sigma(counts[0] > 0 ? sqrt(sums[0] / counts[0]) : NAN,
                             counts[1] > 0 ? sqrt(sums[1] / counts[1]) : NAN, out);
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
    machine_origin origin = {.subcommand = "fit-operations",
                             .verb = "fitted",
                             .name = file->name,
                             .date = file->date,
                             .version = file->version,
                             .command = file->command,
                             .seed = file->settings->seed,
                             .launches = most_launches(results)};
    machine_origin_put_head(&origin, out);
    isocast_buffer_printf(
        out, "nodes:\n  node: {count: %.0f, processors: %.0f, marked_speed: %.6g Mflop/s}\n",
        file->nodes, file->processors, file->marked_speed * 1e-6);
    put_operations(results, out);
    machine_origin_put_calibration(&origin, out);
    machine_text_entry(out, "  ", "samples", file->sources);
    if (file->system != NULL) {
        machine_text_entry(out, "  ", "system", file->system);
    }
    put_sigmas(results, out);
}
