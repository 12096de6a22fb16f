/* The arithmetic of matrix multiplication on the rows of one process. No MPI: the kernel and the
 * measurement of its time per flop run the same code. */
#ifndef KERNEL_MM_LOCAL_H
#define KERNEL_MM_LOCAL_H

#include <stddef.h>

/* C = A B on one thread. Shapes: A, C [rows][N], B [N][N]. */
void mm_multiply(const double *A, const double *B, double *C, size_t rows, size_t N);

/* What that does, 2 rows N^2 flop. */
double mm_multiply_flops(size_t rows, size_t N);

/* W(N) = 2 N^3, flop [CSW 4.1.2]. */
double mm_work(size_t N);

#endif
