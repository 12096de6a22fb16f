/* The monomials that laws may be made of, with their values at given runs, from the simplest to the
 * most complex. Knows nothing of what is fitted. */
#ifndef ISOCAST_DERIVE_CANDIDATES_H
#define ISOCAST_DERIVE_CANDIDATES_H

#include "law.h"
#include "model/base/status.h"

/* What is to be taken for simple, as it is known how the processes stand: shares along a side of a
 * grid of processes, or the neighbours on a line or in a grid. */
typedef enum isocast_favoured_side {
    ISOCAST_FAVOURED_NONE,
    ISOCAST_FAVOURED_ROWS,
    ISOCAST_FAVOURED_COLUMNS,
    ISOCAST_FAVOURED_LINE,
    ISOCAST_FAVOURED_GRID,
    ISOCAST_FAVOURED_ACROSS,    /* neighbours along a side, with shares along the other one */
    ISOCAST_FAVOURED_COMPUTING, /* none; the largest one of uneven shares is a factor */
    /* None; sizes with a number added or taken away are factors, as in (N + 1)*(M - 1). */
    ISOCAST_FAVOURED_SHIFTS,
    /* Three dimensions; with a set of axes added: neighbours along these, on both sides or one. */
    ISOCAST_FAVOURED_CUBE,
    ISOCAST_FAVOURED_ONE_WAY = ISOCAST_FAVOURED_CUBE + ISOCAST_AXES,
    ISOCAST_FAVOURED_LAST = ISOCAST_FAVOURED_ONE_WAY + ISOCAST_AXES - 1
} isocast_favoured_side;

isocast_favoured_side isocast_favoured_along(unsigned axes, bool one_way);

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

/* Whether a factor of p counts neighbours as a site has that favours them; where it does not, all
 * do. */
bool isocast_favoured_counts(isocast_favoured_side favoured, size_t process);

/* Of monomials that are proportional to each other at all runs the simplest stays. points:
 * [point_count], which is copied. Errors: NO_MEMORY. */
isocast_status isocast_candidates_create(const isocast_law_point *points, size_t point_count,
                                         size_t size_count, isocast_favoured_side favoured,
                                         isocast_candidates *out);
void isocast_candidates_free(isocast_candidates *candidates);

#endif
