/* What the programs of the fast Fourier transform share. N points and p processes, both powers of
 * two, N/p points on each; input and result stay where they are, each in an order of its own. */
#ifndef KERNEL_FFT_H
#define KERNEL_FFT_H

#include "fft_check.h"
#include "fft_local.h"
#include "fft_shape.h"
#include "kernel.h"

typedef struct fft_common {
    MPI_Comm communicator;
    int rank;
    int processes;
    size_t N;
    size_t count; /* N/p, points of this process */
    uint64_t seed;
    kernel_compute *compute;
} fft_common;

/* Which point of the input, or of the result, the local one is. */
typedef size_t (*fft_place)(const void *state, size_t local);

fft_common fft_begin(const kernel_task *task);

/* Whether N and p are powers of two, N not below p. */
const char *fft_refusal(size_t N, int processes);

/* Fills this process's points with the input, where there is arithmetic. */
void fft_fill(const fft_common *common, const void *state, fft_place input, double complex *points);

/* Sets result->error on process 0. The input is made again. Collective. */
void fft_verify(const fft_common *common, const void *state, fft_place output,
                const double complex *points, kernel_result *result);

/* Blocks of N/p. */
void fft_owners(const kernel_task *task, int processes, int *owner);

#endif
