#include "probe_placement.h"

#include <stdlib.h>
#include <string.h>

/* How many nodes there are among the names, and how often the first one is. */
static probe_placement count_nodes(char (*names)[MPI_MAX_PROCESSOR_NAME], int processes) {
    probe_placement placement = {0, 0};
    for (int q = 0, first = 0; q < processes; q++) {
        /* Neighbours mostly share a node. */
        if (strcmp(names[first], names[q]) != 0) {
            first = 0;
        }
        while (strcmp(names[first], names[q]) != 0) {
            first++;
        }
        placement.nodes += first == q;
        placement.with_first += first == 0;
    }
    return placement;
}

/* Process 0 alone counts: names from all to all are the square of the processes in messages, which
 * takes seconds to simulate. */
probe_placement probe_placement_find(MPI_Comm communicator) {
    int processes;
    int rank;
    int length;
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Comm_size(communicator, &processes);
    MPI_Comm_rank(communicator, &rank);
    MPI_Get_processor_name(own, &length);
    char(*names)[MPI_MAX_PROCESSOR_NAME] = NULL;
    if (rank == 0) {
        names = malloc((size_t)processes * sizeof *names);
        if (names == NULL) {
            MPI_Abort(communicator, 5);
            return (probe_placement){0, 0};
        }
    }
    MPI_Gather(own, sizeof own, MPI_CHAR, names, sizeof own, MPI_CHAR, 0, communicator);
    probe_placement placement = {0, 0};
    if (names != NULL) {
        placement = count_nodes(names, processes);
    }
    free(names);
    int counts[] = {placement.nodes, placement.with_first};
    MPI_Bcast(counts, 2, MPI_INT, 0, communicator);
    return (probe_placement){counts[0], counts[1]};
}
