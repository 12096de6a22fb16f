/* The search for the N that shows a wanted E: on curves whose answer is known, and on curves that
 * no measurement should have, where it has to end all the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/solve/size_search.h"

enum { STEPS_MAX = 200 };

/* E at N; `state` is a test's own. */
typedef double (*curve)(double N, void *state);

typedef struct outcome {
    isocast_size_search_step step;
    isocast_size_search_point points[STEPS_MAX];
    size_t count;
} outcome;

/* Follows the search to its end; checks what every step owes. */
static void follow(const isocast_size_search *search, curve E, void *state, outcome *out) {
    out->count = 0;
    for (;;) {
        out->step = isocast_size_search_next(search, out->points, out->count);
        if (out->step.state != ISOCAST_SIZE_SEARCH_MEASURE) {
            return;
        }
        assert_true(out->count < STEPS_MAX);
        double N = out->step.N;
        assert_true(N == floor(N) && N >= search->first && N <= search->most);
        for (size_t i = 0; i < out->count; i++) {
            assert_true(out->points[i].N != N);
        }
        out->points[out->count++] = (isocast_size_search_point){N, E(N, state), 1};
    }
}

/* E = N/(N + a): half at N = a. */
static double saturating(double N, void *state) {
    return N / (N + *(const double *)state);
}

static void rising_curve(void **unused) {
    (void)unused;
    outcome o;
    for (double a = 3; a < 1e6; a *= 7) {
        isocast_size_search search = {.target = 0.5, .tolerance = 0.01, .first = 2, .most = 1e8};
        follow(&search, saturating, &a, &o);
        assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
        assert_true(fabs(o.step.N / a - 1) < 0.05 || fabs(o.step.N - a) <= 1);
        assert_true((double)o.count < 8 + log2(a));
        search.tolerance = 0; /* down to the exact N */
        follow(&search, saturating, &a, &o);
        assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
        assert_true(o.step.N == a);
    }
}

/* The sizes given come first, upwards; doubling goes on behind the largest. */
static void given_sizes(void **unused) {
    (void)unused;
    static const double sizes[] = {1050, 950, 1200};
    double a = 1000;
    outcome o;
    isocast_size_search search = {.target = 0.5,
                                  .tolerance = 0.001,
                                  .first = 950,
                                  .most = 1e6,
                                  .sizes = sizes,
                                  .size_count = 3};
    follow(&search, saturating, &a, &o);
    assert_true(o.count == 3 && o.points[0].N == 950 && o.points[1].N == 1050);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
    a = 2000;
    follow(&search, saturating, &a, &o);
    assert_true(o.points[2].N == 1200 && o.points[3].N == 2400);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
}

