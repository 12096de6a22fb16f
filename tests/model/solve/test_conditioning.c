/* The condition number of N': by its definition, the relative change of the N that is found over
 * that of the E that is asked for, on models drawn from a seed; and where E steps or is flat. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/solve/conditioning.h"
#include "model/solve/prediction.h"
#include "model_fixture.h"

static const char *const machine_text =
    "machine: four\nnodes: {node: {count: 64, processors: 4, marked_speed: 1 Gflop/s, memory: 64 "
    "GB}}\nparameters: {t_c: 2 ns/flop}\n";

static isocast_prediction *predict(const fixture *f, isocast_metric metric, double held) {
    isocast_prediction_request request = {.N = NAN,
                                          .efficiency = held,
                                          .systems = (const isocast_system *const *)f->systems,
                                          .system_count = f->system_count,
                                          .metric = metric};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f->model, &request, &prediction), ISOCAST_OK);
    return prediction;
}

static void is_what_its_definition_says(void **unused) {
    (void)unused;
    static const char *const overheads[] = {"1e-6 s*p*N", "2e-6 s*N*log2(p + 1) + 1e-3 s*p",
                                            "3e-6 s*sqrt(N)*p^1.5", "2e-10 s*N^2.8"};
    static const isocast_metric metrics[] = {ISOCAST_METRIC_ISOSPEED_E,
                                             ISOCAST_METRIC_ISOEFFICIENCY};
    static const double step = 1e-4;
    size_t compared = 0;
    for (size_t m = 0; m < 2 * sizeof overheads / sizeof overheads[0]; m++) {
        char algorithm[256];
        snprintf(algorithm, sizeof algorithm,
                 "algorithm: drawn\nsize: {N: {min: 2}}\nwork: 2 flop*N^3\ncompute: W*t_c/p\n"
                 "overhead: {all: \"%s\"}\n",
                 overheads[m / 2]);
        fixture f = fixture_create(algorithm, machine_text, "1x2,2x4,4x16");
        isocast_metric metric = metrics[m % 2];
        for (double held = 0.07; held < 0.5; held += 0.06) {
            isocast_prediction *at = predict(&f, metric, held);
            isocast_prediction *less = predict(&f, metric, held * (1 - step));
            isocast_prediction *more = predict(&f, metric, held * (1 + step));
            for (size_t i = 0; i < f.system_count; i++) {
                if (at->rows[i].status != ISOCAST_ROW_OK) {
                    assert_true(isnan(at->rows[i].condition));
                    continue;
                }
                double expected = log(more->rows[i].N / less->rows[i].N) / (2 * step);
                assert_true(fabs(at->rows[i].condition / fabs(expected) - 1) < 1e-3);
                compared++;
            }
            isocast_prediction_free(at);
            isocast_prediction_free(less);
            isocast_prediction_free(more);
        }
        fixture_free(&f);
    }
    assert_true(compared > 100);
}

/* T has teeth of 16 in N, whose flanks are steep, though E as a whole hardly rises. */
static void teeth_are_not_taken_for_the_slope(void **unused) {
    (void)unused;
    fixture f = fixture_create("algorithm: teeth\nsize: {N: {min: 16}}\nwork: 1e6 flop*N\n"
                               "compute: 32 ms*ceil(N/16)\noverhead: {one: 0.2 s}\n",
                               machine_text, "1x4");
    isocast_prediction *prediction = predict(&f, ISOCAST_METRIC_ISOSPEED_E, 0.123);
    const isocast_prediction_row *row = &prediction->rows[0];
    assert_true(row->N > 200);
    assert_true(row->condition > ISOCAST_ILL_CONDITIONED);
    assert_non_null(strstr(row->note, "N is ill-conditioned: a relative error of E counts"));
    isocast_prediction_free(prediction);
    fixture_free(&f);
}

/* E has a bump at N = 1000, which may be far narrower than 5 % of N. */
static void a_bump_is_no_step(void **unused) {
    (void)unused;
    static const double widths[] = {0.1, 1, 5, 20, 60, 200};
    static const double step = 1e-4;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        char algorithm[256];
        snprintf(algorithm, sizeof algorithm,
                 "algorithm: bump\nsize: {N: {min: 1, max: 1e5}}\nwork: 1e6*N^0.2\n"
                 "overhead: {one: '(1 - 0.5*exp(-((N - 1000)/%g)^2))*1 s'}\n",
                 widths[i]);
        fixture f = fixture_create(algorithm, machine_text, "1x4");
        const double targets[] = {1 - step, 1, 1 + step};
        double N[3];
        double condition = NAN;
        for (size_t k = 0; k < 3; k++) {
            isocast_prediction *at = predict(&f, ISOCAST_METRIC_ISOSPEED_E, 0.00139 * targets[k]);
            N[k] = at->rows[0].N;
            condition = k == 1 ? at->rows[0].condition : condition;
            isocast_prediction_free(at);
        }
        double expected = log(N[2] / N[0]) / (2 * step);
        assert_true(fabs(N[1] / 1000 - 1) < 0.4);
        assert_true(fabs(condition / fabs(expected) - 1) < 1e-3);
        fixture_free(&f);
    }
}

static void a_given_N_has_none(void **unused) {
    (void)unused;
    fixture f = fixture_create("algorithm: one\nsize: {N: {min: 2}}\nwork: 2 flop*N^3\n"
                               "compute: W*t_c/p\noverhead: {one: 1 ms*p}\n",
                               machine_text, "1x4");
    isocast_prediction_request request = {.N = 100,
                                          .efficiency = NAN,
                                          .systems = (const isocast_system *const *)f.systems,
                                          .system_count = 1};
    isocast_prediction *prediction = NULL;
    assert_int_equal(isocast_predict(f.model, &request, &prediction), ISOCAST_OK);
    assert_true(isnan(prediction->rows[0].condition));
    assert_null(prediction->rows[0].note);
    isocast_prediction_free(prediction);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_its_definition_says),
        cmocka_unit_test(teeth_are_not_taken_for_the_slope),
        cmocka_unit_test(a_bump_is_no_step),
        cmocka_unit_test(a_given_N_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
