/* isocast measure --find: what is held, and the search for the sizes that hold it. */
#ifndef CLI_MEASURE_FIND_H
#define CLI_MEASURE_FIND_H

#include "calibrate/campaign/kernel_run.h"
#include "campaign.h"
#include "cli/options/load.h"
#include "cli/options/options.h"
#include "model/base/metric.h"

/* As given, and as read. Start from {.tolerance = ...}. */
typedef struct cli_find_question {
    const char *text;        /* "E=0.3,0.4"; NULL: no search */
    const char *metric_name; /* NULL: isospeed-e */
    double tolerance;        /* a share of the target */
    isocast_metric metric;
    double *targets; /* [target_count], in the metric's unit */
    size_t target_count;
} cli_find_question;

/* Where the search goes. */
typedef struct cli_find_request {
    const cli_find_question *question;
    const campaign_kernel_setup *setup;
    const cli_loaded *loaded;       /* has the algorithm, whose work counts */
    bool keep_sizes;                /* sizes that break the algorithm's rules, too */
    isocast_valid valid;            /* sizes that may be measured */
    isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    const double *sizes; /* [size_count], where the search begins; at least one */
    size_t size_count;
    double N_max;   /* no size is above it */
    double longest; /* s; no run is begun that would take longer */
    long repetitions;
    size_t most;          /* runs of a size, where only calm ones count; else 0 */
    const cli_call *call; /* its output is where the rows of the runs go */
} cli_find_request;

/* Reads what is held and how closely. Gives an exit status; reports on stderr. Free the targets in
 * either case. */
int cli_find_read(const cli_usage *usage, cli_find_question *question);

/* Searches on each system for each target, adds the runs to their file, which is opened here, and
 * writes the table. Gives an exit status; reports on stderr. Close the file in either case. */
int cli_find_run(const cli_find_request *request, cli_campaign *campaign,
                 isocast_diagnostics *diagnostics, campaign_run_file *runs);

#endif
