/* The probe's operations and how one of them is measured at one message size. */
#ifndef PROBE_H
#define PROBE_H

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
    bool simulated; /* every call takes the same time, and only messages take any */
    int together;   /* nodes that count as one, see probe_placement.h */
    probe_placement placement;
} probe_context;

/* `repeats` calls of an operation on m bytes, to be above what the clock can tell; gives this
 * process's seconds for one call, 0 where it only looks on. Collective. */
typedef double (*probe_call)(const probe_context *context, size_t m, size_t repeats);

typedef struct probe_operation {
    const char *name;
    int processes_least;
    bool sized;       /* depends on m */
    bool in_blocks;   /* its messages are of m/p bytes */
    bool between_two; /* other processes look on: more of them change nothing */
    size_t size_most; /* larger messages are not measured with it; 0: any */
    double weight;    /* of the time spent on it; 1 for a plain message */
    void (*prepare)(const probe_context *context, size_t m); /* before its calls; NULL: nothing */
    probe_call call;
} probe_operation;

enum { PROBE_OPERATIONS_MOST = 24 };

/* Operations on messages, at most PROBE_OPERATIONS_MOST; NULL name at the end. */
extern const probe_operation probe_operations[];

/* Brings the processes together before a call: to one time of a common clock where there is one
 * (probe_clock.h), else by a dissemination barrier on the probe's own messages. */
void probe_synchronise(const probe_context *context);

#endif
