#include "flows.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* What the answers of a message take of the way back, as the simulator counts them. */
static const double answers = 0.05;
/* s, and relative: times and bytes that differ by rounding alone are one. */
static const double rounding = 1e-13;
static const double bytes_rounding = 1e-9;
/* Of what messages want of the backplane, or of their number: a change that counts. */
static const double level_tolerance = 0.005;

static const size_t nowhere = (size_t)-1;
enum { FAIR_ROUNDS = 4, DIVIDING_PASSES = 6, PARTNERS_FEW = 4, FIRST_TABLE = 1024 };

int quick_flows_begin(quick_flows *f, int nodes, double link, const double *memory,
                      double near_rate, double backplane) {
    size_t n = (size_t)nodes;
    *f = (quick_flows){.nodes = nodes,
                       .near_rate = near_rate,
                       .backplane = backplane / (1 + answers),
                       .level = INFINITY,
                       .links = calloc(3 * n, sizeof *f->links),
                       .changed = calloc(3 * n, sizeof *f->changed),
                       .table = calloc(FIRST_TABLE, sizeof(quick_bundle *)),
                       .capacity = FIRST_TABLE};
    if (f->links == NULL || f->changed == NULL || f->table == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        f->links[i].width = f->links[n + i].width = link;
        f->links[2 * n + i].width = memory[i] / (1 + answers);
    }
    return true;
}

void quick_flows_free(quick_flows *f) {
    for (size_t i = 0; i < f->capacity && f->table != NULL; i++) {
        if (f->table[i] != NULL) {
            free(f->table[i]->flows);
            free(f->table[i]);
        }
    }
    for (size_t i = 0; i < 3 * (size_t)f->nodes && f->links != NULL; i++) {
        free(f->links[i].bundles);
    }
    free(f->table);
    free(f->links);
    free(f->changed);
    free(f->next);
    *f = (quick_flows){0};
}

static bool is_near(const quick_bundle *b) {
    return b->from == b->to;
}

/* One of the two links of a bundle; a message within a node has its memory alone. */
static quick_link *link_of(const quick_flows *f, const quick_bundle *b, int which) {
    size_t n = (size_t)f->nodes;
    return is_near(b)   ? &f->links[2 * n + (size_t)b->from]
           : which == 0 ? &f->links[b->from]
                        : &f->links[n + (size_t)b->to];
}

static size_t place_of(const quick_flows *f, int from, int to) {
    uint64_t key = (uint64_t)from * (uint64_t)f->nodes + (uint64_t)to;
    size_t at = (size_t)((key * 0x9E3779B97F4A7C15U) >> 20) & (f->capacity - 1);
    while (f->table[at] != NULL && (f->table[at]->from != from || f->table[at]->to != to)) {
        at = (at + 1) & (f->capacity - 1);
    }
    return at;
}

static bool grow_table(quick_flows *f) {
    quick_bundle **old = f->table;
    size_t capacity = f->capacity;
    quick_bundle **larger = calloc(2 * capacity, sizeof(quick_bundle *));
    if (larger == NULL) {
        return false;
    }
    f->table = larger;
    f->capacity = 2 * capacity;
    for (size_t i = 0; i < capacity; i++) {
        if (old[i] != NULL) {
            f->table[place_of(f, old[i]->from, old[i]->to)] = old[i];
        }
    }
    free(old);
    return true;
}

static quick_bundle *find_bundle(quick_flows *f, int from, int to) {
    if (2 * (f->bundles + 1) > f->capacity && !grow_table(f)) {
        return NULL;
    }
    quick_bundle **place = &f->table[place_of(f, from, to)];
    if (*place == NULL) {
        *place = calloc(1, sizeof **place);
        if (*place != NULL) {
            **place = (quick_bundle){.from = from, .to = to, .ends = nowhere};
            f->bundles++;
        }
    }
    return *place;
}

static void change(quick_flows *f, quick_link *link) {
    if (!link->is_changed) {
        link->is_changed = true;
        f->changed[f->changed_count++] = (size_t)(link - f->links);
    }
}

static void serve(quick_bundle *b, double now) {
    b->served += b->rate * fmax(now - b->time, 0);
    b->time = now;
}

