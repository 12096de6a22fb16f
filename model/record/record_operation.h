/* The one table of the MPI calls that a record holds: those of MPI 3.1 that send, receive, combine,
 * wait, or make a communicator. Pure data: the library that is preloaded numbers its rows by it,
 * and who reads a record asks what a call does. */
#ifndef ISOCAST_RECORD_OPERATION_H
#define ISOCAST_RECORD_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

/* What a call does, and so which columns of its row say something
 * (docs/reference/record-format.md). */
typedef enum isocast_record_class {
    ISOCAST_RECORD_SEND,       /* a message to `partner` of `bytes` */
    ISOCAST_RECORD_RECEIVE,    /* a message from `partner` of `bytes` */
    ISOCAST_RECORD_EXCHANGE,   /* a message to `partner` of `bytes`, and one from `source` of
                                * `received` */
    ISOCAST_RECORD_COLLECTIVE, /* all of the communicator; `partner` is the root where there is one
                                */
    ISOCAST_RECORD_NEIGHBOUR,  /* all neighbours in the communicator's topology */
    ISOCAST_RECORD_ONE_SIDED,  /* `bytes` to or from the memory of `partner` */
    ISOCAST_RECORD_COMPLETION, /* waits until what was started before has ended */
    ISOCAST_RECORD_TEST,       /* asks without waiting */
    ISOCAST_RECORD_CREATION,   /* all of the communicator make others of it */
    ISOCAST_RECORD_SETUP       /* none: windows, requests, the start and the end */
} isocast_record_class;
enum { ISOCAST_RECORD_CLASSES = ISOCAST_RECORD_SETUP + 1 };

/* ROW(name in C, name in a record, class, isocast's operation without T_, or NULL). The calls that
 * start a persistent request stand for the message that they start. */
