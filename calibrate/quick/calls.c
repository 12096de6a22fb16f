/* The calls of mpi.h. A collective operation sends the messages of the platform's library
 * (model/collective); a few numbers that processes agree on go beside them, by way of a record that
 * the call has in all processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/base/order.h"
#include "model/collective/choice.h"
#include "model/collective/layout.h"
#include "process.h"
#include "record/simulated/own_carrier.h"
#include "smpi/smpi.h"

enum {
    TAG_COLLECTIVE = -7,
    TAG_PUT = -8,
    WINDOW = 1,
    DATA_MOST = 64,   /* B of a call whose data is moved */
    BLOCK_MOST = 512, /* B of each process, where they are gathered */
    NAME_ROOM = 32
};

/* A call of a collective operation in all processes. */
typedef struct record {
    double numbers[DATA_MOST / sizeof(double)]; /* what processes agree on */
    char *blocks;                               /* [size] of block bytes; NULL: none */
    MPI_Comm *made;                             /* [size] of a split */
    int entered, ended;
} record;

struct quick_communicator {
    int id, size;
    int *processes;   /* [size] */
    int *sorted;      /* [size], ranks by process */
    size_t *calls;    /* [size], collective calls of each rank that have a record */
    record **records; /* [count], of the calls from `first` on */
    size_t first, count, room;
    isocast_collective_layout *layout; /* NULL: not yet made */
    int freed;
};

MPI_Comm quick_world;
char quick_in_place;

static isocast_in_hand *hands; /* [processes] */

static void *room(size_t count, size_t size) {
    return quick_checked(calloc(count > 0 ? count : 1, size));
}

static const int *sorting;
ISOCAST_ORDER_BY(compare_processes, int, sorting[*x])

/* Takes the processes over. */
static MPI_Comm make(int size, int *processes) {
    static int made;
    MPI_Comm c = room(1, sizeof *c);
    c->id = made++;
    c->size = size;
    c->processes = processes;
    c->calls = room((size_t)size, sizeof *c->calls);
    c->sorted = room((size_t)size, sizeof *c->sorted);
    for (int i = 0; i < size; i++) {
        c->sorted[i] = i;
    }
    sorting = processes;
    qsort(c->sorted, (size_t)size, sizeof *c->sorted, compare_processes);
    return c;
}

