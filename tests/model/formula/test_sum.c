/* sum(): exact for polynomial pieces, continuous in its bounds, honest where it is neither. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_psi.h>

#include "compiled_formula.h"

/* Evaluates a formula in N and k; *error gets the reported error estimate. */
static double evaluate(const char *text, double N, double k, double *error) {
    static const isocast_symbol symbols[] = {
        {.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0},
        {.name = "k", .kind = ISOCAST_SYMBOL_INPUT, .index = 1}};
    compiled_formula f = formula_compile(text, symbols, sizeof symbols / sizeof symbols[0]);
    isocast_column columns[] = {{&N, 0}, {&k, 0}};
    isocast_program_points points = {.count = 1, .inputs = columns};
    double value = NAN;
    double *results[] = {&value};
    assert_int_equal(isocast_program_evaluate(f.program, &points, results, error), ISOCAST_OK);
    formula_free(&f);
    return value;
}

static void assert_near(double actual, double expected, double relative) {
    if (!(fabs(actual - expected) <= relative * fabs(expected))) {
        print_error("%.17g is not %.17g within %g\n", actual, expected, relative);
        fail();
    }
}

/* Faulhaber's formulas to degree 7, also for a trillion terms. */
static void powers(void **state) {
    (void)state;
    static const double sizes[] = {0, 1, 2, 3, 47, 48, 49, 50, 97, 1000, 65537, 1e6, 1e9, 1e12};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double n = sizes[i];
        double s = n * (n + 1) / 2;
        double error = 1;
        assert_near(evaluate("sum(i, 1, N, 1)", n, 0, &error), n, 1e-15);
        assert_near(evaluate("sum(i, 1, N, i)", n, 0, &error), s, 2e-14);
        assert_near(evaluate("sum(i, 1, N, i^2)", n, 0, &error), s * (2 * n + 1) / 3, 2e-14);
        assert_near(evaluate("sum(i, 1, N, i^3)", n, 0, &error), s * s, 2e-14);
        assert_near(evaluate("sum(i, 1, N, i^5)", n, 0, &error),
                    s * s * (2 * n * n + 2 * n - 1) / 3, 1e-13);
        assert_near(evaluate("sum(i, 1, N, i^7)", n, 0, &error),
                    s * s * (3 * n * n * n * n + 6 * n * n * n - n * n - 4 * n + 2) / 6, 1e-13);
        assert_true(error == 0);
    }
}

static double step_by_loop(double n, double k) {
    double sum = 0;
    for (double i = 0; i <= n; i++) {
        sum += i < k ? 2 * i + 1 : 7 - 0.5 * i;
    }
    return sum;
}

/* One step, wherever it is: near either end, between any two of the tried places. */
static void steps_are_found(void **state) {
    (void)state;
    static const double sizes[] = {100, 1000, 20011};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        double n = sizes[s];
        for (double k = 0; k <= n + 1; k += k < 40 || k > n - 40 ? 1 : ceil(n / 211)) {
            double error = 1;
            double sum = evaluate("sum(i, 0, N, if(i < k, 2*i + 1, 7 - 0.5*i))", n, k, &error);
            double expected = step_by_loop(n, k);
            if (!(fabs(sum - expected) <= 1e-9 * n)) {
                print_error("n = %g, step at %g: %.17g is not %.17g\n", n, k, sum, expected);
                fail();
            }
        }
    }
}

/* ceil() of a share has a step every p rows. */
static void ceilings(void **state) {
    (void)state;
    static const double processes[] = {1, 2, 3, 5, 17, 64, 1000};
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++) {
        double p = processes[i];
        for (double n = 1; n < 40000; n = n * 3 + 7) {
            double expected = 0;
            for (double r = 0; r <= n - 2; r++) {
                expected += ceil((n - r) / p) * (n - r);
            }
            double error = 1;
            double sum = evaluate("sum(i, 0, N - 2, ceil((N - i)/k)*(N - i))", n, p, &error);
            assert_true(fabs(sum - expected) <= 1e-11 * expected);
        }
    }
}

