#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_time.h"
#include "model/base/known_operation.h"
#include "model/base/operation_name.h"
#include "roofline.h"
#include "unknown_operations.h"

/* T_c where an algorithm gives none: balanced work with a sequential part on process 0 [CSW 3.4].
 */
static const char default_compute[] = "(1 - alpha)*W/C + alpha*W/C_j";
/* Where the kernel's own time per flop was measured, that is surer than the marked speed. */
static const char measured_compute[] = "W*t_c/p";
static const char default_sequential[] = "0";
/* What a process needs for a flop on average, by the marked speeds. */
static const char mean_time_per_flop[] = "p/C";
/* Formulas that stand in for ones that are not given. */
enum {
    DEFAULT_COMPUTE,
    DEFAULT_SEQUENTIAL,
    DEFAULT_TIME_PER_FLOP,
    DEFAULT_TOTAL,
    DEFAULT_SEND,
    DEFAULT_RECV,
    DEFAULTS
};

struct isocast_binding {
    const isocast_algorithm *algorithm;
    const isocast_machine *machine; /* NULL: not bound */
    isocast_scope scope;
    isocast_symbol *symbols; /* [scope.count] */
    size_t *index;           /* the scope's */
    isocast_source *default_sources[DEFAULTS];
    isocast_formula *default_formulas[DEFAULTS];
    const isocast_formula *compute; /* with the roofline, where there is one */
    const isocast_formula *sequential;
    isocast_roofline *roofline;        /* NULL: there is none */
    isocast_machine_scope *operations; /* scope of the machine's operations */
    isocast_machine_scope *kernel;     /* scope of the kernel's seconds per flop: m is `memory` */
    isocast_buffer stand_ins;          /* "T_bcast, T_reduce": those that are used */
};

static const struct {
    const char *name;
    const char *hint;
} reserved[] = {
    {"p", "p is the number of processes in every formula; take another name"},
    {"m", "m is the message size in every formula; take another name"},
    {"C", "C is the sum of the marked speeds in every formula; take another name"},
    {"C_j", "C_j is the marked speed of process 0 in every formula; take another name"},
    {"W", "W is the work in every formula; take another name"},
    {"alpha", "alpha is what the key 'sequential' says; take another name"},
    {"t_c",
     "t_c is the machine's time per flop in every formula: use it without declaring it here"},
    {"C_i", "C_i is the marked speed of a node class in every formula; take another name"},
    {"p_i", "p_i counts the processes of a node class in every formula; take another name"},
    {"memory_i", "memory_i is the memory of a node class in every formula; take another name"},
};

const char *isocast_name_reserved_hint(const char *name) {
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (strcmp(reserved[i].name, name) == 0) {
            return reserved[i].hint;
        }
    }
    bool taken = isocast_operation_is_name(name) || isocast_formula_is_word(name, strlen(name));
    return taken ? "take another name" : NULL;
}

bool isocast_name_is_reserved(const char *name) {
    return isocast_name_reserved_hint(name) != NULL;
}

static isocast_status formula_or_default(isocast_binding *table, const isocast_formula *given,
                                         size_t slot, const char *text,
                                         isocast_diagnostics *diagnostics,
                                         const isocast_formula **out) {
    *out = given;
    if (given != NULL) {
        return ISOCAST_OK;
    }
    size_t length = strlen(text);
    isocast_status status =
        isocast_source_create("default", text, length, &table->default_sources[slot]);
    if (status == ISOCAST_OK) {
        status =
            isocast_formula_parse(table->default_sources[slot], (isocast_span){0, length},
                                  (isocast_names){0}, diagnostics, &table->default_formulas[slot]);
        *out = table->default_formulas[slot];
    }
    return status;
}

static void add(isocast_binding *table, isocast_symbol symbol) {
    table->symbols[table->scope.count++] = symbol;
}

