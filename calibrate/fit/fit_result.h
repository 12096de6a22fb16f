/* What was learnt of one operation from timings: a formula of an algorithm's terms, a forecast for
 * more processes, which of the two is the better, and how far either may be trusted, in words. It
 * is made in fit_results.h. */
#ifndef FIT_RESULT_H
#define FIT_RESULT_H

#include "fit_form.h"
#include "fit_forward.h"
#include "model/base/buffer.h"

/* Beyond so many times the largest p measured a forecast is given to be of low confidence. */
#define FIT_RESULT_TRUSTED 4.0

typedef struct fit_result {
    const char *name; /* of the operation; belongs to the observations */
    uint32_t operation;
    fit_timings timings;
    fit_forward forward;
    fit_form form;
    bool has_form; /* some algorithm's terms could be fitted */
    /* Of the formula that the form makes up, the rest being the growth at each size; 0 to 1, in
     * hundredths. */
    double form_share;
    isocast_buffer formula; /* in p, m and the coefficients */
    isocast_buffer model;   /* in words: "tree, 2 ranges", "growth 1 + log2 p, 1 + p^(1/4), 1" */
    isocast_buffer verdict; /* sentences */
    double mean_error, max_error; /* relative, of the formula at the points */
    /* Median relative error of such formulas' forecasts of the largest p; NAN for none. */
    double forecast_error;
    size_t forecasts;       /* behind it */
    double forecast_factor; /* the most times as many processes that one was for */
    double sigma_launch;    /* sd of ln T between launches; NAN for one launch */
} fit_result;

/* Start from {0}. */
typedef struct fit_results {
    fit_result *items; /* [count] */
    size_t count;
} fit_results;

typedef struct fit_result_settings {
    size_t draws;  /* of launches, for the covariance */
    uint64_t seed; /* of these */
    double p_most; /* timings on more processes are left out; INFINITY: none */
} fit_result_settings;

void fit_result_free(fit_result *result);
void fit_results_free(fit_results *results);

/* The two models' times by the form's share, s; that of a model without a share is not asked for.
 */
double fit_result_mix(double share, const fit_ranges *form, const fit_forward *forward, double p,
                      double m);

/* The time of the formula, s. */
double fit_result_time(const fit_result *result, double p, double m);
/* The same with the limits of the 90 % band for another launch. */
double fit_result_band(const fit_result *result, double p, double m, double *low, double *high);

/* A coefficient that the formula uses by name. Where it is made of tables there is one, which all
 * of them are multiplied with: 1, known as well as the mean over the launches is. */
typedef struct fit_coefficient {
    char name[160];
    double value, error; /* in the unit; the error is a standard error */
    const char *unit;    /* "s", "s/B", or "" for a ratio */
} fit_coefficient;

size_t fit_result_coefficients(const fit_result *result);
fit_coefficient fit_result_coefficient(const fit_result *result, size_t index);
/* Of two coefficients, in the product of their units. */
double fit_result_covariance(const fit_result *result, size_t a, size_t b);

#endif
