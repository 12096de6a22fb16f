/* Whether an image is the circular convolution of two others. No MPI, no transforms: it shares
 * nothing with what it checks. */
#ifndef KERNEL_CONV2D_CHECK_H
#define KERNEL_CONV2D_CHECK_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

/* The inputs: complex numbers from input_element(). which: 0 or 1. */
double complex conv2d_input(uint64_t seed, unsigned which, size_t i, size_t j);

/* Largest error of the result (shape [N][N]) relative to the norms of the inputs: against the
 * convolution's own sums up to N = 24; above, at a few places of the spectrum, where the result's
 * must be the product of the inputs'. NAN where memory is short. */
double conv2d_error(uint64_t seed, size_t N, const double complex *result);

#endif
