#include "sites.h"

#include <math.h>
#include <stdlib.h>

#include "derived.h"

static const double call_most = 20e-6; /* s */
static const double byte_most = 1e-9;  /* s/B */

/* Sets site->waiting, from a run whose processes had a processor each: the share of T at the site
 * beyond 20 us for a call and 1 ns for each byte, which is more than messages of a usual network
 * take. */
static void note_waiting(const isocast_site_seen *seen, const isocast_compute_seen *computing,
                         double p, isocast_derived_site *site) {
    isocast_record_class kind = isocast_record_operation_find(site->key.operation)->kind;
    bool is_setup = kind == ISOCAST_RECORD_SETUP || kind == ISOCAST_RECORD_CREATION;
    if (!computing->alone || !(computing->T > 0) || p < 2 || is_setup) {
        return;
    }
    /* Where it asks again and again, calls explain nothing. */
    double call = isocast_derived_site_asks(site) ? 0 : call_most;
    double explained = seen->calls_mean * call + seen->moved_mean * byte_most;
    double share = fmin(fmax(seen->time - explained, 0) / computing->T, 1);
    if (!(share <= site->waiting)) {
        site->waiting = share;
        site->waiting_p = p;
    }
}

/* What is seen of a site in all records. calls, largest: [record_count]. */
static isocast_status observe(const isocast_derived *d, const isocast_compute_seen *computing,
                              isocast_derived_site *site, double *calls, double *largest) {
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        isocast_site_seen seen = {0};
        status = isocast_site_observe(d->records[r], &site->key, &seen);
        calls[r] = seen.calls;
        largest[r] = seen.largest;
        site->several = site->several || seen.several;
        if (computing != NULL) {
            note_waiting(&seen, &computing[r], d->points[r].p, site);
        }
    }
    return status;
}

static isocast_status find_keys(isocast_derived *d) {
    isocast_site_key *keys = NULL;
    size_t capacity = 0;
    size_t count = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        status = isocast_site_keys_add(d->records[r], &keys, &count, &capacity);
    }
    if (status == ISOCAST_OK) {
        d->sites = calloc(count > 0 ? count : 1, sizeof *d->sites);
        status = d->sites != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        d->sites[d->site_count++] = (isocast_derived_site){.key = keys[i], .waiting = NAN};
    }
    free(keys);
    return status;
}

/* Whether the sizes and p say how often something is done. */
static isocast_status has_law(const isocast_derived *d, const double *values, bool *has) {
    derive_fitter fitter;
    isocast_law law = {0};
    isocast_status status = isocast_derive_fitter_create(d->points, d->record_count, d->sizes.count,
                                                         ISOCAST_FAVOURED_NONE, &fitter);
    if (status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(&fitter, values, NULL, ISOCAST_FAVOURED_NONE, &law);
    }
    isocast_derive_fitter_free(&fitter);
    *has = law.exact;
    return status;
}

isocast_status isocast_derive_sites_find(isocast_derived *derived,
                                         const isocast_compute_seen *computing) {
    double *values = calloc(2 * derived->record_count + 1, sizeof *values);
    isocast_status status = values != NULL ? find_keys(derived) : ISOCAST_NO_MEMORY;
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &derived->sites[s];
        status = observe(derived, computing, site, values, values + derived->record_count);
        if (status == ISOCAST_OK && isocast_derived_site_asks(site)) {
            bool known = false;
            status = has_law(derived, values, &known);
            site->hangs_on_time = !known;
        }
    }
    free(values);
    return status;
}

/* Whether a size may stand in an exponent: then it is small in all records. */
static bool may_be_exponent(const isocast_derived *d, size_t size) {
    static const double exponent_most = 64;
    bool may = true;
    for (size_t r = 0; r < d->record_count; r++) {
        may = may && d->points[r].sizes[size] <= exponent_most;
    }
    return may;
}

isocast_status isocast_derive_exponents_note(const isocast_derived *derived,
                                             derive_fitter *fitter) {
    bool any = false;
    for (size_t i = 0; i < derived->sizes.count; i++) {
        any = any || may_be_exponent(derived, i);
    }
    double *values = calloc(2 * derived->record_count + 1, sizeof *values);
    isocast_status status = values != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t s = 0; s < derived->site_count && any && status == ISOCAST_OK; s++) {
        isocast_derived_site site = derived->sites[s];
        if (!isocast_derived_site_sends(&site)) {
            continue;
        }
        status = observe(derived, NULL, &site, values, values + derived->record_count);
        for (size_t k = 0; k < 2 && status == ISOCAST_OK; k++) {
            isocast_law law = {0};
            status = isocast_derive_fitter_fit(fitter, values + k * derived->record_count, NULL,
                                               ISOCAST_FAVOURED_NONE, &law);
            for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX && law.exact; i++) {
                fitter->candidates.exponents[i] =
                    fitter->candidates.exponents[i] || isocast_law_has_exponent(&law, i);
            }
        }
    }
    free(values);
    return status;
}
