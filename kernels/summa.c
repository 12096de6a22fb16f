/* SUMMA: matrix multiplication C = A B on a grid of processes (R. van de Geijn, J. Watts,
 * Concurrency: Practice and Experience 9(4) 1997). The blocks are in place at the start and stay
 * there. In each step a column of processes broadcasts its blocks of A within their rows, a row of
 * processes its blocks of B within their columns, and each multiplies the two. Blocks are as large
 * as can be, one for each column of processes, so that there are few steps. */
#include <math.h>
#include <stdlib.h>

#include "grid.h"
#include "input.h"
#include "mm_check.h"
#include "mm_local.h"
#include "phases.h"
#include "piecework.h"
#include "summa_local.h"

static const char *const phase_names[] = {"T_multiply", "T_broadcast", NULL};

typedef struct summa_state {
    KERNEL_STATE;
    MPI_Comm in_row;    /* processes of this one's row, by their column */
    MPI_Comm in_column; /* those of its column, by their row */
    grid grid;
    int row, column;       /* of this process */
    size_t height, width;  /* of its block of C: rows and columns */
    double *A;             /* [height][width of its part of the inner index] */
    double *B;             /* [steps whose B is in its row][depth][width], each from B_at() on */
    double *C;             /* [height][width] */
    double *got_A, *got_B; /* what others broadcast, [height][depth] and [depth][width] */
    double multiplying;    /* s, in the products of the last run */
} summa_state;

/* The inner index is parted as the columns are: one part for each step. */
static size_t depth_of(const summa_state *s, int step) {
    return grid_length(s->N, s->grid.columns, step);
}

/* Its part of B is dealt out to the rows of processes in turn. */
static int row_of_step(const summa_state *s, int step) {
    return step % s->grid.rows;
}

static size_t greatest(size_t N, int parts) {
    return grid_length(N, parts, 0);
}

static double *numbers(const summa_state *s, size_t rows, size_t columns) {
    return compute_allocate(s->compute, rows * columns, sizeof(double));
}

/* Numbers of B that the process holds. */
static size_t depth_held(const summa_state *s) {
    size_t held = 0;
    for (int step = s->row; step < s->grid.columns; step += s->grid.rows) {
        held += depth_of(s, step);
    }
    return held;
}

/* The block of B of a step that this process has. */
static double *B_at(const summa_state *s, int step) {
    size_t before = 0;
    for (int k = s->row; k < step; k += s->grid.rows) {
        before += depth_of(s, k);
    }
    return compute_at(s->compute, s->B, before * s->width, sizeof *s->B);
}

static double summa_memory(const kernel_task *task, int rank, int processes) {
    (void)rank;
    grid g = grid_of(processes);
    double height = (double)greatest(task->N, g.rows);
    double width = (double)greatest(task->N, g.columns);
    double turns = ceil((double)g.columns / g.rows);
    return 8 * width * (3 * height + (turns + 1) * width);
}

static void summa_tear_down(void *state) {
    summa_state *s = state;
    compute_free(s->compute, s->A);
    compute_free(s->compute, s->B);
    compute_free(s->compute, s->C);
    compute_free(s->compute, s->got_A);
    compute_free(s->compute, s->got_B);
    MPI_Comm_free(&s->in_row);
    MPI_Comm_free(&s->in_column);
    free(s);
}

static bool allocate(summa_state *s) {
    size_t depth = greatest(s->N, s->grid.columns);
    s->A = numbers(s, s->height, depth_of(s, s->column));
    s->B = numbers(s, depth_held(s), s->width);
    s->C = numbers(s, s->height, s->width);
    s->got_A = numbers(s, s->height, depth);
    s->got_B = numbers(s, depth, s->width);
    return s->A != NULL && s->B != NULL && s->C != NULL && s->got_A != NULL && s->got_B != NULL;
}

/* A message counts its numbers with an int, and a simulator's messages end at 2 GiB. */
static bool fits_messages(const summa_state *s) {
    size_t rows = greatest(s->N, s->grid.rows);
    return s->grid.columns == 1 || rows <= ((size_t)1 << 28) / greatest(s->N, s->grid.columns);
}

