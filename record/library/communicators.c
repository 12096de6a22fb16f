/* Communicators by their handles, and what a record says of them. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "quick.h"
#include "state.h"
#include "store.h"

/* Handles that are known, in no order but that of their use: programs have few at a time. */
typedef struct known {
    MPI_Comm comm;
    uint32_t number; /* where it is described */
    bool described;  /* otherwise it is when it is used first, with what follows */
    uint32_t kind, site, parent;
} known;

static known *all; /* [count] */
static size_t count, capacity;

static size_t find(MPI_Comm comm) {
    for (size_t i = 0; i < count; i++) {
        if (all[i].comm == comm) {
            /* The next look finds it first. */
            known found = all[i];
            all[i] = all[0];
            all[0] = found;
            return 0;
        }
    }
    return count;
}

/* Ranks in MPI_COMM_WORLD of the processes of this group. Gives their number; 0 where that fails.
 * Processes that were spawned are in another one, and are left out. */
static uint32_t find_members(MPI_Comm comm, int size, uint32_t *out) {
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    uint32_t members = 0;
    if (ranks != NULL && record_real.Comm_group(comm, &group) == MPI_SUCCESS &&
        record_real.Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        for (int i = 0; i < size; i++) {
            ranks[i] = i;
        }
        record_real.Group_translate_ranks(group, size, ranks, world, ranks + size);
        for (int i = 0; i < size; i++) {
            if (ranks[size + i] >= 0) {
                out[members++] = (uint32_t)ranks[size + i];
            }
        }
    }
    if (group != MPI_GROUP_NULL) {
        record_real.Group_free(&group);
    }
    if (world != MPI_GROUP_NULL) {
        record_real.Group_free(&world);
    }
    free(ranks);
    return members;
}

static void find_topology(MPI_Comm comm, record_part_communicator *out) {
    int topology = MPI_UNDEFINED;
    int dimensions = 0;
    record_real.Topo_test(comm, &topology);
    out->is_graph = topology == MPI_GRAPH || topology == MPI_DIST_GRAPH;
    if (topology != MPI_CART || record_real.Cartdim_get(comm, &dimensions) != MPI_SUCCESS ||
        dimensions < 1 || dimensions > RECORD_PART_DIMENSIONS) {
        return;
    }
    int sizes[RECORD_PART_DIMENSIONS];
    int periodic[RECORD_PART_DIMENSIONS];
    int own[RECORD_PART_DIMENSIONS];
    record_real.Cart_get(comm, dimensions, sizes, periodic, own);
    out->dimension_count = (uint32_t)dimensions;
    for (int i = 0; i < dimensions; i++) {
        out->dimensions[i] = (uint32_t)sizes[i];
        out->periodic[i] = periodic[i] != 0;
    }
}

/* Describes a communicator, by calls that are local. */
static uint32_t describe(MPI_Comm comm, uint32_t kind, uint32_t site, uint32_t parent) {
    record_part_communicator like = {.kind = kind, .site = site, .parent = parent};
    int size = 0;
    int remote = 0;
    int inter = 0;
    record_real.Comm_size(comm, &size);
    record_real.Comm_test_inter(comm, &inter);
    if (inter) {
        record_real.Comm_remote_size(comm, &remote);
    } else {
        find_topology(comm, &like);
    }
    uint32_t *members = size > 0 ? malloc((size_t)size * sizeof *members) : NULL;
    uint32_t number = RECORD_PART_NONE;
    if (members != NULL) {
        like.remote_size = (uint32_t)remote;
        like.size = find_members(comm, size, members);
        number = record_store_communicator(&like, members);
    }
    free(members);
    return number;
}

static void remember(const known *new) {
    size_t at = find(new->comm);
    if (at == count) {
        if (count == capacity) {
            size_t more = capacity == 0 ? 16 : 2 * capacity;
            known *grown = realloc(all, more * sizeof *grown);
            if (grown == NULL) {
                return;
            }
            all = grown;
            capacity = more;
        }
        count++;
    }
    all[at] = *new;
}

uint32_t record_communicator(MPI_Comm comm) {
    size_t at = find(comm);
    if (at < count && all[at].described) {
        return all[at].number;
    }
    known one = {.comm = comm,
                 .described = true,
                 .kind = comm == MPI_COMM_WORLD  ? RECORD_PART_WORLD
                         : comm == MPI_COMM_SELF ? RECORD_PART_SELF
                                                 : RECORD_PART_UNKNOWN,
                 .site = RECORD_PART_NONE,
                 .parent = RECORD_PART_NONE};
    if (at < count) {
        one = all[at];
        one.described = true;
    }
    one.number = describe(comm, one.kind, one.site, one.parent);
    remember(&one);
    return one.number;
}

static void note(const record_call *call, MPI_Comm parent, MPI_Comm made,
                 isocast_record_operation operation) {
    known one = {.comm = made, .kind = operation, .site = call->key.site};
    one.parent = record_communicator(parent);
    remember(&one);
}

void record_made(const record_call *call, int result, MPI_Comm parent, MPI_Comm made,
                 isocast_record_operation operation) {
    if (result == MPI_SUCCESS && made != MPI_COMM_NULL) {
        note(call, parent, made, operation);
        record_communicator(made);
    }
}

void record_will_be_made(const record_call *call, int result, MPI_Comm parent, MPI_Comm made,
                         isocast_record_operation operation) {
    if (result == MPI_SUCCESS && made != MPI_COMM_NULL) {
        note(call, parent, made, operation);
    }
}

void record_forget(MPI_Comm comm) {
    record_lock();
    size_t at = find(comm);
    if (at < count) {
        all[at] = all[--count];
    }
    record_quick_forget(RECORD_PART_NONE);
    record_unlock();
}
