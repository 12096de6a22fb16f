#include "flow.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double isocast_derive_flow_calls(const derive_flow *flow, size_t place, size_t slot) {
    return flow->calls[place * flow->slot_count + slot];
}

bool isocast_derive_item_has(const derive_item *item, size_t place) {
    bool has = item->place == place;
    for (size_t i = 0; i < item->body.count && !has; i++) {
        has = isocast_derive_item_has(&item->body.items[i], place);
    }
    return has;
}

/* ---- places and slots ---- */

static size_t find_place(const derive_flow *f, const isocast_record *record,
                         const isocast_record_call *call) {
    for (size_t i = 0; i < f->place_count; i++) {
        if (isocast_site_key_has_call(&f->derived->sites[i].key, record, call)) {
            return i;
        }
    }
    return SIZE_MAX;
}

static void note_slots(derive_flow *f) {
    const isocast_derived *d = f->derived;
    size_t all = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        all += d->records[r]->process_count;
    }
    f->slots = isocast_pool_take(f->pool, all, sizeof *f->slots);
    f->first_slot = isocast_pool_take(f->pool, d->record_count, sizeof *f->first_slot);
    for (size_t r = 0; r < d->record_count && !f->pool->failed; r++) {
        f->first_slot[r] = f->slot_count;
        for (size_t k = 0; k < d->records[r]->process_count; k++) {
            f->slots[f->slot_count++] = (derive_slot){r, k};
        }
    }
}

static void note_record(derive_flow *f, size_t r) {
    const isocast_record *record = f->derived->records[r];
    size_t *places = isocast_pool_take(f->pool, record->site_count, sizeof *places);
    f->place_of[r] = places;
    for (size_t s = 0; s < record->site_count && places != NULL; s++) {
        places[s] = SIZE_MAX;
    }
    for (size_t i = 0; i < record->call_count && places != NULL; i++) {
        const isocast_record_call *call = &record->calls[i];
        size_t *place = &places[call->site];
        *place = *place == SIZE_MAX ? find_place(f, record, call) : *place;
        if (*place != SIZE_MAX) {
            f->calls[*place * f->slot_count + f->first_slot[r] + call->process] += call->calls;
        }
    }
    for (size_t i = 0; i < record->compute_count && places != NULL; i++) {
        const isocast_record_compute *c = &record->computes[i];
        f->passages[f->passage_count++] = (derive_passage){.slot = f->first_slot[r] + c->process,
                                                           .from = places[c->from],
                                                           .to = places[c->to],
                                                           .times = c->times,
                                                           .time = c->time,
                                                           .squares = c->squares,
                                                           .least = c->least};
    }
}

/* Of one process, in a record. Times in s. */
typedef struct asking {
    double all;     /* of its computing */
    double between; /* of computing between two such calls */
    double squares; /* of each of these times, s^2 */
    double idle;    /* at least, of that: in each turn as much as in the shortest one */
    double found;   /* how often it goes on to another call */
} asking;

/* A message comes at any time between two calls, and so within a long time rather than a short one;
 * it is found at the end. processes: [count]. */
static void take(derive_asks *out, const asking *processes, size_t count) {
    double all = 0;
    double idle = 0;
    double latest = 0;
    for (size_t k = 0; k < count; k++) {
        const asking *own = &processes[k];
        double late = own->between > 0 ? own->found * own->squares / own->between : 0;
        latest = fmax(latest, fmin(late, own->between));
        idle += fmin(own->idle, own->between);
        all += own->all;
    }
    if (all > 0) {
        out->late = fmax(out->late, latest * (double)count / all);
        out->idle = fmax(out->idle, idle / all);
    }
}

