#include "fit_ways_place.h"

#include <math.h>
#include <stdlib.h>

#include "fit_network.h"
#include "fit_placement.h"

const fit_regimes *fit_ways_regimes(fit_ways *ways) {
    if (!ways->has_regimes) {
        ways->regimes = fit_regimes_of(ways->name, ways->map);
        ways->has_regimes = true;
    }
    return &ways->regimes;
}

/* Between which ratios the bytes of the longest message of a regime are to its latency. */
static void find_ratios(const fit_ways *ways, double p, double low, double high,
                        fit_lengths_place *at) {
    const fit_size longest = ways->regimes.longest;
    double ends[] = {fit_size_bytes(&longest, low, p), fit_size_bytes(&longest, high, p)};
    at->ratio_least = ways->times != NULL ? INFINITY : 0;
    at->ratio_most = ways->times != NULL && isfinite(high) ? 0 : INFINITY;
    for (size_t k = 0; ways->times != NULL && k < ways->times->count + 2; k++) {
        double m = k < 2 ? ends[k] : ways->times->from[k - 2];
        for (int side = 0; side < 2 && m >= ends[0] && m <= ends[1] && isfinite(m); side++) {
            double bytes = side == 0 ? m : fmax(m - 1, 0);
            double ratio =
                fit_link_transfer(ways->times, bytes) / fit_link_latency(ways->times, bytes);
            at->ratio_least = fmin(at->ratio_least, ratio);
            at->ratio_most = fmax(at->ratio_most, ratio);
        }
    }
}

void fit_ways_find(fit_ways *ways, double p, double nodes, double p_node, int regime) {
    int count = (int)p;
    fit_placed places = {0};
    bool grows = ways->rounds == FIT_ROUNDS_MANY && fit_network_is_mixed(ways->map);
    bool placed = fit_placed_make(count, &places) &&
                  (grows ? fit_placement_of_mix(ways->map, count, nodes, &places)
                         : fit_placement_measured(ways->map, count, nodes, p_node, &places));
    ways->p = p;
    ways->nodes = nodes;
    ways->p_node = p_node;
    ways->regime = regime;
    ways->lengths = (fit_lengths){.links = {NAN}, .loads = {NAN}};
    if (placed) {
        double members = fit_axis_members(ways->axis, count);
        double m = fit_regime_middle(fit_ways_regimes(ways), regime, members);
        fit_lengths_place at = {.map = ways->map,
                                .pattern = {ways->name, ways->axis, ways->rounds},
                                .placement = {places.nodes, places.speeds, (size_t)count},
                                .m = m};
        double low;
        double high;
        fit_regime_range(&ways->regimes, regime, members, &low, &high);
        find_ratios(ways, members, low, fmax(high, ways->m_most), &at);
        fit_lengths_find(&at, &ways->lengths);
    }
    fit_placed_free(&places);
}
