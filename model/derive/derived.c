#include "derived.h"

static bool is_exact(const isocast_site_fit *fit) {
    return fit->records > 0 && fit->calls == 0 && fit->size == 0 && !fit->roots_differ;
}

bool isocast_derived_site_is_exact(const isocast_derived_site *site) {
    return is_exact(&site->here);
}

bool isocast_derived_site_is_off_there(const isocast_derived_site *site) {
    return site->there.records > 0 && !is_exact(&site->there);
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

bool isocast_derived_work_has_p(const isocast_derived *derived) {
    bool has = false;
    for (size_t i = 0; i < derived->work.term_count; i++) {
        has = has || derived->work.terms[i].process != 0;
    }
    return has;
}
