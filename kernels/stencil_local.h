/* The arithmetic of Jacobi sweeps with five points on the block of one process, and the solution
 * that they are checked by. No MPI: the kernel and the measurement of its time per flop run the
 * same code. */
#ifndef KERNEL_STENCIL_LOCAL_H
#define KERNEL_STENCIL_LOCAL_H

#include <stddef.h>
#include <stdint.h>

enum { STENCIL_SWEEPS = 100, STENCIL_POINT_FLOPS = 4 };

/* One sweep: each point of `to` becomes the mean of its four neighbours in `from`. Shapes: from, to
 * [rows + 2][columns + 2], with a frame of neighbours, which is read in `from` alone. */
void stencil_sweep(const double *from, double *to, size_t rows, size_t columns);

/* What that does, 4 flop a point. */
double stencil_sweep_flops(size_t rows, size_t columns);

/* W(N) = 4 N^2 flop for each of the sweeps. */
double stencil_work(size_t N);

/* The exact value after some sweeps at point (i, j) of N x N, 1 to N, or at 0 or N + 1 on the
 * boundary: a harmonic part, which a sweep leaves as it is, and a wave, which it shrinks by cos(pi
 * / (N + 1)). The harmonic part depends on the seed. */
double stencil_exact(uint64_t seed, size_t N, size_t sweeps, size_t i, size_t j);

#endif
