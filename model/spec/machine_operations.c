#include "machine_operations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine_covariance.h"
#include "machine_scope.h"
#include "model/base/operation_name.h"
#include "operation_form.h"
#include "uncertain.h"

static void read_parameter(isocast_reader *reader, const isocast_tree_entry *entry,
                           isocast_parameter *parameter) {
    parameter->name = isocast_reader_text(reader, &entry->key, "a parameter's name");
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_formula_place place = {.what = entry->key.text, .any_dimension = true};
    if (strcmp(entry->key.text, "t_c") == 0) {
        place = (isocast_formula_place){
            .what = "t_c", .dimension = isocast_time_per_flop(), .also = &time};
    } else if (strcmp(entry->key.text, "m") == 0 || strcmp(entry->key.text, "p") == 0 ||
               isocast_operation_is_name(entry->key.text) ||
               isocast_formula_is_word(entry->key.text, strlen(entry->key.text))) {
        isocast_reader_refuse(reader, entry->key.span,
                              isocast_operation_is_name(entry->key.text)
                                  ? "the times of operations stand under 'operations:'"
                                  : "take another name",
                              "'%s' is a reserved name in formulas", entry->key.text);
    } else {
        isocast_reader_expect_name(reader, &entry->key);
    }
    isocast_uncertain number = {.value = NAN, .error = NAN, .dimension = parameter->dimension};
    isocast_reader_uncertain(reader, &entry->value, &place, &number);
    parameter->value = number.value;
    parameter->standard_error = number.error;
    parameter->dimension = number.dimension;
}

static void read_parameters(isocast_reader *reader, const isocast_tree_node *root,
                            isocast_machine *machine) {
    const isocast_tree_node *node =
        isocast_reader_find(reader, root, "parameters", false, "a machine file");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "parameters") ||
        !isocast_reader_at_most(reader, node, ISOCAST_PARAMETERS_MAX, "parameters")) {
        return;
    }
    machine->parameters = isocast_reader_allocate(reader, node->count, sizeof *machine->parameters);
    for (size_t i = 0; machine->parameters != NULL && i < node->count; i++) {
        read_parameter(reader, &node->entries[i], &machine->parameters[machine->parameter_count++]);
    }
}

static void read_operation(isocast_reader *reader, const isocast_tree_node *section, size_t i,
                           bool kernel, isocast_coefficients *coefficients,
                           isocast_operation *out) {
    static const char *const declared[] = {"p", "m"};
    isocast_measured measured = {NAN, NAN, NAN, NAN};
    out->fitted = (isocast_fitted){NAN, NAN, NAN};
    const isocast_tree_entry *entry = &section->entries[i];
    out->name = kernel ? isocast_reader_text(reader, &entry->key, "a kernel's name")
                       : isocast_reader_operation_name(reader, section, i);
    out->first_parameter = coefficients->count;
    if (out->name == NULL) {
        return;
    }
    if (entry->value.kind == ISOCAST_TREE_MAPPING) {
        out->formula = isocast_operation_form_read(reader, entry, out->name, kernel, coefficients,
                                                   &measured, &out->fitted);
    } else {
        out->formula = isocast_reader_formula(reader, &entry->value, (isocast_names){declared, 2},
                                              entry->key.text);
    }
    out->parameter_count = coefficients->count - out->first_parameter;
    out->p_min = measured.p_min;
    out->p_max = measured.p_max;
    out->m_min = measured.m_min;
    out->m_max = measured.m_max;
}

/* *count goes up with each. */
static isocast_operation *read_section(isocast_reader *reader, const isocast_tree_node *root,
                                       const char *key, isocast_coefficients *coefficients,
                                       size_t *count) {
    const isocast_tree_node *node = isocast_reader_section(reader, root, key, ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return NULL;
    }
    isocast_operation *operations =
        isocast_reader_allocate(reader, node->count, sizeof *operations);
    for (size_t i = 0; operations != NULL && i < node->count; i++) {
        read_operation(reader, node, i, strcmp(key, "compute") == 0, coefficients,
                       &operations[(*count)++]);
    }
    return operations;
}

