/* Collectives from, or to, one root in a row. A root that has sent all of a broadcast goes on to
 * the next one while others still wait for theirs, and a process that has given its part of a sum
 * is in the next one early: a row of them takes less time than each by itself. What one more adds,
 * from or to process 0, or to roots that change: many programs broadcast a row of a matrix from
 * each process in turn, and the next root is somewhere in the tree of the last broadcast.
 */
#include "probe_functions.h"

static void bcast(const probe_exchange *x) {
    MPI_Bcast(x->send, x->count, MPI_BYTE, x->root, x->context->communicator);
}

#define TIME(name, time, call)                                                                     \
    double probe_time_##name(const probe_context *context, size_t m, size_t repeats) {             \
        return time(context, m, repeats, call);                                                    \
    }
#define TIME_ROOTED(name, call)                                                                    \
    TIME(name##_next, probe_exchange_next_time, call)                                              \
    TIME(name##_any_root, probe_exchange_any_root_time, call)                                      \
    TIME(name##_next_root, probe_exchange_next_root_time, call)                                    \
    TIME(name##_same_root, probe_exchange_same_root_time, call)

TIME_ROOTED(bcast, bcast)
TIME_ROOTED(reduce, probe_call_reduce)
TIME_ROOTED(mpi_gather, probe_call_mpi_gather)
TIME_ROOTED(mpi_gatherv, probe_call_mpi_gatherv)
TIME_ROOTED(mpi_scatter, probe_call_mpi_scatter)
TIME_ROOTED(mpi_scatterv, probe_call_mpi_scatterv)
