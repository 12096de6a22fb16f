/* What the messages within a node have of its caches and its memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/collective/memory_rate.h"

static isocast_memory_rate node(void) {
    return (isocast_memory_rate){.cache = 100, .cached = 8, .memory = 1, .rate = 1};
}

/* All that the caches hold goes at their rate, and nothing changes while they do. */
static void caches_hold_what_fits(void **state) {
    (void)state;
    isocast_memory_rate m = node();
    assert_true(isocast_memory_rate_take(&m, 60));
    assert_float_equal(m.rate, 8, 1e-12);
    assert_false(isocast_memory_rate_take(&m, 40));
    assert_float_equal(m.in_hand, 100, 1e-12);
}

/* Of twice the caches h = exp(-2 (1 - h)) are hits: 0.2032. */
static void more_than_they_hold_is_hit_in_part(void **state) {
    (void)state;
    isocast_memory_rate m = node();
    assert_true(isocast_memory_rate_take(&m, 200));
    const double hits = 0.20319;
    const double due = 1 / (hits / 8 + 1 - hits);
    assert_float_equal(m.rate, due, 1e-4);
    assert_true(isocast_memory_rate_take(&m, -100));
    assert_float_equal(m.rate, 8, 1e-12);
    assert_true(isocast_memory_rate_take(&m, 1e5));
    assert_float_equal(m.rate, 1, 0.01);
}

/* A call that waits has what was posted before it and its own; one that was waited for is in hand
 * until the next. */
static void hands_hold_what_was_posted(void **state) {
    (void)state;
    isocast_in_hand hand = {0};
    assert_float_equal(isocast_in_hand_call(&hand, 5, false), 5, 0);
    assert_float_equal(isocast_in_hand_call(&hand, 7, false), 12, 0);
    assert_float_equal(isocast_in_hand_call(&hand, 1, true), 13, 0);
    isocast_in_hand_wait(&hand);
    assert_float_equal(isocast_in_hand_call(&hand, 2, false), 12, 0);
    assert_float_equal(isocast_in_hand_call(&hand, 4, true), 6, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(caches_hold_what_fits),
                                       cmocka_unit_test(more_than_they_hold_is_hit_in_part),
                                       cmocka_unit_test(hands_hold_what_was_posted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
