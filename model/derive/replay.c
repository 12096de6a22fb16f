#include "replay.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "rounds.h"
#include "walk.h"

enum { PROCESSES_MOST = 256 };

typedef enum action {
    NOTHING,
    SEND,
    RECEIVE,
    POST_RECEIVE,
    EXCHANGE,
    WAIT,     /* for what was posted */
    ASK,      /* likewise, behind the last one in a row */
    PROBE,    /* whether a message is there that is received later */
    FENCE,    /* likewise, and for all processes */
    MEET,     /* all wait for all */
    SPREAD,   /* all wait for the root */
    COLLECT,  /* the root waits for all */
    POST_MEET /* all wait for all at the next WAIT */
} action;

/* What a process does at a site. */
typedef struct place {
    action what;
    size_t to, from;     /* processes; SIZE_MAX: none. The root of collectives is `to`. */
    size_t communicator; /* of collectives */
    bool known;          /* that it has a call */
    bool several;        /* it has calls with other partners, too */
    size_t calls;        /* the last one in the record; SIZE_MAX: none */
} place;

/* Messages from one process to another one: the weight of the chain up to each of them. */
typedef struct line {
    double *sent; /* [count] */
    size_t count, capacity;
    size_t posted, received;
} line;

/* The calls of all in one communicator, one after the other. */
typedef struct meeting {
    double heaviest;
    size_t arrived;
    bool has_root;
} meeting;

typedef struct meetings {
    meeting *items; /* [count] */
    size_t count, capacity;
    size_t size; /* processes */
} meetings;

typedef struct process {
    double chain;
    double own;     /* weight of its calls */
    bool took;      /* a message at this call */
    bool has_begun; /* what it does at the site, and now waits */
    bool asks;      /* whether what was posted has come, and goes on when it has */
    bool has_ended;
} process;

typedef struct replay {
    const isocast_record *record;
    const unsigned char *weights;
    bool guesses;    /* what the record does not say */
    place *places;   /* [process][site] */
    bool *asks;      /* likewise, calls of which only the last one in a row counts */
    size_t *earlier; /* [call_count], the call of the record before it at its place, or SIZE_MAX */
    double *left;    /* [call_count], how often each is still to come */
    isocast_walk walk;
    line *lines;        /* [to][from] */
    meetings *groups;   /* [communicator_count + 1]; the last one is of all processes */
    size_t *joined;     /* [process][group] */
    size_t *parted;     /* likewise */
    process *processes; /* [process_count] */
    bool known;
} replay;

static action of_collective(isocast_record_operation operation, bool *known) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Bcast:
    case ISOCAST_RECORD_OPERATION_Scatter:
    case ISOCAST_RECORD_OPERATION_Scatterv:
        return SPREAD;
    case ISOCAST_RECORD_OPERATION_Reduce:
    case ISOCAST_RECORD_OPERATION_Gather:
    case ISOCAST_RECORD_OPERATION_Gatherv:
        return COLLECT;
    case ISOCAST_RECORD_OPERATION_Scan:
    case ISOCAST_RECORD_OPERATION_Exscan:
        *known = false;
        return MEET;
    case ISOCAST_RECORD_OPERATION_Ibcast:
    case ISOCAST_RECORD_OPERATION_Iscatter:
    case ISOCAST_RECORD_OPERATION_Iscatterv:
    case ISOCAST_RECORD_OPERATION_Ireduce:
    case ISOCAST_RECORD_OPERATION_Igather:
    case ISOCAST_RECORD_OPERATION_Igatherv:
    case ISOCAST_RECORD_OPERATION_Iscan:
    case ISOCAST_RECORD_OPERATION_Iexscan:
        *known = false;
        return POST_MEET;
    default:
        return isocast_starts_collective(operation) ? POST_MEET : MEET;
    }
}

