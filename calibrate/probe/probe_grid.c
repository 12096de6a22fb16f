/* What a program on a grid of processes does again and again, as the kernels summa and stencil do.
 * Its messages take another time where processes work between them: those that run ahead, and
 * messages that are still on their way, meet other ones then. So in a simulation the work is done,
 * too, and what it takes alone is taken off. Rows and columns are dealt out whole, as the kernels
 * do: a block with one row more may be longer than the limit from which messages take another way.
 */
#include <math.h>

#include "kernels/grid.h"
#include "kernels/stencil_local.h"
#include "kernels/summa_local.h"
#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"
#include "probe_work.h"

enum { TAG_EDGE = 10 };

/* A matrix, or a square of points, of rank N in blocks; and what this process has of it. */
typedef struct grid_work {
    const probe_context *context;
    grid grid;
    size_t N;
    int row, column;        /* of this process */
    size_t height, width;   /* of its block */
    size_t tallest, widest; /* of all blocks */
    probe_room room;
} grid_work;

static grid_work work_of(const probe_context *context, double N) {
    grid_work g = {.context = context, .grid = grid_of(context->processes)};
    g.N = (size_t)fmax(1, round(N));
    g.row = context->rank / g.grid.columns;
    g.column = context->rank % g.grid.columns;
    g.height = grid_length(g.N, g.grid.rows, g.row);
    g.width = grid_length(g.N, g.grid.columns, g.column);
    g.tallest = grid_length(g.N, g.grid.rows, 0);
    g.widest = grid_length(g.N, g.grid.columns, 0);
    return g;
}

/* What `steps` of them took the last process, since the start, beside the work on the largest block
 * by the slowest process; for one of them. */
static double added(const grid_work *g, double start, int steps, double flops) {
    double own = MPI_Wtime() - start;
    double last;
    probe_let_others_end(g->context);
    MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, g->context->communicator);
    return fmax(last - probe_work_measure(g->context, flops).slowest, 0) / steps;
}

/* To a row or a column; nothing where the block is empty. */
static void spread(const grid_work *g, size_t numbers, int root, int here, MPI_Comm group) {
    if (numbers > 0) {
        MPI_Bcast(root == here ? g->room.send : g->room.receive, (int)numbers, MPI_DOUBLE, root,
                  group);
    }
}

/* In each step a process of each row broadcasts its block of a matrix to its row, m bytes on
 * average, all rows at once, then one of each column a block of another matrix to its column, and
 * all multiply them: a step for each column, and what one of them takes on average. */
double probe_time_bcast_grid(const probe_context *context, size_t m, size_t repeats) {
    double numbers = (double)m / sizeof(double);
    grid_work w = work_of(context, sqrt(numbers * context->processes));
    size_t most = w.widest * (w.tallest > w.widest ? w.tallest : w.widest);
    w.room = probe_room_make(context, sizeof(double) * most);
    MPI_Comm row;
    MPI_Comm column;
    MPI_Comm_split(context->communicator, w.row, w.column, &row);
    MPI_Comm_split(context->communicator, w.column, w.row, &column);
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int step = 0; step < w.grid.columns; step++) {
            size_t depth = grid_length(w.N, w.grid.columns, step);
            spread(&w, w.height * depth, step, w.column, row);
            spread(&w, depth * w.width, step % w.grid.rows, w.row, column);
            probe_work(context, summa_multiply_flops(w.height, w.width, depth));
        }
        seconds += added(&w, start, w.grid.columns, summa_multiply_flops(w.tallest, w.widest, w.N));
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    probe_room_free(context, &w.room);
    return seconds / (double)repeats;
}

/* The same, where m is the mean block of a matrix that a program has: T_bcast_grid is also asked
 * for at blocks that no square matrix has, as times of long and short blocks are put together. */
double probe_time_bcast_blocks(const probe_context *context, size_t m, size_t repeats) {
    return probe_time_bcast_grid(context, m, repeats);
}

/* The rank at a place of the grid, if it is there and has points. */
static int rank_at(const grid_work *g, int row, int column) {
    bool there = row >= 0 && row < g->grid.rows && column >= 0 && column < g->grid.columns &&
                 grid_length(g->N, g->grid.rows, row) > 0 &&
                 grid_length(g->N, g->grid.columns, column) > 0 && g->height > 0 && g->width > 0;
    return there ? row * g->grid.columns + column : MPI_PROC_NULL;
}

/* To the neighbour so many rows down and columns to the right, and from that on the other side. */
static void shift(const grid_work *g, int down, int right) {
    int target = rank_at(g, g->row + down, g->column + right);
    int source = rank_at(g, g->row - down, g->column - right);
    int count = (int)(right != 0 ? g->height : g->width);
    MPI_Sendrecv(g->room.send, count, MPI_DOUBLE, target, TAG_EDGE, g->room.receive, count,
                 MPI_DOUBLE, source, TAG_EDGE, g->context->communicator, MPI_STATUS_IGNORE);
}

/* Each process sends the edges of its block of a square, whose side is m bytes, and then sweeps
 * over it: what a sweep takes on average. There are as many of them as the kernel makes: processes
 * at the edge of the grid run ahead, further with each sweep. */
double probe_time_halo_grid(const probe_context *context, size_t m, size_t repeats) {
    grid_work w = work_of(context, (double)m / sizeof(double));
    w.room =
        probe_room_make(context, sizeof(double) * (w.tallest > w.widest ? w.tallest : w.widest));
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int sweep = 0; sweep < STENCIL_SWEEPS; sweep++) {
            shift(&w, 0, 1);
            shift(&w, 0, -1);
            shift(&w, 1, 0);
            shift(&w, -1, 0);
            probe_work(context, stencil_sweep_flops(w.height, w.width));
        }
        double flops = STENCIL_SWEEPS * stencil_sweep_flops(w.tallest, w.widest);
        seconds += added(&w, start, STENCIL_SWEEPS, flops);
    }
    probe_room_free(context, &w.room);
    return seconds / (double)repeats;
}
