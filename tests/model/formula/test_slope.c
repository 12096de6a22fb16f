/* Slopes by automatic differentiation, against derivatives known in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiled_formula.h"
#include "model/formula/gradient.h"

/* Value and slope by k of a formula in N and k at a point; two classes with p_i = 3 and k. */
static void slope_at(const char *text, double N, double k, double *value, double *slope) {
    static const isocast_symbol symbols[] = {
        {.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0},
        {.name = "k", .kind = ISOCAST_SYMBOL_INPUT, .index = 1},
        {.name = "p_i", .kind = ISOCAST_SYMBOL_CLASS, .index = ISOCAST_CLASS_PROCESSES}};
    compiled_formula f = formula_compile(text, symbols, sizeof symbols / sizeof symbols[0]);
    double processes[] = {3, k};
    isocast_class_table classes = {.count = 2, .rows = {processes, processes, processes}};
    double gradient[2];
    double by_class[ISOCAST_CLASS_ROWS][2];
    const isocast_gradient_request request = {.inputs = (const double[]){N, k},
                                              .input_count = 2,
                                              .classes = &classes,
                                              .weights = (const double[]){1},
                                              .gradient_count = 1};
    assert_int_equal(
        isocast_program_gradient(f.program, &request, value, gradient, &by_class[0][0], NULL),
        ISOCAST_OK);
    *slope = gradient[1] + by_class[ISOCAST_CLASS_PROCESSES][1];
    formula_free(&f);
}

static void assert_near(const char *text, double value, double due) {
    if (!(fabs(value - due) <= 1e-12 * fmax(1, fabs(due)))) {
        print_error("%s: %.17g, due %.17g\n", text, value, due);
        fail();
    }
}

static void test_slopes(void **state) {
    (void)state;
    const double N = 1000;
    const double k = 7.5;
    const struct {
        const char *formula;
        double value, slope;
    } cases[] = {
        {"N*k^3 - k/N", N * 421.875 - k / N, 3 * N * k * k - 1 / N},
        {"k^k", pow(k, k), pow(k, k) * (log(k) + 1)},
        {"2^(k/3)", exp2(k / 3), exp2(k / 3) * log(2) / 3},
        {"sqrt(k) + cbrt(k) + exp(-k)", sqrt(k) + cbrt(k) + exp(-k),
         0.5 / sqrt(k) + cbrt(k) / (3 * k) - exp(-k)},
        {"log(k)*log2(k)*log10(k)", log(k) * log2(k) * log10(k),
         3 * log(k) * log(k) / (k * log(2) * log(10))},
        {"min(k, 9) + max(k^2, 3) - abs(-k)", k * k, 2 * k},
        {"if(k > 5, k^2, 0) + ceil(k) + floor(k)", k * k + 15, 2 * k},
        {"interpolate(k, 5, 10, 10, 30)", 20, 4},
        /* A quadratic in the running variable, with a million terms. */
        {"sum(i, 0, 999999, k*i^2 + k^2)", k * 333332833333500000.0 + k * k * 1e6,
         333332833333500000.0 + 2 * k * 1e6},
        /* The end moves: between whole numbers a sum is a straight line. */
        {"sum(i, 1, k, i)", 28 + 0.5 * 8, 8},
        /* Sums in sums. */
        {"sum(i, 1, 10, sum(j, 1, i, k*j))", k * 220, 220},
        {"sum_class(p_i^2)", 9 + k * k, 2 * k},
        {"max_class(p_i)", k, 1},
        {"min_class(p_i)", 3, 0},
        {"sum_class(sum(i, 1, 4, i*p_i))", 10 * (3 + k), 10},
        {"sum(i, 1, 4, sum_class(i*k*p_i))", 10 * k * (3 + k), 10 * (3 + 2 * k)},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double value = NAN;
        double slope = NAN;
        slope_at(cases[c].formula, N, k, &value, &slope);
        assert_near(cases[c].formula, value, cases[c].value);
        assert_near(cases[c].formula, slope, cases[c].slope);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