static void add_system(isocast_binding *table) {
    isocast_system_symbols(table->algorithm->size_count, table->symbols + table->scope.count);
    table->scope.count += ISOCAST_SYSTEM_SYMBOLS;
}

/* After the algorithm's own names, which come first where they are the same. */
static void add_placement(isocast_binding *table) {
    size_t first = table->algorithm->size_count;
    add(table, (isocast_symbol){.name = "nodes",
                                .kind = ISOCAST_SYMBOL_INPUT,
                                .index = first + ISOCAST_COLUMN_nodes});
    add(table, (isocast_symbol){.name = "p_node",
                                .kind = ISOCAST_SYMBOL_INPUT,
                                .index = first + ISOCAST_COLUMN_p_node});
    add(table, (isocast_symbol){.name = "p_node_max",
                                .kind = ISOCAST_SYMBOL_INPUT,
                                .index = first + ISOCAST_COLUMN_p_node_max});
}

/* A definition, in the algorithm's scope and in others. */
static isocast_symbol definition_of(const isocast_binding *table, const isocast_term *definition) {
    return (isocast_symbol){.name = definition->name,
                            .kind = ISOCAST_SYMBOL_FORMULA,
                            .any_dimension = true,
                            .formula = definition->formula,
                            .scope = &table->scope};
}

static void add_algorithm(isocast_binding *table) {
    const isocast_algorithm *algorithm = table->algorithm;
    for (size_t i = 0; i < algorithm->size_count; i++) {
        add(table, (isocast_symbol){
                       .name = algorithm->sizes[i].name, .kind = ISOCAST_SYMBOL_INPUT, .index = i});
    }
    add(table, (isocast_symbol){.name = "W",
                                .kind = ISOCAST_SYMBOL_FORMULA,
                                .dimension = isocast_dimension_of(ISOCAST_BASE_FLOP),
                                .formula = algorithm->work,
                                .scope = &table->scope});
    add(table, (isocast_symbol){.name = "alpha",
                                .kind = ISOCAST_SYMBOL_FORMULA,
                                .formula = table->sequential,
                                .scope = &table->scope});
    for (size_t i = 0; i < algorithm->definition_count; i++) {
        add(table, definition_of(table, &algorithm->definitions[i]));
    }
}

static size_t parameter_column(const isocast_binding *table, size_t parameter) {
    return table->algorithm->size_count + ISOCAST_SYSTEM_COLUMNS + parameter;
}

/* A parameter that the algorithm asks for: the machine's, or the fallback. */
static isocast_status add_requirement(isocast_binding *table,
                                      const isocast_requirement *requirement,
                                      isocast_diagnostics *diagnostics) {
    const isocast_machine *machine = table->machine;
    isocast_symbol symbol = {.name = requirement->name,
                             .kind = ISOCAST_SYMBOL_INPUT,
                             .dimension = requirement->dimension};
    const isocast_source *source = table->algorithm->tree->source;
    size_t index = machine != NULL ? isocast_machine_parameter(machine, requirement->name) : 0;
    bool time_per_flop = strcmp(requirement->name, "t_c") == 0; /* add_time_per_flop adds it */
    if (machine != NULL && requirement->open && isnan(requirement->fallback)) {
        isocast_buffer hint = {0};
        isocast_buffer_printf(&hint,
                              "fit it to runs: isocast forecast RUNS.csv --with %s MACHINE "
                              "--fitted FILE, and take FILE; or give it with --set %s=VALUE",
                              table->algorithm->name, requirement->name);
        isocast_diagnostics_rely(diagnostics, &hint);
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, requirement->span, hint.text,
                                "the parameter '%s' is left open for runs to say",
                                requirement->name);
        isocast_buffer_free(&hint);
        return ISOCAST_INVALID;
    }
    if (machine == NULL || time_per_flop) {
        if (!time_per_flop) {
            add(table, symbol);
        }
        return ISOCAST_OK;
    }
    if (index < machine->parameter_count) {
        if (!isocast_dimension_equal(machine->parameters[index].dimension,
                                     requirement->dimension)) {
            isocast_unit_text is = isocast_dimension_text(machine->parameters[index].dimension);
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, requirement->span,
                                    "use the same unit in both files",
                                    "machine '%s' gives '%s' in %s", machine->name,
                                    requirement->name, is.text);
            return ISOCAST_INVALID;
        }
        symbol.index = parameter_column(table, index);
        add(table, symbol);
        return ISOCAST_OK;
    }
    if (isnan(requirement->fallback)) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, requirement->span,
                                "add it to the machine's parameters:, or give a default here",
                                "machine '%s' has no parameter '%s'", machine->name,
                                requirement->name);
        return ISOCAST_INVALID;
    }
    symbol.kind = ISOCAST_SYMBOL_CONSTANT;
    symbol.value = requirement->fallback;
    add(table, symbol);
    return ISOCAST_OK;
}

