/* Exchanges of all processes with all, at once or step by step, which take the time of what they do
 * themselves. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/transpose.h"
#include "probe_clock.h"
#include "probe_common.h"
#include "probe_functions.h"
#include "probe_room.h"

enum { TAG_BUTTERFLY = 7 };

/* In a simulation packing takes no time: exchanges of blocks, one after the other, what each takes.
 * Processes that end one early are in the next already. counts: bytes to and from each process of
 * the group. */
static double time_blocks(const probe_context *context, MPI_Comm group, const int *counts,
                          const int *places, const probe_room *room, int calls) {
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (int call = 0; call < calls; call++) {
        MPI_Alltoallv(room->send, counts, places, MPI_BYTE, room->receive, counts, places, MPI_BYTE,
                      group);
    }
    double seconds = (MPI_Wtime() - start) / calls;
    probe_let_others_end(context);
    return seconds;
}

/* [2][processes]: as many bytes for each, and 0. */
static int *make_counts(const probe_context *context, int processes, size_t each) {
    int *counts = calloc(2 * (size_t)processes, sizeof *counts);
    for (int q = 0; q < processes && counts != NULL; q++) {
        counts[q] = (int)each;
    }
    if (counts == NULL) {
        MPI_Abort(context->communicator, 5);
    }
    return counts;
}

static double time_simulated_exchange(const probe_context *context, MPI_Comm group, size_t each,
                                      int calls) {
    int processes;
    MPI_Comm_size(group, &processes);
    int *counts = make_counts(context, processes, each);
    const probe_room room = {context->send, context->receive};
    double seconds = time_blocks(context, group, counts, counts + processes, &room, calls);
    free(counts);
    return seconds;
}

/* All processes of a group transpose two matrices, of which each sends blocks of m bytes, one after
 * the other, as a convolution does after it has worked on both: what the caches hold then is not
 * the first rows that are sent. */
static double time_transposes(const probe_context *context, MPI_Comm group, double m,
                              size_t repeats) {
    int members;
    int member;
    MPI_Comm_size(group, &members);
    MPI_Comm_rank(group, &member);
    size_t processes = (size_t)members;
    size_t each = (size_t)sqrt(m / sizeof(double complex));
    each = each > 0 ? each : 1;
    size_t N = each * processes;
    size_t numbers = each * N;
    size_t *starts = malloc((processes + 1) * sizeof *starts);
    int *counts = malloc(4 * processes * sizeof *counts);
    double complex *matrix = calloc(4 * numbers, sizeof *matrix);
    if (starts == NULL || counts == NULL || matrix == NULL) {
        free(starts);
        free(counts);
        free(matrix);
        MPI_Abort(context->communicator, 5);
        return NAN;
    }
    for (size_t q = 0; q <= processes; q++) {
        starts[q] = q * each;
    }
    transpose_plan plan = {.communicator = group,
                           .rank = member,
                           .processes = members,
                           .layers = 1,
                           .row_starts = starts,
                           .column_starts = starts,
                           .sent = matrix + 2 * numbers,
                           .received = matrix + 3 * numbers,
                           .counts = counts};
    /* The first touches the pages. */
    transpose_rows(&plan, matrix);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_work_through(context, matrix, 2 * numbers * sizeof *matrix);
        probe_synchronise(context);
        double start = MPI_Wtime();
        transpose_rows(&plan, matrix);
        transpose_rows(&plan, matrix + numbers);
        seconds += (MPI_Wtime() - start) / 2;
    }
    free(starts);
    free(counts);
    free(matrix);
    return seconds / (double)repeats;
}

/* A matrix over all processes, of which each has m bytes, in rows. */
double probe_time_transpose(const probe_context *context, size_t m, size_t repeats) {
    size_t processes = (size_t)context->processes;
    return context->simulated
               ? time_simulated_exchange(context, context->communicator, m / processes, 2)
               : time_transposes(context, context->communicator, (double)m / (double)processes,
                                 repeats);
}

/* Each exchanges m bytes with the process half of all away, then with that a quarter away, and so
 * on down to its neighbour. It has just worked on what it sends. */
double probe_time_butterfly(const probe_context *context, size_t m, size_t repeats) {
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_work_through(context, context->send, m);
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int distance = context->processes / 2; distance > 0; distance /= 2) {
            int partner = context->rank ^ distance;
            MPI_Sendrecv(context->send, (int)m, MPI_BYTE, partner, TAG_BUTTERFLY, context->receive,
                         (int)m, MPI_BYTE, partner, TAG_BUTTERFLY, context->communicator,
                         MPI_STATUS_IGNORE);
        }
        seconds += MPI_Wtime() - start;
    }
    return seconds / (double)repeats;
}
