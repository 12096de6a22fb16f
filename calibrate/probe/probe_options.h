/* The probe's command line. */
#ifndef PROBE_OPTIONS_H
#define PROBE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "kernels/speed_suite.h"
#include "model/base/known_operation.h"

enum {
    PROBE_SIZES_MAX = 64,
    PROBE_WEIGHTS_MAX = 2 * ((int)ISOCAST_KNOWN_OPERATIONS + (int)KERNEL_COUNT),
    PROBE_NAME_MAX = 32,
    PROBE_SUITE_MAX = SPEED_SUITE_MAX,
    PROBE_SPANS_MAX = 256
};

/* What is to be measured of an operation or kernel, and its part of the time. */
typedef struct probe_weight {
    char name[PROBE_NAME_MAX];
    size_t size;   /* only at this message or problem size; 0: at all */
    double weight; /* above 0; of the sum of all weights */
} probe_weight;

/* Sizes of an operation between which a simulation looks for what no straight line joins. */
typedef struct probe_span {
    char name[PROBE_NAME_MAX];
    size_t from, to; /* bytes; the same: only this size */
} probe_span;

typedef struct probe_options {
    long launch;
    double budget; /* s */
    unsigned long seed;
    size_t sizes[PROBE_SIZES_MAX]; /* of messages, bytes */
    size_t size_count;
    size_t problems[PROBE_SIZES_MAX]; /* N for the kernels */
    size_t problem_count;
    size_t planned[PROBE_SIZES_MAX]; /* N for the planned kernels; none: the same */
    size_t planned_count;
    probe_weight weights[PROBE_WEIGHTS_MAX]; /* none: the usual operations, all kernels */
    size_t weight_count;
    char suite[PROBE_SUITE_MAX][PROBE_NAME_MAX]; /* members whose marked speeds are measured */
    size_t suite_count;
    double suite_seconds;           /* s that all of them may take, besides the budget */
    double suite_first;             /* s that the first of them may take, where that is more */
    bool list;                      /* what can be measured, and nothing else */
    bool simulated;                 /* one sample is enough */
    size_t counts[PROBE_SIZES_MAX]; /* of processes, of a simulation: fewer than all */
    size_t count_of_counts;
    probe_span spans[PROBE_SPANS_MAX]; /* of a simulation, which then measures nothing else */
    size_t span_count;
    long part, part_stride; /* of a simulation with spans: operations on parts of so many processes,
                               every so manyeth of them; 0: on all */
    long roots; /* of a simulation, processes from which rounds of broadcasts start; 0: each */
    bool roots_apart;    /* they are from all over the system, else the first ones */
    bool barrier_only;   /* processes start by the barrier, not by a common clock */
    double planning;     /* s for trying out how transforms are best done, besides the budget */
    size_t planned_most; /* the largest that there was time to plan; set by the planning */
    const char *plans;   /* file that keeps how transforms are best done; NULL: none */
    double reference;    /* flop/B of the reference program, which is all that runs; 0: none */
    int oversubscribed;  /* 1: more processes than processors; each sample says so */
} probe_options;

/* False where they are not understood; a process that is to be loud shows why on standard error. */
bool probe_options_read(int argc, char **argv, bool loud, probe_options *out);
void probe_options_usage(FILE *out);

#endif
