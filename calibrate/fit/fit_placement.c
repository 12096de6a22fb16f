#include "fit_placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fit_placed_make(int p, fit_placed *out) {
    size_t count = p > 0 ? (size_t)p : 1;
    *out = (fit_placed){malloc(count * sizeof *out->nodes), malloc(count * sizeof *out->speeds)};
    bool room = out->nodes != NULL && out->speeds != NULL;
    if (!room) {
        fit_placed_free(out);
    }
    return room;
}

void fit_placed_free(fit_placed *placed) {
    free(placed->nodes);
    free(placed->speeds);
    *placed = (fit_placed){0};
}

/* Processes on nodes of one class, so many of them on a node. */
typedef struct entry {
    int processes;
    int each;
    double speed;
} entry;

/* Puts an entry from a rank on. Gives the next free node. */
static int put_entry(entry these, int first_rank, int first_node, const fit_placed *out) {
    for (int k = 0; k < these.processes; k++) {
        out->nodes[first_rank + k] = first_node + k / these.each;
        out->speeds[first_rank + k] = these.speed;
    }
    return first_node + (these.processes + these.each - 1) / these.each;
}

/* Processes that follow each other from `first` on: whether they are on so many nodes. */
static bool is_window(const int *places, int first, int p, double nodes, double p_node) {
    int found = 1;
    int with_first = 1;
    for (int k = 1; k < p; k++) {
        found += places[first + k] != places[first + k - 1];
        with_first += places[first + k] == places[first];
    }
    return found == (int)nodes && with_first == (int)p_node;
}

static int processes_of(const environment_placement *told) {
    int all = 0;
    for (size_t i = 0; i < told->count; i++) {
        all += (int)told->processes[i];
    }
    return all;
}

/* Samples are of the first processes of a launch, or of those that follow the first ones of its
 * first node. */
static bool find_in(const fit_network_map *map, const environment_placement *told, int p,
                    double nodes, double p_node, const fit_placed *out) {
    int all = processes_of(told);
    fit_placed whole = {0};
    if (all < p || !fit_placed_make(all, &whole)) {
        return false;
    }
    int node = 0;
    int rank = 0;
    for (size_t i = 0; i < told->count; i++) {
        size_t class = (size_t)told->node_class[i];
        bool known = class >= 1 && class <= map->class_count;
        entry these = {(int)told->processes[i], (int)told->each[i],
                       known ? map->class_speeds[class - 1] : 1};
        node = put_entry(these, rank, node, &whole);
        rank += these.processes;
    }
    bool found = false;
    for (int first = 0; first < (int)told->each[0] && first + p <= all && !found; first++) {
        found = is_window(whole.nodes, first, p, nodes, p_node);
        if (found) {
            memcpy(out->nodes, whole.nodes + first, (size_t)p * sizeof *out->nodes);
            memcpy(out->speeds, whole.speeds + first, (size_t)p * sizeof *out->speeds);
        }
    }
    fit_placed_free(&whole);
    return found;
}

bool fit_placement_measured(const fit_network_map *map, int p, double nodes, double p_node,
                            const fit_placed *out) {
    if (map->class_count <= 1) {
        for (int rank = 0; rank < p; rank++) {
            /* Where a later node has more processes than the first one, they are counted too far.
             */
            int node = fit_network_node(map, nodes, p_node, rank);
            out->nodes[rank] = node < map->nodes ? node : map->nodes - 1;
            out->speeds[rank] = 1;
        }
        return true;
    }
    bool found = false;
    for (size_t i = 0; map->facts != NULL && i < map->facts->placement_count && !found; i++) {
        found = find_in(map, &map->facts->placements[i], p, nodes, p_node, out);
    }
    return found;
}

static double processors_of(const fit_network_map *map) {
    double all = 0;
    for (size_t i = 0; i < map->class_count; i++) {
        all += map->class_nodes[i] * map->class_processors[i];
    }
    return all;
}

/* The class that misses the most of what is due, or has the most beyond it, and may change. */
static size_t next_class(const fit_network_map *map, const double *due, const int *shares,
                         int step) {
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < map->class_count; i++) {
        int share = shares[i] + step;
        bool fits = share >= 1 && share <= map->class_nodes[i] * map->class_processors[i];
        double missing = step * (due[i] - shares[i]);
        if (fits && missing > most) {
            best = i;
            most = missing;
        }
    }
    return best;
}

/* Each class has one process at least, and else its part of the processors. */
static void share_out(const fit_network_map *map, int p, int shares[ISOCAST_SHAPE_LENGTH]) {
    int sum = 0;
    double due[ISOCAST_SHAPE_LENGTH] = {0};
    for (size_t i = 0; i < map->class_count; i++) {
        due[i] = p * map->class_nodes[i] * map->class_processors[i] / processors_of(map);
        shares[i] = due[i] > 1 ? (int)due[i] : 1;
        sum += shares[i];
    }
    for (int step = sum < p ? 1 : -1; sum != p; sum += step) {
        shares[next_class(map, due, shares, step)] += step;
    }
}

bool fit_placement_of_mix(const fit_network_map *map, int p, double nodes, const fit_placed *out) {
    if (p < (int)map->class_count || p > processors_of(map)) {
        return false;
    }
    int shares[ISOCAST_SHAPE_LENGTH] = {0};
    share_out(map, p, shares);
    int node = 0;
    int rank = 0;
    for (size_t i = 0; i < map->class_count; i++) {
        double least = ceil(shares[i] / map->class_nodes[i]);
        double each = fmin(fmax(least, round(p / nodes)), map->class_processors[i]);
        entry these = {shares[i], (int)each, map->class_speeds[i]};
        node = put_entry(these, rank, node, out);
        rank += shares[i];
    }
    return true;
}
