/* Bands over pieces of N: they hold what the program gives at every N of the piece, at switches,
 * too, and do not depend on what was looked at before. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiled_formula.h"
#include "model/base/buffer.h"
#include "model/formula/block.h"
#include "model/formula/gradient.h"
#include "model/formula/narrow.h"
#include "model/formula/reach.h"

static const isocast_symbol symbols[] = {{.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0},
                                         {.name = "p", .kind = ISOCAST_SYMBOL_INPUT, .index = 1},
                                         {.name = "a", .kind = ISOCAST_SYMBOL_INPUT, .index = 2}};

static const char *const texts[] = {
    "ceil(N/p)*a + N^2",
    "floor(N/p)*a + mod(N, p)",
    "if(N < 40*p, a*N, if(N <= 90*p, 3*N^1.5, if(N < 200*p, a*N*log2(N), sqrt(N))))",
    "(1 - (N/p - floor(N/p)))*a*floor(N/p) + (N/p - floor(N/p))*3*p",
    "sum(i, 0, N-2, interpolate(N+1-i, 4, a, 90, 40, 3000, 0.5)) + max(N, a*p)",
    "interpolate(N, 10, 3, 20, 5, 30, a, 40, 2)*p + if(ceil(N/p) > 7, N, 2*N)",
    ("(1 - (N/p - floor(N/p)))*interpolate(floor(N/p)*N, 10, a, 900, 30, 30000, 2000)"
     " + (N/p - floor(N/p))*interpolate((floor(N/p)+1)*N, 10, a, 900, 30, 30000, 2000)")};
enum { TEXTS = sizeof texts / sizeof *texts, LINE = TEXTS - 1 };

static uint32_t state = 1;

static double draw(double most) {
    state = state * 1664525U + 1013904223U;
    return (double)(state >> 8) / 16777216.0 * most;
}

static double value_at(const isocast_program *program, double N, double p, double a) {
    isocast_column columns[] = {{&N, 0}, {&p, 0}, {&a, 0}};
    isocast_program_points points = {.count = 1, .inputs = columns};
    double value = NAN;
    double *results[] = {&value};
    assert_int_equal(isocast_program_evaluate(program, &points, results, NULL), ISOCAST_OK);
    return value;
}

/* A piece that begins or ends where steps and selections switch holds the value there. */
static void holds_the_value_at_its_ends(void **unused) {
    (void)unused;
    for (size_t t = 0; t < TEXTS; t++) {
        compiled_formula f = formula_compile(texts[t], symbols, 3);
        isocast_reach *reach = NULL;
        assert_int_equal(isocast_reach_create(f.program, 0, &reach), ISOCAST_OK);
        for (int k = 0; k < 3000; k++) {
            double p = 1 + floor(draw(70));
            double a = 0.5 + draw(3);
            double N = k % 3 == 0 ? 10 * p * (1 + floor(draw(20))) : p * (1 + floor(draw(900)));
            double other = N * (k % 2 == 0 ? 1 + draw(0.01) : 1 - draw(0.01));
            isocast_column columns[] = {{&N, 0}, {&p, 0}, {&a, 0}};
            isocast_reach_bind(reach, columns, NULL);
            double due = value_at(f.program, N, p, a);
            isocast_reach_enter(reach, fmin(N, other), fmax(N, other));
            isocast_band band = isocast_reach_output(reach, 0);
            if (isocast_band_is_known(&band)) {
                double low;
                double high;
                isocast_band_range(isocast_reach_piece(reach), &band, &low, &high);
                if (!(due >= low - 1e-12 * fabs(due) && due <= high + 1e-12 * fabs(due))) {
                    print_error("%s at N = %.17g, p = %g: %.17g is not from %.17g to %.17g\n",
                                texts[t], N, p, due, low, high);
                    fail();
                }
            }
            isocast_reach_enter_point(reach, N);
            band = isocast_reach_output(reach, 0);
            assert_true(isocast_band_is_known(&band));
            assert_true(fabs(isocast_band_value(&band, N) - due) <= 1e-12 * fabs(due));
        }
        isocast_reach_free(reach);
        formula_free(&f);
    }
}

static void enter(isocast_reach *reach, double begin, double end) {
    if (begin == end) {
        isocast_reach_enter_point(reach, begin);
    } else {
        isocast_reach_enter(reach, begin, end);
    }
}

