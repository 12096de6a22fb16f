#include "fit_placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/environment.h"

/* The processes of one entry of a system, so many of them on a node. Gives the next free node. */
static int put_entry(int processes, int each, int first_node, int *places) {
    for (int k = 0; k < processes; k++) {
        places[k] = first_node + k / each;
    }
    return first_node + (processes + each - 1) / each;
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
static bool find_in(const environment_placement *told, int p, double nodes, double p_node,
                    int *places) {
    int all = processes_of(told);
    int *whole = all >= p ? calloc((size_t)all + 1, sizeof *whole) : NULL;
    if (whole == NULL) {
        return false;
    }
    int node = 0;
    int rank = 0;
    for (size_t i = 0; i < told->count; i++) {
        int processes = (int)told->processes[i];
        node = put_entry(processes, (int)told->each[i], node, whole + rank);
        rank += processes;
    }
    bool found = false;
    for (int first = 0; first < (int)told->each[0] && first + p <= all && !found; first++) {
        found = is_window(whole, first, p, nodes, p_node);
        if (found) {
            memcpy(places, whole + first, (size_t)p * sizeof *places);
        }
    }
    free(whole);
    return found;
}

bool fit_placement_measured(const fit_network_map *map, int p, double nodes, double p_node,
                            int *places) {
    if (map->class_count <= 1) {
        for (int rank = 0; rank < p; rank++) {
            /* Where a later node has more processes than the first one, they are counted too far.
             */
            int node = fit_network_node(map, nodes, p_node, rank);
            places[rank] = node < map->nodes ? node : map->nodes - 1;
        }
        return true;
    }
    const char *at = map->environment;
    environment_placement told;
    while (environment_next_placement(&at, &told)) {
        if (find_in(&told, p, nodes, p_node, places)) {
            return true;
        }
    }
    return false;
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

bool fit_placement_of_mix(const fit_network_map *map, int p, int *places) {
    if (p < (int)map->class_count || p > processors_of(map)) {
        return false;
    }
    int shares[ISOCAST_SHAPE_LENGTH] = {0};
    share_out(map, p, shares);
    int node = 0;
    int rank = 0;
    for (size_t i = 0; i < map->class_count; i++) {
        double spread = fmin(ceil(shares[i] / map->class_nodes[i]), map->class_processors[i]);
        node = put_entry(shares[i], (int)spread, node, places + rank);
        rank += shares[i];
    }
    return true;
}
