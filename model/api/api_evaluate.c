/* One formula or one operation by itself: public functions of isocast/files.h. */
#include <isocast/files.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "api_systems.h"
#include "model/base/nearest.h"
#include "model/spec/machine_scope.h"

/* What a formula is evaluated with. The inputs are the variables, then the system's columns, then
 * the machine's parameters. */
typedef struct evaluation {
    const isocast_variable *variables; /* [count] */
    size_t count;
    const isocast_machine *machine; /* NULL: none, and then no system either */
    isocast_system *system;
    isocast_machine_scope *operations; /* what the machine's own formulas see */
    isocast_symbol *symbols;           /* [scope.count] */
    isocast_scope scope;
    const char **names;      /* [count + 1], which win over units after a "/" */
    double *values;          /* [count], SI */
    isocast_column *columns; /* [column_count] */
    size_t column_count;
    isocast_diagnostics *diagnostics;
} evaluation;

/* The factor to SI and the dimension of a unit: what a formula makes of "1 ms". */
static isocast_status read_unit(const char *unit, double *factor, isocast_dimension *dimension) {
    isocast_buffer text = {0};
    isocast_diagnostics ignored = {0};
    isocast_source *source = NULL;
    isocast_formula *formula = NULL;
    isocast_buffer_printf(&text, "1 %s", unit);
    isocast_status status = text.failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_source_create("unit", text.text, text.length, &source);
    if (status == ISOCAST_OK) {
        status = isocast_formula_parse(source, (isocast_span){0, source->length},
                                       (isocast_names){0}, &ignored, &formula);
    }
    if (status == ISOCAST_OK) {
        const isocast_formula_node *root = formula->root;
        if (root->kind == ISOCAST_FORMULA_NUMBER && root->has_unit) {
            *factor = root->value;
            *dimension = root->dimension;
        } else {
            status = ISOCAST_INVALID;
        }
    }
    isocast_formula_free(formula);
    isocast_source_free(source);
    isocast_diagnostics_clear(&ignored);
    isocast_buffer_free(&text);
    return status;
}

static isocast_status add_variables(evaluation *e) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status != ISOCAST_NO_MEMORY && i < e->count; i++) {
        const isocast_variable *variable = &e->variables[i];
        isocast_symbol symbol = {.name = variable->name, .kind = ISOCAST_SYMBOL_INPUT, .index = i};
        double factor = 1;
        isocast_status one = variable->unit != NULL
                                 ? read_unit(variable->unit, &factor, &symbol.dimension)
                                 : ISOCAST_OK;
        if (one == ISOCAST_INVALID) {
            isocast_diagnostics_add_file(e->diagnostics, ISOCAST_ERROR, "variables",
                                         "such as ms, B or flop/s; NULL for a count",
                                         "variable '%s' has the unit '%s', which is not known",
                                         variable->name, variable->unit);
        }
        status = one != ISOCAST_OK ? one : status;
        e->names[i] = variable->name;
        e->values[i] = variable->value * factor;
        e->columns[i] = (isocast_column){&e->values[i], 0};
        e->symbols[e->scope.count++] = symbol;
    }
    return status;
}

static void add_system(evaluation *e) {
    isocast_system_symbols(e->count, e->symbols + e->scope.count);
    e->scope.count += ISOCAST_SYSTEM_SYMBOLS;
    for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
        e->columns[e->count + i] = (isocast_column){isocast_system_column(e->system, i), 0};
    }
}

/* What the machine's own formulas see, but for m and p, which are an operation's arguments. */
static void add_machine(evaluation *e) {
    for (size_t i = 0; i < e->operations->scope.count; i++) {
        const isocast_symbol *symbol = &e->operations->scope.symbols[i];
        if (symbol->kind != ISOCAST_SYMBOL_ARGUMENT) {
            e->symbols[e->scope.count++] = *symbol;
        }
    }
    isocast_column *columns = e->columns + e->count + ISOCAST_SYSTEM_COLUMNS;
    for (size_t i = 0; i < e->machine->parameter_count; i++) {
        columns[i] = (isocast_column){&e->machine->parameters[i].value, 0};
    }
}

