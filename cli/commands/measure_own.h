/* The options of measure and calibrate that are about a program of the user's own (--command). */
#ifndef CLI_MEASURE_OWN_H
#define CLI_MEASURE_OWN_H

#include "calibrate/campaign/kernel_run.h"
#include "cli/options/load.h"
#include "cli/options/options.h"

/* As given; NULL or empty where not. Start from {0}. */
typedef struct cli_own_program {
    const char *command;
    cli_list settings; /* "NAME=VALUE" */
    const char *time;
    const char *algorithm;
    const char *folder;
    cli_list environment;
    double speed; /* flop/s; 0: not given */
    campaign_own_program program;
    campaign_setting *values; /* [settings.count], with names of their own */
    const char **variables;   /* the environment, NULL-terminated */
    char *library;
} cli_own_program;

bool cli_own_program_asked(const cli_own_program *own);

/* Whether the options go together. Gives an exit status; tells on stderr. */
int cli_own_program_check(const cli_usage *usage, const cli_own_program *own, const char *kernel,
                          bool on_platform, bool finds);

/* Reads them all; *kernel gets the names for the rows, by the program's. on_platform: runs are
 * simulated. output: the runs file. Gives an exit status; tells on stderr. */
int cli_own_program_read(const cli_usage *usage, cli_own_program *own, bool on_platform,
                         const char *output, campaign_kernel *kernel);

/* Gives the algorithm, where there is one, the settings that it knows by their names: a further
 * size, a parameter or a definition; the others are for the command line alone. {N} of the command
 * may then have the name of the algorithm's size. needs_all: a further size without a setting is
 * refused. Gives an exit status; tells on stderr. algorithm: may be NULL; it lives as long as own.
 */
int cli_own_program_apply(const cli_usage *usage, cli_own_program *own, bool needs_all, bool quiet,
                          isocast_algorithm *algorithm);

/* The speed that this machine is taken to have on a platform, in flop/s; tells on stderr where it
 * was not given. */
double cli_own_program_speed(const cli_usage *usage, const cli_own_program *own,
                             const isocast_machine *hardware, bool quiet);

void cli_own_program_free(cli_own_program *own);

#endif
