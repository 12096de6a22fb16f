#include "fit_messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit_switches.h"
#include "model/base/known_operation.h"

/* A message without latency, or without bytes: one that has next to none. */
static const double ratio_most = 1e6;
static const double ratio_least = 1e-12;

static bool is_of(const samples *s, const fit_summary *item, isocast_known_operation_id id) {
    return strcmp(s->operations[item->operation], isocast_known_operations[id].name) == 0;
}

/* Messages go from process 0 to the last one. */
static fit_point point_of(const fit_network_map *map, const fit_summary *sent, double rest) {
    int last = fit_network_node(map, sent->nodes, sent->p_node, (int)sent->p - 1);
    fit_link route[FIT_ROUTE_MAX];
    size_t links = fit_route(map, 0, last, route);
    bool near = last == 0;
    return (fit_point){.p = sent->p,
                       .m = sent->m,
                       .size = sent->m,
                       .nodes = sent->nodes,
                       .p_node = sent->p_node,
                       .seconds = sent->seconds + rest,
                       .weight = 1,
                       .latency = map->link_latency * (near ? map->near_latency : (double)links),
                       .transfer = sent->m * map->link_byte * (near ? map->near_byte : 1)};
}

static int by_size(const void *left, const void *right) {
    const fit_point *a = left;
    const fit_point *b = right;
    return (a->size > b->size) - (a->size < b->size);
}

static void take_ranges(const fit_network_map *map, const fit_ranges *ranges,
                        fit_message_ratios *out) {
    double sheet = map->link_byte / map->link_latency;
    out->count = ranges->count;
    for (size_t r = 0; r < ranges->count; r++) {
        double latency = ranges->items[r].coefficient[FIT_WAY_LATENCY];
        double transfer = ranges->items[r].coefficient[FIT_WAY_TRANSFER];
        double ratio = latency > 0 ? sheet * transfer / latency : ratio_most;
        out->from[r] = r > 0 ? ranges->items[r].from : 0;
        out->ratios[r] = fmax(ratio_least, fmin(ratio, ratio_most));
    }
}

isocast_status fit_message_ratios_find(const samples *s, const fit_summaries *all,
                                       const fit_network_map *map, fit_message_ratios *out) {
    *out = (fit_message_ratios){.ratios = {map->link_byte / map->link_latency}, .count = 1};
    fit_point *points = malloc((all->count + 1) * sizeof *points);
    if (points == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t count = 0;
    for (size_t k = 0; k < all->count; k++) {
        const fit_summary *item = &all->items[k];
        /* What is left of a message when its sender is free. */
        const fit_summary *rest = is_of(s, item, ISOCAST_KNOWN_send) && item->p > 1
                                      ? fit_summaries_find(s, all, ISOCAST_KNOWN_recv, item)
                                      : NULL;
        if (rest != NULL) {
            points[count++] = point_of(map, item, rest->seconds);
        }
    }
    qsort(points, count, sizeof *points, by_size);
    fit_search search = {
        &fit_way_law, 1U << FIT_WAY_LATENCY | 1U << FIT_WAY_TRANSFER, {FIT_PENALTY_AKAIKE, 1}};
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

double fit_message_ratio(const fit_message_ratios *ratios, double bytes) {
    size_t r = 0;
    while (r + 1 < ratios->count && ratios->from[r + 1] <= bytes) {
        r++;
    }
    return ratios->ratios[r];
}
