/* The triad, which states the bandwidth of memory. */
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"

/* J. McCalpin's triad (1995), a = b + 3 c, on N^2/p numbers of each array. */
static double triad_work(size_t N) {
    return 2 * (double)N * (double)N;
}

static double triad_bytes(const probe_context *context, size_t N) {
    return 24 * (double)N * (double)N / context->processes;
}

static void triad_prepare(const probe_context *context, size_t N) {
    size_t count = probe_arrays_rows(context, N) * N;
    for (size_t k = 0; k < PROBE_ARRAYS; k++) {
        probe_arrays_fill(probe_arrays_room(context, k, count + 1), count);
    }
}

static double triad_call(const probe_context *context, size_t N) {
    size_t count = probe_arrays_rows(context, N) * N;
    double *restrict a = probe_arrays[0];
    const double *restrict b = probe_arrays[1];
    const double *restrict c = probe_arrays[2];
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (size_t i = 0; i < count; i++) {
        a[i] = b[i] + 3 * c[i];
    }
    return (MPI_Wtime() - start) / (triad_work(N) / context->processes);
}

const probe_kernel probe_kernel_triad = {
    .id = KERNEL_ID_triad,
    .work = triad_work,
    .bytes = triad_bytes,
    .prepare = triad_prepare,
    .call = triad_call,
    .weight = 0.1,
    .usual_least = 2048,
};
