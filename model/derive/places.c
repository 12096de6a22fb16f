#include "places.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/process_grid.h"

enum {
    AXES = 3,
    DIGITS_MOST = 16,
    PROCESSES_MOST = 2048,
    NUMBERINGS_MOST = 5000 /* that are tried */
};

/* Two processes that exchange messages. */
typedef struct pair {
    size_t a, b;
} pair;

typedef struct pairs {
    pair *items; /* [count] */
    size_t count;
    bool several; /* a process has messages of different sizes at one site */
    bool star;    /* one process is in all pairs */
} pairs;

typedef struct search {
    const pairs *partners;
    size_t process_count;
    const size_t *order; /* [AXES]: the axis of the first digits first */
    bool faces;          /* neighbours are so along one axis alone */
    bool around;         /* the ends of an axis are neighbours, too */
    size_t sides[AXES];  /* the shortest first */
    size_t bases[DIGITS_MOST];
    size_t axes[DIGITS_MOST];
    size_t digits;
    size_t tried;
    isocast_place_in_grid *places; /* [process_count] */
} search;

static unsigned axes_between(const isocast_place_in_grid *a, const isocast_place_in_grid *b) {
    unsigned axes = 0;
    for (size_t i = 0; i < AXES; i++) {
        axes |= a->at[i] != b->at[i] ? 1U << i : 0;
    }
    return axes;
}

static void place_all(const search *s) {
    for (size_t r = 0; r < s->process_count; r++) {
        isocast_place_in_grid place = {{0}};
        size_t left = s->process_count;
        size_t rest = r;
        for (size_t d = 0; d < s->digits; d++) {
            left /= s->bases[d];
            size_t axis = s->axes[d];
            place.at[axis] = (unsigned short)(place.at[axis] * s->bases[d] + rest / left);
            rest %= left;
        }
        s->places[r] = place;
    }
}

/* Whether all pairs are neighbours, which have to be so along each axis of several processes. */
static bool all_are_neighbours(const search *s) {
    unsigned axes = 0;
    for (size_t i = 0; i < s->partners->count; i++) {
        const isocast_place_in_grid *a = &s->places[s->partners->items[i].a];
        const isocast_place_in_grid *b = &s->places[s->partners->items[i].b];
        for (size_t k = 0; k < AXES; k++) {
            int apart = abs((int)a->at[k] - (int)b->at[k]);
            if (apart > 1 && !(s->around && apart + 1 == (int)s->sides[k])) {
                return false;
            }
        }
        unsigned between = axes_between(a, b);
        if (s->faces && (between & (between - 1)) != 0) {
            return false;
        }
        axes |= between;
    }
    for (size_t k = 0; k < AXES; k++) {
        if (s->sides[k] > 1 && (axes & 1U << k) == 0) {
            return false;
        }
    }
    return true;
}

static const size_t orders[ISOCAST_ORDERS][AXES] = {
    [ISOCAST_ORDER_WIDTH_FIRST] = {2, 1, 0}, [ISOCAST_ORDER_DEPTH_FIRST] = {0, 1, 2},
    [ISOCAST_ORDER_WDH] = {2, 0, 1},         [ISOCAST_ORDER_HWD] = {1, 2, 0},
    [ISOCAST_ORDER_HDW] = {1, 0, 2},         [ISOCAST_ORDER_DWH] = {0, 2, 1}};

/* Gives each digit, from the first one, a base and an axis, until all sides are whole. */
static bool find_numbering(search *s, const size_t *left) {
    if (left[0] * left[1] * left[2] == 1) {
        s->tried++;
        place_all(s);
        return all_are_neighbours(s);
    }
    for (size_t i = 0; i < AXES && s->digits < DIGITS_MOST; i++) {
        size_t axis = s->order[i];
        for (size_t base = 2; base <= left[axis]; base++) {
            bool is_prime = true;
            for (size_t k = 2; k * k <= base; k++) {
                is_prime = is_prime && base % k != 0;
            }
            if (left[axis] % base != 0 || !is_prime || s->tried >= NUMBERINGS_MOST) {
                continue;
            }
            size_t next[AXES] = {left[0], left[1], left[2]};
            next[axis] /= base;
            s->bases[s->digits] = base;
            s->axes[s->digits] = axis;
            s->digits++;
            if (find_numbering(s, next)) {
                return true;
            }
            s->digits--;
        }
    }
    return false;
}

