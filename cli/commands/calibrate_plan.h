/* What isocast calibrate was asked for, and what that names: processes or simulated systems,
 * operations, an algorithm, a launcher. Measures nothing. */
#ifndef CLI_CALIBRATE_PLAN_H
#define CLI_CALIBRATE_PLAN_H

#include "calibrate/campaign/calibration.h"
#include "calibrate/campaign/simulation.h"
#include "calibrate_kernel.h"
#include "calibrate_reference.h"
#include "calibrate_twin.h"
#include "campaign.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/options.h"

/* The command line, what it names, and what is measured by it. */
typedef struct cli_calibration {
    const cli_usage *usage;
    cli_common common;
    const char *samples_path;
    const char *processes_text;
    char all_processes[64]; /* the default */
    const char *name;
    bool resume;
    bool oversubscribe;
    const char *platform_name; /* NULL: this machine */
    const char *systems_text;
    isocast_platform *platform;
    campaign_simulation simulation;
    isocast_system **systems; /* [system_count], of the platform */
    size_t system_count;
    double *processes;           /* [request.process_count] */
    const char *operations_text; /* NULL: the usual */
    const char *algorithm_name;  /* of --for; NULL: for no algorithm */
    cli_loaded loaded;           /* the algorithm of --for */
    const char *launcher_text;   /* a name or a command; NULL: the default */
    cli_launcher launcher;
    char *probe;
    const char *command; /* the line as it was given, for the machine file */
    char date[32];
    char plans_path[4096];
    campaign_request request;
    campaign_selection selection;
    campaign_weighting weighting;
    cli_campaign campaign;
    isocast_diagnostics diagnostics; /* of the campaign */
    campaign_recorder recorder;
    double others; /* share of the processors that other programs used; NAN unknown */
    cli_reference reference;
    cli_kernel_calibration kernel;
    cli_twin twin;
} cli_calibration;

/* Finds and reads what the command line names. Gives an exit status; tells on stderr. */
int cli_calibration_plan(cli_calibration *c);

/* Of that, what adding the time of a program to a machine or platform file needs: likewise. */
int cli_calibration_plan_program(cli_calibration *c);

/* The exit status of what a campaign gave; tells on stderr what is not told yet. */
int cli_calibration_exit(cli_calibration *c, isocast_status status);

void cli_calibration_free(cli_calibration *c);

#endif
