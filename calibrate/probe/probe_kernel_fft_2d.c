/* The transforms of the rows of each side, and the factors between, of the kernel fft_2d. */
#include "probe_fft.h"

enum { DIMENSIONS = 2 };

static probe_fft_sides sides;

static void fft_2d_prepare(const probe_context *context, size_t N) {
    probe_fft_prepare_sides(context, N, DIMENSIONS, &sides);
}

static double fft_2d_call(const probe_context *context, size_t N) {
    return probe_fft_call_sides(context, N, &sides);
}

const probe_kernel probe_kernel_fft_2d = {
    .id = KERNEL_ID_fft_2d,
    .work = probe_fft_work,
    .bytes = probe_fft_bytes_sides,
    .prepare = fft_2d_prepare,
    .call = fft_2d_call,
    .weight = 1,
    .usual_least = PROBE_KERNEL_ON_REQUEST,
    .planned = true,
};
