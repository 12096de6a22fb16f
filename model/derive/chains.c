#include "chains.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "replay.h"
#include "rounds.h"

/* On two processes nobody waits for a third one: the others tell the law. */
enum { PROCESSES_LEAST = 3 };
/* Of the calls of a process: a chain that is longer by less hardly counts. */
static const double share_least = 0.05;

/* What a record says of chains. */
typedef struct seen_chain {
    bool looks;    /* it has several processes */
    double longer; /* calls that wait for a message in the longest one, beyond those of a process */
    double calls;  /* of a process */
    double computing, own; /* s, likewise the computing; and that of a process */
} seen_chain;

/* NAN: not known. *guessed: the record does not say all that this hangs on. */
static isocast_status look_at(const isocast_record *record, seen_chain *seen, bool *guessed) {
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
    bool guesses = false;
    isocast_status status =
        isocast_replay_chain(record, weights, false, &seen->longer, &seen->calls);
    if (status == ISOCAST_OK && isnan(seen->longer)) {
        guesses = true;
        status = isocast_replay_chain(record, weights, true, &seen->longer, &seen->calls);
    }
    seen->longer -= seen->calls;
    if (status == ISOCAST_OK) {
        status = isocast_replay_chain(record, NULL, guesses, &seen->computing, &seen->own);
        seen->computing -= seen->own;
    }
    *guessed = *guessed || guesses;
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

/* The share of the computing between its calls that is on the way of a chain: NAN where it is not
 * much the same in all records. */
static double share_of(const isocast_derived *d, const seen_chain *seen) {
    static const double near = 0.2;
    double products = 0;
    double squares = 0;
    double all = 0;
    for (int pass = 0; pass < 2; pass++) {
        double share = products / fmax(squares, DBL_MIN);
        for (size_t r = 0; r < d->record_count; r++) {
            if (!seen[r].looks || (d->points[r].p < PROCESSES_LEAST && !d->chain_of_two)) {
                continue;
            }
            const isocast_law *calls = &d->sites[d->chain_site].calls;
            double most = isocast_law_value(&d->chain, &d->points[r]) * seen[r].own /
                          fmax(1, isocast_law_value(calls, &d->points[r]));
            products += pass == 0 ? most * seen[r].computing : 0;
            squares += pass == 0 ? most * most : 0;
            double error = pass == 1 ? seen[r].computing - share * most : 0;
            all += error * error;
        }
    }
    return all <= near * near * squares ? fmax(0, products / squares) : NAN;
}

isocast_status isocast_derive_chains_find(isocast_derived *derived, derive_fitter *fitter) {
    derived->chain_site = find_site(derived);
    derived->chain_share = NAN;
    size_t count = derived->record_count + 1;
    seen_chain *seen = calloc(count, sizeof *seen);
    double *longer = calloc(count, sizeof *longer);
    bool *known = calloc(count, sizeof *known);
    bool made = seen != NULL && longer != NULL && known != NULL;
    isocast_status status = made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool all = derived->chain_site != SIZE_MAX;
    bool any = false;
    size_t looked = 0;
    size_t counting = 0; /* where it is a part of T that is worth a line */
    derived->chain_of_all = true;
    for (size_t r = 0; r < derived->record_count && made; r++) {
        known[r] = derived->records[r]->process_count >= PROCESSES_LEAST;
        any = any || known[r];
    }
    for (size_t r = 0; r < derived->record_count && all && status == ISOCAST_OK; r++) {
        const isocast_law_point *at = &derived->points[r];
        seen[r].looks = derived->records[r]->process_count > 1;
        if (seen[r].looks) {
            status = look_at(derived->records[r], &seen[r], &derived->chain_guessed);
            all = !isnan(seen[r].longer);
            longer[r] = fmax(seen[r].longer - steps_of_pipelines(derived, at), 0);
            derived->chain_of_all = derived->chain_of_all && (!known[r] || longer[r] + 2 >= at->p);
            looked++;
            counting += longer[r] > share_least * seen[r].calls;
        }
    }
    derived->chain_unknown = !all && any && derived->chain_site != SIZE_MAX;
    if (all && any && 2 * counting >= looked && status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, longer, known, ISOCAST_FAVOURED_CHAIN,
                                           &derived->chain);
    }
    derived->chain_of_two = made && derived->chain.known;
    for (size_t r = 0; r < derived->record_count && derived->chain_of_two; r++) {
        double value = isocast_law_value(&derived->chain, &derived->points[r]);
        derived->chain_of_two = !seen[r].looks || known[r] || value == longer[r];
    }
    if (status == ISOCAST_OK && derived->chain.known && derived->pipeline_count == 0) {
        derived->chain_share = share_of(derived, seen);
    }
    free(seen);
    free(longer);
    free(known);
    return status;
}
