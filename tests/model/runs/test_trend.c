/* Route 1's readings on curves whose solutions are known: lines, saturating curves, humps and
 * steps, with and without noise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/runs/trend.h"

enum { POINTS = 12, MANY = 24 };

static isocast_reading read_points(const isocast_trend_points *points, int degree, double wanted) {
    isocast_trend *trend = NULL;
    isocast_reading reading;
    assert_int_equal(isocast_trend_fit(points, degree, &trend), ISOCAST_OK);
    assert_int_equal(isocast_trend_read(trend, wanted, &reading), ISOCAST_OK);
    isocast_trend_free(trend);
    return reading;
}

static isocast_reading read_at(const double *N, const double *E, size_t count, int degree,
                               double wanted) {
    return read_points(&(isocast_trend_points){.N = N, .E = E, .count = count}, degree, wanted);
}

static void assert_near(double value, double expected, double most) {
    if (!(fabs(value - expected) <= most)) {
        fail_msg("%.9g is not %.9g within %g", value, expected, most);
    }
}

/* Every interval lies within the sizes measured, around its N, or is open. */
static void assert_sound(const isocast_reading *reading, const double *N, size_t count) {
    for (size_t i = 0; i < reading->count; i++) {
        const isocast_crossing *c = &reading->crossings[i];
        assert_true(c->N >= N[0] && c->N <= N[count - 1]);
        assert_false(c->low > c->N || c->low < N[0]);
        assert_false(c->high < c->N || c->high > N[count - 1]);
        assert_true(i == 0 || c->N > reading->crossings[i - 1].N);
        assert_true(c->N >= c->start && c->N <= c->end);
    }
}

static void straight_line(void **state) {
    (void)state;
    static const double N[] = {100, 200, 300, 400};
    static const double E[] = {0.1, 0.2, 0.3, 0.4};
    isocast_reading reading = read_at(N, E, 4, 1, 0.25);
    assert_int_equal(reading.status, ISOCAST_READING_OK);
    assert_near(reading.crossings[0].N, 250, 1e-6);
    assert_near(read_at(N, E, 4, 0, 0.25).crossings[0].N, 250, 1e-6);
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
    assert_near(read_at(N, E, POINTS, 2, 0.5).crossings[0].N, expected, 1e-6);
    isocast_reading reading = read_at(N, E, POINTS, 0, 0.5);
    assert_int_equal(reading.kind, ISOCAST_TREND_POLYNOMIAL);
    assert_true(reading.degree >= 2);
    assert_near(reading.crossings[0].N, expected, 1e-4);
    assert_sound(&reading, N, POINTS);
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
    isocast_reading reading = read_at(N, E, POINTS, 0, 0.5);
    assert_int_equal(reading.status, ISOCAST_READING_OK);
    assert_true(reading.crossings[0].N > 600 && reading.crossings[0].N < 700);
    assert_sound(&reading, N, POINTS);
}

/* Sizes that double: the straight line through them is over E = 0.5 everywhere, the points are not.
 */
static void doubling(void **state) {
    (void)state;
    static const double N[] = {512, 1024, 2048, 4096, 8192};
    static const double E[] = {0.382, 0.687, 0.851, 0.951, 0.970};
    isocast_reading reading = read_at(N, E, 5, 0, 0.5);
    assert_int_equal(reading.status, ISOCAST_READING_OK);
    assert_int_not_equal(reading.kind, ISOCAST_TREND_POLYNOMIAL);
    assert_near(reading.crossings[0].N, 680, 0.05 * 680);
    assert_sound(&reading, N, 5);
    reading = read_at(N, E, 5, 1, 0.5);
    assert_int_equal(reading.status, ISOCAST_READING_MISFIT);
    assert_int_equal(reading.count, 0);
}

/* E rises, falls out of cache and rises again: three solutions, and beside them one and none. */
static void hump(void **state) {
    (void)state;
    static const double N[] = {100, 200, 400, 800, 1600, 3200, 6400};
    static const double E[] = {0.3, 0.6, 0.9, 0.75, 0.6, 0.7, 0.85};
    isocast_reading reading = read_at(N, E, 7, 0, 0.65);
    assert_int_equal(reading.status, ISOCAST_READING_SEVERAL);
    assert_int_equal(reading.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(reading.crossings[i].rises, i % 2 == 0);
    }
    assert_true(reading.crossings[0].N > 200 && reading.crossings[0].N < 400);
    assert_true(reading.crossings[1].N > 800 && reading.crossings[1].N < 1600);
    assert_true(reading.crossings[2].N > 1600 && reading.crossings[2].N < 3200);
    assert_sound(&reading, N, 7);
    reading = read_at(N, E, 7, 0, 0.5);
    assert_int_equal(reading.status, ISOCAST_READING_OK);
    assert_true(reading.crossings[0].N > 100 && reading.crossings[0].N < 200);
    reading = read_at(N + 2, E + 2, 3, 0, 0.8);
    assert_int_equal(reading.status, ISOCAST_READING_OK);
    assert_false(reading.crossings[0].rises);
    assert_true(reading.crossings[0].N > 400 && reading.crossings[0].N < 800);
}

/* Repeated runs state noise from a second and a third solution. */
static void noise(void **state) {
    (void)state;
    static const double N[] = {100, 200, 300, 400, 500, 600, 700, 800};
    static const double E[] = {0.10, 0.20, 0.28, 0.302, 0.297, 0.33, 0.40, 0.50};
    static const double error[] = {0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02};
    static const double less[] = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3};
    isocast_trend_points points = {N, E, error, 8};
    isocast_reading reading = read_points(&points, 0, 0.3);
    assert_int_equal(reading.status, ISOCAST_READING_OK);
    assert_true(reading.crossings[0].N > 300 && reading.crossings[0].N < 600);
    points.error = less;
    reading = read_points(&points, 0, 0.3);
    assert_int_equal(reading.status, ISOCAST_READING_SEVERAL);
    assert_int_equal(reading.count, 3);
}

