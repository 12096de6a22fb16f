/* 2D convolution of two N x N complex images over MPI [CSW 4.1.3]: forward 2D transforms of both,
 * pointwise product, inverse 2D transform. Rows are block-distributed by marked speed. The column
 * pass of a distributed transform needs whole columns, so the images are transposed between the
 * processes before it and the product after it, which the paper's text leaves out. */
#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "conv2d_local.h"
#include "input.h"
#include "model/base/distribution.h"
#include "phases.h"
#include "rows.h"
#include "transpose.h"

enum { SERIAL_MAX = 24, PLACES = 4, INPUT_PLACE = 4 };

/* The inputs: complex numbers from input_element(). which: 0 or 1. */
static double complex conv2d_input(uint64_t seed, unsigned which, size_t i, size_t j) {
    return input_element(seed, 2 * which, i, j) + I * input_element(seed, 2 * which + 1, i, j);
}

/* A NaN must count as wrong, and fmax() would drop it. */
static double larger(double error, double most) {
    return error <= most ? most : error;
}

static double norm(uint64_t seed, size_t N, unsigned which) {
    double squares = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            double complex z = conv2d_input(seed, which, i, j);
            squares += creal(z) * creal(z) + cimag(z) * cimag(z);
        }
    }
    return sqrt(squares);
}

static double complex serial_element(uint64_t seed, size_t N, size_t i, size_t j) {
    double complex sum = 0;
    for (size_t k = 0; k < N; k++) {
        for (size_t l = 0; l < N; l++) {
            sum += conv2d_input(seed, 0, k, l) *
                   conv2d_input(seed, 1, (i + N - k) % N, (j + N - l) % N);
        }
    }
    return sum;
}

static double serial_error(uint64_t seed, size_t N, const double complex *result) {
    double most = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            most = larger(cabs(result[i * N + j] - serial_element(seed, N, i, j)), most);
        }
    }
    return most;
}

/* The sums of an image times exp(-2 pi i (u row + v column)/N); `result` NULL: of an input. */
static double complex spectrum(uint64_t seed, size_t N, unsigned which,
                               const double complex *result, const double complex *roots, size_t u,
                               size_t v) {
    double complex sum = 0;
    for (size_t i = 0; i < N; i++) {
        double complex row = 0;
        for (size_t j = 0; j < N; j++) {
            double complex z = result != NULL ? result[i * N + j] : conv2d_input(seed, which, i, j);
            row += z * roots[v * j % N];
        }
        sum += row * roots[u * i % N];
    }
    return sum;
}

static double spectrum_error(uint64_t seed, size_t N, const double complex *result) {
    double complex *roots = malloc(N * sizeof *roots);
    if (roots == NULL) {
        return NAN;
    }
    for (size_t k = 0; k < N; k++) {
        roots[k] = cexp(-2 * I * acos(-1) * (double)k / (double)N);
    }
    double most = 0;
    for (size_t place = 0; place < PLACES; place++) {
        /* The sum of all elements first, then places that the seed chooses. */
        double row = fabs(input_element(seed, INPUT_PLACE, place, 0)) * (double)N;
        double column = fabs(input_element(seed, INPUT_PLACE, place, 1)) * (double)N;
        size_t u = place == 0 ? 0 : (size_t)row % N;
        size_t v = place == 0 ? 0 : (size_t)column % N;
        double complex due =
            spectrum(seed, N, 0, NULL, roots, u, v) * spectrum(seed, N, 1, NULL, roots, u, v);
        most = larger(cabs(spectrum(seed, N, 0, result, roots, u, v) - due), most);
    }
    free(roots);
    return most;
}

/* Largest error of the result (shape [N][N]) relative to the norms of the inputs: against the
 * convolution's own sums up to N = 24; above, at a few places of the spectrum, where the result's
 * must be the product of the inputs'. NAN where memory is short. */
static double conv2d_error(uint64_t seed, size_t N, const double complex *result) {
    double error =
        N <= SERIAL_MAX ? serial_error(seed, N, result) : spectrum_error(seed, N, result);
    return error / (norm(seed, N, 0) * norm(seed, N, 1));
}

enum { PHASES = 7 };
static const char *const phase_names[] = {
    "T_distribute",     "T_forward_rows", "T_transpose", "T_columns",
    "T_transpose_back", "T_inverse_rows", "T_collect",   NULL};
enum { TAG_FIRST = 1, TAG_SECOND = 2, TAG_RESULT = 3 };