/* The scope of the kernel's seconds per flop: like an operation's, but m is what the algorithm says
 * one process holds, and p the processes that share a node's memory with it, itself among them:
 * those on other nodes do not slow it down. The node with most of them is the slowest, which the
 * others wait for. */
static isocast_status bind_kernel(isocast_binding *table) {
    isocast_status status = isocast_machine_scope_create(
        table->machine, table->algorithm->kernel, table->algorithm->size_count, 0, &table->kernel);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < table->kernel->scope.count; i++) {
        isocast_symbol *symbol = &table->kernel->symbols[i];
        bool is_set = strcmp(symbol->name, "m") == 0;
        if (is_set && table->algorithm->memory == NULL) {
            /* The formula does not have it (kernel_time.h). */
            symbol->kind = ISOCAST_SYMBOL_CONSTANT;
            symbol->value = 0;
        } else if (is_set) {
            symbol->kind = ISOCAST_SYMBOL_FORMULA;
            symbol->formula = table->algorithm->memory;
            symbol->scope = &table->scope;
        } else if (strcmp(symbol->name, "p") == 0) {
            symbol->kind = ISOCAST_SYMBOL_INPUT;
            symbol->index = table->algorithm->size_count + ISOCAST_COLUMN_p_node_max;
        }
    }
    return ISOCAST_OK;
}

/* t_c: the kernel's formula at the working set of a process, or the machine's parameter, or what
 * the marked speeds come to. */
static isocast_status add_time_per_flop(isocast_binding *table, isocast_diagnostics *diagnostics) {
    isocast_symbol symbol = {
        .name = "t_c", .kind = ISOCAST_SYMBOL_INPUT, .dimension = isocast_time_per_flop()};
    if (table->machine == NULL) {
        add(table, symbol);
        return ISOCAST_OK;
    }
    const isocast_operation *kernel = isocast_kernel_time_find(table->algorithm, table->machine);
    if (kernel != NULL && !table->algorithm->time_per_flop_given) {
        symbol.kind = ISOCAST_SYMBOL_FORMULA;
        symbol.formula = kernel->formula;
        isocast_status status = bind_kernel(table);
        symbol.scope = table->kernel != NULL ? &table->kernel->scope : NULL;
        add(table, symbol);
        return status;
    }
    size_t index = isocast_machine_parameter(table->machine, "t_c");
    if (index < table->machine->parameter_count) {
        symbol.index = parameter_column(table, index);
        add(table, symbol);
        return ISOCAST_OK;
    }
    symbol.kind = ISOCAST_SYMBOL_FORMULA;
    symbol.scope = &table->scope;
    isocast_status status = formula_or_default(table, NULL, DEFAULT_TIME_PER_FLOP,
                                               mean_time_per_flop, diagnostics, &symbol.formula);
    add(table, symbol);
    return status;
}

