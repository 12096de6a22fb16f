/* Collective operations as the MPI library that the platform names makes them: the algorithm and
 * the messages of each call (model/collective), with the program's data. Calls between groups, and
 * those with arguments that MPI refuses, are left to the simulator. Linked into programs by
 * 'isocast cc', into the simulated probe and the simulated kernels. */
#include "own_carrier.h"

#include <limits.h>
#include <stdlib.h>

#include "own_calls.h"

static own_type bytes_type(void) {
    return (own_type){.type = MPI_BYTE, .size = 1, .extent = 1, .true_extent = 1, .is_dense = true};
}

/* Elements of a type from or to bytes without gaps. */
static void pack(const void *from, size_t count, const own_type *type, void *to) {
    const own_type bytes = bytes_type();
    own_copy_elements(from, count, type, to, count * type->size, &bytes);
}

static void unpack(const void *from, void *to, size_t count, const own_type *type) {
    const own_type bytes = bytes_type();
    own_copy_elements(from, count * type->size, &bytes, to, count, type);
}

static bool fits(double elements, const own_type *type) {
    return elements * (double)type->size <= INT_MAX && elements * (double)type->extent <= 1e15;
}

int isocast_MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    own_call c;
    const own_type t = count >= 0 && type != MPI_DATATYPE_NULL ? own_type_find(type) : bytes_type();
    if (count < 0 || type == MPI_DATATYPE_NULL || !fits(count, &t) ||
        !own_call_begin(&c, communicator, root, buffer)) {
        return MPI_Bcast(buffer, count, type, root, communicator);
    }
    size_t n = (size_t)count;
    /* MPICH and those that come from it cut a vector between any bytes. */
    bool by_element = c.part.library == ISOCAST_COLLECTIVES_OPENMPI;
    c.stride = by_element && t.size > 0 ? t.size : 1;
    c.part.unit = c.stride;
    c.part.count = n * t.size / c.stride;
    c.longest = c.part.count;
    char *bytes = buffer;
    if (!t.is_dense) {
        bytes = own_reserve(&c, COLLECTIVE_OUTPUT, 0, c.longest);
        if (c.part.rank == root) {
            pack(buffer, n, &t, bytes);
        }
    }
    c.base[COLLECTIVE_OUTPUT] = bytes;
    own_call_do(&c, COLLECTIVE_BCAST);
    if (!t.is_dense && c.part.rank != root) {
        unpack(bytes, buffer, n, &t);
    }
    return own_call_end(&c);
}

int isocast_MPI_Barrier(MPI_Comm communicator) {
    own_call c;
    if (!own_call_begin(&c, communicator, 0, NULL)) {
        return MPI_Barrier(communicator);
    }
    own_call_do(&c, COLLECTIVE_BARRIER);
    return own_call_end(&c);
}

/* Whether a reduction of so many elements is made here. */
static bool reduce_begin(own_call *c, const void *send, double elements, MPI_Datatype type,
                         MPI_Op op, int root, MPI_Comm communicator) {
    int commutes;
    if (elements < 0 || type == MPI_DATATYPE_NULL || op == MPI_OP_NULL) {
        return false;
    }
    const own_type t = own_type_find(type);
    if (!fits(elements, &t) || !own_call_begin(c, communicator, root, send)) {
        return false;
    }
    MPI_Op_commutative(op, &commutes);
    c->reduced = t;
    c->op = op;
    c->stride = (size_t)t.extent;
    c->longest = (size_t)elements;
    c->part.unit = t.size;
    c->part.commutes = commutes != 0;
    c->part.built_in = own_is_built_in(op);
    return true;
}

