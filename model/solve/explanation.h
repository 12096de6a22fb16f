/* Where the time of a prediction goes and what moves it: shares of the parts of T, growth between
 * the first and the last system, elasticities. Computes; renders nothing. */
#ifndef ISOCAST_EXPLANATION_H
#define ISOCAST_EXPLANATION_H

#include "elasticity.h"

/* A part of T: the computation or an overhead term. */
typedef struct isocast_part {
    const char *name; /* "computation" or the term's, borrowed from the model */
    bool is_overhead;
    double *T;     /* [row_count], s; NAN where the row has no solution */
    double growth; /* d ln T/d ln p from the first to the last solved row; NAN where unknown */
} isocast_part;

typedef struct isocast_explanation {
    const isocast_prediction *prediction;
    isocast_prediction *owned; /* the same where it is freed with the explanation; else NULL */
    isocast_part *parts; /* [part_count], by share of T on the last solved row, largest first */
    size_t part_count;
    size_t first;            /* row: the first solved one; row_count where there is none */
    size_t last;             /* row: the last solved one */
    double growth_T;         /* like the parts' */
    isocast_drivers drivers; /* of the last solved row */
} isocast_explanation;

/* Explains a prediction that was made of this request; both must outlive the explanation, and so
 * must their model. Errors: NO_MEMORY. */
isocast_status isocast_explain(const isocast_prediction *prediction,
                               const isocast_prediction_request *request,
                               isocast_explanation **out);
#endif
