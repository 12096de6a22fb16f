/* How well coefficients are known: their covariance over drawings of the launches. */
#ifndef FIT_BOOTSTRAP_H
#define FIT_BOOTSTRAP_H

#include "fit_form.h"

typedef struct fit_bootstrap_settings {
    size_t draws;
    uint64_t seed; /* the same gives the same numbers */
} fit_bootstrap_settings;

/* Fills the covariance of a chosen form: whole launches are drawn with replacement `draws` times
 * within each number of processes, and the coefficients solved again (B. Efron, R. Tibshirani 1993,
 * ch. 8). Terms that are nothing by that measure are dropped. Where no point has two launches the
 * covariance is that of the residuals, and nothing is dropped. False where memory is short. */
bool fit_bootstrap(const observations *o, const fit_timings *t, const fit_bootstrap_settings *how,
                   fit_form *form);

#endif
