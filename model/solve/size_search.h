/* Scaling N until measured runs show a wanted speed-efficiency: which N to measure next, from the
 * points so far. Pure: measures nothing, remembers nothing. The way is the sizes that are given and
 * a doubling from there until E is reached, then interpolation in ln N with a bisection at every
 * third step, so that it ends for any E(N), also a noisy or a falling one. */
#ifndef ISOCAST_SIZE_SEARCH_H
#define ISOCAST_SIZE_SEARCH_H

#include <stddef.h>

#include "model/base/valid.h"

/* What is looked for. Sizes are whole numbers. */
typedef struct isocast_size_search {
    double target;    /* E, above 0 */
    double tolerance; /* of E, relative, 0 or above */
    double first;     /* smallest N, at least 1 */
    double most;      /* largest N, at least `first` */
    /* [size_count], any order: sizes to go through upwards before doubling; who knows about where E
     * is reached saves runs. */
    const double *sizes;
    size_t size_count;
    isocast_valid valid; /* only such N are measured; `first` and `sizes` are */
    /* In place of `valid` where it is given: the N next to one that may be measured, NAN where
     * there is none. The nearest of `first` and `sizes` are measured then. */
    isocast_valid_pair (*nearest)(const void *context, double N);
    const void *nearest_context;
} isocast_size_search;

typedef struct isocast_size_search_point {
    double N;
    double E; /* NAN: this N is not measured, as it does not fit into memory or takes too long */
    double T; /* s, of the run */
} isocast_size_search_point;

typedef enum isocast_size_search_state {
    ISOCAST_SIZE_SEARCH_MEASURE, /* N is to be measured next */
    ISOCAST_SIZE_SEARCH_FOUND,   /* E is met within the tolerance, or a tenth between two N */
    ISOCAST_SIZE_SEARCH_ABOVE,   /* E is not reached up to the largest N that fits */
    ISOCAST_SIZE_SEARCH_BELOW,   /* E is over the target already at the smallest N */
    /* E leaps over the target between two N that have none between them, and at neither it is near:
     * no N has this E, or runs were disturbed */
    ISOCAST_SIZE_SEARCH_JUMP
} isocast_size_search_state;

typedef struct isocast_size_search_step {
    isocast_size_search_state state;
    double N;           /* to measure; of the point where found; NAN otherwise */
    size_t point;       /* index of the point that was found, or that came nearest; count: none */
    size_t under, over; /* indices of the points round the target; count: none */
} isocast_size_search_step;

/* The next step after the points, shape [count], in the order they were measured. An N that it asks
 * for is never among them. */
isocast_size_search_step isocast_size_search_next(const isocast_size_search *search,
                                                  const isocast_size_search_point *points,
                                                  size_t count);

#endif
