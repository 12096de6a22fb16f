#include "fit_forecasters.h"

#include <math.h>

#include "calibrate/samples/median.h"

/* Times do not fall as processes are added, and grow no faster than the pairs of processes that a
 * shared link may serve, times their number. */
static const double exponent_least = 0;
static const double exponent_most = 3;

const char *fit_forecaster_name(int forecaster) {
    static const char *const paces[FIT_PACES] = {"the last pace", "the last pace around",
                                                 "the pace of two steps",
                                                 "the pace of two steps around"};
    return forecaster < FIT_GROWTH_KINDS ? fit_growth_name((fit_growth_kind)forecaster)
                                         : paces[forecaster - FIT_GROWTH_KINDS];
}

static double exponent(const fit_growth_point *from, const fit_growth_point *to) {
    return log(to->seconds / from->seconds) / log(to->p / from->p);
}

fit_paces fit_paces_of(const fit_growth_point *points, size_t count) {
    const fit_growth_point *end = points + count - 1;
    return (fit_paces){count >= 2 ? exponent(end - 1, end) : NAN,
                       count >= 3 ? exponent(end - 2, end) : NAN};
}

fit_paces fit_paces_median(const fit_paces *paces, size_t count) {
    double last[FIT_PACES_AROUND];
    double two[FIT_PACES_AROUND];
    size_t lasts = 0;
    size_t twos = 0;
    for (size_t i = 0; i < count && i < FIT_PACES_AROUND; i++) {
        if (!isnan(paces[i].last)) {
            last[lasts++] = paces[i].last;
        }
        if (!isnan(paces[i].two)) {
            two[twos++] = paces[i].two;
        }
    }
    return (fit_paces){lasts > 0 ? median_of(last, lasts) : NAN,
                       twos > 0 ? median_of(two, twos) : NAN};
}

void fit_forecasts_make(const fit_growth_point *points, size_t count, const fit_paces *around,
                        fit_forecasts *out) {
    fit_paces own = fit_paces_of(points, count);
    *out = (fit_forecasts){
        .exponents = {own.last, around->last, own.two, around->two},
        .p_last = points[count - 1].p,
        .seconds_last = points[count - 1].seconds,
    };
    for (int kind = 0; kind < FIT_GROWTH_KINDS; kind++) {
        out->known[kind] = fit_growth_fit((fit_growth_kind)kind, points, count, &out->growths[kind]);
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
    return f->seconds_last * pow(p / f->p_last, f->exponents[forecaster - FIT_GROWTH_KINDS]);
}

double fit_forecast_median(const fit_forecasts *f, const double *weights, double p) {
    double seconds[FIT_FORECASTERS];
    double weight[FIT_FORECASTERS];
    size_t count = 0;
    double all = 0;
    for (int i = 0; i < FIT_FORECASTERS; i++) {
        if (!f->known[i] || !(weights[i] > 0)) {
            continue;
        }
        double own = fit_forecast_of(f, i, p);
        size_t at = count++;
        for (; at > 0 && seconds[at - 1] > own; at--) {
            seconds[at] = seconds[at - 1];
            weight[at] = weight[at - 1];
        }
        seconds[at] = own;
        weight[at] = weights[i];
        all += weights[i];
    }
    /* Each stands for its weight about its own place; between two of them on a straight line. */
    double below = 0;
    for (size_t i = 0; i < count; i++) {
        double middle = below + weight[i] / 2;
        if (middle >= all / 2 || i + 1 == count) {
            if (i == 0) {
                return seconds[0];
            }
            double before = below - weight[i - 1] / 2;
            double share = fmin(1, (all / 2 - before) / (middle - before));
            return seconds[i - 1] * pow(seconds[i] / seconds[i - 1], share);
        }
        below += weight[i];
    }
    return NAN;
}
