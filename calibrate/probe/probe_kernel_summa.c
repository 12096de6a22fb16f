/* The products of the blocks of a process, of the kernel summa. */
#include "kernels/grid.h"
#include "kernels/mm_local.h"
#include "kernels/summa_local.h"
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"

typedef struct block_shape {
    int steps;
    size_t height, width, depth; /* of a block of C, and of the part of the inner index of a step */
} block_shape;

static block_shape shape_of(const probe_context *context, size_t N) {
    grid g = grid_of(context->processes);
    int column = context->rank % g.columns;
    return (block_shape){.steps = g.columns,
                         .height = grid_length(N, g.rows, context->rank / g.columns),
                         .width = grid_length(N, g.columns, column),
                         .depth = grid_length(N, g.columns, column)};
}

static double summa_bytes(const probe_context *context, size_t N) {
    grid g = grid_of(context->processes);
    double matrix = 8 * (double)N * (double)N;
    double received = context->processes > 1
                          ? 1.0 / context->processes + 1.0 / ((double)g.columns * g.columns)
                          : 0;
    return matrix * (3.0 / context->processes + received);
}

static void summa_prepare(const probe_context *context, size_t N) {
    block_shape s = shape_of(context, N);
    size_t A = s.height * s.depth;
    size_t B = s.depth * s.width;
    size_t C = s.height * s.width;
    probe_arrays_fill(probe_arrays_room(context, 0, A + 1), A);
    probe_arrays_fill(probe_arrays_room(context, 1, B + 1), B);
    probe_arrays_fill(probe_arrays_room(context, 2, C + 1), C);
}

static double summa_call(const probe_context *context, size_t N) {
    block_shape s = shape_of(context, N);
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (int step = 0; step < s.steps; step++) {
        summa_multiply(probe_arrays[0], probe_arrays[1], probe_arrays[2], s.height, s.width,
                       s.depth, step == 0);
    }
    return (MPI_Wtime() - start) / (mm_work(N) / context->processes);
}

const probe_kernel probe_kernel_summa = {
    .id = KERNEL_ID_summa,
    .work = mm_work,
    .bytes = summa_bytes,
    .prepare = summa_prepare,
    .call = summa_call,
    .weight = 1,
};
