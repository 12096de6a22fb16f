/* Messages that follow each other from process to process, as the columns of the kernel lcs do. */
#include "probe_clock.h"
#include "probe_functions.h"

enum { TAG_STREAM = 8, MESSAGES = 33 };

static void expect(const probe_context *context, size_t m, MPI_Request *coming) {
    MPI_Irecv(context->receive, (int)m, MPI_BYTE, context->rank - 1, TAG_STREAM,
              context->communicator, coming);
}

/* What the last process waits for each message after the first, in seconds. The others get 0. */
static double time_stream(const probe_context *context, size_t m) {
    int last = context->processes - 1;
    MPI_Request coming = MPI_REQUEST_NULL;
    probe_synchronise(context);
    if (context->rank > 0) {
        expect(context, m, &coming);
    }
    double first = 0;
    for (int k = 0; k < MESSAGES; k++) {
        if (context->rank > 0) {
            MPI_Wait(&coming, MPI_STATUS_IGNORE);
        }
        if (context->rank == last && k == 0) {
            first = MPI_Wtime();
        }
        if (context->rank > 0 && k + 1 < MESSAGES) {
            expect(context, m, &coming);
        }
        if (context->rank < last) {
            MPI_Send(context->send, (int)m, MPI_BYTE, context->rank + 1, TAG_STREAM,
                     context->communicator);
        }
    }
    return context->rank == last ? (MPI_Wtime() - first) / (MESSAGES - 1) : 0;
}

/* A process waits for the next message as soon as it has one, and then sends that on. The slowest
 * of the ways from a process to the next rules. */
double probe_time_stream(const probe_context *context, size_t m, size_t repeats) {
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        seconds += time_stream(context, m);
    }
    return seconds / (double)repeats;
}
