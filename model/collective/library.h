/* MPI libraries whose collective operations are known, and these operations. */
#ifndef ISOCAST_COLLECTIVE_LIBRARY_H
#define ISOCAST_COLLECTIVE_LIBRARY_H

#include <stddef.h>

typedef enum isocast_collectives {
    ISOCAST_COLLECTIVES_MPICH,
    ISOCAST_COLLECTIVES_OPENMPI,
    ISOCAST_COLLECTIVES_INTEL,
    ISOCAST_COLLECTIVES_MVAPICH2,
    ISOCAST_COLLECTIVES_CRAY,
    ISOCAST_COLLECTIVES
} isocast_collectives;

/* ROW(name in lower case, name in upper case) */
#define COLLECTIVE_OPERATIONS(ROW)                                                                 \
    ROW(bcast, BCAST)                                                                              \
    ROW(reduce, REDUCE)                                                                            \
    ROW(allreduce, ALLREDUCE)                                                                      \
    ROW(barrier, BARRIER)                                                                          \
    ROW(gather, GATHER)                                                                            \
    ROW(scatter, SCATTER)                                                                          \
    ROW(allgather, ALLGATHER)                                                                      \
    ROW(alltoall, ALLTOALL)                                                                        \
    ROW(reduce_scatter, REDUCE_SCATTER)                                                            \
    ROW(reduce_scatter_block, REDUCE_SCATTER_BLOCK)                                                \
    ROW(allgatherv, ALLGATHERV)                                                                    \
    ROW(alltoallv, ALLTOALLV)                                                                      \
    ROW(gatherv, GATHERV)                                                                          \
    ROW(scatterv, SCATTERV)                                                                        \
    ROW(scan, SCAN)

#define COLLECTIVE_NUMBER(lower, upper) COLLECTIVE_##upper,
typedef enum isocast_collective_operation {
    COLLECTIVE_OPERATIONS(COLLECTIVE_NUMBER) COLLECTIVE_OPERATION_COUNT
} isocast_collective_operation;
#undef COLLECTIVE_NUMBER

/* "mpich": as platform files have it. */
const char *isocast_collectives_name(isocast_collectives library);
/* "MPICH": as it calls itself. */
const char *isocast_collectives_title(isocast_collectives library);
/* Which library a word means, by its name; ISOCAST_COLLECTIVES: none. */
isocast_collectives isocast_collectives_find(const char *word);
/* All words that mean a library, [ISOCAST_COLLECTIVES]; their number is given back. */
size_t isocast_collectives_words(const char **words);
const char *isocast_collective_operation_name(isocast_collective_operation operation);
/* COLLECTIVE_OPERATION_COUNT: none has this name. */
isocast_collective_operation isocast_collective_operation_find(const char *name);

#endif
