#include "probe_nodes.h"

#include <hwloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/samples/environment.h"
#include "calibrate/samples/median.h"
#include "kernels/node_memory.h"
#include "probe_kernels.h"

enum { BENCHMARK_SIZE = 1024, BENCHMARK_CALLS = 5 };

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
    return 1 / isocast_median(times, BENCHMARK_CALLS);
}

static void describe(environment_node *node) {
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    *node = (environment_node){.model = "processor unknown", .speed = NAN};
    MPI_Get_processor_name(host, &length);
    snprintf(node->host, sizeof node->host, "%.120s", host);
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0) {
            hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
            const char *reported =
                package != NULL ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
            snprintf(node->model, sizeof node->model, "%.90s",
                     reported != NULL ? reported : "processor unknown");
            node->cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        }
        hwloc_topology_destroy(topology);
    }
    node->memory = node_memory_total();
}

MPI_Comm probe_nodes_leaders(const probe_context *context) {
    MPI_Comm node;
    MPI_Comm leaders;
    int rank_on_node;
    MPI_Comm_split_type(context->communicator, MPI_COMM_TYPE_SHARED, context->rank, MPI_INFO_NULL,
                        &node);
    MPI_Comm_rank(node, &rank_on_node);
    MPI_Comm_split(context->communicator, rank_on_node == 0 ? 0 : MPI_UNDEFINED, context->rank,
                   &leaders);
    MPI_Comm_free(&node);
    return leaders;
}

void probe_nodes_gather(const probe_context *context, MPI_Comm leaders,
                        const char own[ENVIRONMENT_LINE_MAX]) {
    int nodes;
    MPI_Comm_size(leaders, &nodes);
    char *all = context->rank == 0 ? calloc((size_t)nodes, ENVIRONMENT_LINE_MAX) : NULL;
    if (context->rank == 0 && all == NULL) {
        MPI_Abort(context->communicator, 5);
    }
    MPI_Gather(own, ENVIRONMENT_LINE_MAX, MPI_CHAR, all, ENVIRONMENT_LINE_MAX, MPI_CHAR, 0,
               leaders);
    for (int k = 0; context->rank == 0 && k < nodes; k++) {
        puts(all + (size_t)k * ENVIRONMENT_LINE_MAX);
    }
    free(all);
}

void probe_nodes_print(const probe_context *context) {
    MPI_Comm leaders = probe_nodes_leaders(context);
    if (leaders != MPI_COMM_NULL) {
        environment_node node_here;
        char own[ENVIRONMENT_LINE_MAX] = "";
        int nodes;
        MPI_Comm_size(leaders, &nodes);
        describe(&node_here);
        if (nodes > 1) {
            node_here.speed = speed_alone(context);
        }
        environment_write_node(&node_here, own);
        probe_nodes_gather(context, leaders, own);
        MPI_Comm_free(&leaders);
    }
    MPI_Barrier(context->communicator);
}
