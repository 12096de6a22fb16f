#include "operation_calls.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/formula/function.h"

/* Conditions that are kept on the way to a call; what stands deeper counts as met. */
enum { GUARDS_MAX = 16 };

/* A formula that was walked: a second way to it is walked as if nothing stood before it, a third
 * one not at all, so that chains of definitions take no more than their number. */
typedef struct visit {
    const isocast_formula *formula;
    size_t processes, share;
    bool unguarded;
} visit;

/* Where a node stands. */
typedef struct place {
    const isocast_formula *formula;
    const isocast_scope *scope;
    size_t processes; /* of the operation around */
    size_t share;     /* of them on a node */
    bool inside;      /* a sum, a reduction or an operation, whose names mean nothing outside */
    bool whole;       /* the algorithm, or an operation that is called on the whole system */
} place;

/* A formula that is still to be walked, with what stands before it. Formulas wait in a list, as a
 * chain of definitions may be longer than a stack is deep. */
typedef struct pending {
    place at;
    isocast_operation_call_guard guards[GUARDS_MAX]; /* [depth] */
    size_t depth;
} pending;

typedef struct walker {
    const isocast_machine *machine;
    const isocast_scope *algorithm;
    isocast_operation_calls found;
    visit *visits; /* [visit_count] */
    size_t visit_count, visit_room;
    pending *waiting; /* [waiting_count] */
    size_t waiting_count, waiting_room;
    isocast_operation_call_guard guards[GUARDS_MAX]; /* [depth], on the way here */
    size_t depth;
    bool failed;
} walker;

static void walk(walker *w, place at, const isocast_formula_node *node);

static bool make_room(walker *w, void **items, size_t count, size_t *room, size_t size) {
    bool made = isocast_array_grow(items, count, room, size);
    w->failed = w->failed || !made;
    return made;
}

/* Takes a part of a formula as one of its own; gives its index. */
static size_t add_formula(walker *w, place at, const isocast_formula_node *node) {
    isocast_operation_calls *f = &w->found;
    if (!make_room(w, (void **)&f->formulas, f->formula_count, &f->formula_room,
                   sizeof *f->formulas)) {
        return ISOCAST_OPERATION_CALLS_SYSTEM;
    }
    f->formulas[f->formula_count] = (isocast_formula){
        .source = at.formula->source, .span = node->span, .root = (isocast_formula_node *)node};
    return f->formula_count++;
}

static void add_guards(walker *w) {
    isocast_operation_calls *f = &w->found;
    for (size_t i = 0; i < w->depth; i++) {
        if (make_room(w, (void **)&f->guards, f->guard_count, &f->guard_room, sizeof *f->guards)) {
            f->guards[f->guard_count++] = w->guards[i];
        }
    }
}

static void add_call(walker *w, size_t operation, const place *body) {
    isocast_operation_calls *f = &w->found;
    if (!make_room(w, (void **)&f->calls, f->call_count, &f->call_room, sizeof *f->calls)) {
        return;
    }
    f->calls[f->call_count++] = (isocast_operation_call){.operation = operation,
                                                         .processes = body->processes,
                                                         .share = body->share,
                                                         .first_guard = f->guard_count,
                                                         .guard_count = w->depth};
    add_guards(w);
}

static void add_number(walker *w, size_t output, bool is_count) {
    isocast_operation_calls *f = &w->found;
    if (make_room(w, (void **)&f->numbers, f->number_count, &f->number_room, sizeof *f->numbers)) {
        f->numbers[f->number_count++] = (isocast_operation_number){.output = output,
                                                                   .is_count = is_count,
                                                                   .first_guard = f->guard_count,
                                                                   .guard_count = w->depth};
        add_guards(w);
    }
}

/* Whether a formula is still to be walked; forgets the conditions on a second way to it. */
static bool is_due(walker *w, const place *at) {
    for (size_t i = 0; i < w->visit_count; i++) {
        visit *known = &w->visits[i];
        if (known->formula == at->formula && known->processes == at->processes &&
            known->share == at->share) {
            bool due = !known->unguarded;
            known->unguarded = true;
            w->depth = due ? 0 : w->depth;
            return due;
        }
    }
    if (make_room(w, (void **)&w->visits, w->visit_count, &w->visit_room, sizeof *w->visits)) {
        w->visits[w->visit_count++] = (visit){at->formula, at->processes, at->share, w->depth == 0};
    }
    return !w->failed;
}

/* Lets a formula wait to be walked. */
static void walk_formula(walker *w, place at) {
    if (make_room(w, (void **)&w->waiting, w->waiting_count, &w->waiting_room,
                  sizeof *w->waiting)) {
        pending *next = &w->waiting[w->waiting_count++];
        next->at = at;
        next->depth = w->depth;
        memcpy(next->guards, w->guards, w->depth * sizeof *w->guards);
    }
}