int isocast_MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                       int root, MPI_Comm communicator) {
    own_call c;
    if (!reduce_begin(&c, send, count, type, op, root, communicator)) {
        return MPI_Reduce(send, receive, count, type, op, root, communicator);
    }
    c.part.count = c.longest;
    if (c.part.rank != root) {
        own_lend(&c, COLLECTIVE_OUTPUT, 0, c.longest, send);
    } else {
        c.base[COLLECTIVE_OUTPUT] = receive;
        if (send != MPI_IN_PLACE) {
            own_copy_elements(send, c.longest, &c.reduced, receive, c.longest, &c.reduced);
        }
    }
    own_call_do(&c, COLLECTIVE_REDUCE);
    return own_call_end(&c);
}

/* Those in which each process has a vector, and gets one. */
static int reduce_to_all(own_call *c, const void *send, void *receive,
                         isocast_collective_operation operation) {
    c->part.count = c->longest;
    c->base[COLLECTIVE_OUTPUT] = receive;
    if (send != MPI_IN_PLACE) {
        own_copy_elements(send, c->longest, &c->reduced, receive, c->longest, &c->reduced);
    }
    own_call_do(c, operation);
    return own_call_end(c);
}

int isocast_MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm communicator) {
    own_call c;
    return reduce_begin(&c, send, count, type, op, 0, communicator)
               ? reduce_to_all(&c, send, receive, COLLECTIVE_ALLREDUCE)
               : MPI_Allreduce(send, receive, count, type, op, communicator);
}

int isocast_MPI_Scan(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm communicator) {
    own_call c;
    return reduce_begin(&c, send, count, type, op, 0, communicator)
               ? reduce_to_all(&c, send, receive, COLLECTIVE_SCAN)
               : MPI_Scan(send, receive, count, type, op, communicator);
}

/* The sum of the vectors of all; each process gets a block of it. */
static int reduce_and_scatter(own_call *c, const void *send, void *receive,
                              isocast_collective_operation operation) {
    own_lend(c, COLLECTIVE_OUTPUT, 0, c->longest, send == MPI_IN_PLACE ? receive : send);
    own_call_do(c, operation);
    size_t begin = isocast_collective_start_of(&c->part, c->part.rank);
    size_t count = isocast_collective_start_of(&c->part, c->part.rank + 1) - begin;
    own_copy_elements(c->base[COLLECTIVE_OUTPUT] + begin * c->stride, count, &c->reduced, receive,
                      count, &c->reduced);
    return own_call_end(c);
}

int isocast_MPI_Reduce_scatter_block(const void *send, void *receive, int count, MPI_Datatype type,
                                     MPI_Op op, MPI_Comm communicator) {
    own_call c;
    if (!reduce_begin(&c, send, (double)count * own_size(communicator), type, op, 0,
                      communicator)) {
        return MPI_Reduce_scatter_block(send, receive, count, type, op, communicator);
    }
    c.part.count = (size_t)count;
    return reduce_and_scatter(&c, send, receive, COLLECTIVE_REDUCE_SCATTER_BLOCK);
}

/* Where blocks begin that follow each other. */
static size_t *starts_of(const int *counts, int size, size_t unit) {
    size_t *starts = own_memory(((size_t)size + 1) * sizeof *starts);
    starts[0] = 0;
    for (int i = 0; i < size; i++) {
        starts[i + 1] = starts[i] + (size_t)counts[i] * unit;
    }
    return starts;
}

/* Elements of all; below 0 where MPI refuses the counts. */
static double sum_of(const int *counts, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
        if (counts == NULL || counts[i] < 0) {
            return -1;
        }
        sum += counts[i];
    }
    return sum;
}

int isocast_MPI_Reduce_scatter(const void *send, void *receive, const int *counts,
                               MPI_Datatype type, MPI_Op op, MPI_Comm communicator) {
    own_call c;
    double all = sum_of(counts, own_size(communicator));
    if (!reduce_begin(&c, send, all, type, op, 0, communicator)) {
        return MPI_Reduce_scatter(send, receive, counts, type, op, communicator);
    }
    size_t *starts = starts_of(counts, c.part.size, 1);
    c.part.starts = starts;
    c.part.count = c.longest / (size_t)c.part.size;
    int result = reduce_and_scatter(&c, send, receive, COLLECTIVE_REDUCE_SCATTER);
    free(starts);
    return result;
}

