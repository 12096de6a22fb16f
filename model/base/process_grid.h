/* The grid that a number of processes is put in. */
#ifndef ISOCAST_PROCESS_GRID_H
#define ISOCAST_PROCESS_GRID_H

/* Rows of the most square grid of p processes: the largest divisor of p that is not above sqrt(p).
 * p that is no whole number has no grid, and one above 1e12 would take long to divide: for these it
 * is sqrt(p), as of a square. p below 1 counts as 1. */
double isocast_grid_rows(double p);

#endif
