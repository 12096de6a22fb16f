#include "uses.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "model/base/array.h"

/* A name or call in a formula that stands for another formula. */
typedef struct reference {
    const isocast_symbol *symbol;
    isocast_span span;
} reference;

/* A formula on the way from the one asked for. */
typedef struct step {
    size_t item;
    const char *name;
    size_t first; /* of its references, on the walk's stack */
    size_t next;
    size_t end;
} step;

typedef struct walk {
    isocast_uses *uses;
    isocast_diagnostics *diagnostics;
    reference *references; /* [reference_count], of all steps */
    size_t reference_count, reference_capacity;
    step *steps; /* [step_count] */
    size_t step_count, step_capacity;
    isocast_status status;
} walk;

/* A running variable of sum(), which hides names. */
typedef struct running {
    const char *name;
    const struct running *outer;
} running;

enum { TABLE_FIRST = 16, NAMES_REPORTED = 12 /* of a circle */ };

static size_t slot_of(const isocast_uses *uses, const isocast_formula *formula) {
    size_t mask = uses->table_size - 1;
    size_t at = ((uintptr_t)formula / sizeof *formula * 2654435761U) & mask;
    while (uses->table[at] != 0 && uses->items[uses->table[at] - 1].formula != formula) {
        at = (at + 1) & mask;
    }
    return at;
}

size_t isocast_uses_find(const isocast_uses *uses, const isocast_formula *formula) {
    if (uses->table_size == 0) {
        return uses->count;
    }
    size_t slot = uses->table[slot_of(uses, formula)];
    return slot != 0 ? slot - 1 : uses->count;
}

static bool table_grow(isocast_uses *uses) {
    if (2 * (uses->count + 1) <= uses->table_size) {
        return true;
    }
    size_t size = uses->table_size == 0 ? TABLE_FIRST : 2 * uses->table_size;
    size_t *table = calloc(size, sizeof *table);
    if (table == NULL) {
        return false;
    }
    free(uses->table);
    uses->table = table;
    uses->table_size = size;
    for (size_t i = 0; i < uses->count; i++) {
        uses->table[slot_of(uses, uses->items[i].formula)] = i + 1;
    }
    return true;
}

