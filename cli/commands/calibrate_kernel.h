/* The part of isocast calibrate that measures the time per flop of the user's own program:
 * --command and what goes with it. */
#ifndef CLI_CALIBRATE_KERNEL_H
#define CLI_CALIBRATE_KERNEL_H

#include "calibrate/campaign/probe_launch.h"
#include "calibrate/campaign/run_plan.h"
#include "measure_own.h"

/* Start from {0}. */
typedef struct cli_kernel_calibration {
    cli_own_program own;      /* command NULL: no program is run */
    const char *machine_name; /* of --machine; NULL: the machine is calibrated anew */
    const char *sizes_text;   /* NULL: the default */
    long repetitions;         /* -1: the default */
    double *sizes;            /* [size_count] */
    size_t size_count;
    campaign_kernel kernel;
    char runs_path[4096]; /* where the runs go, beside the machine file */
} cli_kernel_calibration;

/* Whether the options go together. Gives an exit status; tells on stderr. */
int cli_kernel_calibration_check(const cli_usage *usage, const cli_kernel_calibration *k,
                                 const char *algorithm, const char *operations,
                                 const char *platform);

/* Reads them; the settings that the algorithm knows are applied to it. output: the file that gets
 * the time per flop. Gives an exit status; tells on stderr. */
int cli_kernel_calibration_read(const cli_usage *usage, const char *output, bool on_platform,
                                bool quiet, cli_loaded *loaded, cli_kernel_calibration *k);

/* The runs on these systems, which must outlive them, as the options say. */
campaign_run_points cli_kernel_calibration_points(const cli_kernel_calibration *k,
                                                  isocast_system *const *systems, size_t count);

/* The text of --machine, or where that is not given of `output`. Gives an exit status; tells on
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

void cli_kernel_calibration_free(cli_kernel_calibration *k);

#endif
