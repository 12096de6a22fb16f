#include "front.h"

#include <math.h>
#include <stdlib.h>

/* A mix that is allowed, and by what fronts and ranges compare. */
typedef struct entry {
    const isocast_mix *mix;
    size_t offer, index;
    double objective; /* the less the better */
} entry;

static int compare_entries(const void *a, const void *b) {
    const entry *x = a;
    const entry *y = b;
    if (x->mix->spent != y->mix->spent) {
        return x->mix->spent < y->mix->spent ? -1 : 1;
    }
    if (x->objective != y->objective) {
        return x->objective < y->objective ? -1 : 1;
    }
    if (x->offer != y->offer) {
        return x->offer < y->offer ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The mixes that are allowed, by what is spent, then by T or N, or by the value. Free with free().
 */
static entry *sort_mixes(const isocast_offers_request *request,
                         const isocast_offer_search *searches, size_t count, bool by_value,
                         size_t *entry_count) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all += searches[i].mixes.count;
    }
    entry *entries = calloc(all + 1, sizeof *entries);
    size_t kept = 0;
    for (size_t i = 0; entries != NULL && i < count; i++) {
        for (size_t k = 0; k < searches[i].mixes.count; k++) {
            const isocast_mix *mix = &searches[i].mixes.items[k];
            double objective = by_value                                    ? mix->value
                               : isocast_offer_goal_is_size(request->goal) ? -mix->N
                                                                           : mix->T;
            if (!isnan(mix->value)) {
                entries[kept++] = (entry){mix, i, k, objective};
            }
        }
    }
    if (entries != NULL) {
        qsort(entries, kept, sizeof *entries, compare_entries);
    }
    *entry_count = kept;
    return entries;
}

isocast_status isocast_front_find(const isocast_offers_request *request,
                                  const isocast_offer_search *searches, size_t count,
                                  isocast_front *out) {
    size_t entry_count = 0;
    entry *entries = sort_mixes(request, searches, count, false, &entry_count);
    isocast_front_point *points = calloc(entry_count + 1, sizeof *points);
    if (entries == NULL || points == NULL) {
        free(entries);
        free(points);
        return ISOCAST_NO_MEMORY;
    }
    double best = INFINITY;
    size_t kept = 0;
    for (size_t i = 0; i < entry_count; i++) {
        if (entries[i].objective < best) {
            best = entries[i].objective;
            points[kept++] = (isocast_front_point){entries[i].offer, entries[i].index, NAN, NAN};
        }
    }
    free(entries);
    *out = (isocast_front){points, kept};
    return ISOCAST_OK;
}

void isocast_front_free(isocast_front *front) {
    free(front->points);
    *front = (isocast_front){0};
}

size_t isocast_front_shown(const isocast_front *front, size_t shown[ISOCAST_FRONT_SHOWN]) {
    size_t count = front->count < ISOCAST_FRONT_SHOWN ? front->count : ISOCAST_FRONT_SHOWN;
    for (size_t i = 0; i < count; i++) {
        shown[i] = count > 1 ? i * (front->count - 1) / (count - 1) : 0;
    }
    return count;
}

isocast_status isocast_budget_ranges(const isocast_offers_request *request,
                                     const isocast_offer_search *searches, size_t count,
                                     isocast_budget_range **out, size_t *range_count) {
    size_t entry_count = 0;
    entry *entries = sort_mixes(request, searches, count, true, &entry_count);
    isocast_budget_range *ranges = calloc(entry_count + 1, sizeof *ranges);
    if (entries == NULL || ranges == NULL) {
        free(entries);
        free(ranges);
        return ISOCAST_NO_MEMORY;
    }
    const entry *best = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < entry_count; i++) {
        if (best != NULL && !isocast_mix_is_better(entries[i].mix, best->mix)) {
            continue;
        }
        best = &entries[i];
        if (kept > 0 && ranges[kept - 1].offer == best->offer) {
            continue;
        }
        if (kept > 0) {
            ranges[kept - 1].to = best->mix->spent;
            /* Two of one price: the better one rules from there on. */
            kept -= ranges[kept - 1].from == ranges[kept - 1].to;
        }
        if (kept == 0 || ranges[kept - 1].offer != best->offer) {
            ranges[kept++] = (isocast_budget_range){best->mix->spent, request->budget, best->offer};
        }
        ranges[kept - 1].to = request->budget;
    }
    free(entries);
    *out = ranges;
    *range_count = kept;
    return ISOCAST_OK;
}
