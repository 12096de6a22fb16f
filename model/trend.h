/* A trend line through measured speed-efficiencies E(N) of one system, and the N that gives a
 * wanted E read off it: route 1 to scalability [CSW 3.5, 4.4]. Knows nothing of where the points
 * come from. */
#ifndef ISOCAST_TREND_H
#define ISOCAST_TREND_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

enum { ISOCAST_TREND_DEGREE_MOST = 5 };

/* A polynomial by least squares; or, where no polynomial rises through the whole range, the rising
 * step fit (isotonic regression) joined by monotone cubics. */
typedef enum isocast_trend_kind {
    ISOCAST_TREND_POLYNOMIAL,
    ISOCAST_TREND_MONOTONE
} isocast_trend_kind;

typedef struct isocast_trend isocast_trend;

typedef enum isocast_reading_status {
    ISOCAST_READING_OK,
    ISOCAST_READING_BELOW, /* E is over the wanted value already at the smallest N measured */
    ISOCAST_READING_ABOVE  /* E stays below it up to the largest N measured */
} isocast_reading_status;

typedef struct isocast_reading {
    isocast_reading_status status;
    double N;         /* NAN unless ISOCAST_READING_OK */
    double low, high; /* 90 % interval from the scatter about the line; NAN where there is none */
} isocast_reading;

/* Fits N and E, shape [count], N rising without repeats (one median per size). degree: 1 to
 * ISOCAST_TREND_DEGREE_MOST, or 0 to choose the degree with the least leave-one-out error among
 * those that leave at least two degrees of freedom and rise between the smallest and the largest N
 * (the rising fit, where none does or where it has less than half of the best one's error at the
 * points between the first and the last); a degree that
 * is asked for is taken even if it bends. Errors: ARGUMENT (fewer than two points, fewer than
 * degree + 1, N not rising, not finite), NO_MEMORY. */
ISOCAST_API isocast_status isocast_trend_fit(const double *N, const double *E, size_t count,
                                             int degree, isocast_trend **out);
/* The rising fit on its own; same shapes and errors. */
ISOCAST_API isocast_status isocast_trend_fit_monotone(const double *N, const double *E,
                                                      size_t count, isocast_trend **out);
ISOCAST_API void isocast_trend_free(isocast_trend *trend);

ISOCAST_API isocast_trend_kind isocast_trend_kind_of(const isocast_trend *trend);
ISOCAST_API int isocast_trend_degree(const isocast_trend *trend); /* 0 for a monotone one */
/* Root mean square of the leave-one-out errors of E, for a monotone line without the first and the
 * last point; NAN where they cannot be formed. */
ISOCAST_API double isocast_trend_validation_error(const isocast_trend *trend);
ISOCAST_API double isocast_trend_evaluate(const isocast_trend *trend, double N);

/* The smallest N within the measured range at which the line reaches E. */
ISOCAST_API isocast_status isocast_trend_read(const isocast_trend *trend, double E,
                                              isocast_reading *out);

#endif