/* What was computed for other pieces and conditions moves no bit, and saves work. */
static void does_not_hang_on_earlier_pieces(void **unused) {
    (void)unused;
    for (size_t t = 0; t < TEXTS; t++) {
        compiled_formula f = formula_compile(texts[t], symbols, 3);
        isocast_reach *used = NULL;
        isocast_reach *fresh = NULL;
        assert_int_equal(isocast_reach_create(f.program, 0, &used), ISOCAST_OK);
        assert_int_equal(isocast_reach_create(f.program, 0, &fresh), ISOCAST_OK);
        double begin = 1;
        double end = 1e6;
        double p = 4;
        double a = 1;
        const isocast_column columns[] = {{&begin, 0}, {&p, 0}, {&a, 0}};
        for (int k = 0; k < 4000; k++) {
            if (k % 25 == 0) {
                begin = exp(draw(12));
                end = begin * (1 + draw(2));
                p = 1 + floor(draw(40));
                a = 0.5 + draw(3);
                isocast_reach_bind(used, columns, NULL);
                isocast_reach_bind(fresh, columns, NULL);
            }
            double first = begin + draw(end - begin);
            double last = k % 4 == 0 ? first : first + draw(end - first);
            isocast_reach_forget(fresh);
            enter(used, first, last);
            enter(fresh, first, last);
            isocast_band x = isocast_reach_output(used, 0);
            isocast_band y = isocast_reach_output(fresh, 0);
            assert_int_equal(isocast_band_is_known(&x), isocast_band_is_known(&y));
            assert_true(!isocast_band_is_known(&x) ||
                        (x.degree == y.degree && x.low == y.low && x.high == y.high));
        }
        isocast_reach_free(used);
        isocast_reach_free(fresh);
        formula_free(&f);
    }
}

/* Between any two N of a piece the value changes by what the slope allows: no slope is reported
 * where the value jumps. It is reported where straight lines lead from whole number to whole
 * number, too. */
static void slopes_hold_what_values_do(void **unused) {
    (void)unused;
    size_t known = 0;
    size_t steps = 0;
    for (size_t t = 0; t < TEXTS; t++) {
        compiled_formula f = formula_compile(texts[t], symbols, 3);
        isocast_reach *reach = NULL;
        assert_int_equal(isocast_reach_create(f.program, 0, &reach), ISOCAST_OK);
        for (int k = 0; k < 1500; k++) {
            double p = 1 + floor(draw(70));
            double a = 0.5 + draw(3);
            double begin = p * (1 + floor(draw(k % 2 == 0 ? 40 : 900)));
            begin *= k % 3 == 0 ? 1 - draw(0.001) : 1;
            double end = begin * (1 + draw(k % 5 == 0 ? 1e-4 : k % 5 == 1 ? 0.3 : 0.02));
            isocast_column columns[] = {{&begin, 0}, {&p, 0}, {&a, 0}};
            isocast_reach_bind(reach, columns, NULL);
            isocast_reach_enter(reach, begin, end);
            isocast_band value = isocast_reach_output(reach, 0);
            isocast_band slope = isocast_reach_slope(reach, 0);
            if (!isocast_band_is_known(&value) || !isocast_band_is_known(&slope)) {
                continue;
            }
            known++;
            steps += t == LINE && floor(begin / p) != floor(end / p);
            double low;
            double high;
            isocast_band_range(isocast_reach_piece(reach), &slope, &low, &high);
            for (int i = 0; i < 8; i++) {
                double first = i == 0 ? begin : begin + draw(end - begin);
                double last = i == 0 ? end : first + draw(end - first);
                double change = value_at(f.program, last, p, a) - value_at(f.program, first, p, a);
                double way = log(last / first);
                double rounding = 1e-12 * fabs(value_at(f.program, first, p, a));
                if (!(change >= low * way - rounding && change <= high * way + rounding)) {
                    print_error("%s with p = %g, a = %g changes by %.17g from %.17g to %.17g; the "
                                "slope is from %g to %g\n",
                                texts[t], p, a, change, first, last, low, high);
                    fail();
                }
            }
        }
        isocast_reach_free(reach);
        formula_free(&f);
    }
    assert_true(known > 1500 * TEXTS / 4);
    assert_true(steps > 100);
}

/* Conditions of a group have the same bands as alone, and what they share costs little. */
static void groups_share_what_does_not_change(void **unused) {
    (void)unused;
    double alone = 0;
    double together = 0;
    for (size_t t = 0; t < TEXTS; t++) {
        compiled_formula f = formula_compile(texts[t], symbols, 3);
        isocast_reach *shared = NULL;
        isocast_reach *fresh = NULL;
        assert_int_equal(isocast_reach_create(f.program, 0, &shared), ISOCAST_OK);
        assert_int_equal(isocast_reach_create(f.program, 0, &fresh), ISOCAST_OK);
        double N = 1;
        double p = 4;
        double a = 1;
        const isocast_column columns[] = {{&N, 0}, {&p, 0}, {&a, 0}};
        for (int k = 0; k < 400; k++) {
            if (k % 100 == 0) {
                p = 1 + floor(draw(40));
                isocast_reach_group(shared);
            }
            a = k % 3 == 0 ? a : 0.5 + draw(3);
            p = k == 350 ? p + 1 : p; /* within a group */
            isocast_reach_bind(shared, columns, NULL);
            isocast_reach_bind(fresh, columns, NULL);
            for (int i = 0; i < 12; i++) {
                double begin = exp((double)((i * 5 + k) % 12));
                double end = begin * (i % 2 == 0 ? 1.3 : 3);
                isocast_reach_enter_kept(shared, begin, end);
                isocast_band x = isocast_reach_output(shared, 0);
                isocast_reach_keep(shared);
                isocast_reach_forget(fresh);
                isocast_reach_enter_kept(fresh, begin, end);
                isocast_band y = isocast_reach_output(fresh, 0);
                isocast_reach_keep(fresh);
                together += isocast_reach_steps(shared);
                alone += isocast_reach_steps(fresh);
                assert_int_equal(isocast_band_is_known(&x), isocast_band_is_known(&y));
                assert_true(!isocast_band_is_known(&x) ||
                            (x.degree == y.degree && x.low == y.low && x.high == y.high));
            }
        }
        isocast_reach_free(shared);
        isocast_reach_free(fresh);
        formula_free(&f);
    }
    assert_true(together < 0.7 * alone);
}

