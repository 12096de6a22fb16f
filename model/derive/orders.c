#include "orders.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "fit.h"

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

static int by_size(const void *a, const void *b) {
    const share *x = a;
    const share *y = b;
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? -1 : 1;
    }
    return (x->root > y->root) - (x->root < y->root);
}

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
typedef struct told {
    bool any;      /* one of several processes is the root */
    bool one;      /* it is one process in each record */
    bool each;     /* it may change with each call */
    bool stays;    /* it may stay for as many calls as each other one */
    bool is_known; /* how often it changes is */
} told;

/* Calls of one size, shape [count], in the order of roots among so many processes. fewest, most:
 * times that the root may have changed. */
static void look_at_equal(const share *shares, size_t count, size_t among, told *t, double *fewest,
                          double *most) {
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

static void look_at(const share *shares, size_t count, size_t among, told *t) {
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
        told t = {.one = true, .each = true, .stays = true, .is_known = true};
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

enum { SIZES_LEAST = 5 }; /* fewer tell nothing */

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
