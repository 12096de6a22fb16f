/* Runs to make next: inside the budget, and the bands come out as they are stated to. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/base/random_bits.h"
#include "model/forecast/next.h"

enum { POINTS = 5, MORE = POINTS + ISOCAST_NEXT_MAX };

static uint64_t state = 3;

static double uniform(void) {
    state += ISOCAST_RANDOM_STEP;
    return isocast_random_unit(isocast_random_bits(state));
}

static double truth(double p, double serial) {
    return 100 / p + serial;
}

static double noise(void) {
    return exp(0.02 * sqrt(12) * (uniform() - 0.5));
}

static isocast_forecast *learn(const isocast_series *series) {
    isocast_forecast *forecast = NULL;
    assert_int_equal(isocast_forecast_make(series->points, series->count,
                                           isocast_series_ideal(series), &forecast),
                     ISOCAST_OK);
    return forecast;
}

static double width_at(const isocast_series *series, double p) {
    isocast_forecast *forecast = learn(series);
    isocast_forecast_value value = isocast_forecast_at(forecast, p);
    isocast_forecast_free(forecast);
    return log(value.high / value.low);
}

static void bands_narrow_as_stated(void **unused) {
    (void)unused;
    enum { CASES = 40 };
    const double target = 1024;
    double stated = 0;
    double found = 0;
    double before = 0;
    for (int k = 0; k < CASES; k++) {
        isocast_point points[MORE];
        isocast_series series = {.points = points,
                                 .count = POINTS,
                                 .sd_launches = NAN,
                                 .sd_repetitions = NAN,
                                 .scaling = ISOCAST_SERIES_STRONG};
        double serial = 2 * uniform() * uniform();
        for (int i = 0; i < POINTS; i++) {
            double p = (double)(4 << i);
            points[i] = (isocast_point){.p = p, .T = truth(p, serial) * noise()};
        }
        isocast_forecast *forecast = learn(&series);
        isocast_next_run runs[ISOCAST_NEXT_MAX];
        size_t count = 0;
        double budget = 700;
        assert_int_equal(isocast_next_find(&series, forecast, target, budget, runs, &count),
                         ISOCAST_OK);
        assert_in_range(count, 1, ISOCAST_NEXT_MAX);
        assert_true(fabs(log(runs[0].width_before) - width_at(&series, target)) < 1e-9);
        before += log(runs[0].width_before);
        stated += log(runs[count - 1].width);
        for (size_t i = 0; i < count; i++) {
            budget -= runs[i].cost;
            assert_true(runs[i].runs == 1 && runs[i].p < target);
            assert_true(fabs(runs[i].cost - runs[i].p * runs[i].T) < 1e-9 * runs[i].cost);
            assert_true(i == 0 || runs[i].width < runs[i - 1].width);
            /* Doublings: behind the last, or in the order that they are chosen. */
            size_t at = series.count++;
            for (; at > 0 && points[at - 1].p > runs[i].p; at--) {
                points[at] = points[at - 1];
            }
            points[at] = (isocast_point){.p = runs[i].p, .T = truth(runs[i].p, serial) * noise()};
        }
        assert_true(budget >= 0);
        found += width_at(&series, target);
        isocast_forecast_free(forecast);
    }
    assert_true(stated < 0.7 * before);
    assert_true(fabs(found / stated - 1) < 0.3);
}

/* Where it is known how far runs scatter, another run at a p that was run may be the best. */
static void nothing_is_asked_for_in_vain(void **unused) {
    (void)unused;
    isocast_point points[POINTS];
    isocast_series series = {.points = points,
                             .count = POINTS,
                             .sd_launches = 0.3,
                             .sd_repetitions = NAN,
                             .scaling = ISOCAST_SERIES_STRONG};
    for (int i = 0; i < POINTS; i++) {
        double p = (double)(4 << i);
        points[i] = (isocast_point){.p = p, .T = truth(p, 1), .variance = 0.09};
    }
    isocast_forecast *forecast = learn(&series);
    isocast_next_run runs[ISOCAST_NEXT_MAX];
    size_t count = 0;
    /* Two runs on 64 processes, or on fewer; the next p is too dear. */
    double budget = 2.2 * 64 * truth(64, 1);
    assert_int_equal(isocast_next_find(&series, forecast, 128, budget / 2, runs, &count),
                     ISOCAST_OK);
    assert_true(count >= 1 && runs[0].p <= 64);
    assert_int_equal(isocast_next_find(&series, forecast, 128, 1, runs, &count), ISOCAST_OK);
    assert_int_equal(count, 0);
    isocast_forecast_free(forecast);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bands_narrow_as_stated),
                                       cmocka_unit_test(nothing_is_asked_for_in_vain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