static bool join(quick_link *link, quick_bundle *b, int which) {
    if (link->count == link->room) {
        size_t room = 2 * link->room + 4;
        quick_bundle **bundles = realloc(link->bundles, room * sizeof(quick_bundle *));
        if (bundles == NULL) {
            return false;
        }
        link->bundles = bundles;
        link->room = room;
    }
    b->at[which] = link->count;
    link->bundles[link->count++] = b;
    return true;
}

static void part(quick_flows *f, quick_link *link, const quick_bundle *b, int which) {
    quick_bundle *last = link->bundles[--link->count];
    link->bundles[b->at[which]] = last;
    last->at[link_of(f, last, 0) == link ? 0 : 1] = b->at[which];
}

/* Counts messages in or out of the links of a bundle. */
static void count(quick_flows *f, const quick_bundle *b, bool more) {
    int links = is_near(b) ? 1 : 2;
    for (int which = 0; which < links; which++) {
        quick_link *link = link_of(f, b, which);
        link->flows = more ? link->flows + 1 : link->flows - 1;
        change(f, link);
        /* What comes back is on the other link of the node. */
        if (links == 2) {
            size_t n = (size_t)f->nodes;
            change(f, &f->links[which == 0 ? n + (size_t)b->from : (size_t)b->to]);
        }
    }
    if (links == 2) {
        f->between = more ? f->between + 1 : f->between - 1;
    }
}

int quick_flows_add(quick_flows *f, int from, int to, double bytes, void *message, double now) {
    quick_bundle *b = find_bundle(f, from, to);
    if (b == NULL) {
        return false;
    }
    if (b->count == b->room) {
        size_t room = 2 * b->room + 4;
        quick_flow *flows = realloc(b->flows, room * sizeof *flows);
        if (flows == NULL) {
            return false;
        }
        b->flows = flows;
        b->room = room;
    }
    serve(b, now);
    if (b->count == 0) {
        b->served = 0;
        b->rate = 0;
        for (int which = 0; which < (is_near(b) ? 1 : 2); which++) {
            if (!join(link_of(f, b, which), b, which)) {
                return false;
            }
        }
    }
    quick_flow new = {b->served + bytes, message};
    size_t at = b->count++;
    for (; at > 0 && new.target < b->flows[(at - 1) / 2].target; at = (at - 1) / 2) {
        b->flows[at] = b->flows[(at - 1) / 2];
    }
    b->flows[at] = new;
    count(f, b, true);
    return true;
}

void quick_flows_set_memory(quick_flows *f, int node, double rate) {
    quick_link *link = &f->links[2 * (size_t)f->nodes + (size_t)node];
    link->width = rate / (1 + answers);
    change(f, link);
}

static void *take_flow(quick_bundle *b) {
    void *message = b->flows[0].message;
    quick_flow last = b->flows[--b->count];
    size_t at = 0;
    for (size_t next = 1; next < b->count; next = 2 * at + 1) {
        next += next + 1 < b->count && b->flows[next + 1].target < b->flows[next].target;
        if (last.target <= b->flows[next].target) {
            break;
        }
        b->flows[at] = b->flows[next];
        at = next;
    }
    b->flows[at] = last;
    return message;
}

/* What a message of a bundle gets, as far as links are known, but for one of them. A full link also
 * holds up messages whose answers alone pass it, as in the simulator. */
static double share_of(const quick_flows *f, const quick_bundle *b, const quick_link *but) {
    size_t n = (size_t)f->nodes;
    const quick_link *const links[] = {link_of(f, b, 0), link_of(f, b, 1), &f->links[b->to],
                                       &f->links[n + (size_t)b->from]};
    double least = INFINITY;
    for (size_t i = 0; i < (is_near(b) ? 1 : sizeof links / sizeof links[0]); i++) {
        least = links[i] != but ? fmin(least, links[i]->fair) : least;
    }
    return least;
}

/* Takes off a link what messages get that other links hold up below `fair`: those that pass it, or
 * answer over it. */
static void take_held_up(const quick_flows *f, const quick_link *link, const quick_link *of,
                         double weight, double fair, double *left, double *sharing) {
    for (size_t i = 0; i < of->count; i++) {
        const quick_bundle *b = of->bundles[i];
        double elsewhere = is_near(b) ? INFINITY : share_of(f, b, link);
        *left -= elsewhere < fair ? weight * (double)b->count * elsewhere : 0;
        *sharing += elsewhere < fair ? 0 : weight * (double)b->count;
    }
}

