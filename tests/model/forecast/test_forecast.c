/* Forecasts from points: what they recover, refuse and never do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/base/random_bits.h"
#include "model/forecast/forecast.h"

enum { POINTS = 7 };

static isocast_forecast *forecast_of(const isocast_point *points, size_t count, double ideal) {
    isocast_forecast *forecast = NULL;
    assert_int_equal(isocast_forecast_make(points, count, ideal, &forecast), ISOCAST_OK);
    return forecast;
}

/* Points at p = 1, 2, 4, ... */
static void make_points(double (*T)(double p), isocast_point *points) {
    for (int i = 0; i < POINTS; i++) {
        double p = (double)(1 << i);
        points[i] = (isocast_point){.p = p, .T = T(p)};
    }
}

static double amdahl(double p) {
    return 100 / p + 1;
}

static double flat(double p) {
    (void)p;
    return 5;
}

static double rising(double p) {
    return 5 + 0.4 * log2(p);
}

static double peaked(double p) {
    return 100 / p + p;
}

static double near_end(double p) {
    return 100 / p + 12;
}

static void exact_series_go_on(void **unused) {
    (void)unused;
    static double (*const series[])(double p) = {amdahl, flat, rising};
    for (size_t k = 0; k < 3; k++) {
        isocast_point points[POINTS];
        make_points(series[k], points);
        isocast_forecast *forecast = forecast_of(points, POINTS, k == 0 ? -1 : 0);
        for (double p = 128; p <= 512; p *= 2) {
            isocast_forecast_value value = isocast_forecast_at(forecast, p);
            assert_int_equal(value.status, ISOCAST_FORECAST_OK);
            assert_true(fabs(value.T / series[k](p) - 1) < 0.06);
            assert_true(value.low <= series[k](p) && series[k](p) <= value.high);
        }
        isocast_forecast_free(forecast);
    }
}

static void what_cannot_be_known_is_refused(void **unused) {
    (void)unused;
    isocast_point points[POINTS];
    make_points(amdahl, points);
    isocast_forecast *forecast = forecast_of(points + 1, POINTS - 1, -1);
    const struct {
        double p;
        isocast_forecast_status status;
    } rows[] = {{1, ISOCAST_FORECAST_BELOW},       {2, ISOCAST_FORECAST_MEASURED},
                {3, ISOCAST_FORECAST_BETWEEN},     {64, ISOCAST_FORECAST_MEASURED},
                {65, ISOCAST_FORECAST_OK},         {4097, ISOCAST_FORECAST_TOO_FAR},
                {4096, ISOCAST_FORECAST_UNCERTAIN}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        isocast_forecast_value value = isocast_forecast_at(forecast, rows[i].p);
        if (rows[i].p != 4096 || isnan(value.T)) { /* there a narrow band would be right, too */
            assert_int_equal(value.status, rows[i].status);
        }
        assert_true(isnan(value.T) == (value.status >= ISOCAST_FORECAST_BELOW));
    }
    assert_true(isocast_forecast_at(forecast, 4).T == amdahl(4));
    double between = isocast_forecast_at(forecast, 3).T;
    assert_true(between < amdahl(2) && between > amdahl(4));
    isocast_forecast_free(forecast);
    forecast = forecast_of(points, 2, -1);
    assert_int_equal(isocast_forecast_at(forecast, 8).status, ISOCAST_FORECAST_TOO_FEW);
    assert_true(fabs(isocast_forecast_rival(forecast, ISOCAST_RIVAL_IDEAL, 8) - amdahl(2) / 4) <
                1e-9);
    assert_true(fabs(isocast_forecast_rival(forecast, ISOCAST_RIVAL_AMDAHL, 8) - amdahl(8)) < 1e-6);
    isocast_forecast_free(forecast);
    forecast = forecast_of(points, 1, -1);
    assert_int_equal(isocast_forecast_at(forecast, 8).status, ISOCAST_FORECAST_TOO_FEW);
    assert_true(isnan(isocast_forecast_rival(forecast, ISOCAST_RIVAL_POWER, 8)));
    isocast_forecast_free(forecast);
}

