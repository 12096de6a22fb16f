/* What a program does that sends to all others by itself, one after the other. */
#include "probe_clock.h"
#include "probe_functions.h"

enum { TAG_TURN = 14, TURNS_IN_A_ROW = 2 };

/* Each process sends m bytes to the next one, then to the one after that, and so on to the one
 * before it, and takes what comes from the other side before it goes on: all of that once. It does
 * so again and again, as programs do: those that run ahead meet others' messages then. */
double probe_time_alltoall_turns(const probe_context *context, size_t m, size_t repeats) {
    int all = context->processes;
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int turn = 0; turn < TURNS_IN_A_ROW * (all - 1); turn++) {
            int away = 1 + turn % (all - 1);
            MPI_Request requests[2];
            MPI_Irecv(context->receive, (int)m, MPI_BYTE, (context->rank + all - away) % all,
                      TAG_TURN, context->communicator, &requests[0]);
            MPI_Isend(context->send, (int)m, MPI_BYTE, (context->rank + away) % all, TAG_TURN,
                      context->communicator, &requests[1]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        }
        seconds += (MPI_Wtime() - start) / TURNS_IN_A_ROW;
    }
    return seconds / (double)repeats;
}
