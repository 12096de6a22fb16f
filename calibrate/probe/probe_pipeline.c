/* What a program in a pipeline of processes does, as the kernel lcs does: blocks of rows of a
 * table, one after the other, and the last column of each goes to the next process. How much of a
 * column's way is hidden by the work beside it depends on both, and on what shares the links at
 * that moment. So in a simulation the work is done, too, and what it takes alone is taken off. */
#include <math.h>

#include "kernels/lcs_local.h"
#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"
#include "probe_work.h"

enum {
    TAG_COLUMN = 14,
    BLOCKS_MOST = 256 /* of more, each takes as long as those of the second half of these */
};

/* A table, and what this process has of it. */
typedef struct pipeline {
    const probe_context *context;
    size_t N; /* rows, and columns of all */
    size_t columns;
    size_t blocks; /* that are gone through */
    probe_room room;
} pipeline;

/* The columns up to process q's own, dealt out by the processes' speeds. */
static size_t columns_up_to(const probe_context *context, size_t N, int q) {
    double share = 0;
    for (int k = 0; k <= q; k++) {
        share += context->shares[k];
    }
    return q + 1 == context->processes ? N : (size_t)round((double)N * share);
}

static size_t rows_of(const pipeline *p, size_t block) {
    size_t left = p->N - block * LCS_BLOCK;
    return left < LCS_BLOCK ? left : LCS_BLOCK;
}

static void expect(const pipeline *p, size_t block, MPI_Request *coming) {
    if (p->context->rank > 0 && block < p->blocks) {
        MPI_Irecv(p->room.receive, (int)rows_of(p, block), MPI_INT32_T, p->context->rank - 1,
                  TAG_COLUMN, p->context->communicator, coming);
    }
}

/* *half gets when this process was through the first half of the blocks. */
static void go_through(const pipeline *p, double *half) {
    const probe_context *context = p->context;
    MPI_Request coming = MPI_REQUEST_NULL;
    expect(p, 0, &coming);
    for (size_t k = 0; k < p->blocks; k++) {
        *half = k == p->blocks / 2 ? MPI_Wtime() : *half;
        if (context->rank > 0) {
            MPI_Wait(&coming, MPI_STATUS_IGNORE);
            expect(p, k + 1, &coming);
        }
        probe_work(context, lcs_block_flops(rows_of(p, k), p->columns));
        if (context->rank + 1 < context->processes) {
            MPI_Send(p->room.send, (int)rows_of(p, k), MPI_INT32_T, context->rank + 1, TAG_COLUMN,
                     context->communicator);
        }
    }
}

/* Two strings of m letters, a byte each: what the messages add to the work on their table. The work
 * alone is a block of each process, and all others of the one that needs longest. */
double probe_time_pipeline(const probe_context *context, size_t m, size_t repeats) {
    pipeline p = {.context = context, .N = m > 0 ? m : 1};
    size_t all = (p.N + LCS_BLOCK - 1) / LCS_BLOCK;
    p.blocks = all < BLOCKS_MOST ? all : BLOCKS_MOST;
    p.columns = columns_up_to(context, p.N, context->rank) -
                (context->rank > 0 ? columns_up_to(context, p.N, context->rank - 1) : 0);
    p.room = probe_room_make(context, LCS_BLOCK * sizeof(int32_t));
    probe_work_time block = probe_work_measure(context, lcs_block_flops(rows_of(&p, 0), p.columns));
    double rows = all > p.blocks ? (double)(p.blocks * LCS_BLOCK) : (double)p.N;
    double alone = block.sum - block.slowest + rows / (double)rows_of(&p, 0) * block.slowest;
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        double half = 0;
        probe_synchronise(context);
        double start = MPI_Wtime();
        go_through(&p, &half);
        double times[] = {MPI_Wtime() - start, half - start};
        double last[2];
        probe_let_others_end(context);
        MPI_Allreduce(times, last, 2, MPI_DOUBLE, MPI_MAX, context->communicator);
        size_t later = p.blocks - p.blocks / 2;
        double each = (last[0] - last[1]) / (double)later;
        double more = (double)(all - p.blocks) * fmax(each - block.slowest, 0);
        seconds += fmax(last[0] - alone, 0) + more;
    }
    probe_room_free(context, &p.room);
    return seconds / (double)repeats;
}
