/* How well-conditioned the question for N' is: what a relative error of E counts in N. Solves
 * nothing. */
#ifndef ISOCAST_CONDITIONING_H
#define ISOCAST_CONDITIONING_H

#include "prediction_result.h"

typedef struct isocast_conditioning_request {
    const isocast_model *model;
    isocast_metric metric;
    const isocast_system *system;
    const double *other_sizes;        /* [size_count - 1], or NULL */
    double N;                         /* at which what is held is the target */
    const isocast_solution *solution; /* that has it as a root */
    isocast_effort *effort;           /* takes what it costs */
} isocast_conditioning_request;

/* Above this condition number, N' is ill-conditioned. */
#define ISOCAST_ILL_CONDITIONED 10.0

/* |d ln N/d ln E|, E being what the metric holds: the inverse of its exact derivative. Where E
 * steps or has teeth, a derivative knows the next neighbourhood alone: the slope over 5 % of N to
 * either side counts where that speaks of more than twice as much. A bump is no step. INFINITY
 * where E does not change with N, NAN where it is not known. Errors: NO_MEMORY. */
isocast_status isocast_conditioning_find(const isocast_conditioning_request *request, double *out);

#endif
