/* All of a convolution of two images whose rows are dealt out by the processes' speeds, as the
 * kernel conv2d does it. A process that has its rows works on them and sends its first blocks while
 * others still wait for theirs, and those that end first send their rows back: so the whole takes
 * another time than its parts one after the other. Simulated alone. */
#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/conv2d_local.h"
#include "model/base/distribution.h"
#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"
#include "probe_work.h"

enum { TAG_IMAGE = 15, TAG_PRODUCT = 17 };

/* Messages end at 2 GiB in the simulator; the kernel sends more in pieces of this, B. */
static const double piece_most = 0x1p30;

/* An image, and what this process has of it. */
typedef struct convolution {
    const probe_context *context;
    size_t N;
    size_t *starts; /* [processes + 1], first row of each process */
    int *counts;    /* [processes], B of a block for each; then as many 0 */
    size_t rows;    /* of this process */
    probe_room room;
} convolution;

static size_t rows_of(const convolution *c, int q) {
    return c->starts[q + 1] - c->starts[q];
}

static void begin(convolution *c, double bytes) {
    const probe_context *context = c->context;
    size_t processes = (size_t)context->processes;
    c->N = (size_t)fmax(1, round(sqrt(bytes / sizeof(double complex))));
    c->starts = malloc((processes + 1) * sizeof *c->starts);
    c->counts = calloc(2 * processes, sizeof *c->counts);
    if (c->starts == NULL || c->counts == NULL ||
        !isocast_distribution_block(c->N, context->shares, context->processes, c->starts)) {
        MPI_Abort(context->communicator, 5);
        exit(EXIT_FAILURE); /* not reached */
    }
    c->rows = rows_of(c, context->rank);
    size_t most = 0;
    for (int q = 0; q < context->processes; q++) {
        c->counts[q] = (int)(sizeof(double complex) * c->rows * rows_of(c, q));
        most = rows_of(c, q) > most ? rows_of(c, q) : most;
    }
    double longest = (double)sizeof(double complex) * (double)most * (double)c->N;
    c->room = probe_room_make(context, (size_t)fmin(longest, piece_most));
}

static void end(convolution *c) {
    probe_room_free(c->context, &c->room);
    free(c->starts);
    free(c->counts);
}

/* Rows of an image to process q, or from it. */
static void pass_rows(const convolution *c, size_t rows, int q, int tag, bool send) {
    double left = (double)sizeof(double complex) * (double)rows * (double)c->N;
    for (; left > 0; left -= piece_most) {
        int bytes = (int)fmin(left, piece_most);
        if (send) {
            MPI_Send(c->room.send, bytes, MPI_BYTE, q, tag, c->context->communicator);
        } else {
            MPI_Recv(c->room.receive, bytes, MPI_BYTE, q, tag, c->context->communicator,
                     MPI_STATUS_IGNORE);
        }
    }
}

static void distribute(const convolution *c) {
    bool first = c->context->rank == 0;
    for (int q = 1; q < c->context->processes && first; q++) {
        for (int image = 0; image < CONV2D_IMAGES; image++) {
            pass_rows(c, rows_of(c, q), q, TAG_IMAGE + image, true);
        }
    }
    for (int image = 0; image < CONV2D_IMAGES && !first; image++) {
        pass_rows(c, c->rows, 0, TAG_IMAGE + image, false);
    }
}

static void collect(const convolution *c) {
    for (int q = 1; q < c->context->processes && c->context->rank == 0; q++) {
        pass_rows(c, rows_of(c, q), q, TAG_PRODUCT, false);
    }
    if (c->context->rank != 0) {
        pass_rows(c, c->rows, 0, TAG_PRODUCT, true);
    }
}

static void transpose(const convolution *c) {
    const int *places = c->counts + c->context->processes;
    MPI_Alltoallv(c->room.send, c->counts, places, MPI_BYTE, c->room.receive, c->counts, places,
                  MPI_BYTE, c->context->communicator);
}

/* So many passes of transforms over the rows. */
static void transform(const convolution *c, int passes) {
    for (int k = 0; k < passes && c->rows > 0; k++) {
        probe_work(c->context, (double)c->rows * conv2d_transform_flops(c->N));
    }
}

static void convolve(const convolution *c) {
    distribute(c);
    transform(c, CONV2D_IMAGES);
    for (int image = 0; image < CONV2D_IMAGES; image++) {
        transpose(c);
    }
    transform(c, CONV2D_IMAGES);
    probe_work(c->context, conv2d_multiply_flops(c->rows * c->N));
    transform(c, 1);
    transpose(c);
    transform(c, 1);
    collect(c);
}

/* m bytes of each image to each process on average: what the whole takes beside the work, dealt out
 * evenly. */
double probe_time_convolution(const probe_context *context, size_t m, size_t repeats) {
    convolution c = {.context = context};
    begin(&c, (double)m * context->processes);
    probe_work_time work =
        probe_work_measure(context, conv2d_work(c.N) * context->shares[context->rank]);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        convolve(&c);
        double own = MPI_Wtime() - start;
        double last;
        probe_let_others_end(context);
        MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
        seconds += fmax(last - work.slowest, 0);
    }
    end(&c);
    return seconds / (double)repeats;
}
