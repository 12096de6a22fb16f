/* A formula compiled from its text, for tests; which fail where that is refused. */
#ifndef COMPILED_FORMULA_H
#define COMPILED_FORMULA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/formula/program.h"

typedef struct compiled_formula {
    isocast_source *source;
    isocast_formula *formula;
    isocast_program *program;
} compiled_formula;

/* In a scope of these symbols, shape [count], 8 at most. */
static inline compiled_formula formula_compile(const char *text, const isocast_symbol *symbols,
                                               size_t count) {
    compiled_formula f = {NULL, NULL, NULL};
    const char *names[8];
    assert_true(count <= sizeof names / sizeof names[0]);
    for (size_t i = 0; i < count; i++) {
        names[i] = symbols[i].name;
    }
    isocast_scope scope = {.symbols = symbols, .count = count};
    isocast_diagnostics diagnostics = {0};
    isocast_formula_place place = {.what = "test", .any_dimension = true};
    isocast_dimension dimension;
    assert_int_equal(isocast_source_create("test", text, strlen(text), &f.source), ISOCAST_OK);
    assert_int_equal(isocast_formula_parse(f.source, (isocast_span){0, f.source->length},
                                           (isocast_names){names, count}, &diagnostics, &f.formula),
                     ISOCAST_OK);
    assert_int_equal(isocast_formula_check(f.formula, &scope, &place, &diagnostics, &dimension),
                     ISOCAST_OK);
    const isocast_formula *formulas[] = {f.formula};
    assert_int_equal(isocast_program_compile(formulas, 1, &scope, &diagnostics, &f.program),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return f;
}

static inline void formula_free(compiled_formula *f) {
    isocast_program_free(f->program);
    isocast_formula_free(f->formula);
    isocast_source_free(f->source);
}

#endif