#define ISOCAST_RECORD_OPERATIONS(ROW)                                                             \
    ROW(Send, "MPI_Send", SEND, "send")                                                            \
    ROW(Bsend, "MPI_Bsend", SEND, "send")                                                          \
    ROW(Ssend, "MPI_Ssend", SEND, "send")                                                          \
    ROW(Rsend, "MPI_Rsend", SEND, "send")                                                          \
    ROW(Isend, "MPI_Isend", SEND, "send")                                                          \
    ROW(Ibsend, "MPI_Ibsend", SEND, "send")                                                        \
    ROW(Issend, "MPI_Issend", SEND, "send")                                                        \
    ROW(Irsend, "MPI_Irsend", SEND, "send")                                                        \
    ROW(Start_send, "MPI_Start(MPI_Send_init)", SEND, "send")                                      \
    ROW(Start_bsend, "MPI_Start(MPI_Bsend_init)", SEND, "send")                                    \
    ROW(Start_ssend, "MPI_Start(MPI_Ssend_init)", SEND, "send")                                    \
    ROW(Start_rsend, "MPI_Start(MPI_Rsend_init)", SEND, "send")                                    \
    ROW(Recv, "MPI_Recv", RECEIVE, "recv")                                                         \
    ROW(Irecv, "MPI_Irecv", RECEIVE, "recv")                                                       \
    ROW(Mrecv, "MPI_Mrecv", RECEIVE, "recv")                                                       \
    ROW(Imrecv, "MPI_Imrecv", RECEIVE, "recv")                                                     \
    ROW(Start_recv, "MPI_Start(MPI_Recv_init)", RECEIVE, "recv")                                   \
    ROW(Sendrecv, "MPI_Sendrecv", EXCHANGE, NULL)                                                  \
    ROW(Sendrecv_replace, "MPI_Sendrecv_replace", EXCHANGE, NULL)                                  \
    ROW(Barrier, "MPI_Barrier", COLLECTIVE, "barrier")                                             \
    ROW(Bcast, "MPI_Bcast", COLLECTIVE, "bcast")                                                   \
    ROW(Gather, "MPI_Gather", COLLECTIVE, "gather")                                                \
    ROW(Gatherv, "MPI_Gatherv", COLLECTIVE, "gatherv")                                             \
    ROW(Scatter, "MPI_Scatter", COLLECTIVE, "scatter")                                             \
    ROW(Scatterv, "MPI_Scatterv", COLLECTIVE, "scatterv")                                          \
    ROW(Allgather, "MPI_Allgather", COLLECTIVE, "allgather")                                       \
    ROW(Allgatherv, "MPI_Allgatherv", COLLECTIVE, "allgatherv")                                    \
    ROW(Alltoall, "MPI_Alltoall", COLLECTIVE, "alltoall")                                          \
    ROW(Alltoallv, "MPI_Alltoallv", COLLECTIVE, "alltoallv")                                       \
    ROW(Alltoallw, "MPI_Alltoallw", COLLECTIVE, "alltoallw")                                       \
    ROW(Reduce, "MPI_Reduce", COLLECTIVE, "reduce")                                                \
    ROW(Allreduce, "MPI_Allreduce", COLLECTIVE, "allreduce")                                       \
    ROW(Reduce_scatter, "MPI_Reduce_scatter", COLLECTIVE, "reduce_scatter")                        \
    ROW(Reduce_scatter_block, "MPI_Reduce_scatter_block", COLLECTIVE, "reduce_scatter_block")      \
    ROW(Scan, "MPI_Scan", COLLECTIVE, "scan")                                                      \
    ROW(Exscan, "MPI_Exscan", COLLECTIVE, "exscan")                                                \
    ROW(Ibarrier, "MPI_Ibarrier", COLLECTIVE, "ibarrier")                                          \
    ROW(Ibcast, "MPI_Ibcast", COLLECTIVE, "bcast")                                                 \
    ROW(Igather, "MPI_Igather", COLLECTIVE, "gather")                                              \
    ROW(Igatherv, "MPI_Igatherv", COLLECTIVE, "gatherv")                                           \
    ROW(Iscatter, "MPI_Iscatter", COLLECTIVE, "scatter")                                           \
    ROW(Iscatterv, "MPI_Iscatterv", COLLECTIVE, "scatterv")                                        \
    ROW(Iallgather, "MPI_Iallgather", COLLECTIVE, "iallgather")                                    \
    ROW(Iallgatherv, "MPI_Iallgatherv", COLLECTIVE, "allgatherv")                                  \
    ROW(Ialltoall, "MPI_Ialltoall", COLLECTIVE, "ialltoall")                                       \
    ROW(Ialltoallv, "MPI_Ialltoallv", COLLECTIVE, "alltoallv")                                     \
    ROW(Ialltoallw, "MPI_Ialltoallw", COLLECTIVE, "alltoallw")                                     \
    ROW(Ireduce, "MPI_Ireduce", COLLECTIVE, "reduce")                                              \
    ROW(Iallreduce, "MPI_Iallreduce", COLLECTIVE, "iallreduce")                                    \
    ROW(Ireduce_scatter, "MPI_Ireduce_scatter", COLLECTIVE, "reduce_scatter")                      \
    ROW(Ireduce_scatter_block, "MPI_Ireduce_scatter_block", COLLECTIVE, "reduce_scatter_block")    \
    ROW(Iscan, "MPI_Iscan", COLLECTIVE, "scan")                                                    \
    ROW(Iexscan, "MPI_Iexscan", COLLECTIVE, "exscan")                                              \
    ROW(Neighbor_allgather, "MPI_Neighbor_allgather", NEIGHBOUR, NULL)                             \
    ROW(Neighbor_allgatherv, "MPI_Neighbor_allgatherv", NEIGHBOUR, NULL)                           \
    ROW(Neighbor_alltoall, "MPI_Neighbor_alltoall", NEIGHBOUR, NULL)                               \
    ROW(Neighbor_alltoallv, "MPI_Neighbor_alltoallv", NEIGHBOUR, NULL)                             \
    ROW(Neighbor_alltoallw, "MPI_Neighbor_alltoallw", NEIGHBOUR, NULL)                             \
    ROW(Ineighbor_allgather, "MPI_Ineighbor_allgather", NEIGHBOUR, NULL)                           \
    ROW(Ineighbor_allgatherv, "MPI_Ineighbor_allgatherv", NEIGHBOUR, NULL)                         \
    ROW(Ineighbor_alltoall, "MPI_Ineighbor_alltoall", NEIGHBOUR, NULL)                             \
    ROW(Ineighbor_alltoallv, "MPI_Ineighbor_alltoallv", NEIGHBOUR, NULL)                           \
    ROW(Ineighbor_alltoallw, "MPI_Ineighbor_alltoallw", NEIGHBOUR, NULL)                           \
    ROW(Put, "MPI_Put", ONE_SIDED, NULL)                                                           \
    ROW(Get, "MPI_Get", ONE_SIDED, NULL)                                                           \
    ROW(Accumulate, "MPI_Accumulate", ONE_SIDED, NULL)                                             \
    ROW(Get_accumulate, "MPI_Get_accumulate", ONE_SIDED, NULL)                                     \
    ROW(Fetch_and_op, "MPI_Fetch_and_op", ONE_SIDED, NULL)                                         \
    ROW(Compare_and_swap, "MPI_Compare_and_swap", ONE_SIDED, NULL)                                 \
    ROW(Rput, "MPI_Rput", ONE_SIDED, NULL)                                                         \
    ROW(Rget, "MPI_Rget", ONE_SIDED, NULL)                                                         \
    ROW(Raccumulate, "MPI_Raccumulate", ONE_SIDED, NULL)                                           \
    ROW(Rget_accumulate, "MPI_Rget_accumulate", ONE_SIDED, NULL)                                   \
    ROW(Win_fence, "MPI_Win_fence", COMPLETION, "win_fence")                                       \
    ROW(Win_start, "MPI_Win_start", COMPLETION, NULL)                                              \
    ROW(Win_complete, "MPI_Win_complete", COMPLETION, NULL)                                        \
    ROW(Win_post, "MPI_Win_post", COMPLETION, NULL)                                                \
    ROW(Win_wait, "MPI_Win_wait", COMPLETION, NULL)                                                \
    ROW(Win_lock, "MPI_Win_lock", COMPLETION, NULL)                                                \
    ROW(Win_unlock, "MPI_Win_unlock", COMPLETION, NULL)                                            \
    ROW(Win_lock_all, "MPI_Win_lock_all", COMPLETION, NULL)                                        \
    ROW(Win_unlock_all, "MPI_Win_unlock_all", COMPLETION, NULL)                                    \
    ROW(Win_flush, "MPI_Win_flush", COMPLETION, NULL)                                              \
    ROW(Win_flush_all, "MPI_Win_flush_all", COMPLETION, NULL)                                      \
    ROW(Win_flush_local, "MPI_Win_flush_local", COMPLETION, NULL)                                  \
    ROW(Win_flush_local_all, "MPI_Win_flush_local_all", COMPLETION, NULL)                          \
    ROW(Wait, "MPI_Wait", COMPLETION, NULL)                                                        \
    ROW(Waitall, "MPI_Waitall", COMPLETION, NULL)                                                  \
    ROW(Waitany, "MPI_Waitany", COMPLETION, NULL)                                                  \
    ROW(Waitsome, "MPI_Waitsome", COMPLETION, NULL)                                                \
    ROW(Probe, "MPI_Probe", COMPLETION, NULL)                                                      \
    ROW(Mprobe, "MPI_Mprobe", COMPLETION, NULL)                                                    \
    ROW(Test, "MPI_Test", TEST, NULL)                                                              \
    ROW(Testall, "MPI_Testall", TEST, NULL)                                                        \
    ROW(Testany, "MPI_Testany", TEST, NULL)                                                        \
    ROW(Testsome, "MPI_Testsome", TEST, NULL)                                                      \
    ROW(Iprobe, "MPI_Iprobe", TEST, NULL)                                                          \
    ROW(Improbe, "MPI_Improbe", TEST, NULL)                                                        \
    ROW(Init, "MPI_Init", SETUP, NULL)                                                             \
    ROW(Init_thread, "MPI_Init_thread", SETUP, NULL)                                               \
    ROW(Finalize, "MPI_Finalize", SETUP, NULL)                                                     \
    ROW(Abort, "MPI_Abort", SETUP, NULL)                                                           \
    ROW(Send_init, "MPI_Send_init", SETUP, NULL)                                                   \
    ROW(Bsend_init, "MPI_Bsend_init", SETUP, NULL)                                                 \
    ROW(Ssend_init, "MPI_Ssend_init", SETUP, NULL)                                                 \
    ROW(Rsend_init, "MPI_Rsend_init", SETUP, NULL)                                                 \
    ROW(Recv_init, "MPI_Recv_init", SETUP, NULL)                                                   \
    ROW(Request_free, "MPI_Request_free", SETUP, NULL)                                             \
    ROW(Cancel, "MPI_Cancel", SETUP, NULL)                                                         \
    ROW(Comm_dup, "MPI_Comm_dup", CREATION, "comm_dup")                                            \
    ROW(Comm_dup_with_info, "MPI_Comm_dup_with_info", CREATION, "comm_dup")                        \
    ROW(Comm_idup, "MPI_Comm_idup", CREATION, "comm_dup")                                          \
    ROW(Comm_create, "MPI_Comm_create", CREATION, "comm_dup")                                      \
    ROW(Comm_create_group, "MPI_Comm_create_group", CREATION, "comm_dup")                          \
    ROW(Comm_split, "MPI_Comm_split", CREATION, "comm_split")                                      \
    ROW(Comm_split_type, "MPI_Comm_split_type", CREATION, "comm_split")                            \
    ROW(Cart_create, "MPI_Cart_create", CREATION, "comm_dup")                                      \
    ROW(Cart_sub, "MPI_Cart_sub", CREATION, "comm_split")                                          \
    ROW(Graph_create, "MPI_Graph_create", CREATION, "comm_dup")                                    \
    ROW(Dist_graph_create, "MPI_Dist_graph_create", CREATION, "comm_dup")                          \
    ROW(Dist_graph_create_adjacent, "MPI_Dist_graph_create_adjacent", CREATION, "comm_dup")        \
    ROW(Intercomm_create, "MPI_Intercomm_create", CREATION, "comm_dup")                            \
    ROW(Intercomm_merge, "MPI_Intercomm_merge", CREATION, "comm_dup")                              \
    ROW(Comm_free, "MPI_Comm_free", SETUP, NULL)                                                   \
    ROW(Comm_disconnect, "MPI_Comm_disconnect", SETUP, NULL)                                       \
    ROW(Win_create, "MPI_Win_create", SETUP, NULL)                                                 \
    ROW(Win_allocate, "MPI_Win_allocate", SETUP, NULL)                                             \
    ROW(Win_allocate_shared, "MPI_Win_allocate_shared", SETUP, NULL)                               \
    ROW(Win_create_dynamic, "MPI_Win_create_dynamic", SETUP, NULL)                                 \
    ROW(Win_free, "MPI_Win_free", SETUP, NULL)