/* Remainders come again as steps do, also for more terms than could be added up one by one. */
static void remainders(void **state) {
    (void)state;
    static const double divisors[] = {1, 2, 3, 7, 64, 1000};
    for (size_t d = 0; d < sizeof divisors / sizeof divisors[0]; d++) {
        double k = divisors[d];
        for (double n = 1; n < 30000; n = n * 3 + 5) {
            double expected = 0;
            double joined = 0;
            for (double i = 0; i <= n; i++) {
                expected += fmod(i, k) * i;
                joined += i > k && (i < n / 2 || !(i < 2 * k)) ? 3 * i : 1;
            }
            double error = 1;
            assert_near(evaluate("sum(i, 0, N, mod(i, k)*i)", n, k, &error), expected, 1e-11);
            assert_near(evaluate("sum(i, 0, N, if(i > k and (i < N/2 or not i < 2*k), 3*i, 1))", n,
                                 k, &error),
                        joined, 1e-11);
        }
        double n = 1e9 * k;
        double error = 1;
        assert_near(evaluate("sum(i, 1, N, mod(i, k))", n, k, &error), 1e9 * k * (k - 1) / 2,
                    1e-11);
        assert_true(error < 1e-9);
    }
}

/* A condition that is a number fails at one term only, which no sample may meet. */
static void conditions_that_are_numbers(void **state) {
    (void)state;
    for (double k = 3; k < 20000; k = 2 * k + 1) {
        double error = 1;
        double n = 20011;
        assert_near(evaluate("sum(i, 1, N, if(i - k, 1, 1000))", n, k, &error), n + 999, 1e-13);
        assert_near(evaluate("sum(i, 1, N, if(i > 2 and i - k, 1, 1000))", n, k, &error),
                    n + 999 * 3, 1e-13);
        assert_near(evaluate("sum(i, 1, N, if(not i - k, 1000, 1))", n, k, &error), n + 999, 1e-13);
    }
}

static void empty_sums(void **state) {
    (void)state;
    double error;
    assert_true(evaluate("sum(i, 0, N - 2, 5)", 1, 0, &error) == 0);
    assert_true(evaluate("sum(i, 0, N - 2, 5)", -10, 0, &error) == 0);
    assert_true(evaluate("sum(i, 0, N, 5)", 0, 0, &error) == 5);
}

/* Between whole numbers of terms the sum is linear, so it has no jump that a root finder trips
 * over. */
static void fractions_are_linear(void **state) {
    (void)state;
    double error;
    for (double n = 0; n < 200; n += 13) {
        double low = evaluate("sum(i, 0, N, i^2 + 1)", n, 0, &error);
        double high = evaluate("sum(i, 0, N, i^2 + 1)", n + 1, 0, &error);
        for (double share = 0.125; share < 1; share += 0.125) {
            assert_near(evaluate("sum(i, 0, N, i^2 + 1)", n + share, 0, &error),
                        low + share * (high - low), 1e-13);
        }
    }
    assert_near(evaluate("sum(i, 0, N, 4)", -0.75, 0, &error), 1, 1e-15);
}

/* 1/i is no polynomial anywhere: the error that is reported covers the one that is made. */
static void harmonic_numbers(void **state) {
    (void)state;
    for (double n = 10; n <= 1e12; n *= 10) {
        double error = 0;
        double sum = evaluate("sum(i, 1, N, 1/i)", n, 0, &error);
        double expected = gsl_sf_psi(n + 1) + M_EULER;
        assert_true(fabs(sum / expected - 1) <= error + 1e-12);
        assert_true(error < 1e-9);
    }
}

static void nested(void **state) {
    (void)state;
    double error;
    for (double n = 1; n < 3000; n *= 5) {
        assert_near(evaluate("sum(i, 1, N, sum(j, 1, i, k*j))", n, 3, &error),
                    3 * n * (n + 1) * (n + 2) / 6, 1e-13);
    }
}

static void random_pieces(void **state) {
    (void)state;
    srand(20);
    for (int trial = 0; trial < 200; trial++) {
        double n = 50 + rand() % 5000;
        double k = rand() % (int)n;
        double expected = 0;
        for (double i = 0; i <= n; i++) {
            expected += fmax(i - k, 0) * 3 + fabs(i - n / 2) + fmin(i, 2 * k);
        }
        double error;
        double sum =
            evaluate("sum(i, 0, N, max(i - k, 0)*3 + abs(i - N/2) + min(i, 2*k))", n, k, &error);
        assert_near(sum, expected, 1e-11);
    }
}

