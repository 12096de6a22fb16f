/* The section `program:` of an algorithm file: read, checked, and started for some processes and
 * sizes, so that each can walk through its actions (model/schedule/run.h). */
#ifndef ISOCAST_ALGORITHM_PROGRAM_H
#define ISOCAST_ALGORITHM_PROGRAM_H

#include "algorithm.h"
#include "model/schedule/rehearsal.h"

/* Reads the section, where there is one, and makes T_c and the overhead of its steps, unless the
 * file has an overhead of its own. Its formulas
 * see the algorithm's sizes, definitions and parameters that have a default, W, p, C, C_j, nodes,
 * p_node and p_node_max. */
void isocast_algorithm_read_program(isocast_reader *reader, const isocast_tree_node *root,
                                    isocast_names declared, isocast_algorithm *algorithm);

/* Adds to the algorithm's `operations` what stands in for those that its steps call, where the file
 * has nothing for them: `instead` of their rows (model/base/known_operation.h). */
void isocast_algorithm_add_stand_ins(isocast_reader *reader, isocast_algorithm *algorithm);

typedef struct isocast_algorithm_run isocast_algorithm_run;

typedef struct isocast_algorithm_run_request {
    const isocast_algorithm *algorithm; /* with a program; borrowed */
    const double *sizes;                /* [size_count] */
    int processes;
    const double *speeds; /* flop/s of each process, [processes], borrowed; NULL: all alike, 1 */
    double nodes, p_node; /* 0: not known; all on one node is taken then */
    /* As in a run's request (model/schedule/run.h). */
    double most;
    isocast_effort *effort;
} isocast_algorithm_run_request;

/* Errors: INVALID with diagnostics, NO_MEMORY. */
isocast_status isocast_algorithm_run_create(const isocast_algorithm_run_request *request,
                                            isocast_diagnostics *diagnostics,
                                            isocast_algorithm_run **out);
void isocast_algorithm_run_free(isocast_algorithm_run *run);

/* Rehearses a run (model/schedule/rehearsal.h); messages name its processes and sizes. Errors:
 * INVALID with diagnostics, NO_MEMORY. */
isocast_status isocast_algorithm_run_rehearse(const isocast_algorithm_run *run, double most,
                                              isocast_diagnostics *diagnostics,
                                              isocast_rehearsal *out);

/* Rehearses the program for some numbers of processes, and sizes for which the file is valid:
 * whether messages and collective operations meet. What takes long is left out, so that finding
 * nothing proves nothing. Errors: INVALID with diagnostics, NO_MEMORY. */
isocast_status isocast_algorithm_rehearse(const isocast_algorithm *algorithm,
                                          isocast_diagnostics *diagnostics);

/* What the actions of a process are created of. */
const isocast_schedule_run *isocast_algorithm_run_steps(const isocast_algorithm_run *run);

#endif
