/* Which terms a time has, and where it changes its law: the ranges and the terms of each, by
 * dynamic programming over the sizes. */
#ifndef FIT_SWITCHES_H
#define FIT_SWITCHES_H

#include "fit_criterion.h"
#include "fit_ranges.h"
#include "model/base/status.h"

typedef struct fit_search {
    const fit_law *law;
    unsigned allowed; /* bit t: term t may be in a range */
    fit_criterion criterion;
} fit_search;

/* Fits the points (shape [count], sorted by size) with every subset of the allowed terms whose
 * coefficients come out positive, by least squares of the relative error; switches lie between
 * sizes measured. The criterion decides on terms and switches. *score: the criterion. Errors:
 * NUMERIC (nothing fits), NO_MEMORY. */
isocast_status fit_switches_choose(const fit_point *points, size_t count, const fit_search *search,
                                   fit_ranges *out, double *score);

#endif
