/* The degree of concurrency C(N) [GGKK 5.4.5]: at most C(N) processes can work. From which N on all
 * processes of a system can, and the system without those that cannot. */
#ifndef ISOCAST_CONCURRENCY_H
#define ISOCAST_CONCURRENCY_H

#include "boundary.h"
#include "model/spec/one_class.h"

/* Whether fewer than p processes can work; those that can are whole, up to the rounding of a
 * formula such as N^(1/3). False where the concurrency is NAN. */
bool isocast_concurrency_is_short(double concurrency, double p);

/* The concurrency at N; NAN where the algorithm has none. Errors: NO_MEMORY. */
isocast_status isocast_concurrency_at(const isocast_model *model, const isocast_system *system,
                                      const double *other_sizes, double N, isocast_effort *effort,
                                      double *concurrency);

/* The smallest N from `least` on at which all processes of the system can work: C^-1(p). The
 * algorithm has a concurrency. `other_sizes` like in isocast_model_points. Errors: NO_MEMORY. */
isocast_status isocast_concurrency_least_N(const isocast_model *model, const isocast_system *system,
                                           const double *other_sizes, double least,
                                           isocast_effort *effort, isocast_boundary *out);

/* The most processes that can work at N whatever system they are on: where the concurrency is
 * proved to be a matter of the sizes alone; infinite else. `system` is any of the machine's.
 * Errors: NO_MEMORY. */
isocast_status isocast_concurrency_of_any_system(const isocast_model *model,
                                                 const isocast_system *system,
                                                 const double *other_sizes, double N,
                                                 isocast_effort *effort, double *most);

/* The part of a system whose processes can work at N: the first of them, node by node. It keeps the
 * size and R_f of the whole, and borrows from it. For a system with one node class, whose processes
 * are alike. *p is how many can work, one more of which could not; 0 where none can, and `out` is
 * of no use then. Errors: NO_MEMORY. */
isocast_status isocast_concurrency_working_part(const isocast_model *model,
                                                const isocast_system *system,
                                                const double *other_sizes, double N,
                                                isocast_effort *effort, isocast_one_class *out,
                                                double *p);

/* Evaluates at one point (count is 1, no parameters): the times are those of the processes that can
 * work there, *p of them, and E counts the others, too. Where it is not known which work, as the
 * nodes differ, or none can, *p is 0 and the results are those of all processes, which is no
 * prediction. Errors: NO_MEMORY. */
isocast_status isocast_concurrency_evaluate(const isocast_model *model,
                                            const isocast_model_points *point,
                                            isocast_model_results *results, double *p);

#endif
