/* The runs of a kernel on systems and sizes, with all repetitions: which runs are still missing, in
 * which order they are made, and making them. */
#ifndef CAMPAIGN_RUN_PLAN_H
#define CAMPAIGN_RUN_PLAN_H

#include "kernel_run.h"

/* The points. */
typedef struct campaign_run_points {
    isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    const double *sizes; /* [size_count], N */
    size_t size_count;
    size_t repetitions;   /* of each */
    size_t most;          /* repetitions where something else slowed some (calm_runs.h) */
    const size_t *wanted; /* [system_count][size_count], repetitions of each; NULL: those above */
} campaign_run_points;

/* One run. */
typedef struct campaign_planned_run {
    const isocast_system *system;
    double N;
    long repetition; /* from 0 on */
} campaign_planned_run;

/* Start from {0}. */
typedef struct campaign_run_plan {
    campaign_planned_run *runs; /* [count] */
    size_t count;
    size_t known; /* runs that the file has already */
} campaign_run_plan;

/* Plans the runs that the runs file does not have, in an order that is random by the setup's seed:
 * a drift of the machine then concerns all points alike. Starts nothing. Errors: NO_MEMORY. */
isocast_status campaign_run_plan_make(const campaign_kernel_setup *setup,
                                      const campaign_run_file *file,
                                      const campaign_run_points *points, campaign_run_plan *out);
void campaign_run_plan_free(campaign_run_plan *plan);

/* Makes the runs of a plan and tells how many. A size that does not fit into memory is told and
 * left out with all its repetitions; the rest goes on. Errors: PROGRAM where one was left out, and
 * those of campaign_kernel_run(). */
isocast_status campaign_run_plan_follow(const campaign_kernel_setup *setup, campaign_run_file *file,
                                        campaign_run_plan *plan);

#endif