/* Between two whole numbers the nearer one counts. */
static void narrow_bracket(void **unused) {
    (void)unused;
    double a = 100.4;
    isocast_size_search search = {.target = 0.5, .tolerance = 0, .first = 10, .most = 1e6};
    outcome o;
    follow(&search, saturating, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
    assert_true(o.step.N == 100);
    assert_true(o.points[o.step.point].N == 100);
}

static void out_of_reach(void **unused) {
    (void)unused;
    double a = 1000;
    outcome o;
    isocast_size_search search = {.target = 0.9, .tolerance = 0.01, .first = 50, .most = 3000};
    follow(&search, saturating, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_ABOVE);
    assert_true(isnan(o.step.N));
    assert_true(o.points[o.step.point].N == 3000);
    search = (isocast_size_search){.target = 0.1, .tolerance = 0.01, .first = 500, .most = 3000};
    follow(&search, saturating, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_BELOW);
    assert_int_equal(o.count, 1);
    search.most = search.first; /* nowhere to go */
    search.target = 0.9;
    follow(&search, saturating, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_ABOVE);
}

static double fits_to_700(double N, void *state) {
    return N > 700 ? NAN : saturating(N, state);
}

static double fits_never(double N, void *state) {
    (void)N;
    (void)state;
    return NAN;
}

/* What does not fit bounds the search, and what lies below it is still found. */
static void memory_bounds(void **unused) {
    (void)unused;
    double a = 600;
    outcome o;
    isocast_size_search search = {.target = 0.52, .tolerance = 0.001, .first = 100, .most = 1e6};
    follow(&search, fits_to_700, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
    assert_true(o.step.N > 640 && o.step.N <= 660);
    search.target = 0.9;
    follow(&search, fits_to_700, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_ABOVE);
    assert_true(o.points[o.step.point].N > 670 && o.points[o.step.point].N <= 700);
    follow(&search, fits_never, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_ABOVE);
    assert_int_equal(o.step.point, o.count);
}

static double noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static double noisy(double N, void *state) {
    return N / (N + 3000) * (0.9 + 0.2 * noise(state));
}

/* Up, down, up: as caches make it. */
static double waves(double N, void *state) {
    (void)state;
    return N / (N + 3000) * (1 + 0.3 * sin(N / 40));
}

static double falling(double N, void *state) {
    (void)state;
    return 100 / (100 + N);
}

static double nothing_but_noise(double N, void *state) {
    (void)N;
    double value = noise(state);
    return value < 0.1 ? NAN : value;
}

static void strange_curves_end(void **unused) {
    (void)unused;
    outcome o;
    for (uint64_t seed = 1; seed < 300; seed++) {
        uint64_t state = seed;
        isocast_size_search search = {.target = 0.3, .tolerance = 0.01, .first = 20, .most = 1e7};
        follow(&search, noisy, &state, &o);
        assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
        assert_true(o.step.N > 900 && o.step.N < 1900);
        search.target = 0.2 + 0.001 * (double)seed;
        follow(&search, waves, NULL, &o);
        assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
        follow(&search, falling, NULL, &o);
        assert_true(o.step.state != ISOCAST_SIZE_SEARCH_MEASURE);
        follow(&search, nothing_but_noise, &state, &o);
    }
}

/* Sizes up to 60 were disturbed. */
static double disturbed(double N, void *state) {
    return saturating(N, state) * (N <= 60 ? 0.1 : 1);
}

static void leaps_are_no_answer(void **unused) {
    (void)unused;
    double a = 100;
    outcome o;
    isocast_size_search search = {.target = 0.3, .tolerance = 0.01, .first = 20, .most = 1e6};
    follow(&search, disturbed, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_JUMP);
    assert_true(isnan(o.step.N));
    assert_true(o.points[o.step.under].N == 60 && o.points[o.step.over].N == 61);
    assert_true(o.step.point == o.step.over);
    /* So near to the target it may be noise; and who allows more takes it. */
    search.target = 0.36;
    o.step = isocast_size_search_next(&search, o.points, o.count);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
    assert_true(o.step.N == 61);
    search.target = 0.3;
    search.tolerance = 0.27;
    o.step = isocast_size_search_next(&search, o.points, o.count);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
    assert_true(o.step.N == 61);
}

/* N = 640 is over the target, and then a run of N = 320 is ended by the limit. */
static void refused_below(void **unused) {
    (void)unused;
    const isocast_size_search search = {
        .target = 0.3, .tolerance = 0.01, .first = 300, .most = 1e6};
    const isocast_size_search_point points[] = {
        {300, 0.05, 1}, {600, 0.05, 1}, {640, 0.33, 1}, {320, NAN, NAN}, {312, 0.04, 1}};
    isocast_size_search_step step = isocast_size_search_next(&search, points, 5);
    assert_int_equal(step.state, ISOCAST_SIZE_SEARCH_ABOVE);
    assert_true(isnan(step.N) && points[step.point].N == 300);
}

/* Whatever E is at each N, and whatever is refused: what is found is near the target. */
static double anything(double N, void *state) {
    uint64_t seed = *(const uint64_t *)state ^ ((uint64_t)N * 0x9E3779B97F4A7C15U);
    double level = noise(&seed);
    double E = noise(&seed);
    return level < 0.02 ? NAN : level < 0.4 ? 0.05 * E : level < 0.6 ? 0.3 * (0.8 + 0.4 * E) : E;
}

static void what_is_found_is_near(void **unused) {
    (void)unused;
    outcome o;
    size_t found = 0;
    for (uint64_t seed = 1; seed < 3000; seed++) {
        uint64_t state = seed * 0xD1B54A32D192ED03U;
        isocast_size_search search = {
            .target = 0.3, .tolerance = seed % 3 == 0 ? 0.15 : 0.01, .first = 20, .most = 4000};
        follow(&search, anything, &state, &o);
        if (o.step.state == ISOCAST_SIZE_SEARCH_FOUND) {
            double off = fabs(o.points[o.step.point].E / search.target - 1);
            assert_true(off <= fmax(search.tolerance, 0.1));
            found++;
        }
    }
    assert_true(found > 100);
}

/* Multiples of 12 from 24 on, as a rule of an algorithm may ask for. */
static isocast_valid_pair multiples(const void *unused, double N) {
    (void)unused;
    double below = 12 * floor(N / 12);
    return (isocast_valid_pair){below >= 24 ? below : NAN, fmax(12 * ceil(N / 12), 24)};
}

static void rules_of_sizes(void **unused) {
    (void)unused;
    static const double sizes[] = {7, 55, 1000};
    double a = 700;
    outcome o;
    isocast_size_search search = {.target = 0.5,
                                  .tolerance = 0.0001,
                                  .first = 7,
                                  .most = 1e5,
                                  .sizes = sizes,
                                  .size_count = 3,
                                  .nearest = multiples};
    follow(&search, saturating, &a, &o);
    assert_int_equal(o.step.state, ISOCAST_SIZE_SEARCH_FOUND);
    assert_true(o.step.N == 696);
    for (size_t i = 0; i < o.count; i++) {
        assert_true(fmod(o.points[i].N, 12) == 0 && o.points[i].N >= 24);
    }
    search.most = 20; /* none is allowed */
    follow(&search, saturating, &a, &o);
    assert_true(o.step.state == ISOCAST_SIZE_SEARCH_ABOVE && o.count == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rising_curve),   cmocka_unit_test(given_sizes),
        cmocka_unit_test(narrow_bracket), cmocka_unit_test(out_of_reach),
        cmocka_unit_test(memory_bounds),  cmocka_unit_test(strange_curves_end),
        cmocka_unit_test(rules_of_sizes), cmocka_unit_test(leaps_are_no_answer),
        cmocka_unit_test(refused_below),  cmocka_unit_test(what_is_found_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
