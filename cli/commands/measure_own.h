/* The options of measure and calibrate that are about a program of the user's own (--command). */
#ifndef CLI_MEASURE_OWN_H
#define CLI_MEASURE_OWN_H

#include "calibrate/campaign/kernel_run.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "model/spec/algorithm.h"
#include "model/spec/system.h"

/* Whether a kernel may run where it is to be measured: the rules of its algorithm file. */

/* The largest size of a run, which the programs count in an int. */
#define CLI_MEASURE_N_MAX 2e9

/* What is to be measured: each of the sizes on each of the systems. */
typedef struct cli_measure_points {
    const isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    const double *sizes; /* [size_count] */
    size_t size_count;
} cli_measure_points;

/* Reports on stderr which system or size breaks a rule first, and which are next to it. Gives an
 * exit status. */
int cli_measure_check_rules(const cli_usage *usage, const isocast_algorithm *algorithm,
                            const cli_measure_points *points);

/* The program of an algorithm file as what measure and run start. */

/* Whether a text names an algorithm file, or an installed algorithm. */
bool cli_steps_named(const char *text);

/* Loads an algorithm, which out->algorithm_path and out->algorithm get, and has *steps run its
 * program; steps->algorithm stays NULL where it has none. Takes what the algorithm knows out of the
 * settings, and that of its first size, which *size gets; NULL there: that is given otherwise.
 * Gives an exit status; reports on stderr. */
int cli_steps_load(const cli_usage *usage, const char *name, cli_list *settings, const char **size,
                   bool quiet, cli_loaded *out, campaign_steps *steps);

/* What rows and marked speeds go by. */
campaign_kernel cli_steps_kernel(const isocast_algorithm *algorithm);

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

/* Whether the options go together. Gives an exit status; reports on stderr. */
int cli_own_program_check(const cli_usage *usage, const cli_own_program *own, const char *kernel,
                          bool on_platform, bool finds);

/* Reads them all; *kernel gets the names for the rows, by the program's. on_platform: runs are
 * simulated. output: the runs file. Gives an exit status; reports on stderr. */
int cli_own_program_read(const cli_usage *usage, cli_own_program *own, bool on_platform,
                         const char *output, campaign_kernel *kernel);

/* Gives the algorithm, where there is one, the settings that it knows by their names: a further
 * size, a parameter or a definition; the others are for the command line alone. {N} of the command
 * may then have the name of the algorithm's size. needs_all: a further size without a setting is
 * refused. Gives an exit status; reports on stderr. algorithm: may be NULL; it lives as long as
 * own.
 */
int cli_own_program_apply(const cli_usage *usage, cli_own_program *own, bool needs_all,
                          isocast_algorithm *algorithm);

/* The speed that this machine is taken to have on a platform, in flop/s; reports on stderr where it
 * was not given. */
double cli_own_program_speed(const cli_usage *usage, const cli_own_program *own,
                             const isocast_machine *hardware, bool quiet);

void cli_own_program_free(cli_own_program *own);

#endif
