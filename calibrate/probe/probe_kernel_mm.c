/* The product of a block of rows with a whole matrix, of the kernel mm. */
#include "kernels/mm_local.h"
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"

static double mm_bytes(const probe_context *context, size_t N) {
    double n = (double)N;
    return 8 * (n * n + 2 * n * n / context->processes);
}

static void mm_prepare(const probe_context *context, size_t N) {
    size_t rows = probe_arrays_rows(context, N);
    probe_arrays_fill(probe_arrays_room(context, 0, rows * N + 1), rows * N);
    probe_arrays_fill(probe_arrays_room(context, 1, N * N), N * N);
    probe_arrays_fill(probe_arrays_room(context, 2, rows * N + 1), rows * N);
}

static double mm_call(const probe_context *context, size_t N) {
    probe_synchronise(context);
    double start = MPI_Wtime();
    mm_multiply(probe_arrays[0], probe_arrays[1], probe_arrays[2], probe_arrays_rows(context, N),
                N);
    return (MPI_Wtime() - start) / (mm_work(N) / context->processes);
}

const probe_kernel probe_kernel_mm = {
    .id = KERNEL_ID_mm,
    .work = mm_work,
    .bytes = mm_bytes,
    .prepare = mm_prepare,
    .call = mm_call,
    .weight = 1,
};
