/* The transforms and the product of two images, of the kernel conv2d. */
#include "kernels/conv2d_local.h"
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"

static conv2d_plans plans;

static double conv2d_bytes(const probe_context *context, size_t N) {
    double images = context->processes > 1 ? 4 : 2;
    return images * 16 * (double)N * (double)N / context->processes;
}

static double complex *image(size_t which) {
    return (double complex *)probe_arrays[which];
}

static void conv2d_prepare(const probe_context *context, size_t N) {
    size_t rows = probe_arrays_rows(context, N);
    conv2d_plans_free(&plans);
    probe_arrays_room(context, 0, 2 * rows * N + 1);
    probe_arrays_room(context, 1, 2 * rows * N + 1);
    if (!conv2d_plan(&plans, rows, N, context->processes == 1)) {
        MPI_Abort(context->communicator, 5);
    }
}

/* Both passes over an image; `last`: those of an inverse. */
static void conv2d_transform(const probe_context *context, size_t which, size_t rows, bool last) {
    if (context->processes == 1) {
        conv2d_transform_whole(&plans, image(which), last);
        return;
    }
    conv2d_transform_rows(&plans, image(which), rows, false);
    conv2d_transform_rows(&plans, image(which), rows, last);
}

/* Both passes of both images, the product, and both passes of the inverse. */
static double conv2d_call(const probe_context *context, size_t N) {
    size_t rows = probe_arrays_rows(context, N);
    probe_arrays_fill(probe_arrays[0], 2 * rows * N);
    probe_arrays_fill(probe_arrays[1], 2 * rows * N);
    probe_synchronise(context);
    double start = MPI_Wtime();
    conv2d_transform(context, 0, rows, false);
    conv2d_transform(context, 1, rows, false);
    conv2d_multiply(image(0), image(1), rows * N, N);
    conv2d_transform(context, 0, rows, true);
    return (MPI_Wtime() - start) / (conv2d_work(N) / context->processes);
}

const probe_kernel probe_kernel_conv2d = {
    .id = KERNEL_ID_conv2d,
    .work = conv2d_work,
    .bytes = conv2d_bytes,
    .prepare = conv2d_prepare,
    .call = conv2d_call,
    .weight = 1,
    .planned = true,
};
