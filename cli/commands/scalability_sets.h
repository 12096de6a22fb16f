/* isocast scalability TIMES.csv of processor sets: psi from times and reference times. */
#ifndef CLI_SCALABILITY_SETS_H
#define CLI_SCALABILITY_SETS_H

#include "cli/options/options.h"
#include "model/base/metric.h"

typedef struct cli_scalability_sets {
    const cli_usage *usage;
    const cli_common *common;
    int argc; /* the command line, for the provenance */
    char **argv;
    const char *times;     /* path: times, or reference times alone */
    const char *reference; /* path; NULL: none */
    const char *program;   /* whose times count; NULL: all */
    const char *metric;    /* name; NULL: none was given */
    const char *of_runs;   /* an option that was given and goes with runs alone; NULL: none */
    bool matrix;
} cli_scalability_sets;

/* Reads the files and writes the result; gives an exit status. */
int cli_scalability_sets_run(const cli_scalability_sets *asked);

#endif
