/* Which operations and kernels a calibration measures, and with how much of the time each: by a
 * list of names, or by what an algorithm needs. Measures nothing, asks no program. */
#ifndef CAMPAIGN_SELECTION_H
#define CAMPAIGN_SELECTION_H

#include "kernels/kernel_table.h"
#include "model/base/known_operation.h"
#include "model/spec/algorithm.h"

enum {
    CAMPAIGN_SELECTION_MAX = (int)ISOCAST_KNOWN_OPERATIONS + (int)KERNEL_COUNT,
    CAMPAIGN_SELECTION_NAME_MAX = 32
};

/* The benchmark of marked speeds, which every calibration measures: the kernel KERNEL_BENCHMARK
 * (kernel_table.h) on one process. Its problem size, and the working set in B that it is. */
enum { CAMPAIGN_BENCHMARK_SIZE = 1024 };
#define CAMPAIGN_BENCHMARK_BYTES (8.0 * CAMPAIGN_BENCHMARK_SIZE * (CAMPAIGN_BENCHMARK_SIZE + 1))

/* One thing that the probe can measure. */
typedef struct campaign_measurable {
    char name[CAMPAIGN_SELECTION_NAME_MAX];
    bool is_kernel; /* else an operation */
    bool is_usual;  /* every calibration measures it, as shipped specifications need it */
    bool wanted;
    double weight; /* of the time, of those wanted */
} campaign_measurable;

/* Start from {0}, with the lines that a probe lists. */
typedef struct campaign_selection {
    campaign_measurable items[CAMPAIGN_SELECTION_MAX]; /* [count] */
    size_t count;
} campaign_selection;

/* Adds what a line of the probe's list names, "NAME<tab>usual", "on request", "kernel" or "kernel
 * on request"; the first and the third are wanted. context: the selection. False where the line is
 * none of these. */
bool campaign_selection_take_line(const char *line, void *context);

/* Whether the probe can measure what has this name. */
bool campaign_selection_has(const campaign_selection *w, const char *name);

/* Wants what a comma-separated list names: operations, kernels, "usual" and "all". ARGUMENT where
 * there is no such name, whose place in the text *unknown gets; an empty place where the list names
 * nothing. */
isocast_status campaign_selection_want_list(campaign_selection *w, const char *text,
                                            isocast_span *unknown);

/* Wants what an algorithm's formulas call, and its kernel. An operation that cannot be measured is
 * replaced by what the algorithm says stands in for it. Nothing where it calls no operation, as a
 * program whose processes do not communicate. */
void campaign_selection_want_algorithm(campaign_selection *w, const isocast_algorithm *algorithm);

/* The time that what is wanted takes, relative to all that is usual, by the weights as they are. */
double campaign_selection_extent(const campaign_selection *w);

/* The probe's option --weights, with the benchmark of marked speeds always in it. Free with free().
 * Errors: NO_MEMORY. */
isocast_status campaign_selection_weights(const campaign_selection *w, char **out);

#endif