/* The numbers of the rows: ISOCAST_RECORD_OPERATION_Send, ... */
#define ISOCAST_RECORD_OPERATION_NUMBER(name, text, class, operation)                              \
    ISOCAST_RECORD_OPERATION_##name,
typedef enum isocast_record_operation {
    ISOCAST_RECORD_OPERATIONS(ISOCAST_RECORD_OPERATION_NUMBER) ISOCAST_RECORD_OPERATION_COUNT
} isocast_record_operation;
#undef ISOCAST_RECORD_OPERATION_NUMBER

typedef struct isocast_record_operation_row {
    const char *name; /* "MPI_Send" */
    isocast_record_class kind;
    const char *operation; /* of isocast, without T_, that takes its time; NULL: none by itself */
} isocast_record_operation_row;

/* The row of an operation, a number below ISOCAST_RECORD_OPERATION_COUNT. */
const isocast_record_operation_row *isocast_record_operation_find(size_t number);

/* Whether a call is one with all neighbours of a topology. */
bool isocast_record_is_to_neighbours(isocast_record_operation operation);

/* Whether a call is a message from one process to another one, or two of them. */
bool isocast_record_is_between_two(isocast_record_operation operation);

/* Whether all processes of a communicator make a call together: those that it counts among. */
bool isocast_record_is_of_all(isocast_record_operation operation);

/* The number of an operation by its name in a record; ISOCAST_RECORD_OPERATION_COUNT: none. */
size_t isocast_record_operation_named(const char *name);

#endif
