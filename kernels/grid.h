/* Processes in a grid of rows and columns, and what lies on them in blocks. No MPI. */
#ifndef KERNEL_GRID_H
#define KERNEL_GRID_H

#include <stddef.h>

/* Rank row*columns + column is at (row, column). */
typedef struct grid {
    int rows;
    int columns; /* at least as many as rows */
} grid;

/* The most square grid: its rows are the largest divisor of the processes that is not above their
 * square root. */
grid grid_of(int processes);

/* The first of N items in a block of `parts` blocks, N for block `parts`. Each has N/parts of them,
 * the first ones one more where there is a rest. */
size_t grid_start(size_t N, int parts, int block);

/* How many items the block has. */
size_t grid_length(size_t N, int parts, int block);

#endif
