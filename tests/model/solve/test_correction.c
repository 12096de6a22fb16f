/* A term that corrects a model: it is in T, has an error by the machine's parameters, and says
 * where it comes from. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/solve/prediction.h"
#include "model/solve/sources.h"
#include "model_fixture.h"

static const char algorithm[] = "algorithm: a\n"
                                "size: {N: {min: 1}}\n"
                                "work: N^2\n"
                                "define: {rows: N/p}\n"
                                "overhead:\n"
                                "  waiting: 1 us*rows\n"
                                "  sending: T_send(8 B*N)\n";
static const char machine[] =
    "machine: m\n"
    "nodes: {node: {count: 8, processors: 1, marked_speed: 1 Gflop/s}}\n"
    "parameters: {off_2: -0.25 ± 0.01, other: 1 ± 0.5}\n"
    "operations: {T_send: {formula: 1 us + 1 ns/B*m, measured: {p: [2, 8]}}}\n"
    "calibration: {date: 2026-11-26}\n";

static isocast_model *corrected_of(const fixture *f, const char *formula, isocast_status due) {
    const isocast_correction correction = {"overlap", formula, "off_"};
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    assert_int_equal(
        isocast_model_create_corrected(f->algorithm, f->machine, &correction, &diagnostics, &model),
        due);
    isocast_diagnostics_clear(&diagnostics);
    return model;
}

static double time_of(const isocast_model *model, const isocast_system *system, double N) {
    double T = NAN;
    const isocast_model_points points = {.count = 1, .N = &N, .systems = &system};
    isocast_model_results results = {.T = &T};
    assert_int_equal(isocast_model_evaluate(model, &points, &results), ISOCAST_OK);
    return T;
}

static void the_term_is_in_T(void **state) {
    (void)state;
    fixture f = fixture_create(algorithm, machine, "2,4");
    isocast_model *model =
        corrected_of(&f, "if(p == 2, off_2*(1 us*rows + T_send(8 B*N)), 0 s)", ISOCAST_OK);
    double N = 100;
    double overhead = 1e-6 * N / 2 + 1e-6 + 8e-9 * N;
    double T = time_of(f.model, f.systems[0], N);
    double error = NAN;
    assert_true(fabs(time_of(model, f.systems[0], N) - (T - 0.25 * overhead)) < 1e-15);
    assert_true(time_of(model, f.systems[1], N) == time_of(f.model, f.systems[1], N));
    assert_int_equal(isocast_model_correction(f.model), 2);
    assert_int_equal(isocast_model_algorithm(f.model)->overhead_count, 2);
    assert_int_equal(isocast_model_correction(model), 2);
    assert_int_equal(isocast_model_algorithm(model)->overhead_count, 3);
    assert_string_equal(isocast_model_algorithm(model)->overhead[2].name, "overlap");
    /* By its own parameter alone. */
    assert_int_equal(isocast_model_correction_error(model, f.systems[0], N, NULL, &error),
                     ISOCAST_OK);
    assert_true(fabs(error - 0.01 * overhead) < 1e-12 * overhead);
    assert_int_equal(isocast_model_correction_error(f.model, f.systems[0], N, NULL, &error),
                     ISOCAST_OK);
    assert_true(isnan(error));
    isocast_model_free(model);
    fixture_free(&f);
}

static void parts_say_where_they_come_from(void **state) {
    (void)state;
    fixture f = fixture_create(algorithm, machine, "2");
    isocast_model *model = corrected_of(&f, "off_2*1 s", ISOCAST_OK);
    assert_int_equal(isocast_source_of_part(model, 0), ISOCAST_TIME_BY_FORMULAS);
    assert_int_equal(isocast_source_of_part(model, 1), ISOCAST_TIME_BY_FORMULAS);
    assert_int_equal(isocast_source_of_part(model, 2), ISOCAST_TIME_MEASURED);
    assert_int_equal(isocast_source_of_part(model, 3), ISOCAST_TIME_EXECUTED);
    assert_int_equal(isocast_source_of_part(f.model, 2), ISOCAST_TIME_MEASURED);
    isocast_model_free(model);
    fixture_free(&f);
}

static void a_wrong_formula_is_refused(void **state) {
    (void)state;
    fixture f = fixture_create(algorithm, machine, "2");
    assert_null(corrected_of(&f, "off_2*1 s +", ISOCAST_INVALID));
    assert_null(corrected_of(&f, "other*1 s", ISOCAST_INVALID));
    fixture_free(&f);
}

/* N is solved for with the term, which a prediction has as a value of its own. */
static void predictions_have_it(void **state) {
    (void)state;
    fixture f = fixture_create(algorithm, machine, "2");
    isocast_model *model = corrected_of(&f, "off_2*(1 us*rows + T_send(8 B*N))", ISOCAST_OK);
    isocast_prediction_request request = {.N = NAN,
                                          .efficiency = 0.4,
                                          .systems = (const isocast_system *const *)f.systems,
                                          .system_count = 1};
    isocast_prediction *with = NULL;
    isocast_prediction *without = NULL;
    assert_int_equal(isocast_predict(model, &request, &with), ISOCAST_OK);
    assert_int_equal(isocast_predict(f.model, &request, &without), ISOCAST_OK);
    assert_true(with->rows[0].N < without->rows[0].N);
    assert_true(with->rows[0].overlap < 0 && with->rows[0].overlap_error > 0);
    assert_true(with->rows[0].overlap == with->rows[0].terms[2]);
    assert_true(with->rows[0].N_high > with->rows[0].N);
    assert_true(isnan(without->rows[0].overlap) && isnan(without->rows[0].overlap_error));
    isocast_prediction_free(with);
    isocast_prediction_free(without);
    isocast_model_free(model);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_term_is_in_T),
        cmocka_unit_test(parts_say_where_they_come_from),
        cmocka_unit_test(a_wrong_formula_is_refused),
        cmocka_unit_test(predictions_have_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
