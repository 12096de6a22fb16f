/* Budgets are kept, and shared out evenly, by a clock that the test winds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/campaign/schedule.h"

/* A machine on which launches take longer than what they are given for measuring. */
typedef struct machine {
    double starting; /* s that a launch takes in addition to measuring */
    double
        planning_first; /* s that the first launch on each number of processes plans transforms */
    double used;        /* of the time for measuring, what a launch needs of it */
} machine;

typedef struct outcome {
    double ended; /* s */
    size_t launches;
    double shortest, longest; /* s, for measuring */
    size_t rounds;
} outcome;

static outcome run(campaign_schedule *s, const machine *m, double now) {
    outcome out = {.shortest = INFINITY};
    for (size_t i; (i = campaign_schedule_next(s)) < s->process_count;) {
        campaign_schedule_share share = campaign_schedule_take(s, i, now);
        double planned = s->finished[i] == 0 ? fmin(m->planning_first, share.planning) : 0;
        double took = m->starting + planned + m->used * share.seconds;
        now += took;
        out.shortest = fmin(out.shortest, share.seconds);
        out.longest = fmax(out.longest, share.seconds);
        out.launches++;
        out.rounds += campaign_schedule_finish(s, i, share, took, planned, now);
    }
    out.ended = now;
    return out;
}

static outcome calibrate(size_t processes, double budget, size_t launches, const machine *m) {
    campaign_schedule s = {.process_count = processes, .budget = budget, .launches = launches};
    assert_true(campaign_schedule_make(&s, 100, 0));
    outcome out = run(&s, m, 100);
    campaign_schedule_free(&s);
    out.ended -= 100;
    return out;
}

static void budgets_are_kept(void **state) {
    (void)state;
    static const machine machines[] = {{0.3, 0, 1}, {0.3, 4.5, 1}, {1.5, 2, 1}, {0.1, 0, 0.3}};
    static const double budgets[] = {20, 60, 200, 600};
    for (size_t k = 0; k < sizeof machines / sizeof machines[0]; k++) {
        for (size_t b = 0; b < sizeof budgets / sizeof budgets[0]; b++) {
            for (size_t processes = 1; processes <= 3; processes++) {
                outcome out = calibrate(processes, budgets[b], 0, &machines[k]);
                assert_true(out.ended <= budgets[b]);
                /* Where launches end early there may be too little left for a round of them, or as
                 * many as there may be. */
                assert_true(machines[k].used < 1 || out.ended >= 0.9 * budgets[b]);
                assert_int_equal(out.rounds * processes, out.launches);
            }
        }
    }
}

/* Transforms that are planned first take their time from all launches. */
static void launches_are_as_long_as_others(void **state) {
    (void)state;
    outcome out = calibrate(2, 60, 0, &(machine){0.4, 4.5, 1});
    assert_in_range(out.launches, 14, 20);
    assert_true(out.shortest > 0.5 * out.longest);
}

static void launches_that_end_early_make_room(void **state) {
    (void)state;
    outcome all = calibrate(2, 60, 0, &(machine){0.3, 0, 1});
    outcome early = calibrate(2, 60, 0, &(machine){0.3, 0, 0.5});
    assert_true(early.launches > all.launches);
    assert_int_equal(calibrate(2, 60, 5, &(machine){0.3, 0, 0.5}).launches, 10);
}

/* Beside other programs starting takes long: then there are fewer launches, but two. */
static void launches_that_start_late_are_fewer(void **state) {
    (void)state;
    outcome late = calibrate(2, 60, 0, &(machine){6, 2, 1});
    assert_in_range(late.launches, 6, 10);
    assert_true(late.ended <= 60);
    assert_int_equal(calibrate(2, 60, 0, &(machine){40, 0, 1}).launches, 4);
    assert_int_equal(calibrate(2, 60, 12, &(machine){6, 2, 1}).launches, 24);
}

/* What was finished before, and the time that it took, count. */
static void goes_on(void **state) {
    (void)state;
    campaign_schedule s = {.process_count = 2, .budget = 60, .launches = 4};
    assert_true(campaign_schedule_make(&s, 0, 30));
    s.finished[0] = 2;
    s.finished[1] = 1;
    assert_int_equal(campaign_schedule_next(&s), 1);
    outcome out = run(&s, &(machine){0.3, 0, 1}, 0);
    campaign_schedule_free(&s);
    assert_int_equal(out.launches, 5);
    assert_true(out.ended > 27 && out.ended <= 30);
}

/* The first launches have all the time for marked speeds, the last one none; together they take
 * what they are given, and the budget is kept. */
static void marked_speeds_have_their_share(void **state) {
    (void)state;
    static const double budgets[] = {20, 60, 600};
    for (size_t b = 0; b < 3; b++) {
        campaign_schedule s = {.process_count = 2, .budget = budgets[b]};
        assert_true(campaign_schedule_make(&s, 0, 0));
        double all = s.suite;
        double now = 0;
        double last = NAN;
        assert_true(all > 0 && all <= 0.1 * budgets[b]);
        for (size_t i; (i = campaign_schedule_next(&s)) < 2;) {
            campaign_schedule_share share = campaign_schedule_take(&s, i, now);
            bool first = s.finished[i] == 0;
            double suite = first ? fmin(share.suite, all / 3) : share.suite_first;
            assert_true(share.suite >= 0 && share.suite_first >= share.suite);
            assert_true(share.suite_first <= s.suite);
            double took = 0.3 + share.seconds + suite;
            now += took;
            s.suite -= suite;
            last = share.suite_first;
            campaign_schedule_finish(&s, i, share, took, suite, now);
        }
        assert_true(last == 0);
        assert_true(s.suite >= 0 && s.suite < 0.6 * all);
        assert_true(now <= budgets[b] && now >= 0.9 * budgets[b]);
        campaign_schedule_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(launches_are_as_long_as_others),
        cmocka_unit_test(launches_that_end_early_make_room),
        cmocka_unit_test(launches_that_start_late_are_fewer),
        cmocka_unit_test(marked_speeds_have_their_share),
        cmocka_unit_test(goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
