#include "probe_reference.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "kernels/ge_local.h"
#include "probe_clock.h"
#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>
#endif

/* Rows and columns of what a process works on, the benchmark's: its speed on one processor is the
 * marked speed, and it is larger than most caches, so that processes of a node share memory. Steps
 * of a run: a tenth of a second of an ordinary processor. */
enum { ORDER = 1024, STEPS = 50, RUNS = 5, TAG = 11 };
enum { EXIT_USAGE = 2, EXIT_SYSTEM = 5 };

typedef struct reference {
    const probe_context *context;
    double *block; /* [ORDER][ORDER]; NULL in a simulation */
    double *pivot; /* [ORDER] */
    char *send;    /* [bytes] */
    char *receive; /* [bytes] */
    int bytes;     /* of a message */
} reference;

/* flop of a step on one process. */
static double step_flops(void) {
    return ge_update_flops(ORDER, 0, ORDER);
}

static void compute(const reference *r) {
#ifdef PROBE_SIMULATED
    (void)r;
    smpi_execute_flops(step_flops());
#else
    ge_update(r->block, ORDER, ORDER, 0, ORDER, r->pivot);
#endif
}

/* To the next process of a ring, from the one before; one process has nobody to send to. */
static void communicate(const reference *r) {
    const probe_context *c = r->context;
    if (c->processes > 1) {
        int next = (c->rank + 1) % c->processes;
        int before = (c->rank + c->processes - 1) % c->processes;
        MPI_Sendrecv(r->send, r->bytes, MPI_CHAR, next, TAG, r->receive, r->bytes, MPI_CHAR, before,
                     TAG, c->communicator, MPI_STATUS_IGNORE);
    }
}

/* s, until the last process ends; on process 0. */
static double run_once(const reference *r) {
    probe_synchronise(r->context);
    double start = MPI_Wtime();
    for (int step = 0; step < STEPS; step++) {
        compute(r);
        communicate(r);
    }
    double seconds = MPI_Wtime() - start;
    double most = 0;
    MPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, r->context->communicator);
    return most;
}

static bool make(reference *r) {
    r->send = calloc((size_t)r->bytes + 1, 1);
    r->receive = calloc((size_t)r->bytes + 1, 1);
    bool complete = r->send != NULL && r->receive != NULL;
#ifndef PROBE_SIMULATED
    r->block = malloc((size_t)ORDER * ORDER * sizeof *r->block);
    r->pivot = malloc(ORDER * sizeof *r->pivot);
    complete = complete && r->block != NULL && r->pivot != NULL;
    for (size_t i = 0; complete && i < (size_t)ORDER * ORDER; i++) {
        r->block[i] = 1 + (double)(i % 7);
        r->pivot[i % ORDER] = 2;
    }
#endif
    int here = complete;
    int everywhere = 0;
    MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, r->context->communicator);
    return everywhere != 0;
}

static void free_all(reference *r) {
    free(r->block);
    free(r->pivot);
    free(r->send);
    free(r->receive);
}

int probe_reference(const probe_context *context, double ratio) {
    reference r = {.context = context};
    double bytes = step_flops() / ratio;
    if (!(bytes < INT_MAX)) {
        if (context->rank == 0) {
            fprintf(stderr, "isocast-probe: --reference %g makes messages of %.3g B, too long\n",
                    ratio, bytes);
        }
        return EXIT_USAGE;
    }
    r.bytes = (int)bytes;
    if (!make(&r)) {
        if (context->rank == 0) {
            fputs("isocast-probe: out of memory for the reference program\n", stderr);
        }
        free_all(&r);
        return EXIT_SYSTEM;
    }
    double seconds[RUNS];
    size_t runs = context->simulated ? 1 : RUNS;
    if (!context->simulated) {
        (void)run_once(&r); /* which pays for connections and pages */
    }
    for (size_t i = 0; i < runs; i++) {
        seconds[i] = run_once(&r);
    }
    if (context->rank == 0) {
        printf("reference,%d,%.9g\n", context->processes, isocast_median(seconds, runs));
    }
    free_all(&r);
    return EXIT_SUCCESS;
}
