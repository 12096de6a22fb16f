#include "fit_lengths.h"

#include <math.h>
#include <stdlib.h>

#include "fit_network.h"
#include "fit_placement.h"
#include "fit_regimes.h"

const double fit_saving_ratios[FIT_SAVINGS] = {1.0 / 8, 1.0 / 4, 1.0 / 2, 1, 2, 4, 8};

/* What a replay at a place is asked with. */
typedef struct question {
    const fit_ways *ways;
    fit_places placement;
    fit_sizes sizes;
    fit_replay_rules rules; /* without times */
} question;

/* Bytes of a message of a size over those of the longest one. */
static double over_longest(const question *q, size_t size) {
    double p = (double)q->placement.processes;
    return q->sizes.items[size].share(p) / q->sizes.items[0].share(p);
}

/* What the operation takes where messages have this latency, and the longest takes this time. */
static double length_at(const question *q, double latency, double bytes) {
    fit_replay_rules rules = q->rules;
    for (size_t k = 0; k < q->sizes.count; k++) {
        rules.latency[k] = latency;
        rules.bytes[k] = bytes * over_longest(q, k);
    }
    return fit_pattern_length(q->ways->map, q->ways->name, &q->placement, rules, q->ways->rounds);
}

/* The same where only messages of one size take any time, by their own bytes. */
static double part_at(const question *q, size_t size, double latency, double bytes) {
    fit_replay_rules rules = q->rules;
    rules.latency[size] = latency;
    rules.bytes[size] = bytes;
    return fit_pattern_length(q->ways->map, q->ways->name, &q->placement, rules, q->ways->rounds);
}

/* The parts of a length that messages of each size have: their own ones, so that all of them
 * together make up the whole. parts: shape [sizes]; weights likewise. */
static void part_length(const question *q, double whole, bool bytes, double *parts) {
    double sum = 0;
    for (size_t k = 0; k < q->sizes.count; k++) {
        double weight = bytes ? over_longest(q, k) : 1;
        parts[k] = part_at(q, k, bytes ? 0 : 1, bytes ? 1 : 0);
        sum += weight * parts[k];
    }
    for (size_t k = 0; k < q->sizes.count; k++) {
        bool counts = !bytes || over_longest(q, k) > 0;
        parts[k] *= sum > 0 && counts ? whole / sum : 1;
    }
}

static void answer(const question *q, fit_lengths *out) {
    double links = length_at(q, 1, 0);
    double loads = length_at(q, 0, 1);
    part_length(q, links, false, out->links);
    part_length(q, loads, true, out->loads);
    for (int i = 0; i < FIT_SAVINGS; i++) {
        double ratio = fit_saving_ratios[i];
        out->savings[i] = links + ratio * loads - length_at(q, 1, ratio);
    }
}

void fit_lengths_find(fit_ways *ways, double p, double nodes, double p_node, int regime) {
    int count = (int)p;
    int *places = malloc((size_t)count * sizeof *places);
    bool grows = ways->rounds == FIT_ROUNDS_MANY && fit_network_is_mixed(ways->map);
    bool placed =
        places != NULL && (grows ? fit_placement_of_mix(ways->map, count, places)
                                 : fit_placement_measured(ways->map, count, nodes, p_node, places));
    ways->p = p;
    ways->nodes = nodes;
    ways->p_node = p_node;
    ways->regime = regime;
    ways->lengths = (fit_lengths){.links = {NAN}, .loads = {NAN}};
    if (placed) {
        fit_regimes b = fit_regimes_of(ways->name, ways->map);
        double longest = fit_regime_middle(&b, regime);
        question q = {ways,
                      {places, (size_t)count},
                      fit_sizes_of(ways->name),
                      {.eager = longest < ways->map->eager_limit, .longest = longest}};
        answer(&q, &ways->lengths);
    }
    free(places);
}
