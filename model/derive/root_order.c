#include "root_order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

derive_direction isocast_derive_direction_of(isocast_record_operation operation) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Bcast:
    case ISOCAST_RECORD_OPERATION_Scatter:
    case ISOCAST_RECORD_OPERATION_Scatterv:
        return DERIVE_FROM_ROOT;
    case ISOCAST_RECORD_OPERATION_Reduce:
    case ISOCAST_RECORD_OPERATION_Gather:
    case ISOCAST_RECORD_OPERATION_Gatherv:
        return DERIVE_TO_ROOT;
    default:
        return DERIVE_NEITHER;
    }
}

/* The process that calls most, and its site and communicator. */
static isocast_status choose_process(const isocast_record *record, const isocast_site_key *key,
                                     derive_root_order *o) {
    double *calls = calloc(record->process_count + 1, sizeof *calls);
    if (calls == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        calls[call->process] += isocast_site_key_has_call(key, record, call) ? call->calls : 0;
    }
    for (size_t i = 0; i < record->process_count; i++) {
        o->process = calls[i] > calls[o->process] ? i : o->process;
    }
    o->calls = calls[o->process];
    free(calls);
    bool first = true;
    o->told = o->calls > 0;
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (call->process != o->process || !isocast_site_key_has_call(key, record, call)) {
            continue;
        }
        bool rooted = !call->merged && call->partner >= 0 && call->communicator != SIZE_MAX;
        bool other = !first && (call->communicator != o->communicator || call->site != o->site);
        o->told = o->told && rooted && !other;
        o->root = first ? call->partner : o->root;
        o->site = call->site;
        o->communicator = call->communicator;
        first = false;
    }
    if (o->told) {
        o->among = (double)record->communicators[o->communicator].size;
    }
    return ISOCAST_OK;
}

/* A call that all wait for: it ends a row of calls that do not. */
static bool waits_for_all(const isocast_record_call *call, derive_direction way) {
    return isocast_record_is_of_all(call->operation) &&
           isocast_derive_direction_of(call->operation) != way;
}

/* How many rows there are: calls that are followed by one that waits for all end one each. */
static isocast_status count_rows(const isocast_record *record, derive_direction way,
                                 derive_root_order *o) {
    bool *waits = calloc(record->site_count + 1, sizeof *waits);
    if (waits == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (call->process == o->process) {
            waits[call->site] = waits[call->site] || waits_for_all(call, way);
        }
    }
    double ended = 0;
    double followed = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *next = &record->computes[i];
        if (next->process == o->process && next->from == o->site) {
            followed += next->times;
            ended += waits[next->to] ? next->times : 0;
            o->follower = next->times == o->calls ? next->to : o->follower;
        }
    }
    o->rows = fmin(o->calls, fmax(1, ended + (followed < o->calls ? 1 : 0)));
    free(waits);
    return ISOCAST_OK;
}

typedef struct share {
    double bytes, calls;
    long root;
} share;

static int by_size(const void *a, const void *b) {
    const share *x = a;
    const share *y = b;
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? -1 : 1;
    }
    return (x->root > y->root) - (x->root < y->root);
}

/* Of calls of one size: whether their roots may have changed with each call, in the order of ranks
 * round all processes, and whether each may have stayed for as many calls, the last one for fewer.
 * shares: [count], in the order of roots. */
static void look_at_equal(const share *shares, size_t count, derive_root_order *o) {
    double calls = 0;
    double least = INFINITY;
    double most = 0;
    double least_but_last = INFINITY;
    for (size_t i = 0; i < count; i++) {
        calls += shares[i].calls;
        least_but_last =
            i + 1 < count || count == 1 ? fmin(least_but_last, shares[i].calls) : least_but_last;
        least = fmin(least, shares[i].calls);
        most = fmax(most, shares[i].calls);
    }
    bool all = (double)count == o->among;
    size_t begins = 0; /* where those with most follow others, round all processes */
    for (size_t i = 0; i < count; i++) {
        const share *before = &shares[i > 0 ? i - 1 : count - 1];
        begins += shares[i].calls == most && before->calls < most;
    }
    bool once = most == 1;
    bool each = once || (all && most - least <= 1 && begins <= 1);
    o->may_be_each = o->may_be_each && (each || count == 1);
    o->may_be_stays = o->may_be_stays && most - least_but_last <= 1;
    o->fewest += (double)count - 1;
    o->most += count == 1 ? 0 : each ? calls - 1 : (double)count - 1;
}

static void look_at(const share *shares, size_t count, derive_root_order *o) {
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && shares[end].bytes == shares[begin].bytes;) {
            end++;
        }
        look_at_equal(shares + begin, end - begin, o);
        if (end < count) {
            bool one = end - begin == 1;
            bool changes = shares[end].root != shares[end - 1].root;
            o->fewest += changes ? 1 : 0;
            o->most += changes || !one ? 1 : 0;
        }
    }
}

isocast_status isocast_derive_root_order_observe(const isocast_record *record,
                                                 const isocast_site_key *key,
                                                 derive_root_order *out) {
    derive_root_order o = {.may_be_each = true, .may_be_stays = true, .follower = SIZE_MAX};
    isocast_status status = choose_process(record, key, &o);
    if (status == ISOCAST_OK && o.told) {
        status = count_rows(record, isocast_derive_direction_of(key->operation), &o);
    }
    if (status != ISOCAST_OK || !o.told) {
        *out = o;
        return status;
    }
    share *shares = calloc(record->call_count + 1, sizeof *shares);
    bool *seen = calloc((size_t)o.among + 1, sizeof *seen);
    if (shares == NULL || seen == NULL) {
        free(shares);
        free(seen);
        return ISOCAST_NO_MEMORY;
    }
    size_t count = 0;
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (call->process == o.process && isocast_site_key_has_call(key, record, call)) {
            shares[count++] =
                (share){.bytes = call->bytes, .calls = call->calls, .root = call->partner};
            o.roots += !seen[call->partner];
            seen[call->partner] = true;
        }
    }
    qsort(shares, count, sizeof *shares, by_size);
    look_at(shares, count, &o);
    free(shares);
    free(seen);
    *out = o;
    return ISOCAST_OK;
}

isocast_status isocast_derive_root_orders_join(const isocast_record *record,
                                               const derive_root_order *before,
                                               const derive_root_order *after, bool *joined) {
    *joined = before->told && after->told && before->process == after->process &&
              before->communicator == after->communicator && before->calls == after->calls &&
              before->follower == after->site;
    if (!*joined) {
        return ISOCAST_OK;
    }
    /* Calls of the first site less those of the second one, of each root. */
    double *calls = calloc((size_t)before->among + 1, sizeof *calls);
    if (calls == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        bool rooted = call->process == before->process && call->partner >= 0 &&
                      call->communicator == before->communicator &&
                      isocast_derive_direction_of(call->operation) != DERIVE_NEITHER;
        if (rooted) {
            calls[call->partner] += call->site == before->site  ? call->calls
                                    : call->site == after->site ? -call->calls
                                                                : 0;
        }
    }
    for (size_t i = 0; (double)i < before->among; i++) {
        *joined = *joined && calls[i] == 0;
    }
    free(calls);
    return ISOCAST_OK;
}
