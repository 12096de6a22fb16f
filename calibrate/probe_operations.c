#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "ge_local.h"
#include "probe.h"

enum { TAG_PING = 1, TAG_PONG = 2, TAG_SYNCHRONISE = 3 };

void probe_synchronise(const probe_context *context) {
    for (int distance = 1; distance < context->processes; distance *= 2) {
        int to = (context->rank + distance) % context->processes;
        int from = (context->rank - distance + context->processes) % context->processes;
        MPI_Sendrecv(NULL, 0, MPI_BYTE, to, TAG_SYNCHRONISE, NULL, 0, MPI_BYTE, from,
                     TAG_SYNCHRONISE, context->synchronisation, MPI_STATUS_IGNORE);
    }
}

/* One round trip between processes 0 and 1. *sending gets the time inside MPI_Send; the result is
 * half the round trip: one message from the call of MPI_Send to the end of MPI_Recv. */
static double one_way(const probe_context *context, size_t m, double *sending) {
    int count = (int)m;
    MPI_Comm communicator = context->communicator;
    *sending = 0;
    if (context->rank == 0) {
        double start = MPI_Wtime();
        MPI_Send(context->send, count, MPI_BYTE, 1, TAG_PING, communicator);
        double sent = MPI_Wtime();
        MPI_Recv(context->receive, count, MPI_BYTE, 1, TAG_PONG, communicator, MPI_STATUS_IGNORE);
        double end = MPI_Wtime();
        *sending = sent - start;
        return (end - start) / 2;
    }
    if (context->rank == 1) {
        MPI_Recv(context->receive, count, MPI_BYTE, 0, TAG_PING, communicator, MPI_STATUS_IGNORE);
        MPI_Send(context->send, count, MPI_BYTE, 0, TAG_PONG, communicator);
    }
    return 0;
}

static double call_send(const probe_context *context, size_t m) {
    double sending;
    one_way(context, m, &sending);
    return sending;
}

/* What is left of a message after its sender is free: T_send + T_recv is one message. */
static double call_recv(const probe_context *context, size_t m) {
    double sending;
    double whole = one_way(context, m, &sending);
    return whole > sending ? whole - sending : 0;
}

static double call_bcast(const probe_context *context, size_t m) {
    double start = MPI_Wtime();
    MPI_Bcast(context->send, (int)m, MPI_BYTE, 0, context->communicator);
    return MPI_Wtime() - start;
}

/* Rounds of broadcast, local work and barrier as an elimination makes them, with rows of m bytes;
 * without `communicating`, the local work alone. The largest time over the processes, s a round. */
static double time_rounds(const probe_context *context, size_t m, bool communicating) {
    enum { ROUNDS = 8 };
    size_t width = m / sizeof(double) + 1;
    size_t rows = (width + (size_t)context->processes - 1) / (size_t)context->processes;
    size_t most = context->block_most / width;
    rows = rows < most ? rows : most;
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        int root = round % context->processes;
        double *pivot_row = context->pivot;
        if (root == context->rank && rows > (size_t)ROUNDS) {
            pivot_row = context->block + (size_t)round * width;
        }
        if (communicating) {
            MPI_Bcast(pivot_row, (int)width, MPI_DOUBLE, root, context->communicator);
        }
        pivot_row[0] = (double)width;
        ge_update(context->block, rows, width, 0, width, pivot_row);
        if (communicating) {
            MPI_Barrier(context->communicator);
        }
    }
    double own = (MPI_Wtime() - start) / ROUNDS;
    double largest;
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
    return largest;
}

/* What a broadcast and a barrier add to a round of an elimination: measured with the local work
 * between them and without them, as neither starts from rest there. The row arrives in cold caches,
 * and each round waits for the slowest process; both are lost when the two are measured alone. */
static double call_bcast_barrier(const probe_context *context, size_t m) {
    double with = time_rounds(context, m, true);
    double without = time_rounds(context, m, false);
    return with > without ? with - without : 0;
}