typedef struct conv2d_state {
    KERNEL_STATE;
    size_t *starts; /* [processes + 1], first row of each process */
    size_t rows;    /* of this process */
    /* [rows][N] each; process 0: [N][N], its own rows first. The first becomes the result. */
    double complex *image[CONV2D_IMAGES];
    double complex *sent;     /* [rows][N], blocks for each process */
    double complex *received; /* [rows][N], blocks from each process */
    int *counts;              /* [4][processes], of a transpose */
    conv2d_plans plans;
} conv2d_state;

static double conv2d_memory(const kernel_task *task, int rank, int processes) {
    double N = (double)task->N;
    double rows = ceil(N * isocast_distribution_share(task->speeds, processes, rank));
    double images = CONV2D_IMAGES * (rank == 0 ? N : rows);
    double exchange = processes > 1 ? 2 * rows : 0;
    return (double)sizeof(double complex) * N * (images + exchange);
}

static void conv2d_owners(const kernel_task *task, int processes, int *owner) {
    kernel_mm.owners(task, processes, owner);
}

static void conv2d_tear_down(void *state) {
    conv2d_state *s = state;
    conv2d_plans_free(&s->plans);
    for (size_t k = 0; k < CONV2D_IMAGES; k++) {
        compute_free(s->compute, s->image[k]);
    }
    compute_free(s->compute, s->sent);
    compute_free(s->compute, s->received);
    free(s->starts);
    free(s->counts);
    free(s);
}

static size_t rows_of(const conv2d_state *s, int q) {
    return s->starts[q + 1] - s->starts[q];
}

static bool allocate(conv2d_state *s, const kernel_task *task) {
    size_t processes = (size_t)s->processes;
    s->starts = malloc((processes + 1) * sizeof *s->starts);
    s->counts = malloc(4 * processes * sizeof *s->counts);
    if (s->starts == NULL || s->counts == NULL ||
        !isocast_distribution_block(s->N, task->speeds, s->processes, s->starts)) {
        return false;
    }
    s->rows = rows_of(s, s->rank);
    size_t held = s->rank == 0 ? s->N : s->rows;
    size_t exchanged = s->processes > 1 ? s->rows : 0;
    for (size_t k = 0; k < CONV2D_IMAGES; k++) {
        s->image[k] = compute_allocate(s->compute, held * s->N, sizeof(double complex));
    }
    s->sent = compute_allocate(s->compute, exchanged * s->N, sizeof(double complex));
    s->received = compute_allocate(s->compute, exchanged * s->N, sizeof(double complex));
    return s->image[0] != NULL && s->image[1] != NULL && s->sent != NULL && s->received != NULL;
}

/* On one process rows and columns, which needs no transposing; else the rows alone. */
static bool plan(conv2d_state *s) {
    return s->compute->modelled || conv2d_plan(&s->plans, s->rows, s->N, s->processes == 1);
}

/* A transpose counts the numbers of a block with an int, and a simulator's messages end at 2 GiB.
 */
static bool fits_messages(const conv2d_state *s) {
    size_t widest = 1;
    for (int q = 0; q < s->processes; q++) {
        widest = rows_of(s, q) > widest ? rows_of(s, q) : widest;
    }
    size_t most = s->compute->modelled ? (size_t)1 << 27 : INT_MAX;
    return s->processes == 1 || widest <= most / widest;
}

static void *conv2d_set_up(const kernel_task *task) {
    conv2d_state *s = phases_begin(task, sizeof *s);
    bool complete = s != NULL && allocate(s, task) && fits_messages(s) && plan(s);
    return phases_keep(task->communicator, s, complete, conv2d_tear_down);
}

/* The rows of process q in an image of process 0, for a message. */
static double *rows_at(const conv2d_state *s, int q, size_t k) {
    return compute_at(s->compute, s->image[k], s->starts[q] * s->N, sizeof *s->image[k]);
}

static void distribute(void *state) {
    conv2d_state *s = state;
    static const int tags[CONV2D_IMAGES] = {TAG_FIRST, TAG_SECOND};
    for (size_t k = 0; k < CONV2D_IMAGES && s->rank != 0; k++) {
        rows_receive(s->compute, (double *)s->image[k], s->rows, 2 * s->N, 0, tags[k],
                     s->communicator);
    }
    for (int q = 1; q < s->processes && s->rank == 0; q++) {
        for (size_t k = 0; k < CONV2D_IMAGES; k++) {
            rows_send(s->compute, rows_at(s, q, k), rows_of(s, q), 2 * s->N, q, tags[k],
                      s->communicator);
        }
    }
}