/* The link of the other way of a node, whose messages answer over this one. */
static const quick_link *back_of(const quick_flows *f, const quick_link *link) {
    size_t n = (size_t)f->nodes;
    size_t at = (size_t)(link - f->links);
    return at < n ? link + n : at < 2 * n ? link - n : NULL;
}

/* What each message of a link gets, where those that other links hold up leave the rest. */
static double divide(const quick_flows *f, const quick_link *link) {
    const quick_link *back = back_of(f, link);
    double fair = link->fair;
    for (int round = 0; round < FAIR_ROUNDS; round++) {
        double left = link->width;
        double sharing = 0;
        take_held_up(f, link, link, 1, fair, &left, &sharing);
        if (back != NULL) {
            take_held_up(f, link, back, answers, fair, &left, &sharing);
        }
        double next = sharing > 0 ? left / sharing : fair;
        if (!(next > fair * (1 + bytes_rounding))) {
            break;
        }
        fair = next;
    }
    return fair;
}

static void move_end(quick_flows *f, quick_bundle *b, size_t at) {
    f->next[at] = b;
    b->ends = at;
}

/* Puts a bundle where its end belongs among those that end next. */
static void order(quick_flows *f, quick_bundle *b) {
    size_t at = b->ends;
    while (at > 0 && b->end < f->next[(at - 1) / 2]->end) {
        move_end(f, f->next[(at - 1) / 2], at);
        at = (at - 1) / 2;
    }
    for (size_t next = 2 * at + 1; next < f->next_count; next = 2 * at + 1) {
        next += next + 1 < f->next_count && f->next[next + 1]->end < f->next[next]->end;
        if (b->end <= f->next[next]->end) {
            break;
        }
        move_end(f, f->next[next], at);
        at = next;
    }
    move_end(f, b, at);
}

static bool has_place(quick_flows *f, quick_bundle *b) {
    if (b->ends != nowhere) {
        return true;
    }
    if (f->next_count == f->next_room) {
        size_t room = 2 * f->next_room + 64;
        quick_bundle **next = realloc(f->next, room * sizeof(quick_bundle *));
        if (next == NULL) {
            return false;
        }
        f->next = next;
        f->next_room = room;
    }
    b->end = INFINITY;
    move_end(f, b, f->next_count++);
    return true;
}

/* Links would give so much to all messages of a bundle, B/s. */
static void want(quick_flows *f, quick_bundle *b, double counts) {
    f->wanted += counts - b->counts;
    b->counts = counts;
}

static void move_at(quick_flows *f, quick_bundle *b, double rate, double now) {
    serve(b, now);
    b->rate = rate;
    b->end = b->count > 0 ? now + fmax(b->flows[0].target - b->served, 0) / rate : INFINITY;
    order(f, b);
}

static void set_rate(quick_flows *f, quick_bundle *b, double now) {
    b->wants = share_of(f, b, NULL);
    if (!is_near(b)) {
        want(f, b, (double)b->count * b->wants);
    }
    move_at(f, b, fmin(b->wants, is_near(b) ? f->near_rate : f->level), now);
}

/* What a message of the backplane gets where those that want less leave the rest; INFINITY: all
 * that they want. Begins at equal parts, and rises with each round. */
static double find_level(quick_flows *f) {
    double wanted = INFINITY;
    double level = f->backplane / (double)f->between;
    for (double before = 0; level > before * (1 + bytes_rounding);) {
        double left = f->backplane;
        double sharing = 0;
        wanted = 0;
        for (int node = 0; node < f->nodes; node++) {
            for (size_t i = 0; i < f->links[node].count; i++) {
                const quick_bundle *b = f->links[node].bundles[i];
                bool less = b->wants < level;
                wanted += b->counts;
                left -= less ? b->counts : 0;
                sharing += less ? 0 : (double)b->count;
            }
        }
        before = level;
        level = sharing > 0 ? left / sharing : INFINITY;
    }
    f->wanted = wanted;
    return wanted > f->backplane ? level : INFINITY;
}

