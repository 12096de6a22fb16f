/* Prints the messages of collective operations as isocast has them, in the form in which recorder.c
 * prints those of an MPI library: for each case a line with operation, processes, processes a node,
 * bytes and root, then a line for each process with its partners, by their distance, in the order
 * in which it begins to send (>) and to receive (<; ?: from any). Words: library, processes a node
 * (negative: ranks go round so many nodes), numbers of processes, "/", cases OPERATION:BYTES. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listing.h"
#include "model/collective/layout.h"

enum { MOST = 4096 };

static bool is_in(isocast_collective_operation operation, const char *names) {
    return strstr(names, isocast_collective_operation_name(operation)) != NULL;
}

static bool print_process(isocast_collective_part *part, isocast_collective_operation operation) {
    isocast_collective_listing listing = {0};
    isocast_collective_list(part, operation, &listing);
    printf("%d", part->rank);
    for (size_t i = 0; i < listing.count; i++) {
        const isocast_collective_event *e = &listing.events[i];
        int distance = (e->partner - part->rank + part->size) % part->size;
        if (e->sends) {
            printf(" %d>%zu", distance, e->bytes);
        } else if (e->partner < 0) {
            printf(" ?");
        } else {
            printf(" %d<", distance);
        }
    }
    printf("\n");
    bool failed = listing.failed;
    isocast_collective_listing_free(&listing);
    return !failed;
}

static bool print_case(isocast_collectives library, isocast_collective_operation operation,
                       int processes, int each, size_t bytes, int root,
                       const isocast_collective_layout *layout) {
    static size_t starts[MOST + 1];
    bool reduces = is_in(operation, "reduce allreduce reduce_scatter reduce_scatter_block scan");
    bool is_ragged = is_in(operation, "reduce_scatter allgatherv alltoallv gatherv scatterv") &&
                     operation != COLLECTIVE_REDUCE && operation != COLLECTIVE_SCATTER &&
                     operation != COLLECTIVE_ALLGATHER && operation != COLLECTIVE_ALLTOALL &&
                     operation != COLLECTIVE_GATHER;
    size_t unit = reduces ? 4 : 1;
    for (int i = 0; i <= processes; i++) {
        starts[i] = bytes / unit * (size_t)i;
    }
    printf("%s %d %d %zu %d\n", isocast_collective_operation_name(operation), processes, each,
           bytes, root);
    for (int rank = 0; rank < processes; rank++) {
        isocast_collective_part part = {.size = processes,
                                        .rank = rank,
                                        .root = root,
                                        .count = bytes / unit,
                                        .starts = is_ragged ? starts : NULL,
                                        .sent = operation == COLLECTIVE_ALLTOALLV ? starts : NULL,
                                        .unit = unit,
                                        .commutes = true,
                                        .built_in = true,
                                        .layout = layout,
                                        .library = library};
        if (!print_process(&part, operation)) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    static long long nodes[MOST];
    isocast_collectives library =
        argc > 3 ? isocast_collectives_find(argv[1]) : ISOCAST_COLLECTIVES;
    int each = argc > 3 ? atoi(argv[2]) : 0;
    int cases = 3;
    while (cases < argc && strcmp(argv[cases], "/") != 0) {
        cases++;
    }
    if (library == ISOCAST_COLLECTIVES || each == 0 || cases == argc) {
        fprintf(stderr,
                "list_messages: LIBRARY PROCESSES_A_NODE PROCESSES... / OPERATION:BYTES...\n");
        return 2;
    }
    bool good = true;
    for (int i = 3; i < cases && good; i++) {
        int processes = atoi(argv[i]);
        if (processes < 1 || processes > MOST) {
            return 2;
        }
        for (int k = 0; k < processes; k++) {
            nodes[k] = each > 0 ? k / each : k % -each;
        }
        isocast_collective_layout *layout = isocast_collective_layout_create(processes, nodes);
        for (int k = cases + 1; k < argc && good && layout != NULL; k++) {
            char name[64];
            size_t bytes;
            isocast_collective_operation operation = COLLECTIVE_OPERATION_COUNT;
            if (sscanf(argv[k], "%63[^:]:%zu", name, &bytes) == 2) {
                operation = isocast_collective_operation_find(name);
            }
            if (operation == COLLECTIVE_OPERATION_COUNT) {
                return 2;
            }
            good = print_case(library, operation, processes, each, bytes, 0, layout);
            if (good && strstr("bcast reduce gather scatter gatherv scatterv", name) != NULL) {
                good = print_case(library, operation, processes, each, bytes,
                                  processes - 1 - processes / 3, layout);
            }
        }
        good = good && layout != NULL;
        free(layout);
    }
    return good ? 0 : 5;
}
