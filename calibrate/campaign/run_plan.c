#include "run_plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* False where memory is short. */
static bool shuffle(campaign_run_plan *plan, long seed) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (random == NULL) {
        return false;
    }
    gsl_rng_set(random, (unsigned long)seed);
    if (plan->count > 0) {
        gsl_ran_shuffle(random, plan->runs, plan->count, sizeof *plan->runs);
    }
    gsl_rng_free(random);
    return true;
}

static size_t repetitions_of(const campaign_run_points *points, size_t point) {
    return points->wanted != NULL ? points->wanted[point] : points->repetitions;
}

isocast_status campaign_run_plan_make(const campaign_kernel_setup *setup,
                                      const campaign_run_file *file,
                                      const campaign_run_points *points, campaign_run_plan *out) {
    size_t most = 0;
    size_t point_count = points->system_count * points->size_count;
    for (size_t i = 0; i < point_count; i++) {
        most += repetitions_of(points, i);
    }
    campaign_run_plan plan = {.runs = malloc((most + 1) * sizeof *plan.runs)};
    if (plan.runs == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t point = 0; point < point_count; point++) {
        for (size_t k = 0; k < repetitions_of(points, point); k++) {
            campaign_planned_run run = {points->systems[point / points->size_count],
                                        points->sizes[point % points->size_count], (long)k};
            if (isnan(campaign_kernel_known(setup, file, run.system, run.N, run.repetition))) {
                plan.runs[plan.count++] = run;
            }
        }
    }
    plan.known = most - plan.count;
    if (!shuffle(&plan, setup->seed)) {
        campaign_run_plan_free(&plan);
        return ISOCAST_NO_MEMORY;
    }
    *out = plan;
    return ISOCAST_OK;
}

void campaign_run_plan_free(campaign_run_plan *plan) {
    free(plan->runs);
    *plan = (campaign_run_plan){0};
}

static void tell_progress(const campaign_listener *listener, size_t done, size_t all,
                          double started) {
    double so_far = campaign_clock() - started;
    if (done == 0) {
        campaign_tell_progress(listener, 1, all, "measuring: run 1 of %zu", all);
    } else {
        campaign_tell_progress(listener, done + 1, all,
                               "measuring: run %zu of %zu, about %.0f s left", done + 1, all,
                               so_far / (double)done * (double)(all - done));
    }
}

/* Drops all further runs, from number `first` on, of a point that does not fit into memory. */
static void drop_point(campaign_run_plan *plan, size_t first, campaign_planned_run refused) {
    size_t kept = first;
    for (size_t i = first; i < plan->count; i++) {
        if (plan->runs[i].system != refused.system || plan->runs[i].N != refused.N) {
            plan->runs[kept++] = plan->runs[i];
        }
    }
    plan->count = kept;
}

isocast_status campaign_run_plan_follow(const campaign_kernel_setup *setup, campaign_run_file *file,
                                        campaign_run_plan *plan) {
    size_t planned = plan->count;
    size_t added = 0;
    double started = campaign_clock();
    for (size_t i = 0; i < plan->count; i++) {
        campaign_planned_run run = plan->runs[i];
        double T;
        tell_progress(setup->listener, i, plan->count, started);
        isocast_status status =
            campaign_kernel_run(setup, file, run.system, run.N, run.repetition, &T);
        if (status != ISOCAST_OK) {
            return status;
        }
        added += isnan(T) ? 0 : 1;
        if (isnan(T)) {
            drop_point(plan, i + 1, run);
        }
    }
    campaign_tell(setup->listener, CAMPAIGN_NOTE, "%zu runs added to %s, %zu were there already",
                  added, file->path, plan->known);
    return added == planned ? ISOCAST_OK
                            : campaign_fail(setup->listener, ISOCAST_PROGRAM,
                                            "%zu runs were left out: they %s", planned - added,
                                            setup->own != NULL ? "take longer than --limit"
                                                               : "do not fit into memory");
}
