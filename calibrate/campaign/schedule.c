#include "schedule.h"

#include <math.h>
#include <stdlib.h>

/* Seconds in which a launch measures all usual operations, or most of them. A longer launch would
 * be known better, but the spread between launches matters more: the times of a calibration with
 * nine launches of 2.5 s were spread two thirds as far as those with five launches of 4.5 s. */
static const double launch_seconds = 2.5;
static const double extent_least = 0.2;
/* The share of the budget that planning may take, divided by the numbers of processes; and the part
 * of that which a later launch on the same number may take. */
static const double planning_share = 0.15;
static const double planning_again = 0.25;
/* The share of the budget that marked speeds may take. The first launches measure each of them.
 * Later launches measure some of them again, in a share of their time, or in more of it where a
 * marked speed needs more. */
static const double suite_share = 0.08;
static const double suite_again = 0.1;
static const double suite_alone = 0.5;
/* The share of the budget, and the least seconds, for fitting and writing after the last launch. */
static const double fitting_share = 0.01;
static const double fitting_seconds = 0.3;
/* Seconds that a launch takes in addition to measuring: the first guess, and the minimum. */
static const double starting_seconds = 0.4;
static const double starting_least = 0.05;
static const double measuring_least = 0.2;
enum { LAUNCHES_MIN = 2, LAUNCHES_MAX = 40 };

/* Where there is less to measure, a launch needs less time. */
static double seconds_of_launch(const campaign_schedule *s) {
    return launch_seconds * (s->extent > 0 ? fmin(fmax(s->extent, extent_least), 1) : 1);
}

bool campaign_schedule_make(campaign_schedule *s, double started, double spent) {
    s->finished = calloc(s->process_count, sizeof *s->finished);
    s->extra = calloc(s->process_count, sizeof *s->extra);
    if (s->finished == NULL || s->extra == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->process_count; i++) {
        s->extra[i] = starting_seconds;
    }
    double round = (seconds_of_launch(s) + starting_seconds) * (double)s->process_count;
    double affordable = (1 - planning_share) * s->budget / round;
    s->rounds =
        s->launches > 0 ? s->launches : (size_t)fmin(fmax(affordable, LAUNCHES_MIN), LAUNCHES_MAX);
    double reserve = fmax(fitting_share * s->budget, fitting_seconds);
    s->suite = suite_share * s->budget;
    s->deadline = started + s->budget - spent - reserve;
    return true;
}

void campaign_schedule_free(campaign_schedule *s) {
    free(s->finished);
    free(s->extra);
    s->finished = NULL;
    s->extra = NULL;
}

/* The number of processes with the fewest launches. */
static size_t least_finished(const campaign_schedule *s) {
    size_t least = 0;
    for (size_t i = 1; i < s->process_count; i++) {
        least = s->finished[i] < s->finished[least] ? i : least;
    }
    return least;
}

size_t campaign_schedule_next(const campaign_schedule *s) {
    size_t next = least_finished(s);
    return s->finished[next] < s->rounds ? next : s->process_count;
}

/* The first launches may use all the time for marked speeds, and the later ones share what is left
 * of it. The last launch has none: no launch follows that could make up for a delay. */
static void share_suite(const campaign_schedule *s, bool first, double launches,
                        campaign_schedule_share *share) {
    double left = fmax(s->suite, 0);
    if (first) {
        share->suite = share->suite_first = left;
    } else if (launches > 1) {
        share->suite = fmin(left / launches, suite_again * share->seconds);
        share->suite_first = fmax(share->suite, fmin(left / 2, suite_alone * share->seconds));
        share->seconds -= share->suite;
    }
}

campaign_schedule_share campaign_schedule_take(const campaign_schedule *s, size_t i, double now) {
    double launches = 0;
    double starting = 0;
    for (size_t k = 0; k < s->process_count; k++) {
        double due = s->finished[k] < s->rounds ? (double)(s->rounds - s->finished[k]) : 0;
        launches += due;
        starting += due * s->extra[k];
    }
    bool first = s->finished[i] == 0;
    double planning = planning_share * s->budget / (double)s->process_count;
    planning *= first ? 1 : planning_again;
    double seconds = fmax((s->deadline - now - starting) / launches, measuring_least);
    /* Planning takes time from measuring, so the first launches would take it from the last ones.
     */
    seconds -= first ? fmin(planning, seconds / 2) / (double)s->rounds : 0;
    campaign_schedule_share share = {.seconds = seconds, .planning = planning};
    share_suite(s, first, launches, &share);
    return share;
}

/* Where launches are chosen by what fits, there are more of them where they end early, as all
 * medians are known, and fewer where starting them takes long, as beside other programs. */
static void fit_rounds(campaign_schedule *s, double now) {
    double shortest = 0; /* of one more launch on each number of processes */
    double usual = 0;
    for (size_t k = 0; k < s->process_count; k++) {
        shortest += s->extra[k] + measuring_least;
        usual += s->extra[k] + seconds_of_launch(s);
    }
    size_t finished = s->finished[least_finished(s)];
    double left = fmax(s->deadline - now, 0);
    if (finished == s->rounds && left >= usual && s->rounds < LAUNCHES_MAX) {
        s->rounds++;
    }
    double most = (double)finished + floor(left / shortest);
    s->rounds = (size_t)fmin((double)s->rounds, fmax(most, LAUNCHES_MIN));
}

bool campaign_schedule_finish(campaign_schedule *s, size_t i, campaign_schedule_share share,
                              double took, double planned, double now) {
    double extra = fmax(took - share.seconds - planned, starting_least);
    s->finished[i]++;
    s->extra[i] += (extra - s->extra[i]) / (double)s->finished[i];
    bool round_ended = s->finished[least_finished(s)] == s->finished[i];
    if (round_ended && s->launches == 0) {
        fit_rounds(s, now);
    }
    return round_ended;
}
