/* Matrices that process 0 scatters in parts, to each process by its speed, and collects: m is the
 * part of a process beside process 0 on average. */
#include <math.h>

#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"

enum { TAG_PART = 11, TAG_WHOLE = 12, TAG_RESULT = 13 };

/* Numbers of 8 B that are m bytes for the others on average, of which process q has its part. */
static int part_of(const probe_context *context, size_t m, int q) {
    double others = (1 - context->shares[0]) / (context->processes - 1);
    return (int)round((double)m / sizeof(double) * context->shares[q] / others);
}

/* Likewise, of the whole matrix. */
static int whole_of(const probe_context *context, size_t m) {
    double others = (1 - context->shares[0]) / (context->processes - 1);
    return (int)round((double)m / sizeof(double) / others);
}

/* Room for the largest part, or for the whole. */
static probe_room room_for(const probe_context *context, size_t m, bool whole) {
    int most = whole ? whole_of(context, m) : 0;
    for (int q = 1; q < context->processes && !whole; q++) {
        int part = part_of(context, m, q);
        most = part > most ? part : most;
    }
    return probe_room_make(context, sizeof(double) * (size_t)most);
}

static double time_scatter(const probe_context *context, size_t m, bool whole, size_t repeats) {
    double seconds = 0;
    int all = whole_of(context, m);
    probe_room room = room_for(context, m, whole);
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int q = 1; q < context->processes && context->rank == 0; q++) {
            MPI_Send(room.send, part_of(context, m, q), MPI_DOUBLE, q, TAG_PART,
                     context->communicator);
            if (whole) {
                MPI_Send(room.send, all, MPI_DOUBLE, q, TAG_WHOLE, context->communicator);
            }
        }
        if (context->rank != 0) {
            MPI_Recv(room.receive, part_of(context, m, context->rank), MPI_DOUBLE, 0, TAG_PART,
                     context->communicator, MPI_STATUS_IGNORE);
        }
        if (context->rank != 0 && whole) {
            MPI_Recv(room.receive, all, MPI_DOUBLE, 0, TAG_WHOLE, context->communicator,
                     MPI_STATUS_IGNORE);
        }
        seconds += MPI_Wtime() - start;
    }
    probe_room_free(context, &room);
    return seconds / (double)repeats;
}

double probe_time_scatter_parts(const probe_context *context, size_t m, size_t repeats) {
    return time_scatter(context, m, false, repeats);
}

double probe_time_gather_parts(const probe_context *context, size_t m, size_t repeats) {
    double seconds = 0;
    probe_room room = room_for(context, m, false);
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int q = 1; q < context->processes && context->rank == 0; q++) {
            MPI_Recv(room.receive, part_of(context, m, q), MPI_DOUBLE, q, TAG_RESULT,
                     context->communicator, MPI_STATUS_IGNORE);
        }
        if (context->rank != 0) {
            MPI_Send(room.send, part_of(context, m, context->rank), MPI_DOUBLE, 0, TAG_RESULT,
                     context->communicator);
        }
        seconds += MPI_Wtime() - start;
    }
    probe_room_free(context, &room);
    return seconds / (double)repeats;
}
