/* Forecasts of times beyond the largest p: known laws are continued, and the median heeds its
 * weights. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibrate/fit/fit_forward.h"

enum { COUNTS = 5, SIZES = 6 };

/* us; q = 24 processes share a node. */
typedef double (*law)(double p, double m);

static double exchange(double p, double m) {
    return 8 + 0.002 * m * (p - 24);
}

static double steep(double p, double m) {
    return 3e-4 * (m + 100) * pow(p, 1.4);
}

static double tree(double p, double m) {
    return (2 + 1e-3 * m) * log2(p);
}

/* A tree for short messages, and for long ones an exchange through links that more and more share.
 */
static double switching(double p, double m) {
    return m < 100 ? 1000 * tree(p, m) : steep(p, m);
}

/* Learns from 48 to 768 processes and gives the largest error of ln T at 1536 and 3072. */
static double error_of(law truth) {
    observations o = {0};
    size_t operation = isocast_text_index_number(&o.operations, "T_x", 3);
    size_t launch = isocast_text_index_number(&o.launches, "0", 1);
    assert_true(observations_note_per_node(&o, (uint32_t)operation, 24));
    for (int i = 0; i < COUNTS; i++) {
        for (int k = 0; k < SIZES; k++) {
            double p = ldexp(48, i);
            double m = pow(8, k);
            assert_true(observations_add(&o, (uint32_t)operation, (uint32_t)launch, p, m,
                                         1e-6 * truth(p, m)));
        }
    }
    assert_true(observations_finish(&o));
    fit_timings timings = {0};
    fit_forward forward = {0};
    assert_true(fit_timings_make(&o, (uint32_t)operation, INFINITY, &timings));
    assert_true(fit_forward_learn(&timings, &forward));
    double worst = 0;
    for (double p = 1536; p <= 3072; p *= 2) {
        for (int k = 0; k < SIZES; k++) {
            double m = pow(8, k);
            double error = fabs(log(fit_forward_time(&forward, p, m) / (1e-6 * truth(p, m))));
            worst = fmax(worst, error);
        }
    }
    fit_forward_free(&forward);
    fit_timings_free(&timings);
    observations_free(&o);
    return worst;
}

static void laws_are_continued(void **state) {
    (void)state;
    assert_true(error_of(exchange) < 0.03);
    assert_true(error_of(steep) < 0.03);
    assert_true(error_of(tree) < 0.03);
}

/* What was right for long messages is no more believed for short ones. */
static void sizes_have_their_own_laws(void **state) {
    (void)state;
    assert_true(error_of(switching) < 0.03);
}

/* Three forecasts of 1, 2 and 8 s at p = 8 of a time of 1 s at p = 4. */
static void median_heeds_weights(void **state) {
    (void)state;
    const fit_growth_point points[] = {{2, 0.5, false}, {4, 1, false}};
    fit_paces around = {3, NAN, NAN, NAN};
    fit_forecasts forecasts;
    fit_forecasts_make(1, points, 2, &around, &forecasts);
    int none = FIT_GROWTH_KIND_NONE;
    int last = FIT_GROWTH_KINDS + FIT_PACE_LAST;
    int cube = FIT_GROWTH_KINDS + FIT_PACE_LAST_AROUND;
    assert_true(forecasts.known[none] && forecasts.known[last] && forecasts.known[cube]);
    assert_float_equal(fit_forecast_of(&forecasts, none, 8), 1, 1e-12);
    assert_float_equal(fit_forecast_of(&forecasts, last, 8), 2, 1e-12);
    assert_float_equal(fit_forecast_of(&forecasts, cube, 8), 8, 1e-12);
    double weights[FIT_FORECASTERS] = {0};
    weights[none] = weights[last] = weights[cube] = 1;
    assert_float_equal(fit_forecast_median(&forecasts, weights, 8), 2, 1e-12);
    weights[cube] = 1e6;
    assert_float_equal(fit_forecast_median(&forecasts, weights, 8), 8, 1e-4);
    weights[cube] = 0;
    assert_float_equal(fit_forecast_median(&forecasts, weights, 8), sqrt(2), 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_are_continued),
        cmocka_unit_test(sizes_have_their_own_laws),
        cmocka_unit_test(median_heeds_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