/* Terms that are of degree 3 at most between two switches: a few for each piece, however many there
 * are, and the same sum as one by one. */
static void few_terms_of_polynomials(void **state) {
    (void)state;
    static const char text[] =
        "sum(i, 1, N, if(i < k, i*i*i/7, if(i <= 3*k, 5 + i*(i - 2), 2*i)) + "
        "max(i, 2*k) + abs(i - 5*k))";
    static const isocast_symbol symbols[] = {
        {.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0},
        {.name = "k", .kind = ISOCAST_SYMBOL_INPUT, .index = 1}};
    compiled_formula f = formula_compile(text, symbols, sizeof symbols / sizeof symbols[0]);
    srand(3);
    for (int trial = 0; trial < 60; trial++) {
        double N = 60 + rand() % 40000;
        double k = rand() % 9000 + (trial % 2 == 0 ? 0 : 0.25);
        double due = 0;
        for (double i = 1; i <= N; i++) {
            due += (i < k        ? i * i * i / 7
                    : i <= 3 * k ? 5 + i * (i - 2)
                                 : 2 * i) +
                   fmax(i, 2 * k) + fabs(i - 5 * k);
        }
        isocast_column columns[] = {{&N, 0}, {&k, 0}};
        isocast_effort effort = {1e9};
        isocast_program_points points = {.count = 1, .inputs = columns, .effort = &effort};
        double value = NAN;
        double *results[] = {&value};
        double error = 1;
        assert_int_equal(isocast_program_evaluate(f.program, &points, results, &error), ISOCAST_OK);
        assert_near(value, due, 1e-11);
        assert_true(error == 0);
        /* 40 steps or so a term. */
        assert_true(1e9 - effort.left < 40 * 50);
    }
    formula_free(&f);
}

/* A table over what ranges make of the running variable: its borders are known in each range alone.
 */
static double table_over_ranges(double i, double k) {
    static const double x[] = {0, 5, 100, 3000};
    static const double y[] = {0, 2, 7, 20};
    double slope = i < 40 * k ? 3 : i < 900 * k ? 0.7 : 0.11;
    double pace = i < 40 * k ? 2 : i < 2500 * k ? 0.9 : 1.3;
    double at = slope * i / pace;
    double value = at <= 0 ? y[0] : y[3];
    for (int r = 0; r < 3; r++) {
        if (at > x[r] && at < x[r + 1]) {
            value = y[r] + (y[r + 1] - y[r]) * (at - x[r]) / (x[r + 1] - x[r]);
        }
    }
    return 50 + pace * i - value * fmin(i, 7000) + fabs(slope * i - 1000);
}

static void tables_over_ranges(void **state) {
    (void)state;
    static const char slope[] = "if(i < 40*k, 3, if(i < 900*k, 0.7, 0.11))";
    static const char pace[] = "if(i < 40*k, 2, if(i < 2500*k, 0.9, 1.3))";
    char text[700];
    snprintf(text, sizeof text,
             "sum(i, 1, N, 50 + %s*i - interpolate(%s*i/%s, 0, 0, 5, 2, 100, 7, 3000, 20)*min(i, "
             "7000) + abs(%s*i - 1000))",
             pace, slope, pace, slope);
    for (int trial = 0; trial < 60; trial++) {
        double N = 60 + floor(pow(1.2, trial));
        double k = 0.6 + 0.37 * trial;
        double due = 0;
        for (double i = 1; i <= N; i++) {
            due += table_over_ranges(i, k);
        }
        double error = 1;
        assert_near(evaluate(text, N, k, &error), due, 1e-12);
        assert_true(error <= 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers),
        cmocka_unit_test(steps_are_found),
        cmocka_unit_test(ceilings),
        cmocka_unit_test(remainders),
        cmocka_unit_test(conditions_that_are_numbers),
        cmocka_unit_test(empty_sums),
        cmocka_unit_test(fractions_are_linear),
        cmocka_unit_test(harmonic_numbers),
        cmocka_unit_test(nested),
        cmocka_unit_test(random_pieces),
        cmocka_unit_test(tables_over_ranges),
        cmocka_unit_test(few_terms_of_polynomials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