/* Blocks in a caller's memory, one of each process: where they are, and how long. `first` has the
 * first place among the packed ones, and the others follow it. */
typedef struct blocks {
    const char *memory;
    own_type type;
    int count;         /* elements of each */
    const int *counts; /* of each; NULL: count */
    const int *places; /* elements from the beginning; NULL: one behind the other */
    int size, first;
} blocks;

static size_t count_of(const blocks *b, int process) {
    return (size_t)(b->counts != NULL ? b->counts[process] : b->count);
}

static MPI_Aint place_of(const blocks *b, int process) {
    MPI_Aint place = b->counts != NULL ? b->places[process] : (MPI_Aint)b->count * process;
    return place * b->type.extent;
}

/* B that the blocks have; below 0 where MPI refuses them. */
static double bytes_of(const blocks *b) {
    if (b->type.type == MPI_DATATYPE_NULL) {
        return -1;
    }
    double elements = b->counts != NULL ? sum_of(b->counts, b->size) : (double)b->count * b->size;
    return elements < 0 || b->count < 0 ? -1 : elements * (double)b->type.size;
}

/* Whether the blocks have their packed form where they are. */
static bool is_packed(const blocks *b) {
    MPI_Aint at = 0;
    for (int i = 0; b->counts != NULL && b->type.is_dense && i < b->size; i++) {
        if (place_of(b, i) != at) {
            return false;
        }
        at += (MPI_Aint)count_of(b, i) * b->type.extent;
    }
    return b->type.is_dense && b->first == 0;
}

static size_t *packed_starts(const blocks *b) {
    size_t *starts = own_memory(((size_t)b->size + 1) * sizeof *starts);
    starts[0] = 0;
    for (int i = 0; i < b->size; i++) {
        starts[i + 1] = starts[i] + count_of(b, (i + b->first) % b->size) * b->type.size;
    }
    return starts;
}

/* All blocks, or that of one process, to their packed form and back. */
static void pack_blocks(const blocks *b, const size_t *starts, int only, char *to) {
    for (int i = 0; i < b->size; i++) {
        int process = (i + b->first) % b->size;
        if (only < 0 || process == only) {
            pack(b->memory + place_of(b, process), count_of(b, process), &b->type, to + starts[i]);
        }
    }
}

static void unpack_blocks(const blocks *b, const size_t *starts, const char *from) {
    for (int i = 0; i < b->size; i++) {
        int process = (i + b->first) % b->size;
        unpack(from + starts[i], (char *)b->memory + place_of(b, process), count_of(b, process),
               &b->type);
    }
}

static blocks blocks_of(const void *memory, int count, const int *counts, const int *places,
                        MPI_Datatype type, MPI_Comm communicator) {
    blocks b = {memory, bytes_type(), count, counts, places, own_size(communicator), 0};
    if (type != MPI_DATATYPE_NULL) {
        b.type = own_type_find(type);
    } else {
        b.type.type = type;
    }
    return b;
}

static bool is_short(double bytes) {
    return bytes >= 0 && bytes <= INT_MAX;
}

/* Allgather: everybody's block goes into everybody's memory. False: left to the simulator. */
static bool gather_to_all(const void *send, int send_count, MPI_Datatype send_type, blocks *b,
                          isocast_collective_operation operation, MPI_Comm communicator,
                          int *result) {
    own_call c;
    bool in_place = send == MPI_IN_PLACE;
    if (!is_short(bytes_of(b)) ||
        (!in_place && (send_count < 0 || send_type == MPI_DATATYPE_NULL)) ||
        !own_call_begin(&c, communicator, 0, b->memory)) {
        return false;
    }
    size_t *starts = packed_starts(b);
    bool direct = is_packed(b);
    c.longest = starts[b->size];
    c.part.count = b->counts == NULL ? count_of(b, 0) * b->type.size : c.longest / (size_t)b->size;
    c.part.starts = b->counts != NULL ? starts : NULL;
    char *memory = direct ? (char *)b->memory : own_reserve(&c, COLLECTIVE_OUTPUT, 0, c.longest);
    c.base[COLLECTIVE_OUTPUT] = memory;
    if (in_place && !direct) {
        pack_blocks(b, starts, c.part.rank, memory);
    } else if (!in_place) {
        const own_type t = own_type_find(send_type);
        pack(send, (size_t)send_count, &t, memory + starts[c.part.rank]);
    }
    own_call_do(&c, operation);
    if (!direct) {
        unpack_blocks(b, starts, memory);
    }
    free(starts);
    *result = own_call_end(&c);
    return true;
}

