/* What a transform by two transposes of a cube does, as the kernel fft_3d: it works on its points,
 * exchanges them in the rows of a grid of processes, works on them, exchanges them in the columns,
 * and works on them. A row of processes that are faster, or nearer to each other, is in the next
 * step while others exchange. So in a simulation the work is done, too, and what it takes alone is
 * taken off. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/fft_local.h"
#include "kernels/fft_shape.h"
#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"
#include "probe_work.h"

enum { POINT_BYTES = 16, EXCHANGES = FFT_DIMENSIONS_MAX - 1 };

typedef struct cube {
    const probe_context *context;
    MPI_Comm groups[EXCHANGES];
    int *counts; /* [processes], B of a block for each of a group; then as many 0 */
    double flops[FFT_DIMENSIONS_MAX]; /* of a process before, between and after the exchanges */
    double points;                    /* of a process */
    probe_room room;
} cube;

/* The sides of a cube of so many points. The kernel has powers of two alone, of which one side may
 * be twice another; between these the logarithms of all sides rise alike. */
static void find_flops(cube *c) {
    double exponent = log2(fmax(c->points * c->context->processes, 2));
    fft_shape shape = fft_shape_of((size_t)1 << (unsigned)floor(exponent),
                                   (size_t)c->context->processes, FFT_DIMENSIONS_MAX);
    double rest = (exponent - floor(exponent)) / FFT_DIMENSIONS_MAX;
    for (unsigned i = 0; i < FFT_DIMENSIONS_MAX; i++) {
        double products = i + 1 < FFT_DIMENSIONS_MAX ? FFT_MULTIPLY_FLOPS : 0;
        double whole = fft_work(shape.n[i]) / (double)shape.n[i]; /* for each point */
        c->flops[i] = c->points * (whole + fft_work(2) / 2 * rest + products);
    }
}

static void begin(cube *c, size_t m) {
    const probe_context *context = c->context;
    int row = (int)fft_shape_of(1, (size_t)context->processes, FFT_DIMENSIONS_MAX).groups[0];
    MPI_Comm_split(context->communicator, context->rank / row, context->rank, &c->groups[0]);
    MPI_Comm_split(context->communicator, context->rank % row, context->rank, &c->groups[1]);
    c->counts = calloc(2 * (size_t)context->processes, sizeof *c->counts);
    if (c->counts == NULL) {
        MPI_Abort(context->communicator, 5);
    }
    c->points = fmax(1, round((double)m / POINT_BYTES));
    find_flops(c);
    /* The largest block is one of half of what a process has. */
    c->room = probe_room_make(context, (size_t)fmin(POINT_BYTES * c->points, INT_MAX));
}

static void end(cube *c) {
    probe_room_free(c->context, &c->room);
    free(c->counts);
    for (unsigned i = 0; i < EXCHANGES; i++) {
        MPI_Comm_free(&c->groups[i]);
    }
}

static void exchange(const cube *c, unsigned number) {
    int members;
    MPI_Comm_size(c->groups[number], &members);
    int block = (int)fmin(round(POINT_BYTES * c->points / members), INT_MAX);
    for (int q = 0; q < members; q++) {
        c->counts[q] = block;
    }
    const int *places = c->counts + c->context->processes;
    if (members > 1) {
        MPI_Alltoallv(c->room.send, c->counts, places, MPI_BYTE, c->room.receive, c->counts, places,
                      MPI_BYTE, c->groups[number]);
    }
}

/* m bytes of each process, which are complex numbers. */
double probe_time_transpose_steps(const probe_context *context, size_t m, size_t repeats) {
    cube c = {.context = context};
    begin(&c, m);
    double alone = 0;
    for (unsigned i = 0; i < FFT_DIMENSIONS_MAX; i++) {
        alone += probe_work_measure(context, c.flops[i]).slowest;
    }
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (unsigned i = 0; i < FFT_DIMENSIONS_MAX; i++) {
            probe_work(context, c.flops[i]);
            if (i < EXCHANGES) {
                exchange(&c, i);
            }
        }
        double own = MPI_Wtime() - start;
        double last;
        probe_let_others_end(context);
        MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
        seconds += fmax(last - alone, 0);
    }
    end(&c);
    return seconds / (double)repeats;
}
