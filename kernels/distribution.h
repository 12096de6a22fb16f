/* Rows shared out in proportion to marked speeds [CSW 4.1]. No MPI. */
#ifndef KERNEL_DISTRIBUTION_H
#define KERNEL_DISTRIBUTION_H

#include <stddef.h>

/* Row-based heterogeneous cyclic: every prefix of the rows is shared in proportion to the speeds,
 * to within one row a process. Shapes: speeds [processes], all above 0; counts [processes], gets
 * the rows of each; owner [rows]. */
void distribution_cyclic(size_t rows, const double *speeds, int processes, double *counts,
                         int *owner);

#endif
