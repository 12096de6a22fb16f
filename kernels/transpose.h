/* Transposing matrices of complex numbers whose rows are block-distributed. */
#ifndef KERNEL_TRANSPOSE_H
#define KERNEL_TRANSPOSE_H

#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Who has which rows before and after, and room to exchange them. Owned by its user. The columns of
 * process q are the rows that it has of the transposed matrix. */
typedef struct transpose_plan {
    MPI_Comm communicator;
    int rank;
    int processes;
    size_t layers;               /* matrices that are transposed together, each alike */
    const size_t *row_starts;    /* [processes + 1], first row of each process */
    const size_t *column_starts; /* [processes + 1], first column of each process */
    double complex *sent;        /* [layers][own rows][columns] */
    double complex *received;    /* [own columns][layers][rows] */
    int *counts;   /* [4][processes]: numbers for and from each, and where they start */
    bool modelled; /* messages only: the memory holds nothing, and may be one block's */
} transpose_plan;

/* matrices: this process's rows, shape [layers][own rows][columns]. They become its rows of the
 * transposed ones, shape [own columns][layers][rows]; there must be room for both. Blocks must be
 * below 2^31 numbers. Collective. */
void transpose_rows(const transpose_plan *plan, double complex *matrices);

#endif
