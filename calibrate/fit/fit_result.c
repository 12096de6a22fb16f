#include "fit_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fit_text.h"
#include "model/base/operation_name.h"

double fit_result_mix(double share, const fit_ranges *form, const fit_forward *forward, double p,
                      double m) {
    double seconds = share > 0 ? share * fit_form_time(form, p, m) : 0;
    return share < 1 ? seconds + (1 - share) * fit_forward_time(forward, p, m) : seconds;
}

double fit_result_time(const fit_result *result, double p, double m) {
    return fit_result_mix(result->form_share, &result->form.ranges, &result->forward, p, m);
}

double fit_result_band(const fit_result *result, double p, double m, double *low, double *high) {
    double growth = fit_forward_band(&result->forward, p, m, low, high);
    double seconds = fit_result_time(result, p, m);
    /* The band is about the growth's forecast; about the formula it has the same width, and holds
     * both. */
    *low = fmin(*low, *low * seconds / growth);
    *high = fmax(*high, *high * seconds / growth);
    return seconds;
}

/* Of the form's coefficients, those in the formula. */
static size_t form_coefficients(const fit_result *result) {
    return result->form_share > 0 ? result->form.coefficient_count : 0;
}

size_t fit_result_coefficients(const fit_result *result) {
    return form_coefficients(result) + (result->form_share < 1 ? 1 : 0);
}

double fit_result_covariance(const fit_result *result, size_t a, size_t b) {
    size_t level = form_coefficients(result);
    if (a < level && b < level) {
        return result->form.covariance[a * level + b];
    }
    return a == b ? result->forward.launches / (double)result->timings.launches_most : 0;
}

fit_coefficient fit_result_coefficient(const fit_result *result, size_t index) {
    fit_coefficient out = {
        .value = 1, .unit = "", .error = sqrt(fit_result_covariance(result, index, index))};
    const char *prefix = isocast_operation_stem(result->name);
    if (index < form_coefficients(result)) {
        const fit_ranges *ranges = &result->form.ranges;
        fit_place places[FIT_COEFFICIENTS_MAX];
        (void)fit_ranges_places(ranges, places);
        const fit_place *at = &places[index];
        fit_coefficient_name(ranges, prefix, at, out.name, sizeof out.name);
        out.value = ranges->items[at->range].coefficient[at->term];
        out.unit = fit_law_term(ranges->law, at->term)->unit;
    } else {
        snprintf(out.name, sizeof out.name, "%s_level", prefix);
    }
    return out;
}

void fit_result_free(fit_result *result) {
    fit_timings_free(&result->timings);
    fit_forward_free(&result->forward);
    isocast_buffer_free(&result->formula);
    isocast_buffer_free(&result->model);
    isocast_buffer_free(&result->verdict);
    *result = (fit_result){0};
}

void fit_results_free(fit_results *results) {
    for (size_t i = 0; i < results->count; i++) {
        fit_result_free(&results->items[i]);
    }
    free(results->items);
    *results = (fit_results){0};
}
