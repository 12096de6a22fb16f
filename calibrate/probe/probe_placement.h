/* Which processes share a node, or a group of nodes that are near to each other. */
#ifndef PROBE_PLACEMENT_H
#define PROBE_PLACEMENT_H

#include <mpi.h>

typedef struct probe_placement {
    int nodes;      /* that the processes are on */
    int with_first; /* processes on the node of process 0, itself among them */
} probe_placement;

/* By the names of the nodes. Collective; the same everywhere. */
probe_placement probe_placement_find(MPI_Comm communicator);

#endif
