#include "probe_fft.h"

#include <math.h>

#include "probe_arrays.h"
#include "probe_clock.h"

size_t probe_fft_points(size_t N) {
    return (size_t)1 << lround(2 * log2((double)N));
}

double probe_fft_work(size_t N) {
    return fft_work(probe_fft_points(N));
}

size_t probe_fft_processes(const probe_context *context) {
    return (size_t)1 << (unsigned)floor(log2(context->processes));
}

double complex *probe_fft_room(const probe_context *context, size_t N, size_t arrays) {
    size_t numbers = 2 * arrays * probe_fft_points(N) / probe_fft_processes(context);
    double *room = probe_arrays_room(context, 0, numbers);
    probe_arrays_fill(room, numbers);
    return (double complex *)room;
}

double probe_fft_bytes(const probe_context *context, size_t N, double arrays) {
    return arrays * 16 * (double)probe_fft_points(N) / (double)probe_fft_processes(context);
}

double probe_fft_bytes_sides(const probe_context *context, size_t N) {
    return probe_fft_bytes(context, N, probe_fft_processes(context) > 1 ? 4 : 1);
}

void probe_fft_prepare_sides(const probe_context *context, size_t N, unsigned dimensions,
                             probe_fft_sides *sides) {
    size_t processes = probe_fft_processes(context);
    size_t count = probe_fft_points(N) / processes;
    sides->shape = fft_shape_of(probe_fft_points(N), processes, dimensions);
    for (unsigned i = 0; i < FFT_DIMENSIONS_MAX; i++) {
        size_t length = sides->shape.n[i];
        size_t rows = count > length ? count / length : 1;
        fft_rows_free(&sides->rows[i]);
        if (i < sides->shape.dimensions && !fft_rows_plan(&sides->rows[i], rows, length)) {
            MPI_Abort(context->communicator, 5);
        }
    }
    probe_fft_room(context, N, 2);
}

double probe_fft_call_sides(const probe_context *context, size_t N, const probe_fft_sides *sides) {
    size_t count = probe_fft_points(N) / probe_fft_processes(context);
    /* Filled again: transforms in place make the numbers grow. */
    double complex *points = probe_fft_room(context, N, 2);
    double flops = fft_rows_flops(count, probe_fft_points(N));
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (unsigned i = 0; i < sides->shape.dimensions; i++) {
        fft_rows_run(&sides->rows[i], points);
        if (i + 1 < sides->shape.dimensions) {
            fft_multiply(points, points + count, count);
            flops += FFT_MULTIPLY_FLOPS * (double)count;
        }
    }
    return (MPI_Wtime() - start) / flops;
}
