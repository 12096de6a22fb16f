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

bool isocast_derived_site_hangs_on_time(const isocast_derived_site *site) {
    return isocast_derived_site_asks(site) && !site->calls.exact;
}

bool isocast_derived_site_synchronizes(const isocast_derived_site *site) {
    isocast_record_operation operation = site->key.operation;
    return operation == ISOCAST_RECORD_OPERATION_Win_start ||
           operation == ISOCAST_RECORD_OPERATION_Win_complete ||
           operation == ISOCAST_RECORD_OPERATION_Win_wait ||
           (operation >= ISOCAST_RECORD_OPERATION_Win_lock &&
            operation <= ISOCAST_RECORD_OPERATION_Win_flush_local_all);
}

void isocast_derived_free(isocast_derived *derived) {
    if (derived == NULL) {
        return;
    }
    free(derived->stretches);
    free(derived->sites);
    free(derived->points);
    free(derived);
}

bool isocast_derived_work_has_p(const isocast_derived *derived) {
    bool has = false;
    for (size_t i = 0; i < derived->work.term_count; i++) {
        has = has || derived->work.terms[i].process != 0;
    }
    return has;
}
