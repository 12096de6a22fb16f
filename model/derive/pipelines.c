#include "pipelines.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "replay.h"

/* On two processes there is none between the first and the last. */
enum { PROCESSES_LEAST = 3 };

/* What one record says of a site with sends or receives that wait. */
typedef struct flow {
    double *calls; /* [process] */
    double step;   /* from a process to its partner, in ranks; 0: none was seen yet */
    bool apart;    /* partners are not all one step away */
} flow;

static bool is_at(const isocast_record *record, size_t site, const isocast_site_key *key) {
    const isocast_site_key here = {.site = &record->sites[site], .operation = key->operation};
    return isocast_site_key_same(&here, key);
}

static isocast_status look_at(const isocast_record *record, const isocast_site_key *key,
                              flow *out) {
    *out = (flow){.calls = calloc(record->process_count + 1, sizeof *out->calls)};
    if (out->calls == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (call->operation != key->operation || isocast_call_sends_nothing(call) ||
            !is_at(record, call->site, key)) {
            continue;
        }
        const isocast_record_communicator *c =
            call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
        bool known = c != NULL && c->remote_size == 0 && call->partner >= 0;
        double step = known ? (double)c->members[call->partner] - (double)call->process : INFINITY;
        out->apart = out->apart || fabs(step) != 1 || (out->step != 0 && step != out->step);
        out->step = step;
        out->calls[call->process] += call->calls;
    }
    return ISOCAST_OK;
}

/* What a process computes between the two sites. */
typedef struct between {
    double relays;  /* how often it went from the receive to the send */
    double repeats; /* from the send to itself */
    double within;  /* s, processor time between both, in either direction */
    double all;     /* s, of all its computing */
} between;

/* out: [process_count]. Errors: NO_MEMORY. */
static isocast_status look_between(const isocast_record *record, const isocast_site_key *receive,
                                   const isocast_site_key *send, between *out) {
    enum { RECEIVE = 1, SEND = 2 };
    unsigned char *sites = calloc(record->site_count + 1, sizeof *sites);
    if (sites == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t s = 0; s < record->site_count; s++) {
        sites[s] = (unsigned char)((is_at(record, s, receive) ? RECEIVE : 0) |
                                   (is_at(record, s, send) ? SEND : 0));
    }
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        between *own = &out[way->process];
        bool relay = (sites[way->from] & RECEIVE) != 0 && (sites[way->to] & SEND) != 0;
        bool back = (sites[way->from] & SEND) != 0 && (sites[way->to] & RECEIVE) != 0;
        bool repeat = (sites[way->from] & sites[way->to] & SEND) != 0;
        own->relays += relay ? way->times : 0;
        own->repeats += repeat ? way->times : 0;
        own->within += (relay ? way->time : 0) + (back ? way->time : 0);
        own->all += way->time;
    }
    free(sites);
    return ISOCAST_OK;
}

/* How often the pipeline begins anew: the first process sends without a pause within a sweep.
 * *share: of the computing of one process in the middle, in ways between both. 0: no pipeline.
 * ways: [process_count]. */
static double sweeps_of(const isocast_record *record, const flow *in, const flow *out,
                        const between *ways, double *share) {
    size_t p = record->process_count;
    bool is = !in->apart && !out->apart && in->step != 0 && out->step == -in->step;
    size_t first = is && out->step > 0 ? 0 : p - 1;
    size_t last = p - 1 - first;
    double calls = is ? out->calls[first] : 0;
    for (size_t r = 0; r < p && is; r++) {
        is = in->calls[r] == (r == first ? 0 : calls) && out->calls[r] == (r == last ? 0 : calls);
        /* It sends what it got before it receives the next one. */
        is = is && (r == first || r == last || ways[r].relays == calls);
    }
    if (!is || calls == 0) {
        return 0;
    }
    const between *middle = &ways[p / 2];
    *share = middle->all > 0 ? middle->within / middle->all : 1;
    return calls - ways[first].repeats;
}

/* How often the last process has to wait until a message has passed all others, as the calls wait
 * for each other: sweeps may overlap. NAN: that is not known. Errors: NO_MEMORY. */
