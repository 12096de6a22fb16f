/* Point j = (j1 n2 + j2) n3 + j3, output k = k1 + n1 (k2 + n2 k3), n3 = 1 of a square:
 *
 *     X_k = sum_j3 w(n3)^(j3 k3) w(n2 n3)^(j3 k2) sum_j2 w(n2)^(j2 k2) w(N)^((j2 n3 + j3) k1)
 *           sum_j1 w(n1)^(j1 k1) x_j,   w(n) = exp(-2 pi i/n)
 *
 * Transforms over j1, over j2 and over j3, each along rows that a process has whole, with factors
 * between. The processes make a grid: those with the same j3 exchange k1 for j2, then those with
 * the same k1 exchange k2 for j3. Local points are [j3][j2][j1], then [k1][j3][j2], then
 * [k2][k1][j3]. */
#include "fft_transpose.h"

#include <limits.h>
#include <stdlib.h>

#include "phases.h"
#include "transpose.h"

enum { EXCHANGES_MAX = FFT_DIMENSIONS_MAX - 1, SQUARE_PHASES = 3, CUBE_PHASES = 5 };
const char *const fft_square_phases[] = {"T_first", "T_transpose", "T_second", NULL};
const char *const fft_cube_phases[] = {"T_first",       "T_transpose", "T_second",
                                       "T_transpose_2", "T_third",     NULL};

typedef struct fft_transpose_state {
    fft_common common;
    unsigned wanted; /* dimensions, also on one process */
    fft_shape shape;
    fft_rows rows[FFT_DIMENSIONS_MAX];
    MPI_Comm groups[EXCHANGES_MAX];
    int members[EXCHANGES_MAX];       /* this process's place in them */
    size_t *starts[EXCHANGES_MAX][2]; /* [group + 1] each, rows and columns */
    int *counts;                      /* [4][processes] */
    double complex *points;           /* [count] */
    double complex *sent;             /* [count], blocks for each process of a group */
    double complex *received;         /* [count], blocks from each */
    double complex *first;            /* [count], factors after the first transforms */
    double complex *second;           /* [n3/group][n2], after the second ones */
} fft_transpose_state;

const char *fft_transpose_refusal(size_t N, int processes, unsigned dimensions) {
    const char *why = fft_refusal(N, processes);
    if (why != NULL) {
        return why;
    }
    fft_shape shape = fft_shape_of(N, (size_t)processes, dimensions);
    return fft_shape_fits(&shape) ? NULL : "has not a whole row for each process; take a larger N";
}

/* Points, as many to send and to receive, and their factors. */
double fft_transpose_memory(const kernel_task *task, int processes) {
    double arrays = processes > 1 ? 4 : 1;
    return arrays * (double)sizeof(double complex) * (double)task->N / processes;
}

void fft_transpose_tear_down(void *state) {
    fft_transpose_state *s = state;
    kernel_compute *compute = s->common.compute;
    for (unsigned i = 0; i < FFT_DIMENSIONS_MAX; i++) {
        fft_rows_free(&s->rows[i]);
    }
    for (unsigned i = 0; i < EXCHANGES_MAX; i++) {
        if (s->groups[i] != MPI_COMM_NULL) {
            MPI_Comm_free(&s->groups[i]);
        }
        free(s->starts[i][0]);
        free(s->starts[i][1]);
    }
    free(s->counts);
    compute_free(compute, s->points);
    compute_free(compute, s->sent);
    compute_free(compute, s->received);
    compute_free(compute, s->first);
    compute_free(compute, s->second);
    free(s);
}

/* Processes with the same place in the second group are in the same first one. */
static void split(fft_transpose_state *s) {
    int each = (int)s->shape.groups[0];
    int rank = s->common.rank;
    s->members[0] = rank % each;
    s->members[1] = rank / each;
    for (unsigned i = 0; i + 1 < s->shape.dimensions; i++) {
        MPI_Comm_split(s->common.communicator, s->members[1 - i], s->members[i], &s->groups[i]);
    }
}

/* Of the side n of `group` processes, where the part of each begins. */
static size_t *even_starts(size_t n, size_t group) {
    size_t *starts = malloc((group + 1) * sizeof *starts);
    for (size_t q = 0; starts != NULL && q <= group; q++) {
        starts[q] = q * (n / group);
    }
    return starts;
}