/* What asking makes of the computing, by the ways between such calls. */
static void note_asks(derive_flow *f) {
    const isocast_derived *d = f->derived;
    asking *slots = isocast_pool_take(f->pool, f->slot_count, sizeof *slots);
    f->asks = (derive_asks){.site = SIZE_MAX};
    for (size_t s = d->site_count; s-- > 0;) {
        f->asks.site = d->sites[s].hangs_on_time ? s : f->asks.site;
    }
    for (size_t i = 0; i < f->passage_count && slots != NULL && f->asks.site != SIZE_MAX; i++) {
        const derive_passage *one = &f->passages[i];
        asking *own = &slots[one->slot];
        bool from = one->from != SIZE_MAX && d->sites[one->from].hangs_on_time;
        bool to = one->to != SIZE_MAX && d->sites[one->to].hangs_on_time;
        own->all += one->time;
        own->found += from && !to ? one->times : 0;
        if (from && to) {
            own->between += one->time;
            own->squares += one->squares;
            own->idle += one->times * one->least;
        }
    }
    for (size_t r = 0; r < d->record_count && slots != NULL; r++) {
        if (d->records[r]->process_count > 1) {
            take(&f->asks, &slots[f->first_slot[r]], d->records[r]->process_count);
        }
    }
}

/* Asking until a message has come is one call, and computing between is part of what follows. */
static isocast_status join_asks(derive_flow *f) {
    isocast_pool scratch = {0};
    size_t all = f->place_count * f->slot_count;
    double *asked = isocast_pool_take(&scratch, all, sizeof *asked);
    double *time = isocast_pool_take(&scratch, all, sizeof *time);
    size_t kept = 0;
    for (size_t i = 0; i < f->passage_count && !scratch.failed; i++) {
        derive_passage *one = &f->passages[i];
        bool asks = one->from != SIZE_MAX && one->from == one->to &&
                    f->derived->sites[one->from].hangs_on_time;
        if (asks) {
            asked[one->from * f->slot_count + one->slot] += one->times;
            time[one->from * f->slot_count + one->slot] += one->time;
        } else {
            f->passages[kept++] = *one;
        }
    }
    f->passage_count = kept;
    for (size_t i = 0; i < all && !scratch.failed; i++) {
        f->calls[i] -= fmin(asked[i], f->calls[i]);
    }
    for (size_t i = 0; i < kept; i++) {
        derive_passage *one = &f->passages[i];
        size_t at = one->from != SIZE_MAX ? one->from * f->slot_count + one->slot : SIZE_MAX;
        if (at != SIZE_MAX && time[at] > 0 && f->calls[at] > 0) {
            one->time += time[at] * fmin(one->times / f->calls[at], 1);
        }
    }
    isocast_pool_free(&scratch);
    return scratch.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* ---- loops ---- */

/* Places of a part of the program, and which of them lead to which. */
typedef struct region {
    const derive_flow *flow;
    const bool *inside; /* [place_count] */
    size_t begin;       /* ways back to it are those of the loop; SIZE_MAX: there is none */
    bool *around;       /* [place_count][place_count]: ways back past the begin */
    bool *leads;        /* likewise, over any number of ways */
    isocast_pool pool;  /* of what is needed as long as the region */
} region;

static bool goes(const region *g, size_t from, size_t to) {
    size_t way = from * g->flow->place_count + to;
    return g->inside[from] && g->inside[to] && to != g->begin && g->flow->follows[way] &&
           !g->around[way];
}

static bool makes_call(const derive_flow *f, size_t place, size_t slot) {
    return isocast_derive_flow_calls(f, place, slot) > 0;
}

/* Whether a process comes to a part from outside of it there. */
static bool comes_in(const bool *part, const derive_passage *one) {
    return one->to != SIZE_MAX && part[one->to] && (one->from == SIZE_MAX || !part[one->from]);
}

/* Where turns end, processes go on to the begin, but those that never make its call: their turns
 * begin where they come to the loop. Ways there that no other process goes are back from turn to
 * turn. */
static void find_around(region *g) {
    const derive_flow *f = g->flow;
    size_t n = f->place_count;
    size_t *first = isocast_pool_take(&g->pool, f->slot_count, sizeof *first);
    if (first == NULL) {
        return;
    }
    for (size_t s = 0; s < f->slot_count; s++) {
        first[s] = SIZE_MAX;
    }
    for (size_t i = 0; i < f->passage_count; i++) {
        const derive_passage *one = &f->passages[i];
        if (comes_in(g->inside, one) && !makes_call(f, g->begin, one->slot)) {
            first[one->slot] = one->to;
        }
    }
    /* First what such processes go, then what others go as well. */
    for (int others = 0; others < 2; others++) {
        for (size_t i = 0; i < f->passage_count; i++) {
            const derive_passage *one = &f->passages[i];
            bool within = one->from != SIZE_MAX && one->to != SIZE_MAX && g->inside[one->from] &&
                          g->inside[one->to];
            if (within && others == 0 && one->to == first[one->slot]) {
                g->around[one->from * n + one->to] = true;
            } else if (within && others == 1 && makes_call(f, g->begin, one->slot)) {
                g->around[one->from * n + one->to] = false;
            }
        }
    }
}

/* Finds which places lead to which. The pool is to be freed in every case. */
static isocast_status open_region(region *g) {
    size_t n = g->flow->place_count;
    g->leads = isocast_pool_take(&g->pool, n * n, sizeof *g->leads);
    g->around = isocast_pool_take(&g->pool, n * n, sizeof *g->around);
    if (!g->pool.failed && g->begin != SIZE_MAX) {
        find_around(g);
    }
    if (g->pool.failed) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < n * n; i++) {
        g->leads[i] = goes(g, i / n, i % n);
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n && g->inside[k]; i++) {
            for (size_t j = 0; j < n && g->leads[i * n + k]; j++) {
                g->leads[i * n + j] = g->leads[i * n + j] || g->leads[k * n + j];
            }
        }
    }
    return ISOCAST_OK;
}

