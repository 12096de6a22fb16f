#include "probe_nodes.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "kernels/node_memory.h"
#include "probe_kernels.h"

enum { LINE_MOST = 384, BENCHMARK_SIZE = 1024, BENCHMARK_CALLS = 5 };

/* Flop/s of this process by itself. */
static double speed_alone(const probe_context *context) {
    probe_context alone = *context;
    alone.communicator = alone.synchronisation = MPI_COMM_SELF;
    alone.rank = 0;
    alone.processes = 1;
    const probe_kernel *kernel = probe_kernels[KERNEL_BENCHMARK];
    kernel->prepare(&alone, BENCHMARK_SIZE);
    double times[BENCHMARK_CALLS];
    kernel->call(&alone, BENCHMARK_SIZE);
    for (int k = 0; k < BENCHMARK_CALLS; k++) {
        times[k] = kernel->call(&alone, BENCHMARK_SIZE);
    }
    return 1 / median_of(times, BENCHMARK_CALLS);
}

static void describe(char *text, size_t size) {
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    int cores = 0;
    char model[96] = "processor unknown";
    MPI_Get_processor_name(host, &length);
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0) {
            hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
            const char *told =
                package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
            snprintf(model, sizeof model, "%.90s", told != NULL ? told : "processor unknown");
            cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        }
        hwloc_topology_destroy(topology);
    }
    snprintf(text, size, "# node %.120s: %s; %d cores; %.0f B", host, model, cores,
             node_memory_total());
}

void probe_nodes_print(const probe_context *context) {
    MPI_Comm node;
    MPI_Comm leaders;
    int rank_on_node;
    int nodes = 0;
    MPI_Comm_split_type(context->communicator, MPI_COMM_TYPE_SHARED, context->rank, MPI_INFO_NULL,
                        &node);
    MPI_Comm_rank(node, &rank_on_node);
    MPI_Comm_split(context->communicator, rank_on_node == 0 ? 0 : MPI_UNDEFINED, context->rank,
                   &leaders);
    if (leaders != MPI_COMM_NULL) {
        char own[LINE_MOST];
        MPI_Comm_size(leaders, &nodes);
        describe(own, sizeof own);
        size_t used = strlen(own);
        if (nodes > 1) {
            snprintf(own + used, sizeof own - used, "; %.6g flop/s", speed_alone(context));
        }
        char *all = context->rank == 0 ? calloc((size_t)nodes, LINE_MOST) : NULL;
        if (context->rank == 0 && all == NULL) {
            MPI_Abort(context->communicator, 5);
        }
        MPI_Gather(own, LINE_MOST, MPI_CHAR, all, LINE_MOST, MPI_CHAR, 0, leaders);
        for (int k = 0; context->rank == 0 && k < nodes; k++) {
            puts(all + (size_t)k * LINE_MOST);
        }
        free(all);
        MPI_Comm_free(&leaders);
    }
    MPI_Comm_free(&node);
    MPI_Barrier(context->communicator);
}