static void walk_arguments(walker *w, place at, const isocast_formula_node *node) {
    for (size_t i = 0; i < node->count && !w->failed; i++) {
        walk(w, at, node->arguments[i]);
    }
}

static void walk_branch(walker *w, place at, size_t condition, bool holds,
                        const isocast_formula_node *node) {
    bool noted = w->depth < GUARDS_MAX;
    if (noted) {
        w->guards[w->depth++] = (isocast_operation_call_guard){condition, holds};
    }
    walk(w, at, node);
    w->depth -= noted;
}

/* Whether a name in an operation's formula, or in a sum, means the same outside: a definition or an
 * input of the algorithm, or the system's own p, nodes and p_node where the operation is called on
 * the whole system. */
static bool is_name_of_system(const walker *w, const place *at, const char *name) {
    const isocast_symbol *here = isocast_scope_find(at->scope, name);
    const isocast_symbol *outside = isocast_scope_find(w->algorithm, name);
    if (here == NULL || outside == NULL) {
        return false;
    }
    if (here->kind == ISOCAST_SYMBOL_FORMULA) {
        return here->scope == w->algorithm;
    }
    if (here == outside && here->kind == ISOCAST_SYMBOL_INPUT) {
        return true;
    }
    if (!at->whole || outside->kind != ISOCAST_SYMBOL_INPUT) {
        return false;
    }
    if (here->kind == ISOCAST_SYMBOL_ARGUMENT) {
        return strcmp(name, "p") == 0;
    }
    return (here->kind == ISOCAST_SYMBOL_NODES || here->kind == ISOCAST_SYMBOL_NODE_SHARE) &&
           here->index == outside->index;
}

/* Whether a part of an operation's formula means the same outside. */
static bool is_of_system(const walker *w, const place *at, const isocast_formula_node *node) {
    if (node->kind == ISOCAST_FORMULA_NAME) {
        return is_name_of_system(w, at, node->name);
    }
    bool holds = node->kind != ISOCAST_FORMULA_CALL || isocast_function_find(node->name) != NULL;
    for (size_t i = 0; i < node->count && holds; i++) {
        holds = is_of_system(w, at, node->arguments[i]);
    }
    return holds;
}

static void walk_if(walker *w, place at, const isocast_formula_node *node) {
    bool known = node->count == 3 && (!at.inside || is_of_system(w, &at, node->arguments[0]));
    if (!known) {
        walk_arguments(w, at, node);
        return;
    }
    walk(w, at, node->arguments[0]);
    size_t condition = add_formula(w, at, node->arguments[0]);
    if (!w->failed) {
        walk_branch(w, at, condition, true, node->arguments[1]);
        walk_branch(w, at, condition, false, node->arguments[2]);
    }
}

/* Whether a part of a formula calls an operation itself. */
static bool has_operation(const isocast_formula_node *node) {
    bool has = node->kind == ISOCAST_FORMULA_CALL && isocast_function_find(node->name) == NULL;
    for (size_t i = 0; i < node->count && !has; i++) {
        has = has_operation(node->arguments[i]);
    }
    return has;
}

/* Whether a part of a formula has a name, and so is no plain number. */
static bool has_name(const isocast_formula_node *node) {
    bool has = node->kind == ISOCAST_FORMULA_NAME;
    for (size_t i = 0; i < node->count && !has; i++) {
        has = has_name(node->arguments[i]);
    }
    return has;
}

/* A count times a call: nothing is called 0 times. */
static void walk_product(walker *w, place at, const isocast_formula_node *node) {
    bool first = has_operation(node->arguments[0]);
    const isocast_formula_node *call = node->arguments[first ? 0 : 1];
    const isocast_formula_node *count = node->arguments[first ? 1 : 0];
    if (at.inside || has_operation(count) || !has_operation(call)) {
        walk_arguments(w, at, node);
        return;
    }
    walk(w, at, count);
    size_t condition = add_formula(w, at, count);
    if (!w->failed) {
        bool is_call = call->kind == ISOCAST_FORMULA_CALL && has_name(count) &&
                       isocast_function_find(call->name) == NULL;
        if (is_call) {
            add_number(w, condition, true);
        }
        walk_branch(w, at, condition, true, call);
    }
}