/* Adds up how often each process goes a way that is meant. times: [slot_count]. */
static void count_ways(const derive_flow *f, bool (*meant)(const void *of, const derive_passage *),
                       const void *of, double *times) {
    for (size_t i = 0; i < f->passage_count; i++) {
        const derive_passage *one = &f->passages[i];
        times[one->slot] += meant(of, one) ? one->times : 0;
    }
}

/* Places that are come to from outside of them: all, or one. */
typedef struct entrance {
    const bool *loop; /* [place_count] */
    size_t place;     /* SIZE_MAX: all */
} entrance;

static bool enters(const void *of, const derive_passage *one) {
    const entrance *e = of;
    return comes_in(e->loop, one) && (e->place == SIZE_MAX || one->to == e->place);
}

/* How often a process comes to a loop: from outside of it. The first call of all is come to once.
 */
static void count_entries(const derive_flow *f, const bool *loop, size_t place, double *times) {
    for (size_t s = 0; s < f->slot_count; s++) {
        times[s] = 0;
    }
    count_ways(f, enters, &(entrance){loop, place}, times);
}

/* Whether a process that begins behind the first call goes back there. */
static bool goes_around(const void *of, const derive_passage *one) {
    const region *g = of;
    return one->from != SIZE_MAX && one->to != SIZE_MAX &&
           g->around[one->from * g->flow->place_count + one->to] &&
           !makes_call(g->flow, g->begin, one->slot);
}

/* The place of a loop that is come to most from outside, and first by all who make its call; the
 * times are scratch. */
static size_t find_header(const derive_flow *f, const bool *loop, double *times) {
    size_t best = SIZE_MAX;
    double most = -1;
    bool all_first = false;
    for (size_t i = 0; i < f->place_count; i++) {
        if (!loop[i]) {
            continue;
        }
        double sum = 0;
        count_entries(f, loop, i, times);
        for (size_t s = 0; s < f->slot_count; s++) {
            sum += times[s];
        }
        bool first = sum > 0;
        for (size_t k = 0; k < f->passage_count && first; k++) {
            const derive_passage *one = &f->passages[k];
            first = !comes_in(loop, one) || one->to == i || !makes_call(f, i, one->slot);
        }
        bool better = first == all_first ? sum > most : first;
        best = better ? i : best;
        most = better ? sum : most;
        all_first = better ? first : all_first;
    }
    return best;
}

