/* Times beyond the largest p that was measured. At each message size every forecaster
 * (fit_forecasters.h) makes its own forecast; what is reported is their weighted median. The
 * weights at a size (fit_trust.h) are learnt by forward validation: fitted without the largest p,
 * scored there. */
#ifndef FIT_FORWARD_H
#define FIT_FORWARD_H

#include "fit_forecasters.h"
#include "fit_timings.h"

/* At one size. */
typedef struct fit_forward_size {
    double m;                /* B */
    double p_last;           /* the largest p measured at it */
    fit_forecasts forecasts; /* of each forecaster */
    double weights[FIT_FORECASTERS];
    fit_growth growth; /* a sum of functions of p that follows their median */
} fit_forward_size;

/* Start from {0}. */
typedef struct fit_forward {
    fit_forward_size *sizes; /* [size_count], rising m */
    size_t size_count;
    double validated;        /* median relative error of the median's forecasts; NAN */
    double validated_factor; /* the largest p_forecast/p_trained among them; NAN */
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