static double call_barrier(const probe_context *context, size_t m) {
    (void)m;
    double start = MPI_Wtime();
    MPI_Barrier(context->communicator);
    return MPI_Wtime() - start;
}

static double call_copy(const probe_context *context, size_t m) {
    double start = MPI_Wtime();
    memcpy(context->receive, context->send, m);
    return MPI_Wtime() - start;
}

/* Rows over 16 kB make blocks of local work beside which a round of messages is lost in the noise.
 */
const probe_operation probe_operations[] = {{"T_send", 2, 0, call_send},
                                            {"T_recv", 2, 0, call_recv},
                                            {"T_bcast", 2, 0, call_bcast},
                                            {"T_barrier", 2, 0, call_barrier},
                                            {"T_bcast_barrier", 2, 16384, call_bcast_barrier},
                                            {"T_copy", 1, 0, call_copy},
                                            {NULL, 0, 0, NULL}};

/* The rows of one process; made anew for each size, kept between calls. */
typedef struct elimination {
    size_t N;
    int *owner;    /* [N] */
    double *local; /* [rows][N + 1] */
    double *pivot; /* [N + 1] */
    size_t rows;
} elimination;

static void elimination_free(elimination *e) {
    free(e->owner);
    free(e->local);
    free(e->pivot);
    *e = (elimination){0};
}

static bool elimination_make(elimination *e, const probe_context *context, size_t N) {
    elimination_free(e);
    double *speeds = malloc((size_t)context->processes * sizeof *speeds);
    double *counts = malloc((size_t)context->processes * sizeof *counts);
    e->owner = malloc(N * sizeof *e->owner);
    bool complete = speeds != NULL && counts != NULL && e->owner != NULL;
    if (complete) {
        for (int q = 0; q < context->processes; q++) {
            speeds[q] = 1;
        }
        distribution_cyclic(N, speeds, context->processes, counts, e->owner);
        e->rows = (size_t)counts[context->rank];
        e->N = N;
        e->local = malloc((e->rows * (N + 1) + 1) * sizeof *e->local);
        e->pivot = malloc((N + 1) * sizeof *e->pivot);
        complete = e->local != NULL && e->pivot != NULL;
    }
    free(speeds);
    free(counts);
    return complete;
}

/* Diagonally dominant like the kernel's input, so that no number gets out of hand. */
static void elimination_fill(elimination *e, int rank) {
    size_t width = e->N + 1;
    size_t r = 0;
    for (size_t i = 0; i < e->N; i++) {
        for (size_t j = 0; e->owner[i] == rank && j < width; j++) {
            double noise = (double)((i * 7919 + j * 104729) % 2003) / 2003 - 0.5;
            e->local[r * width + j] = i == j ? (double)e->N + noise : noise;
        }
        r += e->owner[i] == rank;
    }
    for (size_t j = 0; j < width; j++) {
        e->pivot[j] = j % 2 == 0 ? 0.25 : -0.25;
    }
}

double probe_elimination_bytes(const probe_context *context, size_t N) {
    return 8 * (double)N * ((double)N + 1) / context->processes;
}

double probe_elimination(const probe_context *context, size_t N) {
    static elimination e;
    if (e.N != N && !elimination_make(&e, context, N)) {
        MPI_Abort(context->communicator, 5);
        return 0;
    }
    elimination_fill(&e, context->rank);
    probe_synchronise(context);
    size_t width = N + 1;
    size_t done = 0;
    double start = MPI_Wtime();
    for (size_t i = 0; i + 1 < N; i++) {
        double *pivot_row = e.pivot + i;
        e.pivot[i] = (double)N;
        if (e.owner[i] == context->rank) {
            pivot_row = e.local + done * width + i;
            done++;
        }
        ge_update(e.local + done * width, e.rows - done, width, i, width, pivot_row);
    }
    return (MPI_Wtime() - start) / (ge_work(N) / context->processes);
}