static isocast_status add_part(const derive_flow *f, const bool *inside, size_t begin,
                               derive_items *out);

/* Whether a process has each partner once, at each call between two of a part, whenever it comes
 * to the part: then its turns go over the partners. times: scratch. */
static bool goes_over_partners(const derive_flow *f, const bool *part, double *times) {
    bool over = false;
    count_entries(f, part, SIZE_MAX, times);
    for (size_t r = 0; r < f->derived->record_count; r++) {
        const isocast_record *record = f->derived->records[r];
        for (size_t i = 0; i < record->call_count; i++) {
            const isocast_record_call *call = &record->calls[i];
            size_t place = f->place_of[r][call->site];
            if (place == SIZE_MAX || !part[place]) {
                continue;
            }
            size_t slot = f->first_slot[r] + call->process;
            if (!isocast_record_is_between_two(call->operation) ||
                (!isocast_call_sends_nothing(call) && call->calls > times[slot])) {
                return false;
            }
            over = over || isocast_derive_flow_calls(f, place, slot) > times[slot];
        }
    }
    return over;
}

/* A search for the loop inside of another one with the same first call. Arrays are scratch, but
 * `inner`. */
typedef struct inner_search {
    const region *g;
    const bool *loop; /* [place_count] */
    size_t header;
    size_t *sizes;              /* [place_count], of turns that end there */
    size_t *shortest, *longest; /* [slot_count], of the turns of a process */
    double *times;              /* [slot_count] */
    bool *part;                 /* [place_count], that is looked at */
    bool *inner;                /* [place_count], the best one; none is inside of it: nothing */
} inner_search;

/* Adds the turns that end at a call to the part. */
static void add_turn(inner_search *q, size_t latch) {
    size_t n = q->g->flow->place_count;
    for (size_t i = 0; i < n; i++) {
        bool in_turn = i == q->header || i == latch || (q->loop[i] && q->g->leads[i * n + latch]);
        q->part[i] = q->part[i] || in_turn;
    }
}

/* Of each call that leads back to the header, how many calls a turn that ends there has at most;
 * 0: it does not lead back. */
static void measure_turns(inner_search *q) {
    size_t n = q->g->flow->place_count;
    for (size_t latch = 0; latch < n; latch++) {
        if (q->loop[latch] && q->g->flow->follows[latch * n + q->header]) {
            add_turn(q, latch);
        }
        for (size_t i = 0; i < n; i++) {
            q->sizes[latch] += q->part[i];
            q->part[i] = false;
        }
    }
}

/* Adds to the part, for each process, its shortest turns of at least so many calls, where it has
 * longer ones as well. Processes may end them at different calls, as the last one of a line has no
 * neighbour behind it. */
static void add_shortest_turns(inner_search *q, size_t least) {
    const derive_flow *f = q->g->flow;
    for (size_t s = 0; s < f->slot_count; s++) {
        q->shortest[s] = SIZE_MAX;
        q->longest[s] = 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < f->passage_count; k++) {
            const derive_passage *one = &f->passages[k];
            size_t s = one->slot;
            bool back = one->from != SIZE_MAX && one->to == q->header;
            size_t size = back ? q->sizes[one->from] : 0;
            if (pass == 0 && size >= least) {
                q->shortest[s] = size < q->shortest[s] ? size : q->shortest[s];
                q->longest[s] = size > q->longest[s] ? size : q->longest[s];
            } else if (pass == 1 && size == q->shortest[s] && size < q->longest[s]) {
                add_turn(q, one->from);
            }
        }
    }
}

/* Whether all processes of a run that come to a part come to it equally often. times: scratch. */
static bool is_come_to_alike(const derive_flow *f, const bool *part, double *times) {
    bool alike = true;
    double due = 0; /* of the processes of a run before */
    count_entries(f, part, SIZE_MAX, times);
    for (size_t s = 0; s < f->slot_count && alike; s++) {
        due = s == f->first_slot[f->slots[s].record] ? 0 : due;
        alike = due == 0 || times[s] == 0 || times[s] == due;
        due = times[s] > 0 ? times[s] : due;
    }
    return alike;
}

