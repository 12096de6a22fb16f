/* Which curves (curves.h) the runs of a series are on, and what they say of T at other p: a mixture
 * over all curves and some hypotheses of noise, each with its weight by Bayes' rule. No random
 * numbers. */
#ifndef ISOCAST_CURVE_FIT_H
#define ISOCAST_CURVE_FIT_H

#include "curves.h"
#include "model/base/status.h"

/* Two p, or two N, that differ by less, relative, are one. */
#define ISOCAST_SAME 1e-9
/* Standard deviations from the middle of a 90 % band to its ends. */
#define ISOCAST_BAND_REACH 1.645

/* A point of a series. */
typedef struct isocast_point {
    double p;
    double T;        /* s, above 0 */
    double variance; /* of ln T, by its repetitions and launches; 0 where they are not known */
} isocast_point;

enum { ISOCAST_POINTS_MAX = 24 }; /* of a series that is fitted */

typedef struct isocast_curve_fit isocast_curve_fit;

/* points: shape [count], rising p, 2 <= count <= ISOCAST_POINTS_MAX. They need not outlive the
 * call. Errors: NO_MEMORY. */
isocast_status isocast_curve_fit_make(const isocast_point *points, size_t count,
                                      isocast_curve_fit **out);
void isocast_curve_fit_free(isocast_curve_fit *fit);

/* Median and 5 % and 95 % quantiles of a run's T at p, s. */
typedef struct isocast_band {
    double T, low, high; /* s */
} isocast_band;

isocast_band isocast_curve_fit_at(const isocast_curve_fit *fit, double p);

/* A share of T at the largest measured p, by its mean and its 5 % and 95 % quantiles. */
typedef struct isocast_share {
    double mean, low, high;
} isocast_share;

/* terms: bits of isocast_curve_term. */
isocast_share isocast_curve_fit_share(const isocast_curve_fit *fit, unsigned terms);

/* The quantiles of the first p of some (shape [count]) from which on twice as many processes take
 * more than `pays` times as long; infinite where that is beyond all of them. */
void isocast_curve_fit_stop(const isocast_curve_fit *fit, const double *p, size_t count,
                            double pays, double *low, double *high);

#endif
