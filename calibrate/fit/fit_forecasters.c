#include "fit_forecasters.h"

#include <math.h>

#include "calibrate/samples/median.h"

/* Times do not fall as processes are added, and grow no faster than the pairs of processes that a
 * shared link may serve, times their number. */
static const double exponent_least = 0;
static const double exponent_most = 3;

static double exponent(const fit_growth_point *from, const fit_growth_point *to, double without) {
    return log(to->seconds / from->seconds) / log((to->p - without) / (from->p - without));
}

fit_paces fit_paces_of(double per_node, const fit_growth_point *points, size_t count) {
    const fit_growth_point *end = points + count - 1;
    fit_paces paces = {NAN, NAN, NAN, NAN};
    if (count >= 2) {
        paces.last = exponent(end - 1, end, 0);
        paces.outside = end[-1].p > per_node ? exponent(end - 1, end, per_node) : NAN;
    }
    if (count >= 3) {
        paces.two = exponent(end - 2, end, 0);
        paces.outside_two = end[-2].p > per_node ? exponent(end - 2, end, per_node) : NAN;
    }
    return paces;
}

/* Of those that are known; NAN where none is. step: numbers from one to the next. */
static double median_known(const double *values, size_t count, size_t step) {
    double known[FIT_PACES_AROUND];
    size_t found = 0;
    for (size_t i = 0; i < count && found < FIT_PACES_AROUND; i++) {
        if (!isnan(values[i * step])) {
            known[found++] = values[i * step];
        }
    }
    return found > 0 ? isocast_median(known, found) : NAN;
}

fit_paces fit_paces_median(const fit_paces *paces, size_t count) {
    enum { STEP = sizeof(fit_paces) / sizeof(double) };
    return (fit_paces){
        median_known(&paces->last, count, STEP), median_known(&paces->two, count, STEP),
        median_known(&paces->outside, count, STEP), median_known(&paces->outside_two, count, STEP)};
}

void fit_forecasts_make(double per_node, const fit_growth_point *points, size_t count,
                        const fit_paces *around, fit_forecasts *out) {
    fit_paces own = fit_paces_of(per_node, points, count);
    *out = (fit_forecasts){
        .exponents = {own.last, around->last, own.two, around->two, own.outside, around->outside,
                      own.outside_two, around->outside_two},
        .per_node = per_node,
        .p_last = points[count - 1].p,
        .seconds_last = points[count - 1].seconds,
    };
    for (int kind = 0; kind < FIT_GROWTH_KINDS; kind++) {
        out->known[kind] =
            fit_growth_fit((fit_growth_kind)kind, per_node, points, count, &out->growths[kind]);
    }
    for (int pace = 0; pace < FIT_PACES; pace++) {
        double *e = &out->exponents[pace];
        out->known[FIT_GROWTH_KINDS + pace] = !isnan(*e);
        *e = fmin(fmax(*e, exponent_least), exponent_most);
    }
}

void fit_forecasts_scale(fit_forecasts *f, double factor) {
    for (int kind = 0; kind < FIT_GROWTH_KINDS; kind++) {
        for (int g = 0; g < FIT_GROWTH_FUNCTIONS; g++) {
            f->growths[kind].coefficient[g] *= factor;
        }
    }
    f->seconds_last *= factor;
}

double fit_forecast_of(const fit_forecasts *f, int forecaster, double p) {
    if (forecaster < FIT_GROWTH_KINDS) {
        return fit_growth_time(&f->growths[forecaster], p);
    }
    int pace = forecaster - FIT_GROWTH_KINDS;
    double without = pace >= FIT_PACE_OUTSIDE ? f->per_node : 0;
    return f->seconds_last * pow((p - without) / (f->p_last - without), f->exponents[pace]);
}

double fit_forecast_median(const fit_forecasts *f, const double *weights, double p) {
    isocast_weighed values[FIT_FORECASTERS];
    size_t count = 0;
    for (int i = 0; i < FIT_FORECASTERS; i++) {
        if (f->known[i] && weights[i] > 0) {
            values[count++] = (isocast_weighed){log(fit_forecast_of(f, i, p)), weights[i]};
        }
    }
    return count > 0 ? exp(isocast_weighed_median(values, count)) : NAN;
}
