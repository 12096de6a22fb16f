#include "waiting.h"

#include <math.h>

static const double call_most = 20e-6; /* s */
static const double byte_most = 1e-9;  /* s/B */

void isocast_derive_waiting_find(const isocast_derived *derived, const isocast_site_seen *seen,
                                 const isocast_compute_seen *computing,
                                 isocast_derived_site *site) {
    isocast_record_class kind = isocast_record_operation_find(site->key.operation)->kind;
    bool is_setup = kind == ISOCAST_RECORD_SETUP || kind == ISOCAST_RECORD_CREATION;
    for (size_t r = 0; r < derived->record_count; r++) {
        if (!computing[r].alone || !(computing[r].T > 0) || derived->points[r].p < 2 || is_setup) {
            continue;
        }
        /* Where it asks again and again, calls explain nothing. */
        double call = isocast_derived_site_asks(site) ? 0 : call_most;
        double explained = seen[r].calls_mean * call + seen[r].moved_mean * byte_most;
        double share = fmin(fmax(seen[r].time - explained, 0) / computing[r].T, 1);
        if (!(share <= site->waiting)) {
            site->waiting = share;
            site->waiting_p = derived->points[r].p;
        }
    }
}
