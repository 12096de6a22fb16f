/* Valid sizes: against every whole number tried one by one, and at the ends of what is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/solve/size_search.h"

static const isocast_valid transforms = {
    .factors = {2, 3, 5, 7}, .factor_count = 4, .multiple_of = 4};
static const isocast_valid blocks = {.multiple_of = 12};
static const isocast_valid powers = {.factors = {3}, .factor_count = 1};

/* By definition. */
static bool is_valid(const isocast_valid *valid, long N) {
    if (valid->multiple_of > 0 && N % (long)valid->multiple_of != 0) {
        return false;
    }
    for (size_t i = 0; i < valid->factor_count; i++) {
        while (N % (long)valid->factors[i] == 0) {
            N /= (long)valid->factors[i];
        }
    }
    return valid->factor_count == 0 || N == 1;
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static void compare_all(const isocast_valid *valid, long min, long max) {
    for (long N = 1; N <= 3000; N++) {
        assert_int_equal(isocast_valid_holds(valid, (double)N), is_valid(valid, N));
        double below = NAN;
        for (long k = N < max ? N : max; k >= min && isnan(below); k--) {
            below = is_valid(valid, k) ? (double)k : NAN;
        }
        double above = NAN;
        for (long k = N > min ? N : min; k <= max && isnan(above); k++) {
            above = is_valid(valid, k) ? (double)k : NAN;
        }
        isocast_valid_pair found =
            isocast_valid_nearest(valid, (double)N, (double)min, (double)max);
        assert_true(same(found.below, below) && same(found.above, above));
    }
}

static void agrees_with_trying(void **state) {
    (void)state;
    const isocast_valid *const all[] = {&transforms, &blocks, &powers};
    for (size_t i = 0; i < 3; i++) {
        compare_all(all[i], 1, 10000);
        compare_all(all[i], 100, 1000);
        compare_all(all[i], 500, 700);
    }
}

static void broken_and_large(void **state) {
    (void)state;
    isocast_valid_pair pair = isocast_valid_nearest(&transforms, 504.93, 2, INFINITY);
    assert_true(pair.below == 504 && pair.above == 512);
    assert_true(isocast_valid_nearer(pair, 504.93) == 504);
    assert_false(isocast_valid_holds(&transforms, 504.93));
    assert_false(isocast_valid_holds(&transforms, NAN));
    pair = isocast_valid_nearest(&transforms, 1e15, 2, INFINITY);
    assert_true(isocast_valid_holds(&transforms, pair.below) && pair.below <= 1e15);
    assert_true(isocast_valid_holds(&transforms, pair.above) && pair.above >= 1e15);
    pair = isocast_valid_nearest(&transforms, 1e300, 2, INFINITY);
    assert_true(isnan(pair.below) && isnan(pair.above) && isnan(isocast_valid_nearer(pair, 1e300)));
    static const isocast_valid every = {.factor_count = 0};
    assert_false(isocast_valid_excludes(&every));
    assert_true(isocast_valid_holds(&every, 504.93));
}

static void says_which(void **state) {
    (void)state;
    const struct {
        const isocast_valid *valid;
        const char *text;
    } cases[] = {{&transforms, "multiples of 4 that are products of 2, 3, 5 and 7"},
                 {&blocks, "multiples of 12"},
                 {&powers, "powers of 3"}};
    for (size_t i = 0; i < 3; i++) {
        isocast_buffer text = {0};
        isocast_valid_describe(cases[i].valid, &text);
        assert_string_equal(text.text, cases[i].text);
        isocast_buffer_free(&text);
    }
}

/* E rises with N: the search ends, asks for valid sizes alone, and for each once. */
static void search_keeps_to_them(void **state) {
    (void)state;
    for (double target = 0.05; target < 0.95; target += 0.05) {
        isocast_size_search search = {
            .target = target, .tolerance = 1e-6, .first = 4, .most = 20000, .valid = transforms};
        isocast_size_search_point points[200];
        size_t count = 0;
        isocast_size_search_step step = isocast_size_search_next(&search, points, count);
        while (step.state == ISOCAST_SIZE_SEARCH_MEASURE) {
            assert_true(count < 200 && isocast_valid_holds(&transforms, step.N));
            for (size_t i = 0; i < count; i++) {
                assert_true(points[i].N != step.N);
            }
            points[count++] = (isocast_size_search_point){step.N, step.N / (step.N + 300), 1};
            step = isocast_size_search_next(&search, points, count);
        }
        assert_int_equal(step.state, ISOCAST_SIZE_SEARCH_FOUND);
        double exact = 300 * target / (1 - target);
        isocast_valid_pair pair = isocast_valid_nearest(&transforms, exact, 4, 20000);
        assert_true(step.N == pair.below || step.N == pair.above);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_trying),
        cmocka_unit_test(broken_and_large),
        cmocka_unit_test(says_which),
        cmocka_unit_test(search_keeps_to_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
