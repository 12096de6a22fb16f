#include "chains.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "replay.h"
#include "rounds.h"

/* On two processes nobody waits for a third one. */
enum { PROCESSES_LEAST = 3 };

/* By how many calls that wait for a message the longest chain is longer than those of a process.
 * NAN: not known. *guessed: the record does not say all that this hangs on. */
static isocast_status look_at(const isocast_record *record, double *longer, bool *guessed) {
    unsigned char *weights = calloc(record->process_count * record->site_count + 1, 1);
    if (weights == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        isocast_record_class kind = isocast_record_operation_find(call->operation)->kind;
        bool receives = (kind == ISOCAST_RECORD_RECEIVE || kind == ISOCAST_RECORD_EXCHANGE) &&
                        !isocast_receives_later(call->operation) &&
                        !isocast_call_sends_nothing(call);
        if (receives || call->operation == ISOCAST_RECORD_OPERATION_Wait ||
            call->operation == ISOCAST_RECORD_OPERATION_Waitall ||
            call->operation == ISOCAST_RECORD_OPERATION_Waitany ||
            call->operation == ISOCAST_RECORD_OPERATION_Waitsome) {
            weights[call->process * record->site_count + call->site] = 1;
        }
    }
    double heaviest;
    double own;
    isocast_status status = isocast_replay_chain(record, weights, false, &heaviest, &own);
    if (status == ISOCAST_OK && isnan(heaviest)) {
        *guessed = true;
        status = isocast_replay_chain(record, weights, true, &heaviest, &own);
    }
    *longer = heaviest - own;
    free(weights);
    return status;
}

/* The steps of pipelines that have terms. */
static double steps_of_pipelines(const isocast_derived *d, const isocast_law_point *at) {
    double steps = 0;
    for (size_t i = 0; i < d->pipeline_count; i++) {
        const isocast_derived_pipeline *pipeline = &d->pipelines[i];
        bool by_fills = pipeline->fills.exact || !pipeline->steps.exact;
        const isocast_law *fills = pipeline->fills.exact ? &pipeline->fills : &pipeline->sweeps;
        steps += by_fills ? isocast_law_value(fills, at) * (at->p - 1)
                          : isocast_law_value(&pipeline->steps, at);
    }
    return steps;
}

/* The receives that are called most, whose size is known; SIZE_MAX: there are none. */
static size_t find_site(const isocast_derived *d) {
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *site = &d->sites[s];
        isocast_record_class kind = isocast_record_operation_find(site->key.operation)->kind;
        bool receives = kind == ISOCAST_RECORD_RECEIVE || kind == ISOCAST_RECORD_EXCHANGE;
        double calls = 0;
        for (size_t r = 0; r < d->record_count; r++) {
            calls = fmax(calls, isocast_law_value(&site->calls, &d->points[r]));
        }
        if (receives && site->calls.known && site->size.known && !site->several && calls > most) {
            best = s;
            most = calls;
        }
    }
    return best;
}

isocast_status isocast_derive_chains_find(isocast_derived *derived, derive_fitter *fitter) {
    derived->chain_site = find_site(derived);
    size_t count = derived->record_count + 1;
    double *longer = calloc(count, sizeof *longer);
    bool *known = calloc(count, sizeof *known);
    isocast_status status = longer != NULL && known != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool all = derived->chain_site != SIZE_MAX;
    bool any = false;
    bool grows = true; /* it goes through all processes once, at least */
    for (size_t r = 0; r < derived->record_count && all && status == ISOCAST_OK; r++) {
        const isocast_law_point *at = &derived->points[r];
        known[r] = derived->records[r]->process_count >= PROCESSES_LEAST;
        if (known[r]) {
            status = look_at(derived->records[r], &longer[r], &derived->chain_guessed);
            all = !isnan(longer[r]);
            longer[r] = fmax(longer[r] - steps_of_pipelines(derived, at), 0);
            grows = grows && longer[r] + 2 >= at->p;
            any = true;
        }
    }
    derived->chain_unknown = !all && any;
    if (all && any && grows && status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, longer, known, ISOCAST_FAVOURED_NONE,
                                           &derived->chain);
    }
    free(longer);
    free(known);
    return status;
}
