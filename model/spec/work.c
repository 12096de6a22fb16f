#include "work.h"

#include <stdlib.h>

struct isocast_work {
    const isocast_algorithm *algorithm;
    isocast_symbol *symbols; /* [scope.count]: the size parameters, the definitions */
    size_t *index;           /* the scope's */
    isocast_scope scope;
    isocast_program *program;
};

/* Formulas that the work does not use may need a machine; they are not looked at. */
static isocast_status fill_scope(isocast_work *work) {
    const isocast_algorithm *algorithm = work->algorithm;
    work->symbols =
        calloc(algorithm->definition_count + algorithm->size_count, sizeof *work->symbols);
    if (work->symbols == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    work->scope.symbols = work->symbols;
    for (size_t i = 0; i < algorithm->size_count; i++) {
        work->symbols[work->scope.count++] = (isocast_symbol){
            .name = algorithm->sizes[i].name, .kind = ISOCAST_SYMBOL_INPUT, .index = i};
    }
    for (size_t i = 0; i < algorithm->definition_count; i++) {
        work->symbols[work->scope.count++] =
            (isocast_symbol){.name = algorithm->definitions[i].name,
                             .kind = ISOCAST_SYMBOL_FORMULA,
                             .any_dimension = true,
                             .formula = algorithm->definitions[i].formula,
                             .scope = &work->scope};
    }
    return isocast_scope_index(&work->scope, &work->index);
}

static isocast_status compile(isocast_work *work, isocast_diagnostics *diagnostics) {
    const isocast_formula *formula = work->algorithm->work;
    isocast_formula_place place = {.what = "work",
                                   .dimension = isocast_dimension_of(ISOCAST_BASE_FLOP)};
    isocast_dimension ignored;
    isocast_status status =
        isocast_formula_check(formula, &work->scope, &place, diagnostics, &ignored);
    if (status == ISOCAST_INVALID) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, formula->source, formula->span, NULL,
                                "where there is no machine, work must be a formula of %s alone",
                                work->algorithm->size_count > 1 ? "the sizes"
                                                                : work->algorithm->sizes[0].name);
    }
    return status == ISOCAST_OK
               ? isocast_program_compile(&formula, 1, &work->scope, diagnostics, &work->program)
               : status;
}

isocast_status isocast_work_create(const isocast_algorithm *algorithm,
                                   isocast_diagnostics *diagnostics, isocast_work **out) {
    isocast_work *work = calloc(1, sizeof *work);
    if (work == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    work->algorithm = algorithm;
    isocast_status status = fill_scope(work);
    if (status == ISOCAST_OK) {
        status = compile(work, diagnostics);
    }
    if (status != ISOCAST_OK) {
        isocast_work_free(work);
        return status;
    }
    *out = work;
    return ISOCAST_OK;
}

void isocast_work_free(isocast_work *work) {
    if (work != NULL) {
        isocast_program_free(work->program);
        free(work->symbols);
        free(work->index);
        free(work);
    }
}

const isocast_algorithm *isocast_work_algorithm(const isocast_work *work) {
    return work->algorithm;
}

isocast_status isocast_work_evaluate(const isocast_work *work, const double *N,
                                     const double *other_sizes, size_t count, double *W) {
    size_t sizes = work->algorithm->size_count;
    isocast_column *columns = malloc(sizes * sizeof *columns);
    if (columns == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    columns[0] = (isocast_column){N, 1};
    for (size_t i = 1; i < sizes; i++) {
        columns[i] = (isocast_column){&other_sizes[i - 1], 0};
    }
    isocast_program_points points = {.count = count, .inputs = columns};
    isocast_status status = isocast_program_evaluate(work->program, &points, &W, NULL);
    free(columns);
    return status;
}