static action action_of(isocast_record_operation operation, bool *known) {
    switch (isocast_record_operation_find(operation)->kind) {
    case ISOCAST_RECORD_SEND:
        return SEND;
    case ISOCAST_RECORD_RECEIVE:
        return isocast_receives_later(operation) ? POST_RECEIVE : RECEIVE;
    case ISOCAST_RECORD_EXCHANGE:
        return EXCHANGE;
    case ISOCAST_RECORD_COLLECTIVE:
        return of_collective(operation, known);
    case ISOCAST_RECORD_CREATION:
        return MEET;
    case ISOCAST_RECORD_COMPLETION:
        break;
    case ISOCAST_RECORD_NEIGHBOUR:
        *known = false;
        return MEET;
    case ISOCAST_RECORD_TEST:
        *known = false;
        return operation == ISOCAST_RECORD_OPERATION_Iprobe ||
                       operation == ISOCAST_RECORD_OPERATION_Improbe
                   ? PROBE
                   : ASK;
    case ISOCAST_RECORD_ONE_SIDED:
    case ISOCAST_RECORD_SETUP:
        return NOTHING;
    }
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Win_fence:
        return FENCE;
    case ISOCAST_RECORD_OPERATION_Wait:
    case ISOCAST_RECORD_OPERATION_Waitall:
        return WAIT;
    case ISOCAST_RECORD_OPERATION_Win_start:
    case ISOCAST_RECORD_OPERATION_Win_post:
    case ISOCAST_RECORD_OPERATION_Win_complete:
    case ISOCAST_RECORD_OPERATION_Win_wait:
        *known = false;
        return NOTHING;
    case ISOCAST_RECORD_OPERATION_Waitany:
    case ISOCAST_RECORD_OPERATION_Waitsome:
        *known = false;
        return WAIT;
    default:
        return NOTHING;
    }
}

/* The process that a rank of a communicator is; SIZE_MAX: none. */
static size_t member(const isocast_record_communicator *c, long rank, bool *known) {
    if (rank == ISOCAST_RECORD_PROC_NULL || rank == ISOCAST_RECORD_NO_PARTNER) {
        return SIZE_MAX;
    }
    bool is = c != NULL && rank >= 0 && (size_t)rank < c->size;
    *known = *known && is;
    return is ? c->members[rank] : SIZE_MAX;
}

/* *certain: it does so, and *known: with whom. */
static place place_of(const isocast_record *record, const isocast_record_call *call, bool *certain,
                      bool *known) {
    const isocast_record_communicator *c =
        call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
    place at = {.what = action_of(call->operation, certain),
                .to = SIZE_MAX,
                .from = SIZE_MAX,
                .communicator = call->communicator};
    *known = *known && !call->merged && (c == NULL || c->remote_size == 0);
    bool of_all = at.what >= MEET;
    *known = *known && (!of_all || c != NULL);
    if (at.what == SEND || at.what == EXCHANGE || of_all) {
        at.to = member(c, call->partner, known);
    }
    if (at.what == RECEIVE || at.what == POST_RECEIVE || at.what == EXCHANGE) {
        at.from = member(c, at.what == EXCHANGE ? call->source : call->partner, known);
    }
    return at;
}

/* Whether the same call always follows on a process behind one that asks, perhaps again and again:
 * then it does not matter how often it found nothing. */
static bool leads_one_way(const isocast_record *record, const isocast_record_call *call) {
    size_t ways = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        ways += way->process == call->process && way->from == call->site && way->to != call->site;
    }
    return ways == 1;
}

static void note_calls(replay *r) {
    for (size_t i = 0; i < r->record->call_count && r->known; i++) {
        const isocast_record_call *call = &r->record->calls[i];
        place *at = &r->places[call->process * r->record->site_count + call->site];
        bool certain = true;
        place own = place_of(r->record, call, &certain, &r->known);
        certain = certain || (own.what == PROBE && leads_one_way(r->record, call));
        r->asks[call->process * r->record->site_count + call->site] =
            own.what == ASK || own.what == PROBE;
        bool first = !at->known;
        bool same =
            own.to == at->to && own.from == at->from && own.communicator == at->communicator;
        bool several = !first && (at->several || !same);
        r->known =
            r->known && (first || own.what == at->what) && (r->guesses || (certain && !several));
        r->earlier[i] = first ? SIZE_MAX : at->calls;
        r->left[i] = call->calls;
        *at = first ? own : *at;
        at->known = true;
        at->several = several;
        at->calls = i;
    }
}

/* Of calls with several partners at one place, the one of which most are to come yet; that has a
 * message for process k, where it waits for one. False: none. */
static bool choose(replay *r, size_t k, place *at) {
    size_t best = SIZE_MAX;
    double most = 0; /* share of its calls */
    for (size_t i = at->calls; i != SIZE_MAX; i = r->earlier[i]) {
        bool known = true;
        place own = place_of(r->record, &r->record->calls[i], &known, &known);
        const line *l =
            own.from != SIZE_MAX ? &r->lines[k * r->record->process_count + own.from] : NULL;
        bool there = at->what != RECEIVE || l == NULL || l->count > l->posted;
        double share = r->left[i] / r->record->calls[i].calls;
        if (share > most && there) {
            best = i;
            most = share;
            at->to = own.to;
            at->from = own.from;
            at->communicator = own.communicator;
        }
    }
    if (best != SIZE_MAX) {
        r->left[best]--;
    }
    return best != SIZE_MAX;
}

