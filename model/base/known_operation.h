/* The one table of the operations that isocast knows by their names. A machine file may have
 * others, of which nothing is known but their formulas. Pure data: the probe measures, the
 * importers read and the fit fits by it.
 *
 * To add an operation, add a row here, and write the function that its second column asks for in
 * calibrate/probe. */
#ifndef ISOCAST_KNOWN_OPERATION_H
#define ISOCAST_KNOWN_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

#include "operation_name.h"

/* Which processes send to which. This states the terms that the time may have. */
typedef enum isocast_operation_kind {
    ISOCAST_OPERATION_COLLECTIVE, /* all take part, by an algorithm that is not known */
    ISOCAST_OPERATION_BROADCAST,  /* one to all, by one of the algorithms of a broadcast */
    ISOCAST_OPERATION_MESSAGE,    /* one to another one, while the others look on */
    ISOCAST_OPERATION_SHIFT,      /* each to its neighbour, all at once */
    ISOCAST_OPERATION_WORK        /* none: each works by itself */
} isocast_operation_kind;
enum { ISOCAST_OPERATION_KINDS = ISOCAST_OPERATION_WORK + 1 };

/* What m, the argument of an operation, counts. */
typedef enum isocast_operation_argument {
    ISOCAST_ARGUMENT_BYTES,      /* of the message, or of the data that is worked on */
    ISOCAST_ARGUMENT_BYTES_EACH, /* to or from each of the other processes */
    ISOCAST_ARGUMENT_NONE        /* the operation has no argument */
} isocast_operation_argument;

/* What the probe has for it (calibrate/probe/probe_operation.h). */
typedef enum isocast_operation_measurement {
    ISOCAST_OPERATION_CALLED,    /* probe_call_NAME makes one call, which the probe times */
    ISOCAST_OPERATION_TIMED,     /* probe_time_NAME makes the calls and takes their time itself */
    ISOCAST_OPERATION_PREPARED,  /* the same, after probe_prepare_NAME made what it works on */
    ISOCAST_OPERATION_UNMEASURED /* nothing: it comes from other benchmarks alone */
} isocast_operation_measurement;

enum { ISOCAST_OPERATION_NAMES_MAX = 3 };

typedef struct isocast_known_operation {
    const char *name; /* "T_bcast" */
    isocast_operation_kind kind;
    isocast_operation_argument argument;
    isocast_operation_measurement measurement;
    bool is_usual;    /* a calibration measures it without being asked */
    size_t size_most; /* B: larger ones are not measured; 0: any */
    double weight;    /* of the time spent on measuring it; 0: 1, as of a message */
    /* It is what is left of a message when another operation ended. That may be next to nothing, so
     * a relative difference of two of its times says nothing. */
    bool is_rest;
    /* What other benchmarks call it, as their output has it (imb: also MPI itself, without MPI_),
     * where that is not the name above without T_; NULL after the last. */
    const char *osu[ISOCAST_OPERATION_NAMES_MAX];
    const char *imb[ISOCAST_OPERATION_NAMES_MAX];
    /* Other names of the same in files of timings, with T_. */
    const char *also[ISOCAST_OPERATION_NAMES_MAX];
    /* Its time where steps of a program call it and the machine does not say: a plain algorithm
     * made of single messages. NULL: the machine has to say. */
    const char *instead;
} isocast_known_operation;

/* From process to process in a tree, and with each of the others in turn. */
#define ISOCAST_IN_A_TREE "ceil(log2(p))*(T_send(m) + T_recv(m))"
#define ISOCAST_WITH_EACH "(p - 1)*(T_send(m) + T_recv(m))"

/* The rows: ROW(name without T_, kind, argument, measurement, what else is not 0).
 * Where memory has to hold a message for or from each process, it limits the size; rows of a matrix
 * over 16 kB make blocks of local work beside which a round of messages is lost in the noise. */
