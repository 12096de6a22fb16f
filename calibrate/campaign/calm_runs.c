#include "calm_runs.h"

#include <math.h>
#include <stdlib.h>

#include "model/runs/calm.h"

static const double more_time = 120; /* s, of all further rounds */

/* A processor is slowed for ms to s. Runs that took this long altogether, spread over the campaign,
 * have mostly met both. */
static const double enough_time = 5; /* s, of the runs of a point */

typedef struct calm_state {
    const campaign_kernel_setup *setup;
    const campaign_run_points *points;
    const campaign_run_file *file;
    size_t *wanted; /* [systems][sizes], repetitions */
    double *times;
    size_t made, calm; /* runs of all points */
    size_t short_of;   /* points with fewer calm runs than asked for */
} calm_state;

static size_t most_of(const campaign_run_points *points) {
    return points->most > points->repetitions ? points->most : points->repetitions;
}

size_t campaign_calm_times(const campaign_kernel_setup *setup, const campaign_run_file *file,
                           const isocast_system *system, double N, size_t most, double *times) {
    size_t count = 0;
    while (count < most) {
        times[count] = campaign_kernel_known(setup, file, system, N, (long)count);
        if (isnan(times[count])) {
            break;
        }
        count++;
    }
    return count;
}

/* Asks for more repetitions of a point that has those that it should have, but too few calm ones,
 * or too short ones. */
static void look_at(calm_state *s, size_t point) {
    const campaign_run_points *points = s->points;
    size_t most = most_of(points);
    size_t count =
        campaign_calm_times(s->setup, s->file, points->systems[point / points->size_count],
                            points->sizes[point % points->size_count], most, s->times);
    size_t calm = 0;
    double typical = count > 0 ? isocast_calm_time(s->times, count, &calm) : 0;
    s->made += count;
    s->calm += calm;
    s->short_of += calm < points->repetitions ? 1 : 0;
    if (count == 0 || count < s->wanted[point]) {
        return;
    }
    size_t more =
        count + points->repetitions - (calm < points->repetitions ? calm : points->repetitions);
    /* A simulated run takes another time here than it tells, mostly a longer one. */
    bool simulated = s->setup->simulation != NULL;
    double long_enough = simulated ? 0 : ceil(enough_time / typical * (1 - 1e-9));
    more = (double)more < long_enough ? (size_t)fmin(long_enough, (double)most) : more;
    s->wanted[point] = more < most ? more : most;
}

static void look(calm_state *s) {
    s->made = s->calm = s->short_of = 0;
    for (size_t i = 0; i < s->points->system_count * s->points->size_count; i++) {
        look_at(s, i);
    }
}

static void tell(const calm_state *s) {
    if (s->short_of > 0) {
        campaign_tell(s->setup->listener, CAMPAIGN_WARNING,
                      "at %zu of %zu points fewer than %zu runs took at most %g times as long as "
                      "the shortest: the machine does something else; measure again when it is "
                      "idle",
                      s->short_of, s->points->system_count * s->points->size_count,
                      s->points->repetitions, ISOCAST_CALM_WITHIN);
    } else if (s->calm < s->made) {
        campaign_tell(s->setup->listener, CAMPAIGN_NOTE,
                      "%zu of %zu runs took more than %g times as long as the shortest of their "
                      "size: something else slowed them",
                      s->made - s->calm, s->made, ISOCAST_CALM_WITHIN);
    }
}

static isocast_status make_rounds(calm_state *s, const char *path, isocast_diagnostics *diagnostics,
                                  campaign_run_file *file) {
    campaign_run_points points = *s->points;
    points.wanted = s->wanted;
    double first_end = 0;
    for (size_t round = 0;; round++) {
        isocast_status status = campaign_run_file_open(path, s->setup->listener, diagnostics, file);
        campaign_run_plan plan = {0};
        if (status == ISOCAST_OK) {
            look(s);
            status = campaign_run_plan_make(s->setup, file, &points, &plan);
        }
        bool late = round > 0 && campaign_clock() - first_end > more_time;
        if (status != ISOCAST_OK || (round > 0 && plan.count == 0) || late) {
            campaign_run_plan_free(&plan);
            return status;
        }
        status = campaign_run_plan_follow(s->setup, file, &plan);
        campaign_run_plan_free(&plan);
        if (status != ISOCAST_OK) {
            return status;
        }
        first_end = round == 0 ? campaign_clock() : first_end;
        campaign_run_file_close(file);
        *file = (campaign_run_file){.file = -1};
    }
}

isocast_status campaign_calm_runs_make(const campaign_kernel_setup *setup, const char *path,
                                       const campaign_run_points *points,
                                       isocast_diagnostics *diagnostics, campaign_run_file *file) {
    size_t count = points->system_count * points->size_count;
    calm_state s = {.setup = setup,
                    .points = points,
                    .file = file,
                    .wanted = malloc((count + 1) * sizeof *s.wanted),
                    .times = malloc((most_of(points) + 1) * sizeof *s.times)};
    isocast_status status = s.wanted == NULL || s.times == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        s.wanted[i] = points->repetitions;
    }
    status = status == ISOCAST_OK ? make_rounds(&s, path, diagnostics, file) : status;
    if (status == ISOCAST_OK) {
        tell(&s);
    }
    free(s.wanted);
    free(s.times);
    return status;
}
