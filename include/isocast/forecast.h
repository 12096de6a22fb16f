/* Measured times of a program, forecast on more processes than it was run on.
 * docs/how-to/forecast.md describes the method.
 *
 * A handle does not change after it was made, so any number of threads may use it at once. */
#ifndef ISOCAST_PUBLIC_FORECAST_H
#define ISOCAST_PUBLIC_FORECAST_H

#include <stddef.h>

#include <isocast/status.h>

ISOCAST_BEGIN_C

typedef struct isocast_forecast isocast_forecast;

/* What becomes of T at some p. */
#define ISOCAST_FORECAST_STATUS_LIST(X)                                                            \
    X(OK, "ok")                                                                                    \
    X(MEASURED, "measured")   /* it was run there */                                               \
    X(BETWEEN, "between")     /* between two p that were run: read off these */                    \
    X(BELOW, "below")         /* below the smallest p: no T, as with the next ones */              \
    X(TOO_FEW, "too-few")     /* fewer than three p were run */                                    \
    X(UNCERTAIN, "uncertain") /* the upper end of the band is over 8 times the lower */            \
    X(TOO_FAR, "too-far")     /* over 64 times the largest p */

typedef enum isocast_forecast_status {
#define ISOCAST_FORECAST_ENUM(name, word) ISOCAST_FORECAST_##name,
    ISOCAST_FORECAST_STATUS_LIST(ISOCAST_FORECAST_ENUM)
#undef ISOCAST_FORECAST_ENUM
} isocast_forecast_status;

/* Numbers at some p, in seconds. */
typedef enum isocast_forecast_quantity {
    ISOCAST_FORECAST_T,   /* of a run; NAN where it is refused */
    ISOCAST_FORECAST_LOW, /* its 90 % band; NAN where T was measured or is not known */
    ISOCAST_FORECAST_HIGH,
    ISOCAST_FORECAST_IDEAL, /* the last T scaled ideally */
    ISOCAST_FORECAST_POWER, /* by a power of p through the last two points */
    ISOCAST_FORECAST_FIVE,  /* by the nearest sum of 1/p, 1, log2(p + 1), sqrt(p) and p, none < 0 */
    ISOCAST_FORECAST_AMDAHL /* by the nearest sum of 1/p and 1 */
} isocast_forecast_quantity;

/* How far more processes go: numbers of processes. */
typedef enum isocast_forecast_limit_kind {
    ISOCAST_FORECAST_HORIZON,  /* the largest p at which T is forecast */
    ISOCAST_FORECAST_STOP,     /* from which on twice the processes shorten T by less than 5 % */
    ISOCAST_FORECAST_STOP_LOW, /* its 90 % interval, whose upper end may be infinite */
    ISOCAST_FORECAST_STOP_HIGH
} isocast_forecast_limit_kind;

/* p and T (s): shape [count], p rising, all finite and above 0; they need not outlive the call. Of
 * more than 24 points so many are taken, spread evenly over ln p. ideal: the exponent of p in ideal
 * scaling, -1 for one problem (strong) and 0 for one problem on each process (weak); NAN where
 * neither is held. Free with isocast_forecast_free(). Errors: ARGUMENT (such numbers, none, a
 * NULL), NO_MEMORY. */
ISOCAST_PUBLIC isocast_status isocast_forecast_create(const double *p, const double *T,
                                                      size_t count, double ideal,
                                                      isocast_forecast **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_forecast_free(isocast_forecast *forecast);

/* p must be finite and above 0; anything else is BELOW, and its numbers are NAN. */
ISOCAST_PUBLIC isocast_forecast_status isocast_forecast_status_at(const isocast_forecast *forecast,
                                                                  double p);
ISOCAST_PUBLIC double isocast_forecast_number(const isocast_forecast *forecast, double p,
                                              isocast_forecast_quantity quantity);
/* NAN where fewer than three p were run, and where T does not stop falling. */
ISOCAST_PUBLIC double isocast_forecast_limit(const isocast_forecast *forecast,
                                             isocast_forecast_limit_kind kind);

ISOCAST_END_C

#endif
