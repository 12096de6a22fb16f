/* Jacobi's iteration for Laplace's equation on a square of N x N points, each the mean of its four
 * neighbours. The points are dealt out in blocks to a grid of processes, in place at the start. In
 * each sweep a process exchanges the edges of its block with its neighbours, a pair of directions
 * after the other, and then renews its points. */
#include <math.h>
#include <stdlib.h>

#include "grid.h"
#include "phases.h"
#include "piecework.h"
#include "stencil_local.h"

static const char *const phase_names[] = {"T_sweep", "T_exchange", NULL};
enum { TAG_EDGE = 1 };
enum { LEFT, RIGHT, UP, DOWN, NEIGHBOURS };

typedef struct stencil_state {
    KERNEL_STATE;
    int neighbours[NEIGHBOURS];     /* ranks; MPI_PROC_NULL at the boundary */
    size_t first_row, first_column; /* of its block, from 1 */
    size_t rows, columns;
    double *points;  /* [rows + 2][columns + 2], with the neighbours' edges or the boundary */
    double *next;    /* likewise, of the next sweep */
    double *edge;    /* [rows], a column to send */
    double *arrived; /* [rows], a column received */
    double sweeping; /* s, in the sweeps of the last run */
} stencil_state;

static double stencil_memory(const kernel_task *task, int rank, int processes) {
    (void)rank;
    grid g = grid_of(processes);
    double rows = (double)grid_length(task->N, g.rows, 0);
    double columns = (double)grid_length(task->N, g.columns, 0);
    return 8 * (2 * (rows + 2) * (columns + 2) + 2 * rows);
}

static void stencil_tear_down(void *state) {
    stencil_state *s = state;
    compute_free(s->compute, s->points);
    compute_free(s->compute, s->next);
    compute_free(s->compute, s->edge);
    compute_free(s->compute, s->arrived);
    free(s);
}

/* The rank at a place of the grid, if it is there and has points. */
static int rank_at(const stencil_state *s, grid g, int row, int column) {
    bool there = row >= 0 && row < g.rows && column >= 0 && column < g.columns &&
                 grid_length(s->N, g.rows, row) > 0 && grid_length(s->N, g.columns, column) > 0;
    return there ? row * g.columns + column : MPI_PROC_NULL;
}

static void take_place(stencil_state *s) {
    grid g = grid_of(s->processes);
    int row = s->rank / g.columns;
    int column = s->rank % g.columns;
    s->first_row = 1 + grid_start(s->N, g.rows, row);
    s->first_column = 1 + grid_start(s->N, g.columns, column);
    s->rows = grid_length(s->N, g.rows, row);
    s->columns = grid_length(s->N, g.columns, column);
    bool has_points = s->rows > 0 && s->columns > 0;
    s->neighbours[LEFT] = has_points ? rank_at(s, g, row, column - 1) : MPI_PROC_NULL;
    s->neighbours[RIGHT] = has_points ? rank_at(s, g, row, column + 1) : MPI_PROC_NULL;
    s->neighbours[UP] = has_points ? rank_at(s, g, row - 1, column) : MPI_PROC_NULL;
    s->neighbours[DOWN] = has_points ? rank_at(s, g, row + 1, column) : MPI_PROC_NULL;
}

static bool allocate(stencil_state *s) {
    size_t count = (s->rows + 2) * (s->columns + 2);
    s->points = compute_allocate(s->compute, count, sizeof(double));
    s->next = compute_allocate(s->compute, count, sizeof(double));
    s->edge = compute_allocate(s->compute, s->rows, sizeof(double));
    s->arrived = compute_allocate(s->compute, s->rows, sizeof(double));
    return s->points != NULL && s->next != NULL && s->edge != NULL && s->arrived != NULL;
}

static void *stencil_set_up(const kernel_task *task) {
    stencil_state *s = phases_begin(task, sizeof *s);
    bool complete = false;
    if (s != NULL) {
        take_place(s);
        complete = allocate(s);
    }
    return phases_keep(task->communicator, s, complete, stencil_tear_down);
}

static double exact_at(const stencil_state *s, size_t sweeps, size_t i, size_t j) {
    return stencil_exact(s->seed, s->N, sweeps, s->first_row + i - 1, s->first_column + j - 1);
}

