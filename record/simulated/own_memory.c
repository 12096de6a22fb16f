/* What messages within a node take of its memory. The platform has one link for them, whose rate is
 * that of the memory; here it becomes that of the caches as far as these hold what the processes of
 * the node have in hand: the buffers of the last call of each, or of the calls since it last
 * waited. Linked into programs by 'isocast cc', into the simulated probe and the simulated kernels.
 */
#undef MPI_Send
#undef MPI_Recv
#undef MPI_Sendrecv
#undef MPI_Isend
#undef MPI_Irecv
#undef MPI_Wait
#undef MPI_Waitall
#include <mpi.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/collective/memory_rate.h"
#include "own_calls.h"
#include "own_carrier.h"

/* One for all processes of a node, which share their memory, but no variables. */
typedef struct node_memory {
    sg_link_t link;
    isocast_memory_rate shared;
} node_memory;

static const char before_name[] = "memory-";

static node_memory *find_node(void) {
    sg_host_t host = sg_host_self();
    const char *value = sg_host_get_property_value(host, "isocast-cache");
    node_memory found = {0};
    if (value == NULL || sscanf(value, "%lf %lf", &found.shared.cache, &found.shared.cached) != 2) {
        return NULL;
    }
    node_memory *node = sg_host_get_data(host);
    if (node == NULL) {
        const char *of = sg_host_get_name(host);
        size_t room = sizeof before_name + strlen(of);
        char *name = own_memory(room);
        snprintf(name, room, "%s%s", before_name, of);
        found.link = sg_link_by_name(name);
        free(name);
        found.shared.memory = found.shared.rate = sg_link_get_bandwidth(found.link);
        node = own_memory(sizeof *node);
        *node = found;
        sg_host_set_data(host, node);
    }
    return node;
}

void own_take_in_hand(double bytes, bool is_timed) {
    static bool is_found;
    static node_memory *node;
    static double mine;
    if (!is_found) {
        node = find_node();
        is_found = true;
    }
    if (node == NULL || bytes == mine) {
        return;
    }
    bool changed = isocast_memory_rate_take(&node->shared, bytes - mine);
    mine = bytes;
    if (changed) {
        if (is_timed) {
            smpi_bench_end();
        }
        sg_link_set_bandwidth(node->link, node->shared.rate);
        if (is_timed) {
            smpi_bench_begin();
        }
    }
}

static double bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    if (count > 0 && type != MPI_DATATYPE_NULL) {
        MPI_Type_size(type, &size);
    }
    return (double)count * size;
}

static isocast_in_hand hand;

static void take(double bytes, bool waits) {
    own_take_in_hand(isocast_in_hand_call(&hand, bytes, waits), true);
}

#define TAKING(call, parameters, bytes, waits, arguments)                                          \
    int isocast_##call parameters {                                                                \
        take(bytes, waits);                                                                        \
        return call arguments;                                                                     \
    }
TAKING(MPI_Send,
       (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator),
       bytes_of(count, type), true, (buffer, count, type, to, tag, communicator))
TAKING(MPI_Recv,
       (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
        MPI_Status *status),
       bytes_of(count, type), true, (buffer, count, type, from, tag, communicator, status))
TAKING(MPI_Sendrecv,
       (const void *send, int send_count, MPI_Datatype send_type, int to, int send_tag,
        void *receive, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
        MPI_Status *status),
       bytes_of(send_count, send_type) + bytes_of(count, type), true,
       (send, send_count, send_type, to, send_tag, receive, count, type, from, tag, communicator,
        status))
TAKING(MPI_Isend,
       (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
        MPI_Request *request),
       bytes_of(count, type), false, (buffer, count, type, to, tag, communicator, request))
TAKING(MPI_Irecv,
       (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
        MPI_Request *request),
       bytes_of(count, type), false, (buffer, count, type, from, tag, communicator, request))

int isocast_MPI_Wait(MPI_Request *request, MPI_Status *status) {
    isocast_in_hand_wait(&hand);
    return MPI_Wait(request, status);
}

int isocast_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    isocast_in_hand_wait(&hand);
    return MPI_Waitall(count, requests, statuses);
}
