/* Gaussian elimination without pivoting over MPI [CSW 4.1.1]: process 0 deals the rows out by
 * row-based heterogeneous cyclic distribution; for each pivot its owner broadcasts the row, all
 * update their rows below it, and a barrier follows; process 0 collects and back-substitutes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ge_local.h"
#include "ge_rounds.h"
#include "input.h"
#include "model/base/distribution.h"
#include "phases.h"
#include "rows.h"

enum { DISTRIBUTE, ELIMINATE, COLLECT, SUBSTITUTE, PHASES };
/* Of the elimination, T_update is what the processes work on average, T_exchange the rest: the
 * pivot rows' broadcasts, the barriers, and waiting in them. */
static const char *const phase_names[] = {"T_distribute", "T_update",     "T_exchange",
                                          "T_collect",    "T_substitute", NULL};
enum { TAG_ROWS = 1, TAG_RESULT = 2 };

typedef struct ge_state {
    KERNEL_STATE;
    int *owner;         /* [N] */
    double *counts;     /* [processes], rows of each */
    size_t rows;        /* of this process */
    double *local;      /* [rows][N + 1] */
    double *pivot;      /* [N + 1] */
    double *matrix;     /* process 0: [N][N + 1], input, then the eliminated rows */
    double *packed;     /* process 0: room for the rows of any other process */
    const double **row; /* process 0: [N] */
    double *x;          /* process 0: [N] */
    double updating;    /* s, in the updates of the last run */
} ge_state;

/* Diagonally dominant, so that elimination needs no pivoting. */
static double element(const ge_state *s, size_t i, size_t j) {
    double noise = input_element(s->seed, 0, i, j);
    return i == j ? (double)s->N + noise : noise;
}

static double largest_count(const double *counts, int processes) {
    double most = 0;
    for (int q = 1; q < processes; q++) {
        most = fmax(most, counts[q]);
    }
    return most;
}

static double ge_memory(const kernel_task *task, int rank, int processes) {
    double row = 8 * ((double)task->N + 1);
    double total = 0;
    for (int q = 0; q < processes; q++) {
        total += task->speeds[q];
    }
    double largest = 0;
    for (int q = 1; q < processes; q++) {
        largest = fmax(largest, task->speeds[q] / total);
    }
    double rows = (double)task->N * task->speeds[rank] / total + 1;
    double own = rows * row + row + 4 * (double)task->N;
    return rank == 0 ? own + row * (double)task->N * (1 + largest) + 16 * (double)task->N : own;
}

static void ge_owners(const kernel_task *task, int processes, int *owner) {
    double *counts = malloc((size_t)processes * sizeof *counts);
    if (counts == NULL ||
        !isocast_distribution_cyclic(task->N, task->speeds, processes, counts, owner)) {
        MPI_Abort(task->communicator, 5);
    }
    free(counts);
}

static void ge_tear_down(void *state) {
    ge_state *s = state;
    free(s->owner);
    free(s->counts);
    compute_free(s->compute, s->local);
    compute_free(s->compute, s->pivot);
    compute_free(s->compute, s->matrix);
    compute_free(s->compute, s->packed);
    free(s->row);
    compute_free(s->compute, s->x);
    free(s);
}

static double *numbers(const ge_state *s, size_t count) {
    return compute_allocate(s->compute, count, sizeof(double));
}

static bool allocate(ge_state *s, const kernel_task *task) {
    s->owner = malloc(s->N * sizeof *s->owner);
    s->counts = malloc((size_t)s->processes * sizeof *s->counts);
    if (s->owner == NULL || s->counts == NULL ||
        !isocast_distribution_cyclic(s->N, task->speeds, s->processes, s->counts, s->owner)) {
        return false;
    }
    s->rows = (size_t)s->counts[s->rank];
    s->local = numbers(s, s->rows * (s->N + 1));
    s->pivot = numbers(s, s->N + 1);
    bool complete = s->local != NULL && s->pivot != NULL;
    if (s->rank == 0) {
        s->matrix = numbers(s, s->N * (s->N + 1));
        s->packed = numbers(s, (size_t)largest_count(s->counts, s->processes) * (s->N + 1));
        s->row = malloc(s->N * sizeof(const double *));
        s->x = numbers(s, s->N);
        complete =
            complete && s->matrix != NULL && s->packed != NULL && s->row != NULL && s->x != NULL;
    }
    return complete;
}

static void *ge_set_up(const kernel_task *task) {
    ge_state *s = phases_begin(task, sizeof *s);
    bool complete = s != NULL && allocate(s, task);
    return phases_keep(task->communicator, s, complete, ge_tear_down);
}