/* How processes come back to the header of a part. */
typedef struct returns {
    bool both; /* one comes from within it, and from the rest of the loop as well: where each does
                * one or the other, these are ways through one turn */
    bool all_both; /* so does each that comes back from several calls: where some do not, the turns
                    * of a process that makes few calls have been taken for those of all */
} returns;

static returns find_returns(const inner_search *q) {
    const derive_flow *f = q->g->flow;
    enum { WITHIN = 1, REST = 2, SEVERAL = 4 };
    returns out = {false, true};
    memset(q->times, 0, f->slot_count * sizeof *q->times);
    for (size_t i = 0; i < f->passage_count; i++) {
        const derive_passage *one = &f->passages[i];
        if (one->from != SIZE_MAX && one->to == q->header && q->loop[one->from]) {
            unsigned seen = (unsigned)q->times[one->slot];
            seen |= (seen != 0 ? SEVERAL : 0U) | (q->part[one->from] ? WITHIN : REST);
            q->times[one->slot] = seen;
        }
    }
    for (size_t s = 0; s < f->slot_count; s++) {
        unsigned seen = (unsigned)q->times[s];
        bool both = (seen & WITHIN) != 0 && (seen & REST) != 0;
        out.both = out.both || both;
        out.all_both = out.all_both && (both || (seen & SEVERAL) == 0);
    }
    return out;
}

/* Whether the rest of a loop has loops beside a part of it, or the part goes over the partners of a
 * process. times: scratch. */
static bool may_be_inner(const region *g, const bool *loop, const bool *part, double *times) {
    size_t n = g->flow->place_count;
    bool any_left = false;
    bool left_loops = false;
    for (size_t i = 0; i < n; i++) {
        bool left = loop[i] && !part[i];
        any_left = any_left || left;
        left_loops = left_loops || (left && g->leads[i * n + i]);
    }
    return any_left && (left_loops || goes_over_partners(g->flow, part, times));
}

/* Takes the part where it may be the inner loop, and no other one is known or all processes come
 * to it equally often. Whether the search ends. */
static bool try_part(inner_search *q) {
    const derive_flow *f = q->g->flow;
    const returns back = q->part[q->header] ? find_returns(q) : (returns){false, false};
    bool is = back.both && may_be_inner(q->g, q->loop, q->part, q->times);
    bool alike = is && back.all_both && is_come_to_alike(f, q->part, q->times);
    if (alike || (is && !q->inner[q->header])) {
        memcpy(q->inner, q->part, f->place_count * sizeof *q->inner);
    }
    memset(q->part, 0, f->place_count * sizeof *q->part);
    return alike;
}

/* The shortest turns that lead back to the first call and that all processes come to equally often:
 * first those that end at one call, then those of each process. Where there are none, the shortest
 * ones. Where no turns may be a loop, nothing is inside. inner: [place_count], false, out. */
static isocast_status find_inner(region *g, const bool *loop, size_t header, bool *inner) {
    const derive_flow *f = g->flow;
    size_t n = f->place_count;
    inner_search q = {.g = g,
                      .loop = loop,
                      .header = header,
                      .sizes = isocast_pool_take(&g->pool, n, sizeof *q.sizes),
                      .shortest = isocast_pool_take(&g->pool, f->slot_count, sizeof *q.shortest),
                      .longest = isocast_pool_take(&g->pool, f->slot_count, sizeof *q.longest),
                      .times = isocast_pool_take(&g->pool, f->slot_count, sizeof *q.times),
                      .part = isocast_pool_take(&g->pool, n, sizeof *q.part),
                      .inner = inner};
    if (g->pool.failed) {
        return ISOCAST_NO_MEMORY;
    }
    measure_turns(&q);
    bool found = false;
    for (size_t size = 1; size <= n && !found; size++) {
        for (size_t latch = 0; latch < n && !found; latch++) {
            if (q.sizes[latch] == size) {
                add_turn(&q, latch);
                found = try_part(&q);
            }
        }
    }
    for (size_t size = 1; size <= n && !found; size++) {
        add_shortest_turns(&q, size);
        found = try_part(&q);
    }
    return ISOCAST_OK;
}

