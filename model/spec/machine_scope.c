#include "machine_scope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "marked_speed.h"

const double *isocast_system_column(const isocast_system *system, size_t column) {
    const double *const columns[ISOCAST_SYSTEM_COLUMNS] = {
        [ISOCAST_COLUMN_p] = &system->p,
        [ISOCAST_COLUMN_C] = &system->C,
        [ISOCAST_COLUMN_C_j] = &system->C_j,
        [ISOCAST_COLUMN_nodes] = &system->nodes,
        [ISOCAST_COLUMN_p_node] = &system->p_node,
        [ISOCAST_COLUMN_p_node_max] = &system->p_node_max};
    return columns[column];
}

void isocast_system_symbols(size_t first, isocast_symbol out[ISOCAST_SYSTEM_SYMBOLS]) {
    isocast_dimension speed = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                       isocast_dimension_of(ISOCAST_BASE_TIME));
    const isocast_symbol symbols[ISOCAST_SYSTEM_SYMBOLS] = {
        {.name = "p", .kind = ISOCAST_SYMBOL_INPUT, .index = first + ISOCAST_COLUMN_p},
        {.name = "C",
         .kind = ISOCAST_SYMBOL_INPUT,
         .dimension = speed,
         .index = first + ISOCAST_COLUMN_C},
        {.name = "C_j",
         .kind = ISOCAST_SYMBOL_INPUT,
         .dimension = speed,
         .index = first + ISOCAST_COLUMN_C_j},
        {.name = "p_i", .kind = ISOCAST_SYMBOL_CLASS, .index = ISOCAST_CLASS_PROCESSES},
        {.name = "C_i",
         .kind = ISOCAST_SYMBOL_CLASS,
         .dimension = speed,
         .index = ISOCAST_CLASS_MARKED_SPEED},
        {.name = "memory_i",
         .kind = ISOCAST_SYMBOL_CLASS,
         .dimension = isocast_dimension_of(ISOCAST_BASE_BYTE),
         .index = ISOCAST_CLASS_MEMORY}};
    memcpy(out, symbols, sizeof symbols);
}

/* What class.property can name, with the value of a class. */
typedef struct property {
    const char *name;
    double value;
} property;
enum { PROPERTIES = 8 };

static void properties_of(const isocast_node_class *c, const char *program,
                          property out[PROPERTIES]) {
    const property properties[PROPERTIES] = {{"count", c->count},
                                             {"processors", c->processors},
                                             {"marked_speed", isocast_marked_speed_of(c, program)},
                                             {"memory", c->memory},
                                             {"memory_bandwidth", c->memory_bandwidth},
                                             {"cache", c->cache},
                                             {"price", c->price},
                                             {"power", c->power}};
    memcpy(out, properties, sizeof properties);
}

isocast_dimension isocast_time_per_flop(void) {
    return isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_TIME),
                                    isocast_dimension_of(ISOCAST_BASE_FLOP));
}

/* A property that varies from condition to condition is a parameter of that name, too (varied.h),
 * whose symbol is there already. */
static void vary(const isocast_machine_scope *scope, const isocast_machine *machine,
                 isocast_symbol *symbol) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        if (strcmp(machine->parameters[i].name, symbol->name) == 0) {
            symbol->kind = ISOCAST_SYMBOL_INPUT;
            symbol->index = isocast_scope_find(&scope->scope, symbol->name)->index;
        }
    }
}

static bool add_property(isocast_machine_scope *scope, const isocast_machine *machine,
                         const isocast_node_class *c, const property *p) {
    char *name = NULL;
    if (asprintf(&name, "%s.%s", c->name, p->name) < 0) {
        return false;
    }
    scope->property_names[scope->property_count++] = name;
    isocast_symbol symbol = {.name = name, .kind = ISOCAST_SYMBOL_CONSTANT, .value = p->value};
    isocast_property_dimension(name, &symbol.dimension);
    /* Without the machine it is not known which currency a price is in. */
    if (strcmp(p->name, "price") == 0 && machine->purchase.currency != ISOCAST_CURRENCY_NONE) {
        symbol.dimension = isocast_currency_dimension(machine->purchase.currency);
    }
    vary(scope, machine, &symbol);
    scope->symbols[scope->scope.count++] = symbol;
    return true;
}