static void fill_matrix(ge_state *s) {
    for (size_t i = 0; i < s->N; i++) {
        for (size_t j = 0; j <= s->N; j++) {
            s->matrix[i * (s->N + 1) + j] = element(s, i, j);
        }
    }
}

/* Copies the rows of process q from the matrix into a block, or back; those that follow each other
 * at once. */
static void move_rows(ge_state *s, int q, double *block, bool into_block) {
    if (s->compute->modelled) {
        return;
    }
    size_t width = s->N + 1;
    size_t r = 0;
    for (size_t i = 0; i < s->N;) {
        size_t rows = 0;
        while (i + rows < s->N && s->owner[i + rows] == q) {
            rows++;
        }
        if (rows > 0) {
            double *in_matrix = s->matrix + i * width;
            double *in_block = block + width * r;
            memcpy(into_block ? in_block : in_matrix, into_block ? in_matrix : in_block,
                   rows * width * sizeof *block);
        }
        r += rows;
        i += rows > 0 ? rows : 1;
    }
}

static void distribute(void *state) {
    ge_state *s = state;
    if (s->rank != 0) {
        rows_receive(s->compute, s->local, s->rows, s->N + 1, 0, TAG_ROWS, s->communicator);
        return;
    }
    for (int q = 1; q < s->processes; q++) {
        move_rows(s, q, s->packed, true);
        rows_send(s->compute, s->packed, (size_t)s->counts[q], s->N + 1, q, TAG_ROWS,
                  s->communicator);
    }
    move_rows(s, 0, s->local, true);
}

static void eliminate(void *state) {
    ge_state *s = state;
    ge_rounds rounds = {.compute = s->compute,
                        .communicator = s->communicator,
                        .owner = s->owner,
                        .rank = s->rank,
                        .local = s->local,
                        .pivot = s->pivot,
                        .rows = s->rows,
                        .width = s->N + 1,
                        .updates = piecework_start(s->compute)};
    ge_rounds_make(&rounds, 0, s->N - 1);
    s->updating = piecework_seconds(&rounds.updates);
}

static void collect(void *state) {
    ge_state *s = state;
    if (s->rank != 0) {
        rows_send(s->compute, s->local, s->rows, s->N + 1, 0, TAG_RESULT, s->communicator);
        return;
    }
    move_rows(s, 0, s->local, false);
    for (int q = 1; q < s->processes; q++) {
        rows_receive(s->compute, s->packed, (size_t)s->counts[q], s->N + 1, q, TAG_RESULT,
                     s->communicator);
        move_rows(s, q, s->packed, false);
    }
}

static void back_substitute(void *state) {
    ge_state *s = state;
    if (s->rank == 0 && compute_charge(s->compute, ge_back_substitute_flops(s->N))) {
        for (size_t i = 0; i < s->N; i++) {
            s->row[i] = s->matrix + i * (s->N + 1);
        }
        ge_back_substitute(s->row, s->N, s->x);
    }
}

static void ge_run(void *state, kernel_result *result) {
    ge_state *s = state;
    static const kernel_phase phases[PHASES] = {distribute, eliminate, collect, back_substitute};
    if (s->rank == 0 && !s->compute->modelled) {
        fill_matrix(s);
    }
    phases_run(s->communicator, s->compute, phases, PHASES, s, result);
    phases_part(s->communicator, ELIMINATE, PHASES, s->updating, result);
}

/* ||A x - b|| / (||A|| ||x||) in the maximum norm. */
static void ge_verify(void *state, kernel_result *result) {
    const ge_state *s = state;
    if (s->rank != 0) {
        return;
    }
    double residual = 0;
    double norm_A = 0;
    double norm_x = 0;
    for (size_t i = 0; i < s->N; i++) {
        double sum = -element(s, i, s->N);
        double row_norm = 0;
        for (size_t j = 0; j < s->N; j++) {
            double a = element(s, i, j);
            sum += a * s->x[j];
            row_norm += fabs(a);
        }
        /* A NaN must count as wrong, and fmax() would drop it. */
        residual = fabs(sum) <= residual ? residual : fabs(sum);
        norm_A = fmax(norm_A, row_norm);
        norm_x = fmax(norm_x, fabs(s->x[i]));
    }
    result->error = residual / (norm_A * norm_x);
}

const kernel kernel_ge = {
    .id = KERNEL_ID_ge,
    .algorithm = "gaussian-elimination",
    .summary = "Gaussian elimination, heterogeneous row-cyclic",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 1,
    .work = ge_work,
    .flops = ge_flops,
    .memory = ge_memory,
    .set_up = ge_set_up,
    .run = ge_run,
    .verify = ge_verify,
    .tear_down = ge_tear_down,
    .owners = ge_owners,
};
