/* Fast Fourier transform by two transposes of a cube [GGKK 13.3.2]. */
#include "fft_transpose.h"

enum { DIMENSIONS = 3 };

static const char *fft_3d_refusal(size_t N, int processes) {
    return fft_transpose_refusal(N, processes, DIMENSIONS);
}

static double fft_3d_memory(const kernel_task *task, int rank, int processes) {
    (void)rank;
    return fft_transpose_memory(task, processes);
}

static void *fft_3d_set_up(const kernel_task *task) {
    return fft_transpose_set_up(task, DIMENSIONS);
}

static void fft_3d_owners(const kernel_task *task, int processes, int *owner) {
    fft_transpose_owners(task, processes, DIMENSIONS, owner);
}

const kernel kernel_fft_3d = {
    .id = KERNEL_ID_fft_3d,
    .algorithm = "fft-3d-transpose",
    .summary = "fast Fourier transform by two transposes of a cube",
    .phase_names = fft_cube_phases,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 2,
    .work = fft_work,
    .memory = fft_3d_memory,
    .set_up = fft_3d_set_up,
    .run = fft_transpose_run,
    .verify = fft_transpose_verify,
    .tear_down = fft_transpose_tear_down,
    .owners = fft_3d_owners,
    .refusal = fft_3d_refusal,
};
