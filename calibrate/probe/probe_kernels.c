#include "probe_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/conv2d_local.h"
#include "kernels/distribution.h"
#include "kernels/ge_local.h"
#include "kernels/mm_local.h"
#include "probe_clock.h"

/* The rows of one process; made anew for each size, kept between calls. */
typedef struct elimination {
    size_t N;
    int *owner;    /* [N] */
    double *local; /* [rows][N + 1] */
    double *pivot; /* [N + 1] */
    size_t rows;
} elimination;

static void elimination_free(elimination *e) {
    free(e->owner);
    free(e->local);
    free(e->pivot);
    *e = (elimination){0};
}

static bool elimination_make(elimination *e, const probe_context *context, size_t N) {
    elimination_free(e);
    double *speeds = malloc((size_t)context->processes * sizeof *speeds);
    double *counts = malloc((size_t)context->processes * sizeof *counts);
    e->owner = malloc(N * sizeof *e->owner);
    bool complete = speeds != NULL && counts != NULL && e->owner != NULL;
    if (complete) {
        for (int q = 0; q < context->processes; q++) {
            speeds[q] = 1;
        }
        distribution_cyclic(N, speeds, context->processes, counts, e->owner);
        e->rows = (size_t)counts[context->rank];
        e->N = N;
        e->local = malloc((e->rows * (N + 1) + 1) * sizeof *e->local);
        e->pivot = malloc((N + 1) * sizeof *e->pivot);
        complete = e->local != NULL && e->pivot != NULL;
    }
    free(speeds);
    free(counts);
    return complete;
}

/* Diagonally dominant like the kernel's input, so that no number gets out of hand. */
static void elimination_fill(elimination *e, int rank) {
    size_t width = e->N + 1;
    size_t r = 0;
    for (size_t i = 0; i < e->N; i++) {
        for (size_t j = 0; e->owner[i] == rank && j < width; j++) {
            double noise = (double)((i * 7919 + j * 104729) % 2003) / 2003 - 0.5;
            e->local[r * width + j] = i == j ? (double)e->N + noise : noise;
        }
        r += e->owner[i] == rank;
    }
    for (size_t j = 0; j < width; j++) {
        e->pivot[j] = j % 2 == 0 ? 0.25 : -0.25;
    }
}

static double ge_bytes(const probe_context *context, size_t N) {
    return 8 * (double)N * ((double)N + 1) / context->processes;
}

static elimination eliminated;

static void ge_prepare(const probe_context *context, size_t N) {
    bool there = eliminated.N == N && eliminated.local != NULL && eliminated.pivot != NULL;
    if (!there && !elimination_make(&eliminated, context, N)) {
        MPI_Abort(context->communicator, 5);
        return;
    }
    elimination_fill(&eliminated, context->rank);
}

/* An elimination is timed by parts that have as many flops each, and of a long part some rounds
 * stand for all: what a round takes per flop depends on how much is left, which changes little
 * within one. A whole elimination that fills the caches takes seconds, and would be measured once
 * where the machine's state changes every few seconds. The round before brings into the caches what
 * would be there. */
enum { PARTS = 16, ROUNDS_BEFORE = 1, ROUNDS_TIMED = 3, WHOLE_MOST = 256 };

/* A small one is timed as a whole: a look at the clock takes as long as some of its rounds. */
static size_t part_count(size_t N) {
    return N <= WHOLE_MOST ? 1 : PARTS;
}

static size_t part_start(size_t N, size_t part) {
    double left = cbrt(1 - (double)part / (double)part_count(N)); /* of the rank */
    return (size_t)fmin(round((double)N * (1 - left)), (double)N - 1);
}

/* What of an elimination a process has gone through. */
typedef struct progress {
    size_t round; /* the next */
    size_t done;  /* rows of this process before it */
} progress;

/* Goes on to a round; gives the flop of this process in those between. */
static double pass_over(const elimination *e, int rank, size_t round, progress *at) {
    double flops = 0;
    for (; at->round < round; at->round++) {
        at->done += e->owner[at->round] == rank;
        flops += ge_update_flops(e->rows - at->done, at->round, e->N + 1);
    }
    return flops;
}

