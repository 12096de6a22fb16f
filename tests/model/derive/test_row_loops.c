/* Loops in what follows what, and what of it comes again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/derive/row_loops.h"

enum { MOST = 8 };

typedef struct step {
    size_t before, after;
    double count, again;
    bool is_back;
} step;

static void check(const step *steps, size_t count, const bool *entered) {
    derive_follow follows[MOST] = {0};
    double counts[MOST];
    double again[MOST] = {0};
    for (size_t i = 0; i < count; i++) {
        counts[i] = steps[i].count;
        follows[i] = (derive_follow){.before = steps[i].before,
                                     .after = steps[i].after,
                                     .counts = &counts[i],
                                     .again = &again[i]};
    }
    assert_int_equal(isocast_derive_row_loops_find(follows, count, entered, MOST, 1), ISOCAST_OK);
    for (size_t i = 0; i < count; i++) {
        if (again[i] != steps[i].again || follows[i].is_back != steps[i].is_back) {
            fail_msg("%zu to %zu: %g again, back: %d", steps[i].before, steps[i].after, again[i],
                     follows[i].is_back);
        }
    }
}

#define CHECK(steps, ...) check(steps, sizeof(steps) / sizeof *(steps), (bool[MOST]){__VA_ARGS__})

/* 10 turns, and behind another call 3 times: 7 of each are again. */
static void what_a_loop_repeats_is_again(void **unused) {
    (void)unused;
    static const step loop[] = {{0, 1, 10, 7, false}, {1, 2, 10, 7, false}, {2, 0, 7, 7, true}};
    CHECK(loop, true);
    /* Entered where it does not begin: the turn begins there. */
    static const step other[] = {{0, 1, 10, 7, false}, {1, 2, 7, 7, true}, {2, 0, 10, 7, false}};
    CHECK(other, false, false, true);
    static const step self[] = {{0, 0, 4, 4, true}, {0, 1, 1, 0, false}};
    CHECK(self, true);
}

/* 5 turns of one call, 4 times one call inside, and one more call; the loop is entered once. */
static void loops_are_inside_loops(void **unused) {
    (void)unused;
    static const step nested[] = {
        {0, 1, 5, 4, false}, {1, 1, 15, 15, true}, {1, 2, 5, 4, false}, {2, 0, 4, 4, true}};
    CHECK(nested, true);
}

/* Two ways through a turn: which lateness goes on is not known. */
static void turns_of_several_ways_are_left(void **unused) {
    (void)unused;
    static const step ways[] = {{0, 1, 5, 0, false},
                                {0, 2, 5, 0, false},
                                {1, 3, 5, 0, false},
                                {2, 3, 5, 0, false},
                                {3, 0, 9, 0, true}};
    CHECK(ways, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_loop_repeats_is_again),
        cmocka_unit_test(loops_are_inside_loops),
        cmocka_unit_test(turns_of_several_ways_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
