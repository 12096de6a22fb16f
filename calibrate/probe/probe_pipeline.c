/* A pipeline of blocks, as the kernel lcs has it: a process gets the column left of a block, works
 * on the block, and sends its last column on. m is the row of the table that a process has, of 4
 * bytes a column; a message is a column of 64 rows. What it takes depends on how long the work is
 * beside a message, so they are measured together. */
#include <string.h>

#include "kernels/lcs_local.h"
#include "probe_clock.h"
#include "probe_functions.h"

#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>
#endif

enum { TAG_PIPELINE = 8, BLOCKS_FIRST = 16, BLOCKS_NEXT = 64 };

typedef struct pipeline {
    const probe_context *context;
    size_t columns; /* of a process */
    double flops;   /* of a block on this process; simulated */
    uint8_t letters[LCS_BLOCK];
    int32_t left[LCS_BLOCK];
    int32_t right[LCS_BLOCK];
    uint8_t *own;   /* [columns] */
    int32_t *above; /* [columns + 1] */
    MPI_Request coming[LCS_AHEAD];
} pipeline;

#ifdef PROBE_SIMULATED
/* The speed of this process by that of all on average: with their share of the columns processes
 * of different speeds take the same time for a block. */
static double relative_speed(const probe_context *context) {
    static const double flops = 1e6;
    double start = MPI_Wtime();
    smpi_execute_flops(flops);
    double own = flops / (MPI_Wtime() - start);
    double sum;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, context->communicator);
    return own * context->processes / sum;
}

static void work_on_block(pipeline *p) {
    smpi_execute_flops(p->flops);
}
#else
static double relative_speed(const probe_context *context) {
    (void)context;
    return 1;
}

static void work_on_block(pipeline *p) {
    lcs_block(p->letters, LCS_BLOCK, p->own, p->columns, p->above, p->left, p->right);
}
#endif

/* The letters stand behind the row. */
static pipeline pipeline_of(const probe_context *context, size_t m) {
    size_t columns = m / sizeof(int32_t) > 0 ? m / sizeof(int32_t) : 1;
    int32_t *above = (int32_t *)(void *)context->block;
    return (pipeline){.context = context,
                      .columns = columns,
                      .flops = lcs_block_flops(LCS_BLOCK, columns) * relative_speed(context),
                      .own = (uint8_t *)(above + columns + 1),
                      .above = above};
}

static void prepare(const probe_context *context, size_t m) {
    pipeline p = pipeline_of(context, m);
    memset(p.above, 0, (p.columns + 1) * sizeof *p.above);
    for (size_t j = 0; j < p.columns; j++) {
        p.own[j] = lcs_letter(1, 1, j);
    }
}

void probe_prepare_pipeline_first(const probe_context *context, size_t m) {
    prepare(context, m);
}

void probe_prepare_pipeline_next(const probe_context *context, size_t m) {
    prepare(context, m);
}

static void expect(pipeline *p, size_t block, size_t blocks) {
    if (p->context->rank > 0 && block < blocks) {
        MPI_Irecv(p->left, LCS_BLOCK, MPI_INT32_T, p->context->rank - 1, TAG_PIPELINE,
                  p->context->communicator, &p->coming[block % LCS_AHEAD]);
    }
}

/* Seconds until all processes have gone through so many blocks; on all of them. */
static double time_blocks(pipeline *p, size_t blocks) {
    const probe_context *context = p->context;
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (size_t k = 0; k < LCS_AHEAD; k++) {
        expect(p, k, blocks);
    }
    for (size_t k = 0; k < blocks; k++) {
        if (context->rank > 0) {
            MPI_Wait(&p->coming[k % LCS_AHEAD], MPI_STATUS_IGNORE);
            expect(p, k + LCS_AHEAD, blocks);
        }
        work_on_block(p);
        if (context->rank + 1 < context->processes) {
            MPI_Send(p->right, LCS_BLOCK, MPI_INT32_T, context->rank + 1, TAG_PIPELINE,
                     context->communicator);
        }
    }
    double own = MPI_Wtime() - start;
    double last;
    MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
    return last;
}

/* The first 16 blocks, until the last process has done them. */
double probe_time_pipeline_first(const probe_context *context, size_t m, size_t repeats) {
    pipeline p = pipeline_of(context, m);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        seconds += time_blocks(&p, BLOCKS_FIRST);
    }
    return seconds / (double)repeats;
}

/* What each block after them adds. */
double probe_time_pipeline_next(const probe_context *context, size_t m, size_t repeats) {
    pipeline p = pipeline_of(context, m);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        double first = time_blocks(&p, BLOCKS_FIRST);
        seconds += (time_blocks(&p, BLOCKS_FIRST + BLOCKS_NEXT) - first) / BLOCKS_NEXT;
    }
    return seconds > 0 ? seconds / (double)repeats : 0;
}
