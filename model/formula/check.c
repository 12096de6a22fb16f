#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "infer.h"
#include "model/base/describe.h"

struct isocast_check_memory {
    isocast_types types;
    size_t inferred; /* formulas of types.uses.order, from the first on, that were looked at */
};

static void free_types(isocast_types *types) {
    isocast_uses_free(&types->uses);
    free(types->types);
    free(types->known);
}

isocast_status isocast_check_memory_create(isocast_check_memory **out) {
    isocast_check_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *out = memory;
    return ISOCAST_OK;
}

void isocast_check_memory_free(isocast_check_memory *memory) {
    if (memory != NULL) {
        free_types(&memory->types);
        free(memory);
    }
}

static bool reserve_types(isocast_types *m) {
    if (m->uses.count <= m->capacity) {
        return true;
    }
    size_t capacity = 2 * m->uses.count;
    isocast_type *types = realloc(m->types, capacity * sizeof *types);
    if (types == NULL) {
        return false;
    }
    m->types = types;
    bool *known = realloc(m->known, capacity * sizeof *known);
    if (known == NULL) {
        return false;
    }
    m->known = known;
    memset(known + m->capacity, 0, capacity - m->capacity);
    m->capacity = capacity;
    return true;
}

/* Types of all that a formula uses, the used ones first, so that no type waits for another. */
static isocast_status infer_used(isocast_check_memory *m) {
    isocast_types *types = &m->types;
    if (!reserve_types(types)) {
        return ISOCAST_NO_MEMORY;
    }
    for (; m->inferred < types->uses.ordered; m->inferred++) {
        size_t item = types->uses.order[m->inferred];
        const isocast_use *use = &types->uses.items[item];
        isocast_status status = ISOCAST_OK;
        types->types[item] = isocast_formula_infer(use->formula, use->scope, types, NULL, &status);
        types->known[item] = true;
        if (status == ISOCAST_NO_MEMORY) {
            return status;
        }
    }
    return ISOCAST_OK;
}

isocast_status
isocast_formula_check_among(const isocast_formula *formula, const isocast_scope *scope,
                            const isocast_formula_place *place, isocast_check_memory *memory,
                            isocast_diagnostics *diagnostics, isocast_dimension *out) {
    isocast_status status =
        isocast_uses_follow(&memory->types.uses, formula, scope, place->what, diagnostics);
    isocast_status used = status != ISOCAST_NO_MEMORY ? infer_used(memory) : status;
    if (used != ISOCAST_OK) {
        return used;
    }
    isocast_type t = isocast_formula_infer(formula, scope, &memory->types, diagnostics, &status);
    bool due = place->any_dimension || t.plain || isocast_type_fits(t, place->dimension) ||
               (place->also != NULL && isocast_type_fits(t, *place->also));
    if (!due) {
        status = status == ISOCAST_OK ? ISOCAST_INVALID : status;
        if (diagnostics != NULL) {
            isocast_description wanted = isocast_describe(place->dimension);
            isocast_description is = isocast_describe(t.dimension);
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, formula->source,
                                    formula->root->span,
                                    isocast_describe_remedy(place->dimension, t.dimension),
                                    "%s must be %s, this is %s", place->what, wanted.text, is.text);
        }
    }
    if (status == ISOCAST_OK) {
        *out = place->any_dimension ? t.dimension : place->dimension;
    }
    return status;
}

isocast_status isocast_formula_check(const isocast_formula *formula, const isocast_scope *scope,
                                     const isocast_formula_place *place,
                                     isocast_diagnostics *diagnostics, isocast_dimension *out) {
    isocast_check_memory memory = {0};
    isocast_status status =
        isocast_formula_check_among(formula, scope, place, &memory, diagnostics, out);
    free_types(&memory.types);
    return status;
}
