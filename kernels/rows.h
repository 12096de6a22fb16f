/* Messages of whole rows of numbers, however many. */
#ifndef KERNEL_ROWS_H
#define KERNEL_ROWS_H

#include <mpi.h>
#include <stddef.h>

#include "compute.h"

/* rows: shape [count][width], of compute_allocate(). Above 1 GiB in pieces: MPI counts with an int,
 * and a simulator's messages end at 2 GiB. No message for no rows. */
void rows_send(const kernel_compute *compute, double *rows, size_t count, size_t width, int to,
               int tag, MPI_Comm communicator);
void rows_receive(const kernel_compute *compute, double *rows, size_t count, size_t width, int from,
                  int tag, MPI_Comm communicator);

#endif