static isocast_status prepare(evaluation *e) {
    size_t symbol_count = e->count + ISOCAST_SYSTEM_SYMBOLS;
    e->column_count = e->count + ISOCAST_SYSTEM_COLUMNS;
    if (e->machine != NULL) {
        isocast_status status =
            isocast_machine_scope_create(e->machine, NULL, e->count, 0, &e->operations);
        if (status != ISOCAST_OK) {
            return status;
        }
        symbol_count += e->operations->scope.count;
        e->column_count += e->machine->parameter_count;
    }
    e->symbols = calloc(symbol_count, sizeof *e->symbols);
    e->names = calloc(e->count + 1, sizeof *e->names);
    e->values = calloc(e->count + 1, sizeof *e->values);
    e->columns = calloc(e->column_count, sizeof *e->columns);
    if (e->symbols == NULL || e->names == NULL || e->values == NULL || e->columns == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    e->scope.symbols = e->symbols;
    isocast_status status = add_variables(e);
    if (status == ISOCAST_OK && e->machine != NULL) {
        e->names[e->count] = "p";
        add_system(e);
        add_machine(e);
    }
    return status;
}

static void evaluation_free(evaluation *e) {
    isocast_system_free(e->system);
    isocast_machine_scope_free(e->operations);
    free(e->symbols);
    free(e->names);
    free(e->values);
    free(e->columns);
}

static isocast_status run(const evaluation *e, const isocast_program *program, double *value) {
    const isocast_class_table *classes = e->system != NULL ? &e->system->table : NULL;
    isocast_program_points point = {
        .count = 1, .inputs = e->columns, .classes = classes != NULL ? &classes : NULL};
    double found = NAN;
    double *results = &found;
    isocast_status status = isocast_program_evaluate(program, &point, &results, NULL);
    if (status == ISOCAST_OK && !isfinite(found)) {
        status = ISOCAST_DOMAIN;
    }
    if (status == ISOCAST_OK) {
        *value = found;
    }
    return status;
}

static isocast_status evaluate(const evaluation *e, const char *text, double *value,
                               isocast_dimension *dimension) {
    isocast_source *source = NULL;
    isocast_formula *formula = NULL;
    isocast_program *program = NULL;
    isocast_status status = isocast_source_create("formula", text, strlen(text), &source);
    if (status == ISOCAST_OK) {
        isocast_names declared = {e->names, e->count + (e->machine != NULL)};
        status = isocast_formula_parse(source, (isocast_span){0, source->length}, declared,
                                       e->diagnostics, &formula);
    }
    if (status == ISOCAST_OK) {
        isocast_formula_place place = {.what = "the formula", .any_dimension = true};
        status = isocast_formula_check(formula, &e->scope, &place, e->diagnostics, dimension);
    }
    if (status == ISOCAST_OK) {
        const isocast_formula *const formulas[] = {formula};
        status = isocast_program_compile(formulas, 1, &e->scope, e->diagnostics, &program);
    }
    if (status == ISOCAST_OK) {
        status = run(e, program, value);
    }
    isocast_program_free(program);
    isocast_formula_free(formula);
    isocast_source_free(source);
    return status;
}

static bool variables_are_named(const isocast_variable *variables, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (variables == NULL || variables[i].name == NULL) {
            return false;
        }
    }
    return true;
}

isocast_status isocast_formula_evaluate(const char *formula, const isocast_variable *variables,
                                        size_t count, const isocast_machine *machine,
                                        const char *system, isocast_diagnostics *diagnostics,
                                        double *value, char *unit) {
    if (formula == NULL || value == NULL || !variables_are_named(variables, count) ||
        (machine != NULL && system == NULL)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    evaluation e = {.variables = variables,
                    .count = count,
                    .machine = machine,
                    .diagnostics = call.diagnostics};
    isocast_dimension dimension;
    isocast_status status =
        machine != NULL
            ? isocast_api_read_system(machine, NULL, "system", system, call.diagnostics, &e.system)
            : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        status = prepare(&e);
    }
    if (status == ISOCAST_OK) {
        status = evaluate(&e, formula, value, &dimension);
    }
    if (status == ISOCAST_OK && unit != NULL) {
        isocast_unit_text text = isocast_dimension_text(dimension);
        memcpy(unit, text.text, strlen(text.text) + 1);
    }
    evaluation_free(&e);
    return isocast_api_leave(&call, status);
}

static isocast_status refuse_operation(const isocast_machine *machine, const char *operation,
                                       isocast_diagnostics *diagnostics) {
    const char **names = calloc(machine->operation_count + 1, sizeof *names);
    if (names == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < machine->operation_count; i++) {
        names[i] = machine->operations[i].name;
    }
    isocast_buffer hint = {0};
    isocast_nearest_hint(&hint, operation, names, machine->operation_count, "it has");
    isocast_diagnostics_rely(diagnostics, &hint);
    isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, "operation", hint.text,
                                 "machine '%s' has no operation '%s'", machine->name, operation);
    isocast_buffer_free(&hint);
    free(names);
    return ISOCAST_INVALID;
}

isocast_status isocast_machine_evaluate_operation(const isocast_machine *machine,
                                                  const char *operation, const char *system,
                                                  double m, isocast_diagnostics *diagnostics,
                                                  double *seconds) {
    if (machine == NULL || operation == NULL || system == NULL || seconds == NULL || !isfinite(m) ||
        m < 0) {
        return ISOCAST_ARGUMENT;
    }
    size_t found = 0;
    while (found < machine->operation_count &&
           strcmp(machine->operations[found].name, operation) != 0) {
        found++;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    isocast_buffer formula = {0};
    isocast_buffer_printf(&formula, "%s(message)", operation);
    isocast_variable message = {.name = "message", .unit = "B", .value = m};
    isocast_status status = formula.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        status = found == machine->operation_count
                     ? refuse_operation(machine, operation, call.diagnostics)
                     : isocast_formula_evaluate(formula.text, &message, 1, machine, system,
                                                call.diagnostics, seconds, NULL);
    }
    isocast_buffer_free(&formula);
    return isocast_api_leave(&call, status);
}
