#include "fit_route.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool find_topology(const char *name, fit_topology *out) {
    static const char *const names[] = {[FIT_TOPOLOGY_SWITCHED] = "switched",
                                        [FIT_TOPOLOGY_FAT_TREE] = "fat-tree",
                                        [FIT_TOPOLOGY_TORUS] = "torus",
                                        [FIT_TOPOLOGY_DRAGONFLY] = "dragonfly"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (fit_topology)i;
            return true;
        }
    }
    return false;
}

/* Of a switch the shape has no links, but the classes where there are several. */
static void take_classes(fit_network_map *map) {
    const isocast_shape *shape = &map->shape;
    bool mixed = map->topology == FIT_TOPOLOGY_SWITCHED && shape->lists >= 2 &&
                 shape->lengths[0] == shape->lengths[1];
    /* Earlier versions did not write speeds. */
    bool speeds = shape->lists == 3 && shape->lengths[2] == shape->lengths[0];
    map->class_count = mixed ? shape->lengths[0] : 0;
    for (size_t i = 0; i < map->class_count; i++) {
        map->class_speeds[i] = speeds ? shape->numbers[2][i] : 1;
        map->class_nodes[i] = map->shape.numbers[0][i];
        map->class_processors[i] = map->shape.numbers[1][i];
    }
}

bool fit_network_map_read(const environment_facts *facts, fit_network_map *out) {
    environment_network network = facts->network;
    fit_network_map map = {0};
    if (!facts->has_network || !find_topology(network.topology, &map.topology) ||
        !isocast_shape_parse(network.shape, &map.shape)) {
        return false;
    }
    map.nodes = (int)network.nodes;
    map.processors = (int)network.processors;
    map.together = network.together;
    map.link_latency = network.link_latency;
    map.link_byte = 1 / network.link_bandwidth;
    map.near_latency = network.node_latency / network.link_latency;
    map.near_byte = network.link_bandwidth / network.node_bandwidth;
    map.eager_limit = network.eager_limit;
    map.speed = network.speed > 0 ? network.speed : NAN;
    map.facts = facts;
    take_classes(&map);
    *out = map;
    return true;
}

int fit_network_node(const fit_network_map *map, double nodes, double p_node, int rank) {
    int each = (int)p_node;
    if (map->processors > 1 || map->together <= 1) {
        return rank / each;
    }
    return nodes <= 1 ? rank : rank / each * (int)map->together + rank % each;
}

bool fit_network_is_mixed(const fit_network_map *map) {
    return map->class_count > 1;
}

/* A way while it is listed. */
typedef struct way {
    fit_link *links; /* [FIT_ROUTE_MAX] */
    size_t count;
} way;

/* What a key is made of; no number of it is over a million. */
static void add_link(way *w, uint64_t kind, uint64_t first, uint64_t second, double width) {
    if (w->count < FIT_ROUTE_MAX) {
        w->links[w->count] = (fit_link){kind << 60U | first << 30U | second, width};
    }
    w->count++;
}

/* Axis after axis, the first one first. Which way round is chosen by the first node alone. */
static void pass_torus(const fit_network_map *map, int from, int to, way *out) {
    int at = from;
    int stride = 1;
    for (size_t axis = 0; axis < map->shape.lengths[0]; axis++) {
        int length = (int)map->shape.numbers[0][axis];
        int begin = from / stride % length;
        int end = to / stride % length;
        bool up = (end > begin && end <= begin + length / 2) ||
                  (begin > length / 2 && (begin + length / 2) % length >= end);
        while (at / stride % length != end) {
            int place = at / stride % length;
            int next = at + stride * ((up ? place + 1 : place + length - 1) % length - place);
            add_link(out, up ? 1 : 2, (uint64_t)axis, (uint64_t)(up ? at : next), 1);
            at = next;
        }
        stride *= length;
    }
}

/* Up to the lowest switch over both nodes, and down. Which of the parents a message takes is told
 * by the number of its receiver (D-mod-K). */
