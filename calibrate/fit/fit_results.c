#include "fit_results.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "fit_bootstrap.h"
#include "fit_formula.h"
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

static void note_errors(fit_result *result) {
    for (size_t k = 0; k < result->timings.count; k++) {
        const fit_summary *at = &result->timings.items[k];
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
        fit_ranges form;
        fit_forward forward = {0};
        double score;
        isocast_status status = share > 0
                                    ? fit_form_of_shape(&known, result->form.shape, &form, &score)
                                    : ISOCAST_NUMERIC;
        good = status != ISOCAST_NO_MEMORY && fit_forward_learn(&known, &forward);
        share = status == ISOCAST_OK ? share : 0;
        for (size_t k = known.count; good && k < t->count; k++) {
            const fit_summary *at = &t->items[k];
            double seconds = fit_result_mix(share, &form, &forward, at->p, at->m);
            errors[result->forecasts++] = fabs(seconds / at->seconds - 1);
            result->forecast_factor = fmax(result->forecast_factor, at->p / last);
        }
        fit_forward_free(&forward);
    }
    result->forecast_error =
        result->forecasts > 0 ? isocast_median(errors, result->forecasts) : NAN;
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
    fit_bootstrap_settings bootstrap = {settings->draws, settings->seed};
    isocast_status status = fit_form_choose(t, is_message(result->name), &result->form);
    result->has_form = status == ISOCAST_OK;
    if (status == ISOCAST_NO_MEMORY || !fit_forward_learn(t, &result->forward) ||
        (result->has_form && !fit_bootstrap(o, t, &bootstrap, &result->form))) {
        return false;
    }
    result->form_share = share_of_form(result);
    if (!note_forecasts(result)) {
        return false;
    }
    fit_formula_write(result, &result->formula);
    fit_formula_write_model(result, &result->model);
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
