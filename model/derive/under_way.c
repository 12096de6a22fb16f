#include "under_way.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "rounds.h"
#include "walk.h"

/* A share of the computing that is worth a term. */
static const double share_least = 0.05;

enum { STARTED_MOST = 4096 /* requests of a process at once */ };

/* What a process does at a site. */
typedef struct place {
    bool starts;  /* a request, */
    bool moves;   /* of which something is under way */
    bool asks;    /* whether requests have ended */
    double waits; /* requests that a wait is for; 0: it is none */
} place;

typedef struct search {
    const isocast_record *record;
    place *places;                /* [process][site] */
    double *computing;            /* [site], s: done while its requests are under way */
    size_t started[STARTED_MOST]; /* [count], sites, of one process */
    size_t count;
    bool asked;            /* since a call of another kind */
    double meanwhile, all; /* s, computing of all processes */
} search;

static void note_calls(search *s) {
    for (size_t i = 0; i < s->record->call_count; i++) {
        const isocast_record_call *call = &s->record->calls[i];
        place *at = &s->places[call->process * s->record->site_count + call->site];
        bool starts =
            isocast_starts_message(call->operation) || isocast_starts_collective(call->operation);
        at->starts = at->starts || starts;
        at->moves = at->moves || (starts && !isocast_call_sends_nothing(call));
        at->asks = at->asks ||
                   (isocast_record_operation_find(call->operation)->kind == ISOCAST_RECORD_TEST &&
                    call->operation != ISOCAST_RECORD_OPERATION_Iprobe &&
                    call->operation != ISOCAST_RECORD_OPERATION_Improbe);
        if (call->operation == ISOCAST_RECORD_OPERATION_Waitall) {
            at->waits = fmax(at->waits, call->bytes);
        } else if (call->operation == ISOCAST_RECORD_OPERATION_Wait ||
                   call->operation == ISOCAST_RECORD_OPERATION_Waitany) {
            at->waits = 1;
        } else if (call->operation == ISOCAST_RECORD_OPERATION_Waitsome) {
            at->waits = STARTED_MOST;
        }
    }
}

/* A wait is for the requests that were started last. What a process asked for has ended when it
 * goes on with a call of another kind. */
static void note_step(search *s, const place *at, size_t site) {
    s->count = s->asked && !at->asks && at->waits == 0 ? 0 : s->count;
    s->asked = at->asks;
    if (at->starts && s->count < STARTED_MOST) {
        s->started[s->count++] = at->moves ? site : SIZE_MAX;
    }
    s->count -= at->waits < (double)s->count ? (size_t)at->waits : s->count;
}

/* Between calls that start requests a process makes these ready alone. */
static void note_computing(search *s, const isocast_record_compute *way) {
    double time = way->times > 0 ? way->time / way->times : 0;
    bool any = false;
    bool starts = s->places[way->process * s->record->site_count + way->to].starts;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < s->count && !starts; i++) {
        size_t site = s->started[i];
        any = any || site != SIZE_MAX;
        if (site != SIZE_MAX && site != last) {
            s->computing[site] += time;
            last = site;
        }
    }
    s->meanwhile += any ? time : 0;
    s->all += time;
}

static void follow(search *s, isocast_walk *walk, size_t process) {
    size_t compute = 0;
    s->count = 0;
    s->asked = false;
    while (compute != SIZE_MAX) {
        size_t site = walk->sites[process];
        note_step(s, &s->places[process * s->record->site_count + site], site);
        compute = isocast_walk_step(walk, process);
        if (compute != SIZE_MAX) {
            note_computing(s, &s->record->computes[compute]);
        }
    }
}

static const isocast_record *choose(const isocast_derived *d) {
    const isocast_record *best = NULL;
    double most = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double all = 0;
        for (size_t i = 0; i < d->records[r]->compute_count; i++) {
            all += d->records[r]->computes[i].time;
        }
        if (d->records[r]->process_count > 1 && all > most) {
            best = d->records[r];
            most = all;
        }
    }
    return best;
}

static void take(isocast_derived *d, const search *s) {
    d->under_way = s->all > 0 ? s->meanwhile / s->all : 0;
    for (size_t k = 0; k < d->site_count; k++) {
        isocast_derived_site *site = &d->sites[k];
        for (size_t i = 0; i < s->record->site_count; i++) {
            const isocast_site_key here = {.site = &s->record->sites[i],
                                           .operation = site->key.operation};
            site->under_way = site->under_way || (s->computing[i] > share_least * s->all &&
                                                  isocast_site_key_same_place(&here, &site->key));
        }
    }
}

isocast_status isocast_derive_under_way_find(isocast_derived *derived) {
    const isocast_record *record = choose(derived);
    if (record == NULL) {
        return ISOCAST_OK;
    }
    search *s = calloc(1, sizeof *s);
    isocast_walk walk = {0};
    bool known = false;
    isocast_status status =
        s != NULL ? isocast_walk_create(record, NULL, &walk, &known) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        s->record = record;
        s->places = calloc(record->process_count * record->site_count + 1, sizeof *s->places);
        s->computing = calloc(record->site_count + 1, sizeof *s->computing);
        status = s->places != NULL && s->computing != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK && known) {
        note_calls(s);
        for (size_t k = 0; k < record->process_count; k++) {
            follow(s, &walk, k);
        }
        if (isocast_walk_is_whole(&walk)) {
            take(derived, s);
        }
    }
    isocast_walk_free(&walk);
    if (s != NULL) {
        free(s->places);
        free(s->computing);
    }
    free(s);
    return status;
}
