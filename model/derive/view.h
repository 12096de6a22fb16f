/* The runs that a guard leaves, and the values of monomials there. */
#ifndef ISOCAST_DERIVE_VIEW_H
#define ISOCAST_DERIVE_VIEW_H

#include "candidates.h"

typedef struct derive_view {
    isocast_law_guard guard;
    size_t *runs;     /* [count], indices of points: the largest value first, then the smallest */
    double *observed; /* [count] */
    double *values;   /* [monomial_count][count] */
    size_t count;
    size_t monomial_count;
    size_t different; /* values of `observed` that differ */
} derive_view;

/* Whether a guard tells anything: it names no other grid than monomials do, leaves out runs, all of
 * which have the value 0, and keeps some. NONE always does. */
bool isocast_derive_view_makes_sense(const isocast_candidates *candidates, const double *values,
                                     isocast_law_guard guard);

/* monomial_most: the first so many. Errors: NO_MEMORY. */
isocast_status isocast_derive_view_create(const isocast_candidates *candidates,
                                          const double *values, isocast_law_guard guard,
                                          size_t monomial_most, derive_view *out);
void isocast_derive_view_free(derive_view *view);

#endif
