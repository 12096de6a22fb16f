/* The arithmetic of Gaussian elimination on the rows of one process. No MPI: the kernel and the
 * measurement of its time per flop run the same code. */
#ifndef KERNEL_GE_LOCAL_H
#define KERNEL_GE_LOCAL_H

#include <stddef.h>

/* Subtracts multiples of the pivot row from `rows` rows so that their column `pivot` becomes 0.
 * block: shape [rows][stride], row-major; columns pivot to width-1 of each row are touched.
 * pivot_row: shape [width - pivot], column `pivot` first, not 0. 2 (width - pivot - 1) + 1 flop a
 * row. */
void ge_update(double *block, size_t rows, size_t stride, size_t pivot, size_t width,
               const double *pivot_row);

/* Solves the upper triangular system of `N` rows with their right-hand side in column N.
 * row: [N] pointers to rows of N + 1 numbers; x: shape [N]. N^2 flop. */
void ge_back_substitute(const double *const *row, size_t N, double *x);

/* What these two do, flop. */
double ge_update_flops(size_t rows, size_t pivot, size_t width);
double ge_back_substitute_flops(size_t N);
/* What a whole elimination with back substitution does, 2/3 N^3 + 3/2 N^2 - 7/6 N flop: N^2 terms
 * more than the work W that is counted for it. */
double ge_flops(size_t N);

/* W(N) = 2/3 N^3 - 1/2 N^2 - 19/6 N + 3, flop [CSW 4.1.1]. */
double ge_work(size_t N);

#endif