/* What the points are multiplied with after the first and the second transforms. */
static void make_factors(fft_transpose_state *s) {
    const fft_shape *shape = &s->shape;
    size_t N = s->common.N;
    size_t own2 = shape->n[1] / shape->groups[0];
    size_t own3 = shape->n[2] / shape->groups[1];
    for (size_t c = 0; c < own3; c++) {
        size_t j3 = (size_t)s->members[1] * own3 + c;
        for (size_t b = 0; b < own2; b++) {
            size_t j2 = (size_t)s->members[0] * own2 + b;
            fft_roots(s->first + (c * own2 + b) * shape->n[0], shape->n[0], N, 0,
                      j2 * shape->n[2] + j3);
        }
        fft_roots(s->second + c * shape->n[1], shape->n[1], shape->n[1] * shape->n[2], 0, j3);
    }
}

static double complex *points_of(const fft_transpose_state *s, size_t count) {
    return compute_allocate(s->common.compute, count, sizeof(double complex));
}

static bool allocate(fft_transpose_state *s) {
    const fft_shape *shape = &s->shape;
    size_t count = s->common.count;
    size_t exchanged = shape->dimensions > 1 ? count : 0;
    bool complete = true;
    for (unsigned i = 0; i + 1 < shape->dimensions; i++) {
        s->starts[i][0] = even_starts(shape->n[i + 1], shape->groups[i]);
        s->starts[i][1] = even_starts(shape->n[i], shape->groups[i]);
        complete = complete && s->starts[i][0] != NULL && s->starts[i][1] != NULL;
    }
    s->counts = malloc(4 * (size_t)s->common.processes * sizeof *s->counts);
    s->points = points_of(s, count);
    s->sent = points_of(s, exchanged);
    s->received = points_of(s, exchanged);
    s->first = points_of(s, exchanged);
    s->second = points_of(s, shape->n[1] * shape->n[2] / shape->groups[1]);
    complete = complete && s->counts != NULL && s->points != NULL && s->sent != NULL &&
               s->received != NULL && s->first != NULL && s->second != NULL;
    if (complete && exchanged > 0 && !s->common.compute->modelled) {
        make_factors(s);
    }
    return complete;
}

static bool plan(fft_transpose_state *s) {
    bool complete = true;
    for (unsigned i = 0; i < s->shape.dimensions && !s->common.compute->modelled; i++) {
        size_t length = s->shape.n[i];
        complete = complete && fft_rows_plan(&s->rows[i], s->common.count / length, length);
    }
    return complete;
}

/* A block counts numbers with an int, and a simulator's messages end at 2 GiB. */
static bool fits_messages(const fft_transpose_state *s) {
    size_t group = s->shape.groups[s->shape.dimensions == 3 ? 1 : 0];
    size_t most = s->common.compute->modelled ? ((size_t)1 << 27) - 1 : INT_MAX;
    return s->shape.dimensions == 1 || s->common.count / group <= most;
}

void *fft_transpose_set_up(const kernel_task *task, unsigned dimensions) {
    fft_transpose_state *s = calloc(1, sizeof *s);
    bool complete = false;
    if (s != NULL) {
        s->common = fft_begin(task);
        s->wanted = dimensions;
        s->shape = fft_shape_of(task->N, (size_t)s->common.processes, dimensions);
        s->groups[0] = s->groups[1] = MPI_COMM_NULL;
        s->members[0] = s->common.rank % (int)s->shape.groups[0];
        s->members[1] = s->common.rank / (int)s->shape.groups[0];
        complete = fits_messages(s) && allocate(s) && plan(s);
    }
    s = phases_keep(task->communicator, s, complete, fft_transpose_tear_down);
    if (s == NULL) {
        return NULL;
    }
    split(s);
    return s;
}

static void transform(fft_transpose_state *s, unsigned side) {
    double flops = fft_rows_flops(s->common.count, s->shape.n[side]);
    if (compute_charge(s->common.compute, flops)) {
        fft_rows_run(&s->rows[side], s->points);
    }
}

static void exchange(fft_transpose_state *s, unsigned i) {
    size_t *const *starts = s->starts[i];
    size_t own_rows = s->shape.n[i + 1] / s->shape.groups[i];
    transpose_plan plan = {.communicator = s->groups[i],
                           .rank = s->members[i],
                           .processes = (int)s->shape.groups[i],
                           .layers = s->common.count / own_rows / s->shape.n[i],
                           .row_starts = starts[0],
                           .column_starts = starts[1],
                           .sent = s->sent,
                           .received = s->received,
                           .counts = s->counts,
                           .modelled = s->common.compute->modelled};
    transpose_rows(&plan, s->points);
}