static bool send(replay *r, size_t from, size_t to) {
    if (to == SIZE_MAX) {
        return true;
    }
    line *l = &r->lines[to * r->record->process_count + from];
    if (!isocast_array_grow((void **)&l->sent, l->count, &l->capacity, sizeof *l->sent)) {
        return false;
    }
    l->sent[l->count++] = r->processes[from].chain;
    return true;
}

static void post(replay *r, size_t from, size_t to) {
    if (from != SIZE_MAX) {
        r->lines[to * r->record->process_count + from].posted++;
    }
}

/* Takes the messages that were posted; false where one is not there yet. */
static bool take(replay *r, size_t k, size_t from) {
    if (from == SIZE_MAX) {
        return true;
    }
    line *l = &r->lines[k * r->record->process_count + from];
    for (; l->received < l->posted; l->received++) {
        if (l->received >= l->count) {
            return false;
        }
        r->processes[k].chain = fmax(r->processes[k].chain, l->sent[l->received]);
        r->processes[k].took = true;
    }
    return true;
}

static meeting *meeting_at(replay *r, size_t group, size_t index) {
    meetings *m = &r->groups[group];
    while (m->count <= index) {
        if (!isocast_array_grow((void **)&m->items, m->count, &m->capacity, sizeof *m->items)) {
            return NULL;
        }
        m->items[m->count++] = (meeting){0};
    }
    return &m->items[index];
}

static bool arrive(replay *r, size_t k, size_t group, const place *at) {
    size_t groups = r->record->communicator_count + 1;
    meeting *m = meeting_at(r, group, r->joined[k * groups + group]++);
    if (m == NULL) {
        return false;
    }
    bool is_root = at->to == k;
    if (at->what != SPREAD || is_root) {
        m->heaviest = fmax(m->heaviest, r->processes[k].chain);
    }
    m->has_root = m->has_root || is_root;
    m->arrived++;
    return true;
}

/* Whether all that a process waits for in a group have come. */
static bool leave(replay *r, size_t k, size_t group, const place *at) {
    size_t groups = r->record->communicator_count + 1;
    size_t *parted = &r->parted[k * groups + group];
    bool waits = at->what != COLLECT || at->to == k;
    for (; *parted < r->joined[k * groups + group]; (*parted)++) {
        const meeting *m = &r->groups[group].items[*parted];
        bool come = at->what == SPREAD ? m->has_root : m->arrived == r->groups[group].size;
        if (waits && !come) {
            return false;
        }
        r->processes[k].chain =
            waits ? fmax(r->processes[k].chain, m->heaviest) : r->processes[k].chain;
    }
    return true;
}

static bool wait_all(replay *r, size_t k) {
    static const place all = {.what = POST_MEET, .to = SIZE_MAX};
    bool come = true;
    for (size_t from = 0; from < r->record->process_count && come; from++) {
        come = take(r, k, from);
    }
    for (size_t g = 0; g < r->record->communicator_count && come; g++) {
        come = leave(r, k, g, &all);
    }
    return come;
}

/* What a call does before it waits. */
static bool begin(replay *r, size_t k, const place *at) {
    switch (at->what) {
    case SEND:
    case EXCHANGE:
        post(r, at->from, k);
        return send(r, k, at->to);
    case RECEIVE:
    case POST_RECEIVE:
        post(r, at->from, k);
        return true;
    case FENCE:
        return arrive(r, k, r->record->communicator_count, at);
    case MEET:
    case SPREAD:
    case COLLECT:
    case POST_MEET:
        return arrive(r, k, at->communicator, at);
    case NOTHING:
    case WAIT:
    case ASK:
    case PROBE:
        break;
    }
    return true;
}

/* False where it has to wait longer. */
static bool end(replay *r, size_t k, const place *at) {
    switch (at->what) {
    case RECEIVE:
    case EXCHANGE:
        return take(r, k, at->from);
    case WAIT:
        return wait_all(r, k);
    case FENCE:
        return leave(r, k, r->record->communicator_count, at);
    case MEET:
    case SPREAD:
    case COLLECT:
        return leave(r, k, at->communicator, at);
    case NOTHING:
    case SEND:
    case POST_RECEIVE:
    case POST_MEET:
    case ASK:
    case PROBE:
        break;
    }
    return true;
}

/* Computing before the next call, where that is what weighs, s. */
static double weight_of(const replay *r, size_t compute) {
    const isocast_record_compute *way = compute != SIZE_MAX ? &r->record->computes[compute] : NULL;
    return r->weights == NULL && way != NULL && way->times > 0 ? way->time / way->times : 0;
}

