#include "sources.h"

#include <math.h>
#include <string.h>

#include "model/spec/kernel_time.h"

const char *const isocast_source_words[] = {"formulas", "measured-operations",
                                            "simulated-operations", "simulated-schedule", NULL};

static bool is_timed(const isocast_operation *operation) {
    return !isnan(operation->p_max) || !isnan(operation->m_max) || operation->parameter_count > 0;
}

/* Definitions that are called by their names call in turn, as deep as they may be. */
enum { DEEP = 32 };

static bool calls_timed(const isocast_model *model, const isocast_formula_node *node, int depth);

static bool leads_to_timed(const isocast_model *model, const char *name, bool call, int depth) {
    const isocast_machine *machine = isocast_model_machine(model);
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    for (size_t i = 0; call && i < machine->operation_count; i++) {
        if (strcmp(machine->operations[i].name, name) == 0) {
            return is_timed(&machine->operations[i]) || machine->simulated || machine->calibrated;
        }
    }
    for (size_t i = 0; !call && i < algorithm->definition_count && depth < DEEP; i++) {
        if (strcmp(algorithm->definitions[i].name, name) == 0) {
            return calls_timed(model, algorithm->definitions[i].formula->root, depth + 1);
        }
    }
    return false;
}

static bool calls_timed(const isocast_model *model, const isocast_formula_node *node, int depth) {
    bool call = node->kind == ISOCAST_FORMULA_CALL;
    bool found = (call || node->kind == ISOCAST_FORMULA_NAME) &&
                 leads_to_timed(model, node->name, call, depth);
    for (size_t i = 0; i < node->count && !found; i++) {
        found = calls_timed(model, node->arguments[i], depth);
    }
    return found;
}

isocast_source_of_time isocast_source_of_part(const isocast_model *model, size_t part) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    const isocast_machine *machine = isocast_model_machine(model);
    bool timed = false;
    if (part > 0 && part - 1 == isocast_model_correction(model)) {
        return ISOCAST_TIME_EXECUTED;
    }
    if (part > 0) {
        timed = calls_timed(model, algorithm->overhead[part - 1].formula->root, 0);
    } else {
        timed = isocast_kernel_time_find(algorithm, machine) != NULL ||
                (algorithm->compute != NULL && calls_timed(model, algorithm->compute->root, 0));
    }
    return !timed               ? ISOCAST_TIME_BY_FORMULAS
           : machine->simulated ? ISOCAST_TIME_SIMULATED
                                : ISOCAST_TIME_MEASURED;
}
