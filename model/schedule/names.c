#include <stdlib.h>
#include <string.h>

#include "model/formula/function.h"
#include "model/formula/uses.h"
#include "run_state.h"

/* Marks the program's names that a formula needs, also by way of let: and look-ups. */
static void mark_uses(const isocast_schedule_names *names, size_t locals,
                      const isocast_formula_node *node, bool *uses) {
    const isocast_schedule *s = names->schedule;
    for (size_t i = 0; i < node->count; i++) {
        mark_uses(names, locals, node->arguments[i], uses);
    }
    size_t at = node->kind == ISOCAST_FORMULA_NAME
                    ? isocast_schedule_find_local(s, locals, node->name)
                    : ISOCAST_SCHEDULE_NONE;
    if (at == ISOCAST_SCHEDULE_NONE) {
        return;
    }
    uses[at] = true;
    if (s->locals[at].formula == ISOCAST_SCHEDULE_NONE) {
        return;
    }
    /* What it needs was marked before, as formulas that are used stand before those that use them.
     */
    const bool *needed = names->uses + s->locals[at].formula * s->local_count;
    for (size_t i = 0; i < s->local_count; i++) {
        uses[i] = uses[i] || needed[i];
    }
}

static isocast_status allocate(isocast_schedule_names *names) {
    const isocast_schedule *s = names->schedule;
    names->symbols = calloc(s->local_count + 1, sizeof *names->symbols);
    names->scopes = calloc(s->local_count + 1, sizeof *names->scopes);
    names->programs = calloc(s->formula_count + 1, sizeof(isocast_program *));
    names->uses = calloc(s->formula_count + 1, s->local_count + 1);
    names->dimensions = calloc(s->formula_count + 1, sizeof *names->dimensions);
    return names->dimensions == NULL || names->symbols == NULL || names->scopes == NULL ||
                   names->programs == NULL || names->uses == NULL
               ? ISOCAST_NO_MEMORY
               : ISOCAST_OK;
}

/* What is seen from a local outwards. */
static const isocast_scope *scope_from(const isocast_schedule_names *names, size_t local) {
    return local == ISOCAST_SCHEDULE_NONE ? &names->outside : &names->scopes[local];
}

static void fill_scopes(isocast_schedule_names *names, size_t first_column) {
    const isocast_schedule *s = names->schedule;
    for (size_t i = 0; i < s->local_count; i++) {
        const isocast_local *local = &s->locals[i];
        isocast_symbol *symbol = &names->symbols[i];
        bool is_let = local->kind == ISOCAST_LOCAL_LET;
        *symbol = (isocast_symbol){.name = local->name,
                                   .kind = is_let ? ISOCAST_SYMBOL_FORMULA : ISOCAST_SYMBOL_INPUT,
                                   .any_dimension = is_let,
                                   .index = first_column + i};
        if (is_let) {
            symbol->formula = s->formulas[local->formula].formula;
            symbol->scope = scope_from(names, s->formulas[local->formula].locals);
        }
        names->scopes[i] = (isocast_scope){
            .symbols = symbol, .count = 1, .outer = scope_from(names, local->outer)};
    }
}

/* The first name of an expression that has no meaning where the program runs; NULL: none. `running`
 * is the variable of the sum() around it. */
static const isocast_formula_node *unknown_in(const isocast_formula_node *node,
                                              const isocast_scope *scope, const char *running) {
    bool is_call = node->kind == ISOCAST_FORMULA_CALL;
    bool named = is_call || node->kind == ISOCAST_FORMULA_NAME;
    if (named && (running == NULL || strcmp(node->name, running) != 0) &&
        isocast_scope_find(scope, node->name) == NULL &&
        !(is_call && isocast_function_find(node->name) != NULL)) {
        return node;
    }
    bool is_sum = is_call && isocast_function_is_sum(node->name);
    const isocast_formula_node *found = NULL;
    for (size_t i = is_sum ? 1 : 0; i < node->count && found == NULL; i++) {
        bool is_term = is_sum && i == 3;
        found = unknown_in(node->arguments[i], scope, is_term ? node->arguments[0]->name : running);
    }
    return found;
}

/* Definitions are checked with a machine's names; those that steps use must do without. */
static isocast_status check_used(const isocast_schedule_names *names,
                                 isocast_diagnostics *diagnostics) {
    const isocast_schedule *s = names->schedule;
    isocast_uses uses = {0};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < s->formula_count && status == ISOCAST_OK; i++) {
        status =
            isocast_uses_follow(&uses, s->formulas[i].formula,
                                scope_from(names, s->formulas[i].locals), "a step", diagnostics);
    }
    for (size_t i = 0; i < uses.count && status == ISOCAST_OK; i++) {
        const isocast_use *use = &uses.items[i];
        const isocast_formula_node *unknown = unknown_in(use->formula->root, use->scope, NULL);
        if (unknown != NULL) {
            isocast_diagnostics_add(
                diagnostics, ISOCAST_ERROR, use->formula->source, unknown->span,
                "steps say what is done, and the machine file how long that takes",
                "a step of the program uses this formula, and '%s' is not known where it runs",
                unknown->name);
            status = ISOCAST_INVALID;
        }
    }
    isocast_uses_free(&uses);
    return status;
}

isocast_status isocast_schedule_names_bind(const isocast_schedule *schedule,
                                           const isocast_scope *scope, size_t first_column,
                                           bool compile, isocast_diagnostics *diagnostics,
                                           isocast_schedule_names *out) {
    *out = (isocast_schedule_names){.schedule = schedule, .outside = *scope};
    isocast_status status = allocate(out);
    if (status != ISOCAST_OK) {
        return status;
    }
    fill_scopes(out, first_column);
    for (size_t i = 0; i < schedule->formula_count && status != ISOCAST_NO_MEMORY; i++) {
        const isocast_schedule_formula *f = &schedule->formulas[i];
        const isocast_scope *seen = scope_from(out, f->locals);
        isocast_formula_place place = {
            .what = f->what, .dimension = f->dimension, .any_dimension = f->any_dimension};
        isocast_dimension ignored;
        isocast_status one = isocast_formula_check(f->formula, seen, &place, diagnostics, &ignored);
        if (one == ISOCAST_OK && compile) {
            one = isocast_program_compile(&(const isocast_formula *){f->formula}, 1, seen,
                                          diagnostics, &out->programs[i]);
        }
        /* Whether a unit was written at all. */
        place.any_dimension = true;
        if (one == ISOCAST_OK) {
            one = isocast_formula_check(f->formula, seen, &place, NULL, &out->dimensions[i]);
        }
        mark_uses(out, f->locals, f->formula->root, out->uses + i * schedule->local_count);
        status = one != ISOCAST_OK ? one : status;
    }
    return status == ISOCAST_OK ? check_used(out, diagnostics) : status;
}

void isocast_schedule_names_free(isocast_schedule_names *names) {
    for (size_t i = 0; names->programs != NULL && i < names->schedule->formula_count; i++) {
        isocast_program_free(names->programs[i]);
    }
    free(names->programs);
    free(names->symbols);
    free(names->dimensions);
    free(names->scopes);
    free(names->uses);
}