/* A forecast does not know what it is held against, and counts in no unit. */
static void points_left_out_are_left_out(void **unused) {
    (void)unused;
    isocast_point points[POINTS];
    isocast_point others[POINTS];
    make_points(amdahl, points);
    make_points(amdahl, others);
    for (int i = 0; i < POINTS; i++) {
        others[i].T *= 1024 * (i == POINTS - 1 ? 3 : 1);
    }
    isocast_forecast *first = forecast_of(points, POINTS, -1);
    isocast_forecast *second = forecast_of(others, POINTS, -1);
    size_t count;
    size_t count_others;
    const isocast_left_out *left = isocast_forecast_left_out(first, &count);
    const isocast_left_out *other = isocast_forecast_left_out(second, &count_others);
    assert_int_equal(count, (POINTS - 2) * (POINTS - 1) / 2);
    assert_int_equal(count, count_others);
    for (size_t i = 0; i < count; i++) {
        assert_true(left[i].p_known < left[i].p);
        assert_true(fabs(other[i].forecast.T / left[i].forecast.T / 1024 - 1) < 0.01);
        assert_true(
            fabs(other[i].rivals[ISOCAST_RIVAL_FIVE] / left[i].rivals[ISOCAST_RIVAL_FIVE] / 1024 -
                 1) < 1e-6);
    }
    isocast_forecast_free(first);
    isocast_forecast_free(second);
}

static void the_peak_is_found(void **unused) {
    (void)unused;
    isocast_point points[POINTS];
    make_points(peaked, points);
    isocast_forecast *forecast = forecast_of(points, POINTS, -1);
    const isocast_outlook *outlook = isocast_forecast_outlook(forecast);
    assert_true(outlook->stops && outlook->stops_measured);
    assert_true(outlook->stop == 8 && outlook->stop_low == 4 && outlook->stop_high == 16);
    /* T is 101 on one process and 22.25 on 16, where 12.6 would be half. */
    assert_true(outlook->half == 16);
    isocast_forecast_free(forecast);
    /* From 128 on a doubling gives less than 5 %: 12.78 to 12.39. */
    make_points(near_end, points);
    forecast = forecast_of(points, POINTS, -1);
    outlook = isocast_forecast_outlook(forecast);
    assert_true(outlook->stops && !outlook->stops_measured);
    assert_true(outlook->stop >= 64 && outlook->stop <= 256);
    assert_true(outlook->half == 16);
    assert_true(outlook->stop_low <= 128 && outlook->stop_high >= 128);
    /* At 64 processes 12 of 13.56 s. */
    unsigned rest = ~0U & ~(1U << ISOCAST_CURVE_CACHE | 1U << ISOCAST_CURVE_SHARED);
    isocast_share share = isocast_forecast_share(forecast, rest);
    assert_true(share.low <= 0.885 && share.high >= 0.885 && fabs(share.mean - 0.885) < 0.1);
    isocast_forecast_free(forecast);
}

static uint64_t state = 7;

static double uniform(void) {
    state += ISOCAST_RANDOM_STEP;
    return isocast_random_unit(isocast_random_bits(state));
}

static size_t used(const isocast_forecast *forecast) {
    size_t count;
    isocast_forecast_points(forecast, &count);
    return count;
}

/* Any positive numbers at all, also those that no program has. */
static void forecasts_are_finite_and_positive(void **unused) {
    (void)unused;
    for (int k = 0; k < 100; k++) {
        isocast_point points[40] = {{0}};
        size_t count = 1 + (size_t)(39 * uniform());
        double p = exp(20 * uniform());
        double spread = k % 3 == 0 ? 200 : k % 3 == 1 ? 5 : 0.5;
        for (size_t i = 0; i < count; i++) {
            points[i] = (isocast_point){p, exp(spread * (uniform() - 0.5)), 0.01 * uniform()};
            p *= 1 + (k % 2 == 0 ? 10 : 0.01) * uniform() + 1e-6;
        }
        isocast_forecast *forecast = forecast_of(points, count, k % 2 - 1);
        double last = points[count - 1].p;
        for (double times = 1.01; times < 80; times *= 2) {
            isocast_forecast_value value = isocast_forecast_at(forecast, times * last);
            bool refused = value.status >= ISOCAST_FORECAST_BELOW;
            assert_true(refused == isnan(value.T));
            assert_true(refused || (value.T > 0 && isfinite(value.T)));
            assert_true(isnan(value.low) || (value.low > 0 && value.low <= value.high));
            assert_true(isnan(value.low) || isfinite(value.high));
        }
        double horizon = isocast_forecast_outlook(forecast)->horizon;
        assert_true(used(forecast) < 3 ? isnan(horizon) : horizon >= last);
        isocast_forecast_free(forecast);
    }
}

