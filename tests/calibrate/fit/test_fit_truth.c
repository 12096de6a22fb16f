/* Samples drawn from known formulas with known noise between and within launches: the switches must
 * be found, and the coefficients' intervals must hold the truth as often as they say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "calibrate/fit/fit_bootstrap.h"
#include "calibrate/fit/fit_forward.h"

enum { TRIALS = 100, LAUNCHES = 8, CALLS = 11, SIZES = 19 };

static const double processes[] = {2, 3, 4, 8, 12, 16, 32, 64};
enum { PROCESSES = sizeof processes / sizeof processes[0] };

static double uniform(fit_random *random) {
    return ((double)fit_random_below(random, 1U << 30) + 0.5) / (1U << 30);
}

/* Box, Muller 1958. */
static double normal(fit_random *random) {
    return sqrt(-2 * log(uniform(random))) * cos(2 * M_PI * uniform(random));
}

static double between(fit_random *random, double low, double high) {
    return low * pow(high / low, uniform(random));
}

/* A law with one switch: short messages go by a tree, long ones by other coefficients of the same
 * shape, as where a rendezvous begins. */
static fit_ranges make_truth(fit_random *random, fit_shape shape, bool with_switch) {
    fit_ranges truth = {.law = &fit_shape_laws[shape], .count = with_switch ? 2 : 1};
    unsigned terms = 1U << FIT_SHAPE_STEPS | 1U << FIT_SHAPE_VOLUME;
    truth.items[0].terms = truth.items[1].terms = terms;
    truth.items[0].coefficient[FIT_SHAPE_STEPS] = between(random, 1e-6, 5e-6);
    truth.items[0].coefficient[FIT_SHAPE_VOLUME] = between(random, 2e-10, 2e-9);
    truth.items[1].coefficient[FIT_SHAPE_STEPS] =
        truth.items[0].coefficient[FIT_SHAPE_STEPS] * between(random, 3, 8);
    truth.items[1].coefficient[FIT_SHAPE_VOLUME] =
        truth.items[0].coefficient[FIT_SHAPE_VOLUME] * between(random, 0.3, 0.7);
    truth.items[1].from = floor(between(random, 300, 60000));
    return truth;
}

static void draw(const fit_ranges *truth, double sigma_launch, double sigma_within,
                 fit_random *random, observations *o) {
    uint32_t launch = 0;
    for (size_t i = 0; i < PROCESSES; i++) {
        for (int j = 0; j < LAUNCHES; j++, launch++) {
            double shift = sigma_launch * normal(random);
            for (int k = 0; k < SIZES; k++) {
                double m = ldexp(4, k);
                double seconds = fit_form_time(truth, processes[i], m);
                for (int call = 0; call < CALLS; call++) {
                    double drawn = seconds * exp(shift + sigma_within * normal(random));
                    assert_true(observations_add(o, 0, launch, processes[i], m, drawn));
                }
            }
        }
    }
    /* Launches are reported by their number alone here. */
    o->launches.count = launch;
    assert_true(observations_finish(o));
    o->launches.count = launch;
}

/* Of all trials. */
typedef struct tally {
    int trials, shapes, forms, switches_due, switches_found, switches_too_many;
    int intervals, held;
} tally;

/* Whether a switch lies within one step of the sizes measured, which are powers of two. */
static bool near(const fit_range *found, double truth) {
    return truth > found->below / 2 && truth <= found->first * 2;
}

static void count_switches(const fit_ranges *truth, const fit_ranges *found, tally *all) {
    for (size_t r = 1; r < truth->count; r++) {
        bool seen = false;
        for (size_t f = 1; f < found->count; f++) {
            seen = seen || near(&found->items[f], truth->items[r].from);
        }
        all->switches_due++;
        all->switches_found += seen;
    }
    all->switches_too_many += found->count > truth->count;
}

