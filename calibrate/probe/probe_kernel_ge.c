/* The elimination of the kernel ge. */
#include <math.h>
#include <stdlib.h>

#include "kernels/ge_local.h"
#include "kernels/ge_rounds.h"
#include "model/base/distribution.h"
#include "probe_clock.h"
#include "probe_kernels.h"

/* The rows of one process; made again for each size, kept between calls. */
typedef struct elimination {
    size_t N;
    int processes;
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
        complete = isocast_distribution_cyclic(N, speeds, context->processes, counts, e->owner);
    }
    if (complete) {
        e->rows = (size_t)counts[context->rank];
        e->N = N;
        e->processes = context->processes;
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
    e->pivot[0] = (double)e->N;
}

static double ge_bytes(const probe_context *context, size_t N) {
    return 8 * (double)N * ((double)N + 1) / context->processes;
}

static elimination eliminated;

static void ge_prepare(const probe_context *context, size_t N) {
    bool there = eliminated.N == N && eliminated.processes == context->processes &&
                 eliminated.local != NULL && eliminated.pivot != NULL;
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
enum { PARTS = 16, ROUNDS_BEFORE = 1, ROUNDS_TIMED = 3, WHOLE_MAX = 256 };

/* A small one is timed as a whole: a look at the clock takes as long as some of its rounds. */
static size_t part_count(size_t N) {
    return N <= WHOLE_MAX ? 1 : PARTS;
}

static size_t part_start(size_t N, size_t part) {
    double left = cbrt(1 - (double)part / (double)part_count(N)); /* of the rank */
    return (size_t)fmin(round((double)N * (1 - left)), (double)N - 1);
}

/* An elimination by this process alone. The rows of others never arrive: what stands in their place
 * stays. */
static ge_rounds rounds_of(const elimination *e, int rank, kernel_compute *compute) {
    return (ge_rounds){.compute = compute,
                       .communicator = MPI_COMM_SELF,
                       .alone = true,
                       .owner = e->owner,
                       .rank = rank,
                       .local = e->local,
                       .pivot = e->pivot,
                       .rows = e->rows,
                       .width = e->N + 1,
                       .updates = piecework_start(compute)};
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

/* Seconds of the rounds of one part, from where it is. */
static double time_part(const elimination *e, int rank, size_t end, progress *at) {
    size_t start = at->round;
    size_t before = 0;
    size_t timed = end - start;
    if (part_count(e->N) > 1 && timed > ROUNDS_BEFORE + ROUNDS_TIMED) {
        before = (timed - ROUNDS_TIMED) / 2;
        timed = ROUNDS_TIMED;
    }
    kernel_compute compute = {.modelled = false};
    ge_rounds rounds = rounds_of(e, rank, &compute);
    progress whole = *at;
    double all = pass_over(e, rank, end, &whole);
    if (before > 0) {
        pass_over(e, rank, start + before - ROUNDS_BEFORE, at);
        rounds.done = at->done;
        ge_rounds_make(&rounds, at->round, start + before);
        pass_over(e, rank, start + before, at);
    }
    progress part = *at;
    double flops = pass_over(e, rank, at->round + timed, &part);
    rounds.done = at->done;
    double begin = MPI_Wtime();
    ge_rounds_make(&rounds, at->round, part.round);
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
    return N <= WHOLE_MAX ? ge_work(N)
                          : fmin(ge_work(N), 0.6 * PARTS * (ROUNDS_BEFORE + ROUNDS_TIMED) * round);
}

const probe_kernel probe_kernel_ge = {
    .id = KERNEL_ID_ge,
    .work = ge_call_work,
    .bytes = ge_bytes,
    .prepare = ge_prepare,
    .call = ge_call,
    .weight = 1,
};
