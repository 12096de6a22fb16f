#include "walk.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

const double isocast_walk_calls_most = 2e6;

static bool is_left_out(const isocast_walk *w, const isocast_record_compute *c) {
    return w->once != NULL && c->from == c->to &&
           w->once[c->process * w->record->site_count + c->from];
}

static void note_ways(isocast_walk *w) {
    const isocast_record *record = w->record;
    size_t all = record->process_count * record->site_count;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        isocast_walk_place *from = &w->places[c->process * record->site_count + c->from];
        from->count += !is_left_out(w, c);
        from->leaving += is_left_out(w, c) ? 0 : c->times;
    }
    size_t first = 0;
    for (size_t k = 0; k < all; k++) {
        w->places[k].first = first;
        first += w->places[k].count;
        w->places[k].count = 0;
    }
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        isocast_walk_place *from = &w->places[c->process * record->site_count + c->from];
        if (is_left_out(w, c)) {
            continue;
        }
        /* Those that are taken most come first. */
        size_t at = from->first + from->count++;
        while (at > from->first && record->computes[w->ways[at - 1].compute].times < c->times) {
            w->ways[at] = w->ways[at - 1];
            at--;
        }
        w->ways[at] = (isocast_walk_way){.compute = i};
    }
}

/* Processes begin where nothing leads to as often as away from. coming: [process][site]. */
static bool find_begins(isocast_walk *w, double *coming) {
    const isocast_record *record = w->record;
    size_t sites = record->site_count;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        coming[c->process * sites + c->to] += is_left_out(w, c) ? 0 : c->times;
    }
    bool known = true;
    for (size_t k = 0; k < record->process_count; k++) {
        size_t begins = 0;
        for (size_t s = 0; s < sites; s++) {
            if (w->places[k * sites + s].leaving > coming[k * sites + s]) {
                w->sites[k] = s;
                begins++;
            }
        }
        known = known && begins == 1;
    }
    return known;
}

isocast_status isocast_walk_create(const isocast_record *record, const bool *once,
                                   isocast_walk *out, bool *known) {
    size_t all = record->process_count * record->site_count + 1;
    isocast_walk w = {.record = record,
                      .once = once,
                      .places = calloc(all, sizeof *w.places),
                      .ways = calloc(record->compute_count + 1, sizeof *w.ways),
                      .sites = calloc(record->process_count + 1, sizeof *w.sites)};
    double *coming = calloc(all, sizeof *coming);
    bool made = w.places != NULL && w.ways != NULL && w.sites != NULL && coming != NULL;
    if (made) {
        double calls = 0;
        for (size_t i = 0; i < record->compute_count; i++) {
            calls += is_left_out(&w, &record->computes[i]) ? 0 : record->computes[i].times;
        }
        note_ways(&w);
        *known = find_begins(&w, coming) && calls <= isocast_walk_calls_most;
        *out = w;
    } else {
        isocast_walk_free(&w);
    }
    free(coming);
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

void isocast_walk_free(isocast_walk *walk) {
    free(walk->places);
    free(walk->ways);
    free(walk->sites);
}

size_t isocast_walk_step(isocast_walk *walk, size_t process) {
    const isocast_record_compute *computes = walk->record->computes;
    isocast_walk_place *at =
        &walk->places[process * walk->record->site_count + walk->sites[process]];
    at->visits++;
    /* The way that is taken most, unless all others together are behind their even share. Of these
     * it is likewise: what is seldom comes at the end of its turns. */
    isocast_walk_way *best = NULL;
    double visits = at->visits;
    double all = at->leaving;
    for (size_t i = 0; i < at->count && all > 0; i++) {
        isocast_walk_way *one = &walk->ways[at->first + i];
        double times = computes[one->compute].times;
        double others = visits - 1 - one->taken;
        bool is_due = floor(visits * (all - times) / all) > others;
        bool is_left = one->taken < times;
        best = is_left ? one : best;
        if (is_left && !is_due) {
            break;
        }
        visits = others + 1;
        all -= times;
    }
    if (best == NULL) {
        return SIZE_MAX;
    }
    best->taken++;
    walk->sites[process] = computes[best->compute].to;
    return best->compute;
}

bool isocast_walk_is_whole(const isocast_walk *walk) {
    bool whole = true;
    size_t all = walk->record->process_count * walk->record->site_count;
    for (size_t k = 0; k < all; k++) {
        for (size_t i = 0; i < walk->places[k].count; i++) {
            const isocast_walk_way *way = &walk->ways[walk->places[k].first + i];
            whole = whole && way->taken == walk->record->computes[way->compute].times;
        }
    }
    return whole;
}
