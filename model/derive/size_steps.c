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
                (share){.bytes = isocast_call_message(record, call), .calls = call->calls};
        }
    }
    qsort(shares, count, sizeof *shares, by_size);
    *out = merged ? (steps){0} : steps_of(shares, count);
    free(calls);
    free(shares);
    return ISOCAST_OK;
}

isocast_status isocast_derive_size_steps_find(const isocast_derived *derived, size_t site,
                                              derive_fitter *fitter, isocast_law *least,
                                              isocast_law *step) {
    const isocast_site_key *key = &derived->sites[site].key;
    double *values = calloc(2 * derived->record_count + 1, sizeof *values);
    isocast_status status = values != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool even = isocast_record_is_of_all(key->operation);
    for (size_t r = 0; r < derived->record_count && even && status == ISOCAST_OK; r++) {
        steps seen = {0};
        status = observe(derived->records[r], key, &seen);
        even = status == ISOCAST_OK && seen.even;
        values[r] = seen.least;
        values[derived->record_count + r] = seen.step;
    }
    if (even && status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, values, NULL, ISOCAST_FAVOURED_NONE, least);
    }
    if (even && status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, values + derived->record_count, NULL,
                                           ISOCAST_FAVOURED_NONE, step);
    }
    free(values);
    return status;
}
