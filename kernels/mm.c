/* Matrix multiplication C = A B over MPI [CSW 4.1.2]: process 0 sends each process its block of
 * rows of A, shared out by marked speed, and all of B; each computes its rows of C; process 0
 * collects. */
#include <math.h>
#include <stdlib.h>

#include "input.h"
#include "mm_check.h"
#include "mm_local.h"
#include "model/base/distribution.h"
#include "phases.h"
#include "rows.h"

enum { PHASES = 3 };
static const char *const phase_names[] = {"T_distribute", "T_multiply", "T_collect", NULL};
enum { TAG_ROWS = 1, TAG_FACTOR = 2, TAG_RESULT = 3 };

typedef struct mm_state {
    KERNEL_STATE;
    size_t *starts; /* [processes + 1], first row of each process */
    double *A;      /* [rows][N]; process 0: [N][N], its own rows first */
    double *B;      /* [N][N] */
    double *C;      /* like A */
} mm_state;

static double mm_memory(const kernel_task *task, int rank, int processes) {
    double N = (double)task->N;
    double rows =
        rank == 0 ? N : ceil(N * isocast_distribution_share(task->speeds, processes, rank));
    return 8 * N * (2 * rows + N);
}

static void mm_owners(const kernel_task *task, int processes, int *owner) {
    size_t *starts = malloc(((size_t)processes + 1) * sizeof *starts);
    if (starts != NULL && isocast_distribution_block(task->N, task->speeds, processes, starts)) {
        for (int q = 0; q < processes; q++) {
            for (size_t i = starts[q]; i < starts[q + 1]; i++) {
                owner[i] = q;
            }
        }
    }
    free(starts);
}

static size_t rows_of(const mm_state *s, int q) {
    return s->starts[q + 1] - s->starts[q];
}

/* The rows of process q in a matrix of process 0, for a message. */
static double *rows_at(const mm_state *s, double *matrix, int q) {
    return compute_at(s->compute, matrix, s->starts[q] * s->N, sizeof *matrix);
}

static void mm_tear_down(void *state) {
    mm_state *s = state;
    compute_free(s->compute, s->A);
    compute_free(s->compute, s->B);
    compute_free(s->compute, s->C);
    free(s->starts);
    free(s);
}

static bool allocate(mm_state *s, const kernel_task *task) {
    s->starts = malloc(((size_t)s->processes + 1) * sizeof *s->starts);
    if (s->starts == NULL ||
        !isocast_distribution_block(s->N, task->speeds, s->processes, s->starts)) {
        return false;
    }
    size_t rows = s->rank == 0 ? s->N : rows_of(s, s->rank);
    s->A = compute_allocate(s->compute, rows * s->N, sizeof(double));
    s->B = compute_allocate(s->compute, s->N * s->N, sizeof(double));
    s->C = compute_allocate(s->compute, rows * s->N, sizeof(double));
    return s->A != NULL && s->B != NULL && s->C != NULL;
}

static void fill(const mm_state *s, unsigned which, double *matrix) {
    for (size_t i = 0; i < s->N; i++) {
        for (size_t j = 0; j < s->N; j++) {
            matrix[i * s->N + j] = input_element(s->seed, which, i, j);
        }
    }
}

static void *mm_set_up(const kernel_task *task) {
    mm_state *s = phases_begin(task, sizeof *s);
    bool complete = s != NULL && allocate(s, task);
    s = phases_keep(task->communicator, s, complete, mm_tear_down);
    if (s == NULL) {
        return NULL;
    }
    if (s->rank == 0 && !s->compute->modelled) {
        fill(s, MM_INPUT_A, s->A);
        fill(s, MM_INPUT_B, s->B);
    }
    return s;
}

static void distribute(void *state) {
    mm_state *s = state;
    if (s->rank != 0) {
        rows_receive(s->compute, s->A, rows_of(s, s->rank), s->N, 0, TAG_ROWS, s->communicator);
        rows_receive(s->compute, s->B, s->N, s->N, 0, TAG_FACTOR, s->communicator);
        return;
    }
    for (int q = 1; q < s->processes; q++) {
        rows_send(s->compute, rows_at(s, s->A, q), rows_of(s, q), s->N, q, TAG_ROWS,
                  s->communicator);
        rows_send(s->compute, s->B, s->N, s->N, q, TAG_FACTOR, s->communicator);
    }
}

static void multiply(void *state) {
    mm_state *s = state;
    size_t rows = rows_of(s, s->rank);
    if (compute_charge(s->compute, mm_multiply_flops(rows, s->N))) {
        mm_multiply(s->A, s->B, s->C, rows, s->N);
    }
}

static void collect(void *state) {
    mm_state *s = state;
    if (s->rank != 0) {
        rows_send(s->compute, s->C, rows_of(s, s->rank), s->N, 0, TAG_RESULT, s->communicator);
        return;
    }
    for (int q = 1; q < s->processes; q++) {
        rows_receive(s->compute, rows_at(s, s->C, q), rows_of(s, q), s->N, q, TAG_RESULT,
                     s->communicator);
    }
}

static void mm_run(void *state, kernel_result *result) {
    const mm_state *s = state;
    static const kernel_phase phases[PHASES] = {distribute, multiply, collect};
    phases_run(s->communicator, s->compute, phases, PHASES, state, result);
}

/* The product times a random vector, on process 0. */
static void mm_verify(void *state, kernel_result *result) {
    const mm_state *s = state;
    if (s->rank != 0) {
        return;
    }
    double *Cr = calloc(s->N, sizeof *Cr);
    result->error = NAN;
    if (Cr != NULL) {
        for (size_t i = 0; i < s->N; i++) {
            for (size_t j = 0; j < s->N; j++) {
                Cr[i] += s->C[i * s->N + j] * mm_check_vector(s->seed, j);
            }
        }
        result->error = mm_check_error(s->seed, s->N, Cr);
    }
    free(Cr);
}

const kernel kernel_mm = {
    .id = KERNEL_ID_mm,
    .algorithm = "matrix-multiplication",
    .summary = "Matrix multiplication, heterogeneous row-block, dgemm",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 1,
    .work = mm_work,
    .flops = mm_work,
    .memory = mm_memory,
    .set_up = mm_set_up,
    .run = mm_run,
    .verify = mm_verify,
    .tear_down = mm_tear_down,
    .owners = mm_owners,
};