int isocast_MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                          int receive_count, MPI_Datatype receive_type, MPI_Comm communicator) {
    int result;
    blocks b = blocks_of(receive, receive_count, NULL, NULL, receive_type, communicator);
    return gather_to_all(send, send_count, send_type, &b, COLLECTIVE_ALLGATHER, communicator,
                         &result)
               ? result
               : MPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type,
                               communicator);
}

int isocast_MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                           const int *counts, const int *places, MPI_Datatype receive_type,
                           MPI_Comm communicator) {
    int result;
    blocks b = blocks_of(receive, 0, counts, places, receive_type, communicator);
    return gather_to_all(send, send_count, send_type, &b, COLLECTIVE_ALLGATHERV, communicator,
                         &result)
               ? result
               : MPI_Allgatherv(send, send_count, send_type, receive, counts, places, receive_type,
                                communicator);
}

/* Alltoall. Where what is sent has the place of what comes, it is copied before. */
static bool exchange_all(const blocks *s, const blocks *r, isocast_collective_operation operation,
                         MPI_Comm communicator, int *result) {
    own_call c;
    bool in_place = s->memory == MPI_IN_PLACE;
    const blocks *from = in_place ? r : s;
    if (!is_short(bytes_of(from)) || !is_short(bytes_of(r)) ||
        !own_call_begin(&c, communicator, 0, r->memory)) {
        return false;
    }
    size_t *sent = packed_starts(from);
    size_t *got = packed_starts(r);
    c.longest = sent[s->size] > got[s->size] ? sent[s->size] : got[s->size];
    c.part.count = count_of(r, 0) * r->type.size;
    c.part.starts = r->counts != NULL ? got : NULL;
    c.part.sent = r->counts != NULL ? sent : NULL;
    c.part.in_place = in_place;
    if (in_place || !is_packed(from)) {
        pack_blocks(from, sent, -1, own_reserve(&c, COLLECTIVE_INPUT, 0, sent[s->size]));
    } else {
        own_lend(&c, COLLECTIVE_INPUT, 0, sent[s->size], from->memory);
    }
    bool direct = is_packed(r);
    char *memory = direct ? (char *)r->memory : own_reserve(&c, COLLECTIVE_OUTPUT, 0, got[s->size]);
    c.base[COLLECTIVE_OUTPUT] = memory;
    if (c.part.size == 1 && got[1] > 0) {
        memmove(memory, c.base[COLLECTIVE_INPUT], got[1]);
    }
    own_call_do(&c, operation);
    if (!direct) {
        unpack_blocks(r, got, memory);
    }
    free(sent);
    free(got);
    *result = own_call_end(&c);
    return true;
}

int isocast_MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                         int receive_count, MPI_Datatype receive_type, MPI_Comm communicator) {
    int result;
    bool in_place = send == MPI_IN_PLACE;
    blocks s =
        blocks_of(send, send_count, NULL, NULL, in_place ? receive_type : send_type, communicator);
    blocks r = blocks_of(receive, receive_count, NULL, NULL, receive_type, communicator);
    return exchange_all(&s, &r, COLLECTIVE_ALLTOALL, communicator, &result)
               ? result
               : MPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type,
                              communicator);
}

