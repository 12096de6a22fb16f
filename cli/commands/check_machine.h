/* isocast check --against-machine: measures a few points of a machine file again. */
#ifndef CLI_CHECK_MACHINE_H
#define CLI_CHECK_MACHINE_H

#include "cli/options/options.h"

typedef struct cli_machine_check {
    const cli_usage *usage;
    const cli_common *common;
    const char *machine_name;
    const char *launcher; /* NULL: the default */
    double budget;        /* s */
    double started;       /* s of campaign_clock() */
} cli_machine_check;

/* Measures, and writes the table. CLI_EXIT_OK where the file holds, CLI_EXIT_CHECK_FAILED where it
 * does not, another exit status where that cannot be told, which is said on stderr. */
int cli_check_machine(const cli_machine_check *a);

#endif
