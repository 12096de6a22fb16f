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

bool isocast_derived_roots_change(const isocast_derived_site *site) {
    return site->roots > ISOCAST_ROOTS_OTHER;
}

isocast_favoured_side isocast_derived_site_favours(const isocast_derived_site *site) {
    isocast_record_class kind = isocast_record_operation_find(site->key.operation)->kind;
    bool no_neighbours =
        isocast_record_is_of_all(site->key.operation) || kind == ISOCAST_RECORD_ONE_SIDED;
    /* In a grid of three dimensions messages in one direction have one distance, too. */
    bool cube = !no_neighbours && site->dimensions == 3;
    return site->line && !cube     ? ISOCAST_FAVOURED_LINE
           : no_neighbours         ? ISOCAST_FAVOURED_NONE
           : cube                  ? isocast_favoured_along(site->axes, site->one_way)
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
        return site->key.operation == ISOCAST_RECORD_OPERATION_Win_fence;
    case ISOCAST_RECORD_TEST:
    case ISOCAST_RECORD_SETUP:
        break;
    }
    return false;
}

bool isocast_derived_site_asks(const isocast_derived_site *site) {
    return isocast_record_operation_find(site->key.operation)->kind == ISOCAST_RECORD_TEST;
}

bool isocast_derived_site_synchronizes(const isocast_derived_site *site) {
    isocast_record_operation operation = site->key.operation;
    return operation == ISOCAST_RECORD_OPERATION_Win_start ||
           operation == ISOCAST_RECORD_OPERATION_Win_complete ||
           operation == ISOCAST_RECORD_OPERATION_Win_wait ||
           (operation >= ISOCAST_RECORD_OPERATION_Win_lock &&
            operation <= ISOCAST_RECORD_OPERATION_Win_flush_local_all);
}

bool isocast_derived_pipeline_is_certain(const isocast_derived_pipeline *pipeline) {
    return pipeline->fills.exact || pipeline->steps.exact;
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

size_t isocast_derived_row_leaving(const isocast_derived_row *row) {
    return row->to_root ? row->after : row->before;
}

size_t isocast_derived_row_waiting(const isocast_derived_row *row) {
    return row->to_root ? row->before : row->after;
}

bool isocast_derived_uses_grid(const isocast_derived *derived, int dimensions) {
    const isocast_derived *d = derived;
    bool uses = (d->extra.known && isocast_law_uses_grid(&d->extra, dimensions)) ||
                (d->busiest.known && isocast_law_uses_grid(&d->busiest, dimensions)) ||
                (d->memory.known && isocast_law_uses_grid(&d->memory, dimensions));
    for (size_t i = 0; i < d->pipeline_count; i++) {
        uses = uses || isocast_law_uses_grid(&d->pipelines[i].sweeps, dimensions) ||
               isocast_law_uses_grid(&d->pipelines[i].fills, dimensions) ||
               isocast_law_uses_grid(&d->pipelines[i].steps, dimensions);
    }
    uses = uses || (d->chain.known && isocast_law_uses_grid(&d->chain, dimensions));
    for (size_t i = 0; i < d->row_count; i++) {
        uses = uses || isocast_law_uses_grid(&d->rows[i].first, dimensions) ||
               isocast_law_uses_grid(&d->rows[i].again, dimensions);
    }
    for (size_t t = 0; t < d->term_count; t++) {
        const isocast_derived_site *site = &d->sites[d->terms[t].sites[0]];
        uses = uses || (dimensions == 2 && site->follow != NULL) ||
               isocast_law_uses_grid(&d->terms[t].calls, dimensions) ||
               (isocast_derived_term_has_rounds(&d->terms[t]) &&
                isocast_law_uses_grid(&d->terms[t].rounds, dimensions)) ||
               isocast_law_uses_grid(&site->size, dimensions) ||
               isocast_law_uses_grid(&site->among, dimensions) ||
               isocast_law_uses_grid(&site->stride, dimensions);
    }
    return uses;
}

bool isocast_derived_term_has_rounds(const isocast_derived_term *term) {
    bool fewer = !isocast_law_same(&term->rounds, &term->calls);
    return term->rounds.exact && fewer;
}

bool isocast_derived_work_has_p(const isocast_derived *derived) {
    bool has = false;
    for (size_t i = 0; i < derived->work.term_count; i++) {
        has = has || derived->work.terms[i].process != 0;
    }
    return has;
}

double isocast_derived_computing(const isocast_derived *derived, const isocast_law_point *point) {
    double all = isocast_law_value(&derived->work, point) +
                 (derived->extra.known ? isocast_law_value(&derived->extra, point) : 0);
    return derived->busiest.known ? isocast_law_value(&derived->busiest, point) : all / point->p;
}
