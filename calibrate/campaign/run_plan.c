#include "run_plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "model/runs/calm.h"

static const double more_time = 120; /* s, of all further rounds */
/* A processor is slowed for ms to s. Runs that took this long altogether, spread over the campaign,
 * have mostly met both. */
static const double enough_time = 5; /* s, of the runs of a point */

/* One run. */
typedef struct planned_run {
    size_t point;
    size_t repetition; /* from 0 on */
} planned_run;

/* All runs on their way. */
typedef struct round_state {
    const campaign_kernel_setup *setup;
    const campaign_run_points *points;
    campaign_run_file *file;
    size_t *wanted;    /* [point], repetitions */
    double *times;     /* [point][most], s; NAN: it was not run */
    double *scratch;   /* [most] */
    planned_run *plan; /* [count], in the order that they are made in */
    size_t count;      /* of the plan */
    size_t known;      /* runs that are wanted, and were there before */
    size_t made, calm; /* runs of all points */
    size_t short_of;   /* points with fewer calm runs than asked for */
    gsl_rng *random;
} round_state;

size_t campaign_runs_most(const campaign_run_points *points) {
    size_t most = points->most > points->kept ? points->most : points->kept;
    return most > points->repetitions ? most : points->repetitions;
}

size_t campaign_runs_of(const campaign_run_points *points, const double *times, size_t point,
                        double *out) {
    size_t most = campaign_runs_most(points);
    size_t count = 0;
    for (; count < most && !isnan(times[point * most + count]); count++) {
        out[count] = times[point * most + count];
    }
    return count;
}

static size_t point_count(const campaign_run_points *points) {
    return points->system_count * points->size_count;
}

static const isocast_system *system_of(const round_state *s, size_t point) {
    return s->points->systems[point / s->points->size_count];
}

static double size_of(const round_state *s, size_t point) {
    return s->points->sizes[point % s->points->size_count];
}

static double *time_of(const round_state *s, size_t point, size_t repetition) {
    return &s->times[point * campaign_runs_most(s->points) + repetition];
}

/* ---- one round ---- */

/* Plans the runs that are wanted and missing. */
static void plan(round_state *s) {
    s->count = s->known = 0;
    for (size_t point = 0; point < point_count(s->points); point++) {
        for (size_t k = 0; k < s->wanted[point]; k++) {
            if (isnan(*time_of(s, point, k))) {
                s->plan[s->count++] = (planned_run){point, k};
            } else {
                s->known++;
            }
        }
    }
    gsl_rng_set(s->random, (unsigned long)s->setup->seed);
    if (s->count > 0) {
        gsl_ran_shuffle(s->random, s->plan, s->count, sizeof *s->plan);
    }
}

static void report_progress(const campaign_listener *listener, size_t done, size_t all,
                            double started) {
    double so_far = campaign_clock() - started;
    if (done == 0) {
        campaign_report_progress(listener, 1, all, "measuring: run 1 of %zu", all);
    } else {
        campaign_report_progress(listener, done + 1, all,
                                 "measuring: run %zu of %zu, about %.0f s left", done + 1, all,
                                 so_far / (double)done * (double)(all - done));
    }
}

/* Drops all further runs, from number `first` on, of a point that does not fit into memory. */
static void drop_point(round_state *s, size_t first, size_t point) {
    size_t kept = first;
    for (size_t i = first; i < s->count; i++) {
        if (s->plan[i].point != point) {
            s->plan[kept++] = s->plan[i];
        }
    }
    s->count = kept;
}

static isocast_status follow(round_state *s) {
    size_t planned = s->count;
    size_t added = 0;
    double started = campaign_clock();
    for (size_t i = 0; i < s->count; i++) {
        planned_run run = s->plan[i];
        double *T = time_of(s, run.point, run.repetition);
        report_progress(s->setup->listener, i, s->count, started);
        isocast_status status = campaign_kernel_run(s->setup, s->file, system_of(s, run.point),
                                                    size_of(s, run.point), (long)run.repetition, T);
        if (status != ISOCAST_OK) {
            return status;
        }
        added += isnan(*T) ? 0 : 1;
        if (isnan(*T)) {
            drop_point(s, i + 1, run.point);
        }
    }
    campaign_report(s->setup->listener, CAMPAIGN_NOTE,
                    "%zu runs added to %s, %zu were there already", added, s->file->path, s->known);
    return added == planned ? ISOCAST_OK
                            : campaign_fail(s->setup->listener, ISOCAST_PROGRAM,
                                            "%zu runs were left out: they %s", planned - added,
                                            s->setup->own != NULL ? "take longer than --limit"
                                                                  : "do not fit into memory");
}

