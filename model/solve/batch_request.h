/* What a batch is asked (batch.h), and where its results go. */
#ifndef ISOCAST_BATCH_REQUEST_H
#define ISOCAST_BATCH_REQUEST_H

#include "model/base/metric.h"
#include "prediction_result.h"

/* A machine parameter that varies from condition to condition, in place of the machine's value. */
typedef struct isocast_batch_parameter {
    size_t parameter;     /* index among the machine's parameters */
    const double *values; /* [count], SI */
} isocast_batch_parameter;

/* Start from {0}. An array with a stride has one entry a condition with stride 1, and one entry for
 * all of them with stride 0. */
typedef struct isocast_batch_request {
    const isocast_model *model;
    isocast_metric metric; /* what is held; 0: speed-efficiency */
    size_t count;          /* conditions */
    const isocast_system *const *systems;
    size_t systems_stride;
    const double *targets; /* above 0, in the unit of what is held; NULL: N is given */
    size_t targets_stride;
    const double *N; /* in the size's range; read where `targets` is NULL, nothing is solved then */
    size_t N_stride;
    const double *other_sizes; /* rows of [size_count - 1]; NULL where there is one size alone */
    size_t other_sizes_stride; /* in rows */
    const isocast_batch_parameter *parameters; /* [parameter_count]; no parameter twice */
    size_t parameter_count;
    size_t threads;    /* at most so many; 0: one */
    bool by_reference; /* each condition by isocast_predict itself, for comparisons */
    /* Takes what the conditions cost; each block of ISOCAST_BATCH_BLOCK conditions may take an
     * equal share of it. NULL: as much as a question of so many rows may take. */
    isocast_effort *effort;
} isocast_batch_request;

/* Conditions that one thread takes at a time. A caller that streams does best with a multiple. */
enum { ISOCAST_BATCH_BLOCK = 256 };

/* What a reader must know beside the status. */
typedef enum isocast_batch_note {
    ISOCAST_BATCH_PLAIN,      /* nothing */
    ISOCAST_BATCH_INCOMPLETE, /* further N may meet the condition: it was not proved that none does
                               */
    ISOCAST_BATCH_JUMP,       /* what is held jumps over the target, at N if that has a value */
    ISOCAST_BATCH_EVERY_N,    /* every N meets the condition; N is the smallest allowed */
    ISOCAST_BATCH_RAISED,     /* N is the smallest at which all processes can work, and what is held
                                 is at least the target there */
    ISOCAST_BATCH_FEWER,      /* at a given N: fewer processes work than the system has */
    ISOCAST_BATCH_GAVE_UP,    /* the effort was spent before the search was through */
    ISOCAST_BATCH_NOTES
} isocast_batch_note;

/* Where each result goes, [count] each, in SI; NULL for what is not wanted. What is not known or
 * does not apply is NAN, as in isocast_prediction_row. */
typedef struct isocast_batch_results {
    double *N;             /* first size parameter */
    double *W;             /* flop */
    double *T, *T_c, *T_o; /* s */
    double *E;             /* speed-efficiency */
    double *held;          /* what the metric holds, in its unit */
    double *memory;        /* B per process */
    double *concurrency;   /* processes that can work */
    double *best_E;        /* of what is held: the largest found; where the target is unreachable */
    double *best_N;        /* where */
    double *const *terms;  /* [overhead_count][count], s, in the algorithm's order */
    isocast_row_status *status;
    size_t *root_count; /* N that meet the condition; 0 where N was given */
    isocast_batch_note *note;
} isocast_batch_results;

#endif
