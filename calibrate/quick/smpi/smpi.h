/* What the simulated probe asks of the simulator beside MPI: work, and memory that nobody reads. */
#ifndef QUICK_SMPI_H
#define QUICK_SMPI_H

#include <stddef.h>

struct quick_communicator;

void smpi_execute_flops(double flops);
/* What the probe calls its main. */
int quick_main(int argc, char **argv);
/* Of all processes of a communicator, flop/s. */
void quick_speeds(struct quick_communicator *communicator, double *out);
/* The same memory for all that ask, of a few bytes: nobody reads more. */
void *quick_folded_memory(size_t size);

#define SMPI_SHARED_MALLOC(size) quick_folded_memory(size)
#define SMPI_SHARED_FREE(memory) ((void)(memory))

#endif