/* The start and the boundary, in both arrays; what neighbours send is written over it. */
static void fill(const stencil_state *s) {
    size_t stride = s->columns + 2;
    for (size_t i = 0; i < s->rows + 2; i++) {
        for (size_t j = 0; j < stride; j++) {
            s->points[i * stride + j] = exact_at(s, 0, i, j);
            s->next[i * stride + j] = s->points[i * stride + j];
        }
    }
}

/* Sends the row `from` to one neighbour and gets the row `to` from the other. */
static void shift_rows(const stencil_state *s, int target, size_t from, int source, size_t to) {
    size_t stride = s->columns + 2;
    MPI_Sendrecv(compute_at(s->compute, s->points, from * stride + 1, sizeof *s->points),
                 (int)s->columns, MPI_DOUBLE, target, TAG_EDGE,
                 compute_at(s->compute, s->points, to * stride + 1, sizeof *s->points),
                 (int)s->columns, MPI_DOUBLE, source, TAG_EDGE, s->communicator, MPI_STATUS_IGNORE);
}

static void shift_columns(const stencil_state *s, int target, size_t from, int source, size_t to) {
    size_t stride = s->columns + 2;
    for (size_t i = 0; i < s->rows && !s->compute->modelled && target != MPI_PROC_NULL; i++) {
        s->edge[i] = s->points[(i + 1) * stride + from];
    }
    MPI_Sendrecv(s->edge, (int)s->rows, MPI_DOUBLE, target, TAG_EDGE, s->arrived, (int)s->rows,
                 MPI_DOUBLE, source, TAG_EDGE, s->communicator, MPI_STATUS_IGNORE);
    for (size_t i = 0; i < s->rows && !s->compute->modelled && source != MPI_PROC_NULL; i++) {
        s->points[(i + 1) * stride + to] = s->arrived[i];
    }
}

static void exchange(const stencil_state *s) {
    const int *at = s->neighbours;
    shift_columns(s, at[RIGHT], s->columns, at[LEFT], 0);
    shift_columns(s, at[LEFT], 1, at[RIGHT], s->columns + 1);
    shift_rows(s, at[DOWN], s->rows, at[UP], 0);
    shift_rows(s, at[UP], 1, at[DOWN], s->rows + 1);
}

static void iterate(void *state) {
    stencil_state *s = state;
    piecework sweeps = piecework_start(s->compute);
    for (int sweep = 0; sweep < STENCIL_SWEEPS; sweep++) {
        exchange(s);
        piecework_begin(&sweeps);
        if (compute_charge(s->compute, stencil_sweep_flops(s->rows, s->columns))) {
            stencil_sweep(s->points, s->next, s->rows, s->columns);
        }
        piecework_end(&sweeps);
        double *renewed = s->next;
        s->next = s->points;
        s->points = renewed;
    }
    s->sweeping = piecework_seconds(&sweeps);
}

/* Sweeps change the points, so each run has its start made again. */
static void stencil_run(void *state, kernel_result *result) {
    const stencil_state *s = state;
    static const kernel_phase phases[] = {iterate};
    if (!s->compute->modelled) {
        fill(s);
    }
    phases_run(s->communicator, s->compute, phases, 1, state, result);
    phases_part(s->communicator, 0, 1, s->sweeping, result);
}

/* The largest distance of a point from its exact value; values are about 1. */
static void stencil_verify(void *state, kernel_result *result) {
    const stencil_state *s = state;
    double error = 0;
    for (size_t i = 1; i <= s->rows; i++) {
        for (size_t j = 1; j <= s->columns; j++) {
            double off =
                fabs(s->points[i * (s->columns + 2) + j] - exact_at(s, STENCIL_SWEEPS, i, j));
            /* A NaN must count as wrong, and fmax() would drop it, as MPI_MAX may. */
            error = off <= error ? error : isnan(off) ? INFINITY : off;
        }
    }
    MPI_Reduce(&error, &result->error, 1, MPI_DOUBLE, MPI_MAX, 0, s->communicator);
}

const kernel kernel_stencil = {
    .id = KERNEL_ID_stencil,
    .algorithm = "jacobi-2d",
    .summary = "Jacobi's iteration with five points, blocks on a grid",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 1,
    .work = stencil_work,
    .flops = stencil_work,
    .memory = stencil_memory,
    .set_up = stencil_set_up,
    .run = stencil_run,
    .verify = stencil_verify,
    .tear_down = stencil_tear_down,
};
