#include "sites.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "model/base/array.h"
#include "model/base/order.h"

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

/* Whether a site asks for messages and does not wait for them. */
static bool is_asking(const isocast_derived_site *site) {
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

/* Calls with MPI_PROC_NULL send nothing and do not count. Calls with neighbours count once for each
 * of them, where all get messages of one size. */
typedef struct isocast_site_seen {
    double calls;   /* of the process with most of them */
    double largest; /* B, message: m of its operation, for MPI_Alltoallv the mean of a call */
    bool several;   /* a process has messages of different sizes */
    double time;    /* s, inside of the calls, mean over processes */
    double calls_mean, moved_mean; /* over processes; B to all that the calls send to */
} isocast_site_seen;

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

/* Errors: NO_MEMORY. */
static isocast_status observe_site(const isocast_record *record, const isocast_site_key *key,
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
    double call = is_asking(site) ? 0 : call_most;
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
        status = observe_site(d->records[r], &site->key, &seen);
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
        if (status == ISOCAST_OK && is_asking(site)) {
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
        status = observe_site(a, &keys[i], &one);
        status = status == ISOCAST_OK ? observe_site(b, &keys[i], &two) : status;
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

/* ---- in which order roots and sizes change ---- */

/* Calls of one size and root. */
typedef struct share {
    double bytes, calls;
    long root;
} share;

/* The calls of a site in a record, of the process that calls most, by size and root. */
typedef struct own_calls {
    share *items; /* [count] */
    size_t count;
    bool merged;
    size_t among; /* processes of the last communicator; 0: a root is not known */
} own_calls;

ISOCAST_ORDER_BY(by_size, share, x->bytes, (double)x->root)

/* To be freed in every case. Errors: NO_MEMORY. */
static isocast_status find_shares(const isocast_record *record, const isocast_site_key *key,
                                  own_calls *out) {
    double *calls = calloc(record->process_count + 1, sizeof *calls);
    *out =
        (own_calls){.items = calloc(record->call_count + 1, sizeof *out->items), .among = SIZE_MAX};
    bool made = calls != NULL && out->items != NULL;
    size_t busiest = 0;
    for (size_t i = 0; i < record->call_count && made; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (isocast_site_key_has_call(key, record, call)) {
            calls[call->process] += call->calls;
            busiest = calls[call->process] > calls[busiest] ? call->process : busiest;
        }
    }
    for (size_t i = 0; i < record->call_count && made; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (call->process == busiest && isocast_site_key_has_call(key, record, call)) {
            bool rooted = !call->merged && call->partner >= 0 && call->communicator != SIZE_MAX;
            size_t among = rooted ? record->communicators[call->communicator].size : 0;
            out->among = out->among == 0 ? 0 : among;
            out->merged = out->merged || call->merged;
            out->items[out->count++] =
                (share){isocast_call_message(record, call), call->calls, call->partner};
        }
    }
    free(calls);
    if (made) {
        qsort(out->items, out->count, sizeof *out->items, by_size);
    }
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* ---- roots ---- */

/* What the records say of the roots of a site. */
typedef struct given {
    bool any;      /* one of several processes is the root */
    bool one;      /* it is one process in each record */
    bool each;     /* it may change with each call */
    bool stays;    /* it may stay for as many calls as each other one */
    bool is_known; /* how often it changes is */
} reported;

/* Calls of one size, shape [count], in the order of roots among so many processes. fewest, most:
 * times that the root may have changed. */
static void look_at_equal(const share *shares, size_t count, size_t among, reported *t,
                          double *fewest, double *most) {
    double calls = 0;
    double least = INFINITY;
    double largest = 0;
    double least_but_last = INFINITY;
    for (size_t i = 0; i < count; i++) {
        calls += shares[i].calls;
        least_but_last =
            i + 1 < count || count == 1 ? fmin(least_but_last, shares[i].calls) : least_but_last;
        least = fmin(least, shares[i].calls);
        largest = fmax(largest, shares[i].calls);
    }
    size_t begins = 0; /* where those with most follow others, round all processes */
    for (size_t i = 0; i < count; i++) {
        const share *before = &shares[i > 0 ? i - 1 : count - 1];
        begins += shares[i].calls == largest && before->calls < largest;
    }
    bool each = largest == 1 || (count == among && largest - least <= 1 && begins <= 1);
    t->each = t->each && (each || count == 1);
    t->stays = t->stays && largest - least_but_last <= 1;
    *fewest += (double)count - 1;
    *most += count == 1 ? 0 : each ? calls - 1 : (double)count - 1;
}

static void look_at(const share *shares, size_t count, size_t among, reported *t) {
    double fewest = 0;
    double most = 0;
    double calls = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && shares[end].bytes == shares[begin].bytes; end++) {
            calls += shares[end].calls;
        }
        look_at_equal(shares + begin, end - begin, among, t, &fewest, &most);
        if (end < count) {
            bool changes = shares[end].root != shares[end - 1].root;
            fewest += changes ? 1 : 0;
            most += changes || end - begin > 1 ? 1 : 0;
        }
    }
    t->each = t->each && most == calls - 1;
    t->is_known = t->is_known && fewest == most;
    for (size_t i = 1; i < count; i++) {
        t->one = t->one && shares[i].root == shares[0].root;
    }
}

isocast_status isocast_derive_root_order_find(isocast_derived *derived) {
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; s < derived->site_count; s++) {
        reported t = {.one = true, .each = true, .stays = true, .is_known = true};
        isocast_derived_site *site = &derived->sites[s];
        bool of_all = isocast_record_is_of_all(site->key.operation);
        for (size_t r = 0; r < derived->record_count && of_all && status == ISOCAST_OK; r++) {
            own_calls own;
            status = find_shares(derived->records[r], &site->key, &own);
            if (status == ISOCAST_OK && own.count > 0 && own.among > 1) {
                t.any = true;
                look_at(own.items, own.count, own.among, &t);
            }
            free(own.items);
        }
        site->roots = !t.any || t.one        ? ISOCAST_ROOTS_ONE
                      : t.each && t.is_known ? ISOCAST_ROOTS_EACH
                      : t.each               ? ISOCAST_ROOTS_EACH_PERHAPS
                      : t.stays              ? ISOCAST_ROOTS_STAY
                                             : ISOCAST_ROOTS_ANY;
    }
    return status;
}

/* ---- sizes ---- */

/* The sizes of a site's calls in one record, of the process that calls most. */
typedef struct steps {
    bool even; /* from the smallest size on they differ by equal steps */
    double least, step;
} steps;

enum { SIZES_LEAST = 5 }; /* fewer say nothing */

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

isocast_status isocast_derive_size_steps_find(const isocast_derived *derived, size_t site,
                                              isocast_law *least, isocast_law *step) {
    const isocast_site_key *key = &derived->sites[site].key;
    double *values = calloc(2 * derived->record_count + 1, sizeof *values);
    isocast_status status = values != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool even = isocast_record_is_of_all(key->operation);
    for (size_t r = 0; r < derived->record_count && even && status == ISOCAST_OK; r++) {
        own_calls own;
        status = find_shares(derived->records[r], key, &own);
        steps seen =
            status != ISOCAST_OK || own.merged ? (steps){0} : steps_of(own.items, own.count);
        free(own.items);
        even = status == ISOCAST_OK && seen.even;
        values[r] = seen.least;
        values[derived->record_count + r] = seen.step;
    }
    if (even && status == ISOCAST_OK) {
        status = isocast_fit(derived->fitter, values, NULL, ISOCAST_FAVOURED_NONE, least);
    }
    if (even && status == ISOCAST_OK) {
        status = isocast_fit(derived->fitter, values + derived->record_count, NULL,
                             ISOCAST_FAVOURED_NONE, step);
    }
    free(values);
    return status;
}