static int rank_of(MPI_Comm c) {
    int own = quick_self();
    int from = 0;
    for (int to = c->size - 1; from < to;) {
        int middle = (from + to) / 2;
        if (c->processes[c->sorted[middle]] < own) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return c->sorted[from];
}

static double size_of(MPI_Datatype type) {
    return type & 0xFF;
}

static void take_in_hand(double bytes, bool waits) {
    int own = quick_self();
    quick_network_take(quick_links(), own, isocast_in_hand_call(&hands[own], bytes, waits));
}

void smpi_execute_flops(double flops) {
    const quick_network *n = quick_links();
    *quick_clock() += flops / n->speeds[n->node[quick_self()]];
}

void quick_speeds(MPI_Comm c, double *out) {
    const quick_network *n = quick_links();
    for (int i = 0; i < c->size; i++) {
        out[i] = n->speeds[n->node[c->processes[i]]];
    }
}

/* Nothing is copied here anyway. */
void own_hollow_set(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
}

void *quick_folded_memory(size_t size) {
    static double memory[BLOCK_MOST];
    (void)size;
    return memory;
}

/* What the probe calls to wait for a time. */
int quick_nanosleep(const struct timespec *time, struct timespec *left);
int quick_nanosleep(const struct timespec *time, struct timespec *left) {
    (void)left;
    *quick_clock() += (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
    return 0;
}

int MPI_Init(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    if (quick_world == NULL) {
        int size = quick_links()->processes;
        int *processes = room((size_t)size, sizeof *processes);
        for (int i = 0; i < size; i++) {
            processes[i] = i;
        }
        quick_world = make(size, processes);
        hands = room((size_t)size, sizeof *hands);
    }
    return MPI_SUCCESS;
}

int MPI_Finalize(void) {
    return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm communicator, int status) {
    (void)communicator;
    quick_end(status);
}

double MPI_Wtime(void) {
    return *quick_clock();
}

int MPI_Get_processor_name(char *name, int *length) {
    *length = snprintf(name, NAME_ROOM, "node-%d", quick_links()->node[quick_self()]);
    return MPI_SUCCESS;
}

int MPI_Get_library_version(char *text, int *length) {
    *length = snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "isocast quick");
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm c, int *rank) {
    *rank = rank_of(c);
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm c, int *size) {
    *size = c->size;
    return MPI_SUCCESS;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c,
              MPI_Request *out) {
    (void)data;
    take_in_hand(count * size_of(type), false);
    *out = to >= 0
               ? quick_send(c->id, c->processes[to], tag, count * size_of(type), rank_of(c), true)
               : NULL;
    return MPI_SUCCESS;
}

static quick_request *begin_to_receive(int from, int tag, MPI_Comm c) {
    bool any = from == MPI_ANY_SOURCE;
    return any || from >= 0
               ? quick_receive(c->id, quick_self(), any ? from : c->processes[from], tag)
               : NULL;
}

/* Waits, and says from whom the message came, and its length. */
static void end_request(quick_request *request, MPI_Status *status) {
    MPI_Status own;
    own.MPI_SOURCE = MPI_PROC_NULL;
    own.bytes = 0;
    if (request != NULL) {
        quick_wait(request, &own.MPI_SOURCE, &own.bytes);
    }
    if (status != MPI_STATUS_IGNORE) {
        *status = own;
    }
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
              MPI_Request *out) {
    (void)data;
    take_in_hand(count * size_of(type), false);
    *out = begin_to_receive(from, tag, c);
    return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    isocast_in_hand_wait(&hands[quick_self()]);
    end_request(*request, status);
    *request = NULL;
    return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    for (int i = 0; i < count; i++) {
        MPI_Wait(&requests[i], statuses != NULL ? &statuses[i] : MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
    *count = (int)(status->bytes / size_of(type));
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
    *done = 1;
    return MPI_Wait(request, status);
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c) {
    (void)data;
    take_in_hand(count * size_of(type), true);
    if (to >= 0) {
        quick_wait(
            quick_send(c->id, c->processes[to], tag, count * size_of(type), rank_of(c), false),
            NULL, NULL);
    }
    return MPI_SUCCESS;
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
             MPI_Status *status) {
    (void)data;
    take_in_hand(count * size_of(type), true);
    end_request(begin_to_receive(from, tag, c), status);
    return MPI_SUCCESS;
}

int MPI_Sendrecv(const void *sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void *got, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
                 MPI_Status *status) {
    double bytes = send_count * size_of(send_type);
    if (from == MPI_PROC_NULL) {
        return MPI_Send(sent, send_count, send_type, to, send_tag, c);
    }
    if (to == MPI_PROC_NULL) {
        return MPI_Recv(got, count, type, from, tag, c, status);
    }
    take_in_hand(bytes + count * size_of(type), true);
    /* In this order, as the simulator does it. */
    quick_request *sending = quick_send(c->id, c->processes[to], send_tag, bytes, rank_of(c), true);
    end_request(begin_to_receive(from, tag, c), status);
    end_request(sending, MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}

/* The messages of a collective operation. */
typedef struct call {
    isocast_collective_part part;
    MPI_Comm c;
    quick_request **requests;
    int started, room;
    double copies, copied; /* that have taken no time yet, and their B */
} call;

/* Copies take their time together, before the process goes on with messages or leaves. */
static void let_copies_end(call *own) {
    const quick_network *n = quick_links();
    *quick_clock() += own->copies * n->copy + own->copied * n->copy_byte;
    own->copies = own->copied = 0;
}

static double bytes_of(const call *own, isocast_collective_block block) {
    return (double)block.count * (block.buffer == COLLECTIVE_NOTICE ? 1 : (double)own->part.unit);
}

static void note_copy(call *own, isocast_collective_block block) {
    own->copies += block.count > 0;
    own->copied += bytes_of(own, block);
}

static int start(void *self, bool sends, int process, isocast_collective_block block) {
    call *own = self;
    if (own->started == own->room) {
        own->room = 2 * own->room + 16;
        own->requests =
            quick_checked(realloc(own->requests, (size_t)own->room * sizeof *own->requests));
    }
    let_copies_end(own);
    int other = process >= 0 ? own->c->processes[process] : MPI_ANY_SOURCE;
    own->requests[own->started] =
        sends ? quick_send(own->c->id, other, TAG_COLLECTIVE, bytes_of(own, block), own->part.rank,
                           true)
              : quick_receive(own->c->id, quick_self(), other, TAG_COLLECTIVE);
    return own->started++;
}

static void wait_for(void *self, int started) {
    const call *own = self;
    quick_wait(own->requests[started], NULL, NULL);
}

static void copy(void *self, isocast_collective_block to, isocast_collective_block from) {
    if (to.buffer != from.buffer || to.at != from.at) {
        note_copy(self, to);
    }
}

static void reduce(void *self, isocast_collective_block into, isocast_collective_block other,
                   bool other_first) {
    (void)other;
    (void)other_first;
    note_copy(self, into);
}

static const isocast_collective_layout *layout_of(MPI_Comm c) {
    if (c->layout == NULL) {
        long long *nodes = room((size_t)c->size, sizeof *nodes);
        for (int i = 0; i < c->size; i++) {
            nodes[i] = quick_links()->node[c->processes[i]];
        }
        c->layout = quick_checked(isocast_collective_layout_create(c->size, nodes));
        free(nodes);
    }
    return c->layout;
}

static call begin_call(MPI_Comm c, int root, size_t count, size_t unit) {
    static const isocast_collective_carrier carrier = {start, wait_for, copy, reduce};
    return (call){.c = c,
                  .part = {.carrier = &carrier,
                           .size = c->size,
                           .rank = rank_of(c),
                           .root = root,
                           .count = count,
                           .unit = unit,
                           .commutes = true,
                           .built_in = true,
                           .library = quick_links()->library}};
}

/* B that the process has in hand during a call, as programs on the simulator count them. */
static double in_hand_of(const isocast_collective_part *p, isocast_collective_operation operation) {
    double all = (double)isocast_collective_total(p) * (double)p->unit;
    double one = (double)p->count * (double)p->unit;
    switch (operation) {
    case COLLECTIVE_BCAST:
        return one;
    case COLLECTIVE_REDUCE:
    case COLLECTIVE_ALLREDUCE:
    case COLLECTIVE_SCAN:
        return 2 * one;
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return 2 * all;
    case COLLECTIVE_GATHER:
    case COLLECTIVE_GATHERV:
        return p->rank == p->root ? all : one;
    case COLLECTIVE_ALLTOALL:
    case COLLECTIVE_ALLTOALLV:
        /* What it sends, and room for the longer of both. */
        one = p->sent != NULL ? (double)p->sent[p->size] * (double)p->unit : all;
        return one + fmax(one, all);
    default:
        return all;
    }
}

static int do_call(call *own, isocast_collective_operation operation) {
    own->part.self = own;
    quick_network_take(quick_links(), quick_self(), in_hand_of(&own->part, operation));
    if (isocast_collective_knows_nodes(own->part.library)) {
        own->part.layout = layout_of(own->c);
    }
    isocast_collective_do(&own->part, operation);
    let_copies_end(own);
    free(own->requests);
    return MPI_SUCCESS;
}

/* An operation on a vector, or on blocks of one length. */
static int do_plain(MPI_Comm c, isocast_collective_operation operation, int root, double count,
                    size_t unit) {
    call own = begin_call(c, root, (size_t)count, unit);
    return do_call(&own, operation);
}

static record *enter(MPI_Comm c) {
    size_t number = c->calls[rank_of(c)]++ - c->first;
    if (number == c->count) {
        if (c->count == c->room) {
            c->room = 2 * c->room + 4;
            c->records = quick_checked(realloc(c->records, c->room * sizeof(record *)));
        }
        c->records[c->count++] = room(1, sizeof(record));
    }
    record *r = c->records[number];
    r->entered++;
    return r;
}

/* The last one takes the record away, and those before it that all have left. */
static void leave(MPI_Comm c, record *r) {
    r->ended++;
    size_t gone = 0;
    while (gone < c->count && c->records[gone]->ended == c->size) {
        free(c->records[gone]->blocks);
        free(c->records[gone]->made);
        free(c->records[gone++]);
    }
    if (gone > 0) {
        c->count -= gone;
        c->first += gone;
        memmove(c->records, c->records + gone, c->count * sizeof(record *));
    }
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm c) {
    double bytes = count * size_of(type);
    bool by_element = quick_links()->library == ISOCAST_COLLECTIVES_OPENMPI;
    size_t unit = by_element ? (size_t)size_of(type) : 1;
    if (bytes > DATA_MOST) {
        return do_plain(c, COLLECTIVE_BCAST, root, bytes / (double)unit, unit);
    }
    record *r = enter(c);
    if (rank_of(c) == root) {
        memcpy(r->numbers, data, (size_t)bytes);
    }
    do_plain(c, COLLECTIVE_BCAST, root, bytes / (double)unit, unit);
    if (rank_of(c) != root) {
        memcpy(data, r->numbers, (size_t)bytes);
    }
    leave(c, r);
    return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm c) {
    return do_plain(c, COLLECTIVE_BARRIER, 0, 0, 1);
}

static double joined(double a, double b, MPI_Op op) {
    return op == MPI_SUM ? a + b : op == MPI_MIN || op == MPI_LAND ? fmin(a, b) : fmax(a, b);
}

static double number_at(const void *data, MPI_Datatype type, int i) {
    return type == MPI_DOUBLE          ? ((const double *)data)[i]
           : type == MPI_UNSIGNED_LONG ? (double)((const unsigned long *)data)[i]
                                       : ((const int *)data)[i];
}

static void put_number(void *data, MPI_Datatype type, int i, double value) {
    if (type == MPI_DOUBLE) {
        ((double *)data)[i] = value;
    } else if (type == MPI_UNSIGNED_LONG) {
        ((unsigned long *)data)[i] = (unsigned long)value;
    } else {
        ((int *)data)[i] = (int)value;
    }
}

/* Reductions; a few numbers reach those that get them. */
static int reduce_data(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op,
                       int root, MPI_Comm c, isocast_collective_operation operation) {
    size_t unit = (size_t)size_of(type);
    bool plain = type == MPI_DOUBLE || type == MPI_INT || type == MPI_UNSIGNED_LONG;
    if (!plain || (size_t)count > DATA_MOST / sizeof(double)) {
        return do_plain(c, operation, root, count, unit);
    }
    record *r = enter(c);
    const void *own = sent == MPI_IN_PLACE ? got : sent;
    for (int i = 0; i < count; i++) {
        double value = number_at(own, type, i);
        r->numbers[i] = r->entered == 1 ? value : joined(r->numbers[i], value, op);
    }
    do_plain(c, operation, root, count, unit);
    for (int i = 0; i < count && (operation != COLLECTIVE_REDUCE || rank_of(c) == root); i++) {
        put_number(got, type, i, r->numbers[i]);
    }
    leave(c, r);
    return MPI_SUCCESS;
}

int MPI_Reduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm c) {
    return reduce_data(sent, got, count, type, op, root, c, COLLECTIVE_REDUCE);
}

int MPI_Allreduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm c) {
    return reduce_data(sent, got, count, type, op, 0, c, COLLECTIVE_ALLREDUCE);
}

int MPI_Scan(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c) {
    (void)sent;
    (void)got;
    (void)op;
    return do_plain(c, COLLECTIVE_SCAN, 0, count, (size_t)size_of(type));
}

int MPI_Exscan(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c) {
    return MPI_Scan(sent, got, count, type, op, c);
}

int MPI_Reduce_scatter_block(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm c) {
    (void)sent;
    (void)got;
    (void)op;
    return do_plain(c, COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, count, (size_t)size_of(type));
}

/* Where blocks begin; `shift`: the first has this rank. */
static size_t *starts_of(const int *counts, int size, size_t unit, int shift) {
    size_t *starts = room((size_t)size + 1, sizeof *starts);
    for (int i = 0; i < size; i++) {
        starts[i + 1] = starts[i] + (size_t)counts[(i + shift) % size] * unit;
    }
    return starts;
}

/* `sent`: NULL where both are the same; frees them. */
static int do_blocks(call *own, isocast_collective_operation operation, size_t *starts,
                     size_t *sent) {
    own->part.starts = starts;
    own->part.sent = sent;
    do_call(own, operation);
    free(starts);
    free(sent);
    return MPI_SUCCESS;
}

int MPI_Reduce_scatter(const void *sent, void *got, const int *counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm c) {
    (void)sent;
    (void)got;
    (void)op;
    size_t *starts = starts_of(counts, c->size, 1, 0);
    call own = begin_call(c, 0, starts[c->size] / (size_t)c->size, (size_t)size_of(type));
    return do_blocks(&own, COLLECTIVE_REDUCE_SCATTER, starts, NULL);
}

/* Blocks that come to all, or to the root. */
static int gather_data(const void *sent, void *got, double bytes, int root, bool to_all,
                       MPI_Comm c) {
    isocast_collective_operation operation = to_all ? COLLECTIVE_ALLGATHER : COLLECTIVE_GATHER;
    if (bytes > BLOCK_MOST || (to_all && bytes > sizeof(double)) || sent == got) {
        return do_plain(c, operation, root, bytes, 1);
    }
    record *r = enter(c);
    size_t each = (size_t)bytes;
    r->blocks = r->blocks != NULL ? r->blocks : room((size_t)c->size, each);
    memcpy(r->blocks + (size_t)rank_of(c) * each, sent, each);
    do_plain(c, operation, root, bytes, 1);
    if (to_all || rank_of(c) == root) {
        memcpy(got, r->blocks, (size_t)c->size * each);
    }
    leave(c, r);
    return MPI_SUCCESS;
}

int MPI_Gather(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
               MPI_Datatype type, int root, MPI_Comm c) {
    (void)count;
    (void)type;
    return gather_data(sent, got, send_count * size_of(send_type), root, false, c);
}

int MPI_Allgather(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                  MPI_Datatype type, MPI_Comm c) {
    (void)send_count;
    (void)send_type;
    return gather_data(sent, got, count * size_of(type), 0, true, c);
}

int MPI_Allgatherv(const void *sent, int send_count, MPI_Datatype send_type, void *got,
                   const int *counts, const int *places, MPI_Datatype type, MPI_Comm c) {
    (void)sent;
    (void)send_count;
    (void)send_type;
    (void)got;
    (void)places;
    size_t *starts = starts_of(counts, c->size, (size_t)size_of(type), 0);
    call own = begin_call(c, 0, starts[c->size] / (size_t)c->size, 1);
    return do_blocks(&own, COLLECTIVE_ALLGATHERV, starts, NULL);
}

/* What the others know of a gather or scatter of different lengths is their own block. */
static int do_rooted(MPI_Comm c, isocast_collective_operation operation, int root, double own_bytes,
                     const int *counts, MPI_Datatype type) {
    call own = begin_call(c, root, (size_t)own_bytes, 1);
    int place = (own.part.rank - root + c->size) % c->size;
    size_t *starts = place == 0 ? starts_of(counts, c->size, (size_t)size_of(type), root)
                                : room((size_t)c->size + 1, sizeof *starts);
    for (int i = place + 1; i <= c->size && place > 0; i++) {
        starts[i] = (size_t)own_bytes;
    }
    return do_blocks(&own, operation, starts, NULL);
}

int MPI_Gatherv(const void *sent, int send_count, MPI_Datatype send_type, void *got,
                const int *counts, const int *places, MPI_Datatype type, int root, MPI_Comm c) {
    (void)sent;
    (void)got;
    (void)places;
    return do_rooted(c, COLLECTIVE_GATHERV, root, send_count * size_of(send_type), counts, type);
}

int MPI_Scatter(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                MPI_Datatype type, int root, MPI_Comm c) {
    (void)sent;
    (void)send_count;
    (void)send_type;
    (void)got;
    return do_plain(c, COLLECTIVE_SCATTER, root, count * size_of(type), 1);
}

int MPI_Scatterv(const void *sent, const int *counts, const int *places, MPI_Datatype send_type,
                 void *got, int count, MPI_Datatype type, int root, MPI_Comm c) {
    (void)sent;
    (void)places;
    (void)got;
    return do_rooted(c, COLLECTIVE_SCATTERV, root, count * size_of(type), counts, send_type);
}

int MPI_Alltoall(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                 MPI_Datatype type, MPI_Comm c) {
    (void)send_count;
    (void)send_type;
    (void)got;
    call own = begin_call(c, 0, (size_t)(count * size_of(type)), 1);
    own.part.in_place = sent == MPI_IN_PLACE;
    return do_call(&own, COLLECTIVE_ALLTOALL);
}

int MPI_Alltoallv(const void *sent, const int *send_counts, const int *send_places,
                  MPI_Datatype send_type, void *got, const int *counts, const int *places,
                  MPI_Datatype type, MPI_Comm c) {
    (void)sent;
    (void)send_places;
    (void)got;
    (void)places;
    call own = begin_call(c, 0, (size_t)(counts[0] * size_of(type)), 1);
    return do_blocks(&own, COLLECTIVE_ALLTOALLV,
                     starts_of(counts, c->size, (size_t)size_of(type), 0),
                     starts_of(send_counts, c->size, (size_t)size_of(send_type), 0));
}

int MPI_Alltoallw(const void *sent, const int *send_counts, const int *send_places,
                  const MPI_Datatype *send_types, void *got, const int *counts, const int *places,
                  const MPI_Datatype *types, MPI_Comm c) {
    return MPI_Alltoallv(sent, send_counts, send_places, send_types[0], got, counts, places,
                         types[0], c);
}

#ifdef PROBE_SIMULATED
int MPI_Ibarrier(MPI_Comm c, MPI_Request *out) {
    *out = NULL;
    return MPI_Barrier(c);
}

int MPI_Iallreduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c,
                   MPI_Request *out) {
    *out = NULL;
    return MPI_Allreduce(sent, got, count, type, op, c);
}

int MPI_Iallgather(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                   MPI_Datatype type, MPI_Comm c, MPI_Request *out) {
    *out = NULL;
    return MPI_Allgather(sent, send_count, send_type, got, count, type, c);
}

int MPI_Ialltoall(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                  MPI_Datatype type, MPI_Comm c, MPI_Request *out) {
    *out = NULL;
    return MPI_Alltoall(sent, send_count, send_type, got, count, type, c);
}

#endif

/* What a process asks of a split. */
typedef struct asked {
    int color, key, rank;
} asked;

ISOCAST_ORDER_BY(compare_asked, asked, x->color, x->key, x->rank)

/* The last process that comes makes all communicators of a split. */
static void make_all(MPI_Comm c, record *r) {
    asked *list = (asked *)r->blocks;
    r->made = room((size_t)c->size, sizeof(MPI_Comm));
    qsort(list, (size_t)c->size, sizeof *list, compare_asked);
    for (int i = 0; i < c->size;) {
        int end = i;
        while (end < c->size && list[end].color == list[i].color) {
            end++;
        }
        int *processes = room((size_t)(end - i), sizeof *processes);
        for (int k = i; k < end; k++) {
            processes[k - i] = c->processes[list[k].rank];
        }
        MPI_Comm made = list[i].color == MPI_UNDEFINED ? NULL : make(end - i, processes);
        if (made == NULL) {
            free(processes);
        }
        for (; i < end; i++) {
            r->made[list[i].rank] = made;
        }
    }
}

/* All gather what each asks for, and wait until it is there. */
int MPI_Comm_split(MPI_Comm c, int color, int key, MPI_Comm *out) {
    int rank = rank_of(c);
    record *r = enter(c);
    r->blocks = r->blocks != NULL ? r->blocks : room((size_t)c->size, sizeof(asked));
    ((asked *)r->blocks)[rank] = (asked){color, key, rank};
    do_plain(c, COLLECTIVE_ALLREDUCE, 0, 2, sizeof(int));
    if (r->made == NULL) {
        make_all(c, r);
    }
    *out = r->made[rank];
    leave(c, r);
    return MPI_SUCCESS;
}

/* What a node holds is looked at where memory is touched, which none is here. */
int MPI_Comm_split_type(MPI_Comm c, int kind, int key, MPI_Info info, MPI_Comm *out) {
    (void)kind;
    (void)info;
    return MPI_Comm_split(c, quick_links()->node[quick_self()], key, out);
}

int quick_not_started(void) {
    fputs("a collective operation that does not wait is simulated, and not counted\n", stderr);
    quick_end(EXIT_FAILURE);
}

int MPI_Comm_dup(MPI_Comm c, MPI_Comm *out) {
    return MPI_Comm_split(c, 0, rank_of(c), out);
}

int MPI_Comm_free(MPI_Comm *communicator) {
    MPI_Comm c = *communicator;
    *communicator = NULL;
    if (++c->freed == c->size) {
        free(c->processes);
        free(c->sorted);
        free(c->calls);
        free(c->records);
        free(c->layout);
        free(c);
    }
    return MPI_SUCCESS;
}

/* What is put, and what others put here, until the next fence. */
typedef struct put_list {
    quick_request **requests; /* [count] */
    size_t count, room;
} put_list;

static put_list *put; /* [processes]; NULL: there is no window */

static void note_put(int process, quick_request *request) {
    put_list *its = &put[process];
    if (its->count == its->room) {
        its->room = 2 * its->room + 16;
        its->requests = quick_checked(realloc(its->requests, its->room * sizeof *its->requests));
    }
    its->requests[its->count++] = request;
}

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm communicator,
                   MPI_Win *out) {
    (void)base;
    (void)size;
    (void)unit;
    (void)info;
    put = put != NULL ? put : room((size_t)quick_world->size, sizeof *put);
    *out = WINDOW;
    return MPI_Barrier(communicator);
}

/* The message goes as soon as it is put, as the receiver does nothing for it. */
int MPI_Put(const void *data, int count, MPI_Datatype type, int to, MPI_Aint at, int their_count,
            MPI_Datatype their_type, MPI_Win window) {
    (void)data;
    (void)at;
    (void)their_count;
    (void)their_type;
    int own = quick_self();
    note_put(own, quick_send(-window, to, TAG_PUT, count * size_of(type), own, true));
    note_put(to, quick_receive(-window, to, own, TAG_PUT));
    return MPI_SUCCESS;
}

int MPI_Win_fence(int assertion, MPI_Win window) {
    (void)assertion;
    (void)window;
    MPI_Barrier(quick_world);
    put_list *own = &put[quick_self()];
    for (size_t i = 0; i < own->count; i++) {
        end_request(own->requests[i], MPI_STATUS_IGNORE);
    }
    own->count = 0;
    return MPI_Barrier(quick_world);
}

int MPI_Win_free(MPI_Win *window) {
    *window = MPI_WIN_NULL;
    return MPI_SUCCESS;
}
