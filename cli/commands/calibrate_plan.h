/* What isocast calibrate was asked for, and what that names: processes or simulated systems,
 * operations, an algorithm, a launcher. Measures nothing. */
#ifndef CLI_CALIBRATE_PLAN_H
#define CLI_CALIBRATE_PLAN_H

#include "calibrate/campaign/calibration.h"
#include "calibrate/campaign/event.h"
#include "calibrate/campaign/probe_launch.h"
#include "calibrate/campaign/reference.h"
#include "calibrate/campaign/run_plan.h"
#include "calibrate/campaign/selection.h"
#include "calibrate/campaign/simulation.h"
#include "calibrate/fit/fit_result.h"
#include "campaign.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "measure_own.h"

/* Warns of operations that were wanted for the algorithm and that the fit has not. */
void cli_choice_report_unmeasured(const campaign_selection *selection,
                                  const isocast_algorithm *algorithm, const fit *f, bool simulated,
                                  const campaign_listener *listener);

/* The part of isocast calibrate that measures R_f of processor sets: --reference and --ratio. */

/* Start from {0}. */
typedef struct cli_reference {
    const char *text;         /* of --reference; NULL: no R_f is measured */
    double ratio;             /* flop/B of --ratio; 0: CAMPAIGN_REFERENCE_RATIO */
    isocast_machine *node;    /* what sets of this machine are read against; NULL in a simulation */
    isocast_system **systems; /* [system_count], all that were read */
    size_t system_count;
    isocast_system **sets; /* [count], each set once, of `systems` */
    size_t count;
    isocast_buffer section; /* of the machine file */
} cli_reference;

/* Measures the sets into the section, where there are any. Errors as of
 * campaign_reference_measure(). */
isocast_status cli_reference_measure(const campaign_site *site, campaign_simulation *simulation,
                                     const campaign_listener *listener, cli_reference *reference);

/* Appends the section to the text of a machine file, where the sets are systems of it; else warns.
 * Errors: NO_MEMORY. */
isocast_status cli_reference_append(const cli_reference *reference,
                                    const campaign_listener *listener, isocast_buffer *text);

/* The part of isocast calibrate that measures the time per flop of the user's own program:
 * --command and what goes with it. */

/* Start from {0}. */
typedef struct cli_kernel_calibration {
    cli_own_program own;      /* command NULL: no program is run */
    const char *machine_name; /* of --machine; NULL: the machine is calibrated again */
    const char *sizes_text;   /* NULL: the default */
    long repetitions;         /* -1: the default */
    double *sizes;            /* [size_count] */
    size_t size_count;
    campaign_kernel kernel;
    char runs_path[4096]; /* where the runs go, beside the machine file */
} cli_kernel_calibration;

/* Whether the options go together. Gives an exit status; reports on stderr. */
int cli_kernel_calibration_check(const cli_usage *usage, const cli_kernel_calibration *k,
                                 const char *algorithm, const char *operations,
                                 const char *platform);

/* The runs on these systems, which must outlive them, as the options say. */
campaign_run_points cli_kernel_calibration_points(const cli_kernel_calibration *k,
                                                  isocast_system *const *systems, size_t count);

/* The text of --machine, or where that is not given of `output`. Gives an exit status; states on
 * stderr. */
int cli_kernel_calibration_load(const cli_kernel_calibration *k, const char *output, bool quiet,
                                isocast_buffer *text);

/* Where the program runs. */
typedef struct cli_kernel_site {
    const campaign_site *site;
    const campaign_listener *listener;
    const isocast_algorithm *algorithm;
    const double *processes; /* [count]; those that one node has processors for are taken */
    size_t count;
    long seed;
} cli_kernel_site;

/* Measures the program, and puts the time per flop of the algorithm's kernel into the text of a
 * machine file, in the place of what it had of it. Errors as of campaign_kernel_time_measure(). */
isocast_status cli_kernel_calibration_measure(const cli_kernel_calibration *k,
                                              const cli_kernel_site *at,
                                              isocast_diagnostics *diagnostics,
                                              isocast_buffer *text);

/* --twin and what goes with it. Start from {0}. */
typedef struct cli_twin {
    const char *machine; /* of --twin; NULL: no twin is asked for */
    const char *cache;
    bool no_cache;
    long nodes; /* below 0: not given */
} cli_twin;

/* The command line, what it names, and what is measured by it. */
typedef struct cli_calibration {
    cli_call call;
    long launches; /* below 0: not given */
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

/* Finds and reads what the command line names. Gives an exit status; reports on stderr. */
int cli_calibration_plan(cli_calibration *c);

/* Of that, what adding the time of a program to a machine or platform file needs: likewise. */
int cli_calibration_plan_program(cli_calibration *c);

/* The exit status of what a campaign gave; reports on stderr what is not reported yet. */
int cli_calibration_exit(cli_calibration *c, isocast_status status);
void cli_calibration_free(cli_calibration *c);

#endif
