#include "derived.h"

#include <stdlib.h>

bool isocast_derived_site_is_exact(const isocast_derived_site *site) {
    return site->calls.exact && (site->calls.term_count == 0 || site->size.exact);
}

bool isocast_derived_site_is_further_part(const isocast_derived *derived, size_t site) {
    for (size_t s = 0; s < site; s++) {
        if (isocast_site_key_same_place(&derived->sites[s].key, &derived->sites[site].key)) {
            return true;
        }
    }
    return false;
}

bool isocast_derived_place_is_exact(const isocast_derived *derived, size_t site) {
    bool exact = true;
    for (size_t s = 0; s < derived->site_count; s++) {
        exact = exact &&
                (isocast_derived_site_is_exact(&derived->sites[s]) ||
                 !isocast_site_key_same_place(&derived->sites[s].key, &derived->sites[site].key));
    }
    return exact;
}

isocast_favoured_side isocast_derived_site_favours(const isocast_derived_site *site) {
    isocast_record_class kind = isocast_record_operation_find(site->key.operation)->kind;
    bool no_neighbours =
        isocast_record_is_of_all(site->key.operation) || kind == ISOCAST_RECORD_ONE_SIDED;
    return site->line              ? ISOCAST_FAVOURED_LINE
           : no_neighbours         ? ISOCAST_FAVOURED_NONE
           : site->dimensions == 3 ? (isocast_favoured_side)(ISOCAST_FAVOURED_CUBE + site->axes)
           : site->dimensions == 2 ? ISOCAST_FAVOURED_GRID
                                   : ISOCAST_FAVOURED_NONE;
}

bool isocast_derived_site_sends(const isocast_derived_site *site) {
    switch (isocast_record_operation_find(site->key.operation)->kind) {
    case ISOCAST_RECORD_SEND:
    case ISOCAST_RECORD_RECEIVE:
    case ISOCAST_RECORD_EXCHANGE:
    case ISOCAST_RECORD_COLLECTIVE:
    case ISOCAST_RECORD_CREATION:
    case ISOCAST_RECORD_NEIGHBOUR:
    case ISOCAST_RECORD_ONE_SIDED:
        return true;
    case ISOCAST_RECORD_COMPLETION:
    case ISOCAST_RECORD_TEST:
    case ISOCAST_RECORD_SETUP:
        break;
    }
    return false;
}

void isocast_derived_free(isocast_derived *derived) {
    if (derived == NULL) {
        return;
    }
    for (size_t i = 0; i < derived->term_count; i++) {
        free(derived->terms[i].sites);
    }
    free(derived->terms);
    free(derived->stretches);
    free(derived->pipelines);
    free(derived->rows);
    free(derived->sites);
    free(derived->points);
    free(derived);
}

void isocast_derived_visit_laws(const isocast_derived *derived, isocast_law_visit *visit,
                                void *more) {
    if (derived->extra.known) {
        visit(&derived->extra, more);
    }
    if (derived->memory.known) {
        visit(&derived->memory, more);
    }
    for (size_t i = 0; i < derived->pipeline_count; i++) {
        visit(&derived->pipelines[i].sweeps, more);
    }
    for (size_t i = 0; i < derived->row_count; i++) {
        visit(&derived->rows[i].count, more);
    }
    for (size_t t = 0; t < derived->term_count; t++) {
        const isocast_derived_term *term = &derived->terms[t];
        const isocast_derived_site *site = &derived->sites[term->sites[0]];
        visit(&term->calls, more);
        if (isocast_derived_term_has_rounds(term)) {
            visit(&term->rounds, more);
        }
        visit(&site->size, more);
        visit(&site->among, more);
        visit(&site->stride, more);
    }
}

typedef struct grid_use {
    int dimensions;
    bool uses;
} grid_use;

static void note_grid(const isocast_law *law, void *more) {
    grid_use *use = more;
    use->uses = use->uses || isocast_law_uses_grid(law, use->dimensions);
}

bool isocast_derived_uses_grid(const isocast_derived *derived, int dimensions) {
    grid_use use = {.dimensions = dimensions};
    isocast_derived_visit_laws(derived, note_grid, &use);
    for (size_t t = 0; t < derived->term_count && dimensions == 2; t++) {
        use.uses = use.uses || derived->sites[derived->terms[t].sites[0]].follow != NULL;
    }
    return use.uses;
}

bool isocast_derived_term_has_rounds(const isocast_derived_term *term) {
    bool fewer = !isocast_law_same(&term->rounds, &term->calls);
    return term->rounds.exact && fewer;
}