static void count_intervals(const fit_ranges *truth, const fit_form *form, tally *all) {
    const fit_ranges *found = &form->ranges;
    bool same = truth->law == found->law && truth->count == found->count;
    all->shapes += truth->law == found->law;
    for (size_t r = 0; same && r < truth->count; r++) {
        same = truth->items[r].terms == found->items[r].terms;
    }
    all->forms += same;
    fit_place places[FIT_COEFFICIENTS_MAX];
    size_t count = same ? fit_ranges_places(truth, places) : 0;
    for (size_t i = 0; i < count; i++) {
        size_t r = places[i].range;
        size_t term = places[i].term;
        double error = sqrt(form->covariance[i * count + i]);
        double off = found->items[r].coefficient[term] - truth->items[r].coefficient[term];
        all->held += fabs(off) <= 1.96 * error;
        all->intervals++;
    }
}

static tally run(double sigma_launch, double sigma_within, uint64_t seed) {
    static const fit_shape shapes[] = {FIT_SHAPE_TREE, FIT_SHAPE_HALVING, FIT_SHAPE_RING};
    fit_random random = {seed};
    tally all = {0};
    for (; all.trials < TRIALS; all.trials++) {
        fit_ranges truth = make_truth(&random, shapes[all.trials % 3], all.trials % 4 != 0);
        observations o = {0};
        fit_timings t = {0};
        fit_form found;
        draw(&truth, sigma_launch, sigma_within, &random, &o);
        assert_true(fit_timings_make(&o, 0, INFINITY, &t));
        assert_int_equal(fit_form_choose(&t, false, &found), ISOCAST_OK);
        assert_true(fit_bootstrap(&o, &t, &(fit_bootstrap_settings){100, seed}, &found));
        count_switches(&truth, &found.ranges, &all);
        count_intervals(&truth, &found, &all);
        fit_timings_free(&t);
        o.launches.count = 0;
        observations_free(&o);
    }
    print_message(
        "noise %.0f %% between launches, %.0f %% within: algorithm right in %d of %d, all "
        "terms in %d; switches found %d of %d, too many in %d; intervals of 95 %% held %d "
        "of %d (%.1f %%)\n",
        100 * sigma_launch, 100 * sigma_within, all.shapes, all.trials, all.forms,
        all.switches_found, all.switches_due, all.switches_too_many, all.held, all.intervals,
        100.0 * all.held / all.intervals);
    return all;
}

/* What is asserted would not hold of intervals 30 % too narrow or 50 % too wide, nor of switches
 * put anywhere. */
static void check(const tally *all) {
    assert_int_equal(all->switches_found, all->switches_due);
    assert_true(all->switches_too_many <= all->trials / 20);
    assert_true(all->shapes >= all->trials * 9 / 10);
    assert_true(all->forms >= all->trials * 3 / 4);
    double rate = (double)all->held / all->intervals;
    assert_true(rate > 0.92 && rate < 0.99);
}

static void test_quiet(void **state) {
    (void)state;
    tally all = run(0.03, 0.02, 1);
    check(&all);
}

static void test_noisy(void **state) {
    (void)state;
    tally all = run(0.1, 0.05, 2);
    check(&all);
}

/* Fitted to 2 to 16 processes, the band must hold what 64 will take as often as it says, or more.
 */
static void test_forecasts(void **state) {
    (void)state;
    fit_random random = {3};
    int held = 0;
    int due = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        fit_ranges truth =
            make_truth(&random, trial % 2 == 0 ? FIT_SHAPE_TREE : FIT_SHAPE_RING, true);
        observations o = {0};
        fit_timings t = {0};
        fit_forward f = {0};
        draw(&truth, 0.1, 0.05, &random, &o);
        assert_true(fit_timings_make(&o, 0, 16, &t));
        assert_true(fit_forward_learn(&t, &f));
        double shift = exp(0.1 * normal(&random));
        for (int k = 0; k < SIZES; k += 3) {
            double low = 0;
            double high = 0;
            double m = ldexp(4, k);
            double seconds = shift * fit_form_time(&truth, 64, m);
            assert_true(fit_forward_band(&f, 64, m, &low, &high) > 0);
            held += low <= seconds && seconds <= high;
            due++;
        }
        fit_forward_free(&f);
        fit_timings_free(&t);
        o.launches.count = 0;
        observations_free(&o);
    }
    print_message("forecasts at 4 times the processes: the 90 %% band held %d of %d (%.1f %%)\n",
                  held, due, 100.0 * held / due);
    assert_true(held >= 0.85 * due);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_noisy),
        cmocka_unit_test(test_forecasts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
