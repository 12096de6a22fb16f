/* The first N from below at which a quantity is at least a level, or the last N at which it is at
 * most one, with what is proved of it: all processes can work, a time is not exceeded. Unlike a
 * root it is there, too, where the quantity jumps over the level or stays on it. */
#ifndef ISOCAST_BOUNDARY_H
#define ISOCAST_BOUNDARY_H

#include "model.h"

typedef enum isocast_bounded {
    ISOCAST_BOUNDED_WORK,       /* flop */
    ISOCAST_BOUNDED_TIME,       /* T_c + T_o, s */
    ISOCAST_BOUNDED_MEMORY,     /* B per process */
    ISOCAST_BOUNDED_CONCURRENCY /* processes that can work */
} isocast_bounded;

typedef enum isocast_boundary_kind {
    ISOCAST_BOUNDARY_FIRST_AT_LEAST, /* the smallest N with a value of at least the level */
    ISOCAST_BOUNDARY_LAST_AT_MOST    /* the largest N with a value of at most the level */
} isocast_boundary_kind;

typedef struct isocast_boundary_request {
    const isocast_model *model;
    const isocast_system *system;
    const double *other_sizes; /* like in isocast_model_points */
    isocast_bounded quantity;
    isocast_boundary_kind kind;
    double level;
    double low, high; /* of N, within the range of the size parameter */
    bool rounded;     /* a whole number that differs by rounding alone is taken in its place */
} isocast_boundary_request;

typedef struct isocast_boundary {
    double N;      /* NAN where none was found */
    bool at_end;   /* it is where the search begins: the least N for the first, else the largest */
    bool complete; /* proved: no N before it in the direction of the search, or none at all */
    double looked_to; /* the N at which the search ended: N, or the far end of the range */
} isocast_boundary;

/* `effort` takes what values and proofs cost. Errors: NO_MEMORY. */
isocast_status isocast_boundary_find(const isocast_boundary_request *request,
                                     isocast_effort *effort, isocast_boundary *out);

#endif
