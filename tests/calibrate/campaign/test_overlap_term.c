/* The term that corrects a model by where its program was executed: it agrees there, goes on
 * between and beyond, and asking, executing and asking again ends soon. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/campaign/overlap.h"
#include "model/solve/prediction.h"
#include "model/spec/machine_load.h"
#include "tests/model/solve/model_fixture.h"

static const char algorithm[] = "algorithm: a\n"
                                "size: {N: {min: 1}}\n"
                                "work: N^3\n"
                                "overhead:\n"
                                "  messages: 1 us*(p - 1) + 100 ns*N^2\n";
static const char alone[] = "algorithm: a\n"
                            "size: {N: {min: 1}}\n"
                            "work: N^3\n"
                            "overhead: {none: 0 s*N}\n";
#define MACHINE "machine: m\nnodes: {node: {count: 8, processors: 1, marked_speed: 1 Gflop/s}}\n"

/* The formulas at a size, and what was executed there. */
static campaign_overlap_point point_of(const fixture *f, const isocast_system *system, double N,
                                       double executed, double error) {
    campaign_overlap_point point = {.N = N, .executed = executed, .error = error};
    double W = NAN;
    const isocast_model_points at = {.count = 1, .N = &N, .systems = &system};
    isocast_model_results results = {.W = &W, .T = &point.T, .T_c = &point.T_c};
    assert_int_equal(isocast_model_evaluate(f->model, &at, &results), ISOCAST_OK);
    point.ideal = W / system->C;
    return point;
}

/* A model with the term; free both. */
static isocast_model *correct(const fixture *f, const campaign_overlap_curve *curves, size_t count,
                              isocast_machine **machine) {
    isocast_buffer parameters = {0};
    isocast_buffer formula = {0};
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    campaign_overlap_curves_write(f->algorithm, curves, count, &parameters, &formula);
    isocast_buffer_printf(&text, "%s%s%s", MACHINE, parameters.length > 0 ? "parameters:\n" : "",
                          parameters.length > 0 ? parameters.text : "");
    assert_int_equal(isocast_machine_read_text("m", text.text, text.length, &diagnostics, machine),
                     ISOCAST_OK);
    const isocast_correction correction = {CAMPAIGN_OVERLAP_TERM, formula.text,
                                           CAMPAIGN_OVERLAP_PREFIX};
    assert_int_equal(
        isocast_model_create_corrected(f->algorithm, *machine, &correction, &diagnostics, &model),
        ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&parameters);
    isocast_buffer_free(&formula);
    isocast_buffer_free(&text);
    return model;
}

static double time_of(const isocast_model *model, const isocast_system *system, double N) {
    double T = NAN;
    const isocast_model_points at = {.count = 1, .N = &N, .systems = &system};
    isocast_model_results results = {.T = &T};
    assert_int_equal(isocast_model_evaluate(model, &at, &results), ISOCAST_OK);
    return T;
}

static void near(double value, double due) {
    assert_true(fabs(value - due) <= 1e-9 * fabs(due));
}

static void is_T_where_it_was_executed(void **state) {
    (void)state;
    fixture f = fixture_create(algorithm, MACHINE, "2,4,8");
    campaign_overlap_curve curves[2];
    campaign_overlap_point points[] = {point_of(&f, f.systems[0], 100, 1e-3, 0),
                                       point_of(&f, f.systems[0], 200, 4.2e-3, 0.02)};
    campaign_overlap_point one = point_of(&f, f.systems[1], 100, 5e-4, 0);
    campaign_overlap_curve_make(f.systems[0], points, 2, true, &curves[0]);
    campaign_overlap_curve_make(f.systems[1], &one, 1, true, &curves[1]);
    isocast_machine *machine = NULL;
    isocast_model *model = correct(&f, curves, 2, &machine);
    double error = NAN;
    near(time_of(model, f.systems[0], 100), 1e-3);
    near(time_of(model, f.systems[0], 200), 4.2e-3);
    near(time_of(model, f.systems[1], 100), 5e-4);
    /* One size shows what the overhead is multiplied by at all of them. */
    double overhead = 3e-6 + 1e-7 * 1e4;
    double multiple = (5e-4 - 1e6 / 4e9) / overhead;
    near(time_of(model, f.systems[1], 300), 2.7e7 / 4e9 + multiple * (3e-6 + 1e-7 * 9e4));
    /* A system where nothing was executed has the formulas alone. */
    assert_true(time_of(model, f.systems[2], 100) == time_of(f.model, f.systems[2], 100));
    assert_int_equal(isocast_model_correction_error(model, f.systems[0], 200, NULL, &error),
                     ISOCAST_OK);
    near(error, 0.02 * 4.2e-3);
    assert_int_equal(isocast_model_correction_error(model, f.systems[0], 100, NULL, &error),
                     ISOCAST_OK);
    assert_true(error == 0);
    isocast_model_free(model);
    isocast_machine_free(machine);
    fixture_free(&f);
}