/* What a program is over a piece alone computes the same numbers and derivatives to the bit, from
 * fewer instructions. */
static void a_narrow_program_computes_the_same(void **unused) {
    (void)unused;
    size_t left_out = 0;
    for (size_t t = 0; t < TEXTS; t++) {
        compiled_formula f = formula_compile(texts[t], symbols, 3);
        isocast_reach *reach = NULL;
        assert_int_equal(isocast_reach_create(f.program, 0, &reach), ISOCAST_OK);
        for (int k = 0; k < 300; k++) {
            double p = 1 + floor(draw(70));
            double a = 0.5 + draw(3);
            double begin = 2 + draw(k % 2 == 0 ? 50 : 9000);
            double end = begin * (1 + draw(k % 3 == 0 ? 0.01 : 2));
            isocast_column columns[] = {{&begin, 0}, {&p, 0}, {&a, 0}};
            isocast_reach_bind(reach, columns, NULL);
            isocast_reach_enter(reach, begin, end);
            isocast_narrow *narrow = NULL;
            assert_int_equal(isocast_narrow_create(f.program, reach, &narrow), ISOCAST_OK);
            const isocast_program *part = isocast_narrow_program(narrow);
            left_out += f.program->blocks[0].code_count - part->blocks[0].code_count;
            for (int i = 0; i < 5; i++) {
                const double inputs[] = {i == 0   ? begin
                                         : i == 1 ? end
                                                  : begin + draw(end - begin),
                                         p, a};
                const double weight = 1;
                const isocast_gradient_request request = {
                    .inputs = inputs, .input_count = 3, .weights = &weight, .gradient_count = 1};
                double value[2];
                double gradient[2][3];
                assert_int_equal(isocast_program_gradient(f.program, &request, &value[0],
                                                          gradient[0], NULL, NULL),
                                 ISOCAST_OK);
                assert_int_equal(
                    isocast_program_gradient(part, &request, &value[1], gradient[1], NULL, NULL),
                    ISOCAST_OK);
                assert_true(value[0] == value[1] && value[1] == value_at(part, inputs[0], p, a));
                for (int j = 0; j < 3; j++) {
                    assert_true(gradient[0][j] == gradient[1][j]);
                }
            }
            isocast_narrow_free(narrow);
        }
        isocast_reach_free(reach);
        formula_free(&f);
    }
    assert_true(left_out > 0);
}

/* Lists of numbers of processes make long programs: what is nested counts, not how long they are.
 */
static void long_programs_have_bands(void **unused) {
    (void)unused;
    enum { LISTS = 200, ROWS = 20, INSTRUCTIONS = 8000 };
    isocast_buffer text = {0};
    for (int list = 0; list < LISTS; list++) {
        isocast_buffer_printf(&text, "%sN^%d*interpolate(p", list > 0 ? " + " : "", list % 3);
        for (int row = 1; row <= ROWS; row++) {
            isocast_buffer_printf(&text, ", %d, %d", 3 * row, list + row * row);
        }
        isocast_buffer_puts(&text, ")");
    }
    compiled_formula f = formula_compile(text.text, symbols, 3);
    isocast_buffer_free(&text);
    assert_true(f.program->blocks[0].code_count > INSTRUCTIONS);
    isocast_reach *reach = NULL;
    assert_int_equal(isocast_reach_create(f.program, 0, &reach), ISOCAST_OK);
    assert_non_null(reach);
    double N = 100;
    double p = 20;
    double a = 1;
    const isocast_column columns[] = {{&N, 0}, {&p, 0}, {&a, 0}};
    isocast_reach_bind(reach, columns, NULL);
    isocast_reach_enter_point(reach, N);
    isocast_band band = isocast_reach_output(reach, 0);
    double due = value_at(f.program, N, p, a);
    assert_true(isocast_band_is_known(&band));
    assert_true(fabs(isocast_band_value(&band, N) - due) <= 1e-12 * fabs(due));
    isocast_reach_free(reach);
    formula_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_narrow_program_computes_the_same),
                                       cmocka_unit_test(holds_the_value_at_its_ends),
                                       cmocka_unit_test(does_not_hang_on_earlier_pieces),
                                       cmocka_unit_test(slopes_hold_what_values_do),
                                       cmocka_unit_test(groups_share_what_does_not_change),
                                       cmocka_unit_test(long_programs_have_bands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
