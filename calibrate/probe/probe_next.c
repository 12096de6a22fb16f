/* Collectives from, or to, one root in a row. A root that has sent all of a broadcast goes on to
 * the next one while others still wait for theirs, and a process that has given its part of a sum
 * is in the next one early: a row of them takes less time than each by itself. What one more adds.
 */
#include "probe_functions.h"

static void bcast(const probe_exchange *x) {
    MPI_Bcast(x->send, x->count, MPI_BYTE, 0, x->context->communicator);
}

#define TIME_NEXT(name, call)                                                                      \
    double probe_time_##name(const probe_context *context, size_t m, size_t repeats) {             \
        return probe_exchange_next_time(context, m, repeats, call);                                \
    }

TIME_NEXT(bcast_next, bcast)
TIME_NEXT(reduce_next, probe_call_reduce)
TIME_NEXT(mpi_gather_next, probe_call_mpi_gather)
TIME_NEXT(mpi_gatherv_next, probe_call_mpi_gatherv)
TIME_NEXT(mpi_scatter_next, probe_call_mpi_scatter)
TIME_NEXT(mpi_scatterv_next, probe_call_mpi_scatterv)
