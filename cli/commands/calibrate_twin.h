/* The part of isocast calibrate that makes a platform which behaves as a measured machine: --twin.
 */
#ifndef CLI_CALIBRATE_TWIN_H
#define CLI_CALIBRATE_TWIN_H

#include "cli/options/options.h"

/* Start from {0}. */
typedef struct cli_twin {
    const char *machine; /* of --twin; NULL: no twin is asked for */
    const char *cache;
    bool no_cache;
    long nodes; /* below 0: not given */
} cli_twin;

/* What of the rest of the command line it takes. */
typedef struct cli_twin_setting {
    const cli_common *common;
    const char *name;    /* of the platform; NULL: the machine's name and -twin */
    const char *command; /* the command line, for the file */
    double budget;       /* s */
} cli_twin_setting;

/* Refuses options that only go with --twin, where it is not given; `simulates`: what else is asked
 * for keeps simulated times, too. Gives an exit status. */
int cli_twin_check(const cli_usage *usage, const cli_twin *twin, bool simulates);

/* Writes the platform file to the output, and what it is worth to standard output. Gives an exit
 * status. */
int cli_twin_make(const cli_usage *usage, const cli_twin *twin, const cli_twin_setting *setting);

#endif
