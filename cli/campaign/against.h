/* isocast check --against-machine: measures a few points of a machine file again. */
#ifndef CLI_AGAINST_H
#define CLI_AGAINST_H

#include "cli/options/options.h"

typedef struct cli_against {
    const cli_usage *usage;
    const cli_common *common;
    const char *machine_name;
    const char *launcher; /* NULL: the default */
    double budget;        /* s */
    double started;       /* s of cli_calibration_clock() */
} cli_against;

/* Measures, and writes the table. CLI_EXIT_OK where the file holds, CLI_EXIT_CHECK_FAILED where it
 * does not, another exit status where that cannot be told, which is said on stderr. */
int cli_against_run(const cli_against *a);

#endif
