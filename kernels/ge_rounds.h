/* The rounds of an elimination on one process: for each pivot its row goes to all, the rows below
 * it are updated, and a barrier follows. The kernel makes them among its processes; who measures
 * the time per flop makes them on one process alone, where the calls move nothing and still take
 * the time that a small problem feels. */
#ifndef KERNEL_GE_ROUNDS_H
#define KERNEL_GE_ROUNDS_H

#include <mpi.h>
#include <stddef.h>

#include "compute.h"
#include "piecework.h"

typedef struct ge_rounds {
    kernel_compute *compute;
    MPI_Comm communicator; /* of the calls */
    bool alone;            /* it has this process only, whatever `owner` says */
    const int *owner;      /* [width - 1], the process that has each row */
    int rank;              /* of this process in `owner` */
    double *local;         /* [rows][width], the rows of this process */
    double *pivot;         /* [width], where the rows of others arrive */
    size_t rows, width;
    size_t done; /* rows of this process that are final */
    piecework updates;
} ge_rounds;

/* Makes the rounds from pivot `from` to before `end`. */
void ge_rounds_make(ge_rounds *r, size_t from, size_t end);

#endif