/* Whether a call is one of a site, or of any site between two of its function. */
static bool is_meant(const isocast_record *record, const isocast_record_call *call,
                     const isocast_site_key *key, bool function) {
    const isocast_record_site *site = &record->sites[call->site];
    if (function) {
        return isocast_record_is_between_two(call->operation) &&
               strcmp(site->function, key->site->function) == 0 &&
               strcmp(site->file, key->site->file) == 0;
    }
    const isocast_site_key here = {.site = site, .operation = call->operation};
    return isocast_site_key_same_place(&here, key);
}

static int by_processes(const void *a, const void *b) {
    const pair *one = a;
    const pair *other = b;
    if (one->a != other->a) {
        return one->a < other->a ? -1 : 1;
    }
    return one->b < other->b ? -1 : one->b > other->b;
}

static void add_partner(const isocast_record *record, const isocast_record_call *call, long partner,
                        pairs *found) {
    const isocast_record_communicator *c =
        call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
    if (partner >= 0 && c != NULL && c->remote_size == 0) {
        size_t other = c->members[partner];
        if (other != call->process) {
            found->items[found->count++] = (pair){call->process, other};
        }
    }
}

/* Of so few processes those on a line have one that is beside all others. */
enum { STAR_LEAST = 4 };

/* One process gets from all others, or deals out to them: a small grid has room for that, too. */
static bool is_star(const pairs *found, size_t process_count) {
    bool first = found->count > 0;
    bool second = first;
    for (size_t i = 0; i < found->count; i++) {
        const pair *at = &found->items[i];
        const pair *one = &found->items[0];
        first = first && (at->a == one->a || at->b == one->a);
        second = second && (at->a == one->b || at->b == one->b);
    }
    return process_count >= STAR_LEAST && (first || second);
}

/* Each pair once. */
static isocast_status list_pairs(const isocast_record *record, const isocast_site_key *key,
                                 bool function, pairs *out) {
    pairs found = {.items = calloc(2 * record->call_count + 1, sizeof *found.items)};
    if (found.items == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    const isocast_record_call *last = NULL;
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (is_meant(record, call, key, function) && !isocast_call_sends_nothing(call)) {
            found.several =
                found.several || (last != NULL && last->process == call->process &&
                                  last->site == call->site && last->bytes != call->bytes);
            last = call;
            bool exchange =
                isocast_record_operation_find(call->operation)->kind == ISOCAST_RECORD_EXCHANGE;
            add_partner(record, call, call->partner, &found);
            add_partner(record, call, exchange ? call->source : ISOCAST_RECORD_NO_PARTNER, &found);
        }
    }
    qsort(found.items, found.count, sizeof *found.items, by_processes);
    size_t kept = 0;
    for (size_t i = 0; i < found.count; i++) {
        if (i == 0 || by_processes(&found.items[i - 1], &found.items[i]) != 0) {
            found.items[kept++] = found.items[i];
        }
    }
    found.count = kept;
    found.star = is_star(&found, record->process_count);
    *out = found;
    return ISOCAST_OK;
}

void isocast_grid_sides(const isocast_record *record, size_t dimensions, size_t *sides) {
    if (record->side_count == dimensions) {
        memcpy(sides, record->sides, sizeof record->sides);
        return;
    }
    size_t processes = record->process_count;
    double p = (double)processes;
    sides[0] = dimensions == 3 ? (size_t)isocast_grid_layers(p) : 1;
    sides[1] = (size_t)isocast_grid_rows(p / (double)sides[0]);
    sides[2] = processes / sides[0] / sides[1];
}

