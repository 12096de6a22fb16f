#include "turns.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROCESSES_LEAST = 4, /* on fewer all processes are neighbours on a ring */
    PROCESSES_MOST = 2048
};

/* The law over p - 1, where each of its terms has that factor. */
static isocast_law each_of_others(const isocast_law *calls) {
    isocast_law each = *calls;
    each.known = calls->exact && calls->term_count > 0;
    for (size_t i = 0; i < calls->term_count; i++) {
        const char *factor = isocast_law_process_factors[calls->terms[i].process].text;
        each.known = each.known && strcmp(factor, "(p - 1)") == 0;
        each.terms[i].process = 0;
    }
    each.guard = ISOCAST_GUARD_PROCESSES;
    return each.known ? each : (isocast_law){0};
}

/* Whether each process sends equally often to each other one, or gets as much. counts: [p][p], 0.
 */
static bool goes_to_all(const isocast_record *record, const isocast_site_key *site,
                        double *counts) {
    size_t p = record->process_count;
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        const isocast_site_key here = {.site = &record->sites[call->site],
                                       .operation = call->operation};
        if (isocast_call_sends_nothing(call) || !isocast_site_key_same(&here, site)) {
            continue;
        }
        const isocast_record_communicator *c =
            call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
        if (call->merged || c == NULL || c->remote_size > 0 || call->partner < 0) {
            return false;
        }
        counts[call->process * p + c->members[call->partner]] += call->calls;
    }
    bool all = true;
    for (size_t i = 0; i < p * p; i++) {
        all = all && counts[i] == (i / p == i % p ? 0 : counts[1]);
    }
    return all && counts[1] > 0;
}

static isocast_status has_turns(const isocast_derived *d, const isocast_derived_site *site,
                                bool *out) {
    bool any = false;
    bool all = true;
    for (size_t r = 0; r < d->record_count && all; r++) {
        size_t p = d->records[r]->process_count;
        if (p < PROCESSES_LEAST || p > PROCESSES_MOST) {
            continue;
        }
        double *counts = calloc(p * p, sizeof *counts);
        if (counts == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        any = true;
        all = goes_to_all(d->records[r], &site->key, counts);
        free(counts);
    }
    *out = any && all;
    return ISOCAST_OK;
}

/* Whether messages wait for each other: an exchange, or a receive that begins no round with others.
 */
static bool goes_on_after_each(const isocast_derived *d, const isocast_derived_term *term) {
    isocast_record_operation operation = d->sites[term->sites[0]].key.operation;
    isocast_record_class kind = isocast_record_operation_find(operation)->kind;
    bool alone = operation == ISOCAST_RECORD_OPERATION_Recv ||
                 (term->rounds.exact && isocast_law_same(&term->rounds, &term->calls));
    return kind == ISOCAST_RECORD_EXCHANGE || (kind == ISOCAST_RECORD_RECEIVE && alone);
}

/* The sends of the same function that are as many and as long. */
static size_t find_sends(const isocast_derived *d, size_t receives) {
    const isocast_derived_term *term = &d->terms[receives];
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    for (size_t t = 0; t < d->term_count; t++) {
        const isocast_derived_site *other = &d->sites[d->terms[t].sites[0]];
        bool is_send =
            isocast_record_operation_find(other->key.operation)->kind == ISOCAST_RECORD_SEND;
        if (is_send && d->terms[t].count == 1 && d->terms[t].counts_in == SIZE_MAX &&
            strcmp(other->key.site->function, site->key.site->function) == 0 &&
            isocast_law_same(&d->terms[t].calls, &term->calls) &&
            isocast_law_same(&other->size, &site->size)) {
            return t;
        }
    }
    return SIZE_MAX;
}

isocast_status isocast_derive_turns_find(isocast_derived *derived) {
    for (size_t t = 0; t < derived->term_count; t++) {
        isocast_derived_term *term = &derived->terms[t];
        const isocast_derived_site *site = &derived->sites[term->sites[0]];
        isocast_law turns = each_of_others(&term->calls);
        bool exchange =
            isocast_record_operation_find(site->key.operation)->kind == ISOCAST_RECORD_EXCHANGE;
        if (!turns.known || term->count != 1 || !site->size.exact || site->several ||
            !site->everybody || !goes_on_after_each(derived, term)) {
            continue;
        }
        size_t sends = exchange ? t : find_sends(derived, t);
        bool is = false;
        isocast_status status =
            sends != SIZE_MAX
                ? has_turns(derived, &derived->sites[derived->terms[sends].sites[0]], &is)
                : ISOCAST_OK;
        if (status != ISOCAST_OK) {
            return status;
        }
        if (is) {
            term->turns = turns;
            derived->terms[sends].counts_in = exchange ? SIZE_MAX : t;
        }
    }
    return ISOCAST_OK;
}
