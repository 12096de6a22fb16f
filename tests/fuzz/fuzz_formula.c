/* A formula: parsing states success or a diagnostic, text and tree are inverse to each other, what
 * passes the check compiles, and points evaluated together equal points evaluated one by one. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "model/formula/check.h"
#include "model/formula/formula.h"
#include "model/formula/program.h"

enum { INPUTS = 3, POINTS = 5 };

static const isocast_symbol symbols[INPUTS] = {
    {.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0},
    {.name = "p", .kind = ISOCAST_SYMBOL_INPUT, .index = 1},
    {.name = "t_c", .kind = ISOCAST_SYMBOL_INPUT, .index = 2}};
static const isocast_scope scope = {.symbols = symbols, .count = INPUTS};

static isocast_formula *parse(const isocast_source *source) {
    isocast_diagnostics diagnostics = {0};
    isocast_formula *formula = NULL;
    isocast_span all = {0, source->length};
    isocast_status status =
        isocast_formula_parse(source, all, (isocast_names){0}, &diagnostics, &formula);
    FUZZ_REQUIRE((status == ISOCAST_OK) == (formula != NULL));
    FUZZ_REQUIRE((status == ISOCAST_OK) == (diagnostics.errors == 0));
    isocast_diagnostics_clear(&diagnostics);
    return formula;
}

/* format(parse(format(tree))) is format(tree). */
static void check_format(const isocast_formula *formula) {
    isocast_buffer once = {0};
    isocast_formula_format(formula, &once);
    FUZZ_REQUIRE(once.text != NULL);
    isocast_source *source = NULL;
    FUZZ_REQUIRE(isocast_source_create("formatted", once.text, strlen(once.text), &source) ==
                 ISOCAST_OK);
    isocast_formula *again = parse(source);
    /* The text of a formula at a limit may be over it. */
    if (again != NULL) {
        isocast_buffer twice = {0};
        isocast_formula_format(again, &twice);
        FUZZ_REQUIRE(strcmp(once.text, twice.text) == 0);
        isocast_buffer_free(&twice);
    }
    isocast_formula_free(again);
    isocast_source_free(source);
    isocast_buffer_free(&once);
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(a);
}

static void check_evaluation(const isocast_formula *formula) {
    isocast_diagnostics diagnostics = {0};
    isocast_formula_place place = {.what = "formula", .any_dimension = true};
    isocast_dimension dimension;
    isocast_program *program = NULL;
    if (isocast_formula_check(formula, &scope, &place, &diagnostics, &dimension) == ISOCAST_OK &&
        isocast_program_compile(&formula, 1, &scope, &diagnostics, &program) == ISOCAST_OK) {
        static const double N[POINTS] = {1, 2, 17, 1000, 0.5};
        static const double p[POINTS] = {1, 2, 3, 64, 1};
        static const double t_c[POINTS] = {1e-9, 0, 1, 1e-3, 2};
        const isocast_column columns[INPUTS] = {{N, 1}, {p, 1}, {t_c, 1}};
        isocast_program_points together = {.count = POINTS, .inputs = columns};
        double values[POINTS];
        double *results[] = {values};
        FUZZ_REQUIRE(isocast_program_evaluate(program, &together, results, NULL) == ISOCAST_OK);
        for (size_t k = 0; k < POINTS; k++) {
            const isocast_column one[INPUTS] = {{N + k, 0}, {p + k, 0}, {t_c + k, 0}};
            isocast_program_points alone = {.count = 1, .inputs = one};
            double value;
            double *result[] = {&value};
            FUZZ_REQUIRE(isocast_program_evaluate(program, &alone, result, NULL) == ISOCAST_OK);
            FUZZ_REQUIRE(same(value, values[k]));
        }
    } else {
        FUZZ_REQUIRE(diagnostics.errors > 0);
    }
    isocast_program_free(program);
    isocast_diagnostics_clear(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    isocast_source *source = NULL;
    if (memchr(data, 0, size) != NULL ||
        isocast_source_create("fuzz", (const char *)data, size, &source) != ISOCAST_OK) {
        return 0;
    }
    isocast_formula *formula = parse(source);
    if (formula != NULL) {
        check_format(formula);
        check_evaluation(formula);
    }
    isocast_formula_free(formula);
    isocast_source_free(source);
    return 0;
}