int isocast_MPI_Alltoallv(const void *send, const int *send_counts, const int *send_places,
                          MPI_Datatype send_type, void *receive, const int *counts,
                          const int *places, MPI_Datatype receive_type, MPI_Comm communicator) {
    int result;
    bool in_place = send == MPI_IN_PLACE;
    blocks s = blocks_of(send, 0, in_place ? counts : send_counts, in_place ? places : send_places,
                         in_place ? receive_type : send_type, communicator);
    blocks r = blocks_of(receive, 0, counts, places, receive_type, communicator);
    return exchange_all(&s, &r, COLLECTIVE_ALLTOALLV, communicator, &result)
               ? result
               : MPI_Alltoallv(send, send_counts, send_places, send_type, receive, counts, places,
                               receive_type, communicator);
}

/* What the others know of a gather or scatter of different lengths: their own block. */
static size_t *own_starts(const own_call *c, size_t bytes) {
    int place = (c->part.rank - c->part.root + c->part.size) % c->part.size;
    size_t *starts = own_memory(((size_t)c->part.size + 1) * sizeof *starts);
    for (int i = 0; i <= c->part.size; i++) {
        starts[i] = i <= place ? 0 : bytes;
    }
    return starts;
}

/* What a process knows of a call that has a root. */
typedef struct rooted {
    bool is_root;
    size_t bytes;   /* of its block */
    size_t at;      /* where its block begins, as blocks are counted from the root on */
    size_t *starts; /* owned; NULL where it does not know of others */
} rooted;

static bool rooted_begin(own_call *c, const blocks *own, blocks *all, bool is_ragged, int root,
                         MPI_Comm communicator, rooted *out) {
    int rank;
    MPI_Comm_rank(communicator, &rank);
    const blocks *reported = rank == root ? all : own;
    double bytes = bytes_of(reported);
    /* Their own block is one, but all of them may pass through a process. */
    bytes =
        rank != root && own->counts == NULL ? bytes * own_size(communicator) / own->size : bytes;
    if (!is_short(bytes) || !own_call_begin(c, communicator, root, own->memory)) {
        return false;
    }
    all->first = root;
    *out = (rooted){.is_root = rank == root};
    out->bytes =
        out->is_root ? count_of(all, root) * all->type.size : (size_t)own->count * own->type.size;
    out->starts = out->is_root ? packed_starts(all) : is_ragged ? own_starts(c, out->bytes) : NULL;
    c->part.count = out->bytes;
    c->part.starts = is_ragged ? out->starts : NULL;
    c->longest = isocast_collective_total(&c->part);
    out->at = isocast_collective_start_of(&c->part, (rank - root + c->part.size) % c->part.size);
    return true;
}

/* Gather: `own` is the block of this process, of which there is one; `all` are those at the root.
 */
static bool gather_to_root(blocks *own, blocks *all, bool is_ragged, int root,
                           isocast_collective_operation operation, MPI_Comm communicator,
                           int *result) {
    own_call c;
    bool in_place = own->memory == MPI_IN_PLACE;
    rooted r;
    if (!rooted_begin(&c, own, all, is_ragged, root, communicator, &r)) {
        return false;
    }
    bool direct = r.is_root && is_packed(all);
    if (direct) {
        c.base[COLLECTIVE_OUTPUT] = (char *)all->memory;
    } else if (!r.is_root && own->type.is_dense) {
        own_lend(&c, COLLECTIVE_OUTPUT, r.at, r.bytes, own->memory);
    } else {
        own_reserve(&c, COLLECTIVE_OUTPUT, 0, c.longest);
    }
    char *memory = c.base[COLLECTIVE_OUTPUT];
    if (in_place && !direct) {
        pack_blocks(all, r.starts, root, memory);
    } else if (!in_place && (r.is_root || !own->type.is_dense)) {
        pack(own->memory, (size_t)own->count, &own->type, memory + r.at);
    }
    own_call_do(&c, operation);
    if (r.is_root && !direct) {
        unpack_blocks(all, r.starts, memory);
    }
    free(r.starts);
    *result = own_call_end(&c);
    return true;
}

