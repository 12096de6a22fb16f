/* The first N from below at which a quantity is at least a level, or the last N at which it is at
 * most one, with what is proved of it: all processes can work, a time is not exceeded. Unlike a
 * root it is there, too, where the quantity jumps over the level or stays on it. */
#ifndef ISOCAST_BOUNDARY_H
#define ISOCAST_BOUNDARY_H

#include "curve.h"

typedef enum isocast_boundary_kind {
    ISOCAST_BOUNDARY_FIRST_AT_LEAST, /* the smallest N with a value of at least the level */
    ISOCAST_BOUNDARY_LAST_AT_MOST    /* the largest N with a value of at most the level */
} isocast_boundary_kind;

typedef struct isocast_boundary {
    double N;      /* NAN where none was found */
    bool at_end;   /* it is where the search begins: the least N for the first, else the largest */
    bool complete; /* proved: no N before it in the direction of the search, or none at all */
    double looked_to; /* the N at which the search ended: N, or the far end of the range */
} isocast_boundary;

/* Searches low <= N <= high, both above 0. Errors: NO_MEMORY. */
isocast_status isocast_boundary_find(isocast_curve *curve, isocast_boundary_kind kind, double level,
                                     double low, double high, isocast_boundary *out);

/* A whole number next to N that will do as well: where it is nearer than rounding, and so is its
 * value to the level. Else N. Errors: NO_MEMORY. */
isocast_status isocast_boundary_round(isocast_curve *curve, double level, double *N);

#endif