/* NULL where memory is short. */
static derive_item *add_place(const derive_flow *f, size_t place, derive_items *out) {
    if (out->count == out->capacity) {
        size_t capacity = out->capacity > 0 ? 2 * out->capacity : 4;
        derive_item *items = isocast_pool_take(f->pool, capacity, sizeof *items);
        if (items == NULL) {
            return NULL;
        }
        if (out->count > 0) {
            memcpy(items, out->items, out->count * sizeof *items);
        }
        out->items = items;
        out->capacity = capacity;
    }
    derive_item *item = &out->items[out->count++];
    *item = (derive_item){.place = place,
                          .times = isocast_pool_take(f->pool, f->slot_count, sizeof(double))};
    return item->times != NULL ? item : NULL;
}

/* The turns of a loop, from its first call to the last one. */
static isocast_status add_turns(const derive_flow *f, const bool *loop, derive_item *item) {
    size_t n = f->place_count;
    region g = {.flow = f, .inside = loop, .begin = item->place};
    bool *inner = isocast_pool_take(&g.pool, n, sizeof *inner);
    item->is_loop = true;
    item->turns = isocast_pool_take(f->pool, f->slot_count, sizeof *item->turns);
    isocast_status status = g.pool.failed || f->pool->failed ? ISOCAST_NO_MEMORY : open_region(&g);
    if (status == ISOCAST_OK) {
        count_entries(f, loop, SIZE_MAX, item->times);
        for (size_t s = 0; s < f->slot_count; s++) {
            double calls = isocast_derive_flow_calls(f, item->place, s);
            item->times[s] = calls > 0 && item->times[s] == 0 ? 1 : item->times[s];
            item->turns[s] = calls > 0 ? calls : item->times[s];
        }
        count_ways(f, goes_around, &g, item->turns);
        status = find_inner(&g, loop, item->place, inner);
    }
    if (status == ISOCAST_OK && !inner[item->place]) {
        status = add_part(f, loop, item->place, &item->body);
    } else if (status == ISOCAST_OK) {
        derive_item *first = add_place(f, item->place, &item->body);
        status = first != NULL ? add_turns(f, inner, first) : ISOCAST_NO_MEMORY;
        for (size_t s = 0; s < f->slot_count && status == ISOCAST_OK; s++) {
            item->turns[s] = first->times[s] > 0 ? first->times[s] : item->turns[s];
        }
        for (size_t i = 0; i < n; i++) {
            inner[i] = loop[i] && !inner[i];
        }
        status = status == ISOCAST_OK ? add_part(f, inner, item->place, &item->body) : status;
    }
    isocast_pool_free(&g.pool);
    return status;
}

static isocast_status add_loop(const derive_flow *f, const bool *loop, derive_item *item) {
    item->place = find_header(f, loop, item->times);
    return add_turns(f, loop, item);
}

/* Takes the places that lead to one and back to it, and no other ones are left before. */
static isocast_status add_item(const region *g, bool *left, size_t place, derive_items *out) {
    const derive_flow *f = g->flow;
    size_t n = f->place_count;
    derive_item *item = add_place(f, place, out);
    bool *loop = calloc(n + 1, sizeof *loop);
    isocast_status status = item != NULL && loop != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < n && status == ISOCAST_OK; i++) {
        loop[i] = i == place || (g->leads[place * n + i] && g->leads[i * n + place]);
        left[i] = left[i] && !loop[i];
    }
    if (status == ISOCAST_OK && g->leads[place * n + place]) {
        status = add_loop(f, loop, item);
    } else if (status == ISOCAST_OK) {
        for (size_t s = 0; s < f->slot_count; s++) {
            item->times[s] = isocast_derive_flow_calls(f, place, s);
        }
    }
    free(loop);
    return status;
}

