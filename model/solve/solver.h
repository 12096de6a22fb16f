/* The condition of a metric, such as W/(T C) = E, solved for N on one system: every root over the
 * whole range of N, or the reason why there is none. */
#ifndef ISOCAST_SOLVER_H
#define ISOCAST_SOLVER_H

#include "model/base/metric.h"
#include "solution.h"

/* Solves for the first size parameter between its min and max, or as far as W and T are numbers.
 * A root is an N at which what the metric holds (E) is the target, or over which it jumps by 1 % or
 * less of the target to both sides. target: above 0, in the unit of what is held. `other_sizes`
 * like in isocast_model_points. `parameters`: one draw [parameter_count], or NULL for the machine's
 * values. `effort`: takes what the search costs, and ends it where it is spent; NULL: what a
 * question of one row may take. Errors: ARGUMENT (target), NO_MEMORY. No solution is a status of
 * the solution, not an error. */
isocast_status isocast_solve_metric(const isocast_model *model, isocast_metric metric,
                                    const isocast_system *system, const double *other_sizes,
                                    const double *parameters, double target, isocast_effort *effort,
                                    isocast_solution *out);
/* The same where roots are found by bands (reach_roots.h), which takes less, and proves more within
 * the effort: the roots are then complete, or there is none. Where bands do not know, it is what
 * isocast_solve_metric gives. */
isocast_status isocast_solve_by_bands(const isocast_model *model, isocast_metric metric,
                                      const isocast_system *system, const double *other_sizes,
                                      const double *parameters, double target,
                                      isocast_effort *effort, isocast_solution *out);
/* The same as isocast_solve_metric for isospeed-efficiency. */
isocast_status isocast_solve(const isocast_model *model, const isocast_system *system,
                             const double *other_sizes, const double *parameters, double target,
                             isocast_effort *effort, isocast_solution *out);

#endif
