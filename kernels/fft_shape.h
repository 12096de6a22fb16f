/* How the points of a transform make a square or a cube, and which of them a process has. No MPI:
 * the kernels and the measurement of their time per flop share it. */
#ifndef KERNEL_FFT_SHAPE_H
#define KERNEL_FFT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

enum { FFT_DIMENSIONS_MAX = 3 };

/* The powers of two nearest to equal sides, n[0] >= n[1] >= n[2], n[2] = 1 of a square, for N
 * points; and a grid of processes, groups[0] >= groups[1], as square as they can be; groups[1] = 1
 * for a square. One process has a row of all points: n[0] = N. */
typedef struct fft_shape {
    unsigned dimensions; /* 2, 3; 1 for one process */
    size_t n[FFT_DIMENSIONS_MAX];
    size_t groups[FFT_DIMENSIONS_MAX - 1];
} fft_shape;

/* N and processes must be powers of two. */
fft_shape fft_shape_of(size_t N, size_t processes, unsigned dimensions);

/* Whether each process has whole rows of each side. */
bool fft_shape_fits(const fft_shape *shape);

/* The base 2 logarithm of a power of two. */
unsigned fft_log2(size_t power);

#endif
