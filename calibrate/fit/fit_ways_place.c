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
        double m = fit_regime_middle(fit_ways_regimes(ways), regime, p);
        fit_lengths_place at = {
            ways->map, ways->name, {places.nodes, places.speeds, (size_t)count}, m, ways->rounds};
        fit_lengths_find(&at, &ways->lengths);
    }
    fit_placed_free(&places);
}