/* "below" and "above" only where every point says so; a point on the value is reached. */
static void out_of_range(void **state) {
    (void)state;
    static const double N[] = {100, 200, 300, 400};
    static const double E[] = {0.1, 0.2, 0.3, 0.4};
    for (int degree = 0; degree <= 2; degree++) {
        assert_int_equal(read_at(N, E, 4, degree, 0.5).status, ISOCAST_READING_ABOVE);
        assert_int_equal(read_at(N, E, 4, degree, 0.05).status, ISOCAST_READING_BELOW);
    }
    for (size_t i = 0; i < 4; i++) {
        isocast_reading reading = read_at(N, E, 4, 0, E[i]);
        assert_int_equal(reading.status, ISOCAST_READING_OK);
        assert_near(reading.crossings[0].N, N[i], 1e-6);
    }
}

/* A random number from 0 to 1. */
static double draw(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return (double)(*state >> 8 & 0xffffff) / 0x1000000;
}

static double truth(double N, double ceiling, double half, double power) {
    return ceiling / (1 + pow(half / N, power));
}

/* Saturating curves without noise: the mean error over many is small, and whatever is read lies
 * between two neighbours on either side of the wanted E, with an interval that holds the truth. */
static void random_curves(void **state) {
    (void)state;
    unsigned seed = 20;
    double sum = 0;
    int outside = 0;
    enum { CURVES = 300 };
    for (int k = 0; k < CURVES; k++) {
        double N[MANY];
        double E[MANY];
        size_t count = 3 + (size_t)(draw(&seed) * 17);
        bool doubles = count < 9 && draw(&seed) < 0.5;
        double ceiling = 0.6 + 0.5 * draw(&seed);
        double half = pow(10, 2.2 + draw(&seed));
        double power = 0.5 + 1.7 * draw(&seed);
        for (size_t i = 0; i < count; i++) {
            N[i] = doubles ? 64 * pow(2, (double)i) : 100 * (double)(i + 1);
            E[i] = truth(N[i], ceiling, half, power);
        }
        double wanted = E[0] + (0.1 + 0.8 * draw(&seed)) * (E[count - 1] - E[0]);
        double expected = half / pow(ceiling / wanted - 1, 1 / power);
        isocast_reading reading = read_at(N, E, count, 0, wanted);
        assert_int_equal(reading.status, ISOCAST_READING_OK);
        assert_sound(&reading, N, count);
        double error = fabs(log(reading.crossings[0].N / expected));
        assert_true(error < 0.1);
        sum += error;
        outside += expected < reading.crossings[0].low || expected > reading.crossings[0].high;
        size_t i = 0;
        while (E[i] < wanted) {
            i++;
        }
        assert_true(reading.crossings[0].N >= N[i - 1] && reading.crossings[0].N <= N[i]);
    }
    assert_true(sum / CURVES < 0.001);
    assert_true(outside < 0.1 * CURVES);
}

/* Either line goes through its reading, and the monotone one through points that rise. */
static void lines(void **state) {
    (void)state;
    static const double N[] = {100, 200, 400, 800, 1600};
    static const double E[] = {0.1, 0.25, 0.4, 0.5, 0.55};
    isocast_trend_points points = {.N = N, .E = E, .count = 5};
    for (int monotone = 0; monotone < 2; monotone++) {
        isocast_trend *trend = NULL;
        assert_int_equal(monotone ? isocast_trend_fit_monotone(&points, &trend)
                                  : isocast_trend_fit(&points, 2, &trend),
                         ISOCAST_OK);
        isocast_reading reading = {0};
        assert_int_equal(isocast_trend_read(trend, 0.3, &reading), ISOCAST_OK);
        assert_int_equal(reading.count, 1);
        double at[3] = {100, reading.crossings[0].N, 400};
        double line[3];
        assert_int_equal(isocast_trend_line(trend, &reading, 3, at, line), ISOCAST_OK);
        assert_true(fabs(line[1] - 0.3) < 1e-9);
        if (monotone) {
            assert_true(fabs(line[0] - 0.1) < 1e-12);
            assert_true(fabs(line[2] - 0.4) < 1e-12);
        }
        isocast_trend_free(trend);
    }
}

static void refusals(void **state) {
    (void)state;
    static const double N[] = {100, 200, 200, 400};
    static const double E[] = {0.1, 0.2, 0.3, 0.4};
    static const double zero[] = {0.1, 0, 0.3, 0.4};
    isocast_trend *trend = NULL;
    isocast_trend_points points = {.N = N, .E = E, .count = 4};
    assert_int_equal(isocast_trend_fit(&points, 1, &trend), ISOCAST_ARGUMENT);
    points.count = 1;
    assert_int_equal(isocast_trend_fit(&points, 0, &trend), ISOCAST_ARGUMENT);
    points.count = 2;
    assert_int_equal(isocast_trend_fit(&points, 2, &trend), ISOCAST_ARGUMENT);
    points.E = zero;
    assert_int_equal(isocast_trend_fit(&points, 0, &trend), ISOCAST_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_line), cmocka_unit_test(parabola),      cmocka_unit_test(step),
        cmocka_unit_test(doubling),      cmocka_unit_test(hump),          cmocka_unit_test(noise),
        cmocka_unit_test(out_of_range),  cmocka_unit_test(random_curves), cmocka_unit_test(lines),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
