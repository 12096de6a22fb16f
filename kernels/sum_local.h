/* The arithmetic of adding numbers on one process. No MPI: the kernel and the measurement of its
 * time per flop run the same code. */
#ifndef KERNEL_SUM_LOCAL_H
#define KERNEL_SUM_LOCAL_H

#include <stddef.h>

/* The sum of so many numbers; 0 for none. */
double sum_add(const double *numbers, size_t count);

/* W(N) = N, flop. */
double sum_work(size_t N);

#endif