/* Makes rounds, from where it is to another one. */
static void make_rounds(const elimination *e, int rank, size_t end, progress *at) {
    size_t width = e->N + 1;
    for (; at->round < end; at->round++) {
        size_t i = at->round;
        double *pivot_row = e->pivot + i;
        e->pivot[i] = (double)e->N;
        if (e->owner[i] == rank) {
            pivot_row = e->local + at->done * width + i;
            at->done++;
        }
        ge_update(e->local + at->done * width, e->rows - at->done, width, i, width, pivot_row);
    }
}

/* Seconds of the rounds of one part, from where it is. */
static double time_part(const elimination *e, int rank, size_t end, progress *at) {
    size_t start = at->round;
    size_t before = 0;
    size_t timed = end - start;
    if (part_count(e->N) > 1 && timed > ROUNDS_BEFORE + ROUNDS_TIMED) {
        before = (timed - ROUNDS_TIMED) / 2;
        timed = ROUNDS_TIMED;
    }
    progress whole = *at;
    double all = pass_over(e, rank, end, &whole);
    if (before > 0) {
        pass_over(e, rank, start + before - ROUNDS_BEFORE, at);
        make_rounds(e, rank, start + before, at);
    }
    progress part = *at;
    double flops = pass_over(e, rank, at->round + timed, &part);
    double begin = MPI_Wtime();
    make_rounds(e, rank, at->round + timed, at);
    double seconds = MPI_Wtime() - begin;
    *at = whole;
    return flops > 0 ? seconds * all / flops : 0;
}

static double ge_call(const probe_context *context, size_t N) {
    const elimination *e = &eliminated;
    progress at = {0, 0};
    probe_synchronise(context);
    double seconds = 0;
    for (size_t part = 0; part < part_count(N); part++) {
        seconds += time_part(e, context->rank, part_start(N, part + 1), &at);
    }
    /* The back substitution is measured apart. */
    double flops = ge_flops(N) - ge_back_substitute_flops(N);
    return seconds / (fmax(flops, 1) / context->processes);
}

static double ge_call_work(size_t N) {
    double n = (double)N;
    double round = 2 * n * n; /* the first; the others have 0.6 of it on average */
    return N <= WHOLE_MOST ? ge_work(N)
                           : fmin(ge_work(N), 0.6 * PARTS * (ROUNDS_BEFORE + ROUNDS_TIMED) * round);
}

/* Rows of a block of one process. */
static size_t block_rows(const probe_context *context, size_t N) {
    size_t processes = (size_t)context->processes;
    size_t rank = (size_t)context->rank;
    return N * (rank + 1) / processes - N * rank / processes;
}

/* Three arrays that grow as they are needed. */
enum { ARRAYS = 3 };
static double *arrays[ARRAYS];
static size_t array_numbers[ARRAYS];

static double *array(const probe_context *context, size_t which, size_t numbers) {
    if (array_numbers[which] < numbers) {
        free(arrays[which]);
        arrays[which] = malloc(numbers * sizeof(double));
        array_numbers[which] = numbers;
        if (arrays[which] == NULL) {
            MPI_Abort(context->communicator, 5);
        }
    }
    return arrays[which];
}

static void fill(double *numbers, size_t count) {
    for (size_t k = 0; k < count; k++) {
        numbers[k] = (double)(k % 2003) / 2003 - 0.5;
    }
}

static double mm_bytes(const probe_context *context, size_t N) {
    double n = (double)N;
    return 8 * (n * n + 2 * n * n / context->processes);
}

static void mm_prepare(const probe_context *context, size_t N) {
    size_t rows = block_rows(context, N);
    fill(array(context, 0, rows * N + 1), rows * N);
    fill(array(context, 1, N * N), N * N);
    fill(array(context, 2, rows * N + 1), rows * N);
}

static double mm_call(const probe_context *context, size_t N) {
    probe_synchronise(context);
    double start = MPI_Wtime();
    mm_multiply(arrays[0], arrays[1], arrays[2], block_rows(context, N), N);
    return (MPI_Wtime() - start) / (mm_work(N) / context->processes);
}

static conv2d_plans plans;

static double conv2d_bytes(const probe_context *context, size_t N) {
    double images = context->processes > 1 ? 4 : 2;
    return images * 16 * (double)N * (double)N / context->processes;
}

static double complex *image(size_t which) {
    return (double complex *)arrays[which];
}

