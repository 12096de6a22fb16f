/* The runs of a kernel on systems and sizes, with all repetitions: those that are missing are made,
 * and where it is asked for more of them, until enough of each are calm (model/runs/calm.h), as a
 * machine that is also used otherwise needs more than an idle one. Says nothing of what the times
 * mean. */
#ifndef CAMPAIGN_RUN_PLAN_H
#define CAMPAIGN_RUN_PLAN_H

#include "kernel_run.h"

/* The most repetitions of a point, where nobody says it. */
enum { CAMPAIGN_CALM_MOST = 60 };

/* The points. */
typedef struct campaign_run_points {
    isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    const double *sizes; /* [size_count], N */
    size_t size_count;
    size_t repetitions; /* of each */
    size_t most;        /* repetitions where something else slowed some; 0: as above */
    size_t kept;        /* repetitions that are taken where the file has them; 0: as above */
} campaign_run_points;

/* The most repetitions that a point can have. */
size_t campaign_runs_most(const campaign_run_points *points);

/* Makes the runs that the file does not have, in an order that is random by the setup's seed, so
 * that a drift of the machine concerns all points alike, and shows how many. Goes on, up to `most`,
 * at the points of which fewer than `repetitions` were calm, or whose calm runs would not have
 * taken 5 s altogether, where they are not simulated; further rounds end after two minutes. Reports
 * how many were not calm. A size that does not fit into memory is reported and left out with all
 * its repetitions; the rest goes on. *times gets T in s of all runs, shape
 * [system_count][size_count] [campaign_runs_most()], NAN where there is none; free it. NULL: nobody
 * asks. Errors: PROGRAM where one was left out, and those of campaign_kernel_run(). */
isocast_status campaign_runs_make(const campaign_kernel_setup *setup, campaign_run_file *file,
                                  const campaign_run_points *points, double **times);

/* The times of one point (counted system by system), from the first repetition without a gap, in
 * out[campaign_runs_most()]; gives how many. */
size_t campaign_runs_of(const campaign_run_points *points, const double *times, size_t point,
                        double *out);

#endif
