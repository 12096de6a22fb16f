#include "formula_memo.h"

#include <stdlib.h>

enum { SIZE_FIRST = 64 };

typedef struct isocast_formula_memo_item {
    const isocast_formula *formula;
    isocast_series value;
} memo_item;

static memo_item *slot_of(const isocast_formula_memo *memo, const isocast_formula *formula) {
    size_t mask = memo->size - 1;
    size_t at = ((uintptr_t)formula / sizeof *formula * 2654435761U) & mask;
    while (memo->items[at].formula != NULL && memo->items[at].formula != formula) {
        at = (at + 1) & mask;
    }
    return &memo->items[at];
}

bool isocast_formula_memo_find(const isocast_formula_memo *memo, const isocast_formula *formula,
                               isocast_series *out) {
    if (memo->size == 0 || slot_of(memo, formula)->formula == NULL) {
        return false;
    }
    *out = slot_of(memo, formula)->value;
    return true;
}

static bool grow(isocast_formula_memo *memo) {
    if (2 * (memo->count + 1) <= memo->size) {
        return true;
    }
    isocast_formula_memo grown = {.size = memo->size == 0 ? SIZE_FIRST : 2 * memo->size};
    grown.items = calloc(grown.size, sizeof *grown.items);
    if (grown.items == NULL) {
        return false;
    }
    for (size_t i = 0; i < memo->size; i++) {
        if (memo->items[i].formula != NULL) {
            *slot_of(&grown, memo->items[i].formula) = memo->items[i];
        }
    }
    grown.count = memo->count;
    free(memo->items);
    *memo = grown;
    return true;
}

bool isocast_formula_memo_add(isocast_formula_memo *memo, const isocast_formula *formula,
                              isocast_series value) {
    if (!grow(memo)) {
        return false;
    }
    *slot_of(memo, formula) = (memo_item){formula, value};
    memo->count++;
    return true;
}

void isocast_formula_memo_free(isocast_formula_memo *memo) {
    free(memo->items);
    *memo = (isocast_formula_memo){0};
}
