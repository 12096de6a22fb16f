/* The first N from below at which a quantity is at least a level, or the last N at which it is at
 * most one, with what is proved of it: all processes can work, a time is not exceeded. Unlike a
 * root it is there, too, where the quantity jumps over the level or stays on it. The quantity is a
 * curve: a value of N, with an enclosure of it. */
#ifndef ISOCAST_BOUNDARY_H
#define ISOCAST_BOUNDARY_H

#include "model.h"
#include "model/formula/enclosure.h"

typedef enum isocast_curve_kind {
    ISOCAST_CURVE_WORK,       /* flop */
    ISOCAST_CURVE_TIME,       /* T_c + T_o, s */
    ISOCAST_CURVE_MEMORY,     /* B per process */
    ISOCAST_CURVE_CONCURRENCY /* processes that can work */
} isocast_curve_kind;

typedef struct isocast_curve isocast_curve;

/* `effort`, which must outlive it, takes what values and proofs cost, and so must the model, the
 * system and `other_sizes` (like in isocast_model_points). Errors: NO_MEMORY. */
isocast_status isocast_curve_create(const isocast_model *model, const isocast_system *system,
                                    const double *other_sizes, isocast_curve_kind kind,
                                    isocast_effort *effort, isocast_curve **out);
void isocast_curve_free(isocast_curve *c);

/* Where the size parameter may be: its least and its largest number. */
void isocast_curve_range(const isocast_curve *c, double *low, double *high);
isocast_effort *isocast_curve_effort(isocast_curve *c);

/* The value at N; NAN where there is none, or where its sums are not known. Errors: NO_MEMORY. */
isocast_status isocast_curve_value(isocast_curve *c, double N, double *value);

/* The value less `level` over low <= N <= high; *known is false where it has too many terms.
 * Errors: NO_MEMORY. */
isocast_status isocast_curve_enclose(isocast_curve *c, double level, double low, double high,
                                     isocast_form *difference, bool *known);
isocast_enclosure *isocast_curve_enclosure(isocast_curve *c);

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
