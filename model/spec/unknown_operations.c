#include "unknown_operations.h"

#include <string.h>

#include "model/base/known_operation.h"
#include "model/base/nearest.h"

typedef struct search {
    const isocast_algorithm *algorithm;
    const isocast_machine *const *machines; /* [count], some NULL */
    size_t count;
    const isocast_source *source; /* of the formula that is looked through */
    isocast_diagnostics *diagnostics;
} search;

static bool is_known(const search *s, const char *name) {
    bool known = isocast_known_operation_find(name) != NULL;
    for (size_t i = 0; i < s->algorithm->operation_count && !known; i++) {
        known = strcmp(s->algorithm->operations[i].name, name) == 0;
    }
    for (size_t k = 0; k < s->count; k++) {
        for (size_t i = 0; s->machines[k] != NULL && i < s->machines[k]->operation_count; i++) {
            known = known || strcmp(s->machines[k]->operations[i].name, name) == 0;
        }
    }
    return known;
}

static void warn(const search *s, const isocast_formula_node *node) {
    const char *names[ISOCAST_KNOWN_OPERATIONS];
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        names[i] = isocast_known_operations[i].name;
    }
    isocast_buffer hint = {0};
    if (!isocast_nearest_append(&hint, node->name, names, ISOCAST_KNOWN_OPERATIONS)) {
        isocast_buffer_puts(&hint,
                            "give its time under 'operations:' here or in the machine file; "
                            "docs/reference/specifications.md lists the operations that isocast "
                            "knows");
    }
    isocast_diagnostics_rely(s->diagnostics, &hint);
    isocast_diagnostics_add(s->diagnostics, ISOCAST_WARNING, s->source, node->name_span, hint.text,
                            "isocast knows no operation '%s'", node->name);
    isocast_buffer_free(&hint);
}

static bool calls(const isocast_formula_node *node, const char *name) {
    bool found = node->kind == ISOCAST_FORMULA_CALL && strcmp(node->name, name) == 0;
    for (size_t i = 0; i < node->count && !found; i++) {
        found = calls(node->arguments[i], name);
    }
    return found;
}

static bool formula_calls(const isocast_formula *formula, const char *name) {
    return formula != NULL && calls(formula->root, name);
}

/* Whether a formula calls it that is none of an operation. */
static bool calls_but_operations(const isocast_algorithm *a, const char *name) {
    bool found = formula_calls(a->compute, name);
    for (size_t i = 0; i < a->definition_count && !found; i++) {
        found = formula_calls(a->definitions[i].formula, name);
    }
    for (size_t i = 0; i < a->overhead_count && !found; i++) {
        found = formula_calls(a->overhead[i].formula, name);
    }
    return found;
}

bool isocast_algorithm_calls(const isocast_algorithm *a, const char *name) {
    bool found = calls_but_operations(a, name);
    for (size_t i = 0; i < a->operation_count && !found; i++) {
        found = formula_calls(a->operations[i].formula, name);
    }
    return found;
}

bool isocast_algorithm_needs(const isocast_algorithm *a, const char *name, const bool *used) {
    bool by_others = false;
    bool needs = false;
    for (size_t i = 0; i < a->operation_count; i++) {
        bool calls = formula_calls(a->operations[i].formula, name);
        by_others = by_others || calls;
        needs = needs || (calls && used[i]);
    }
    return needs || !by_others || calls_but_operations(a, name);
}

static void warn_of_unused(const isocast_algorithm *a, isocast_diagnostics *diagnostics) {
    for (size_t i = 0; i < a->operation_count; i++) {
        const isocast_formula *formula = a->operations[i].formula;
        if (formula != NULL && !isocast_algorithm_calls(a, a->operations[i].name)) {
            isocast_diagnostics_add(diagnostics, ISOCAST_WARNING, formula->source,
                                    formula->root->span,
                                    "a formula calls it by exactly the name under 'operations:'",
                                    "no formula of this file calls '%s'", a->operations[i].name);
        }
    }
}

static void look_through(const search *s, const isocast_formula_node *node) {
    if (node->kind == ISOCAST_FORMULA_CALL && isocast_operation_is_name(node->name) &&
        !is_known(s, node->name)) {
        warn(s, node);
    }
    for (size_t i = 0; i < node->count; i++) {
        look_through(s, node->arguments[i]);
    }
}

static void look_through_formula(search *s, const isocast_formula *formula) {
    if (formula != NULL) {
        s->source = formula->source;
        look_through(s, formula->root);
    }
}

void isocast_algorithm_warn_operations(const isocast_algorithm *algorithm,
                                       const isocast_machine *const *machines, size_t count,
                                       isocast_diagnostics *diagnostics) {
    search s = {
        .algorithm = algorithm, .machines = machines, .count = count, .diagnostics = diagnostics};
    look_through_formula(&s, algorithm->compute);
    for (size_t i = 0; i < algorithm->definition_count; i++) {
        look_through_formula(&s, algorithm->definitions[i].formula);
    }
    for (size_t i = 0; i < algorithm->overhead_count; i++) {
        look_through_formula(&s, algorithm->overhead[i].formula);
    }
    for (size_t i = 0; i < algorithm->operation_count; i++) {
        look_through_formula(&s, algorithm->operations[i].formula);
    }
    warn_of_unused(algorithm, diagnostics);
}
