#include "fit_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "fit_bootstrap.h"
#include "fit_switches.h"
#include "fit_verdict.h"
#include "model/base/known_operation.h"

/* The two models are weighted by the inverse squares of their errors, which are taken for no less
 * than this: ln T. */
static const double error_least = 0.03;
/* The error of a growth that could not be forecast. */
static const double error_untested = 0.1;
/* Formulas that are off by less, or by no more than launches differ, are taken alone, as they are
 * the easier to read; and so is either model that has most of the weight. */
static const double form_error_good = 0.05;
static const double form_error_noisy = 0.1; /* at most, however far launches differ */
static const double share_whole = 0.8;

/* Messages between two, and work of one process: the others only look on. */
static bool is_message(const char *name) {
    const isocast_known_operation *known = isocast_known_operation_find(name);
    return known != NULL &&
           (known->kind == ISOCAST_OPERATION_MESSAGE || known->kind == ISOCAST_OPERATION_WORK);
}

static double share_of_form(const fit_result *result) {
    if (!result->has_form) {
        return 0;
    }
    const fit_form *form = &result->form;
    const fit_forward *forward = &result->forward;
    /* A formula that does not follow the points has forecast well by luck. */
    double form_error =
        form->validated_count > 0 ? fmax(form->validated, form->mean_error) : form->mean_error;
    double growth_error = forward->validated_count > 0 ? forward->validated : error_untested;
    double a = form_error * form_error + error_least * error_least;
    double b = growth_error * growth_error + error_least * error_least;
    double share = b / (a + b);
    double good =
        fmax(form_error_good, fmin(sqrt(result->timings.launch_variance), form_error_noisy));
    if (form_error <= good || share > share_whole) {
        return 1;
    }
    return share < 1 - share_whole ? 0 : round(100 * share) / 100;
}

/* The two models' times by their shares; that of a model without a share is not asked for. */
static double mix(double share, const fit_form *form, const fit_forward *forward, double p,
                  double m) {
    double seconds = share > 0 ? share * fit_form_time(form, p, m) : 0;
    return share < 1 ? seconds + (1 - share) * fit_forward_time(forward, p, m) : seconds;
}

