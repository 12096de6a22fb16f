/* The grid that a number of processes is put in. */
#ifndef ISOCAST_PROCESS_GRID_H
#define ISOCAST_PROCESS_GRID_H

#include <stddef.h>

/* Rows of the most square grid of p processes: the largest divisor of p that is not above sqrt(p).
 * p that is no whole number has no grid, and one above 1e12 would take long to divide: for these it
 * is sqrt(p), as of a square. p below 1 counts as 1. */
double isocast_grid_rows(double p);

/* The shortest side of the grid of p processes in so many dimensions (1 to 8) whose shortest side
 * is the longest. What is left of p makes a grid of one dimension less, in which the same holds:
 * such grids MPI_Dims_create makes, but for a p in a thousand. Of two dimensions it is the rows. p
 * that have no grid are as above, with the root of so many dimensions. */
double isocast_grid_side(double p, int dimensions);

/* The shortest side in three dimensions. */
double isocast_grid_layers(double p);

/* The largest divisor of p that is not above x, and at least 1. p that have no grid are as above: x
 * itself, between 1 and p. */
double isocast_grid_divisor(double p, double x);

/* Grids of p processes in two or three dimensions with two or more processes along each side; those
 * that are turned are one. p below 1e6 that is whole; of others it is 0. */
size_t isocast_grid_count(double p, int dimensions);

#endif
