/* What carries the messages of collective operations in the simulator, and where a call has its
 * elements. Behind mpi.h. */
#ifndef ISOCAST_OWN_CARRIER_H
#define ISOCAST_OWN_CARRIER_H

#ifndef ISOCAST_OWN_PART
#define ISOCAST_OWN_PART
#endif
#include <mpi.h>
#include <stdint.h>

#include "model/collective/choice.h"
#include "model/collective/layout.h"

/* Dense: elements follow each other without gaps. */
typedef struct own_type {
    MPI_Datatype type;
    size_t size;                            /* B */
    MPI_Aint extent, true_low, true_extent; /* B */
    bool is_dense;
} own_type;

typedef struct own_call {
    isocast_collective_part part;
    MPI_Comm communicator;
    own_type reduced; /* type of MPI_DATATYPE_NULL: bytes are moved, not reduced */
    MPI_Op op;
    size_t stride;                  /* B from one element to the next */
    size_t longest;                 /* elements that a buffer may have */
    char *base[COLLECTIVE_BUFFERS]; /* where element `first` is; NULL: not yet reserved */
    size_t first[COLLECTIVE_BUFFERS];
    bool lent[COLLECTIVE_BUFFERS]; /* the caller's own, not to be written to */
    size_t lent_elements;
    char *own[COLLECTIVE_BUFFERS]; /* reserved, and freed at the end */
    double copies, copied; /* within the process, and their B, that have taken no time yet; to
                              reduce two blocks is one */
    char *hollow; /* where the contents of the caller's buffers mean nothing: all of them; else NULL
                   */
    MPI_Request *requests;
    int started, capacity;
    int result;
} own_call;

/* The library that the platform means; ISOCAST_COLLECTIVES: the simulator's own collectives. */
isocast_collectives own_library(void);
/* Whether an operation is MPI's own. */
bool own_is_built_in(MPI_Op op);
/* Of a communicator; 0 of none. */
int own_size(MPI_Comm communicator);
bool own_is_root(MPI_Comm communicator, int root);
/* Ends the program where no memory is left. */
void *own_memory(size_t bytes);
/* Finds out which processes share a node, so that the first collective does not. */
void own_layout_prepare(void);
own_type own_type_find(MPI_Datatype type);
void own_copy_elements(const void *from, size_t from_count, const own_type *from_type, void *to,
                       size_t to_count, const own_type *to_type);

/* own_memory.c: what the process has in hand from here on counts for the caches of its node.
 * is_timed: computing is timed now. */
void own_take_in_hand(double bytes, bool is_timed);

/* What lies in this memory means nothing: calls with it send as many bytes, and copy none. A
 * message has to fit into it. */
void own_hollow_set(void *memory, size_t bytes);

/* False: the call is left to the simulator. Else computing is not timed until the end. `memory` is
 * a buffer of the caller; NULL: there is none. */
bool own_call_begin(own_call *call, MPI_Comm communicator, int root, const void *memory);
/* Memory of the call's own, for elements from `first` on. */
void *own_reserve(own_call *call, isocast_collective_buffer buffer, size_t first, size_t elements);
/* Memory of the caller: read, and copied before it would be written to. */
void own_lend(own_call *call, isocast_collective_buffer buffer, size_t first, size_t elements,
              const void *memory);
void own_call_do(own_call *call, isocast_collective_operation operation);
int own_call_end(own_call *call);

#endif
