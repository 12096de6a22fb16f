/* Transposing a square matrix of complex numbers whose rows are block-distributed. */
#ifndef KERNEL_TRANSPOSE_H
#define KERNEL_TRANSPOSE_H

#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Who has which rows, and room to exchange them. Owned by its user. */
typedef struct transpose_plan {
    MPI_Comm communicator;
    int rank;
    int processes;
    size_t N;
    const size_t *starts;     /* [processes + 1], first row of each process */
    double complex *sent;     /* [rows][N] */
    double complex *received; /* [rows][N] */
    int *counts;              /* [processes] */
    int *places;              /* [processes] */
    bool modelled;            /* messages only: the memory holds nothing, and may be one block's */
} transpose_plan;

/* rows: this process's, shape [rows][N]; they become rows of the transposed matrix. Blocks must be
 * below 2^31 numbers. Collective. */
void transpose_rows(const transpose_plan *plan, double complex *rows);

#endif
