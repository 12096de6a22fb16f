#include "probe_collectives.h"

#include <stdlib.h>

enum { TAG_EXCHANGE = 7 };

/* What a call works with; room for m bytes from each process. */
typedef struct exchange {
    const probe_context *context;
    int count;   /* bytes of one message */
    int numbers; /* doubles in m bytes, at least one */
    char *send;  /* [processes][count] */
    char *receive;
    int *counts; /* [processes] */
    int *places; /* [processes] */
} exchange;

static void call_sendrecv(const exchange *x) {
    int right = (x->context->rank + 1) % x->context->processes;
    int left = (x->context->rank + x->context->processes - 1) % x->context->processes;
    MPI_Sendrecv(x->send, x->count, MPI_BYTE, right, TAG_EXCHANGE, x->receive, x->count, MPI_BYTE,
                 left, TAG_EXCHANGE, x->context->communicator, MPI_STATUS_IGNORE);
}

static void call_reduce(const exchange *x) {
    MPI_Reduce(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM, 0, x->context->communicator);
}

static void call_allreduce(const exchange *x) {
    MPI_Allreduce(x->send, x->receive, x->numbers, MPI_DOUBLE, MPI_SUM, x->context->communicator);
}

static void call_gather(const exchange *x) {
    MPI_Gather(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE, 0,
               x->context->communicator);
}

static void call_gatherv(const exchange *x) {
    MPI_Gatherv(x->send, x->count, MPI_BYTE, x->receive, x->counts, x->places, MPI_BYTE, 0,
                x->context->communicator);
}

static void call_scatter(const exchange *x) {
    MPI_Scatter(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE, 0,
                x->context->communicator);
}

static void call_scatterv(const exchange *x) {
    MPI_Scatterv(x->send, x->counts, x->places, MPI_BYTE, x->receive, x->count, MPI_BYTE, 0,
                 x->context->communicator);
}

static void call_allgather(const exchange *x) {
    MPI_Allgather(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE,
                  x->context->communicator);
}

static void call_allgatherv(const exchange *x) {
    MPI_Allgatherv(x->send, x->count, MPI_BYTE, x->receive, x->counts, x->places, MPI_BYTE,
                   x->context->communicator);
}

static void call_alltoall(const exchange *x) {
    MPI_Alltoall(x->send, x->count, MPI_BYTE, x->receive, x->count, MPI_BYTE,
                 x->context->communicator);
}

static void call_alltoallv(const exchange *x) {
    MPI_Alltoallv(x->send, x->counts, x->places, MPI_BYTE, x->receive, x->counts, x->places,
                  MPI_BYTE, x->context->communicator);
}

static void exchange_free(exchange *x) {
    free(x->send);
    free(x->receive);
    free(x->counts);
    free(x->places);
}

/* Messages are zeros: as numbers they can be summed for ever. */
static exchange exchange_make(const probe_context *context, size_t m) {
    size_t processes = (size_t)context->processes;
    size_t each = m > sizeof(double) ? m : sizeof(double);
    exchange x = {.context = context,
                  .count = (int)m,
                  .numbers = (int)(each / sizeof(double)),
                  .send = calloc(processes, each),
                  .receive = malloc(processes * each),
                  .counts = malloc(processes * sizeof(int)),
                  .places = malloc(processes * sizeof(int))};
    if (x.send == NULL || x.receive == NULL || x.counts == NULL || x.places == NULL) {
        exchange_free(&x);
        MPI_Abort(context->communicator, 5);
        exit(EXIT_FAILURE);
    }
    for (size_t q = 0; q < processes; q++) {
        x.counts[q] = (int)m;
        x.places[q] = (int)(q * m);
    }
    return x;
}

/* One call before those that count touches the pages. */
static double time_calls(const probe_context *context, size_t m, size_t repeats,
                         void (*call)(const exchange *)) {
    exchange x = exchange_make(context, m);
    double seconds = 0;
    call(&x);
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        call(&x);
        seconds += MPI_Wtime() - start;
    }
    exchange_free(&x);
    return seconds / (double)repeats;
}

#define PROBE_COLLECTIVE(name)                                                                     \
    static double time_##name(const probe_context *context, size_t m, size_t repeats) {            \
        return time_calls(context, m, repeats, call_##name);                                       \
    }
PROBE_COLLECTIVE(sendrecv)
PROBE_COLLECTIVE(reduce)
PROBE_COLLECTIVE(allreduce)
PROBE_COLLECTIVE(gather)
PROBE_COLLECTIVE(gatherv)
PROBE_COLLECTIVE(scatter)
PROBE_COLLECTIVE(scatterv)
PROBE_COLLECTIVE(allgather)
PROBE_COLLECTIVE(allgatherv)
PROBE_COLLECTIVE(alltoall)
PROBE_COLLECTIVE(alltoallv)
#undef PROBE_COLLECTIVE

/* With a message for or from each process, memory bounds the size. */
enum { SMALLER = 1 << 22, SMALL = 1 << 20 };

const probe_operation probe_collectives[] = {
    {"T_sendrecv", 2, true, false, true, 0, 1, NULL, time_sendrecv},
    {"T_reduce", 2, true, false, false, 0, 1, NULL, time_reduce},
    {"T_allreduce", 2, true, false, false, 0, 1, NULL, time_allreduce},
    {"T_mpi_gather", 2, true, false, false, SMALLER, 1, NULL, time_gather},
    {"T_mpi_gatherv", 2, true, false, false, SMALLER, 1, NULL, time_gatherv},
    {"T_mpi_scatter", 2, true, false, false, SMALLER, 1, NULL, time_scatter},
    {"T_mpi_scatterv", 2, true, false, false, SMALLER, 1, NULL, time_scatterv},
    {"T_allgather", 2, true, false, false, SMALL, 1, NULL, time_allgather},
    {"T_allgatherv", 2, true, false, false, SMALL, 1, NULL, time_allgatherv},
    {"T_alltoall", 2, true, false, false, SMALL, 1, NULL, time_alltoall},
    {"T_alltoallv", 2, true, false, false, SMALL, 1, NULL, time_alltoallv},
    {NULL, 0, false, false, false, 0, 0, NULL, NULL}};