isocast_status isocast_places_try(const isocast_record *record, const isocast_site_key *key,
                                  bool function, size_t dimensions, isocast_place_in_grid *places,
                                  isocast_grid_found *out) {
    pairs partners = {0};
    isocast_grid_found found = {0};
    isocast_status status = ISOCAST_OK;
    memset(places, 0, record->process_count * sizeof *places);
    if (!function || key->site->function[0] != '\0') {
        status = list_pairs(record, key, function, &partners);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    size_t all = record->process_count * (record->process_count - 1);
    found.any = partners.count > 0 && (partners.count < all || partners.several);
    if (partners.count > 0 && !partners.star && record->process_count <= PROCESSES_MOST) {
        search s = {.partners = &partners,
                    .process_count = record->process_count,
                    .order = orders[key->order],
                    .places = places};
        isocast_grid_sides(record, dimensions, s.sides);
        /* Neighbours along faces alone tell most: with edges and corners several numberings fit a
         * small grid. Of three processes around a ring all are neighbours, which tells nothing. */
        for (unsigned way = 0; way < 4 && !found.fits; way++) {
            s.faces = way < 2;
            s.around = way % 2 == 1;
            s.tried = 0;
            s.digits = 0;
            found.fits = find_numbering(&s, s.sides);
        }
        found.faces = found.fits && s.faces;
        found.around = found.fits && s.around;
        found.plain = found.fits && s.tried == 1;
        found.turned = found.fits && s.axes[s.digits - 1] == AXES - 1 && s.axes[0] != AXES - 1;
    }
    free(partners.items);
    *out = found;
    return ISOCAST_OK;
}

isocast_status isocast_places_find(const isocast_record *record, const isocast_site_key *key,
                                   isocast_place_in_grid *places, bool *found) {
    isocast_grid_found by = {0};
    isocast_status status = ISOCAST_OK;
    for (size_t way = 0; way < 2 && !by.fits && status == ISOCAST_OK; way++) {
        status = isocast_places_try(record, key, way == 0, 3, places, &by);
    }
    if (status == ISOCAST_OK && !by.fits) {
        memset(places, 0, record->process_count * sizeof *places);
    }
    if (status == ISOCAST_OK) {
        *found = by.fits || record->process_count == 1;
    }
    return status;
}

/* The place that a call sends to, else the one that it receives from; NULL: it is not known. */
static const isocast_place_in_grid *partner_of(const isocast_record *record,
                                               const isocast_record_call *call,
                                               const isocast_place_in_grid *places) {
    bool exchange = isocast_record_operation_find(call->operation)->kind == ISOCAST_RECORD_EXCHANGE;
    long partner = exchange && call->partner < 0 ? call->source : call->partner;
    const isocast_record_communicator *c =
        call->communicator != SIZE_MAX ? &record->communicators[call->communicator] : NULL;
    bool known = !call->merged && partner >= 0 && c != NULL && c->remote_size == 0;
    return known ? &places[c->members[partner]] : NULL;
}

unsigned isocast_call_axes(const isocast_record *record, const isocast_record_call *call,
                           const isocast_place_in_grid *places) {
    const isocast_place_in_grid *partner = partner_of(record, call, places);
    return partner != NULL ? axes_between(&places[call->process], partner) : ISOCAST_PLACES_UNKNOWN;
}

/* A number of three digits, each 0, 1 or 2 for down, none or up. */
static unsigned way_between(const isocast_place_in_grid *from, const isocast_place_in_grid *to) {
    unsigned way = 0;
    for (size_t i = 0; i < AXES; i++) {
        way = 3 * way + (to->at[i] < from->at[i] ? 0 : to->at[i] == from->at[i] ? 1 : 2);
    }
    return way;
}

/* Adds what one record shows. */
static isocast_status observe_axes(const isocast_record *record, const isocast_site_key *key,
                                   isocast_axes_seen *seen) {
    isocast_place_in_grid *places = calloc(record->process_count + 1, sizeof *places);
    bool found = false;
    isocast_status status =
        places != NULL ? isocast_places_find(record, key, places, &found) : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < record->call_count && status == ISOCAST_OK; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (isocast_call_sends_nothing(call) || !is_meant(record, call, key, false)) {
            continue;
        }
        const isocast_place_in_grid *partner = partner_of(record, call, places);
        seen->unknown = seen->unknown || !found || partner == NULL;
        if (partner != NULL) {
            seen->sets |= 1U << axes_between(&places[call->process], partner);
            seen->ways |= 1U << way_between(&places[call->process], partner);
        }
    }
    free(places);
    return status;
}

isocast_status isocast_site_axes_observe(isocast_record *const *records, size_t count,
                                         const isocast_site_key *key, isocast_axes_seen *seen) {
    isocast_axes_seen all = {0};
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < count && status == ISOCAST_OK; r++) {
        status = observe_axes(records[r], key, &all);
    }
    if (status == ISOCAST_OK) {
        *seen = all;
    }
    return status;
}
