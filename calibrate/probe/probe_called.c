/* Operations of which the probe times single calls. m is the bytes that one process sends or has:
 * to each of the others in a scatter, a gather, an allgather and an alltoall, and what of it one
 * process gets in a reduce-scatter. */
#include "probe_functions.h"

enum { TAG_EXCHANGE = 7 };

void probe_call_sendrecv(const probe_exchange *x) {
    int right = (x->context->rank + 1) % x->context->processes;
    int left = (x->context->rank + x->context->processes - 1) % x->context->processes;
    MPI_Sendrecv(x->send, x->count, MPI_BYTE, right, TAG_EXCHANGE, x->receive, x->count, MPI_BYTE,
                 left, TAG_EXCHANGE, x->context->communicator, MPI_STATUS_IGNORE);
}

void probe_call_reduce(const probe_exchange *x) {
    MPI_Reduce(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM, 0, x->context->communicator);
}

void probe_call_allreduce(const probe_exchange *x) {
    MPI_Allreduce(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM, x->context->communicator);
}

/* Collectives that do not block, with nothing done until they end. */
void probe_call_ibarrier(const probe_exchange *x) {
    MPI_Request request;
    MPI_Ibarrier(x->context->communicator, &request);
    /* The checker does not know MPI_Ibarrier. */
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* NOLINT(clang-analyzer-optin.mpi.MPI-Checker) */
}

/* The checker does not take the MPI_Wait of calibrate/quick for one.
 * NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker) */
void probe_call_iallreduce(const probe_exchange *x) {
    MPI_Request request;
    MPI_Iallreduce(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM, x->context->communicator,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void probe_call_iallgather(const probe_exchange *x) {
    MPI_Request request;
    MPI_Iallgather(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE,
                   x->context->communicator, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void probe_call_ialltoall(const probe_exchange *x) {
    MPI_Request request;
    MPI_Ialltoall(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE,
                  x->context->communicator, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}
/* NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker) */

void probe_call_gather(const probe_exchange *x) {
    MPI_Gather(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE, 0,
               x->context->communicator);
}

void probe_call_gatherv(const probe_exchange *x) {
    MPI_Gatherv(x->send, x->count, MPI_BYTE, x->receive, x->counts, x->places, MPI_BYTE, 0,
                x->context->communicator);
}

void probe_call_scatter(const probe_exchange *x) {
    MPI_Scatter(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE, 0,
                x->context->communicator);
}

void probe_call_scatterv(const probe_exchange *x) {
    MPI_Scatterv(x->send, x->counts, x->places, MPI_BYTE, x->receive, x->count, MPI_BYTE, 0,
                 x->context->communicator);
}

void probe_call_allgather(const probe_exchange *x) {
    MPI_Allgather(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE,
                  x->context->communicator);
}

void probe_call_allgatherv(const probe_exchange *x) {
    MPI_Allgatherv(x->send, x->count, MPI_BYTE, x->receive, x->counts, x->places, MPI_BYTE,
                   x->context->communicator);
}

void probe_call_alltoall(const probe_exchange *x) {
    MPI_Alltoall(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE,
                 x->context->communicator);
}

void probe_call_alltoallv(const probe_exchange *x) {
    MPI_Alltoallv(x->send, x->counts, x->places, MPI_BYTE, x->receive, x->counts, x->places,
                  MPI_BYTE, x->context->communicator);
}

void probe_call_alltoallw(const probe_exchange *x) {
    MPI_Alltoallw(x->send, x->counts, x->places, x->types, x->receive, x->counts, x->places,
                  x->types, x->context->communicator);
}

void probe_call_reduce_scatter(const probe_exchange *x) {
    MPI_Reduce_scatter(x->send, x->receive, x->number_counts, MPI_DOUBLE, MPI_SUM,
                       x->context->communicator);
}

void probe_call_reduce_scatter_block(const probe_exchange *x) {
    MPI_Reduce_scatter_block(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM,
                             x->context->communicator);
}

void probe_call_scan(const probe_exchange *x) {
    MPI_Scan(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM, x->context->communicator);
}

void probe_call_exscan(const probe_exchange *x) {
    MPI_Exscan(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM, x->context->communicator);
}
