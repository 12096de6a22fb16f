/* The monomials that laws may be made of, with their values at given runs, from the simplest to the
 * most complex. Knows nothing of what is fitted. */
#ifndef ISOCAST_DERIVE_CANDIDATES_H
#define ISOCAST_DERIVE_CANDIDATES_H

#include "law.h"
#include "model/base/status.h"

/* What is to be taken for simple, as it is known how the processes stand: a bit, 1U << side, for
 * shares along each side of a grid, and these. */
enum {
    ISOCAST_FAVOURED_NONE = 0,
    ISOCAST_FAVOURED_CUBE = 1 << ISOCAST_SIDES, /* the grid has three dimensions */
    /* Sizes with a number added or taken away are factors, as in (N + 1)*(M - 1). */
    ISOCAST_FAVOURED_SHIFTS = 2 << ISOCAST_SIDES,
    /* The largest one of uneven shares is a factor. */
    ISOCAST_FAVOURED_COMPUTING = 4 << ISOCAST_SIDES
};

typedef struct isocast_candidates {
    isocast_monomial *monomials; /* [count], by cost */
    double *values;              /* [count][point_count] */
    size_t count;
    isocast_law_point *points; /* [point_count] */
    size_t point_count;
    size_t size_count;
    unsigned favoured;
} isocast_candidates;

/* Of monomials that are proportional to each other at all runs the simplest stays. points:
 * [point_count], which is taken over, also where that fails. Errors: NO_MEMORY. */
isocast_status isocast_candidates_create(isocast_law_point *points, size_t point_count,
                                         size_t size_count, unsigned favoured,
                                         isocast_candidates *out);
void isocast_candidates_free(isocast_candidates *candidates);

#endif
