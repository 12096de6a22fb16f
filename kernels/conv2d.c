/* 2D convolution of two N x N complex images over MPI [CSW 4.1.3]: forward 2D transforms of both,
 * pointwise product, inverse 2D transform. Rows are block-distributed by marked speed. The column
 * pass of a distributed transform needs whole columns, so the images are transposed between the
 * processes before it and the product after it, which the paper's text leaves out. */
#include <complex.h>
/* After complex.h, so that its numbers are C's. */
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conv2d_check.h"
#include "distribution.h"
#include "phases.h"
#include "rows.h"

enum { PHASES = 6 };
static const char *const phase_names[] = {
    "T_distribute",   "T_forward_rows", "T_transpose", "T_columns",
    "T_inverse_rows", "T_collect",      NULL};
enum { TAG_FIRST = 1, TAG_SECOND = 2, TAG_RESULT = 3 };
enum { IMAGES = 2 };

typedef struct conv2d_state {
    MPI_Comm communicator;
    int rank;
    int processes;
    size_t N;
    uint64_t seed;
    kernel_compute *compute;
    size_t *starts; /* [processes + 1], first row of each process */
    size_t rows;    /* of this process */
    /* [rows][N] each; process 0: [N][N], its own rows first. The first becomes the result. */
    double complex *image[IMAGES];
    double complex *sent;     /* [rows][N], blocks for each process */
    double complex *received; /* [rows][N], blocks from each process */
    int *counts;              /* [processes], elements exchanged with each */
    int *places;              /* [processes], where they start */
    fftw_plan forward[IMAGES];
    fftw_plan inverse;
} conv2d_state;

/* Flops of one transform of N numbers, as the work counts them: 6 N of them are
 * 66 N^2 lg N + 84 N lg N. */
static double transform_flops(size_t N) {
    double n = (double)N;
    return (11 * n + 14) * log2(n);
}

/* Per element: the product, the scaling, and what else is not a transform. */
static const double product_flops = 21;

static double conv2d_work(size_t N) {
    double n = (double)N;
    return 6 * n * transform_flops(N) + product_flops * n * n;
}

static double conv2d_memory(const kernel_task *task, int rank, int processes) {
    double total = 0;
    for (int q = 0; q < processes; q++) {
        total += task->speeds[q];
    }
    double N = (double)task->N;
    double rows = ceil(N * task->speeds[rank] / total);
    double images = IMAGES * (rank == 0 ? N : rows);
    double exchange = processes > 1 ? 2 * rows : 0;
    return (double)sizeof(double complex) * N * (images + exchange);
}

static void conv2d_owners(const kernel_task *task, int processes, int *owner) {
    kernel_mm.owners(task, processes, owner);
}

static void conv2d_tear_down(void *state) {
    conv2d_state *s = state;
    for (size_t k = 0; k < IMAGES; k++) {
        fftw_destroy_plan(s->forward[k]);
        compute_free(s->compute, s->image[k]);
    }
    fftw_destroy_plan(s->inverse);
    compute_free(s->compute, s->sent);
    compute_free(s->compute, s->received);
    free(s->starts);
    free(s->counts);
    free(s->places);
    free(s);
}

static size_t rows_of(const conv2d_state *s, int q) {
    return s->starts[q + 1] - s->starts[q];
}

static bool allocate(conv2d_state *s, const kernel_task *task) {
    size_t processes = (size_t)s->processes;
    s->starts = malloc((processes + 1) * sizeof *s->starts);
    s->counts = malloc(processes * sizeof *s->counts);
    s->places = malloc(processes * sizeof *s->places);
    if (s->starts == NULL || s->counts == NULL || s->places == NULL ||
        !distribution_block(s->N, task->speeds, s->processes, s->starts)) {
        return false;
    }
    s->rows = rows_of(s, s->rank);
    size_t held = s->rank == 0 ? s->N : s->rows;
    size_t exchanged = s->processes > 1 ? s->rows : 0;
    for (size_t k = 0; k < IMAGES; k++) {
        s->image[k] = compute_allocate(s->compute, held * s->N, sizeof(double complex));
    }
    s->sent = compute_allocate(s->compute, exchanged * s->N, sizeof(double complex));
    s->received = compute_allocate(s->compute, exchanged * s->N, sizeof(double complex));
    return s->image[0] != NULL && s->image[1] != NULL && s->sent != NULL && s->received != NULL;
}

/* On one process both passes in one plan, which need no transposing; else the rows alone. */
static fftw_plan make_plan(const conv2d_state *s, double complex *image, int sign) {
    int N = (int)s->N;
    if (s->processes == 1) {
        return fftw_plan_dft_2d(N, N, image, image, sign, FFTW_MEASURE);
    }
    return fftw_plan_many_dft(1, &N, (int)s->rows, image, NULL, 1, N, image, NULL, 1, N, sign,
                              FFTW_MEASURE);
}

static bool plan(conv2d_state *s) {
    if (s->compute->modelled || s->rows == 0) {
        return true;
    }
    for (size_t k = 0; k < IMAGES; k++) {
        s->forward[k] = make_plan(s, s->image[k], FFTW_FORWARD);
    }
    s->inverse = make_plan(s, s->image[0], FFTW_BACKWARD);
    return s->forward[0] != NULL && s->forward[1] != NULL && s->inverse != NULL;
}

