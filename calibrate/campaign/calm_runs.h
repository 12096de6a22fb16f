/* Runs of all points until enough of each are calm (model/runs/calm.h): a machine that is also used
 * otherwise needs more repetitions than an idle one. Says nothing of what the times mean. */
#ifndef CAMPAIGN_CALM_RUNS_H
#define CAMPAIGN_CALM_RUNS_H

#include "run_plan.h"

/* The most repetitions of a point, where nobody says it. */
enum { CAMPAIGN_CALM_MOST = 60 };

/* Makes `repetitions` runs of each point, and goes on, up to `most`, at the points of which fewer
 * than that were calm, or whose calm runs would not have taken 5 s altogether, where they are not
 * simulated; further rounds end after two minutes. Tells how many were not calm. The file of the
 * path is gone on with, and stays open with all that it then has. Errors: those of
 * campaign_run_file_open() and campaign_run_plan_follow(). Close the file in either case. */
isocast_status campaign_calm_runs_make(const campaign_kernel_setup *setup, const char *path,
                                       const campaign_run_points *points,
                                       isocast_diagnostics *diagnostics, campaign_run_file *file);

/* The times in s of a point's repetitions that the file has, from the first one without a gap; at
 * most `most` of them, in times[most]. Gives how many. */
size_t campaign_calm_times(const campaign_kernel_setup *setup, const campaign_run_file *file,
                           const isocast_system *system, double N, size_t most, double *times);

#endif