/* Whether nothing that is left leads to a place but what it leads back to. */
static bool is_next(const region *g, const bool *left, size_t place) {
    size_t n = g->flow->place_count;
    bool next = left[place];
    for (size_t i = 0; i < n && next; i++) {
        next = !left[i] || i == place || !g->leads[i * n + place] || g->leads[place * n + i];
    }
    return next;
}

static bool sends(const derive_flow *f, size_t place) {
    isocast_record_operation operation = f->derived->sites[place].key.operation;
    return isocast_record_operation_find(operation)->kind == ISOCAST_RECORD_SEND;
}

static isocast_status add_part(const derive_flow *f, const bool *inside, size_t begin,
                               derive_items *out) {
    size_t n = f->place_count;
    region g = {.flow = f, .inside = inside, .begin = begin};
    bool *left = isocast_pool_take(&g.pool, n, sizeof *left);
    isocast_status status = open_region(&g);
    for (size_t i = 0; i < n && status == ISOCAST_OK; i++) {
        left[i] = inside[i];
    }
    /* The loop's own first call comes first, also where some turns begin elsewhere. */
    if (status == ISOCAST_OK && begin != SIZE_MAX && inside[begin]) {
        status = add_item(&g, left, begin, out);
    }
    /* Of calls that follow the same one, on different processes, those that send come before those
     * that wait for what is sent. */
    for (bool moved = true; moved && status == ISOCAST_OK;) {
        moved = false;
        for (size_t i = 0; i < 2 * n && status == ISOCAST_OK && !moved; i++) {
            if ((i >= n || sends(f, i)) && is_next(&g, left, i % n)) {
                moved = true;
                status = add_item(&g, left, i % n, out);
            }
        }
    }
    isocast_pool_free(&g.pool);
    return status;
}

/* ---- stretches ---- */

/* Computing between two calls that is less of all is taken as a part of the rest. */
static const double heavy_least = 0.01;
/* More of them, and one that a loop adds to each. */
enum { STRETCHES_MOST = 200 };
/* An even stretch takes this share of its mean time, at least, when it is shortest. Loops that get
 * shorter with each step take less. */
static const double even_least = 0.4;

bool isocast_derive_flow_is_heavy(const derive_flow *flow, double time) {
    return time > heavy_least * flow->time;
}

derive_stretch *isocast_derive_flow_add_stretch(derive_flow *flow, size_t from, size_t to) {
    size_t count = flow->slot_count;
    derive_stretch one = {.from = from,
                          .to = to,
                          .times = isocast_pool_take(flow->pool, count, sizeof(double)),
                          .passes = isocast_pool_take(flow->pool, count, sizeof(double)),
                          .squares = isocast_pool_take(flow->pool, count, sizeof(double)),
                          .least = isocast_pool_take(flow->pool, count, sizeof(double))};
    if (flow->pool->failed || flow->stretch_count == STRETCHES_MOST) {
        return NULL;
    }
    flow->stretches[flow->stretch_count++] = one;
    return &flow->stretches[flow->stretch_count - 1];
}

double isocast_derive_stretch_shortest(const derive_stretch *stretch, size_t slot) {
    return fmin(stretch->passes[slot] * stretch->least[slot], stretch->times[slot]);
}

bool isocast_derive_stretch_is_even(const derive_flow *flow, const derive_stretch *stretch,
                                    bool alone) {
    const isocast_derived *d = flow->derived;
    bool any_alone = false;
    bool even = true;
    for (size_t r = 0; r < d->record_count; r++) {
        any_alone = any_alone || (alone && d->seen[r].alone);
    }
    for (size_t r = 0; r < d->record_count; r++) {
        double time = 0;
        double shortest = 0;
        for (size_t k = 0; k < d->records[r]->process_count; k++) {
            time += stretch->times[flow->first_slot[r] + k];
            shortest += isocast_derive_stretch_shortest(stretch, flow->first_slot[r] + k);
        }
        even = even && ((any_alone && !d->seen[r].alone) || shortest >= even_least * time);
    }
    return even;
}