static void pass_tree(const fit_network_map *map, int from, int to, way *out) {
    const double *children = map->shape.numbers[1];
    const double *parents = map->shape.numbers[2];
    const double *links = map->shape.numbers[3];
    int top = 0;
    for (int a = from, b = to; a != b; top++) {
        a /= (int)children[top];
        b /= (int)children[top];
    }
    /* Switches over the same nodes are told apart by the parents that led to them. */
    uint64_t chosen[ISOCAST_SHAPE_LENGTH + 1] = {0};
    int below = from;
    int digits = to;
    for (int level = 0; level < top; level++) {
        uint64_t parent = (uint64_t)(digits % (int)parents[level]);
        chosen[level + 1] = chosen[level] * (uint64_t)parents[level] + parent;
        add_link(out, 3, (uint64_t)level << 20U | (uint64_t)below, chosen[level + 1], links[level]);
        digits /= (int)parents[level];
        below /= (int)children[level];
    }
    int down[ISOCAST_SHAPE_LENGTH + 1] = {to};
    for (int level = 0; level < top; level++) {
        down[level + 1] = down[level] / (int)children[level];
    }
    for (int level = top; level-- > 0;) {
        add_link(out, 4, (uint64_t)level << 20U | (uint64_t)down[level], chosen[level + 1],
                 links[level]);
    }
}

typedef struct router {
    int group, chassis, blade;
} router;

static router router_of(const fit_network_map *map, int node) {
    int at = node / (int)map->shape.numbers[3][0];
    int blades = (int)map->shape.numbers[2][0];
    int chassis = (int)map->shape.numbers[1][0];
    return (router){at / blades / chassis, at / blades % chassis, at % blades};
}

static uint64_t router_number(const fit_network_map *map, router r) {
    uint64_t blades = (uint64_t)map->shape.numbers[2][0];
    uint64_t chassis = (uint64_t)map->shape.numbers[1][0];
    return ((uint64_t)r.group * chassis + (uint64_t)r.chassis) * blades + (uint64_t)r.blade;
}

/* To the router of the group that has the link to the other group, over that, and on. */
static void pass_dragonfly(const fit_network_map *map, int from, int to, way *out) {
    const isocast_shape *shape = &map->shape;
    router at = router_of(map, from);
    router end = router_of(map, to);
    int own_group = at.group;
    add_link(out, 5, 0, (uint64_t)from, 1);
    if (at.group != end.group) {
        if (at.blade != end.group) {
            add_link(out, 6, router_number(map, at), (uint64_t)end.group, shape->numbers[2][1]);
            at.blade = end.group;
        }
        if (at.chassis != 0) {
            add_link(out, 7, router_number(map, at), 0, shape->numbers[1][1]);
            at.chassis = 0;
        }
        add_link(out, 8, (uint64_t)at.group, (uint64_t)end.group, shape->numbers[0][1]);
        at = (router){end.group, 0, own_group};
    }
    if (at.blade != end.blade) {
        add_link(out, 6, router_number(map, at), (uint64_t)end.blade, shape->numbers[2][1]);
        /* SimGrid goes on from the first chassis, also where this link was in the last one. */
        at = (router){at.group, 0, end.blade};
    }
    if (at.chassis != end.chassis) {
        add_link(out, 7, router_number(map, at), (uint64_t)end.chassis, shape->numbers[1][1]);
    }
    add_link(out, 5, 1, (uint64_t)to, 1);
}

size_t fit_route(const fit_network_map *map, int from, int to, fit_link route[FIT_ROUTE_MAX]) {
    way w = {route, 0};
    if (from == to) {
        return 0;
    }
    switch (map->topology) {
    case FIT_TOPOLOGY_SWITCHED:
        add_link(&w, 9, 0, (uint64_t)from, 1);
        add_link(&w, 9, 1, (uint64_t)to, 1);
        break;
    case FIT_TOPOLOGY_TORUS:
        pass_torus(map, from, to, &w);
        break;
    case FIT_TOPOLOGY_FAT_TREE:
        pass_tree(map, from, to, &w);
        break;
    case FIT_TOPOLOGY_DRAGONFLY:
        pass_dragonfly(map, from, to, &w);
        break;
    }
    return w.count <= FIT_ROUTE_MAX ? w.count : 0;
}
