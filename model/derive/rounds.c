#include "rounds.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

bool isocast_starts_collective(isocast_record_operation operation) {
    return operation >= ISOCAST_RECORD_OPERATION_Ibarrier &&
           operation <= ISOCAST_RECORD_OPERATION_Iexscan;
}

bool isocast_has_rounds(isocast_record_operation operation) {
    return isocast_receives_later(operation) || isocast_record_is_to_neighbours(operation);
}

bool isocast_receives_later(isocast_record_operation operation) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Irecv:
    case ISOCAST_RECORD_OPERATION_Imrecv:
    case ISOCAST_RECORD_OPERATION_Start_recv:
        return true;
    default:
        return false;
    }
}

bool isocast_starts_message(isocast_record_operation operation) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Isend:
    case ISOCAST_RECORD_OPERATION_Ibsend:
    case ISOCAST_RECORD_OPERATION_Issend:
    case ISOCAST_RECORD_OPERATION_Irsend:
    case ISOCAST_RECORD_OPERATION_Start_send:
    case ISOCAST_RECORD_OPERATION_Start_bsend:
    case ISOCAST_RECORD_OPERATION_Start_ssend:
    case ISOCAST_RECORD_OPERATION_Start_rsend:
        return true;
    default:
        return isocast_receives_later(operation);
    }
}

/* A site on one process. */
typedef struct place {
    double receives; /* that something comes of, and that are waited for later */
    double begun;    /* rounds that begin here */
    double rounds;   /* of which its receives are the first */
    size_t next;     /* the site that most often starts a message after it; SIZE_MAX: none */
    double times;    /* how often that is */
} place;

typedef struct places {
    place *items; /* [process][site] */
    bool *starts; /* [site]: a message */
    bool *meant;  /* [site]: its receives are asked for */
    size_t sites;
} places;

static void free_places(places *p) {
    free(p->items);
    free(p->starts);
    free(p->meant);
}

static isocast_status make_places(const isocast_record *record, places *out) {
    size_t all = record->process_count * record->site_count;
    places p = {.items = calloc(all + 1, sizeof *p.items),
                .starts = calloc(record->site_count + 1, sizeof *p.starts),
                .meant = calloc(record->site_count + 1, sizeof *p.meant),
                .sites = record->site_count};
    if (p.items == NULL || p.starts == NULL || p.meant == NULL) {
        free_places(&p);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < all; i++) {
        p.items[i].next = SIZE_MAX;
    }
    *out = p;
    return ISOCAST_OK;
}

static void note_calls(const isocast_record *record, places *p) {
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        place *at = &p->items[call->process * p->sites + call->site];
        p->starts[call->site] = p->starts[call->site] || isocast_starts_message(call->operation);
        if (isocast_record_is_to_neighbours(call->operation)) {
            /* Each call is a round by itself. */
            at->receives += call->calls * call->neighbours;
            at->rounds += call->neighbours > 0 ? call->calls : 0;
        }
        if (isocast_receives_later(call->operation) && !isocast_call_sends_nothing(call)) {
            at->receives += call->calls;
        }
    }
}

static void note_ways(const isocast_record *record, places *p) {
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        place *own = &p->items[way->process * p->sites];
        if (!p->starts[way->to]) {
            continue;
        }
        if (!p->starts[way->from]) {
            own[way->to].begun += way->times;
        } else if (way->from != way->to && way->times > own[way->from].times) {
            own[way->from].next = way->to;
            own[way->from].times = way->times;
        }
    }
}

/* Gives the rounds of a process to the first receives in them. */
static void give_rounds(place *own, size_t sites) {
    for (size_t s = 0; s < sites; s++) {
        size_t at = s;
        for (size_t steps = 0; steps < sites && at != SIZE_MAX && !(own[at].receives > 0);
             steps++) {
            at = own[at].next;
        }
        if (own[s].begun > 0 && at != SIZE_MAX) {
            own[at].rounds += own[s].begun;
        }
    }
}

isocast_status isocast_rounds_observe(const isocast_record *record, const isocast_site_key *keys,
                                      size_t count, double *out) {
    places p;
    isocast_status status = make_places(record, &p);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t s = 0; s < record->site_count; s++) {
        for (size_t k = 0; k < count; k++) {
            const isocast_site_key key = {.site = &record->sites[s],
                                          .operation = keys[k].operation};
            p.meant[s] = p.meant[s] || isocast_site_key_same_place(&key, &keys[k]);
        }
    }
    note_calls(record, &p);
    note_ways(record, &p);
    double most = 0;
    for (size_t i = 0; i < record->process_count; i++) {
        place *own = &p.items[i * p.sites];
        double rounds = 0;
        double receives = 0;
        give_rounds(own, p.sites);
        for (size_t s = 0; s < p.sites; s++) {
            rounds += p.meant[s] ? own[s].rounds : 0;
            receives += p.meant[s] ? own[s].receives : 0;
        }
        most = fmax(most, fmin(rounds, receives));
    }
    free_places(&p);
    *out = most;
    return ISOCAST_OK;
}