/* One block: that of this process. */
static blocks own_block(const void *memory, int count, MPI_Datatype type, MPI_Comm communicator) {
    bool in_place = memory == MPI_IN_PLACE;
    blocks b = blocks_of(memory, in_place ? 0 : count, NULL, NULL, in_place ? MPI_BYTE : type,
                         communicator);
    b.size = 1;
    return b;
}

int isocast_MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                       int receive_count, MPI_Datatype receive_type, int root,
                       MPI_Comm communicator) {
    int result;
    blocks own = own_block(send, send_count, send_type, communicator);
    blocks all = own_is_root(communicator, root)
                     ? blocks_of(receive, receive_count, NULL, NULL, receive_type, communicator)
                     : own;
    return gather_to_root(&own, &all, false, root, COLLECTIVE_GATHER, communicator, &result)
               ? result
               : MPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root,
                            communicator);
}

int isocast_MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                        const int *counts, const int *places, MPI_Datatype receive_type, int root,
                        MPI_Comm communicator) {
    int result;
    blocks own = own_block(send, send_count, send_type, communicator);
    blocks all = own_is_root(communicator, root)
                     ? blocks_of(receive, 0, counts, places, receive_type, communicator)
                     : own;
    return gather_to_root(&own, &all, true, root, COLLECTIVE_GATHERV, communicator, &result)
               ? result
               : MPI_Gatherv(send, send_count, send_type, receive, counts, places, receive_type,
                             root, communicator);
}

/* Scatter: `all` are the blocks at the root; `own` is the place for that of this process. */
static bool scatter_from_root(blocks *own, blocks *all, bool is_ragged, int root,
                              isocast_collective_operation operation, MPI_Comm communicator,
                              int *result) {
    own_call c;
    bool in_place = own->memory == MPI_IN_PLACE;
    rooted r;
    if (!rooted_begin(&c, own, all, is_ragged, root, communicator, &r)) {
        return false;
    }
    if (r.is_root && is_packed(all)) {
        own_lend(&c, COLLECTIVE_OUTPUT, 0, c.longest, all->memory);
    } else if (r.is_root) {
        pack_blocks(all, r.starts, -1, own_reserve(&c, COLLECTIVE_OUTPUT, 0, c.longest));
    } else {
        own_reserve(&c, COLLECTIVE_OUTPUT, r.at, c.longest - r.at);
    }
    own_call_do(&c, operation);
    if (!in_place) {
        const char *memory = c.base[COLLECTIVE_OUTPUT] + (r.is_root ? r.at : 0);
        unpack(memory, (char *)own->memory, (size_t)own->count, &own->type);
    }
    free(r.starts);
    *result = own_call_end(&c);
    return true;
}

int isocast_MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                        int receive_count, MPI_Datatype receive_type, int root,
                        MPI_Comm communicator) {
    int result;
    blocks own = own_block(receive, receive_count, receive_type, communicator);
    blocks all = own_is_root(communicator, root)
                     ? blocks_of(send, send_count, NULL, NULL, send_type, communicator)
                     : own;
    return scatter_from_root(&own, &all, false, root, COLLECTIVE_SCATTER, communicator, &result)
               ? result
               : MPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type,
                             root, communicator);
}

int isocast_MPI_Scatterv(const void *send, const int *counts, const int *places,
                         MPI_Datatype send_type, void *receive, int receive_count,
                         MPI_Datatype receive_type, int root, MPI_Comm communicator) {
    int result;
    blocks own = own_block(receive, receive_count, receive_type, communicator);
    blocks all = own_is_root(communicator, root)
                     ? blocks_of(send, 0, counts, places, send_type, communicator)
                     : own;
    return scatter_from_root(&own, &all, true, root, COLLECTIVE_SCATTERV, communicator, &result)
               ? result
               : MPI_Scatterv(send, counts, places, send_type, receive, receive_count, receive_type,
                              root, communicator);
}
