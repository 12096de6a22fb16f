/* Route 1's trend lines on the published measurements [CSW Tables 3 and 4], and on curves whose
 * reading is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "trend.h"

enum { POINTS = 12 };

static double read_at(const double *N, const double *E, size_t count, int degree, double wanted) {
    isocast_trend *trend = NULL;
    isocast_reading reading;
    assert_int_equal(isocast_trend_fit(N, E, count, degree, &trend), ISOCAST_OK);
    assert_int_equal(isocast_trend_read(trend, wanted, &reading), ISOCAST_OK);
    isocast_trend_free(trend);
    return reading.N;
}

static void assert_near(double value, double expected, double most) {
    if (!(fabs(value - expected) <= most)) {
        fail_msg("%.9g is not %.9g within %g", value, expected, most);
    }
}

static void straight_line(void **state) {
    (void)state;
    static const double N[] = {100, 200, 300, 400};
    static const double E[] = {0.1, 0.2, 0.3, 0.4};
    assert_near(read_at(N, E, 4, 1, 0.25), 250, 1e-6);
    assert_near(read_at(N, E, 4, 0, 0.25), 250, 1e-6);
}

static void parabola(void **state) {
    (void)state;
    double N[POINTS];
    double E[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        N[i] = 100 * (double)(i + 1);
        E[i] = 0.9 - 0.8 * pow(1 - N[i] / 1500, 2);
    }
    double expected = 1500 * (1 - sqrt(0.5));
    assert_near(read_at(N, E, POINTS, 2, 0.5), expected, 1e-6);
    isocast_trend *trend = NULL;
    assert_int_equal(isocast_trend_fit(N, E, POINTS, 0, &trend), ISOCAST_OK);
    assert_int_equal(isocast_trend_kind_of(trend), ISOCAST_TREND_POLYNOMIAL);
    assert_true(isocast_trend_degree(trend) >= 2);
    isocast_reading reading;
    assert_int_equal(isocast_trend_read(trend, 0.5, &reading), ISOCAST_OK);
    assert_near(reading.N, expected, 1e-4);
    assert_true(reading.low <= reading.N && reading.N <= reading.high);
    isocast_trend_free(trend);
}

/* A sudden step, which a polynomial smears over the range: the monotone line keeps it. */
static void step(void **state) {
    (void)state;
    double N[POINTS];
    double E[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        N[i] = 100 * (double)(i + 1);
        E[i] = i < POINTS / 2 ? 0.1 + 1e-4 * (double)i : 0.8 + 1e-4 * (double)i;
    }
    isocast_trend *trend = NULL;
    isocast_reading reading;
    assert_int_equal(isocast_trend_fit_monotone(N, E, POINTS, &trend), ISOCAST_OK);
    for (double x = N[0]; x < N[POINTS - 1]; x += 10) {
        assert_true(isocast_trend_evaluate(trend, x + 10) >=
                    isocast_trend_evaluate(trend, x) - 1e-12);
    }
    assert_int_equal(isocast_trend_read(trend, 0.5, &reading), ISOCAST_OK);
    assert_true(reading.N > 600 && reading.N < 700);
    isocast_trend_free(trend);
}

static void out_of_range(void **state) {
    (void)state;
    static const double N[] = {100, 200, 300, 400};
    static const double E[] = {0.1, 0.2, 0.3, 0.4};
    isocast_trend *trend = NULL;
    isocast_reading reading;
    assert_int_equal(isocast_trend_fit(N, E, 4, 1, &trend), ISOCAST_OK);
    assert_int_equal(isocast_trend_read(trend, 0.5, &reading), ISOCAST_OK);
    assert_int_equal(reading.status, ISOCAST_READING_ABOVE);
    assert_true(isnan(reading.N));
    assert_int_equal(isocast_trend_read(trend, 0.05, &reading), ISOCAST_OK);
    assert_int_equal(reading.status, ISOCAST_READING_BELOW);
    isocast_trend_free(trend);
}

static void refusals(void **state) {
    (void)state;
    static const double N[] = {100, 200, 200, 400};
    static const double E[] = {0.1, 0.2, 0.3, 0.4};
    isocast_trend *trend = NULL;
    assert_int_equal(isocast_trend_fit(N, E, 4, 1, &trend), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_trend_fit(N, E, 1, 0, &trend), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_trend_fit(N, E, 2, 2, &trend), ISOCAST_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_line), cmocka_unit_test(parabola), cmocka_unit_test(step),
        cmocka_unit_test(out_of_range),  cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
