/* The condition of a metric, such as W/(T C) = E, solved for N on one system: every root over the
 * whole range of N, or the reason why there is none. */
#ifndef ISOCAST_SOLVER_H
#define ISOCAST_SOLVER_H

#include "model/base/metric.h"
#include "solution.h"

typedef struct isocast_solve_request {
    const isocast_model *model;
    isocast_metric metric;
    const isocast_system *system;
    const double *other_sizes; /* like in isocast_model_points */
    const double *parameters;  /* one draw [parameter_count], or NULL for the machine's values */
    double target;             /* above 0, in the unit of what is held */
    double from;               /* the search begins here where that is above the size's min */
    /* Roots are found by bands first (reach_roots.h), which takes less, and proves more within the
     * effort: the roots are then complete, or there is none. Where bands do not know, all is as
     * without them. */
    bool by_bands;
    isocast_effort *effort; /* takes what the search costs, and ends it where it is spent; NULL:
                               what a question of one row may take */
} isocast_solve_request;

/* Solves for the first size parameter between its min and max, or as far as W and T are numbers.
 * A root is an N at which what the metric holds (E) is the target, or over which it jumps by 1 % or
 * less of the target to both sides. Errors: ARGUMENT (target), NO_MEMORY. No solution is a status
 * of the solution, not an error. */
isocast_status isocast_solve(const isocast_solve_request *request, isocast_solution *out);

#endif