/* Of this process's rows, on one process of the columns, too. `last`: the last pass of an inverse.
 */
static void transform(const conv2d_state *s, size_t k, bool last) {
    bool whole = s->processes == 1;
    double flops = (whole ? 2 : 1) * (double)s->rows * conv2d_transform_flops(s->N);
    if (s->rows == 0 || !compute_charge(s->compute, flops)) {
        return;
    }
    if (whole) {
        conv2d_transform_whole(&s->plans, s->image[k], last);
    } else {
        conv2d_transform_rows(&s->plans, s->image[k], s->rows, last);
    }
}

static void forward_rows(void *state) {
    const conv2d_state *s = state;
    for (size_t k = 0; k < CONV2D_IMAGES; k++) {
        transform(s, k, false);
    }
}

/* Rows become columns over all processes; on one they are transformed where they are. */
static void transpose(const conv2d_state *s, double complex *image) {
    if (s->processes > 1) {
        transpose_plan plan = {.communicator = s->communicator,
                               .rank = s->rank,
                               .processes = s->processes,
                               .layers = 1,
                               .row_starts = s->starts,
                               .column_starts = s->starts,
                               .sent = s->sent,
                               .received = s->received,
                               .counts = s->counts,
                               .modelled = s->compute->modelled};
        transpose_rows(&plan, image);
    }
}

static void transpose_both(void *state) {
    const conv2d_state *s = state;
    for (size_t k = 0; k < CONV2D_IMAGES; k++) {
        transpose(s, s->image[k]);
    }
}

/* The column pass of the forward transforms, the product, and the column pass of the inverse. */
static void columns(void *state) {
    conv2d_state *s = state;
    if (s->processes > 1) {
        forward_rows(s);
    }
    size_t count = s->rows * s->N;
    if (compute_charge(s->compute, conv2d_multiply_flops(count))) {
        conv2d_multiply(s->image[0], s->image[1], count, s->N);
    }
    if (s->processes > 1) {
        transform(s, 0, false);
    }
}

static void transpose_back(void *state) {
    const conv2d_state *s = state;
    transpose(s, s->image[0]);
}

static void inverse_rows(void *state) {
    const conv2d_state *s = state;
    transform(s, 0, true);
}

static void collect(void *state) {
    conv2d_state *s = state;
    if (s->rank != 0) {
        rows_send(s->compute, (double *)s->image[0], s->rows, 2 * s->N, 0, TAG_RESULT,
                  s->communicator);
        return;
    }
    for (int q = 1; q < s->processes; q++) {
        rows_receive(s->compute, rows_at(s, q, 0), rows_of(s, q), 2 * s->N, q, TAG_RESULT,
                     s->communicator);
    }
}

/* The transforms are done in place, so each run has its input made again. */
static void fill(const conv2d_state *s) {
    for (unsigned k = 0; k < CONV2D_IMAGES; k++) {
        for (size_t i = 0; i < s->N; i++) {
            for (size_t j = 0; j < s->N; j++) {
                s->image[k][i * s->N + j] = conv2d_input(s->seed, k, i, j);
            }
        }
    }
}

static void conv2d_run(void *state, kernel_result *result) {
    const conv2d_state *s = state;
    static const kernel_phase phases[PHASES] = {
        distribute, forward_rows, transpose_both, columns, transpose_back, inverse_rows, collect};
    if (s->rank == 0 && !s->compute->modelled) {
        fill(s);
    }
    phases_run(s->communicator, s->compute, phases, PHASES, state, result);
}

static void conv2d_verify(void *state, kernel_result *result) {
    const conv2d_state *s = state;
    if (s->rank == 0) {
        result->error = conv2d_error(s->seed, s->N, s->image[0]);
    }
}

const kernel kernel_conv2d = {
    .id = KERNEL_ID_conv2d,
    .algorithm = "convolution-2d",
    .summary = "2D circular convolution by FFT, heterogeneous row-block",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 1,
    .work = conv2d_work,
    .flops = conv2d_work,
    .memory = conv2d_memory,
    .set_up = conv2d_set_up,
    .run = conv2d_run,
    .verify = conv2d_verify,
    .tear_down = conv2d_tear_down,
    .owners = conv2d_owners,
};
