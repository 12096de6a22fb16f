/* Times beyond the largest p that was measured: growth with p at each message size, its kinds
 * chosen and averaged by forward validation (fitted without the largest p, scored there). */
#ifndef FIT_FORWARD_H
#define FIT_FORWARD_H

#include "fit_growth.h"
#include "fit_timings.h"

enum { FIT_FORWARD_CHOSEN = 3 };

/* How well one kind of growth did. */
typedef struct fit_forward_score {
    double squares; /* sum of squared ln(forecast/measured), each at most 1.5^2 */
    size_t count;   /* forecasts behind it */
    double inside;  /* mean squared ln(fitted/measured) where it was fitted */
    double error;   /* what kinds are ordered and weighed by: a mean square of ln T */
} fit_forward_score;

/* At one size. */
typedef struct fit_forward_size {
    double m;                             /* B */
    double p_last;                        /* the largest p measured at it */
    fit_growth kinds[FIT_FORWARD_CHOSEN]; /* by the order of `chosen` */
    fit_growth mean;                      /* their weighted mean, which is the forecast */
} fit_forward_size;

/* Start from {0}. */
typedef struct fit_forward {
    fit_forward_size *sizes; /* [size_count], rising m */
    size_t size_count;
    fit_forward_score scores[FIT_GROWTH_KINDS];
    fit_growth_kind chosen[FIT_FORWARD_CHOSEN];
    double weights[FIT_FORWARD_CHOSEN]; /* sum 1; 0 where fewer kinds can be fitted */
    double validated;                   /* median relative error of the mean's forecasts; NAN */
    double validated_factor;            /* the largest p_forecast/p_trained among them; NAN */
    size_t validated_count;
    double drift;    /* variance of ln T a doubling of p */
    double launches; /* variance of ln T between launches */
} fit_forward;

/* False where memory is short or there is nothing to fit. */
bool fit_forward_learn(const fit_timings *t, fit_forward *out);

/* Seconds at (p, m): straight lines in m between the sizes, constant below the smallest, in
 * proportion to m above the largest. */
double fit_forward_time(const fit_forward *f, double p, double m);

/* The same with the limits of a 90 % band for the median of another launch. */
double fit_forward_band(const fit_forward *f, double p, double m, double *low, double *high);

void fit_forward_free(fit_forward *f);

#endif