static isocast_status fills_of(const isocast_record *record, const isocast_site_key *receive,
                               const isocast_site_key *send, const flow *out, double *fills) {
    size_t p = record->process_count;
    unsigned char *weights = calloc(p * record->site_count + 1, sizeof *weights);
    if (weights == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t first = out->step > 0 ? 0 : p - 1;
    for (size_t k = 0; k < p; k++) {
        for (size_t s = 0; s < record->site_count; s++) {
            weights[k * record->site_count + s] = is_at(record, s, k == first ? send : receive);
        }
    }
    double heaviest;
    double own;
    isocast_status status = isocast_replay_chain(record, weights, false, &heaviest, &own);
    *fills = (heaviest - out->calls[first]) / (double)(p - 1);
    free(weights);
    return status;
}

/* As sweeps_of(), of one record. Errors: NO_MEMORY. */
static isocast_status look_at_record(const isocast_record *record, const isocast_site_key *receive,
                                     const isocast_site_key *send, double *sweeps, double *fills,
                                     double *share) {
    flow in = {0};
    flow out = {0};
    between *ways = calloc(record->process_count + 1, sizeof *ways);
    isocast_status status =
        ways != NULL ? look_between(record, receive, send, ways) : ISOCAST_NO_MEMORY;
    status = status == ISOCAST_OK ? look_at(record, receive, &in) : status;
    status = status == ISOCAST_OK ? look_at(record, send, &out) : status;
    if (status == ISOCAST_OK) {
        *sweeps = sweeps_of(record, &in, &out, ways, share);
    }
    if (status == ISOCAST_OK && *sweeps > 0) {
        status = fills_of(record, receive, send, &out, fills);
    }
    free(in.calls);
    free(out.calls);
    free(ways);
    return status;
}

static isocast_status add(isocast_derived *d, size_t *capacity, isocast_derived_pipeline found) {
    if (!isocast_array_grow((void **)&d->pipelines, d->pipeline_count, capacity,
                            sizeof *d->pipelines)) {
        return ISOCAST_NO_MEMORY;
    }
    d->pipelines[d->pipeline_count++] = found;
    return ISOCAST_OK;
}

/* What all records say, [record_count] each. */
typedef struct columns {
    double *sweeps, *fills;
    bool *known, *filled; /* which of them say so */
} columns;

/* A pipeline of two sites, where they are one in all records of several processes. */
static isocast_status look_at_pair(isocast_derived *d, derive_fitter *fitter, const columns *c,
                                   size_t *capacity, isocast_derived_pipeline found) {
    const isocast_site_key *receive = &d->sites[found.receive].key;
    const isocast_site_key *send = &d->sites[found.send].key;
    isocast_status status = ISOCAST_OK;
    bool any = false;
    bool all_filled = true;
    for (size_t r = 0; r < d->record_count; r++) {
        const isocast_record *record = d->records[r];
        c->known[r] = record->process_count >= PROCESSES_LEAST;
        c->filled[r] = false;
        if (!c->known[r]) {
            continue;
        }
        c->sweeps[r] = 0;
        status = look_at_record(record, receive, send, &c->sweeps[r], &c->fills[r], &found.share);
        any = true;
        if (status != ISOCAST_OK || c->sweeps[r] <= 0) {
            return status;
        }
        c->filled[r] = !isnan(c->fills[r]);
        all_filled = all_filled && c->filled[r];
    }
    if (any) {
        status = isocast_derive_fitter_fit(fitter, c->sweeps, c->known, ISOCAST_FAVOURED_NONE,
                                           &found.sweeps);
    }
    if (any && all_filled && status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, c->fills, c->filled, ISOCAST_FAVOURED_NONE,
                                           &found.fills);
    }
    if (any && all_filled && !found.fills.exact && status == ISOCAST_OK) {
        for (size_t r = 0; r < d->record_count; r++) {
            c->fills[r] *= (double)(d->records[r]->process_count - 1);
        }
        status = isocast_derive_fitter_fit(fitter, c->fills, c->filled, ISOCAST_FAVOURED_NONE,
                                           &found.steps);
    }
    return status == ISOCAST_OK && found.sweeps.exact ? add(d, capacity, found) : status;
}

isocast_status isocast_derive_pipelines_find(isocast_derived *derived, derive_fitter *fitter) {
    size_t count = derived->record_count + 1;
    columns c = {.sweeps = calloc(count, sizeof *c.sweeps),
                 .fills = calloc(count, sizeof *c.fills),
                 .known = calloc(count, sizeof *c.known),
                 .filled = calloc(count, sizeof *c.filled)};
    bool made = c.sweeps != NULL && c.fills != NULL && c.known != NULL && c.filled != NULL;
    isocast_status status = made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    size_t capacity = 0;
    for (size_t in = 0; in < derived->site_count && status == ISOCAST_OK; in++) {
        const isocast_derived_site *receive = &derived->sites[in];
        bool waits = receive->key.operation == ISOCAST_RECORD_OPERATION_Recv &&
                     receive->calls.exact && receive->calls.term_count > 0;
        for (size_t out = 0; waits && out < derived->site_count && status == ISOCAST_OK; out++) {
            const isocast_derived_site *send = &derived->sites[out];
            if (isocast_record_operation_find(send->key.operation)->kind == ISOCAST_RECORD_SEND &&
                isocast_law_same(&send->calls, &receive->calls) && send->size.known &&
                !send->several) {
                status = look_at_pair(derived, fitter, &c, &capacity,
                                      (isocast_derived_pipeline){.receive = in, .send = out});
            }
        }
    }
    free(c.sweeps);
    free(c.fills);
    free(c.known);
    free(c.filled);
    return status;
}
