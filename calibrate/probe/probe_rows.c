/* Matrices whose whole rows process 0 deals out by the processes' speeds, and collects, as the
 * kernels ge and mm do it. Shares that are almost alike differ by a row, so that one is sent at
 * once and the next one waits for its receiver. */
#include <math.h>
#include <stdlib.h>

#include "model/base/distribution.h"
#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"

enum { TAG_ROWS = 18, TAG_ALL = 19, TAG_BACK = 20 };

/* Numbers in a message; the kernels send more in pieces of this. */
static const size_t piece_most = (size_t)1 << 27;

typedef struct matrix {
    const probe_context *context;
    size_t N;       /* rows */
    size_t width;   /* numbers of 8 B in a row */
    size_t *starts; /* [processes + 1], first row of each process */
    probe_room room;
} matrix;

static size_t numbers_of(const matrix *x, int q) {
    return (x->starts[q + 1] - x->starts[q]) * x->width;
}

/* m bytes for each process: a square, or one column more than rows. Half a row lies between both,
 * so that rounding of m makes no other number of rows. `whole`: there is room for all of it. */
static void begin(matrix *x, size_t m, bool whole) {
    const probe_context *context = x->context;
    double numbers = (double)m / sizeof(double) * context->processes;
    x->N = (size_t)fmax(1, floor(sqrt(numbers) + 0.25));
    x->width = (size_t)fmax(1, round(numbers / (double)x->N));
    x->starts = malloc(((size_t)context->processes + 1) * sizeof *x->starts);
    if (x->starts == NULL ||
        !isocast_distribution_block(x->N, context->shares, context->processes, x->starts)) {
        MPI_Abort(context->communicator, 5);
        exit(EXIT_FAILURE); /* not reached */
    }
    size_t most = whole ? x->N * x->width : 0;
    for (int q = 1; q < context->processes && !whole; q++) {
        most = numbers_of(x, q) > most ? numbers_of(x, q) : most;
    }
    x->room = probe_room_make(context, sizeof(double) * (most < piece_most ? most : piece_most));
}

static void end(matrix *x) {
    probe_room_free(x->context, &x->room);
    free(x->starts);
}

static void send_numbers(const matrix *x, size_t numbers, int to, int tag) {
    for (size_t left = numbers, piece; left > 0; left -= piece) {
        piece = left < piece_most ? left : piece_most;
        MPI_Send(x->room.send, (int)piece, MPI_DOUBLE, to, tag, x->context->communicator);
    }
}

static void receive_numbers(const matrix *x, size_t numbers, int from, int tag) {
    for (size_t left = numbers, piece; left > 0; left -= piece) {
        piece = left < piece_most ? left : piece_most;
        MPI_Recv(x->room.receive, (int)piece, MPI_DOUBLE, from, tag, x->context->communicator,
                 MPI_STATUS_IGNORE);
    }
}

static double time_scatter(const probe_context *context, size_t m, bool whole, size_t repeats) {
    matrix x = {.context = context};
    begin(&x, m, whole);
    size_t all = whole ? x.N * x.width : 0;
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int q = 1; q < context->processes && context->rank == 0; q++) {
            send_numbers(&x, numbers_of(&x, q), q, TAG_ROWS);
            send_numbers(&x, all, q, TAG_ALL);
        }
        if (context->rank != 0) {
            receive_numbers(&x, numbers_of(&x, context->rank), 0, TAG_ROWS);
            receive_numbers(&x, all, 0, TAG_ALL);
        }
        seconds += MPI_Wtime() - start;
    }
    end(&x);
    return seconds / (double)repeats;
}

double probe_time_scatter_rows(const probe_context *context, size_t m, size_t repeats) {
    return time_scatter(context, m, false, repeats);
}

/* Each process gets its rows of one matrix and then all of another one of the same size, before the
 * next process gets anything. */
double probe_time_scatter_rows_whole(const probe_context *context, size_t m, size_t repeats) {
    return time_scatter(context, m, true, repeats);
}

double probe_time_gather_rows(const probe_context *context, size_t m, size_t repeats) {
    matrix x = {.context = context};
    begin(&x, m, false);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int q = 1; q < context->processes && context->rank == 0; q++) {
            receive_numbers(&x, numbers_of(&x, q), q, TAG_BACK);
        }
        if (context->rank != 0) {
            send_numbers(&x, numbers_of(&x, context->rank), 0, TAG_BACK);
        }
        seconds += MPI_Wtime() - start;
    }
    end(&x);
    return seconds / (double)repeats;
}
