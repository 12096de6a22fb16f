#include "size_steps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "messages.h"

/* Calls of one size. */
typedef struct share {
    double bytes, calls;
} share;

/* The sizes of a site's calls in one record, of the process that calls most. */
typedef struct steps {
    bool even; /* from the smallest size on they differ by equal steps */
    double least, step;
} steps;

enum { SIZES_LEAST = 5 }; /* fewer tell nothing */

static int by_size(const void *a, const void *b) {
    const share *x = a;
    const share *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* shares: [count], sorted. Several calls of one size stand for as many steps, which go past it. */
static steps steps_of(const share *shares, size_t count) {
    double calls = 0;
    size_t sizes = 0;
    for (size_t i = 0; i < count; i++) {
        calls += shares[i].calls;
        sizes += i == 0 || shares[i].bytes > shares[i - 1].bytes;
    }
    if (sizes < SIZES_LEAST) {
        return (steps){0};
    }
    steps s = {.even = true, .least = shares[0].bytes};
    s.step = (shares[count - 1].bytes - s.least) / (calls - 1);
    double before = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        double own = 0;
        for (end = begin; end < count && shares[end].bytes == shares[begin].bytes; end++) {
            own += shares[end].calls;
        }
        double due = s.least + s.step * (before + (own - 1) / 2);
        s.even = s.even && fabs(due - shares[begin].bytes) <= s.step * own / 2;
        before += own;
    }
    return s;
}

static isocast_status observe(const isocast_record *record, const isocast_site_key *key,
                              steps *out) {
    double *calls = calloc(record->process_count + 1, sizeof *calls);
    share *shares = calloc(record->call_count + 1, sizeof *shares);
    if (calls == NULL || shares == NULL) {
        free(calls);
        free(shares);
        return ISOCAST_NO_MEMORY;
    }
    size_t busiest = 0;
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (isocast_site_key_has_call(key, record, call)) {
            calls[call->process] += call->calls;
            busiest = calls[call->process] > calls[busiest] ? call->process : busiest;
        }
    }
    size_t count = 0;
    bool merged = false;
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (call->process == busiest && isocast_site_key_has_call(key, record, call)) {
            merged = merged || call->merged;
            shares[count++] =
                (share){.bytes = isocast_call_size(call) / isocast_call_shares(record, call),
                        .calls = call->calls};
        }
    }
    qsort(shares, count, sizeof *shares, by_size);
    *out = merged ? (steps){0} : steps_of(shares, count);
    free(calls);
    free(shares);
    return ISOCAST_OK;
}

/* seen: [record_count]. A formula of them is made where both laws are exact. */
static isocast_status fit_site(const isocast_derived *d, derive_fitter *fitter, const steps *seen,
                               isocast_derived_site *site) {
    double *values = calloc(2 * d->record_count + 1, sizeof *values);
    if (values == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r < d->record_count; r++) {
        values[r] = seen[r].least;
        values[d->record_count + r] = seen[r].step;
    }
    isocast_status status =
        isocast_derive_fitter_fit(fitter, values, NULL, ISOCAST_FAVOURED_NONE, &site->least);
    if (status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, values + d->record_count, NULL,
                                           ISOCAST_FAVOURED_NONE, &site->step);
    }
    site->stepped = status == ISOCAST_OK && site->least.exact && site->step.exact &&
                    site->calls.exact && site->calls.guard == ISOCAST_GUARD_NONE;
    free(values);
    return status;
}

isocast_status isocast_derive_size_steps_find(isocast_derived *derived, derive_fitter *fitter) {
    steps *seen = calloc(derived->record_count + 1, sizeof *seen);
    isocast_status status = seen != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &derived->sites[s];
        bool whole = !site->key.is_part && site->key.rank == 0;
        bool even = whole && site->several && isocast_derived_site_sends(site) &&
                    isocast_record_is_of_all(site->key.operation);
        for (size_t r = 0; r < derived->record_count && even && status == ISOCAST_OK; r++) {
            status = observe(derived->records[r], &site->key, &seen[r]);
            even = status == ISOCAST_OK && seen[r].even;
        }
        if (even) {
            status = fit_site(derived, fitter, seen, site);
        }
    }
    free(seen);
    return status;
}
