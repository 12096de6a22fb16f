/* Fast Fourier transform by one transpose of a square [GGKK 13.3.1]. */
#include "fft_transpose.h"

enum { DIMENSIONS = 2 };

static const char *fft_2d_refusal(size_t N, int processes) {
    return fft_transpose_refusal(N, processes, DIMENSIONS);
}

static double fft_2d_memory(const kernel_task *task, int rank, int processes) {
    (void)rank;
    return fft_transpose_memory(task, processes);
}

static void *fft_2d_set_up(const kernel_task *task) {
    return fft_transpose_set_up(task, DIMENSIONS);
}

static void fft_2d_owners(const kernel_task *task, int processes, int *owner) {
    fft_transpose_owners(task, processes, DIMENSIONS, owner);
}

const kernel kernel_fft_2d = {
    .id = KERNEL_ID_fft_2d,
    .algorithm = "fft-2d-transpose",
    .summary = "fast Fourier transform by one transpose of a square",
    .phase_names = fft_square_phases,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 2,
    .work = fft_work,
    .memory = fft_2d_memory,
    .set_up = fft_2d_set_up,
    .run = fft_transpose_run,
    .verify = fft_transpose_verify,
    .tear_down = fft_transpose_tear_down,
    .owners = fft_2d_owners,
    .refusal = fft_2d_refusal,
};
