/* Launches in another state of the machine: they are reported by a gap, and their messages do not
 * count. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit_states.h"

enum { LAUNCHES = 12, SIZES = 5, CALLS = 9 };

static void add(samples *s, int launch, const char *operation, int p, double m, double seconds) {
    char line[160];
    samples_line kind;
    snprintf(line, sizeof line, "%d,%s,%d,%.0f,0,%.9g,count,0,1,%d", launch, operation, p, m,
             seconds, p);
    assert_int_equal(samples_add_line(s, line, &kind), ISOCAST_OK);
}

/* Messages whose latency in each launch is `factor` times what it is else, with noise of some per
 * cent; work on one process and on two, which takes the same in all launches. */
static samples make(const double factor[LAUNCHES], double noise) {
    samples s = {0};
    unsigned random = 1;
    for (int launch = 0; launch < LAUNCHES; launch++) {
        for (int k = 0; k < SIZES; k++) {
            for (int call = 0; call < CALLS; call++) {
                random = random * 1103515245U + 12345U;
                double off = 1 + noise * ((double)(random >> 16 & 1023) / 512 - 1);
                double m = 8 << (3 * k);
                add(&s, launch, "T_send", 2, m, (1e-7 * factor[launch] + 1e-11 * m) * off);
                add(&s, launch, "T_copy", 2, m, (1e-9 + 1e-11 * m) * factor[launch] * off);
                add(&s, launch, "ge", 1, m, 5e-11 * off);
            }
        }
    }
    return s;
}

static size_t count_messages(const samples *s, int launch) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        count += (int)s->rows[i].launch == launch &&
                 strcmp(s->operations[s->rows[i].operation], "T_send") == 0;
    }
    return count;
}

static void slow_launches_do_not_count(void **state) {
    (void)state;
    const double factor[LAUNCHES] = {1, 3, 3, 3.2, 1.05, 3, 2.5, 3, 3, 3, 1, 3};
    samples s = make(factor, 0.05);
    size_t all = s.count;
    fit_states states;
    assert_true(fit_states_take_fast(&s, &states));
    assert_int_equal(states.launches, LAUNCHES);
    assert_int_equal(states.slow, 9);
    assert_true(fabs(states.ratio / 3 - 1) < 0.1);
    assert_int_equal(s.count, all - 9 * SIZES * CALLS); /* work stays */
    for (int launch = 0; launch < LAUNCHES; launch++) {
        assert_int_equal(count_messages(&s, launch), factor[launch] < 1.5 ? SIZES * CALLS : 0);
    }
    s.count = all;
    samples_free(&s);
}

/* Launches that differ without a gap, one fast launch alone, and launches that are alike. */
static void one_state_stays_whole(void **state) {
    (void)state;
    const double cases[][LAUNCHES] = {{1, 1.1, 1.25, 1.4, 1.6, 1.8, 2, 2.3, 2.6, 3, 3.4, 3.8},
                                      {1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
                                      {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        samples s = make(cases[k], 0.1);
        size_t all = s.count;
        fit_states states;
        assert_true(fit_states_take_fast(&s, &states));
        assert_int_equal(states.slow, 0);
        assert_int_equal(s.count, all);
        samples_free(&s);
    }
}

static void nothing_is_no_state(void **state) {
    (void)state;
    samples s = {0};
    fit_states states;
    assert_true(fit_states_take_fast(&s, &states));
    assert_int_equal(states.slow, 0);
    add(&s, 0, "T_send", 2, 8, 1e-6);
    assert_true(fit_states_take_fast(&s, &states));
    assert_int_equal(s.count, 1);
    samples_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slow_launches_do_not_count),
                                       cmocka_unit_test(one_state_stays_whole),
                                       cmocka_unit_test(nothing_is_no_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