static void conv2d_prepare(const probe_context *context, size_t N) {
    size_t rows = block_rows(context, N);
    conv2d_plans_free(&plans);
    array(context, 0, 2 * rows * N + 1);
    array(context, 1, 2 * rows * N + 1);
    if (!conv2d_plan(&plans, rows, N, context->processes == 1)) {
        MPI_Abort(context->communicator, 5);
    }
}

/* Both passes over an image; `last`: those of an inverse. */
static void conv2d_transform(const probe_context *context, size_t which, size_t rows, bool last) {
    if (context->processes == 1) {
        conv2d_transform_whole(&plans, image(which), last);
        return;
    }
    conv2d_transform_rows(&plans, image(which), rows, false);
    conv2d_transform_rows(&plans, image(which), rows, last);
}

/* Both passes of both images, the product, and both passes of the inverse. */
static double conv2d_call(const probe_context *context, size_t N) {
    size_t rows = block_rows(context, N);
    fill(arrays[0], 2 * rows * N);
    fill(arrays[1], 2 * rows * N);
    probe_synchronise(context);
    double start = MPI_Wtime();
    conv2d_transform(context, 0, rows, false);
    conv2d_transform(context, 1, rows, false);
    conv2d_multiply(image(0), image(1), rows * N, N);
    conv2d_transform(context, 0, rows, true);
    return (MPI_Wtime() - start) / (conv2d_work(N) / context->processes);
}

/* J. McCalpin's triad (1995), a = b + 3 c, on N^2/p numbers of each array. */
static double triad_work(size_t N) {
    return 2 * (double)N * (double)N;
}

static double triad_bytes(const probe_context *context, size_t N) {
    return 24 * (double)N * (double)N / context->processes;
}

static void triad_prepare(const probe_context *context, size_t N) {
    size_t count = block_rows(context, N) * N;
    for (size_t k = 0; k < ARRAYS; k++) {
        fill(array(context, k, count + 1), count);
    }
}

static double triad_call(const probe_context *context, size_t N) {
    size_t count = block_rows(context, N) * N;
    double *restrict a = arrays[0];
    const double *restrict b = arrays[1];
    const double *restrict c = arrays[2];
    probe_synchronise(context);
    double start = MPI_Wtime();
    for (size_t i = 0; i < count; i++) {
        a[i] = b[i] + 3 * c[i];
    }
    return (MPI_Wtime() - start) / (triad_work(N) / context->processes);
}

const probe_kernel probe_kernels[] = {
    {"ge", ge_call_work, ge_bytes, ge_prepare, ge_call, 1, 0, false},
    {"mm", mm_work, mm_bytes, mm_prepare, mm_call, 1, 0, false},
    {"conv2d", conv2d_work, conv2d_bytes, conv2d_prepare, conv2d_call, 1, 0, true},
    {"triad", triad_work, triad_bytes, triad_prepare, triad_call, 0.1, 2048, false},
    {NULL, NULL, NULL, NULL, NULL, 0, 0, false}};

const size_t *probe_kernels_problems(const probe_options *o, const probe_kernel *kernel,
                                     size_t *count) {
    bool own = kernel->planned && o->planned_count > 0;
    *count = own ? o->planned_count : o->problem_count;
    return own ? o->planned : o->problems;
}

static size_t next_problem(const size_t *problems, size_t count, size_t above) {
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (problems[i] > above && (next == 0 || problems[i] < next)) {
            next = problems[i];
        }
    }
    return next;
}

size_t probe_kernels_plan(const probe_context *context, const size_t *problems, size_t count,
                          double seconds) {
    double start = probe_clock_steady();
    size_t largest = 0;
    int going = 1;
    for (size_t N; going != 0 && (N = next_problem(problems, count, largest)) != 0;) {
        for (const probe_kernel *kernel = probe_kernels; kernel->name != NULL; kernel++) {
            if (kernel->planned) {
                kernel->prepare(context, N);
            }
        }
        largest = N;
        going = probe_clock_steady() - start < seconds;
        MPI_Bcast(&going, 1, MPI_INT, 0, context->communicator);
    }
    return largest;
}

void probe_kernels_remember(const probe_context *context, const char *file) {
    (void)context;
    if (file != NULL) {
        fftw_import_wisdom_from_filename(file);
    }
}

void probe_kernels_save(const probe_context *context, const char *file) {
    if (file != NULL && context->rank == 0) {
        fftw_export_wisdom_to_filename(file);
    }
}
