/* How simulated processes go on together: they have one clock. Real processes never call this. */
#ifndef KERNEL_TOGETHER_H
#define KERNEL_TOGETHER_H

#include <mpi.h>

/* All go on at the same time of the simulated clock, which no barrier's end is. Collective. */
void together_start(MPI_Comm communicator);

/* This process goes on a second of its clock later, when the others have ended, too: what it sends
 * next would meet messages that are still on their way. */
void together_let_others_end(void);

#endif