/* ---- until runs are calm ---- */

/* Asks for more repetitions of a point that has those that it should have, but too few calm ones,
 * or too short ones. */
static void look_at(round_state *s, size_t point) {
    size_t repetitions = s->points->repetitions;
    size_t most = campaign_runs_most(s->points);
    size_t count = campaign_runs_of(s->points, s->times, point, s->scratch);
    size_t calm = 0;
    double typical = count > 0 ? isocast_calm_time(s->scratch, count, &calm) : 0;
    s->made += count;
    s->calm += calm;
    s->short_of += calm < repetitions ? 1 : 0;
    if (count == 0 || count < s->wanted[point]) {
        return;
    }
    size_t more = count + repetitions - (calm < repetitions ? calm : repetitions);
    /* A simulated run takes another time here than it shows, mostly a longer one. */
    bool simulated = s->setup->simulation != NULL;
    double long_enough = simulated ? 0 : ceil(enough_time / typical * (1 - 1e-9));
    more = (double)more < long_enough ? (size_t)fmin(long_enough, (double)most) : more;
    s->wanted[point] = more < most ? more : most;
}

static void look(round_state *s) {
    s->made = s->calm = s->short_of = 0;
    for (size_t i = 0; i < point_count(s->points); i++) {
        look_at(s, i);
    }
}

static void report_calm(const round_state *s) {
    if (s->short_of > 0) {
        campaign_report(s->setup->listener, CAMPAIGN_WARNING,
                        "at %zu of %zu points fewer than %zu runs took at most %g times as long as "
                        "the shortest: the machine does something else; measure again when it is "
                        "idle",
                        s->short_of, point_count(s->points), s->points->repetitions,
                        ISOCAST_CALM_WITHIN);
    } else if (s->calm < s->made) {
        campaign_report(s->setup->listener, CAMPAIGN_NOTE,
                        "%zu of %zu runs took more than %g times as long as the shortest of their "
                        "size: something else slowed them",
                        s->made - s->calm, s->made, ISOCAST_CALM_WITHIN);
    }
}

static isocast_status make_rounds(round_state *s) {
    bool calms = s->points->most > 0;
    double first_end = 0;
    for (size_t round = 0;; round++) {
        if (calms) {
            look(s);
        }
        plan(s);
        bool late = round > 0 && campaign_clock() - first_end > more_time;
        if (round > 0 && (s->count == 0 || late || !calms)) {
            break;
        }
        isocast_status status = follow(s);
        if (status != ISOCAST_OK) {
            return status;
        }
        first_end = round == 0 ? campaign_clock() : first_end;
    }
    if (calms) {
        report_calm(s);
    }
    return ISOCAST_OK;
}

isocast_status campaign_runs_make(const campaign_kernel_setup *setup, campaign_run_file *file,
                                  const campaign_run_points *points, double **times) {
    size_t count = point_count(points);
    size_t most = campaign_runs_most(points);
    round_state s = {.setup = setup,
                     .points = points,
                     .file = file,
                     .wanted = calloc(count + 1, sizeof *s.wanted),
                     .times = calloc(count * most + 1, sizeof *s.times),
                     .scratch = calloc(most + 1, sizeof *s.scratch),
                     .plan = calloc(count * most + 1, sizeof *s.plan),
                     .random = gsl_rng_alloc(gsl_rng_mt19937)};
    bool room = s.wanted != NULL && s.times != NULL && s.scratch != NULL && s.plan != NULL &&
                s.random != NULL;
    for (size_t i = 0; i < count * most && room; i++) {
        s.wanted[i / most] = points->repetitions;
        s.times[i] = campaign_kernel_known(setup, file, system_of(&s, i / most),
                                           size_of(&s, i / most), (long)(i % most));
    }
    isocast_status status = room ? make_rounds(&s) : ISOCAST_NO_MEMORY;
    if (times != NULL) {
        *times = s.times;
    } else {
        free(s.times);
    }
    free(s.wanted);
    free(s.scratch);
    free(s.plan);
    if (s.random != NULL) {
        gsl_rng_free(s.random);
    }
    return status;
}
