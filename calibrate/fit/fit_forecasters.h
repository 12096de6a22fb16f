/* Forecasts of the time at one message size for more processes than were measured. Each kind of
 * growth and each pace makes one; which of them are to be believed, fit_forward.h learns. */
#ifndef FIT_FORECASTERS_H
#define FIT_FORECASTERS_H

#include "fit_growth.h"

/* A pace is a power of x through the last point: T = T_last (x/x_last)^e. x is p, or the number p -
 * q of processes that are on other nodes, where q share one. */
typedef enum fit_pace_kind {
    FIT_PACE_LAST,        /* e between the two largest p */
    FIT_PACE_LAST_AROUND, /* the median of that e over sizes around this one */
    FIT_PACE_TWO,         /* e over the last two steps of p; from three counts of processes on */
    FIT_PACE_TWO_AROUND,
    FIT_PACE_OUTSIDE, /* the same four in p - q */
    FIT_PACE_OUTSIDE_AROUND,
    FIT_PACE_OUTSIDE_TWO,
    FIT_PACE_OUTSIDE_TWO_AROUND,
    FIT_PACES
} fit_pace_kind;

/* Kinds of growth, then paces. */
enum { FIT_FORECASTERS = FIT_GROWTH_KINDS + FIT_PACES };

/* Exponents of a row of points: over the last step, and over the last two; NAN where there are too
 * few. */
typedef struct fit_paces {
    double last, two;
    double outside, outside_two; /* in p - q */
} fit_paces;

/* points: shape [count], rising p. */
fit_paces fit_paces_of(double per_node, const fit_growth_point *points, size_t count);

/* The medians over some rows, those that are NAN left out. paces: shape [count], at most
 * FIT_PACES_AROUND. */
enum { FIT_PACES_AROUND = 7 };
fit_paces fit_paces_median(const fit_paces *paces, size_t count);

/* What each forecaster makes of a row of points. */
typedef struct fit_forecasts {
    bool known[FIT_FORECASTERS];
    fit_growth growths[FIT_GROWTH_KINDS];
    double exponents[FIT_PACES];
    double per_node;
    double p_last, seconds_last; /* of the last point */
} fit_forecasts;

/* points: shape [count], rising p, count >= 1. */
void fit_forecasts_make(double per_node, const fit_growth_point *points, size_t count,
                        const fit_paces *around, fit_forecasts *out);

/* Makes all forecasts longer by a factor. */
void fit_forecasts_scale(fit_forecasts *f, double factor);

/* Seconds; of a forecaster that is known. */
double fit_forecast_of(const fit_forecasts *f, int forecaster, double p);

/* The median of those that are known, by their weights (shape [FIT_FORECASTERS], none negative, one
 * of the known ones above 0). */
double fit_forecast_median(const fit_forecasts *f, const double *weights, double p);

#endif
