/* What goes into a trend and what is read from it: the measured points, and the N at which they
 * pass a wanted speed-efficiency. */
#ifndef ISOCAST_TREND_READING_H
#define ISOCAST_TREND_READING_H

#include <stdbool.h>
#include <stddef.h>

enum { ISOCAST_TREND_DEGREE_MAX = 5, ISOCAST_CROSSINGS_MAX = 16 };

/* What was measured: one median a size. */
typedef struct isocast_trend_points {
    const double *N;     /* [count], above 0, rising without repeats */
    const double *E;     /* [count], above 0 */
    const double *error; /* [count], relative standard error of E as repeated runs show it, NAN
                            where there are none; NULL: nowhere */
    size_t count;
} isocast_trend_points;

/* A polynomial in N by least squares; or the monotone line of each stretch on which E rises or
 * falls: a step fit (isotonic regression) of ln E, joined by monotone cubics over ln N; or cubics
 * over ln N through the nearest four points. */
typedef enum isocast_trend_kind {
    ISOCAST_TREND_POLYNOMIAL,
    ISOCAST_TREND_MONOTONE,
    ISOCAST_TREND_LOCAL
} isocast_trend_kind;

typedef enum isocast_reading_status {
    ISOCAST_READING_OK,
    ISOCAST_READING_SEVERAL, /* E passes the wanted value at several N */
    ISOCAST_READING_BELOW,   /* E is over the wanted value at every size measured */
    ISOCAST_READING_ABOVE,   /* E is under the wanted value at every size measured */
    ISOCAST_READING_MISFIT   /* the points pass it, the polynomial that was asked for does not */
} isocast_reading_status;

/* Where E passes the wanted value. */
typedef struct isocast_crossing {
    double N;
    double low, high;   /* 90 % interval, within the sizes measured; NAN where an end is open */
    bool rises;         /* E rises with N here; else it falls */
    double least, most; /* the sizes measured between which the points pass the wanted value */
    double start, end;  /* the sizes measured between which E rises, or falls, as it does here */
} isocast_crossing;

typedef struct isocast_reading {
    isocast_reading_status status;
    size_t count;                                      /* crossings that are kept */
    bool more;                                         /* there are more */
    isocast_crossing crossings[ISOCAST_CROSSINGS_MAX]; /* [count], by N */
    isocast_trend_kind kind;                           /* of the line that was read */
    int degree;                                        /* of a polynomial; else 0 */
    double error; /* root mean square of the leave-one-out errors of E at the points between the
                     first and the last, weighted by their shares of ln N; NAN where there are none
                     to leave out */
} isocast_reading;

#endif
