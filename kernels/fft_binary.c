/* Fast Fourier transform by binary exchange [GGKK 13.2.1]: in each of the first lg p steps a
 * process exchanges all its points with the one that has the other half of a butterfly; what is
 * left is a transform of N/p points on each. Decimation in frequency: process q ends with the
 * outputs whose last lg p bits are those of q in reverse. */
#include <limits.h>
#include <stdlib.h>

#include "fft.h"
#include "phases.h"

enum { STEPS_MAX = 31, PHASES = 2, TAG_EXCHANGE = 1 };
static const char *const phase_names[] = {"T_exchange", "T_transform", NULL};

typedef struct fft_binary_state {
    fft_common common;
    double complex *points;           /* [count] */
    double complex *other;            /* [count], of the partner */
    double complex *roots[STEPS_MAX]; /* [lg p][count], where this process has the upper half */
    fft_rows last;
} fft_binary_state;

static unsigned steps_of(const fft_common *c) {
    return fft_log2((size_t)c->processes);
}

/* How far away the partner of a step is. */
static int distance_of(const fft_common *c, unsigned step) {
    return c->processes >> (step + 1);
}

static bool is_upper(const fft_common *c, unsigned step) {
    return (c->rank & distance_of(c, step)) != 0;
}

static double fft_binary_memory(const kernel_task *task, int rank, int processes) {
    double upper = 0;
    for (int rest = rank; rest > 0; rest >>= 1) {
        upper += rest & 1;
    }
    double arrays = processes > 1 ? 2 + upper : 1;
    return arrays * (double)sizeof(double complex) * (double)task->N / processes;
}

static void fft_binary_tear_down(void *state) {
    fft_binary_state *s = state;
    fft_rows_free(&s->last);
    compute_free(s->common.compute, s->points);
    compute_free(s->common.compute, s->other);
    for (unsigned step = 0; step < STEPS_MAX; step++) {
        compute_free(s->common.compute, s->roots[step]);
    }
    free(s);
}

/* The upper half of a butterfly of M = N/2^step points takes the root of its place in it. */
static bool make_roots(fft_binary_state *s, unsigned step) {
    const fft_common *c = &s->common;
    double complex *roots = compute_allocate(c->compute, c->count, sizeof *roots);
    if (roots != NULL && !c->compute->modelled) {
        size_t place = (size_t)(c->rank & (distance_of(c, step) - 1)) * c->count;
        fft_roots(roots, c->count, c->N >> step, place, 1);
    }
    s->roots[step] = roots;
    return roots != NULL;
}

static bool allocate(fft_binary_state *s) {
    const fft_common *c = &s->common;
    s->points = compute_allocate(c->compute, c->count, sizeof *s->points);
    s->other = compute_allocate(c->compute, c->processes > 1 ? c->count : 0, sizeof *s->other);
    bool complete = s->points != NULL && s->other != NULL;
    for (unsigned step = 0; step < steps_of(c) && complete; step++) {
        complete = !is_upper(c, step) || make_roots(s, step);
    }
    return complete;
}

/* A message counts numbers with an int, and a simulator's messages end at 2 GiB. */
static bool fits_messages(const fft_common *c) {
    size_t most = c->compute->modelled ? ((size_t)1 << 27) - 1 : INT_MAX;
    return c->processes == 1 || c->count <= most;
}

static void *fft_binary_set_up(const kernel_task *task) {
    fft_binary_state *s = calloc(1, sizeof *s);
    bool complete = false;
    if (s != NULL) {
        s->common = fft_begin(task);
        complete = allocate(s) && fits_messages(&s->common) &&
                   (task->compute->modelled || fft_rows_plan(&s->last, 1, s->common.count));
    }
    return phases_keep(task->communicator, s, complete, fft_binary_tear_down);
}

static void exchange(void *state) {
    fft_binary_state *s = state;
    const fft_common *c = &s->common;
    for (unsigned step = 0; step < steps_of(c); step++) {
        int partner = c->rank ^ distance_of(c, step);
        MPI_Sendrecv(s->points, (int)c->count, MPI_C_DOUBLE_COMPLEX, partner, TAG_EXCHANGE,
                     s->other, (int)c->count, MPI_C_DOUBLE_COMPLEX, partner, TAG_EXCHANGE,
                     c->communicator, MPI_STATUS_IGNORE);
        bool upper = is_upper(c, step);
        double flops = (upper ? FFT_UPPER_FLOPS : FFT_LOWER_FLOPS) * (double)c->count;
        if (!compute_charge(c->compute, flops)) {
            continue;
        }
        if (upper) {
            fft_upper(s->points, s->other, s->roots[step], c->count);
        } else {
            fft_lower(s->points, s->other, c->count);
        }
    }
}

static void transform(void *state) {
    fft_binary_state *s = state;
    if (compute_charge(s->common.compute, fft_rows_flops(s->common.count, s->common.count))) {
        fft_rows_run(&s->last, s->points);
    }
}

static size_t input_place(const void *state, size_t local) {
    const fft_common *c = &((const fft_binary_state *)state)->common;
    return (size_t)c->rank * c->count + local;
}

static size_t output_place(const void *state, size_t local) {
    const fft_common *c = &((const fft_binary_state *)state)->common;
    size_t reversed = 0;
    for (unsigned step = 0; step < steps_of(c); step++) {
        reversed |= is_upper(c, step) ? (size_t)1 << step : 0;
    }
    return reversed + (size_t)c->processes * local;
}

static void fft_binary_run(void *state, kernel_result *result) {
    fft_binary_state *s = state;
    static const kernel_phase phases[PHASES] = {exchange, transform};
    fft_fill(&s->common, s, input_place, s->points);
    phases_run(s->common.communicator, s->common.compute, phases, PHASES, state, result);
}

static void fft_binary_verify(void *state, kernel_result *result) {
    const fft_binary_state *s = state;
    fft_verify(&s->common, s, output_place, s->points, result);
}

const kernel kernel_fft_binary = {
    .id = KERNEL_ID_fft_binary,
    .algorithm = "fft-binary-exchange",
    .summary = "fast Fourier transform by binary exchange",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 2,
    .work = fft_work,
    .flops = fft_work,
    .memory = fft_binary_memory,
    .set_up = fft_binary_set_up,
    .run = fft_binary_run,
    .verify = fft_binary_verify,
    .tear_down = fft_binary_tear_down,
    .owners = fft_owners,
    .refusal = fft_refusal,
};
