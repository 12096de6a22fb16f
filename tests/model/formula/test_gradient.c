/* Gradients by reverse accumulation: against derivatives known in closed form, and central
 * differences of random formulas. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/buffer.h"
#include "model/formula/gradient.h"

enum { INPUTS = 4, CLASSES = 2 };

/* Formulas in N, a, b, p and a class row p_i. */
typedef struct fixture {
    isocast_source *source;
    isocast_formula *formula;
    isocast_program *program;
    double processes[CLASSES];
    isocast_class_table classes;
} fixture;

static void fixture_create(const char *text, fixture *f) {
    static const isocast_symbol symbols[] = {
        {.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0},
        {.name = "a", .kind = ISOCAST_SYMBOL_INPUT, .index = 1},
        {.name = "b", .kind = ISOCAST_SYMBOL_INPUT, .index = 2},
        {.name = "p", .kind = ISOCAST_SYMBOL_INPUT, .index = 3},
        {.name = "p_i", .kind = ISOCAST_SYMBOL_CLASS, .index = ISOCAST_CLASS_PROCESSES}};
    static const char *const names[] = {"N", "a", "b", "p", "p_i"};
    isocast_scope scope = {.symbols = symbols, .count = 5};
    isocast_diagnostics diagnostics = {0};
    isocast_formula_place place = {.what = "test", .any_dimension = true};
    isocast_dimension dimension;
    assert_int_equal(isocast_source_create("test", text, strlen(text), &f->source), ISOCAST_OK);
    assert_int_equal(isocast_formula_parse(f->source, (isocast_span){0, f->source->length},
                                           (isocast_names){names, 5}, &diagnostics, &f->formula),
                     ISOCAST_OK);
    assert_int_equal(isocast_formula_check(f->formula, &scope, &place, &diagnostics, &dimension),
                     ISOCAST_OK);
    const isocast_formula *formulas[] = {f->formula};
    assert_int_equal(isocast_program_compile(formulas, 1, &scope, &diagnostics, &f->program),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    f->processes[0] = 3;
    f->processes[1] = 5.5;
    f->classes =
        (isocast_class_table){.count = CLASSES, .rows = {f->processes, f->processes, f->processes}};
}

static void fixture_free(fixture *f) {
    isocast_program_free(f->program);
    isocast_formula_free(f->formula);
    isocast_source_free(f->source);
}

static double value_at(const fixture *f, const double *inputs, double *error) {
    isocast_column columns[INPUTS];
    for (size_t i = 0; i < INPUTS; i++) {
        columns[i] = (isocast_column){&inputs[i], 0};
    }
    const isocast_class_table *classes = &f->classes;
    isocast_program_points points = {.count = 1, .inputs = columns, .classes = &classes};
    double value = NAN;
    double *results[] = {&value};
    assert_int_equal(isocast_program_evaluate(f->program, &points, results, error), ISOCAST_OK);
    return value;
}

/* The value and its gradient, [INPUTS], times `weight`; by class rows, [CLASSES]. */
static double gradient_at(const fixture *f, const double *inputs, double weight, double *gradient,
                          double *by_class) {
    double rows[ISOCAST_CLASS_ROWS][CLASSES];
    isocast_gradient_request request = {.inputs = inputs,
                                        .input_count = INPUTS,
                                        .classes = &f->classes,
                                        .weights = &weight,
                                        .gradient_count = 1};
    double value = NAN;
    double error;
    assert_int_equal(isocast_program_gradient(f->program, &request, &value, gradient,
                                              by_class != NULL ? &rows[0][0] : NULL, &error),
                     ISOCAST_OK);
    for (size_t i = 0; by_class != NULL && i < CLASSES; i++) {
        by_class[i] = rows[ISOCAST_CLASS_PROCESSES][i];
    }
    return value;
}

static void assert_near(const char *text, double value, double due, double tolerance) {
    if (!(fabs(value - due) <= tolerance * fmax(1, fabs(due)))) {
        print_error("%s: %.17g, due %.17g\n", text, value, due);
        fail();
    }
}

static void known_gradients(void **state) {
    (void)state;
    const double N = 1000;
    const double a = 7.5;
    const double b = 0.25;
    const struct {
        const char *formula;
        double value;
        double by_N, by_a, by_b;
        double by_class[CLASSES];
    } cases[] = {
        {"N*a^3 - b/N", N * a * a * a - b / N, a * a * a + b / (N * N), 3 * N * a * a, -1 / N, {0}},
        {"a^b + log(N*a) + sqrt(b)",
         pow(a, b) + log(N * a) + 0.5,
         1 / N,
         b * pow(a, b - 1) + 1 / a,
         pow(a, b) * log(a) + 1,
         {0}},
        {"if(a > 5, b*N, a) + min(a, 9) + max(b, 3) + ceil(a) + abs(-b)",
         250 + 7.5 + 3 + 8 + b,
         b,
         1,
         N + 1,
         {0}},
        {"interpolate(log2(a), 2, 10*b, 4, 30*b)",
         10 * b + 10 * b * (log2(7.5) - 2),
         0,
         10 * b / (7.5 * log(2)),
         10 + 10 * (log2(7.5) - 2),
         {0}},
        /* A million terms, by panels; the end moves with N. */
        {"sum(i, 0, N^2 - 1, a*i^2 + b)",
         a * 333332833333500000.0 + b * 1e6,
         (a * (999999.0 * 999999.0 + 1e12) / 2 + b) * 2 * N,
         333332833333500000.0,
         1e6,
         {0}},
        {"sum(i, a, N + a, i*b)",
         b * (1001 * a + 500500),
         b * (a + 1000.5),
         b * 1001.0,
         1001 * a + 500500,
         {0}},
        {"sum(i, 1, 10, sum(j, 1, i, b*j*i*a))", 0, 0, 0, 0, {0}},
        {"sum_class(a*p_i^2)", a * (9 + 30.25), 0, 39.25, 0, {6 * a, 11 * a}},
        {"max_class(a*p_i) + min_class(b + p_i)", 5.5 * a + b + 3, 0, 5.5, 1, {1, a}},
        {"sum_class(sum(i, 1, 4, i*p_i*b))", 10 * 8.5 * b, 0, 0, 85, {10 * b, 10 * b}},
        {"sum(i, 1, 100, sum_class(i*a*p_i))",
         5050 * a * 8.5,
         0,
         5050 * 8.5,
         0,
         {5050 * a, 5050 * a}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        fixture f;
        fixture_create(cases[c].formula, &f);
        const double inputs[INPUTS] = {N, a, b, 8};
        double gradient[INPUTS];
        double by_class[CLASSES];
        double value = gradient_at(&f, inputs, 2, gradient, by_class);
        /* sum_i i * i (i + 1)/2, i up to 10: 1705. */
        bool nested = strstr(cases[c].formula, "sum(j") != NULL;
        const char *text = cases[c].formula;
        assert_near(text, value, nested ? 1705 * a * b : cases[c].value, 1e-12);
        assert_near(text, gradient[0], 2 * cases[c].by_N, 1e-11);
        assert_near(text, gradient[1], 2 * (nested ? 1705 * b : cases[c].by_a), 1e-11);
        assert_near(text, gradient[2], 2 * (nested ? 1705 * a : cases[c].by_b), 1e-11);
        assert_near(text, by_class[0], 2 * cases[c].by_class[0], 1e-12);
        assert_near(text, by_class[1], 2 * cases[c].by_class[1], 1e-12);
        fixture_free(&f);
    }
}

static double random_share(void) {
    return (double)rand() / ((double)RAND_MAX + 1);
}

static const char *pick(const char *const *texts, size_t count) {
    return texts[(size_t)(random_share() * (double)count)];
}

/* A random expression; `running` names the running variable of the sum around it, or is NULL. */
static void write_random(int depth, const char *running, int *sums, isocast_buffer *out) {
    static const char *const leaves[] = {"N", "a", "b", "p", "a", "b", "1.7", "0.3", "p_i"};
    if (depth == 0) {
        const char *leaf = pick(leaves, 8);
        isocast_buffer_puts(out, running != NULL && random_share() < 0.4 ? running : leaf);
        return;
    }
    static const char *const unary[] = {"sqrt(0.1 + abs(", "log(1 + abs(",    "exp(-abs(",
                                        "abs((",           "cbrt(0.5 + abs(", "log2(2 + abs("};
    double kind = random_share();
    if (kind < 0.55) {
        static const char *const binary[] = {" + ", " - ", "*", "*", "/(2 + abs"};
        const char *operation = pick(binary, 5);
        isocast_buffer_puts(out, "(");
        write_random(depth - 1, running, sums, out);
        isocast_buffer_puts(out, operation);
        isocast_buffer_puts(out, "(");
        write_random(depth - 1, running, sums, out);
        isocast_buffer_puts(out, operation[0] == '/' ? ")))" : "))");
    } else if (kind < 0.7) {
        isocast_buffer_puts(out, pick(unary, 6));
        write_random(depth - 1, running, sums, out);
        isocast_buffer_puts(out, "))");
    } else if (kind < 0.85) {
        static const char *const choices[] = {"min(", "max(", "if(a > b, ", "if(N > 40, ",
                                              "interpolate(a, 1, b, 3, "};
        const char *choice = pick(choices, 5);
        isocast_buffer_puts(out, choice);
        write_random(depth - 1, running, sums, out);
        isocast_buffer_puts(out, choice[0] == 'i' && choice[1] == 'n' ? ", 5, " : ", ");
        write_random(depth - 1, running, sums, out);
        isocast_buffer_puts(out, ")");
    } else if (*sums < 2) {
        static const char *const names[] = {"i", "j"};
        const char *name = names[(*sums)++];
        isocast_buffer_printf(out, "sum(%s, %s, %s, ", name, random_share() < 0.5 ? "0" : "a",
                              random_share() < 0.5 ? "N + b" : "9*p + 3.5");
        write_random(depth - 1, name, sums, out);
        isocast_buffer_puts(out, ")");
    } else {
        write_random(0, running, sums, out);
    }
}

/* A central difference, with what its two steps disagree by. */
static double difference(const fixture *f, const double *inputs, size_t input, double *doubt) {
    double estimates[2];
    for (int s = 0; s < 2; s++) {
        double moved[INPUTS];
        memcpy(moved, inputs, sizeof moved);
        double step = inputs[input] * (s == 0 ? 1e-5 : 2e-5);
        moved[input] = inputs[input] + step;
        double more = value_at(f, moved, NULL);
        moved[input] = inputs[input] - step;
        estimates[s] = (more - value_at(f, moved, NULL)) / (2 * step);
    }
    *doubt = fabs(estimates[0] - estimates[1]);
    return estimates[0];
}

/* Random formulas at random points; those next to a switch, which two steps of the difference show,
 * have no derivative and are few. */
static void random_formulas(void **state) {
    (void)state;
    enum { FORMULAS = 1500 };
    srand(14);
    size_t compared = 0;
    size_t doubtful = 0;
    for (int k = 0; k < FORMULAS; k++) {
        isocast_buffer text = {0};
        int sums = 0;
        write_random(1 + k % 5, NULL, &sums, &text);
        fixture f;
        fixture_create(text.text, &f);
        const double inputs[INPUTS] = {10 + 200 * random_share(), 0.5 + 3 * random_share(),
                                       0.5 + 3 * random_share(), 2 + 15 * random_share()};
        double gradient[INPUTS];
        double value = gradient_at(&f, inputs, 1, gradient, NULL);
        double error = 0;
        double due_value = value_at(&f, inputs, &error);
        assert_true(value == due_value || (isnan(value) && isnan(due_value)));
        for (size_t i = 0; i < INPUTS && isfinite(value) && error < 1e-11; i++) {
            double doubt;
            double due = difference(&f, inputs, i, &doubt);
            double scale = fabs(due) + fabs(value / inputs[i]);
            if (!(doubt <= 1e-6 * scale)) {
                doubtful++;
                continue;
            }
            compared++;
            if (!(fabs(gradient[i] - due) <= 1e-5 * scale)) {
                print_error("%s at N = %.17g, a = %.17g, b = %.17g, p = %.17g, by input %zu: "
                            "%.17g, difference %.17g\n",
                            text.text, inputs[0], inputs[1], inputs[2], inputs[3], i, gradient[i],
                            due);
                fail();
            }
        }
        fixture_free(&f);
        isocast_buffer_free(&text);
    }
    print_message("%zu derivatives compared, %zu next to a switch\n", compared, doubtful);
    assert_true(compared > 3 * FORMULAS && doubtful < compared / 20);
}

/* A sum that is given up has no gradient by what it depends on, and takes no more than its effort.
 */
static void dear_sums_have_no_gradient(void **state) {
    (void)state;
    fixture f;
    fixture_create("sum(i, 1, 1e18, sum(j, 1, N, floor(17.3*log(i*j + a)))*a) + b", &f);
    const double inputs[INPUTS] = {1e6, 2, 3, 4};
    double weight = 1;
    isocast_effort effort = {1e7};
    isocast_gradient_request request = {.inputs = inputs,
                                        .input_count = INPUTS,
                                        .classes = &f.classes,
                                        .effort = &effort,
                                        .weights = &weight,
                                        .gradient_count = 1};
    double value;
    double gradient[INPUTS];
    assert_int_equal(isocast_program_gradient(f.program, &request, &value, gradient, NULL, NULL),
                     ISOCAST_OK);
    assert_true(isnan(value));
    assert_true(effort.left > -1e5);
    fixture_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_gradients),
        cmocka_unit_test(random_formulas),
        cmocka_unit_test(dear_sums_have_no_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
