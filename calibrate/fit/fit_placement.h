/* Which process is on which node: of the systems that were measured, and of those that a table of
 * numbers of processes is made for. */
#ifndef FIT_PLACEMENT_H
#define FIT_PLACEMENT_H

#include "fit_route.h"

/* Processes of a system. Shapes: [p]. */
typedef struct fit_placed {
    int *nodes;     /* of each rank */
    double *speeds; /* of each rank, relative */
} fit_placed;

/* Room for p processes; false where memory is short. */
bool fit_placed_make(int p, fit_placed *out);

void fit_placed_free(fit_placed *placed);

/* Where as many processes were on so many nodes, p_node of them on the node of process 0. On nodes
 * that are all alike they follow each other; on a mix of node classes the samples tell each
 * launch's placement (environment.h). False where no launch had this, or memory is short. */
bool fit_placement_measured(const fit_network_map *map, int p, double nodes, double p_node,
                            const fit_placed *out);

/* p processes on a mix of classes that grows as a whole: each class has its part of the processors,
 * and p/nodes of its processes share a node, as near as the node's processors allow. False where
 * there are fewer processes than classes, or more than processors. */
bool fit_placement_of_mix(const fit_network_map *map, int p, double nodes, const fit_placed *out);

#endif
