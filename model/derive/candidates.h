/* The monomials that laws may be made of, with their values at given runs, from the simplest to the
 * most complex. Knows nothing of what is fitted. */
#ifndef ISOCAST_DERIVE_CANDIDATES_H
#define ISOCAST_DERIVE_CANDIDATES_H

#include "law.h"
#include "model/base/status.h"

/* What is to be taken for simple, as it is known how the processes stand. */
typedef enum isocast_favoured_side {
    ISOCAST_FAVOURED_NONE,
    ISOCAST_FAVOURED_ROWS,      /* shares along a side of a grid of processes */
    ISOCAST_FAVOURED_COLUMNS,   /* likewise */
    ISOCAST_FAVOURED_COMPUTING, /* none; the largest one of uneven shares is a factor */
    /* None; sizes with a number added or taken away are factors, as in (N + 1)*(M - 1). */
    ISOCAST_FAVOURED_SHIFTS,
    /* The grid has three dimensions; a bit added for each of depth, height and width: shares along
     * it. */
    ISOCAST_FAVOURED_CUBE,
    ISOCAST_FAVOURED_LAST = ISOCAST_FAVOURED_CUBE + 7
} isocast_favoured_side;

/* How much the terms of a law may grow where all sizes are doubled, and how complex they may be. */
typedef struct isocast_growth_bounds {
    const isocast_law_point *from; /* NULL: there are no bounds */
    double least, most;            /* from, to; 0: no bound */
    double cost;                   /* at most; 0: no bound */
} isocast_growth_bounds;

typedef struct isocast_candidates {
    isocast_monomial *monomials; /* [count], by cost */
    double *values;              /* [count][point_count] */
    size_t count;
    isocast_law_point *points; /* [point_count] */
    size_t point_count;
    size_t size_count;
    isocast_favoured_side favoured;
    int grid; /* dimensions of the grid whose sides may be named */
    /* Sizes that stand in exponents of what is sent: work and memory may have them there, too. */
    bool exponents[ISOCAST_DERIVE_SIZES_MAX];
    isocast_growth_bounds bounds; /* of the nearest laws */
} isocast_candidates;

/* Of monomials that are proportional to each other at all runs the simplest stays. points:
 * [point_count], which is copied. Errors: NO_MEMORY. */
isocast_status isocast_candidates_create(const isocast_law_point *points, size_t point_count,
                                         size_t size_count, isocast_favoured_side favoured,
                                         isocast_candidates *out);
void isocast_candidates_free(isocast_candidates *candidates);

#endif
