/* Local work and the memory it is done on, real or modelled. A kernel states every piece of its
 * arithmetic by its flops; in a simulation these take simulated time, and where the arithmetic is
 * modelled only, they are all that happens: nothing is computed and the memory holds nothing. */
#ifndef KERNEL_COMPUTE_H
#define KERNEL_COMPUTE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kernel_compute {
    bool modelled;  /* no arithmetic is done */
    double stretch; /* modelled: flops take so many times as long; 0: once */
    double flops;   /* reported so far on this process */
    void *folded;   /* modelled: the memory of all processes */
} kernel_compute;

/* Where arithmetic is modelled, sets up memory that any message of any process fits into: `bytes`
 * is what this process needs, and no message is above 2 GiB. Arrays may well be larger than it, as
 * none of their elements is looked at; a place in one is reported by compute_at(). False where
 * memory is short. Collective, like its end. */
bool compute_begin(kernel_compute *compute, double bytes, MPI_Comm communicator);
void compute_end(kernel_compute *compute, MPI_Comm communicator);

/* Whether this build runs under a simulator. */
bool compute_is_simulated(void);

/* Lets all go on at once: in a simulation at the same time of its clock, which no barrier's end is;
 * else from a barrier. Collective. */
void compute_start_together(MPI_Comm communicator);

/* In a simulation this process goes on a second of its clock later, when the others have ended,
 * too: what it sends next would meet messages that are still on their way. Else nothing. */
void compute_let_others_end(void);

/* Takes the simulated time of so many flops. Whether they are also to be done. */
bool compute_charge(kernel_compute *compute, double flops);

/* Zeroed memory for `count` items of `size` bytes, never NULL for a size of 0; where arithmetic is
 * modelled, the same for all arrays of all processes, with a content that means nothing. NULL where
 * memory is short. */
void *compute_allocate(const kernel_compute *compute, size_t count, size_t size);
/* An array from its element `index` of `size` bytes on, for a message: where arithmetic is
 * modelled, its start. */
void *compute_at(const kernel_compute *compute, void *array, size_t index, size_t size);
void compute_free(const kernel_compute *compute, void *memory);

#endif
