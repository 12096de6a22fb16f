/* Runs that nothing else slowed. A processor that is shared with others, by the system or by the
 * two threads of a core, computes at half its speed for a while: times then fall into two groups,
 * and the median is in the one or the other by chance. */
#ifndef ISOCAST_CALM_H
#define ISOCAST_CALM_H

#include <stdbool.h>
#include <stddef.h>

#include "runs.h"

/* A run is calm that took at most this many times as long as the shortest of its kind. */
#define ISOCAST_CALM_WITHIN 1.25

/* The median of those times that are calm, in the unit of the times, shape [count] with count >= 1;
 * sorts them, so that the calm ones are the first *calm. */
double isocast_calm_time(double *times, size_t count, size_t *calm);

/* Whether a column says what a run came to, as kernels write it (T_NAME, flop, residual): no two
 * repetitions agree there. */
bool isocast_runs_is_outcome(const char *column);

/* Which rows are calm among those of their algorithm, machine, system, sizes and other columns but
 * those that say what the run came to: is [runs->count]. Rows
 * without a time are calm. *calm gets how many there are. Errors: NO_MEMORY. */
isocast_status isocast_runs_find_calm(const isocast_runs *runs, bool *is, size_t *calm);

/* Moves the rows that are calm, as above, before the others; both keep their order. Errors:
 * NO_MEMORY. */
isocast_status isocast_runs_put_calm_first(isocast_runs *runs, size_t *calm);

#endif