#define ISOCAST_KNOWN_OPERATION_ROWS(ROW)                                                          \
    ROW(send, MESSAGE, BYTES, TIMED, .is_usual = true)                                             \
    ROW(recv, MESSAGE, BYTES, TIMED, .is_usual = true, .is_rest = true)                            \
    ROW(bcast, BROADCAST, BYTES, TIMED, .is_usual = true, .osu = {"Broadcast"},                    \
        .instead = ISOCAST_IN_A_TREE)                                                              \
    ROW(barrier, COLLECTIVE, NONE, TIMED, .is_usual = true,                                        \
        .instead = "ceil(log2(p))*(T_send(0 B) + T_recv(0 B))")                                    \
    ROW(bcast_barrier, BROADCAST, BYTES, PREPARED, .is_usual = true, .size_most = 16384,           \
        .weight = 4, .instead = "T_bcast(m) + T_barrier()")                                        \
    ROW(copy, WORK, BYTES, TIMED, .is_usual = true, .instead = "0 s")                              \
    ROW(sendrecv, SHIFT, BYTES, CALLED, .is_usual = true, .instead = "T_send(m) + T_recv(m)")      \
    ROW(reduce, COLLECTIVE, BYTES, CALLED, .is_usual = true, .instead = ISOCAST_IN_A_TREE)         \
    ROW(allreduce, COLLECTIVE, BYTES, CALLED, .instead = "T_reduce(m) + T_bcast(m)")               \
    ROW(gather, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 22,                              \
        .instead = ISOCAST_WITH_EACH)                                                              \
    ROW(gatherv, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 22, .instead = "T_gather(m)")   \
    ROW(scatter, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 22,                             \
        .instead = ISOCAST_WITH_EACH)                                                              \
    ROW(scatterv, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 22, .instead = "T_scatter(m)") \
    ROW(allgather, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20,                           \
        .instead = ISOCAST_WITH_EACH)                                                              \
    ROW(allgatherv, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20,                          \
        .instead = "T_allgather(m)")                                                               \
    ROW(alltoall, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20,                            \
        .osu = {"All-to-All", "All-to-All Personalized Exchange"}, .instead = ISOCAST_WITH_EACH)   \
    ROW(alltoallv, COLLECTIVE, BYTES_EACH, CALLED, .is_usual = true, .size_most = 1 << 20,         \
        .osu = {"All-to-Allv Personalized Exchange"}, .instead = "T_alltoall(m)")                  \
    ROW(alltoallw, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20,                           \
        .instead = "T_alltoallv(m)")                                                               \
    ROW(reduce_scatter, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20,                      \
        .instead = "T_reduce_scatter_block(m)")                                                    \
    ROW(reduce_scatter_block, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20,                \
        .instead = ISOCAST_WITH_EACH)                                                              \
    ROW(scan, COLLECTIVE, BYTES, CALLED, .instead = ISOCAST_IN_A_TREE)                             \
    ROW(exscan, COLLECTIVE, BYTES, CALLED, .instead = "T_scan(m)")                                 \
    ROW(comm_dup, COLLECTIVE, NONE, TIMED, .instead = "T_barrier()")                               \
    ROW(comm_split, COLLECTIVE, NONE, TIMED, .instead = "T_barrier()")                             \
    ROW(win_fence, COLLECTIVE, NONE, TIMED, .instead = "T_barrier()")                              \
    ROW(ibarrier, COLLECTIVE, NONE, CALLED)                                                        \
    ROW(iallreduce, COLLECTIVE, BYTES, CALLED)                                                     \
    ROW(iallgather, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20)                          \
    ROW(ialltoall, COLLECTIVE, BYTES_EACH, CALLED, .size_most = 1 << 20)                           \
    ROW(message, MESSAGE, BYTES, UNMEASURED, .osu = {""}, .imb = {"PingPong"},                     \
        .also = {"T_pingpong", "T_PingPong"})

#define ISOCAST_KNOWN_OPERATION_ID(name, kind, argument, measurement, ...) ISOCAST_KNOWN_##name,
typedef enum isocast_known_operation_id {
    ISOCAST_KNOWN_OPERATION_ROWS(ISOCAST_KNOWN_OPERATION_ID) ISOCAST_KNOWN_OPERATIONS
} isocast_known_operation_id;
#undef ISOCAST_KNOWN_OPERATION_ID

/* The rows in their order, each at its id. */
extern const isocast_known_operation isocast_known_operations[ISOCAST_KNOWN_OPERATIONS];

/* The row of a name, with T_; NULL for a name that is not known. */
const isocast_known_operation *isocast_known_operation_find(const char *name);

/* The id of that row; ISOCAST_KNOWN_OPERATIONS for a name that is not known. */
size_t isocast_known_operation_index(const char *name);

#endif