static void walk_operation(walker *w, place at, const isocast_formula_node *node) {
    walk_arguments(w, at, node);
    if (node->count > 0 && !at.inside && has_name(node->arguments[0])) {
        size_t size = add_formula(w, at, node->arguments[0]);
        if (!w->failed) {
            add_number(w, size, false);
        }
    }
    const isocast_symbol *symbol = isocast_scope_find(at.scope, node->name);
    if (symbol == NULL || symbol->formula == NULL) {
        return;
    }
    place body = {.formula = symbol->formula,
                  .scope = symbol->scope,
                  .processes = at.processes,
                  .share = at.share,
                  .inside = true,
                  .whole = node->count <= 1 && at.whole};
    if (node->count > 1 && (!at.inside || is_of_system(w, &at, node->arguments[1]))) {
        body.processes = add_formula(w, at, node->arguments[1]);
    }
    if (node->count > 2 && (!at.inside || is_of_system(w, &at, node->arguments[2]))) {
        body.share = add_formula(w, at, node->arguments[2]);
    }
    for (size_t i = 0; i < w->machine->operation_count; i++) {
        if (w->machine->operations[i].formula == symbol->formula) {
            add_call(w, i, &body);
        }
    }
    walk_formula(w, body);
}

static void walk_call(walker *w, place at, const isocast_formula_node *node) {
    const isocast_function *function = isocast_function_find(node->name);
    if (function == NULL) {
        walk_operation(w, at, node);
        return;
    }
    switch (function->id) {
    case ISOCAST_FUNCTION_IF:
        walk_if(w, at, node);
        return;
    case ISOCAST_FUNCTION_SUM:
    case ISOCAST_FUNCTION_SUM_CLASS:
    case ISOCAST_FUNCTION_MAX_CLASS:
    case ISOCAST_FUNCTION_MIN_CLASS:
        at.inside = true;
        break;
    default:
        break;
    }
    walk_arguments(w, at, node);
}

static void walk(walker *w, place at, const isocast_formula_node *node) {
    if (w->failed) {
        return;
    }
    if (node->kind == ISOCAST_FORMULA_CALL) {
        walk_call(w, at, node);
    } else if (node->kind == ISOCAST_FORMULA_MULTIPLY) {
        walk_product(w, at, node);
    } else if (node->kind == ISOCAST_FORMULA_NAME) {
        const isocast_symbol *symbol = isocast_scope_find(at.scope, node->name);
        if (symbol != NULL && symbol->kind == ISOCAST_SYMBOL_FORMULA && symbol->formula != NULL) {
            /* A definition sees the algorithm's names alone, a kernel's time per flop its own. */
            bool own = symbol->scope == w->algorithm;
            walk_formula(w, (place){.formula = symbol->formula,
                                    .scope = symbol->scope,
                                    .processes = ISOCAST_OPERATION_CALLS_SYSTEM,
                                    .share = ISOCAST_OPERATION_CALLS_SYSTEM,
                                    .inside = !own,
                                    .whole = own});
        }
    } else {
        walk_arguments(w, at, node);
    }
}

static void walk_waiting(walker *w) {
    while (w->waiting_count > 0 && !w->failed) {
        const pending *next = &w->waiting[--w->waiting_count];
        place at = next->at;
        w->depth = next->depth;
        memcpy(w->guards, next->guards, next->depth * sizeof *w->guards);
        if (is_due(w, &at)) {
            walk(w, at, at.formula->root);
        }
    }
}

isocast_status isocast_operation_calls_find(const isocast_binding *names,
                                            const isocast_algorithm *algorithm,
                                            const isocast_machine *machine,
                                            isocast_operation_calls *out) {
    walker *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    w->machine = machine;
    w->algorithm = isocast_binding_scope(names);
    place at = {.formula = isocast_binding_compute(names),
                .scope = isocast_binding_scope(names),
                .processes = ISOCAST_OPERATION_CALLS_SYSTEM,
                .share = ISOCAST_OPERATION_CALLS_SYSTEM,
                .whole = true};
    walk_formula(w, at);
    for (size_t i = 0; i < algorithm->overhead_count && !w->failed; i++) {
        at.formula = algorithm->overhead[i].formula;
        walk_formula(w, at);
    }
    for (size_t i = 0; i < algorithm->uncertain_count && !w->failed; i++) {
        at.formula = algorithm->uncertain[i].formula;
        walk_formula(w, at);
    }
    walk_waiting(w);
    if (algorithm->traffic != NULL && !w->failed) {
        at.formula = algorithm->traffic;
        add_number(w, add_formula(w, at, algorithm->traffic->root), false);
    }
    free(w->visits);
    free(w->waiting);
    *out = w->found;
    bool failed = w->failed;
    free(w);
    if (failed) {
        isocast_operation_calls_free(out);
        return ISOCAST_NO_MEMORY;
    }
    return ISOCAST_OK;
}

void isocast_operation_calls_free(isocast_operation_calls *calls) {
    free(calls->calls);
    free(calls->numbers);
    free(calls->guards);
    free(calls->formulas);
    *calls = (isocast_operation_calls){0};
}
