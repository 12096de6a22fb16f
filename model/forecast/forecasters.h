/* Plain forecasts of T at more processes, each by one idea, and the rivals that a forecast is named
 * beside. Which of them count how much, forecast.h says. */
#ifndef ISOCAST_FORECASTERS_H
#define ISOCAST_FORECASTERS_H

#include <stdbool.h>

#include "curve_fit.h"

/* FORECASTER(name, weight where T falls in proportion to 1/p, weight where it does not). The first
 * is the library of curves (curve_fit.h), which is made apart. */
#define ISOCAST_FORECASTERS(FORECASTER)                                                            \
    FORECASTER(LIBRARY, 2, 1)                                                                      \
    FORECASTER(AMDAHL, 1, 0)  /* a/p + b */                                                        \
    FORECASTER(SURFACE, 1, 0) /* a/p + b p^(-2/3) + c */

typedef enum isocast_forecaster {
#define ISOCAST_FORECASTER_ENUM(name, falling, flat) ISOCAST_FORECASTER_##name,
    ISOCAST_FORECASTERS(ISOCAST_FORECASTER_ENUM)
#undef ISOCAST_FORECASTER_ENUM
        ISOCAST_FORECASTER_COUNT
} isocast_forecaster;

/* What is named beside a forecast. */
typedef enum isocast_rival {
    ISOCAST_RIVAL_IDEAL,  /* the last T, scaled perfectly; of weak scaling, as it is */
    ISOCAST_RIVAL_POWER,  /* the power of p through the last two points */
    ISOCAST_RIVAL_FIVE,   /* a sum of 1/p, 1, log2(p + 1), p^(1/2) and p */
    ISOCAST_RIVAL_AMDAHL, /* a sum of 1/p and 1 */
    ISOCAST_RIVAL_COUNT
} isocast_rival;

enum { ISOCAST_SUM_TERMS = 5 };
/* T = sum of coefficient times the term's value, s; unknown where the runs show none. */
typedef struct isocast_sum {
    bool known;
    double coefficient[ISOCAST_SUM_TERMS];
} isocast_sum;

/* What the plain forecasters learnt of a series. */
typedef struct isocast_plain {
    double p0, T0; /* the last point; s */
    double pace;   /* the exponent of the last step */
    isocast_sum amdahl, surface, rival_five, rival_amdahl;
} isocast_plain;

/* points: shape [count], rising p, 2 <= count <= ISOCAST_POINTS_MAX. */
void isocast_plain_learn(const isocast_point *points, size_t count, isocast_plain *out);

/* T at p, s; NAN where there is none. Not of the library. */
double isocast_plain_time(const isocast_plain *plain, isocast_forecaster forecaster, double p);

/* ideal: the exponent of ideal scaling, -1 of strong and 0 of weak scaling. */
double isocast_rival_time(const isocast_plain *plain, isocast_rival rival, double ideal, double p);

/* The same as a sum: its terms and their coefficients, s; gives how many, 0 where there is none. Of
 * a power there is one, whose exponent *exponent gets; it is NAN of sums of `terms`. */
size_t isocast_rival_terms(const isocast_plain *plain, isocast_rival rival, double ideal,
                           isocast_curve_term *terms, double *coefficients, double *exponent);

#endif