/* Divides the backplane again once enough has changed. */
static void share_backplane(quick_flows *f, double now) {
    double more = fabs(f->wanted - f->level_wanted);
    double others = fabs((double)f->between - (double)f->level_between);
    if ((f->wanted <= f->backplane && isinf(f->level)) ||
        (more <= level_tolerance * f->wanted && others <= level_tolerance * (double)f->between)) {
        return;
    }
    double before = f->level;
    f->level = f->between > 0 ? find_level(f) : INFINITY;
    f->level_wanted = f->wanted;
    f->level_between = f->between;
    for (int node = 0; node < f->nodes; node++) {
        for (size_t i = 0; i < f->links[node].count; i++) {
            quick_bundle *b = f->links[node].bundles[i];
            if (b->wants > fmin(before, f->level)) {
                move_at(f, b, fmin(b->wants, f->level), now);
            }
        }
    }
}

/* Links that messages of a changed link also pass, or answer over: what they get changes, too.
 * Where a node exchanges with many others, one of them counts for little. */
static void change_neighbours(quick_flows *f) {
    size_t n = (size_t)f->nodes;
    size_t count = f->changed_count;
    for (size_t i = 0; i < count; i++) {
        const quick_link *link = &f->links[f->changed[i]];
        for (size_t k = 0; k < link->count && link->count <= PARTNERS_FEW; k++) {
            const quick_bundle *b = link->bundles[k];
            if (!is_near(b)) {
                change(f, &f->links[b->from]);
                change(f, &f->links[n + (size_t)b->to]);
                change(f, &f->links[b->to]);
                change(f, &f->links[n + (size_t)b->from]);
            }
        }
    }
}

/* Messages that answer over a link. */
static size_t answering_on(const quick_flows *f, size_t at) {
    size_t n = (size_t)f->nodes;
    return at < n ? f->links[at + n].flows : at < 2 * n ? f->links[at - n].flows : 0;
}

double quick_flows_end(quick_flows *f, double now) {
    change_neighbours(f);
    quick_link *links = f->links;
    if (links == NULL) {
        return INFINITY;
    }
    for (size_t i = 0; i < f->changed_count; i++) {
        quick_link *link = &links[f->changed[i]];
        double answering = answers * (double)answering_on(f, f->changed[i]);
        link->fair = link->width / ((double)link->flows + answering);
    }
    /* All by the same state, so that it does not matter which is the first. */
    bool differs = true;
    for (int pass = 0; pass < DIVIDING_PASSES && differs; pass++) {
        differs = false;
        for (size_t i = 0; i < f->changed_count; i++) {
            quick_link *link = &links[f->changed[i]];
            link->next_fair = divide(f, link);
        }
        for (size_t i = 0; i < f->changed_count; i++) {
            quick_link *link = &links[f->changed[i]];
            differs = differs || link->fair != link->next_fair;
            link->fair = link->next_fair;
        }
    }
    for (size_t i = 0; i < f->changed_count; i++) {
        quick_link *link = &links[f->changed[i]];
        for (size_t k = 0; k < link->count; k++) {
            if (!has_place(f, link->bundles[k])) {
                return NAN;
            }
            set_rate(f, link->bundles[k], now);
        }
        link->is_changed = false;
    }
    f->changed_count = 0;
    share_backplane(f, now);
    return f->next_count > 0 ? f->next[0]->end : INFINITY;
}

void *quick_flows_take(quick_flows *f, double now) {
    while (f->next_count > 0 && f->next[0]->end <= now + rounding) {
        quick_bundle *b = f->next[0];
        serve(b, now);
        if (b->count > 0 &&
            b->flows[0].target <= b->served * (1 + bytes_rounding) + bytes_rounding) {
            void *message = take_flow(b);
            count(f, b, false);
            b->end = b->count > 0 ? now : INFINITY; /* until its rate is found again */
            order(f, b);
            if (b->count == 0) {
                want(f, b, 0);
            }
            for (int which = 0; which < (is_near(b) ? 1 : 2) && b->count == 0; which++) {
                part(f, link_of(f, b, which), b, which);
            }
            return message;
        }
        b->end = b->count > 0 ? now + (b->flows[0].target - b->served) / b->rate : INFINITY;
        order(f, b);
        if (!(b->end > now + rounding) && b->count > 0) {
            b->served = b->flows[0].target; /* the rest is less than a step of the clock */
            b->end = now;
        }
    }
    return NULL;
}
