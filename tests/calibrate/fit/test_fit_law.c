/* The terms that are fitted are those that machine files are written and read with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit_law.h"
#include "calibrate/fit/fit_switches.h"
#include "model/spec/terms.h"

/* Which terms of the list the laws together have, [ISOCAST_SHAPE_TERMS_MAX]; they are added. */
static void assert_written(const fit_law *law, bool *has) {
    for (size_t t = 0; t < law->count; t++) {
        const isocast_law_term *term = fit_law_term(law, t);
        assert_true(term - law->list->terms < (ptrdiff_t)law->list->count);
        has[term - law->list->terms] = true;
        const char *factor = term->factor;
        bool of_bytes = strcmp(factor, "*m") == 0 || strncmp(factor, "*m*", 3) == 0 ||
                        strncmp(factor, "*m/", 3) == 0 || strstr(factor, "*2*m") != NULL;
        assert_int_equal(strstr(term->unit, "/B") != NULL, of_bytes);
    }
}

static void assert_has_all(const bool *has, const isocast_term_list *list) {
    for (size_t t = 0; t < ISOCAST_SHAPE_TERMS_MAX; t++) {
        assert_int_equal(has[t], t < list->count);
    }
}

static void every_term_can_be_written(void **state) {
    (void)state;
    bool plain[ISOCAST_SHAPE_TERMS_MAX] = {false};
    assert_written(&fit_operation_law, plain);
    assert_written(&fit_relay_law, plain);
    assert_has_all(plain, isocast_terms_of(""));
    for (int shape = 0; shape < FIT_SHAPES; shape++) {
        bool own[ISOCAST_SHAPE_TERMS_MAX] = {false};
        assert_written(&fit_shape_laws[shape], own);
        assert_has_all(own, fit_shape_laws[shape].list);
    }
}

enum { SIZES = 60, PROCESSES = 3, POINTS = SIZES * PROCESSES };

/* A tree whose times double from 3000 B on, measured at more sizes than are looked at for switches:
 * the switch is among them. */
static void the_switch_is_found_among_many_sizes(void **state) {
    (void)state;
    static const double processes[PROCESSES] = {2, 4, 8};
    fit_point points[POINTS];
    for (size_t k = 0; k < POINTS; k++) {
        double p = processes[k % PROCESSES];
        size_t size = k / PROCESSES + 1;
        double m = 100 * (double)size;
        double seconds = log2(p) * (1e-6 + 1e-9 * m) * (m < 3000 ? 1 : 2);
        points[k] = (fit_point){.p = p, .m = m, .seconds = seconds, .weight = 1};
    }
    for (int penalty = FIT_PENALTY_AKAIKE; penalty <= FIT_PENALTY_BAYES; penalty++) {
        fit_search search = {.law = &fit_shape_laws[FIT_SHAPE_TREE],
                             .allowed = 31,
                             .criterion = {(fit_penalty)penalty, 1}};
        fit_ranges found;
        double score;
        assert_int_equal(fit_switches_choose(points, POINTS, &search, &found, &score), ISOCAST_OK);
        assert_int_equal(found.count, 2);
        assert_true(found.items[1].below == 2900 && found.items[1].first == 3000);
        assert_int_equal(found.items[1].from, 2950);
        double step = found.items[1].coefficient[FIT_SHAPE_STEPS];
        assert_true(fabs(step - 2e-6) < 1e-12);
    }
}

/* No term has a value on one process: a status of its own, and nothing changes. */
static void nothing_fits_on_one_process(void **state) {
    (void)state;
    fit_point points[4];
    for (size_t k = 0; k < 4; k++) {
        double m = 8 * (double)(k + 1);
        points[k] = (fit_point){.p = 1, .m = m, .seconds = 1e-7, .weight = 1};
    }
    fit_search search = {.law = &fit_operation_law,
                         .allowed = 1U << FIT_TERM_STEPS | 1U << FIT_TERM_STEP_BYTES,
                         .criterion = {FIT_PENALTY_AKAIKE, 1}};
    fit_ranges found = {.count = 7};
    double score;
    assert_int_equal(fit_switches_choose(points, 4, &search, &found, &score), ISOCAST_NUMERIC);
    assert_int_equal(found.count, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_term_can_be_written),
        cmocka_unit_test(the_switch_is_found_among_many_sizes),
        cmocka_unit_test(nothing_fits_on_one_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
