/* A time as the formula of one algorithm: the steps and the volume of its messages, in ranges of m.
 * Which algorithm, where the switches are and which terms each range has is chosen. */
#ifndef FIT_FORM_H
#define FIT_FORM_H

#include "fit_ranges.h"
#include "fit_timings.h"
#include "model/base/status.h"

/* Start from {0}. */
typedef struct fit_form {
    fit_shape shape;
    fit_ranges ranges;
    double mean_error, max_error; /* relative, at the points */
    double validated;             /* median relative error of forecasts of what was left out; NAN */
    size_t validated_count;

    /* Of the coefficients in the order of ranges and terms, row-major. */
    size_t coefficient_count;
    double covariance[FIT_COEFFICIENTS_MAX * FIT_COEFFICIENTS_MAX];
    /* The covariance is of the spread between launches, else of the residuals. */
    bool over_launches;
} fit_form;

/* Chooses by the criterion of the relative errors, and, from three counts of processes on, also by
 * forecasts of the largest. `message`: between two processes, whatever p is. Errors: NUMERIC
 * (nothing fits), NO_MEMORY. */
isocast_status fit_form_choose(const fit_timings *t, bool message, fit_form *out);

/* The ranges and terms of one shape that the criterion likes best. *score: the criterion. Errors:
 * NUMERIC (nothing fits), NO_MEMORY. */
isocast_status fit_form_of_shape(const fit_timings *t, fit_shape shape, fit_ranges *out,
                                 double *score);

double fit_form_time(const fit_ranges *ranges, double p, double m);

/* The timings as points of a fit, shape [t->count], in their order. */
void fit_form_points(const fit_timings *t, fit_point *points);

#endif
