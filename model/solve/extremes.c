#include "extremes.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 641, ITERATIONS_MAX = 200 };

/* Points in rising N, evenly in ln N. */
typedef struct samples {
    size_t count;
    double N[SAMPLES];
    isocast_balance at[SAMPLES];
} samples;

/* Free with free(). Errors: NO_MEMORY. */
static isocast_status take_samples(const isocast_extremes_source *source, double low, double high,
                                   samples **out) {
    samples *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    all->count = low < high ? SAMPLES : 1;
    double step = log(high / low) / (SAMPLES - 1);
    for (size_t k = 0; k < all->count; k++) {
        all->N[k] = fmin(low * exp(step * (double)k), high);
    }
    all->N[all->count - 1] = all->count > 1 ? high : low;
    isocast_status status = source->evaluate(source->context, all->count, all->N, all->at);
    if (status != ISOCAST_OK) {
        free(all);
        return status;
    }
    *out = all;
    return ISOCAST_OK;
}

/* E as minus its value, for GSL's minimizer; `sign` 1 for a minimum. */
typedef struct extreme {
    const isocast_extremes_source *source;
    double sign;
    double origin; /* N = origin exp(x) */
    double worst;  /* E of the bracket's worse end, taken where there is no E */
    isocast_status status;
} extreme;

static double extreme_at(double x, void *context) {
    extreme *e = context;
    double N = e->origin * exp(x);
    isocast_balance b = {.E = NAN};
    isocast_status status = e->source->evaluate(e->source->context, 1, &N, &b);
    e->status = status != ISOCAST_OK ? status : e->status;
    /* GSL ends the process on a value that is not finite. */
    return e->sign * (isfinite(b.E) ? b.E : e->worst);
}

/* Follows a peak (sign -1) or dip (sign 1) at sample k, which is higher or lower than both its
 * neighbours, to its extreme. */
static isocast_status follow_extreme(const isocast_extremes_source *source, const samples *all,
                                     size_t k, double sign, double *N, double *E) {
    double left = all->at[k - 1].E;
    double right = all->at[k + 1].E;
    extreme context = {source, sign, all->N[k - 1],
                       sign > 0 ? fmax(left, right) : fmin(left, right), ISOCAST_OK};
    double origin = context.origin;
    gsl_function function = {extreme_at, &context};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (minimizer == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    if (gsl_min_fminimizer_set_with_values(minimizer, &function, log(all->N[k] / origin),
                                           sign * all->at[k].E, 0, sign * all->at[k - 1].E,
                                           log(all->N[k + 1] / origin),
                                           sign * all->at[k + 1].E) == GSL_SUCCESS) {
        for (int i = 0; i < ITERATIONS_MAX; i++) {
            if (gsl_min_fminimizer_iterate(minimizer) != GSL_SUCCESS ||
                gsl_min_test_interval(gsl_min_fminimizer_x_lower(minimizer),
                                      gsl_min_fminimizer_x_upper(minimizer), 1e-9,
                                      0) == GSL_SUCCESS) {
                break;
            }
        }
        *N = origin * exp(gsl_min_fminimizer_x_minimum(minimizer));
        *E = sign * gsl_min_fminimizer_f_minimum(minimizer);
    }
    gsl_min_fminimizer_free(minimizer);
    return context.status;
}

/* The sample with the largest (sign -1) or smallest (sign 1) E; `count` where E has no value. */
static size_t extreme_sample(const samples *all, double sign) {
    size_t best = all->count;
    for (size_t k = 0; k < all->count; k++) {
        if (isfinite(all->at[k].E) &&
            (best == all->count || sign * all->at[k].E < sign * all->at[best].E)) {
            best = k;
        }
    }
    return best;
}

static isocast_status find_extreme(const isocast_extremes_source *source, const samples *all,
                                   double sign, double *N, double *E) {
    size_t best = extreme_sample(all, sign);
    if (best == all->count) {
        return ISOCAST_OK;
    }
    *N = all->N[best];
    *E = all->at[best].E;
    if (best > 0 && best + 1 < all->count && sign * all->at[best - 1].E > sign * *E &&
        sign * all->at[best + 1].E > sign * *E) {
        return follow_extreme(source, all, best, sign, N, E);
    }
    return ISOCAST_OK;
}

isocast_status isocast_extremes_find(const isocast_extremes_source *source, double low, double high,
                                     isocast_solution *solution) {
    samples *all;
    isocast_status status = take_samples(source, low, high, &all);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = find_extreme(source, all, 1, &solution->least_N, &solution->least_E);
    if (status == ISOCAST_OK) {
        status = find_extreme(source, all, -1, &solution->best_N, &solution->best_E);
    }
    /* Where E saturates, rounding decides which point is the largest: as good as the last is the
     * end. */
    double last = all->at[all->count - 1].E;
    solution->best_at_end = last >= solution->best_E * (1 - 1e-9);
    if (solution->best_at_end) {
        solution->best_E = last;
        solution->best_N = all->N[all->count - 1];
    }
    free(all);
    return status;
}
