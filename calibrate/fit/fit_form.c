#include "fit_form.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "fit_switches.h"
#include "model/base/order.h"

/* A switch may lie anywhere, which costs more than a coefficient does. */
static const fit_criterion criterion = {FIT_PENALTY_BAYES, 2};

static fit_point point_at(double p, double m, double seconds) {
    return (fit_point){.p = p, .m = m, .nodes = 1, .p_node = p, .seconds = seconds, .weight = 1};
}

void fit_form_points(const fit_timings *t, fit_point *points) {
    for (size_t k = 0; k < t->count; k++) {
        points[k] = point_at(t->items[k].p, t->items[k].m, t->items[k].seconds);
    }
}

double fit_form_time(const fit_ranges *ranges, double p, double m) {
    fit_point at = point_at(p, m, NAN);
    return fit_ranges_time(ranges, &at);
}

ISOCAST_ORDER_BY(by_size, fit_point, x->m, x->p)

isocast_status fit_form_of_shape(const fit_timings *t, fit_shape shape, fit_ranges *out,
                                 double *score) {
    const fit_law *law = &fit_shape_laws[shape];
    fit_point *points = malloc((t->count + 1) * sizeof *points);
    if (points == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    fit_form_points(t, points);
    qsort(points, t->count, sizeof *points, by_size);
    /* Too few counts of processes leave only the steps and the volume. */
    unsigned few = 1U << FIT_SHAPE_STEPS | 1U << FIT_SHAPE_VOLUME;
    fit_search search = {.law = law,
                         .allowed = t->p_count < 3 ? few : (1U << law->count) - 1,
                         .criterion = criterion};
    isocast_status status = fit_switches_choose(points, t->count, &search, out, score);
    free(points);
    return status;
}

/* Forecasts of the last numbers of processes by one shape: *squares is the sum of squared
 * ln(forecast/measured). errors: relative ones are appended, shape [2 times the points]. Errors as
 * of fit_form_of_shape. */
static isocast_status forecast(const fit_timings *t, fit_shape shape, double *squares,
                               double *errors, size_t *count) {
    isocast_status status = ISOCAST_OK;
    *squares = 0;
    *count = 0;
    for (size_t left_out = 1; left_out <= 2 && t->p_count >= 2 + left_out; left_out++) {
        fit_timings known = fit_timings_without_last(t, left_out);
        fit_ranges ranges;
        double score;
        status = fit_form_of_shape(&known, shape, &ranges, &score);
        if (status != ISOCAST_OK) {
            return status;
        }
        for (size_t k = known.count; k < t->count; k++) {
            double seconds = fit_form_time(&ranges, t->items[k].p, t->items[k].m);
            *squares += pow(log(seconds / t->items[k].seconds), 2);
            errors[(*count)++] = fabs(seconds / t->items[k].seconds - 1);
        }
    }
    return status;
}

static void note_errors(const fit_timings *t, fit_form *form) {
    for (size_t k = 0; k < t->count; k++) {
        double seconds = fit_form_time(&form->ranges, t->items[k].p, t->items[k].m);
        double error = fabs(seconds / t->items[k].seconds - 1);
        form->mean_error += error / (double)t->count;
        form->max_error = fmax(form->max_error, error);
    }
    form->coefficient_count = fit_ranges_coefficients(&form->ranges);
}

isocast_status fit_form_choose(const fit_timings *t, bool message, fit_form *out) {
    double *errors = malloc((2 * t->count + 1) * sizeof *errors);
    fit_form form = {0};
    double best = INFINITY;
    isocast_status status = errors != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (int shape = 0; status != ISOCAST_NO_MEMORY && shape < FIT_SHAPES; shape++) {
        fit_ranges ranges;
        double score = INFINITY;
        double squares = 0;
        size_t count = 0;
        if ((shape == FIT_SHAPE_MESSAGE) != message) {
            continue;
        }
        status = fit_form_of_shape(t, (fit_shape)shape, &ranges, &score);
        if (status == ISOCAST_OK) {
            status = forecast(t, (fit_shape)shape, &squares, errors, &count);
        }
        score += count > 0 ? fit_criterion_score(&criterion, squares, count, 0) : 0;
        if (status == ISOCAST_OK && score < best) {
            best = score;
            form = (fit_form){.shape = (fit_shape)shape,
                              .ranges = ranges,
                              .validated = count > 0 ? isocast_median(errors, count) : NAN,
                              .validated_count = count};
        }
    }
    free(errors);
    if (status == ISOCAST_NO_MEMORY) {
        return status;
    }
    if (!isfinite(best)) {
        return ISOCAST_NUMERIC;
    }
    note_errors(t, &form);
    *out = form;
    return ISOCAST_OK;
}