/* There is nothing to multiply. */
static void formulas_without_overhead_get_a_share_of_the_work(void **state) {
    (void)state;
    fixture f = fixture_create(alone, MACHINE, "4");
    campaign_overlap_curve curve;
    campaign_overlap_point one = point_of(&f, f.systems[0], 100, 1e6 / 4e9 * 1.25, 0);
    campaign_overlap_curve_make(f.systems[0], &one, 1, true, &curve);
    assert_false(curve.overhead);
    isocast_machine *machine = NULL;
    isocast_model *model = correct(&f, &curve, 1, &machine);
    near(time_of(model, f.systems[0], 100), 1e6 / 4e9 * 1.25);
    near(time_of(model, f.systems[0], 200), 8e6 / 4e9 * 1.25);
    isocast_model_free(model);
    isocast_machine_free(machine);
    fixture_free(&f);
}

/* A program of which more and more is hidden as it grows. */
static double program(double N) {
    return N * N * N / 4e9 + (0.2 + 60 / N) * (3e-6 + 1e-7 * N * N);
}

static double solve(const isocast_model *model, const isocast_system *system, double E) {
    const isocast_system *systems[] = {system};
    isocast_prediction_request request = {
        .N = NAN, .efficiency = E, .systems = systems, .system_count = 1};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(model, &request, &prediction), ISOCAST_OK);
    double N = prediction->rows[0].N;
    isocast_prediction_free(prediction);
    return N;
}

static void asking_and_executing_ends_soon(void **state) {
    (void)state;
    enum { ROUNDS = 6 };
    static const double targets[] = {0.3, 0.6, 0.85};
    fixture f = fixture_create(algorithm, MACHINE, "4");
    for (size_t t = 0; t < sizeof targets / sizeof targets[0]; t++) {
        campaign_overlap_point points[ROUNDS];
        size_t count = 0;
        double N = solve(f.model, f.systems[0], targets[t]);
        for (; count < ROUNDS; count++) {
            size_t place = count;
            double whole = round(N);
            for (size_t i = 0; i < count; i++) {
                if (points[i].N == whole) {
                    goto ended;
                }
            }
            for (; place > 0 && points[place - 1].N > whole; place--) {
                points[place] = points[place - 1];
            }
            points[place] = point_of(&f, f.systems[0], whole, program(whole), 0);
            campaign_overlap_curve curve;
            isocast_machine *machine = NULL;
            campaign_overlap_curve_make(f.systems[0], points, count + 1, true, &curve);
            isocast_model *model = correct(&f, &curve, 1, &machine);
            N = solve(model, f.systems[0], targets[t]);
            isocast_model_free(model);
            isocast_machine_free(machine);
        }
    ended:
        assert_true(count < ROUNDS);
        assert_true(fabs(N * N * N / (program(N) * 4e9) / targets[t] - 1) < 0.003);
    }
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_T_where_it_was_executed),
        cmocka_unit_test(formulas_without_overhead_get_a_share_of_the_work),
        cmocka_unit_test(asking_and_executing_ends_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
