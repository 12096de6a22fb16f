/* What a program on a grid of processes does again and again, as the kernels summa and stencil do.
 * Its messages take another time where processes work between them: those that run ahead, and
 * messages that are still on their way, meet other ones then. So in a simulation the work is done,
 * too, on blocks that messages of m bytes belong to, and what it takes alone is taken off. */
#include <math.h>

#include "kernels/grid.h"
#include "kernels/stencil_local.h"
#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"

#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>
#endif

enum { TAG_EDGE = 10 };

/* A process's place, and its blocks, which are of the same size everywhere. */
typedef struct grid_work {
    const probe_context *context;
    grid grid;
    int row, column;
    int in_row, in_column; /* numbers of 8 B, of a message in its row and in its column */
    double flops;          /* of a process, between two exchanges; simulated */
    probe_room room;
} grid_work;

#ifdef PROBE_SIMULATED
static void work(double flops) {
    smpi_execute_flops(flops);
}
#else
static void work(double flops) {
    (void)flops;
}
#endif

static grid_work work_of(const probe_context *context, double in_row, double in_column,
                         double flops) {
    grid_work g = {.context = context, .grid = grid_of(context->processes), .flops = flops};
    g.row = context->rank / g.grid.columns;
    g.column = context->rank % g.grid.columns;
    g.in_row = (int)fmax(1, round(in_row));
    g.in_column = (int)fmax(1, round(in_column));
    size_t most = sizeof(double) * (size_t)(g.in_row > g.in_column ? g.in_row : g.in_column);
    g.room = probe_room_make(context, most);
    return g;
}

/* Seconds that the slowest process works between two exchanges; on all. */
static double slowest_work(const grid_work *g) {
    double start = MPI_Wtime();
    work(g->context->simulated ? g->flops : 0);
    double own = g->context->simulated ? MPI_Wtime() - start : 0;
    double slowest;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, g->context->communicator);
    return slowest;
}

/* What `steps` of them took the last process, since the start, beside the work; for one of them. */
static double added(const grid_work *g, double start, int steps) {
    double own = MPI_Wtime() - start;
    double last;
    MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, g->context->communicator);
    return fmax(last / steps - slowest_work(g), 0);
}

/* In each step a process of each row broadcasts a block of m bytes of a matrix to its row, all rows
 * at once, then one of each column a block of another matrix to its column, and all multiply them:
 * a step for each column, and what one of them takes on average. */
double probe_time_bcast_grid(const probe_context *context, size_t m, size_t repeats) {
    grid g = grid_of(context->processes);
    double numbers = (double)m / sizeof(double);
    double N = sqrt(numbers * g.rows * g.columns);
    double flops = 2 * (N / g.rows) * (N / g.columns) * (N / g.columns);
    grid_work w = work_of(context, numbers, numbers * g.rows / g.columns, flops);
    MPI_Comm row;
    MPI_Comm column;
    MPI_Comm_split(context->communicator, w.row, w.column, &row);
    MPI_Comm_split(context->communicator, w.column, w.row, &column);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int step = 0; step < g.columns; step++) {
            int root = step % g.rows;
            MPI_Bcast(step == w.column ? w.room.send : w.room.receive, w.in_row, MPI_DOUBLE, step,
                      row);
            MPI_Bcast(root == w.row ? w.room.send : w.room.receive, w.in_column, MPI_DOUBLE, root,
                      column);
            work(w.flops);
        }
        seconds += added(&w, start, g.columns);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    probe_room_free(context, &w.room);
    return seconds / (double)repeats;
}

/* To the neighbour so many rows down and columns to the right, and from that on the other side. */
static void shift(const grid_work *g, int down, int right) {
    int ranks[2];
    for (int side = 0; side < 2; side++) {
        int row = g->row + (side == 0 ? down : -down);
        int column = g->column + (side == 0 ? right : -right);
        bool there = row >= 0 && row < g->grid.rows && column >= 0 && column < g->grid.columns;
        ranks[side] = there ? row * g->grid.columns + column : MPI_PROC_NULL;
    }
    int count = right != 0 ? g->in_row : g->in_column;
    MPI_Sendrecv(g->room.send, count, MPI_DOUBLE, ranks[0], TAG_EDGE, g->room.receive, count,
                 MPI_DOUBLE, ranks[1], TAG_EDGE, g->context->communicator, MPI_STATUS_IGNORE);
}

/* Each process sends the edges of its block, m bytes those to the processes above and below it, and
 * then sweeps over it: what a sweep takes on average. There are as many of them as the kernel
 * makes: processes at the edge of the grid run ahead, further with each sweep. */
double probe_time_halo_grid(const probe_context *context, size_t m, size_t repeats) {
    grid g = grid_of(context->processes);
    double width = (double)m / sizeof(double);
    double height = width * g.columns / g.rows;
    grid_work w = work_of(context, height, width, STENCIL_POINT_FLOPS * width * height);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int sweep = 0; sweep < STENCIL_SWEEPS; sweep++) {
            shift(&w, 0, 1);
            shift(&w, 0, -1);
            shift(&w, 1, 0);
            shift(&w, -1, 0);
            work(w.flops);
        }
        seconds += added(&w, start, STENCIL_SWEEPS);
    }
    probe_room_free(context, &w.room);
    return seconds / (double)repeats;
}