static void *conv2d_set_up(const kernel_task *task) {
    conv2d_state *s = calloc(1, sizeof *s);
    bool complete = s != NULL;
    if (s != NULL) {
        *s = (conv2d_state){.communicator = task->communicator,
                            .N = task->N,
                            .seed = task->seed,
                            .compute = task->compute};
        MPI_Comm_rank(s->communicator, &s->rank);
        MPI_Comm_size(s->communicator, &s->processes);
        complete = allocate(s, task) && plan(s);
    }
    bool all = phases_all(task->communicator, complete);
    if (s == NULL || !all) {
        if (s != NULL) {
            conv2d_tear_down(s);
        }
        return NULL;
    }
    return s;
}

static void distribute(void *state) {
    conv2d_state *s = state;
    static const int tags[IMAGES] = {TAG_FIRST, TAG_SECOND};
    for (size_t k = 0; k < IMAGES && s->rank != 0; k++) {
        rows_receive((double *)s->image[k], s->rows, 2 * s->N, 0, tags[k], s->communicator);
    }
    for (int q = 1; q < s->processes && s->rank == 0; q++) {
        for (size_t k = 0; k < IMAGES; k++) {
            rows_send((const double *)(s->image[k] + s->starts[q] * s->N), rows_of(s, q), 2 * s->N,
                      q, tags[k], s->communicator);
        }
    }
}

static void transform(const conv2d_state *s, fftw_plan plan) {
    double passes = s->processes == 1 ? 2 : 1;
    double flops = passes * (double)s->rows * transform_flops(s->N);
    if (s->rows > 0 && compute_charge(s->compute, flops)) {
        fftw_execute(plan);
    }
}

static void forward_rows(void *state) {
    const conv2d_state *s = state;
    for (size_t k = 0; k < IMAGES; k++) {
        transform(s, s->forward[k]);
    }
}

/* The block for process q: its columns of this process's rows, as rows. In tiles, as rows and
 * columns far apart share no cache line. */
static void pack(const conv2d_state *s, const double complex *image, int q, double complex *block) {
    enum { TILE = 16 };
    size_t columns = rows_of(s, q);
    const double complex *from = image + s->starts[q];
    for (size_t i = 0; i < s->rows; i += TILE) {
        for (size_t j = 0; j < columns; j++) {
            size_t end = i + TILE < s->rows ? i + TILE : s->rows;
            for (size_t k = i; k < end; k++) {
                block[j * s->rows + k] = from[k * s->N + j];
            }
        }
    }
}

static void unpack(const conv2d_state *s, int q, const double complex *block,
                   double complex *image) {
    size_t columns = rows_of(s, q);
    for (size_t i = 0; i < s->rows; i++) {
        memcpy(image + i * s->N + s->starts[q], block + i * columns, columns * sizeof *block);
    }
}

/* Rows become columns over all processes. */
static void transpose(const conv2d_state *s, double complex *image) {
    if (s->processes == 1) {
        return;
    }
    for (int q = 0; q < s->processes; q++) {
        s->counts[q] = (int)(s->rows * rows_of(s, q));
        s->places[q] = (int)(s->rows * s->starts[q]);
        if (!s->compute->modelled) {
            pack(s, image, q, s->sent + s->places[q]);
        }
    }
    MPI_Alltoallv(s->sent, s->counts, s->places, MPI_C_DOUBLE_COMPLEX, s->received, s->counts,
                  s->places, MPI_C_DOUBLE_COMPLEX, s->communicator);
    for (int q = 0; q < s->processes && !s->compute->modelled; q++) {
        unpack(s, q, s->received + s->places[q], image);
    }
}

static void transpose_both(void *state) {
    const conv2d_state *s = state;
    for (size_t k = 0; k < IMAGES; k++) {
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
    if (compute_charge(s->compute, product_flops * (double)count)) {
        double scale = 1 / ((double)s->N * (double)s->N);
        double *restrict a = (double *)s->image[0];
        const double *restrict b = (const double *)s->image[1];
        for (size_t k = 0; k < 2 * count; k += 2) {
            double real = (a[k] * b[k] - a[k + 1] * b[k + 1]) * scale;
            a[k + 1] = (a[k] * b[k + 1] + a[k + 1] * b[k]) * scale;
            a[k] = real;
        }
    }
    if (s->processes > 1) {
        transform(s, s->inverse);
    }
}

static void inverse_rows(void *state) {
    const conv2d_state *s = state;
    transpose(s, s->image[0]);
    transform(s, s->inverse);
}

static void collect(void *state) {
    conv2d_state *s = state;
    if (s->rank != 0) {
        rows_send((const double *)s->image[0], s->rows, 2 * s->N, 0, TAG_RESULT, s->communicator);
        return;
    }
    for (int q = 1; q < s->processes; q++) {
        rows_receive((double *)(s->image[0] + s->starts[q] * s->N), rows_of(s, q), 2 * s->N, q,
                     TAG_RESULT, s->communicator);
    }
}

/* The transforms are done in place, so each run has its input made anew. */
static void fill(const conv2d_state *s) {
    for (unsigned k = 0; k < IMAGES; k++) {
        for (size_t i = 0; i < s->N; i++) {
            for (size_t j = 0; j < s->N; j++) {
                s->image[k][i * s->N + j] = conv2d_input(s->seed, k, i, j);
            }
        }
    }
}

static void conv2d_run(void *state, kernel_result *result) {
    const conv2d_state *s = state;
    static const kernel_phase phases[PHASES] = {distribute, forward_rows, transpose_both,
                                                columns,    inverse_rows, collect};
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
    .name = "conv2d",
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
