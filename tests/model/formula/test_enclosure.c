/* Enclosures hold what they enclose: values of random formulas at random N, and their slopes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiled_formula.h"
#include "model/formula/enclosure.h"

typedef struct fixture {
    compiled_formula compiled;
    isocast_enclosure *enclosure;
    double N;
    isocast_column column;
    isocast_effort effort;
} fixture;

static void fixture_create(const char *text, fixture *f) {
    static const isocast_symbol symbols[] = {
        {.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0}};
    f->N = 1;
    f->column = (isocast_column){&f->N, 0};
    f->compiled = formula_compile(text, symbols, 1);
    f->effort = isocast_effort_of(1);
    assert_int_equal(isocast_enclosure_create(f->compiled.program, &f->column, 1, 0, NULL,
                                              &f->effort, &f->enclosure),
                     ISOCAST_OK);
}

static void fixture_free(fixture *f) {
    isocast_enclosure_free(f->enclosure);
    formula_free(&f->compiled);
}

static double value_at(fixture *f, double N) {
    double value = NAN;
    double *results[] = {&value};
    isocast_program_points points = {.count = 1, .inputs = &f->column};
    f->N = N;
    assert_int_equal(isocast_program_evaluate(f->compiled.program, &points, results, NULL),
                     ISOCAST_OK);
    return value;
}

static isocast_dual enclose(fixture *f, double low, double high, double exponent) {
    assert_int_equal(isocast_enclosure_enter(f->enclosure, low, high), ISOCAST_OK);
    isocast_form_ranges ranges = isocast_enclosure_ranges(f->enclosure);
    return isocast_form_bound(isocast_enclosure_output(f->enclosure, 0), &ranges, exponent);
}

static double uniform(void) {
    return (double)rand() / RAND_MAX;
}

static const char *const formulas[] = {
    "2/3*N^3 - N^2/2 - 19/6*N + 3",
    "N - 18*floor(N/18)",
    "(1 - (N/7 - floor(N/7)))*floor(N/7)^2 + (N/7 - floor(N/7))*(floor(N/7) + 1)^2",
    "ceil(N/12)*12/N + round(N/5)",
    "N*log2(N + 1) - sqrt(N)*log(3*N^2)",
    "if(N < 100, 3*N, 250 + N/2) + min(N, 40) - max(N, 900) + abs(N - 333)",
    "interpolate(N, 10, 5, 50, 2, 200, 9, 4000, 1)*N",
    "1/(N - 77) + 1/abs(N - 300)",
    "exp(-N/100)*N^1.5/(N^2 + 3)",
    "sum(i, 1, N, i^2) - N^3/3",
    "sum(i, 0, N - 2, 8*(N + 1 - i)) + sum(i, 3, N/2, N*i - 4)",
    "sum(i, 1, N, interpolate(i, 2, 1, 30, 7, 500, 3))",
    "sum(i, 1, N, sqrt(i)) + sum(i, 2, N, sum(j, 1, i, j/(i + 1)))",
    "sqrt(N - 50)*log(N - 20)",
    "sum(i, 1, N, ceil(i/7)*i)",
    "mod(N, 18)*N + mod(N^2, 77.7) - mod(700 - N, 13)",
    "cbrt(N - 321)*N + cbrt(5*N^3) + cbrt(2*N) - 1/cbrt(N + 1)",
    "if(N > 30 and N < 300 or not N < 900, N^2, 7*N)",
    "if(mod(floor(N), 7) == 0 and not N < 80, N, -N) + (N < 9 or N - 55)",
    "sum(i, 1, N, if(mod(i, 3) == 0 or i > 40 and i < 90, i, 1))"};
enum { FORMULAS = sizeof formulas / sizeof formulas[0], PIECES = 120, POINTS = 12 };

static void values_are_enclosed(void **state) {
    (void)state;
    srand(11);
    for (size_t k = 0; k < FORMULAS; k++) {
        fixture f;
        fixture_create(formulas[k], &f);
        for (int piece = 0; piece < PIECES; piece++) {
            double low = exp(log(2000) * uniform());
            double high = low * exp(pow(uniform(), 4) * 3 + 1e-7);
            double exponent = rand() % 4;
            isocast_dual bound = enclose(&f, low, high, exponent);
            double before = NAN;
            double x_before = NAN;
            for (int point = 0; point < POINTS; point++) {
                double N = low * pow(high / low, (double)point / (POINTS - 1));
                double value = value_at(&f, N) / pow(N, exponent);
                if (!isfinite(value)) {
                    before = NAN;
                    continue;
                }
                double slack = 1e-9 * (fabs(value) + 1);
                if (!(value >= bound.value.low - slack && value <= bound.value.high + slack)) {
                    print_error("%s at N = %.17g in [%.17g, %.17g]: %.17g is not in [%.17g, "
                                "%.17g]\n",
                                formulas[k], N, low, high, value, bound.value.low,
                                bound.value.high);
                    fail();
                }
                double slope = (value - before) / (log(N) - x_before);
                double rough = 1e-9 * (fabs(value) + 1) / log(high / low) * POINTS;
                if (isfinite(slope) &&
                    !(slope >= bound.slope.low - rough && slope <= bound.slope.high + rough)) {
                    print_error("%s at N = %.17g in [%.17g, %.17g]: slope %.17g is not in "
                                "[%.17g, %.17g]\n",
                                formulas[k], N, low, high, slope, bound.slope.low,
                                bound.slope.high);
                    fail();
                }
                before = value;
                x_before = log(N);
            }
        }
        fixture_free(&f);
    }
}

/* Teeth cancel before they are bounded, over any number of them. */
static void teeth_cancel(void **state) {
    (void)state;
    fixture f;
    fixture_create("N - 18*floor(N/18)", &f);
    isocast_dual bound = enclose(&f, 1, 1e9, 0);
    assert_true(bound.value.low >= -1e-6 && bound.value.high <= 18 + 1e-6);
    fixture_free(&f);
    fixture_create("mod(N, 18) + cbrt(8*N^3) - 2*N", &f);
    bound = enclose(&f, 1, 1e9, 0);
    assert_true(bound.value.low >= -1e-6 && bound.value.high <= 18 + 1e-6);
    fixture_free(&f);
    fixture_create("(1 - (N - floor(N)))*floor(N) + (N - floor(N))*(floor(N) + 1) - N", &f);
    bound = enclose(&f, 1, 1e9, 0);
    assert_true(fabs(bound.value.low) <= 1e-6 && fabs(bound.value.high) <= 1e-6);
    fixture_free(&f);
}

/* The place where a formula switches lies between neighbouring numbers. */
static void switches_are_found(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double at;
    } cases[] = {{"if(N^2 < 1e4, 1, 2)", 100},
                 {"max(N, 321)", 321},
                 {"floor(N/18)", 54},
                 {"interpolate(N, 1, 1, 1e9, 7)*abs(N - 77)", 77},
                 {"if(N >= 60, N, 5)", 60},
                 {"if(N > 5 and not N < 70, N, 5)", 70},
                 {"mod(N, 18)", 54}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        fixture f;
        double switch_at[2];
        fixture_create(cases[k].text, &f);
        enclose(&f, cases[k].at - 10, cases[k].at + 6, 0);
        assert_true(isocast_enclosure_switch(f.enclosure, switch_at));
        assert_true(switch_at[1] == nextafter(switch_at[0], INFINITY));
        assert_true(fabs(switch_at[1] - cases[k].at) <= 1e-12 * cases[k].at);
        fixture_free(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_enclosed),
        cmocka_unit_test(teeth_cancel),
        cmocka_unit_test(switches_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
