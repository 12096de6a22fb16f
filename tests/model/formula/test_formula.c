/* Runs tests/formulas/triples.txt: formula, inputs, and what is due. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/formula/check.h"
#include "model/formula/formula.h"
#include "model/formula/program.h"

enum { INPUTS = 5, LINE_MAX = 1024 };

static const char *const names[INPUTS] = {"N", "p", "C", "m", "t"};
static const char *const units[INPUTS] = {"1", "1", "flop/s", "B", "s"};

/* What came of a formula: a value with its unit, its text, and the first diagnostic. */
typedef struct outcome {
    bool good;
    double value;
    char unit[64];
    char text[LINE_MAX];
    char message[LINE_MAX];
} outcome;

static void fill_scope(isocast_symbol symbols[INPUTS]) {
    for (size_t i = 0; i < INPUTS; i++) {
        symbols[i] = (isocast_symbol){.name = names[i], .kind = ISOCAST_SYMBOL_INPUT, .index = i};
        assert_true(isocast_unit_dimension(units[i], &symbols[i].dimension));
    }
}

static void evaluate(const isocast_formula *formula, const isocast_scope *scope,
                     const double *inputs, isocast_diagnostics *diagnostics, outcome *out) {
    isocast_program *program = NULL;
    assert_int_equal(isocast_program_compile(&formula, 1, scope, diagnostics, &program),
                     ISOCAST_OK);
    isocast_column columns[INPUTS];
    for (size_t i = 0; i < INPUTS; i++) {
        columns[i] = (isocast_column){inputs + i, 0};
    }
    isocast_program_points points = {.count = 1, .inputs = columns};
    double *results[] = {&out->value};
    assert_int_equal(isocast_program_evaluate(program, &points, results, NULL), ISOCAST_OK);
    isocast_program_free(program);
}

static void run(const char *text, const double *inputs, outcome *out) {
    *out = (outcome){.value = NAN};
    isocast_symbol symbols[INPUTS];
    fill_scope(symbols);
    isocast_scope scope = {.symbols = symbols, .count = INPUTS};
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_formula *formula = NULL;
    isocast_dimension dimension;
    isocast_formula_place place = {.what = "formula", .any_dimension = true};
    assert_int_equal(isocast_source_create("test", text, strlen(text), &source), ISOCAST_OK);
    if (isocast_formula_parse(source, (isocast_span){0, source->length},
                              (isocast_names){names, INPUTS}, &diagnostics,
                              &formula) == ISOCAST_OK) {
        isocast_buffer buffer = {0};
        isocast_formula_format(formula, &buffer);
        snprintf(out->text, sizeof out->text, "%s", buffer.text);
        isocast_buffer_free(&buffer);
        if (isocast_formula_check(formula, &scope, &place, &diagnostics, &dimension) ==
            ISOCAST_OK) {
            out->good = true;
            snprintf(out->unit, sizeof out->unit, "%.60s", isocast_dimension_text(dimension).text);
            evaluate(formula, &scope, inputs, &diagnostics, out);
        }
    }
    if (diagnostics.count > 0) {
        snprintf(out->message, sizeof out->message, "%s", diagnostics.items[0].message);
    }
    isocast_formula_free(formula);
    isocast_source_free(source);
    isocast_diagnostics_clear(&diagnostics);
}

static bool as_expected(const outcome *came, char *expected) {
    char *rest = expected + strcspn(expected, " ");
    rest += strspn(rest, " ");
    if (expected[0] == '!') {
        return !came->good && strstr(came->message, rest) != NULL;
    }
    if (strncmp(expected, "->", 2) == 0) {
        return strcmp(came->text, rest) == 0;
    }
    char *unit = NULL;
    double value = strtod(rest, &unit);
    unit += strspn(unit, " ");
    return came->good && fabs(came->value - value) <= 1e-14 * fabs(value) &&
           strcmp(came->unit, unit) == 0;
}

/* Cuts blanks off both ends, in place. */
static char *trimmed(char *text) {
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \n", text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    return text;
}

static void triples(void **state) {
    (void)state;
    FILE *file = fopen(ISOCAST_SOURCE_DIR "/tests/formulas/triples.txt", "r");
    assert_non_null(file);
    char line[LINE_MAX];
    size_t number = 0;
    size_t count = 0;
    size_t wrong = 0;
    while (fgets(line, (int)sizeof line, file) != NULL) {
        number++;
        char *first = strchr(line, '|');
        char *second = first != NULL ? strchr(first + 1, '|') : NULL;
        if (line[0] == '#' || second == NULL) {
            continue;
        }
        *first = *second = '\0';
        double inputs[INPUTS];
        char *next = first + 1;
        for (size_t i = 0; i < INPUTS; i++) {
            inputs[i] = strtod(next, &next);
        }
        char *expected = trimmed(second + 1);
        outcome came;
        run(trimmed(line), inputs, &came);
        count++;
        if (!as_expected(&came, expected)) {
            wrong++;
            print_error("line %zu: %s: due is %s; came %.17g %s, text '%s', message '%s'\n", number,
                        trimmed(line), expected, came.value, came.unit, came.text, came.message);
        }
    }
    fclose(file);
    assert_true(count > 50);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(triples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
