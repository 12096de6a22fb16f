#include "fit_messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit_message_times.h"
#include "fit_network.h"
#include "fit_switches.h"
#include "model/base/known_operation.h"

/* A message without latency, or without bytes: one that has next to none. */
static const double ratio_least = 1e-6;
/* A range from one size to so many times that may have a few points from both sides of a switch. */
static const double narrow = 1.2;

static bool is_of(const samples *s, const fit_summary *item, isocast_known_operation_id id) {
    return strcmp(s->operations[item->operation], isocast_known_operations[id].name) == 0;
}

/* Messages go from process 0 to the last one and back; the way back may be another one. */
static fit_point point_of(const fit_network_map *map, const fit_summary *sent, double rest) {
    int last = fit_network_node(map, sent->nodes, sent->p_node, (int)sent->p - 1);
    fit_link route[FIT_ROUTE_MAX];
    double links =
        ((double)fit_route(map, 0, last, route) + (double)fit_route(map, last, 0, route)) / 2;
    bool near = last == 0;
    return (fit_point){.p = sent->p,
                       .m = sent->m,
                       .size = sent->m,
                       .nodes = sent->nodes,
                       .p_node = sent->p_node,
                       .seconds = sent->seconds + rest,
                       .weight = 1,
                       .latency = map->link_latency * (near ? map->near_latency : links),
                       .transfer = (sent->m + FIT_NETWORK_ENVELOPE) * map->link_byte *
                                   (near ? map->near_byte : 1)};
}

static int by_size(const void *left, const void *right) {
    const fit_point *a = left;
    const fit_point *b = right;
    return (a->size > b->size) - (a->size < b->size);
}

static void take_ranges(const fit_network_map *map, const fit_ranges *ranges, fit_link_times *out) {
    out->count = 0;
    for (size_t r = 0; r < ranges->count; r++) {
        const double *terms = ranges->items[r].coefficient;
        double from = r > 0 ? ranges->items[r].from : 0;
        if (r > 0 && r + 1 < ranges->count && ranges->items[r + 1].from < narrow * from) {
            continue;
        }
        out->from[out->count] = from;
        out->latency[out->count] = map->link_latency * fmax(terms[FIT_WAY_LATENCY], ratio_least);
        out->byte[out->count++] = map->link_byte * fmax(terms[FIT_WAY_TRANSFER], ratio_least);
    }
}

/* Both are measured at sizes of their own, where each of them changes. NAN where a size of the one
 * is amid a jump of the other. */
static double rest_of(const fit_message_times *times, double m) {
    static const double jump = 1.5;
    size_t k = 0;
    while (k < times->count && times->m[k] < m) {
        k++;
    }
    if (k < times->count && times->m[k] == m) {
        return times->seconds[k];
    }
    if (k == 0 || k == times->count) {
        return NAN;
    }
    double low = fmin(times->seconds[k - 1], times->seconds[k]);
    double high = fmax(times->seconds[k - 1], times->seconds[k]);
    return high <= jump * low ? fit_message_time(times, m) : NAN;
}

/* Times of one operation at one place. Start from {0}. */
typedef struct placed_times {
    const fit_summary *place; /* NULL: none yet */
    isocast_known_operation_id id;
    fit_message_times times;
} placed_times;

static bool is_at(const fit_summary *item, const fit_summary *place) {
    return item->p == place->p && item->nodes == place->nodes && item->p_node == place->p_node;
}

/* Ways differ from place to place, and so do the times of both parts. False where memory is short.
 */
static bool find_placed(const samples *s, const fit_summaries *all, const fit_summary *place,
                        isocast_known_operation_id id, placed_times *out) {
    if (out->place != NULL && is_at(out->place, place) && out->id == id) {
        return true;
    }
    fit_message_times_free(&out->times);
    *out = (placed_times){.place = place, .id = id};
    for (size_t k = 0; k < all->count; k++) {
        const fit_summary *item = &all->items[k];
        if (is_at(item, place) && is_of(s, item, id) &&
            !fit_message_times_add(&out->times, item->m, item->seconds)) {
            return false;
        }
    }
    fit_message_times_finish(&out->times);
    return true;
}

/* What is left of a message when its sender is free, or how long that takes: the operation that
 * tells it; ISOCAST_KNOWN_OPERATIONS where it is no part of a message. */
static isocast_known_operation_id other_part(const samples *s, const fit_summary *item) {
    if (item->p > 1 && is_of(s, item, ISOCAST_KNOWN_send)) {
        return ISOCAST_KNOWN_recv;
    }
    bool received = item->p > 1 && is_of(s, item, ISOCAST_KNOWN_recv);
    return received ? ISOCAST_KNOWN_send : ISOCAST_KNOWN_OPERATIONS;
}

/* Whole messages, of which one of both parts was measured at each; gives their number, -1 where
 * memory is short. points: shape [all->count]. */
static long put_points(const samples *s, const fit_summaries *all, const fit_network_map *map,
                       fit_point *points) {
    placed_times other = {0};
    long count = 0;
    for (size_t k = 0; k < all->count && count >= 0; k++) {
        const fit_summary *item = &all->items[k];
        isocast_known_operation_id id = other_part(s, item);
        if (id == ISOCAST_KNOWN_OPERATIONS) {
            continue;
        }
        if (!find_placed(s, all, item, id, &other)) {
            count = -1;
            break;
        }
        double rest = rest_of(&other.times, item->m);
        if (!isnan(rest)) {
            points[count++] = point_of(map, item, rest);
        }
    }
    fit_message_times_free(&other.times);
    return count;
}

isocast_status fit_link_times_find(const samples *s, const fit_summaries *all,
                                   const fit_network_map *map, fit_link_times *out) {
    *out = (fit_link_times){.latency = {map->link_latency}, .byte = {map->link_byte}, .count = 1};
    fit_point *points = malloc((all->count + 1) * sizeof *points);
    if (points == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    long found = put_points(s, all, map, points);
    if (found < 0) {
        free(points);
        return ISOCAST_NO_MEMORY;
    }
    size_t count = (size_t)found;
    qsort(points, count, sizeof *points, by_size);
    /* Sizes between two switches are few: without the one or the other term any line fits them. */
    unsigned both = 1U << FIT_WAY_LATENCY | 1U << FIT_WAY_TRANSFER;
    fit_search search = {
        .law = &fit_way_law, .allowed = both, .criterion = {FIT_PENALTY_AKAIKE, 1}, .always = both};
    fit_ranges ranges = {0};
    double score;
    isocast_status status =
        count > 0 ? fit_switches_choose(points, count, &search, &ranges, &score) : ISOCAST_NUMERIC;
    if (status == ISOCAST_OK) {
        take_ranges(map, &ranges, out);
    }
    free(points);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

static size_t range_of(const fit_link_times *times, double bytes) {
    size_t r = 0;
    while (r + 1 < times->count && times->from[r + 1] <= bytes) {
        r++;
    }
    return r;
}

double fit_link_latency(const fit_link_times *times, double bytes) {
    return times->latency[range_of(times, bytes)];
}

double fit_link_transfer(const fit_link_times *times, double bytes) {
    return (bytes + FIT_NETWORK_ENVELOPE) * times->byte[range_of(times, bytes)];
}
