#include "pipelines.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/array.h"

/* On two processes there is none between the first and the last. */
enum { PROCESSES_LEAST = 3 };

/* What one record says of a site with sends or receives that wait. */
typedef struct flow {
    double *calls; /* [process] */
    double step;   /* from a process to its partner, in ranks; 0: none was seen yet */
    bool apart;    /* partners are not all one step away */
} flow;

static bool is_at(const isocast_record *record, size_t site, const isocast_site_key *key) {
    const isocast_site_key here = {&record->sites[site], key->operation};
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

/* How often a process went from one site to the other, and the processor time of it. */
static double way_between(const isocast_record *record, size_t process,
                          const isocast_site_key *from, const isocast_site_key *to, double *time) {
    double times = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        if (way->process == process && is_at(record, way->from, from) &&
            is_at(record, way->to, to)) {
            times += way->times;
            *time += way->time;
        }
    }
    return times;
}

/* How often the pipeline begins anew: the first process sends without a pause within a sweep.
 * *share: of the computing of one process in the middle, in ways between both. 0: no pipeline. */
static double sweeps_of(const isocast_record *record, const isocast_site_key *receive,
                        const isocast_site_key *send, const flow *in, const flow *out,
                        double *share) {
    size_t p = record->process_count;
    bool is = !in->apart && !out->apart && in->step != 0 && out->step == -in->step;
    size_t first = is && out->step > 0 ? 0 : p - 1;
    size_t last = p - 1 - first;
    double calls = is ? out->calls[first] : 0;
    for (size_t r = 0; r < p && is; r++) {
        double unused = 0;
        is = in->calls[r] == (r == first ? 0 : calls) && out->calls[r] == (r == last ? 0 : calls);
        /* It sends what it got before it receives the next one. */
        is = is &&
             (r == first || r == last || way_between(record, r, receive, send, &unused) == calls);
    }
    if (!is || calls == 0) {
        return 0;
    }
    double within = 0;
    double all = 0;
    way_between(record, p / 2, receive, send, &within);
    way_between(record, p / 2, send, receive, &within);
    for (size_t i = 0; i < record->compute_count; i++) {
        all += record->computes[i].process == p / 2 ? record->computes[i].time : 0;
    }
    double unused = 0;
    *share = all > 0 ? within / all : 1;
    return calls - way_between(record, first, send, send, &unused);
}

static isocast_status add(isocast_derived *d, size_t *capacity, isocast_derived_pipeline found) {
    if (!isocast_array_grow((void **)&d->pipelines, d->pipeline_count, capacity,
                            sizeof *d->pipelines)) {
        return ISOCAST_NO_MEMORY;
    }
    d->pipelines[d->pipeline_count++] = found;
    return ISOCAST_OK;
}

/* A pipeline of two sites, where they are one in all records of several processes. sweeps, known:
 * [record_count]. */
static isocast_status look_at_pair(isocast_derived *d, derive_fitter *fitter, double *sweeps,
                                   bool *known, size_t *capacity, isocast_derived_pipeline found) {
    const isocast_site_key *receive = &d->sites[found.receive].key;
    const isocast_site_key *send = &d->sites[found.send].key;
    isocast_status status = ISOCAST_OK;
    bool any = false;
    for (size_t r = 0; r < d->record_count; r++) {
        const isocast_record *record = d->records[r];
        known[r] = record->process_count >= PROCESSES_LEAST;
        if (!known[r]) {
            continue;
        }
        flow in = {0};
        flow out = {0};
        status = look_at(record, receive, &in);
        status = status == ISOCAST_OK ? look_at(record, send, &out) : status;
        sweeps[r] =
            status == ISOCAST_OK ? sweeps_of(record, receive, send, &in, &out, &found.share) : 0;
        free(in.calls);
        free(out.calls);
        any = true;
        if (status != ISOCAST_OK || sweeps[r] <= 0) {
            return status;
        }
    }
    if (any) {
        status =
            isocast_derive_fitter_fit(fitter, sweeps, known, ISOCAST_FAVOURED_NONE, &found.sweeps);
    }
    return status == ISOCAST_OK && found.sweeps.exact ? add(d, capacity, found) : status;
}

isocast_status isocast_derive_pipelines_find(isocast_derived *derived, derive_fitter *fitter) {
    double *sweeps = calloc(derived->record_count + 1, sizeof *sweeps);
    bool *known = calloc(derived->record_count + 1, sizeof *known);
    isocast_status status = sweeps != NULL && known != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
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
                status = look_at_pair(derived, fitter, sweeps, known, &capacity,
                                      (isocast_derived_pipeline){.receive = in, .send = out});
            }
        }
    }
    free(sweeps);
    free(known);
    return status;
}
