/* T of a program on more processes than it was run on: the library of curves (curve_fit.h) and a
 * few plain forecasters (forecasters.h), combined by how they would have forecast the runs that
 * there are. docs/how-to/forecast.md describes the method, docs/accuracy.md how far it is off. */
#ifndef ISOCAST_FORECAST_H
#define ISOCAST_FORECAST_H

#include <isocast/forecast.h>

#include "forecasters.h"

/* How many statuses there are. */
enum { ISOCAST_FORECAST_STATUS_COUNT = ISOCAST_FORECAST_TOO_FAR + 1 };
extern const char *const isocast_forecast_status_words[ISOCAST_FORECAST_STATUS_COUNT + 1];

/* Fewer p than POINTS_LEAST, p above FAREST times the largest one measured, and bands whose upper
 * end is more than WIDEST times the lower are refused. */
enum {
    ISOCAST_FORECAST_POINTS_LEAST = 3,
    ISOCAST_FORECAST_FAREST = 64,
    ISOCAST_FORECAST_WIDEST = 8
};

/* T of a run, s, with a 90 % band; NAN where it is refused or not known. */
typedef struct isocast_forecast_value {
    isocast_forecast_status status;
    double T, low, high;
} isocast_forecast_value;

/* A point forecast from those before it alone. */
typedef struct isocast_left_out {
    double p_known; /* the largest p that the forecast knew */
    double p;
    double measured;                    /* s */
    isocast_band forecast;              /* also where it would be refused */
    double rivals[ISOCAST_RIVAL_COUNT]; /* s */
} isocast_left_out;

/* How far more processes go. */
typedef struct isocast_outlook {
    double doubling;     /* T at twice the largest p over T there, less 1; NAN where refused */
    double horizon;      /* the largest p at which T is forecast */
    double half;         /* the smallest p of the runs, or of doublings within it, at which
                            efficiency is below 1/2; NAN: none, or ideal scaling is not known */
    bool stops;          /* whether T stops falling by 5 % a doubling within it: */
    bool stops_measured; /* within the runs already, as T is larger at the largest p */
    double stop;         /* the p from which on it does; NAN */
    double stop_low, stop_high; /* its 90 % interval; the upper end is infinite beyond FAREST/2 */
} isocast_outlook;

/* Of more than `most` points, the largest p of each equal part of ln p; gives how many are kept in
 * `out`, shape [most], most >= 2. */
size_t isocast_points_thin(const isocast_point *points, size_t count, size_t most,
                           isocast_point *out);

/* points: shape [count], rising p, all numbers above 0; count >= 1. Of more than
 * ISOCAST_POINTS_MAX so many are taken, spread evenly over ln p. ideal: the exponent of p in ideal
 * scaling, -1 (strong) or 0 (weak); NAN: not known. Errors: NO_MEMORY. */
isocast_status isocast_forecast_make(const isocast_point *points, size_t count, double ideal,
                                     isocast_forecast **out);

/* The points that are used. */
const isocast_point *isocast_forecast_points(const isocast_forecast *forecast, size_t *count);

isocast_forecast_value isocast_forecast_at(const isocast_forecast *forecast, double p);
/* s; NAN where there is none. */
double isocast_forecast_rival(const isocast_forecast *forecast, isocast_rival rival, double p);

/* Its terms (isocast_rival_terms), in absolute terms of the largest p that is known, *p0. */
size_t isocast_forecast_rival_terms(const isocast_forecast *forecast, isocast_rival rival,
                                    isocast_curve_term *terms, double *coefficients,
                                    double *exponent, double *p0);

/* Of fewer points than three all of it is NAN; shares are not known then. */
const isocast_outlook *isocast_forecast_outlook(const isocast_forecast *forecast);
/* terms: bits of isocast_curve_term. */
isocast_share isocast_forecast_share(const isocast_forecast *forecast, unsigned terms);

/* Shape [*count]; belongs to the forecast. */
const isocast_left_out *isocast_forecast_left_out(const isocast_forecast *forecast, size_t *count);

#endif