static void add_stand_in(isocast_machine_scope *operations, const char *name,
                         const isocast_formula *formula) {
    operations->symbols[operations->scope.count++] =
        (isocast_symbol){.name = name,
                         .kind = ISOCAST_SYMBOL_OPERATION,
                         .dimension = isocast_dimension_of(ISOCAST_BASE_TIME),
                         .formula = formula,
                         .scope = &operations->scope};
}

/* Steps send and receive, and the machine states only what a message takes between neighbours: all
 * of it counts at the receiver. */
static isocast_status add_messages(isocast_binding *table, isocast_scope machine,
                                   isocast_diagnostics *diagnostics) {
    static const char *const names[] = {"T_send", "T_recv"};
    static const char *const texts[] = {"0 s", "T_sendrecv(m)"};
    isocast_status status = ISOCAST_OK;
    bool lacks = table->algorithm->program != NULL &&
                 isocast_scope_find(&machine, "T_sendrecv") != NULL &&
                 isocast_scope_find(&machine, names[0]) == NULL &&
                 isocast_scope_find(&machine, names[1]) == NULL;
    for (size_t i = 0; i < 2 && lacks && status == ISOCAST_OK; i++) {
        const isocast_formula *formula = NULL;
        status = formula_or_default(table, NULL, DEFAULT_SEND + i, texts[i], diagnostics, &formula);
        add_stand_in(table->operations, names[i], formula);
    }
    return status;
}

/* Adds what the algorithm brings for operations that the machine lacks, t_c, which these may be a
 * multiple of, and the algorithm's definitions. */
static isocast_status add_fallbacks(isocast_binding *table, isocast_diagnostics *diagnostics) {
    isocast_machine_scope *operations = table->operations;
    const isocast_scope machine = operations->scope;
    const isocast_symbol *flop = isocast_scope_find(&table->scope, "t_c");
    if (flop != NULL && isocast_scope_find(&machine, "t_c") == NULL) {
        operations->symbols[operations->scope.count++] = *flop;
    }
    for (size_t i = 0; i < table->algorithm->definition_count; i++) {
        const isocast_term *definition = &table->algorithm->definitions[i];
        if (isocast_scope_find(&machine, definition->name) == NULL) {
            operations->symbols[operations->scope.count++] = definition_of(table, definition);
        }
    }
    for (size_t i = 0; i < table->algorithm->operation_count; i++) {
        const isocast_term *fallback = &table->algorithm->operations[i];
        if (isocast_scope_find(&machine, fallback->name) == NULL) {
            add_stand_in(operations, fallback->name, fallback->formula);
        }
    }
    size_t *index = NULL;
    isocast_status status = add_messages(table, machine, diagnostics);
    status = status == ISOCAST_OK ? isocast_scope_index(&operations->scope, &index) : status;
    if (status == ISOCAST_OK) {
        free(operations->index);
        operations->index = index;
    }
    return status;
}

/* Whether the algorithm sees a name of the machine: its operations, and "class.property", which is
 * a constant or varies. */
static bool is_seen(const isocast_symbol *symbol) {
    return symbol->kind == ISOCAST_SYMBOL_OPERATION || symbol->kind == ISOCAST_SYMBOL_CONSTANT ||
           (symbol->kind == ISOCAST_SYMBOL_INPUT && strchr(symbol->name, '.') != NULL);
}

/* The machine's operations and class.property, as the algorithm sees them. */
static isocast_status add_operations(isocast_binding *table, isocast_diagnostics *diagnostics) {
    isocast_status status = isocast_machine_scope_create(
        table->machine, table->algorithm->kernel, table->algorithm->size_count,
        table->algorithm->operation_count + table->algorithm->definition_count + 3,
        &table->operations);
    if (status == ISOCAST_OK) {
        status = add_fallbacks(table, diagnostics);
    }
    for (size_t i = 0; status == ISOCAST_OK && i < table->operations->scope.count; i++) {
        const isocast_symbol *symbol = &table->operations->symbols[i];
        if (is_seen(symbol)) {
            add(table, *symbol);
        }
    }
    return status;
}

