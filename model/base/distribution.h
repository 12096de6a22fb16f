/* Rows shared out in proportion to marked speeds [CSW 4.1]. No MPI. */
#ifndef ISOCAST_DISTRIBUTION_H
#define ISOCAST_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

/* Row-based heterogeneous cyclic: every prefix of the rows is shared in proportion to the speeds,
 * less than one row from the exact share of each process; what follows a prefix is shared to within
 * two. Processes of one speed get the rows in turn. Shapes: speeds [processes], all above 0, their
 * sum finite; counts [processes], gets the rows of each; owner [rows], gets the process of each
 * row. False where memory is short. The time goes as the rows times the different speeds. */
bool isocast_distribution_cyclic(size_t rows, const double *speeds, int processes, double *counts,
                                 int *owner);

/* Row-block: the same shares in one piece each. Shapes: starts [processes + 1], gets the first row
 * of each process and the number of rows. False where memory is short. */
bool isocast_distribution_block(size_t rows, const double *speeds, int processes, size_t *starts);

/* The share of the rows of one process, by which both deal; shape of speeds: [processes]. */
double isocast_distribution_share(const double *speeds, int processes, int rank);

#endif
