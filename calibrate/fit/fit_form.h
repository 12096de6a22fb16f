/* A time as a formula with a few coefficients: the steps and the volume of an algorithm, in up to
 * six ranges of m, with the switches between them. Which algorithm, where the switches are and
 * which terms each range has is chosen; coefficients are not negative. */
#ifndef FIT_FORM_H
#define FIT_FORM_H

#include "fit_shape.h"
#include "fit_timings.h"
#include "model/base/buffer.h"

enum { FIT_FORM_RANGES_MOST = 6, FIT_FORM_COEFFICIENTS_MOST = 30 };

typedef struct fit_form_range {
    double m_below; /* B; the largest size measured in the range before; 0 for the first */
    double m_from;  /* B; holds from here on: between m_below and the smallest size in it */
    double m_first; /* B; the smallest size measured in it */
    unsigned terms; /* bit t: term t is in it */
    double coefficient[FIT_SHAPE_TERMS]; /* s or s/B; 0 where not in it */
} fit_form_range;

/* Start from {0}. */
typedef struct fit_form {
    fit_shape shape;
    fit_form_range ranges[FIT_FORM_RANGES_MOST]; /* [count], rising m */
    size_t count;
    double mean_error, max_error; /* relative, at the points */
    double validated;             /* median relative error of forecasts of what was left out; NAN */
    size_t validated_count;

    /* The coefficients in the order of ranges and terms, with their covariance. */
    size_t coefficient_count;
    double covariance[FIT_FORM_COEFFICIENTS_MOST][FIT_FORM_COEFFICIENTS_MOST];
    bool
        over_launches; /* the covariance is of the spread between launches, else of the residuals */
} fit_form;

/* Chooses by the Bayesian information criterion of the relative errors, and, from three counts of
 * processes on, also by forecasts of the largest. `message`: between two processes, whatever p is.
 * *found: whether anything can be fitted. False where memory is short. */
bool fit_form_choose(const fit_timings *t, bool message, fit_form *out, bool *found);

double fit_form_time(const fit_form *form, double p, double m);

/* The terms of a shape over the measured time of a point, so that errors are relative. row: shape
 * [FIT_SHAPE_TERMS]. */
void fit_form_row(fit_shape shape, const fit_timing *at, double *row);

/* Solves the coefficients anew for other times, the rest staying as it is; where `signs` they may
 * come out negative. False where the points cannot tell them apart. */
bool fit_form_solve(const fit_timings *t, bool signs, fit_form *form);

/* Covariance of the residuals' kind, for one launch: the least squares' own. */
void fit_form_residual_covariance(const fit_timings *t, fit_form *form);

/* Appends the formula in p and m, its coefficients called PREFIX_step and so on, with the range of
 * m where there are several (range_name.h). */
void fit_form_write(const fit_form *form, const char *prefix, isocast_buffer *out);
/* The name of a coefficient in it: range, term. */
void fit_form_coefficient_name(const fit_form *form, const char *prefix, size_t range,
                               fit_shape_term term, char *out, size_t most);

#endif
