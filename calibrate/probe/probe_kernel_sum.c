/* The additions of the kernel sum, N^2 numbers for a problem of order N. */
#include "kernels/sum_local.h"
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"

static size_t numbers_of(const probe_context *context, size_t N) {
    return probe_arrays_rows(context, N) * N;
}

static double sum_of_square(size_t N) {
    return sum_work(N * N);
}

static double sum_bytes(const probe_context *context, size_t N) {
    return 8 * sum_of_square(N) / context->processes;
}

static void sum_prepare(const probe_context *context, size_t N) {
    size_t count = numbers_of(context, N);
    probe_arrays_fill(probe_arrays_room(context, 0, count + 1), count);
}

static double sum_call(const probe_context *context, size_t N) {
    probe_synchronise(context);
    double start = MPI_Wtime();
    volatile double sum = sum_add(probe_arrays[0], numbers_of(context, N));
    (void)sum;
    return (MPI_Wtime() - start) / (sum_of_square(N) / context->processes);
}

const probe_kernel probe_kernel_sum = {
    .id = KERNEL_ID_sum,
    .work = sum_of_square,
    .bytes = sum_bytes,
    .prepare = sum_prepare,
    .call = sum_call,
    .weight = 1,
    .usual_least = PROBE_KERNEL_ON_REQUEST,
};
