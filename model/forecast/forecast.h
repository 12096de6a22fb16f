/* T of a program on more processes than it was run on: the library of curves (curve_fit.h) and a
 * few plain forecasters (forecasters.h), combined by how they would have forecast the runs that
 * there are. docs/forecast.md describes the method, docs/accuracy.md how far it is off. */
#ifndef ISOCAST_FORECAST_H
#define ISOCAST_FORECAST_H

#include "forecasters.h"

/* What becomes of T at some p. STATUS(name, word). */
#define ISOCAST_FORECAST_STATUSES(STATUS)                                                          \
    STATUS(OK, "ok")                                                                               \
    STATUS(MEASURED, "measured")   /* it was run there */                                          \
    STATUS(BETWEEN, "between")     /* between two p that were run: read off these */               \
    STATUS(BELOW, "below")         /* below the smallest p; no forecast, like what follows */      \
    STATUS(TOO_FEW, "too-few")     /* fewer than three p were run */                               \
    STATUS(UNCERTAIN, "uncertain") /* the band is too wide to say anything; it is given */         \
    STATUS(TOO_FAR, "too-far")     /* too many times the largest p */

typedef enum isocast_forecast_status {
#define ISOCAST_FORECAST_ENUM(name, word) ISOCAST_FORECAST_##name,
    ISOCAST_FORECAST_STATUSES(ISOCAST_FORECAST_ENUM)
#undef ISOCAST_FORECAST_ENUM
        ISOCAST_FORECAST_STATUS_COUNT
} isocast_forecast_status;

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
    bool stops;          /* whether T stops falling by 5 % a doubling within it: */
    bool stops_measured; /* within the runs already, as T is larger at the largest p */
    double stop;         /* the p from which on it does; NAN */
    double stop_low, stop_high; /* its 90 % interval; the upper end is infinite beyond FAREST/2 */
} isocast_outlook;

typedef struct isocast_forecast isocast_forecast;

/* points: shape [count], rising p, all numbers above 0; count >= 1. Of more than
 * ISOCAST_POINTS_MAX so many are taken, spread evenly over ln p. ideal: the exponent of p in ideal
 * scaling, -1 (strong) or 0 (weak); NAN: not known. Errors: NO_MEMORY. */
isocast_status isocast_forecast_make(const isocast_point *points, size_t count, double ideal,
                                     isocast_forecast **out);
void isocast_forecast_free(isocast_forecast *forecast);

/* The points that are used. */
const isocast_point *isocast_forecast_points(const isocast_forecast *forecast, size_t *count);

isocast_forecast_value isocast_forecast_at(const isocast_forecast *forecast, double p);
/* s; NAN where there is none. */
double isocast_forecast_rival(const isocast_forecast *forecast, isocast_rival rival, double p);

/* Not of fewer points than three, like the next ones. */
const isocast_outlook *isocast_forecast_outlook(const isocast_forecast *forecast);
isocast_share isocast_forecast_share(const isocast_forecast *forecast, isocast_curve_term term);

/* Shape [*count]; belongs to the forecast. */
const isocast_left_out *isocast_forecast_left_out(const isocast_forecast *forecast, size_t *count);

#endif