/* Those that count. */
static isocast_status find_stretches(derive_flow *f) {
    size_t n = f->place_count;
    isocast_pool scratch = {0};
    double *times = isocast_pool_take(&scratch, n * n, sizeof *times);
    f->stretches = isocast_pool_take(f->pool, STRETCHES_MOST, sizeof *f->stretches);
    bool made = times != NULL && f->stretches != NULL;
    for (size_t i = 0; i < f->passage_count && made; i++) {
        const derive_passage *w = &f->passages[i];
        if (w->from != SIZE_MAX && w->to != SIZE_MAX) {
            times[w->from * n + w->to] += w->time;
        }
    }
    for (size_t a = 0; a < n * n && made; a++) {
        derive_stretch *one = NULL;
        if (isocast_derive_flow_is_heavy(f, times[a])) {
            one = isocast_derive_flow_add_stretch(f, a / n, a % n);
            made = one != NULL;
        }
        for (size_t i = 0; i < f->passage_count && one != NULL; i++) {
            const derive_passage *w = &f->passages[i];
            if (w->from == one->from && w->to == one->to) {
                bool first = one->passes[w->slot] == 0;
                one->times[w->slot] += w->time;
                one->passes[w->slot] += w->times;
                one->squares[w->slot] += w->squares;
                one->least[w->slot] = first ? w->least : fmin(one->least[w->slot], w->least);
            }
        }
    }
    for (size_t i = 0; i < f->stretch_count && made; i++) {
        f->stretches[i].is_even = isocast_derive_stretch_is_even(f, &f->stretches[i], true);
    }
    isocast_pool_free(&scratch);
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status isocast_derive_flow_find(isocast_derived *derived, bool *known) {
    isocast_pool *pool = &derived->pool;
    derive_flow *f = isocast_pool_take(pool, 1, sizeof *f);
    size_t n = derived->site_count;
    *known = false;
    derived->flow = f;
    if (f == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *f = (derive_flow){.derived = derived, .place_count = n, .pool = pool};
    f->place_of = isocast_pool_take(pool, derived->record_count, sizeof *f->place_of);
    note_slots(f);
    if (pool->failed || n > DERIVE_PLACES_MOST || n * f->slot_count > DERIVE_CALLS_MOST) {
        return pool->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    size_t ways = 0;
    for (size_t r = 0; r < derived->record_count; r++) {
        ways += derived->records[r]->compute_count;
    }
    f->calls = isocast_pool_take(pool, n * f->slot_count, sizeof *f->calls);
    f->follows = isocast_pool_take(pool, n * n, sizeof *f->follows);
    f->passages = isocast_pool_take(pool, ways, sizeof *f->passages);
    bool *inside = isocast_pool_take(pool, n, sizeof *inside);
    for (size_t r = 0; r < derived->record_count && !pool->failed; r++) {
        note_record(f, r);
    }
    if (!pool->failed) {
        note_asks(f);
    }
    isocast_status status = pool->failed ? ISOCAST_NO_MEMORY : join_asks(f);
    for (size_t i = 0; i < f->passage_count && status == ISOCAST_OK; i++) {
        const derive_passage *one = &f->passages[i];
        f->time += one->time;
        if (one->from != SIZE_MAX && one->to != SIZE_MAX) {
            f->follows[one->from * n + one->to] = true;
        }
    }
    for (size_t i = 0; i < n && status == ISOCAST_OK; i++) {
        inside[i] = true;
    }
    if (status == ISOCAST_OK) {
        status = add_part(f, inside, SIZE_MAX, &f->all);
        *known = status == ISOCAST_OK && n > 0;
    }
    return status == ISOCAST_OK ? find_stretches(f) : status;
}