static bool is_running(const running *innermost, const char *name) {
    for (const running *r = innermost; r != NULL; r = r->outer) {
        if (strcmp(r->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void note(walk *w, const isocast_scope *scope, const isocast_formula_node *node) {
    const isocast_symbol *symbol = isocast_scope_find(scope, node->name);
    isocast_symbol_kind due =
        node->kind == ISOCAST_FORMULA_NAME ? ISOCAST_SYMBOL_FORMULA : ISOCAST_SYMBOL_OPERATION;
    if (symbol == NULL || symbol->kind != due || symbol->formula == NULL) {
        return;
    }
    if (!isocast_array_grow((void **)&w->references, w->reference_count, &w->reference_capacity,
                            sizeof *w->references)) {
        w->status = ISOCAST_NO_MEMORY;
        return;
    }
    w->references[w->reference_count++] = (reference){symbol, node->name_span};
}

/* Notes what a formula refers to; its depth bounds the recursion. */
static void gather(walk *w, const isocast_scope *scope, const running *inside,
                   const isocast_formula_node *node) {
    const isocast_function *function =
        node->kind == ISOCAST_FORMULA_CALL ? isocast_function_find(node->name) : NULL;
    if ((node->kind == ISOCAST_FORMULA_NAME && !is_running(inside, node->name)) ||
        (node->kind == ISOCAST_FORMULA_CALL && function == NULL)) {
        note(w, scope, node);
    }
    bool is_sum = function != NULL && function->id == ISOCAST_FUNCTION_SUM && node->count > 0 &&
                  node->arguments[0]->kind == ISOCAST_FORMULA_NAME;
    running inner = {is_sum ? node->arguments[0]->name : "", inside};
    for (size_t i = is_sum ? 1 : 0; i < node->count; i++) {
        gather(w, scope, is_sum && i == 3 ? &inner : inside, node->arguments[i]);
    }
}

/* Goes one formula further. */
static void enter(walk *w, isocast_use use, const char *name) {
    isocast_uses *uses = w->uses;
    if (!table_grow(uses) ||
        !isocast_array_grow((void **)&uses->items, uses->count, &uses->capacity,
                            sizeof *uses->items) ||
        !isocast_array_grow((void **)&uses->order, uses->count, &uses->order_capacity,
                            sizeof *uses->order) ||
        !isocast_array_grow((void **)&w->steps, w->step_count, &w->step_capacity,
                            sizeof *w->steps)) {
        w->status = ISOCAST_NO_MEMORY;
        return;
    }
    uses->table[slot_of(uses, use.formula)] = uses->count + 1;
    uses->items[uses->count++] = use;
    size_t first = w->reference_count;
    gather(w, use.scope, NULL, use.formula->root);
    w->steps[w->step_count++] = (step){uses->count - 1, name, first, first, w->reference_count};
}

static void leave(walk *w) {
    step last = w->steps[--w->step_count];
    w->reference_count = last.first;
    w->uses->items[last.item].finished = true;
    w->uses->order[w->uses->ordered++] = last.item;
}

static const isocast_formula *formula_at(const walk *w, size_t position) {
    return w->uses->items[w->steps[position].item].formula;
}

/* Speaks of a circle, the steps from `first` on, at the reference that closes it on the formula
 * that comes first in its file. */
static void report_cycle(walk *w, size_t first, const char *closing) {
    w->status = w->status == ISOCAST_OK ? ISOCAST_INVALID : w->status;
    size_t length = w->step_count - first;
    size_t head = 0;
    for (size_t i = 1; i < length; i++) {
        const isocast_formula *here = formula_at(w, first + i);
        const isocast_formula *known = formula_at(w, first + head);
        if (here->source == known->source && here->span.begin < known->span.begin) {
            head = i;
        }
    }
    isocast_buffer chain = {0};
    for (size_t i = 0; i < length; i++) {
        if (length > NAMES_REPORTED && i == NAMES_REPORTED / 2) {
            isocast_buffer_printf(&chain, "%zu others -> ", length - NAMES_REPORTED);
            i = length - NAMES_REPORTED / 2;
        }
        size_t at = (head + i) % length;
        isocast_buffer_printf(&chain, "%s -> ", at == 0 ? closing : w->steps[first + at].name);
    }
    isocast_buffer_puts(&chain, head == 0 ? closing : w->steps[first + head].name);
    size_t last = first + (head == 0 ? length : head) - 1;
    isocast_diagnostics_rely(w->diagnostics, &chain);
    isocast_diagnostics_add(w->diagnostics, ISOCAST_ERROR, formula_at(w, last)->source,
                            w->references[w->steps[last].next - 1].span,
                            "change one of them so that it does not use the others",
                            "these formulas use each other in a circle: %s",
                            chain.text != NULL ? chain.text : "");
    isocast_buffer_free(&chain);
}

static void follow_reference(walk *w, const reference *to) {
    size_t item = isocast_uses_find(w->uses, to->symbol->formula);
    if (item == w->uses->count) {
        enter(w, (isocast_use){to->symbol->formula, to->symbol->scope, to->symbol, false},
              to->symbol->name);
        return;
    }
    if (w->uses->items[item].finished) {
        return;
    }
    size_t first = w->step_count;
    while (w->steps[first - 1].item != item) {
        first--;
    }
    report_cycle(w, first - 1, to->symbol->name);
}

isocast_status isocast_uses_follow(isocast_uses *uses, const isocast_formula *formula,
                                   const isocast_scope *scope, const char *what,
                                   isocast_diagnostics *diagnostics) {
    if (isocast_uses_find(uses, formula) < uses->count) {
        return ISOCAST_OK;
    }
    isocast_diagnostics unheard = {0};
    walk w = {.uses = uses,
              .diagnostics = diagnostics != NULL ? diagnostics : &unheard,
              .status = ISOCAST_OK};
    enter(&w, (isocast_use){formula, scope, NULL, false}, what);
    while (w.step_count > 0 && w.status != ISOCAST_NO_MEMORY) {
        step *last = &w.steps[w.step_count - 1];
        if (last->next == last->end) {
            leave(&w);
        } else {
            reference to = w.references[last->next++];
            follow_reference(&w, &to);
        }
    }
    free(w.references);
    free(w.steps);
    isocast_diagnostics_clear(&unheard);
    return w.status;
}

void isocast_uses_free(isocast_uses *uses) {
    free(uses->items);
    free(uses->order);
    free(uses->table);
    *uses = (isocast_uses){0};
}
