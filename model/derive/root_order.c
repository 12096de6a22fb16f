#include "root_order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Calls of one size and root. */
typedef struct share {
    double bytes, calls;
    long root;
} share;

/* What the records say of the roots of a site. */
typedef struct told {
    bool any;      /* one of several processes is the root */
    bool one;      /* it is one process in each record */
    bool each;     /* it may change with each call */
    bool stays;    /* it may stay for as many calls as each other one */
    bool is_known; /* how often it changes is */
} told;

static int by_size(const void *a, const void *b) {
    const share *x = a;
    const share *y = b;
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? -1 : 1;
    }
    return (x->root > y->root) - (x->root < y->root);
}

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

/* Of the process that calls most, in one communicator; nothing where its roots are not known. */
static isocast_status look_at_record(const isocast_record *record, const isocast_site_key *key,
                                     told *t) {
    double *calls = calloc(record->process_count + 1, sizeof *calls);
    share *shares = calloc(record->call_count + 1, sizeof *shares);
    bool made = calls != NULL && shares != NULL;
    size_t busiest = 0;
    for (size_t i = 0; i < record->call_count && made; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (isocast_site_key_has_call(key, record, call)) {
            calls[call->process] += call->calls;
            busiest = calls[call->process] > calls[busiest] ? call->process : busiest;
        }
    }
    size_t count = 0;
    size_t among = SIZE_MAX;
    for (size_t i = 0; i < record->call_count && made && among != 0; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (call->process != busiest || !isocast_site_key_has_call(key, record, call)) {
            continue;
        }
        bool rooted = !call->merged && call->partner >= 0 && call->communicator != SIZE_MAX;
        among = rooted ? record->communicators[call->communicator].size : 0;
        shares[count++] = (share){call->bytes, call->calls, call->partner};
    }
    if (made && count > 0 && among > 1) {
        t->any = true;
        qsort(shares, count, sizeof *shares, by_size);
        look_at(shares, count, among, t);
    }
    free(calls);
    free(shares);
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status isocast_derive_root_order_find(isocast_derived *derived) {
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; s < derived->site_count; s++) {
        told t = {.one = true, .each = true, .stays = true, .is_known = true};
        isocast_derived_site *site = &derived->sites[s];
        bool of_all = isocast_record_is_of_all(site->key.operation);
        for (size_t r = 0; r < derived->record_count && of_all && status == ISOCAST_OK; r++) {
            status = look_at_record(derived->records[r], &site->key, &t);
        }
        site->roots = !t.any || t.one        ? ISOCAST_ROOTS_ONE
                      : t.each && t.is_known ? ISOCAST_ROOTS_EACH
                      : t.each               ? ISOCAST_ROOTS_EACH_PERHAPS
                      : t.stays              ? ISOCAST_ROOTS_STAY
                                             : ISOCAST_ROOTS_ANY;
    }
    return status;
}
