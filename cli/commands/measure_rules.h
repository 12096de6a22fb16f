/* Whether a kernel may run where it is to be measured: the rules of its algorithm file. */
#ifndef CLI_MEASURE_RULES_H
#define CLI_MEASURE_RULES_H

#include "cli/options/exit.h"
#include "cli/options/options.h"
#include "model/spec/algorithm.h"
#include "model/spec/system.h"

/* The largest size of a run, which the programs count in an int. */
#define CLI_MEASURE_N_MAX 2e9

/* What is to be measured: each of the sizes on each of the systems. */
typedef struct cli_measure_points {
    const isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    const double *sizes; /* [size_count] */
    size_t size_count;
} cli_measure_points;

/* Tells on stderr which system or size breaks a rule first, and which are next to it. Gives an exit
 * status. */
int cli_measure_check_rules(const cli_usage *usage, const isocast_algorithm *algorithm,
                            const cli_measure_points *points);

#endif
