/* A question takes no more than its effort, whatever it asks, and says what it did not reach. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/solve/prediction.h"
#include "model_fixture.h"

/* What each row may take beyond it: points that are looked at in any case, and the step that ends
 * it. */
static const double overdraft = 1e5;

static const char machine_text[] = "machine: m\n"
                                   "nodes: {node: {count: 1000, marked_speed: 1 Gflop/s}}\n";

/* Predicts with so much effort at a size, or at an efficiency where it is NAN; no row may claim
 * more than is known. */
static isocast_prediction *predict(const fixture *f, double N, double efficiency, double steps) {
    isocast_effort effort = {steps};
    isocast_prediction_request request = {.N = N,
                                          .efficiency = efficiency,
                                          .systems = (const isocast_system *const *)f->systems,
                                          .system_count = f->system_count,
                                          .effort = &effort};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    assert_true(effort.left <= steps);
    assert_true(effort.left > -overdraft * (double)f->system_count);
    return prediction;
}

static void shares_are_lent_and_returned(void **state) {
    (void)state;
    isocast_effort all = isocast_effort_of(0);
    double most = all.left;
    assert_true(isocast_effort_of(10).left > most);
    isocast_effort part = isocast_effort_lend(&all, 0.25);
    assert_true(part.left == most / 4 && all.left == most - part.left);
    part.left -= most;
    assert_true(isocast_effort_is_spent(&part));
    isocast_effort_return(&all, &part);
    assert_true(all.left == 0 && !isocast_effort_is_spent(&all));
    all.left = -1;
    part = isocast_effort_lend(&all, 0.5);
    assert_true(isocast_effort_is_spent(&part) && !isocast_effort_is_spent(&all));
    isocast_effort_return(&all, &part);
    assert_true(isocast_effort_is_spent(&all));
}

/* Sums without a rule, which take all that there is: none is reported. */
static void dear_sums_are_given_up(void **state) {
    (void)state;
    fixture f =
        fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: 2*N^3\noverhead:\n"
                       "  a: 1 us*sum(i, 1, 1e18, sum(j, 1, N, floor(17.3*log(i*j + N))))\n",
                       machine_text, "2..60");
    for (int solved = 0; solved < 2; solved++) {
        isocast_prediction *prediction =
            predict(&f, solved ? NAN : 100, solved ? 0.3 : NAN, ISOCAST_EFFORT_MAX / 20.0);
        for (size_t i = 0; i < prediction->row_count; i++) {
            assert_int_equal(prediction->rows[i].status, ISOCAST_ROW_NOT_CONVERGED);
            assert_true(isnan(prediction->rows[i].T));
        }
        isocast_prediction_free(prediction);
    }
    fixture_free(&f);
}

/* Proofs that do not end: what is found is right, and is not given to be all. */
static void searches_that_end_early_say_so(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: 2*N^3\noverhead:\n"
                               "  a: 1 us*p*(N - 7.3*floor(N/7.3))*N^2\n",
                               machine_text, "2..60");
    static const double efforts[] = {0, 1e3, 1e5, 1e7};
    for (size_t k = 0; k < sizeof efforts / sizeof *efforts; k++) {
        isocast_prediction *prediction = predict(&f, NAN, 1e-3, efforts[k]);
        for (size_t i = 0; i < prediction->row_count; i++) {
            const isocast_prediction_row *row = &prediction->rows[i];
            bool known = row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL;
            assert_true(!known || fabs(row->E / 1e-3 - 1) < 0.011);
            assert_true(efforts[k] > 0 || !row->solution.complete);
            assert_true(!row->solution.gave_up || !row->solution.complete);
        }
        isocast_prediction_free(prediction);
    }
    fixture_free(&f);
}

/* Sums that take longer the larger N is: what lies beyond a root must not take what finds it. */
static void roots_are_found_before_what_is_beyond(void **state) {
    (void)state;
    fixture f = fixture_create("algorithm: a\nsize: {N: {min: 1}}\nwork: 2*N^3\noverhead:\n"
                               "  a: 10 us*sum(i, 1, N, floor(17.3*log(i*p + N)))\n",
                               machine_text, "33");
    isocast_prediction *whole = predict(&f, NAN, 0.3, ISOCAST_EFFORT_MAX);
    isocast_prediction *part = predict(&f, NAN, 0.3, ISOCAST_EFFORT_MAX / 20.0);
    assert_int_equal(whole->rows[0].status, ISOCAST_ROW_OK);
    assert_int_equal(part->rows[0].status, ISOCAST_ROW_OK);
    assert_true(fabs(part->rows[0].N / whole->rows[0].N - 1) < 1e-9);
    assert_false(part->rows[0].solution.complete);
    isocast_prediction_free(whole);
    isocast_prediction_free(part);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_lent_and_returned),
        cmocka_unit_test(dear_sums_are_given_up),
        cmocka_unit_test(searches_that_end_early_say_so),
        cmocka_unit_test(roots_are_found_before_what_is_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
