/* A block of rows of the table on the columns of a process, of the kernel lcs. */
#include "kernels/lcs_local.h"
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"

static double block_work(size_t N) {
    return lcs_block_flops(LCS_BLOCK, N);
}

static double lcs_bytes(const probe_context *context, size_t N) {
    return 9 * (double)N + 5 * (double)N / context->processes;
}

/* Its columns of the second string and of the row above, each in an array of its own. */
static void lcs_prepare(const probe_context *context, size_t N) {
    size_t columns = probe_arrays_rows(context, N);
    uint8_t *own = (uint8_t *)probe_arrays_room(context, 0, columns / sizeof(double) + 1);
    int32_t *above = (int32_t *)probe_arrays_room(context, 1, columns / 2 + 1);
    for (size_t j = 0; j < columns; j++) {
        own[j] = lcs_letter(1, 1, j);
        above[j] = 0;
    }
    above[columns] = 0;
}

static double lcs_call(const probe_context *context, size_t N) {
    uint8_t letters[LCS_BLOCK];
    int32_t left[LCS_BLOCK] = {0};
    int32_t right[LCS_BLOCK];
    for (size_t i = 0; i < LCS_BLOCK; i++) {
        letters[i] = lcs_letter(1, 0, i);
    }
    probe_synchronise(context);
    double start = MPI_Wtime();
    lcs_block(letters, LCS_BLOCK, (const uint8_t *)probe_arrays[0], probe_arrays_rows(context, N),
              (int32_t *)probe_arrays[1], left, right);
    return (MPI_Wtime() - start) / (block_work(N) / context->processes);
}

const probe_kernel probe_kernel_lcs = {
    .id = KERNEL_ID_lcs,
    .work = block_work,
    .bytes = lcs_bytes,
    .prepare = lcs_prepare,
    .call = lcs_call,
    .weight = 1,
};