static bool add_properties(isocast_machine_scope *scope, const isocast_machine *machine,
                           const char *program) {
    for (size_t i = 0; i < machine->class_count; i++) {
        property properties[PROPERTIES];
        properties_of(&machine->classes[i], program, properties);
        for (size_t k = 0; k < PROPERTIES; k++) {
            /* What the file does not say has no name, so that no formula reads it as a number. */
            if (!isnan(properties[k].value) &&
                !add_property(scope, machine, &machine->classes[i], &properties[k])) {
                return false;
            }
        }
    }
    return true;
}

/* After a machine's own names, which come first where they are the same. */
static void add_system(isocast_machine_scope *scope, size_t first_system) {
    scope->symbols[scope->scope.count++] =
        (isocast_symbol){.name = "nodes",
                         .kind = ISOCAST_SYMBOL_NODES,
                         .index = first_system + ISOCAST_COLUMN_nodes};
    scope->symbols[scope->scope.count++] =
        (isocast_symbol){.name = "p_node",
                         .kind = ISOCAST_SYMBOL_NODE_SHARE,
                         .index = first_system + ISOCAST_COLUMN_p_node};
    scope->symbols[scope->scope.count++] =
        (isocast_symbol){.name = "p_node_max",
                         .kind = ISOCAST_SYMBOL_INPUT,
                         .index = first_system + ISOCAST_COLUMN_p_node_max};
    scope->symbols[scope->scope.count++] = (isocast_symbol){
        .name = "p_all", .kind = ISOCAST_SYMBOL_INPUT, .index = first_system + ISOCAST_COLUMN_p};
}

isocast_status isocast_machine_scope_create(const isocast_machine *machine, const char *program,
                                            size_t first_system, size_t spare,
                                            isocast_machine_scope **out) {
    isocast_machine_scope *scope = calloc(1, sizeof *scope);
    if (scope == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    enum { M_AND_P = 2, OF_SYSTEM = 4 }; /* what add_system adds */
    size_t most = M_AND_P + OF_SYSTEM + machine->parameter_count + machine->operation_count +
                  PROPERTIES * machine->class_count + spare;
    scope->symbols = calloc(most, sizeof *scope->symbols);
    scope->property_names = calloc(PROPERTIES * machine->class_count + 1, sizeof(char *));
    if (scope->symbols == NULL || scope->property_names == NULL) {
        isocast_machine_scope_free(scope);
        return ISOCAST_NO_MEMORY;
    }
    scope->scope.symbols = scope->symbols;
    scope->scope.of_machine = true;
    scope->symbols[scope->scope.count++] =
        (isocast_symbol){.name = "m",
                         .kind = ISOCAST_SYMBOL_ARGUMENT,
                         .dimension = isocast_dimension_of(ISOCAST_BASE_BYTE),
                         .index = 0};
    scope->symbols[scope->scope.count++] =
        (isocast_symbol){.name = "p", .kind = ISOCAST_SYMBOL_ARGUMENT, .index = 1};
    for (size_t i = 0; i < machine->parameter_count; i++) {
        scope->symbols[scope->scope.count++] =
            (isocast_symbol){.name = machine->parameters[i].name,
                             .kind = ISOCAST_SYMBOL_INPUT,
                             .dimension = machine->parameters[i].dimension,
                             .index = first_system + ISOCAST_SYSTEM_COLUMNS + i};
    }
    for (size_t i = 0; i < machine->operation_count; i++) {
        scope->symbols[scope->scope.count++] =
            (isocast_symbol){.name = machine->operations[i].name,
                             .kind = ISOCAST_SYMBOL_OPERATION,
                             .dimension = isocast_dimension_of(ISOCAST_BASE_TIME),
                             .formula = machine->operations[i].formula,
                             .scope = &scope->scope};
    }
    if (!add_properties(scope, machine, program)) {
        isocast_machine_scope_free(scope);
        return ISOCAST_NO_MEMORY;
    }
    add_system(scope, first_system);
    isocast_status status = isocast_scope_index(&scope->scope, &scope->index);
    if (status != ISOCAST_OK) {
        isocast_machine_scope_free(scope);
        return status;
    }
    *out = scope;
    return ISOCAST_OK;
}

void isocast_machine_scope_free(isocast_machine_scope *scope) {
    if (scope != NULL) {
        for (size_t i = 0; i < scope->property_count; i++) {
            free(scope->property_names[i]);
        }
        free(scope->property_names);
        free(scope->symbols);
        free(scope->index);
        free(scope);
    }
}
