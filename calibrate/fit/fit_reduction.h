/* What is known of a reduction before it is measured: SimGrid's choice for MPICH (reduce__mpich and
 * allreduce__mpich of SimGrid 3.32) goes through the nodes. A short message takes a binomial tree,
 * or doubling distances, within each node and between the first processes of nodes; a longer one is
 * cut into blocks. */
#ifndef FIT_REDUCTION_H
#define FIT_REDUCTION_H

#include <stdbool.h>

#include "model/base/known_operation.h"

/* A reduction by its name, also with the ending of short or of long messages ("T_reduce" of
 * "T_reduce_short"); NULL where it is none. */
const isocast_known_operation *fit_reduction_of(const char *name, bool *is_short);

/* Messages of fewer bytes are short. */
extern const double fit_reduction_short_below;

/* Of the operation's name, where short or long messages are fitted by themselves. */
const char *fit_reduction_ending(bool is_short);

#endif
