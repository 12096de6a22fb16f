#include "probe_placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gives nodes that count as one the same name: the number of "node-17" becomes that of its group.
 */
static void name_group(char *name, int together) {
    char *number = name + strlen(name);
    while (number > name && number[-1] >= '0' && number[-1] <= '9') {
        number--;
    }
    if (together > 1 && *number != '\0') {
        long group = strtol(number, NULL, 10) / together;
        snprintf(number, (size_t)(MPI_MAX_PROCESSOR_NAME - (number - name)), "%ld", group);
    }
}

probe_placement probe_placement_find(MPI_Comm communicator, int together) {
    int processes;
    int length;
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Comm_size(communicator, &processes);
    MPI_Get_processor_name(own, &length);
    name_group(own, together);
    char(*names)[MPI_MAX_PROCESSOR_NAME] = malloc((size_t)processes * sizeof *names);
    if (names == NULL) {
        MPI_Abort(communicator, 5);
        return (probe_placement){0, 0};
    }
    MPI_Allgather(own, sizeof own, MPI_CHAR, names, sizeof own, MPI_CHAR, communicator);
    probe_placement placement = {0, 0};
    for (int q = 0; q < processes; q++) {
        int first = 0;
        while (strcmp(names[first], names[q]) != 0) {
            first++;
        }
        placement.nodes += first == q;
        placement.with_first += first == 0;
    }
    free(names);
    return placement;
}
