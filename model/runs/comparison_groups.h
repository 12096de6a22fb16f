/* How the parts of a prediction and the phases of runs fall into groups that can be compared. Knows
 * no run. */
#ifndef ISOCAST_COMPARISON_GROUPS_H
#define ISOCAST_COMPARISON_GROUPS_H

#include "model/spec/algorithm.h"

/* Start from {.algorithm = ...}. */
typedef struct isocast_grouping {
    const isocast_algorithm *algorithm;
    size_t *of_phase; /* [phase_count]: group */
    size_t count;     /* groups, without the rest of T, which is number `count` */
} isocast_grouping;

/* Groups the phases: those with a part in common whose shares are not told go together. Free
 * of_phase in either case. Errors: NO_MEMORY. */
isocast_status isocast_grouping_make(isocast_grouping *grouping);

/* Parts of T: the computation and the overhead terms. */
size_t isocast_grouping_parts(const isocast_grouping *grouping);

/* Shares of a part in each group, shape [count + 1]; what no phase names is in the rest. */
void isocast_grouping_share(const isocast_grouping *grouping, size_t part, double *shares);

#endif
