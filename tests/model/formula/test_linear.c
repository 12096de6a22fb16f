/* How outputs depend on marked inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compiled_formula.h"
#include "model/formula/linear.h"

typedef struct row {
    const char *formula; /* of N, which is not marked, and a and b, which are */
    isocast_dependence due;
} row;

static const row rows[] = {
    {"N^2 + sum(i, 0, N, i)", ISOCAST_DEPENDENCE_NONE},
    {"3*N*a - b/N + 7", ISOCAST_DEPENDENCE_LINEAR},
    {"if(N < 10, a, 2*b)", ISOCAST_DEPENDENCE_LINEAR},
    {"interpolate(N, 1, a, 5, b, 9, a + b)", ISOCAST_DEPENDENCE_LINEAR},
    {"sum(i, 0, N - 1, a*i + b)*N", ISOCAST_DEPENDENCE_LINEAR},
    {"sum(i, 0, N, sum(k, 0, i, a*k))", ISOCAST_DEPENDENCE_LINEAR},
    {"a*b", ISOCAST_DEPENDENCE_OTHER},
    {"N/a", ISOCAST_DEPENDENCE_OTHER},
    {"if(a < 1, N, 2*N)", ISOCAST_DEPENDENCE_OTHER},
    {"interpolate(a, 1, N, 5, 3, 9, 4)", ISOCAST_DEPENDENCE_OTHER},
    {"max(a, N)", ISOCAST_DEPENDENCE_OTHER},
    {"sqrt(a)", ISOCAST_DEPENDENCE_OTHER},
    {"floor(a)", ISOCAST_DEPENDENCE_OTHER},
    {"sum(i, 0, a, i)", ISOCAST_DEPENDENCE_OTHER},
    {"sum(i, 0, N, a*a*i)", ISOCAST_DEPENDENCE_OTHER},
};

static void dependence_is_reported(void **unused) {
    (void)unused;
    static const isocast_symbol symbols[] = {
        {.name = "N", .kind = ISOCAST_SYMBOL_INPUT, .index = 0},
        {.name = "a", .kind = ISOCAST_SYMBOL_INPUT, .index = 1},
        {.name = "b", .kind = ISOCAST_SYMBOL_INPUT, .index = 2}};
    static const bool marked[] = {false, true, true};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        compiled_formula f = formula_compile(rows[i].formula, symbols, 3);
        isocast_dependence found;
        assert_int_equal(isocast_program_dependence(f.program, marked, &found, NULL), ISOCAST_OK);
        if (found != rows[i].due) {
            print_error("%s: %d, not %d\n", rows[i].formula, (int)found, (int)rows[i].due);
        }
        assert_int_equal(found, rows[i].due);
        formula_free(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dependence_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