/* Sums of terms with noise: the bands hold about as many runs as they should. */
static void bands_hold(void **unused) {
    (void)unused;
    int held = 0;
    int all = 0;
    for (int k = 0; k < 150; k++) {
        isocast_point points[POINTS];
        double serial = 0.3 * uniform() * uniform();
        double tree = 0.02 * uniform();
        for (int i = 0; i < POINTS; i++) {
            double p = (double)(8 << i);
            double noise = 0.03 * (uniform() + uniform() + uniform() + uniform() - 2) * sqrt(3);
            double T = 8 / p + serial / 10 + tree * log2(p) / 10;
            points[i] = (isocast_point){.p = p, .T = T * exp(noise)};
        }
        isocast_forecast *forecast = forecast_of(points, 5, -1);
        for (int i = 5; i < POINTS; i++) {
            isocast_forecast_value value = isocast_forecast_at(forecast, points[i].p);
            held += value.low <= points[i].T && points[i].T <= value.high;
            all++;
        }
        isocast_forecast_free(forecast);
    }
    assert_in_range(held, all * 80 / 100, all * 99 / 100);
}

/* Bands of runs that go as 1/p all held. A term that grows with p, and is 1 to 5 % of T at the last
 * of them, lies in the band of four times as many processes, where it is up to half of T. */
static void small_growth_is_in_the_band(void **unused) {
    (void)unused;
    int held = 0;
    int all = 200;
    for (int k = 0; k < all; k++) {
        isocast_point points[POINTS];
        double growing = (0.01 + 0.04 * uniform()) * 64 / 256;
        for (int i = 0; i < POINTS; i++) {
            double x = (double)(1 << i);
            double noise = 0.02 * (uniform() + uniform() + uniform() + uniform() - 2);
            double T = 64 / x + growing * x;
            points[i] = (isocast_point){.p = 8 * x, .T = T * exp(noise)};
        }
        isocast_forecast *forecast = forecast_of(points, POINTS - 2, -1);
        isocast_forecast_value value = isocast_forecast_at(forecast, points[POINTS - 1].p);
        held += value.low <= points[POINTS - 1].T && points[POINTS - 1].T <= value.high;
        isocast_forecast_free(forecast);
    }
    print_message("of %d series %d in the band\n", all, held);
    assert_in_range(held, all * 80 / 100, all);
}

/* Of very many points some are taken, the last always. */
static void many_points_are_thinned(void **unused) {
    (void)unused;
    enum { MANY = 1000 };
    isocast_point points[MANY];
    for (int i = 0; i < MANY; i++) {
        points[i] = (isocast_point){.p = i + 1, .T = amdahl(i + 1)};
    }
    isocast_forecast *forecast = forecast_of(points, MANY, -1);
    size_t count;
    const isocast_point *used = isocast_forecast_points(forecast, &count);
    assert_in_range(count, 10, ISOCAST_POINTS_MAX);
    assert_true(used[count - 1].p == MANY);
    assert_true(fabs(isocast_forecast_at(forecast, 2 * MANY).T / amdahl(2 * MANY) - 1) < 0.02);
    isocast_forecast_free(forecast);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_series_go_on),
                                       cmocka_unit_test(what_cannot_be_known_is_refused),
                                       cmocka_unit_test(points_left_out_are_left_out),
                                       cmocka_unit_test(the_peak_is_found),
                                       cmocka_unit_test(forecasts_are_finite_and_positive),
                                       cmocka_unit_test(bands_hold),
                                       cmocka_unit_test(small_growth_is_in_the_band),
                                       cmocka_unit_test(many_points_are_thinned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
