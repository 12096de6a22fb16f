#include "usage.h"

#include <stdlib.h>
#include <string.h>

/* A formula and the scope that its names are read in. */
typedef struct item {
    const isocast_formula *formula;
    const isocast_scope *scope;
} item;

/* Formulas that were met, each once: a list that is walked while it grows, so that neither deep
 * chains nor definitions that double at each step take more than their number. */
typedef struct met {
    item *items; /* [count] */
    size_t count;
    bool failed;
} met;

static void meet(met *m, const isocast_formula *formula, const isocast_scope *scope) {
    for (size_t i = 0; i < m->count; i++) {
        if (m->items[i].formula == formula && m->items[i].scope == scope) {
            return;
        }
    }
    if (formula == NULL || m->failed) {
        return;
    }
    item *items = realloc(m->items, (m->count + 1) * sizeof *items);
    if (items == NULL) {
        m->failed = true;
        return;
    }
    m->items = items;
    items[m->count++] = (item){formula, scope};
}

static void meet_names(met *m, const isocast_formula_node *node, const isocast_scope *scope) {
    if (node->name != NULL) {
        const isocast_symbol *symbol = isocast_scope_find(scope, node->name);
        if (symbol != NULL && symbol->formula != NULL) {
            meet(m, symbol->formula, symbol->scope);
        }
    }
    for (size_t i = 0; i < node->count; i++) {
        meet_names(m, node->arguments[i], scope);
    }
}

isocast_status isocast_usage_find(const isocast_name_table *names,
                                  const isocast_algorithm *algorithm,
                                  const isocast_machine *machine, bool *used) {
    const isocast_scope *scope = isocast_name_table_scope(names);
    met m = {0};
    meet(&m, algorithm->work, scope);
    meet(&m, isocast_name_table_compute(names), scope);
    for (size_t i = 0; i < algorithm->overhead_count; i++) {
        meet(&m, algorithm->overhead[i].formula, scope);
    }
    for (size_t i = 0; i < m.count; i++) {
        item at = m.items[i];
        meet_names(&m, at.formula->root, at.scope);
    }
    for (size_t i = 0; !m.failed && i < machine->operation_count; i++) {
        used[i] = false;
        for (size_t k = 0; k < m.count; k++) {
            used[i] = used[i] || m.items[k].formula == machine->operations[i].formula;
        }
    }
    free(m.items);
    return m.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}
