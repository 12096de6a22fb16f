/* The input of the transforms, and the check of their result. No MPI. */
#ifndef KERNEL_FFT_CHECK_H
#define KERNEL_FFT_CHECK_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

/* Point j of the input. */
double complex fft_input(uint64_t seed, size_t j);

/* Sums over all outputs X_k and all inputs x_j: X_k z^k, and what it should be,
 *     sum_k z^k sum_j x_j exp(-2 pi i j k/N) = sum_j x_j (z^N - 1)/(z exp(-2 pi i j/N) - 1),
 * for a z with z^N = -1 that the seed chooses. Each output counts with its own place, so a wrong or
 * misplaced one shows. Each process adds its part. */
typedef struct fft_sums {
    size_t N;
    uint64_t turns; /* odd: z = exp(pi i turns/N) */
    double complex outputs;
    double complex inputs;
    double squares; /* of the inputs' absolute values */
} fft_sums;

fft_sums fft_sums_start(uint64_t seed, size_t N);
void fft_sums_add_output(fft_sums *sums, size_t k, double complex X);
void fft_sums_add_input(fft_sums *sums, size_t j, double complex x);

/* The difference of both sums over N times the norm of the input. */
double fft_sums_error(const fft_sums *sums);

#endif
