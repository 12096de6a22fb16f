/* How messages share links and memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/quick/flows.h"

enum { NODES = 4 };
static const double memory[NODES] = {4, 4, 4, INFINITY}; /* B/s */
static const double little = 1e-9;

static quick_flows begin(double backplane) {
    quick_flows f;
    assert_true(quick_flows_begin(&f, NODES, 10, memory, 3, backplane));
    return f;
}

static void add(quick_flows *f, int from, int to, double bytes, char *message, double now) {
    assert_true(quick_flows_add(f, from, to, bytes, message, now));
}

/* The next message arrives at this time. */
static void expect_next(quick_flows *f, double *now, double due, double within,
                        const char *message) {
    double end = quick_flows_end(f, *now);
    assert_float_equal(end, due, within);
    assert_ptr_equal(quick_flows_take(f, end), message);
    *now = end;
}

static void one_alone_has_the_link(void **state) {
    (void)state;
    char a;
    double now = 1;
    quick_flows f = begin(INFINITY);
    assert_true(isinf(quick_flows_end(&f, 0)));
    add(&f, 0, 1, 20, &a, now);
    expect_next(&f, &now, 3, little, &a);
    assert_null(quick_flows_take(&f, now));
    assert_true(isinf(quick_flows_end(&f, now)));
    quick_flows_free(&f);
}

/* Two share the way out of node 0 until the shorter one has gone. */
static void a_link_is_shared(void **state) {
    (void)state;
    char a;
    char b;
    double now = 0;
    quick_flows f = begin(INFINITY);
    add(&f, 0, 1, 10, &a, now);
    add(&f, 0, 2, 20, &b, now);
    expect_next(&f, &now, 2, little, &a);
    expect_next(&f, &now, 3, little, &b);
    quick_flows_free(&f);
}

/* Three come to node 3, of which one is of node 0; what this leaves of its link another one takes:
 * 10 less a third of it. */
static void what_waits_elsewhere_leaves_the_rest(void **state) {
    (void)state;
    char a;
    char b;
    char c;
    char d;
    double now = 0;
    quick_flows f = begin(INFINITY);
    add(&f, 0, 3, 100, &a, now);
    add(&f, 1, 3, 100, &b, now);
    add(&f, 2, 3, 100, &c, now);
    add(&f, 0, 1, 20, &d, now);
    expect_next(&f, &now, 3, 0.1, &d); /* answers take a little */
    quick_flows_free(&f);
}

/* Messages both ways answer each other: 5 % more. */
static void answers_take_a_little(void **state) {
    (void)state;
    char a;
    char b;
    double now = 0;
    quick_flows f = begin(INFINITY);
    add(&f, 0, 1, 100, &a, now);
    add(&f, 1, 0, 100, &b, now);
    double end = quick_flows_end(&f, now);
    assert_float_equal(end, 10.5, 0.05);
    assert_non_null(quick_flows_take(&f, end));
    assert_non_null(quick_flows_take(&f, end));
    assert_null(quick_flows_take(&f, end));
    quick_flows_free(&f);
}

/* The way out of node 1 is full; what comes to node 1 answers over it, and is held up as well. */
static void full_links_hold_up_answers(void **state) {
    (void)state;
    char a;
    char b;
    char c;
    double now = 0;
    quick_flows f = begin(INFINITY);
    add(&f, 1, 2, 100, &a, now);
    add(&f, 1, 3, 100, &b, now);
    add(&f, 0, 1, 20, &c, now);
    expect_next(&f, &now, 4, 0.15, &c);
    quick_flows_free(&f);
}

/* Within a node one goes at the rate of a copy, two share the memory, and node 3 has enough. */
static void memory_is_shared(void **state) {
    (void)state;
    char a;
    char b;
    double now = 0;
    quick_flows f = begin(INFINITY);
    add(&f, 0, 0, 30, &a, now);
    expect_next(&f, &now, 10, little, &a);
    add(&f, 0, 0, 30, &a, now);
    add(&f, 0, 0, 60, &b, now);
    expect_next(&f, &now, 10 + 60 * 1.05 / 4, little, &a);
    add(&f, 3, 3, 3, &a, now);
    expect_next(&f, &now, 11 + 60 * 1.05 / 4, little, &a);
    quick_flows_free(&f);
}

/* The caches take over after 5 s: from then on each goes at the rate of a copy. */
static void memory_changes_its_rate(void **state) {
    (void)state;
    char a;
    char b;
    double now = 0;
    quick_flows f = begin(INFINITY);
    add(&f, 0, 0, 30, &a, now);
    add(&f, 0, 0, 60, &b, now);
    assert_float_equal(quick_flows_end(&f, now), 60 * 1.05 / 4, little);
    now = 5;
    quick_flows_set_memory(&f, 0, 8);
    expect_next(&f, &now, 5 + (30 - 5 * 2 / 1.05) / 3, 1e-6, &a);
    quick_flows_free(&f);
}

static void a_backplane_is_shared_by_all(void **state) {
    (void)state;
    char a;
    char b;
    double now = 0;
    quick_flows f = begin(8 * 1.05); /* answers take a twentieth */
    add(&f, 0, 1, 40, &a, now);
    add(&f, 2, 3, 80, &b, now);
    expect_next(&f, &now, 10, little, &a);
    expect_next(&f, &now, 15, little, &b);
    quick_flows_free(&f);
}

/* Four from node 0 have a quarter of its link each; what they leave of the backplane is for others,
 * who have it all once these are gone. */
static void little_leaves_more_of_a_backplane(void **state) {
    (void)state;
    char a[4];
    char b;
    double now = 0;
    quick_flows f = begin(16 * 1.05);
    for (int i = 0; i < 4; i++) {
        add(&f, 0, 1, 25, &a[i], now);
    }
    add(&f, 2, 3, 70, &b, now);
    assert_float_equal(quick_flows_end(&f, now), 10, little);
    for (int i = 0; i < 4; i++) {
        assert_non_null(quick_flows_take(&f, 10));
    }
    now = 10;
    expect_next(&f, &now, 11, little, &b);
    quick_flows_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_alone_has_the_link),
        cmocka_unit_test(a_link_is_shared),
        cmocka_unit_test(what_waits_elsewhere_leaves_the_rest),
        cmocka_unit_test(answers_take_a_little),
        cmocka_unit_test(full_links_hold_up_answers),
        cmocka_unit_test(memory_is_shared),
        cmocka_unit_test(memory_changes_its_rate),
        cmocka_unit_test(a_backplane_is_shared_by_all),
        cmocka_unit_test(little_leaves_more_of_a_backplane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
