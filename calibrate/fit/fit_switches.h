/* Where a time changes its law in m: the ranges of one algorithm's formula and the terms of each,
 * by dynamic programming over the sizes. */
#ifndef FIT_SWITCHES_H
#define FIT_SWITCHES_H

#include "fit_form.h"

/* The ranges and terms of one shape that the Bayesian criterion likes best, with their
 * coefficients; gives the criterion, infinite where nothing can be fitted, NAN where memory is
 * short. */
double fit_switches_choose(const fit_timings *t, fit_shape shape, fit_form *out);

/* The criterion of so many relative errors, given as the sum of their squares (smaller is better);
 * infinite where the points are too few for the parameters. */
double fit_switches_criterion(double squares, size_t points, size_t parameters);

#endif
