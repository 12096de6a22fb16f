#include "sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "model/base/array.h"

/* ---- what a site is ---- */

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

/* ---- what a record says of a site ---- */

static bool is_among(const isocast_site_key *key, const isocast_site_key *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (isocast_site_key_same(key, &keys[i])) {
            return true;
        }
    }
    return false;
}

isocast_status isocast_site_keys_add(const isocast_record *record, isocast_site_key **keys,
                                     size_t *count, size_t *capacity) {
    size_t all = record->site_count * ISOCAST_RECORD_OPERATION_COUNT;
    bool *seen = calloc(all > 0 ? all : 1, sizeof *seen);
    bool enough = seen != NULL;
    for (size_t i = 0; enough && i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        size_t at = call->site * ISOCAST_RECORD_OPERATION_COUNT + (size_t)call->operation;
        const isocast_site_key key = {.site = &record->sites[call->site],
                                      .operation = call->operation};
        if (seen[at] || is_among(&key, *keys, *count)) {
            seen[at] = true;
            continue;
        }
        seen[at] = true;
        enough = isocast_array_grow((void **)keys, *count, capacity, sizeof **keys);
        if (enough) {
            (*keys)[(*count)++] = key;
        }
    }
    free(seen);
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* Of one process. */
typedef struct sums {
    double calls;
    double size; /* of its messages so far */
    bool several;
} sums;

static void add_call(const isocast_record *record, const isocast_record_call *call, sums *own,
                     isocast_site_seen *seen) {
    double p = (double)record->process_count;
    double size = isocast_call_message(record, call);
    double messages = call->calls * call->neighbours;
    bool mixed = call->merged && call->bytes_least != call->bytes_most;
    own->several = own->several || mixed || (own->calls > 0 && size != own->size);
    own->size = size;
    own->calls += messages;
    bool beside = isocast_record_is_to_neighbours(call->operation);
    seen->calls_mean += messages / p;
    seen->moved_mean += messages * (beside ? size : isocast_call_size(call)) / p;
    seen->largest = fmax(seen->largest, call->merged ? call->bytes_most : size);
}

isocast_status isocast_site_observe(const isocast_record *record, const isocast_site_key *key,
                                    isocast_site_seen *out) {
    sums *processes = calloc(record->process_count + 1, sizeof *processes);
    if (processes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_site_seen seen = {0};
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (!isocast_site_key_has_call(key, record, call)) {
            continue;
        }
        seen.time += call->time / (double)record->process_count;
        if (!isocast_call_sends_nothing(call)) {
            add_call(record, call, &processes[call->process], &seen);
        }
    }
    for (size_t i = 0; i < record->process_count; i++) {
        seen.calls = fmax(seen.calls, processes[i].calls);
        seen.several = seen.several || processes[i].several;
    }
    free(processes);
    *out = seen;
    return ISOCAST_OK;
}

/* ---- the sites of all records ---- */

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
static isocast_status observe_all(const isocast_derived *d, isocast_derived_site *site,
                                  double *calls, double *largest) {
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        isocast_site_seen seen = {0};
        status = isocast_site_observe(d->records[r], &site->key, &seen);
        calls[r] = seen.calls;
        largest[r] = seen.largest;
        site->several = site->several || seen.several;
        note_waiting(&seen, &d->seen[r], d->points[r].p, site);
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
        d->sites = isocast_pool_take(&d->pool, count, sizeof *d->sites);
        status = d->sites != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        d->sites[d->site_count++] = (isocast_derived_site){.key = keys[i], .waiting = NAN};
    }
    free(keys);
    return status;
}

isocast_status isocast_derive_sites_find(isocast_derived *derived) {
    double *values = calloc(2 * derived->record_count + 1, sizeof *values);
    isocast_status status = values != NULL ? find_keys(derived) : ISOCAST_NO_MEMORY;
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &derived->sites[s];
        status = observe_all(derived, site, values, values + derived->record_count);
        if (status == ISOCAST_OK && isocast_derived_site_asks(site)) {
            isocast_law law = {0};
            status = isocast_fit(derived->fitter, values, NULL, ISOCAST_FAVOURED_NONE, &law);
            site->hangs_on_time = !law.exact;
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

isocast_status isocast_derive_exponents_note(const isocast_derived *derived) {
    isocast_fitter *fitter = derived->fitter;
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
        status = observe_all(derived, &site, values, values + derived->record_count);
        for (size_t k = 0; k < 2 && status == ISOCAST_OK; k++) {
            isocast_law law = {0};
            status = isocast_fit(fitter, values + k * derived->record_count, NULL,
                                 ISOCAST_FAVOURED_NONE, &law);
            for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX && law.exact; i++) {
                fitter->exponents[i] = fitter->exponents[i] || isocast_law_has_exponent(&law, i);
            }
        }
    }
    free(values);
    return status;
}

/* ---- records of other sizes than their words say ---- */

static bool same_words(const isocast_record *a, const isocast_record *b) {
    bool same = a->process_count == b->process_count && a->argument_count == b->argument_count;
    for (size_t i = 0; same && i < a->argument_count; i++) {
        same = strcmp(a->arguments[i], b->arguments[i]) == 0;
    }
    return same;
}

/* Whether the largest message differs at more than half of the sites of both with longer ones. */
static isocast_status sizes_differ(const isocast_record *a, const isocast_record *b, bool *differ) {
    static const double short_most = 64; /* B: sums and flags, which mostly have one size */
    isocast_site_key *keys = NULL;
    size_t count = 0;
    size_t capacity = 0;
    size_t both = 0;
    size_t other = 0;
    isocast_status status = isocast_site_keys_add(a, &keys, &count, &capacity);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        isocast_site_seen one = {0};
        isocast_site_seen two = {0};
        status = isocast_site_observe(a, &keys[i], &one);
        status = status == ISOCAST_OK ? isocast_site_observe(b, &keys[i], &two) : status;
        const isocast_derived_site site = {.key = keys[i]};
        bool is_long = isocast_derived_site_sends(&site) && fmin(one.largest, two.largest) > 0 &&
                       fmax(one.largest, two.largest) > short_most;
        both += is_long;
        other += is_long && one.largest != two.largest;
    }
    free(keys);
    *differ = 2 * other > both;
    return status;
}

isocast_status isocast_mixed_records_refuse(isocast_record *const *records, size_t count,
                                            isocast_diagnostics *diagnostics) {
    isocast_status status = ISOCAST_OK;
    for (size_t r = 1; r < count && status == ISOCAST_OK; r++) {
        size_t first = 0;
        bool differ = false;
        while (first < r && !same_words(records[first], records[r])) {
            first++;
        }
        if (first < r) {
            status = sizes_differ(records[first], records[r], &differ);
        }
        if (differ) {
            isocast_diagnostics_add_file(
                diagnostics, ISOCAST_ERROR, records[r]->source->name,
                "a program that has its sizes from a file is started by a script that takes them "
                "as words and writes that file",
                "the words and the number of processes are those of %.300s, but the messages have "
                "other sizes",
                records[first]->source->name);
        }
    }
    return status;
}
