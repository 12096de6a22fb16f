/* The butterflies and the transform of the kernel fft_binary, as the process has them that always
 * has the upper half. */

#include "probe_clock.h"
#include "probe_fft.h"

static fft_rows last;

/* Points, those of a partner, and roots. */
enum { ARRAYS = 3 };

static double fft_binary_bytes(const probe_context *context, size_t N) {
    double steps = (double)fft_log2(probe_fft_processes(context));
    double arrays = steps > 0 ? 2 + steps : 1;
    return probe_fft_bytes(context, N, arrays);
}

static void fft_binary_prepare(const probe_context *context, size_t N) {
    fft_rows_free(&last);
    if (!fft_rows_plan(&last, 1, probe_fft_points(N) / probe_fft_processes(context))) {
        MPI_Abort(context->communicator, 5);
    }
    probe_fft_room(context, N, ARRAYS);
}

static double fft_binary_call(const probe_context *context, size_t N) {
    size_t processes = probe_fft_processes(context);
    size_t count = probe_fft_points(N) / processes;
    double complex *points = probe_fft_room(context, N, ARRAYS);
    unsigned steps = fft_log2(processes);
    double flops = fft_rows_flops(count, count) + FFT_UPPER_FLOPS * (double)count * steps;
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (unsigned step = 0; step < steps; step++) {
        fft_upper(points, points + count, points + 2 * count, count);
    }
    fft_rows_run(&last, points);
    return (MPI_Wtime() - start) / flops;
}

const probe_kernel probe_kernel_fft_binary = {
    .id = KERNEL_ID_fft_binary,
    .work = probe_fft_work,
    .bytes = fft_binary_bytes,
    .prepare = fft_binary_prepare,
    .call = fft_binary_call,
    .weight = 1,
    .usual_least = PROBE_KERNEL_ON_REQUEST,
    .planned = true,
};
