/* Which operations and kernels a calibration measures, and with how much of the time each: what the
 * options --operations and --for come to. Measures nothing. */
#ifndef CLI_WANTED_H
#define CLI_WANTED_H

#include "cli/options/options.h"
#include "kernels/kernel_table.h"
#include "model/base/known_operation.h"
#include "model/spec/algorithm.h"

enum {
    CLI_WANTED_MOST = (int)ISOCAST_KNOWN_OPERATIONS + (int)KERNEL_COUNT,
    CLI_WANTED_NAME_MOST = 32
};

typedef enum cli_measurable_kind {
    CLI_MEASURABLE_USUAL,      /* an operation that shipped specifications need */
    CLI_MEASURABLE_ON_REQUEST, /* another one */
    CLI_MEASURABLE_KERNEL
} cli_measurable_kind;

/* One thing that the probe can measure. */
typedef struct cli_measurable {
    char name[CLI_WANTED_NAME_MOST];
    cli_measurable_kind kind;
    bool wanted;
    double weight; /* of the time, of those wanted */
} cli_measurable;

/* Start from {0}. */
typedef struct cli_wanted {
    cli_measurable items[CLI_WANTED_MOST]; /* [count] */
    size_t count;
    bool all_usual; /* what the probe measures without being told; weights do not matter */
} cli_wanted;

/* Asks the probe what it can measure; the usual is wanted. Gives an exit status; tells what is
 * wrong on stderr, like the next two. */
int cli_wanted_ask(const char *probe, cli_wanted *out);

/* Wants what a comma-separated list names: operations, kernels, "usual" and "all". */
int cli_wanted_list(const cli_usage *usage, const char *text, cli_wanted *w);

/* Wants what an algorithm's formulas call, and its kernel. An operation that cannot be measured is
 * replaced by what the algorithm says stands in for it. */
int cli_wanted_algorithm(const cli_usage *usage, const isocast_algorithm *algorithm, cli_wanted *w);

/* The time that what is wanted takes, relative to all that is usual, by the weights as they are. */
double cli_wanted_extent(const cli_wanted *w);

/* The probe's option --weights, with the benchmark of marked speeds always in it; NULL where all
 * that is usual is wanted. Free with free(). *failed where memory is short. */
char *cli_wanted_weights(const cli_wanted *w, bool *failed);

#endif
