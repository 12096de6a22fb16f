/* The arithmetic of SUMMA on the blocks of one process. No MPI: the kernel and the measurement of
 * its time per flop run the same code. */
#ifndef KERNEL_SUMMA_LOCAL_H
#define KERNEL_SUMMA_LOCAL_H

#include <stddef.h>

/* C += A B on one thread, or C = A B with `first`. Shapes: A [rows][depth], B [depth][columns],
 * C [rows][columns]. */
void summa_multiply(const double *A, const double *B, double *C, size_t rows, size_t columns,
                    size_t depth, int first);

/* What that does, 2 rows columns depth flop. */
double summa_multiply_flops(size_t rows, size_t columns, size_t depth);

#endif