/* Goes on with a process as far as nothing holds it up. Returns whether it moved. */
static bool advance(replay *r, size_t k) {
    process *own = &r->processes[k];
    size_t sites = r->record->site_count;
    bool moved = false;
    while (!own->has_ended && r->known) {
        size_t site = k * sites + r->walk.sites[k];
        place *at = &r->places[site];
        double weight = r->weights != NULL ? r->weights[site] : 0;
        if (own->asks && at->what != ASK) {
            if (!wait_all(r, k)) {
                return moved;
            }
            own->asks = false;
            own->chain += own->took && r->weights != NULL;
            own->own += own->took && r->weights != NULL;
        }
        if (!own->has_begun && at->several && !choose(r, k, at)) {
            return moved;
        }
        if (!own->has_begun) {
            /* Sends weigh before they leave, receives when they have come. */
            own->took = false;
            own->chain += at->what == SEND ? weight : 0;
            r->known = begin(r, k, at);
            own->has_begun = true;
        }
        if (!r->known || !end(r, k, at)) {
            return moved;
        }
        /* A wait for sends alone waits for nobody. */
        weight = at->what == WAIT && !own->took ? 0 : weight;
        own->chain += at->what == SEND ? 0 : weight;
        own->own += weight;
        own->has_begun = false;
        own->took = own->took && at->what != ASK;
        own->asks = own->asks || at->what == ASK;
        size_t compute = isocast_walk_step(&r->walk, k);
        own->has_ended = compute == SIZE_MAX;
        own->chain += weight_of(r, compute);
        own->own += weight_of(r, compute);
        moved = true;
    }
    return moved;
}

static double run(replay *r, double *own) {
    size_t p = r->record->process_count;
    bool moved = true;
    while (moved && r->known) {
        moved = false;
        for (size_t k = 0; k < p; k++) {
            moved = advance(r, k) || moved;
        }
    }
    double heaviest = 0;
    *own = 0;
    for (size_t k = 0; k < p; k++) {
        r->known = r->known && r->processes[k].has_ended;
        heaviest = fmax(heaviest, r->processes[k].chain);
        *own = fmax(*own, r->processes[k].own);
    }
    r->known = r->known && isocast_walk_is_whole(&r->walk);
    return r->known ? heaviest : NAN;
}

static void free_all(replay *r) {
    size_t p = r->record->process_count;
    for (size_t i = 0; r->lines != NULL && i < p * p; i++) {
        free(r->lines[i].sent);
    }
    for (size_t g = 0; r->groups != NULL && g <= r->record->communicator_count; g++) {
        free(r->groups[g].items);
    }
    free(r->places);
    isocast_walk_free(&r->walk);
    free(r->lines);
    free(r->groups);
    free(r->joined);
    free(r->parted);
    free(r->earlier);
    free(r->left);
    free(r->processes);
}

isocast_status isocast_replay_chain(const isocast_record *record, const unsigned char *weights,
                                    bool guesses, double *heaviest, double *own) {
    size_t p = record->process_count;
    size_t groups = record->communicator_count + 1;
    *heaviest = NAN;
    *own = NAN;
    if (p > PROCESSES_MOST) {
        return ISOCAST_OK;
    }
    bool *asks = calloc(p * record->site_count + 1, sizeof *asks);
    replay r = {.record = record,
                .asks = asks,
                .weights = weights,
                .guesses = guesses,
                .earlier = calloc(record->call_count + 1, sizeof *r.earlier),
                .left = calloc(record->call_count + 1, sizeof *r.left),
                .places = calloc(p * record->site_count + 1, sizeof *r.places),
                .lines = calloc(p * p + 1, sizeof *r.lines),
                .groups = calloc(groups, sizeof *r.groups),
                .joined = calloc(p * groups + 1, sizeof *r.joined),
                .parted = calloc(p * groups + 1, sizeof *r.parted),
                .processes = calloc(p + 1, sizeof *r.processes)};
    bool made = r.places != NULL && asks != NULL && r.lines != NULL && r.groups != NULL &&
                r.joined != NULL && r.parted != NULL && r.earlier != NULL && r.left != NULL &&
                r.processes != NULL;
    isocast_status status = made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (made) {
        for (size_t g = 0; g < groups; g++) {
            r.groups[g].size = g + 1 < groups ? record->communicators[g].size : p;
        }
        r.known = true;
        note_calls(&r);
        bool walks = false;
        status = isocast_walk_create(record, asks, &r.walk, &walks);
        *heaviest = status == ISOCAST_OK && walks && r.known ? run(&r, own) : NAN;
    }
    free_all(&r);
    free(asks);
    return status;
}