/* Puts the roofline, where there is one, in the place of T_c. */
static isocast_status add_roofline(isocast_binding *table, isocast_diagnostics *diagnostics) {
    if (table->machine == NULL) {
        return ISOCAST_OK;
    }
    const isocast_roofline_request request = {table->algorithm, table->machine, table->compute,
                                              &table->scope, parameter_column(table, 0)};
    isocast_status status = isocast_roofline_create(&request, diagnostics, &table->roofline);
    if (status == ISOCAST_OK && table->roofline != NULL) {
        add(table, isocast_roofline_symbol(table->roofline));
        status = formula_or_default(table, NULL, DEFAULT_TOTAL, ISOCAST_ROOFLINE_NAME, diagnostics,
                                    &table->compute);
    }
    return status;
}

static size_t symbols_most(const isocast_algorithm *algorithm, const isocast_machine *machine) {
    size_t most = 22 + algorithm->size_count + algorithm->definition_count +
                  algorithm->requirement_count + algorithm->operation_count;
    if (machine != NULL) {
        most += machine->operation_count + machine->parameter_count + 8 * machine->class_count;
    }
    return most;
}

static isocast_status fill(isocast_binding *table, isocast_diagnostics *diagnostics) {
    const isocast_algorithm *algorithm = table->algorithm;
    bool fitted = isocast_requirement_find(algorithm, "t_c") < algorithm->requirement_count;
    bool measured = table->machine != NULL && algorithm->sequential == NULL &&
                    (fitted || isocast_kernel_time_find(algorithm, table->machine) != NULL);
    isocast_status status = formula_or_default(table, algorithm->compute, DEFAULT_COMPUTE,
                                               measured ? measured_compute : default_compute,
                                               diagnostics, &table->compute);
    if (status == ISOCAST_OK) {
        status = formula_or_default(table, algorithm->sequential, DEFAULT_SEQUENTIAL,
                                    default_sequential, diagnostics, &table->sequential);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    table->scope.symbols = table->symbols;
    table->scope.any_operation = table->machine == NULL;
    table->scope.of_machine = table->machine != NULL;
    table->scope.of_algorithm = true;
    add_system(table);
    add_algorithm(table);
    status = add_time_per_flop(table, diagnostics);
    for (size_t i = 0; status != ISOCAST_NO_MEMORY && i < algorithm->requirement_count; i++) {
        isocast_status one = add_requirement(table, &algorithm->requirements[i], diagnostics);
        status = one != ISOCAST_OK ? one : status;
    }
    add_placement(table);
    if (status == ISOCAST_OK && table->machine != NULL) {
        status = add_operations(table, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = add_roofline(table, diagnostics);
    }
    return status == ISOCAST_OK ? isocast_scope_index(&table->scope, &table->index) : status;
}

/* Whether a formula stands in for an operation: with a machine bound, only where that lacks it.
 * What it would call need not be there otherwise. */
static bool is_fallback_used(const isocast_binding *table, const isocast_term *fallback) {
    const isocast_symbol *symbol =
        table->operations == NULL ? NULL
                                  : isocast_scope_find(&table->operations->scope, fallback->name);
    return symbol == NULL || symbol->formula == fallback->formula;
}

/* Which formulas for operations are used. What stands in for one that the machine has calls others
 * in vain. used: [operation_count], false at first. */
static void note_used(const isocast_binding *table, bool *used) {
    const isocast_algorithm *a = table->algorithm;
    for (bool noted = true; noted;) {
        noted = false;
        for (size_t i = 0; i < a->operation_count; i++) {
            bool is_new = !used[i] && is_fallback_used(table, &a->operations[i]) &&
                          isocast_algorithm_needs(a, a->operations[i].name, used);
            used[i] = used[i] || is_new;
            noted = noted || is_new;
        }
    }
}

/* Writes which operations formulas of messages stand in for. */
static isocast_status name_stand_ins(isocast_binding *table) {
    const isocast_algorithm *a = table->algorithm;
    isocast_buffer *out = &table->stand_ins;
    bool *used = calloc(a->operation_count + 1, sizeof *used);
    if (used == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    note_used(table, used);
    for (size_t i = a->given_operation_count; i < a->operation_count; i++) {
        const isocast_known_operation *known = isocast_known_operation_find(a->operations[i].name);
        /* One that is prepared is no operation of MPI, but several that are; copies are none of
         * messages. */
        if (used[i] && known->measurement != ISOCAST_OPERATION_PREPARED &&
            known->kind != ISOCAST_OPERATION_WORK) {
            isocast_buffer_printf(out, "%s%s", out->length > 0 ? ", " : "", a->operations[i].name);
        }
    }
    bool messages =
        table->default_formulas[DEFAULT_RECV] != NULL && isocast_algorithm_calls(a, "T_recv");
    isocast_buffer_printf(out, "%s",
                          !messages         ? ""
                          : out->length > 0 ? ", T_send, T_recv"
                                            : "T_send, T_recv");
    free(used);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

isocast_status isocast_binding_create(const isocast_algorithm *algorithm,
                                      const isocast_machine *machine,
                                      isocast_diagnostics *diagnostics, isocast_binding **out) {
    isocast_binding *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    table->algorithm = algorithm;
    table->machine = machine;
    table->symbols = calloc(symbols_most(algorithm, machine), sizeof *table->symbols);
    isocast_status status = table->symbols == NULL ? ISOCAST_NO_MEMORY : fill(table, diagnostics);
    if (status == ISOCAST_OK && machine != NULL) {
        status = name_stand_ins(table);
    }
    if (status != ISOCAST_OK) {
        isocast_binding_free(table);
        return status;
    }
    *out = table;
    return ISOCAST_OK;
}

void isocast_binding_free(isocast_binding *table) {
    if (table != NULL) {
        for (size_t i = 0; i < DEFAULTS; i++) {
            isocast_formula_free(table->default_formulas[i]);
            isocast_source_free(table->default_sources[i]);
        }
        isocast_roofline_free(table->roofline);
        isocast_machine_scope_free(table->operations);
        isocast_machine_scope_free(table->kernel);
        isocast_buffer_free(&table->stand_ins);
        free(table->symbols);
        free(table->index);
        free(table);
    }
}

const char *isocast_binding_stand_ins(const isocast_binding *table) {
    return table->stand_ins.text;
}

const isocast_scope *isocast_binding_scope(const isocast_binding *table) {
    return &table->scope;
}

const isocast_formula *isocast_binding_compute(const isocast_binding *table) {
    return table->compute;
}

const isocast_formula *isocast_binding_sequential(const isocast_binding *table) {
    return table->sequential;
}

/* A check of all formulas of a table. */
typedef struct table_check {
    const isocast_binding *table;
    isocast_check_memory *memory;
    isocast_diagnostics *diagnostics;
    isocast_status status;
} table_check;

static void check_in(table_check *c, const isocast_scope *scope, const isocast_formula *formula,
                     isocast_formula_place place) {
    isocast_dimension ignored;
    if (formula != NULL && c->status != ISOCAST_NO_MEMORY) {
        isocast_status one = isocast_formula_check_among(formula, scope, &place, c->memory,
                                                         c->diagnostics, &ignored);
        c->status = one != ISOCAST_OK ? one : c->status;
    }
}

static void check_one(table_check *c, const isocast_formula *formula, isocast_formula_place place) {
    check_in(c, &c->table->scope, formula, place);
}

static void check_times(table_check *c, const isocast_term *terms, size_t count) {
    for (size_t i = 0; i < count; i++) {
        check_one(c, terms[i].formula,
                  (isocast_formula_place){.what = terms[i].name,
                                          .dimension = isocast_dimension_of(ISOCAST_BASE_TIME)});
    }
}

/* What the formulas for operations see where there is no machine: [*count], to be freed; NULL where
 * memory is short. */
static isocast_symbol *names_alone(const isocast_binding *table, size_t *count) {
    const isocast_symbol arguments[] = {{.name = "m",
                                         .kind = ISOCAST_SYMBOL_ARGUMENT,
                                         .dimension = isocast_dimension_of(ISOCAST_BASE_BYTE),
                                         .index = 0},
                                        {.name = "p", .kind = ISOCAST_SYMBOL_ARGUMENT, .index = 1},
                                        {.name = "nodes", .kind = ISOCAST_SYMBOL_NODES},
                                        {.name = "p_node", .kind = ISOCAST_SYMBOL_NODE_SHARE},
                                        {.name = "t_c",
                                         .kind = ISOCAST_SYMBOL_ARGUMENT,
                                         .dimension = isocast_time_per_flop(),
                                         .index = 2}};
    size_t own = sizeof arguments / sizeof arguments[0];
    size_t definitions = table->algorithm->definition_count;
    isocast_symbol *names = malloc((own + definitions) * sizeof *names);
    if (names != NULL) {
        memcpy(names, arguments, sizeof arguments);
        for (size_t i = 0; i < definitions; i++) {
            names[own + i] = definition_of(table, &table->algorithm->definitions[i]);
        }
        *count = own + definitions;
    }
    return names;
}

/* The formulas for operations that a machine may lack see p, m, t_c, where the processes are, the
 * algorithm's definitions, and operations. */
static void check_fallbacks(table_check *c) {
    const isocast_binding *table = c->table;
    isocast_scope alone = {.any_operation = true};
    isocast_symbol *names = names_alone(table, &alone.count);
    bool *used = calloc(table->algorithm->operation_count + 1, sizeof *used);
    alone.symbols = names;
    if (names == NULL || used == NULL) {
        free(names);
        free(used);
        c->status = ISOCAST_NO_MEMORY;
        return;
    }
    note_used(table, used);
    for (size_t i = 0; i < table->algorithm->operation_count; i++) {
        const isocast_term *fallback = &table->algorithm->operations[i];
        isocast_formula_place place = {.what = fallback->name,
                                       .dimension = isocast_dimension_of(ISOCAST_BASE_TIME)};
        const isocast_scope *scope = table->operations != NULL ? &table->operations->scope : &alone;
        if (used[i]) {
            check_in(c, scope, fallback->formula, place);
        }
    }
    free(names);
    free(used);
}

isocast_status isocast_binding_check(const isocast_binding *table,
                                     isocast_diagnostics *diagnostics) {
    const isocast_algorithm *a = table->algorithm;
    table_check c = {table, NULL, diagnostics, ISOCAST_OK};
    isocast_status status = isocast_check_memory_create(&c.memory);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_dimension bytes = isocast_dimension_of(ISOCAST_BASE_BYTE);
    isocast_dimension work = isocast_dimension_of(ISOCAST_BASE_FLOP);
    check_one(&c, a->work, (isocast_formula_place){.what = "work", .dimension = work});
    check_one(&c, table->sequential, (isocast_formula_place){.what = "sequential"});
    check_one(&c, table->compute, (isocast_formula_place){.what = "compute", .dimension = time});
    for (size_t i = 0; i < a->definition_count; i++) {
        check_one(&c, a->definitions[i].formula,
                  (isocast_formula_place){.what = a->definitions[i].name, .any_dimension = true});
    }
    check_times(&c, a->overhead, a->overhead_count);
    check_times(&c, a->uncertain, a->uncertain_count);
    check_fallbacks(&c);
    check_one(&c, a->memory, (isocast_formula_place){.what = "memory", .dimension = bytes});
    check_one(&c, a->traffic, (isocast_formula_place){.what = "traffic", .dimension = bytes});
    check_one(&c, a->concurrency, (isocast_formula_place){.what = "concurrency"});
    isocast_check_memory_free(c.memory);
    return c.status;
}
