/* Measuring in a simulation, where every call takes the same time: each point once, sizes refined
 * until switches are found, and several numbers of processes in one launch. */
#ifndef PROBE_SIMULATED_H
#define PROBE_SIMULATED_H

#include "probe_context.h"
#include "probe_options.h"

/* Where the options have spans, measures the sizes at their ends on all processes, and further
 * sizes between them as below; writes the samples of each span, rising in m, in the order of the
 * spans. Else measures on all processes the operations that have weights, or the usual ones where
 * none have, from the sizes of the options on (bytes; of a block, where an operation sends blocks
 * of m/p), and writes the samples. Between two sizes that no straight line joins, the switch is
 * found by bisection. The same sizes are then measured on each of the smaller counts of processes,
 * the first of all. Collective. */
void probe_simulated(const probe_context *all, const probe_options *o);

#endif