double fit_result_time(const fit_result *result, double p, double m) {
    return mix(result->form_share, &result->form, &result->forward, p, m);
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

/* One function of p: its coefficients at the sizes, as a table over m. */
static void write_table(const fit_forward *f, fit_growth_function function, isocast_buffer *out) {
    if (f->size_count == 1) {
        isocast_buffer_printf(out, "%.6g s", f->sizes[0].mean.coefficient[function]);
        return;
    }
    isocast_buffer_puts(out, "interpolate(m");
    for (size_t i = 0; i < f->size_count; i++) {
        isocast_buffer_printf(out, ", %.0f B, %.6g s", f->sizes[i].m,
                              f->sizes[i].mean.coefficient[function]);
    }
    isocast_buffer_puts(out, ")");
}

/* The forecast as a formula: tables of coefficients times functions of p. */
static void write_growth(const fit_forward *f, const char *prefix, isocast_buffer *out) {
    static const char *const factors[FIT_GROWTH_FUNCTIONS] = {[FIT_GROWTH_ONE] = "",
                                                              [FIT_GROWTH_LOG] = "*log2(p)",
                                                              [FIT_GROWTH_LOG_SQUARE] =
                                                                  "*log2(p)^2",
                                                              [FIT_GROWTH_FOURTH_ROOT] = "*p^0.25",
                                                              [FIT_GROWTH_ROOT] = "*p^0.5",
                                                              [FIT_GROWTH_LINEAR] = "*p"};
    double last = f->sizes[f->size_count - 1].m;
    isocast_buffer_printf(out, "%s_level*(", prefix);
    const char *plus = "";
    for (int function = 0; function < FIT_GROWTH_FUNCTIONS; function++) {
        bool used = false;
        for (size_t i = 0; i < f->size_count; i++) {
            used = used || f->sizes[i].mean.coefficient[function] > 0;
        }
        if (used) {
            isocast_buffer_puts(out, plus);
            write_table(f, (fit_growth_function)function, out);
            isocast_buffer_puts(out, factors[function]);
            plus = " + ";
        }
    }
    isocast_buffer_puts(out, ")");
    /* Beyond the largest size in proportion to it. */
    if (last > 0) {
        isocast_buffer_printf(out, "*max(1, m/(%.0f B))", last);
    }
}

static void write_formula(fit_result *result) {
    isocast_buffer *out = &result->formula;
    const char *prefix = isocast_operation_stem(result->name);
    if (result->form_share == 1) {
        fit_form_write(&result->form, prefix, out);
        return;
    }
    if (result->form_share > 0) {
        isocast_buffer_printf(out, "%.2f*(", result->form_share);
        fit_form_write(&result->form, prefix, out);
        isocast_buffer_printf(out, ") + %.2f*", 1 - result->form_share);
    }
    write_growth(&result->forward, prefix, out);
}

static void write_model(fit_result *result) {
    isocast_buffer *out = &result->model;
    if (result->form_share > 0) {
        isocast_buffer_printf(out, "%s", fit_shape_name(result->form.shape));
        if (result->form.count > 1) {
            isocast_buffer_printf(out, ", %zu ranges", result->form.count);
        }
    }
    if (result->form_share == 1) {
        return;
    }
    if (result->form_share > 0) {
        isocast_buffer_printf(out, " (%.0f %%); ", 100 * result->form_share);
    }
    if (result->timings.p_count == 1) {
        isocast_buffer_puts(out, "as measured at each size");
        return;
    }
    isocast_buffer_puts(out, "at each size mean of");
    for (size_t i = 0; i < FIT_FORWARD_CHOSEN && result->forward.weights[i] > 0; i++) {
        isocast_buffer_printf(out, "%s %s", i > 0 ? "," : "",
                              fit_growth_name(result->forward.chosen[i]));
    }
}

static void note_errors(fit_result *result) {
    for (size_t k = 0; k < result->timings.count; k++) {
        const fit_timing *at = &result->timings.items[k];
        double error = fabs(fit_result_time(result, at->p, at->m) / at->seconds - 1);
        result->mean_error += error / (double)result->timings.count;
        result->max_error = fmax(result->max_error, error);
    }
    result->sigma_launch =
        result->timings.launch_variance > 0 ? sqrt(result->timings.launch_variance) : NAN;
}

/* What formulas of the same make, fitted without the largest p and without the two largest, say of
 * these. False where memory is short. */
static bool note_forecasts(fit_result *result) {
    const fit_timings *t = &result->timings;
    double *errors = malloc((2 * t->count + 1) * sizeof *errors);
    bool good = errors != NULL;
    for (size_t left_out = 1; good && left_out <= 2 && t->p_count >= 2 + left_out; left_out++) {
        fit_timings known = fit_timings_without_last(t, left_out);
        double last = known.counts_of_p[known.p_count - 1];
        double share = result->form_share;
        fit_form form;
        fit_forward forward = {0};
        double score =
            share > 0 ? fit_switches_choose(&known, result->form.shape, &form) : INFINITY;
        bool has_form = isfinite(score);
        good = !isnan(score) && fit_forward_learn(&known, &forward);
        share = has_form ? share : 0;
        for (size_t k = known.count; good && k < t->count; k++) {
            const fit_timing *at = &t->items[k];
            double seconds = mix(share, &form, &forward, at->p, at->m);
            errors[result->forecasts++] = fabs(seconds / at->seconds - 1);
            result->forecast_factor = fmax(result->forecast_factor, at->p / last);
        }
        fit_forward_free(&forward);
    }
    result->forecast_error = result->forecasts > 0 ? median_of(errors, result->forecasts) : NAN;
    free(errors);
    return good;
}

bool fit_result_make(const observations *o, uint32_t operation, const fit_result_settings *settings,
                     fit_result *result) {
    *result = (fit_result){.name = o->operations.texts[operation], .operation = operation};
    if (!fit_timings_make(o, operation, settings->p_most, &result->timings)) {
        return false;
    }
    const fit_timings *t = &result->timings;
    if (t->count == 0) {
        return true;
    }
    if (!fit_form_choose(t, is_message(result->name), &result->form, &result->has_form) ||
        !fit_forward_learn(t, &result->forward) ||
        (result->has_form &&
         !fit_bootstrap(o, t, settings->draws, settings->seed, &result->form))) {
        return false;
    }
    result->form_share = share_of_form(result);
    if (!note_forecasts(result)) {
        return false;
    }
    write_formula(result);
    write_model(result);
    note_errors(result);
    fit_verdict_write(result, &result->verdict);
    return !result->formula.failed && !result->model.failed && !result->verdict.failed;
}

bool fit_results_make(const observations *o, const fit_result_settings *settings,
                      fit_results *out) {
    fit_results all = {.items = calloc(o->operations.count + 1, sizeof *all.items)};
    bool good = all.items != NULL;
    for (uint32_t i = 0; good && i < o->operations.count; i++) {
        fit_result *result = &all.items[all.count++];
        good = fit_result_make(o, i, settings, result);
        /* An operation may be named without a time. */
        if (result->timings.count == 0) {
            fit_result_free(result);
            all.count--;
        }
    }
    if (good) {
        *out = all;
    } else {
        fit_results_free(&all);
    }
    return good;
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
        return result->form.covariance[a][b];
    }
    return a == b ? result->forward.launches / (double)result->timings.launches_most : 0;
}

/* The range and the term of a form's coefficient. */
static fit_shape_term find_term(const fit_form *form, size_t index, size_t *range) {
    for (*range = 0; *range < form->count; (*range)++) {
        for (int term = 0; term < FIT_SHAPE_TERMS; term++) {
            if ((form->ranges[*range].terms >> term & 1U) != 0 && index-- == 0) {
                return (fit_shape_term)term;
            }
        }
    }
    return FIT_SHAPE_STEPS;
}

fit_coefficient fit_result_coefficient(const fit_result *result, size_t index) {
    fit_coefficient out = {
        .value = 1, .unit = "", .error = sqrt(fit_result_covariance(result, index, index))};
    const char *prefix = isocast_operation_stem(result->name);
    if (index < form_coefficients(result)) {
        size_t range = 0;
        fit_shape_term term = find_term(&result->form, index, &range);
        fit_form_coefficient_name(&result->form, prefix, range, term, out.name, sizeof out.name);
        out.value = result->form.ranges[range].coefficient[term];
        out.unit = fit_shape_term_unit(term);
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
