/* Sweeps over the block of a process, of the kernel stencil. */
#include "kernels/grid.h"
#include "kernels/stencil_local.h"
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"

typedef struct block_shape {
    size_t rows, columns;
} block_shape;

static block_shape shape_of(const probe_context *context, size_t N) {
    grid g = grid_of(context->processes);
    return (block_shape){grid_length(N, g.rows, context->rank / g.columns),
                         grid_length(N, g.columns, context->rank % g.columns)};
}

/* There and back, which leaves the points in their place. */
static double pair_work(size_t N) {
    return 2 * stencil_sweep_flops(N, N);
}

static double stencil_bytes(const probe_context *context, size_t N) {
    return 16 * (double)N * (double)N / context->processes;
}

static void stencil_prepare(const probe_context *context, size_t N) {
    block_shape s = shape_of(context, N);
    size_t count = (s.rows + 2) * (s.columns + 2);
    probe_arrays_fill(probe_arrays_room(context, 0, count), count);
    probe_arrays_fill(probe_arrays_room(context, 1, count), count);
}

static double stencil_call(const probe_context *context, size_t N) {
    block_shape s = shape_of(context, N);
    probe_synchronise(context);
    double start = MPI_Wtime();
    stencil_sweep(probe_arrays[0], probe_arrays[1], s.rows, s.columns);
    stencil_sweep(probe_arrays[1], probe_arrays[0], s.rows, s.columns);
    return (MPI_Wtime() - start) / (pair_work(N) / context->processes);
}

const probe_kernel probe_kernel_stencil = {
    .id = KERNEL_ID_stencil,
    .work = pair_work,
    .bytes = stencil_bytes,
    .prepare = stencil_prepare,
    .call = stencil_call,
    .weight = 1,
};
