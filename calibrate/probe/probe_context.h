/* What the probe measures with: the processes, and memory for messages and for work. */
#ifndef PROBE_CONTEXT_H
#define PROBE_CONTEXT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe_placement.h"

/* What an operation works on; made once a launch. */
typedef struct probe_context {
    MPI_Comm communicator;
    MPI_Comm synchronisation; /* for the probe's own barrier, apart from what is measured */
    int rank;
    int processes;
    double granule; /* s, smallest step of the clock */
    char *send;     /* [size_most] */
    char *receive;  /* [size_most] */
    size_t size_most;
    double *block; /* [block_most], rows that local work between and beside messages is done on */
    double *pivot; /* [size_most/8 + 1] */
    size_t block_most;
    long roots; /* of rounds of broadcasts in a simulation; 0: every process in turn */
    bool roots_apart;
    bool simulated; /* every call takes the same time, and only messages take any */
    probe_placement placement;
    bool by_speed;  /* work is dealt out by the processes' speeds, else all have the same */
    double *shares; /* [processes], of the work; see probe_shares.h */
} probe_context;

#endif