static bool is_taken(const isocast_machine *machine, const char *name) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        if (machine->parameters[i].name != NULL && strcmp(machine->parameters[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes the names over. */
static void add_parameters(isocast_reader *reader, isocast_coefficients *coefficients,
                           isocast_machine *machine) {
    for (size_t i = 0; i < coefficients->count; i++) {
        isocast_coefficient *c = &coefficients->items[i];
        if (is_taken(machine, c->name)) {
            isocast_reader_refuse(
                reader, c->span,
                "names state what numbers hold for: rename the parameter, or take "
                "sizes that are farther from each other",
                "two numbers have the name '%s'", c->name);
        }
        machine->parameters[machine->parameter_count++] =
            (isocast_parameter){.name = c->name,
                                .value = c->number.value,
                                .standard_error = c->number.error,
                                .dimension = c->number.dimension};
        c->name = NULL;
    }
}

/* Parameters from `first` on are the coefficients. */
static void add_correlations(const isocast_coefficients *coefficients, size_t first,
                             isocast_machine *machine) {
    size_t n = machine->parameter_count;
    for (size_t k = 0; k < coefficients->correlation_count; k++) {
        const isocast_correlation *c = &coefficients->correlations[k];
        size_t a = first + c->first;
        size_t b = first + c->second;
        double errors = sqrt(machine->covariance[a * n + a]) * sqrt(machine->covariance[b * n + b]);
        machine->covariance[a * n + b] = c->value * errors;
        machine->covariance[b * n + a] = c->value * errors;
    }
}

/* Makes parameters of the coefficients, with their covariance where one has an error. */
static void add_coefficients(isocast_reader *reader, isocast_coefficients *coefficients,
                             isocast_machine *machine) {
    size_t first = machine->parameter_count;
    size_t count = first + coefficients->count;
    if (coefficients->count == 0) {
        return;
    }
    if (count > ISOCAST_PARAMETERS_MAX) {
        isocast_reader_refuse(
            reader, coefficients->items[ISOCAST_PARAMETERS_MAX - first].span, "join some of them",
            "too many numbers: at most %d parameters and numbers of operations are taken, these "
            "are %zu",
            ISOCAST_PARAMETERS_MAX, count);
        return;
    }
    isocast_parameter *parameters =
        realloc(machine->parameters, count * sizeof *machine->parameters);
    if (parameters == NULL) {
        isocast_reader_fail(reader);
        return;
    }
    machine->parameters = parameters;
    memset(parameters + first, 0, coefficients->count * sizeof *parameters);
    add_parameters(reader, coefficients, machine);
    bool known = false;
    for (size_t i = first; i < count; i++) {
        known = known || !isnan(machine->parameters[i].standard_error);
    }
    if (known && isocast_machine_need_covariance(reader, machine)) {
        add_correlations(coefficients, first, machine);
    }
}

void isocast_machine_read_operations(isocast_reader *reader, const isocast_tree_node *root,
                                     isocast_machine *machine) {
    isocast_coefficients coefficients = {0};
    read_parameters(reader, root, machine);
    size_t named = machine->parameter_count;
    machine->operations =
        read_section(reader, root, "operations", &coefficients, &machine->operation_count);
    machine->compute =
        read_section(reader, root, "compute", &coefficients, &machine->compute_count);
    add_coefficients(reader, &coefficients, machine);
    /* The operations' numbers stand behind the parameters that have names in the file. */
    for (size_t i = 0; i < machine->operation_count; i++) {
        machine->operations[i].first_parameter += named;
    }
    for (size_t i = 0; i < machine->compute_count; i++) {
        machine->compute[i].first_parameter += named;
    }
    isocast_coefficients_free(&coefficients);
}

static bool all_parsed(const isocast_operation *operations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (operations[i].formula == NULL || operations[i].name == NULL) {
            return false;
        }
    }
    return true;
}

void isocast_machine_check_operations(isocast_reader *reader, const isocast_machine *machine) {
    if (!all_parsed(machine->operations, machine->operation_count) ||
        !all_parsed(machine->compute, machine->compute_count)) {
        return;
    }
    isocast_machine_scope *scope = NULL;
    isocast_check_memory *memory = NULL;
    isocast_status status = isocast_machine_scope_create(machine, NULL, 0, 0, &scope);
    if (status == ISOCAST_OK) {
        status = isocast_check_memory_create(&memory);
    }
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    for (size_t i = 0; status != ISOCAST_NO_MEMORY && i < machine->operation_count; i++) {
        const isocast_operation *operation = &machine->operations[i];
        isocast_formula_place place = {.what = operation->name, .dimension = time};
        isocast_dimension ignored;
        isocast_status one = isocast_formula_check_among(operation->formula, &scope->scope, &place,
                                                         memory, reader->diagnostics, &ignored);
        status = one != ISOCAST_OK ? one : status;
    }
    for (size_t i = 0; status != ISOCAST_NO_MEMORY && i < machine->compute_count; i++) {
        const isocast_operation *compute = &machine->compute[i];
        isocast_formula_place place = {
            .what = compute->name, .dimension = isocast_time_per_flop(), .also = &time};
        isocast_dimension ignored;
        isocast_status one = isocast_formula_check_among(compute->formula, &scope->scope, &place,
                                                         memory, reader->diagnostics, &ignored);
        status = one != ISOCAST_OK ? one : status;
    }
    isocast_check_memory_free(memory);
    isocast_machine_scope_free(scope);
    if (status != ISOCAST_OK) {
        reader->status = status;
    }
}