static void first(void *state) {
    fft_transpose_state *s = state;
    transform(s, 0);
    if (s->shape.dimensions > 1 &&
        compute_charge(s->common.compute, FFT_MULTIPLY_FLOPS * (double)s->common.count)) {
        fft_multiply(s->points, s->first, s->common.count);
    }
}

static void transpose_first(void *state) {
    fft_transpose_state *s = state;
    if (s->shape.dimensions > 1) {
        exchange(s, 0);
    }
}

/* The factors after the second transforms are the same for each k1. */
static void second(void *state) {
    fft_transpose_state *s = state;
    if (s->shape.dimensions == 1) {
        return;
    }
    transform(s, 1);
    if (s->shape.dimensions == 2 ||
        !compute_charge(s->common.compute, FFT_MULTIPLY_FLOPS * (double)s->common.count)) {
        return;
    }
    size_t each = s->shape.n[1] * s->shape.n[2] / s->shape.groups[1];
    for (size_t at = 0; at < s->common.count; at += each) {
        fft_multiply(s->points + at, s->second, each);
    }
}

static void transpose_second(void *state) {
    fft_transpose_state *s = state;
    if (s->shape.dimensions == 3) {
        exchange(s, 1);
    }
}

static void third(void *state) {
    fft_transpose_state *s = state;
    if (s->shape.dimensions == 3) {
        transform(s, 2);
    }
}

/* Where the first points of a process are, [j3][j2][j1]. */
static size_t input_of(const fft_shape *shape, size_t rank, size_t local) {
    size_t own2 = shape->n[1] / shape->groups[0];
    size_t own3 = shape->n[2] / shape->groups[1];
    size_t j1 = local % shape->n[0];
    size_t j2 = rank % shape->groups[0] * own2 + local / shape->n[0] % own2;
    size_t j3 = rank / shape->groups[0] * own3 + local / shape->n[0] / own2;
    return (j1 * shape->n[1] + j2) * shape->n[2] + j3;
}

static size_t input_place(const void *state, size_t local) {
    const fft_transpose_state *s = state;
    return input_of(&s->shape, (size_t)s->common.rank, local);
}

/* [k1][k2] of a square, [k2][k1][k3] of a cube, k1 of one process. */
static size_t output_place(const void *state, size_t local) {
    const fft_transpose_state *s = state;
    const fft_shape *shape = &s->shape;
    if (shape->dimensions == 1) {
        return local;
    }
    size_t own1 = shape->n[0] / shape->groups[0];
    size_t first1 = (size_t)s->members[0] * own1;
    if (shape->dimensions == 2) {
        return first1 + local / shape->n[1] + shape->n[0] * (local % shape->n[1]);
    }
    size_t own2 = shape->n[1] / shape->groups[1];
    size_t k3 = local % shape->n[2];
    size_t k1 = first1 + local / shape->n[2] % own1;
    size_t k2 = (size_t)s->members[1] * own2 + local / shape->n[2] / own1;
    return k1 + shape->n[0] * (k2 + shape->n[1] * k3);
}

void fft_transpose_run(void *state, kernel_result *result) {
    fft_transpose_state *s = state;
    static const kernel_phase phases[CUBE_PHASES] = {first, transpose_first, second,
                                                     transpose_second, third};
    fft_fill(&s->common, s, input_place, s->points);
    phases_run(s->common.communicator, s->common.compute, phases,
               s->wanted == 2 ? SQUARE_PHASES : CUBE_PHASES, state, result);
}

void fft_transpose_verify(void *state, kernel_result *result) {
    const fft_transpose_state *s = state;
    fft_verify(&s->common, s, output_place, s->points, result);
}

void fft_transpose_owners(const kernel_task *task, int processes, unsigned dimensions, int *owner) {
    fft_shape shape = fft_shape_of(task->N, (size_t)processes, dimensions);
    size_t count = task->N / (size_t)processes;
    for (size_t q = 0; q < (size_t)processes; q++) {
        for (size_t local = 0; local < count; local++) {
            owner[input_of(&shape, q, local)] = (int)q;
        }
    }
}
