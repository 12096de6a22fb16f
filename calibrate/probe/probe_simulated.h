/* Measuring in a simulation, where every call takes the same time: each point once, sizes refined
 * until switches are found, and several numbers of processes in one launch. */
#ifndef PROBE_SIMULATED_H
#define PROBE_SIMULATED_H

#include "probe_context.h"

/* Measures every operation on all processes, from `sizes` on (shape [size_count], bytes, rising;
 * of a block, where an operation sends blocks of m/p), and writes its samples. Between two sizes
 * that no straight line joins, the switch is found by bisection. The same sizes are then measured
 * on each of the smaller `counts` of processes (shape [count_of_counts]), the first of all.
 * Collective. */
void probe_simulated(const probe_context *all, const size_t *sizes, size_t size_count,
                     const size_t *counts, size_t count_of_counts);

#endif