static void fill(const summa_state *s) {
    size_t first_row = grid_start(s->N, s->grid.rows, s->row);
    size_t first_column = grid_start(s->N, s->grid.columns, s->column);
    size_t depth = depth_of(s, s->column);
    for (size_t i = 0; i < s->height; i++) {
        for (size_t k = 0; k < depth; k++) {
            s->A[i * depth + k] =
                input_element(s->seed, MM_INPUT_A, first_row + i, first_column + k);
        }
    }
    for (int step = s->row; step < s->grid.columns; step += s->grid.rows) {
        double *block = B_at(s, step);
        size_t first = grid_start(s->N, s->grid.columns, step);
        for (size_t k = 0; k < depth_of(s, step); k++) {
            for (size_t j = 0; j < s->width; j++) {
                block[k * s->width + j] =
                    input_element(s->seed, MM_INPUT_B, first + k, first_column + j);
            }
        }
    }
}

static void *summa_set_up(const kernel_task *task) {
    summa_state *s = phases_begin(task, sizeof *s);
    if (!phases_all(task->communicator, s != NULL) || s == NULL) {
        free(s);
        return NULL;
    }
    s->grid = grid_of(s->processes);
    s->row = s->rank / s->grid.columns;
    s->column = s->rank % s->grid.columns;
    s->height = grid_length(s->N, s->grid.rows, s->row);
    s->width = grid_length(s->N, s->grid.columns, s->column);
    MPI_Comm_split(s->communicator, s->row, s->column, &s->in_row);
    MPI_Comm_split(s->communicator, s->column, s->row, &s->in_column);
    if (!phases_all(task->communicator, allocate(s) && fits_messages(s))) {
        summa_tear_down(s);
        return NULL;
    }
    if (!s->compute->modelled) {
        fill(s);
    }
    return s;
}

/* The block of one process to all of a row or column; gives where it is here. */
static const double *spread(double *own, double *room, size_t count, int root, int here,
                            MPI_Comm communicator) {
    double *block = root == here ? own : room;
    if (count > 0) {
        MPI_Bcast(block, (int)count, MPI_DOUBLE, root, communicator);
    }
    return block;
}

static void multiply(void *state) {
    summa_state *s = state;
    piecework products = piecework_start(s->compute);
    for (int step = 0; step < s->grid.columns; step++) {
        size_t depth = depth_of(s, step);
        int root = row_of_step(s, step);
        const double *A = spread(s->A, s->got_A, s->height * depth, step, s->column, s->in_row);
        const double *B = spread(root == s->row ? B_at(s, step) : NULL, s->got_B, depth * s->width,
                                 root, s->row, s->in_column);
        piecework_begin(&products);
        if (compute_charge(s->compute, summa_multiply_flops(s->height, s->width, depth))) {
            summa_multiply(A, B, s->C, s->height, s->width, depth, step == 0);
        }
        piecework_end(&products);
    }
    s->multiplying = piecework_seconds(&products);
}

static void summa_run(void *state, kernel_result *result) {
    const summa_state *s = state;
    static const kernel_phase phases[] = {multiply};
    phases_run(s->communicator, s->compute, phases, 1, state, result);
    phases_part(s->communicator, 0, 1, s->multiplying, result);
}

/* Each multiplies its block with its part of a random vector; process 0 gets the sums. */
static void summa_verify(void *state, kernel_result *result) {
    const summa_state *s = state;
    double *own = calloc(2 * s->N, sizeof *own);
    if (!phases_all(s->communicator, own != NULL) || own == NULL) {
        free(own);
        result->error = NAN;
        return;
    }
    double *Cr = own + s->N;
    size_t first_row = grid_start(s->N, s->grid.rows, s->row);
    size_t first_column = grid_start(s->N, s->grid.columns, s->column);
    for (size_t i = 0; i < s->height; i++) {
        for (size_t j = 0; j < s->width; j++) {
            own[first_row + i] +=
                s->C[i * s->width + j] * mm_check_vector(s->seed, first_column + j);
        }
    }
    MPI_Reduce(own, Cr, (int)s->N, MPI_DOUBLE, MPI_SUM, 0, s->communicator);
    if (s->rank == 0) {
        result->error = mm_check_error(s->seed, s->N, Cr);
    }
    free(own);
}

const kernel kernel_summa = {
    .id = KERNEL_ID_summa,
    .algorithm = "summa",
    .summary = "Matrix multiplication by SUMMA, blocks on a grid, dgemm",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 1,
    .work = mm_work,
    .flops = mm_work,
    .memory = summa_memory,
    .set_up = summa_set_up,
    .run = summa_run,
    .verify = summa_verify,
    .tear_down = summa_tear_down,
};
