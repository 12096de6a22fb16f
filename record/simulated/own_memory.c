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
#include <math.h>
#include <mpi.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_calls.h"
#include "own_carrier.h"

/* One for all processes of a node, which share their memory, but no variables. */
typedef struct node_memory {
    sg_link_t link;
    double cache;          /* B, of all sockets */
    double cached, memory; /* B/s of all messages in the caches and out of them */
    double in_hand;        /* B, of all processes of the node */
    double rate;           /* B/s of the link now */
} node_memory;

static const char before_name[] = "memory-";
static const double small_change = 0.01; /* of a rate, that no link is changed for */

static node_memory *find_node(void) {
    sg_host_t host = sg_host_self();
    const char *value = sg_host_get_property_value(host, "isocast-cache");
    node_memory found = {0};
    if (value == NULL || sscanf(value, "%lf %lf", &found.cache, &found.cached) != 2) {
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
        found.memory = found.rate = sg_link_get_bandwidth(found.link);
        node = own_memory(sizeof *node);
        *node = found;
        sg_host_set_data(host, node);
    }
    return node;
}

/* The share of accesses that a cache answers which drops what it holds at random, where data of
 * `times` its size are gone through again and again: what was used is still there after the misses
 * of one round, each of which drops one of all lines. The least h with h = exp(-(1 - h) times). */
static double share_of_hits(double times) {
    enum { STEPS = 40 };
    double h = times > 1 ? 0 : 1;
    for (int i = 0; times > 1 && i < STEPS; i++) {
        double kept = exp((h - 1) * times);
        h += (kept - h) / (1 - times * kept);
    }
    return h;
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
    node->in_hand += bytes - mine;
    mine = bytes;
    double hits = share_of_hits(node->in_hand / node->cache);
    double rate = 1 / (hits / node->cached + (1 - hits) / node->memory);
    if (fabs(rate - node->rate) > small_change * node->rate) {
        node->rate = rate;
        if (is_timed) {
            smpi_bench_end();
        }
        sg_link_set_bandwidth(node->link, rate);
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

static double posted; /* B, of calls that do not wait, since the process last waited */
static double before; /* B, of those before it last waited */

static void take(double bytes, bool waits) {
    posted += waits ? 0 : bytes;
    before = waits ? 0 : before;
    own_take_in_hand(waits ? posted + bytes : fmax(before, posted), true);
}

static void note_wait(void) {
    before = posted > 0 ? posted : before;
    posted = 0;
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
    note_wait();
    return MPI_Wait(request, status);
}

int isocast_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    note_wait();
    return MPI_Waitall(count, requests, statuses);
}
