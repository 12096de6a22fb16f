#include "next.h"

#include <math.h>
#include <string.h>

/* A run that narrows the band by less is not worth making. */
static const double narrows_least = 0.98;
/* What T may come out as: the 1/6, 1/2 and 5/6 quantiles, as parts of a half of the 90 % band. */
static const double outcomes[] = {-0.588, 0, 0.588};
enum { OUTCOMES = sizeof outcomes / sizeof outcomes[0], RUNS_MAX = 8 };

/* What is known, with the runs that were chosen as if they had come out as expected. */
typedef struct plan {
    isocast_point points[ISOCAST_POINTS_MAX + RUNS_MAX];
    size_t count;
    double ideal, target;
    double variance; /* of ln T of a run; 0: not known */
} plan;

/* Adds a run with this T; of a p that was run, T is the mean by precision. */
static void add_run(plan *p, double at, double T) {
    size_t i = 0;
    while (i < p->count && p->points[i].p < at * (1 - ISOCAST_SAME)) {
        i++;
    }
    isocast_point *point = &p->points[i];
    if (i < p->count && point->p <= at * (1 + ISOCAST_SAME)) {
        double precision = 1 / point->variance + 1 / p->variance;
        point->T *= exp(log(T / point->T) / p->variance / precision);
        point->variance = 1 / precision;
        return;
    }
    memmove(point + 1, point, (p->count++ - i) * sizeof *point);
    *point = (isocast_point){.p = at, .T = T, .variance = p->variance};
}

/* ln of the width of the band at the target. */
static isocast_status width_of(const plan *p, double *width) {
    isocast_forecast *forecast = NULL;
    isocast_status status = isocast_forecast_make(p->points, p->count, p->ideal, &forecast);
    if (status == ISOCAST_OK) {
        isocast_forecast_value value = isocast_forecast_at(forecast, p->target);
        *width = log(value.high / value.low);
        isocast_forecast_free(forecast);
    }
    return status;
}

/* The same after a run at some p, expected over what its T may come out as. */
static isocast_status width_after(const plan *p, double at, isocast_forecast_value value,
                                  double *width) {
    isocast_status status = ISOCAST_OK;
    *width = 0;
    double scatter = ISOCAST_BAND_REACH * sqrt(p->variance);
    for (size_t k = 0; k < OUTCOMES && status == ISOCAST_OK; k++) {
        double half = isnan(value.low)  ? scatter
                      : outcomes[k] < 0 ? log(value.T / value.low)
                                        : log(value.high / value.T);
        double one = 0;
        plan tried = *p;
        add_run(&tried, at, value.T * exp(outcomes[k] * half));
        status = width_of(&tried, &one);
        *width += one / OUTCOMES;
    }
    return status;
}

/* The p at which a run narrows the band most; *width stays where none does. */
static isocast_status choose(const plan *p, double budget, isocast_next_run *best, double *width) {
    isocast_forecast *forecast = NULL;
    isocast_status status = isocast_forecast_make(p->points, p->count, p->ideal, &forecast);
    for (double at = p->points[0].p; status == ISOCAST_OK && at < p->target * (1 - ISOCAST_SAME);
         at *= 2) {
        isocast_forecast_value value = isocast_forecast_at(forecast, at);
        bool again = value.status == ISOCAST_FORECAST_MEASURED;
        double after = 0;
        if (isnan(value.T) || at * value.T > budget || (again && !(p->variance > 0))) {
            continue;
        }
        status = width_after(p, at, value, &after);
        if (status == ISOCAST_OK && after < *width) {
            *width = after;
            *best = (isocast_next_run){.p = at, .T = value.T, .runs = 1, .cost = at * value.T};
        }
    }
    isocast_forecast_free(forecast);
    return status;
}

isocast_status isocast_next_find(const isocast_series *series, const isocast_forecast *forecast,
                                 double target, double budget, isocast_next_run *out,
                                 size_t *count) {
    isocast_forecast_value now = isocast_forecast_at(forecast, target);
    plan p = {.ideal = isocast_series_ideal(series), .target = target};
    const isocast_point *points = isocast_forecast_points(forecast, &p.count);
    memcpy(p.points, points, p.count * sizeof *points);
    if (series->sd_launches > 0 || series->sd_repetitions > 0) {
        p.variance = pow(series->sd_launches > 0 ? series->sd_launches : series->sd_repetitions, 2);
    }
    double width = log(now.high / now.low);
    size_t found = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < RUNS_MAX && !isnan(width) && found < ISOCAST_NEXT_MAX; k++) {
        isocast_next_run best = {.p = NAN};
        double before = width;
        status = choose(&p, budget, &best, &width);
        if (status != ISOCAST_OK || isnan(best.p) || !(exp(width - before) < narrows_least)) {
            break;
        }
        budget -= best.cost;
        add_run(&p, best.p, best.T);
        best.series = series;
        best.target = target;
        best.width_before = now.high / now.low;
        best.width = exp(width);
        isocast_next_run *last = found > 0 ? &out[found - 1] : NULL;
        if (last != NULL && last->p == best.p) {
            last->runs++;
            last->cost += best.cost;
            last->width = best.width;
        } else {
            out[found++] = best;
        }
    }
    *count = found;
    return status;
}
