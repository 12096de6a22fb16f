#include "route.h"

#include <stdio.h>

bool quick_routes_read(const char *text, quick_routes *out) {
    int topology = 0;
    char shape[600];
    if (sscanf(text, "%d %599s", &topology, shape) != 2 || topology <= ISOCAST_TOPOLOGY_SWITCHED ||
        topology >= ISOCAST_TOPOLOGIES) {
        return false;
    }
    out->topology = (isocast_topology)topology;
    return isocast_shape_parse(shape, &out->shape);
}

double quick_routes_node_width(const quick_routes *routes) {
    switch (routes->topology) {
    case ISOCAST_TOPOLOGY_FAT_TREE:
        return routes->shape.numbers[2][0] > 1 ? 0 : routes->shape.numbers[3][0];
    case ISOCAST_TOPOLOGY_TORUS:
        return 0;
    default:
        return 1;
    }
}

/* A way while it is listed. */
typedef struct way {
    quick_hop *links; /* [QUICK_ROUTE_MAX] */
    size_t count;
} way;

/* What a key is made of; no number of it is over a million. */
static void add_link(way *w, uint64_t kind, uint64_t first, uint64_t second, double width) {
    if (w->count < QUICK_ROUTE_MAX) {
        w->links[w->count] = (quick_hop){kind << 60U | first << 30U | second, width};
    }
    w->count++;
}

/* Axis after axis, the first one first. Which way round is chosen by the first node alone. */
static void pass_torus(const quick_routes *routes, int from, int to, way *out) {
    int at = from;
    int stride = 1;
    for (size_t axis = 0; axis < routes->shape.lengths[0]; axis++) {
        int length = (int)routes->shape.numbers[0][axis];
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

/* Up to the lowest switch over both nodes, and down. Which of the parents a message takes is
 * reported by the number of its receiver (D-mod-K). */
static void pass_tree(const quick_routes *routes, int from, int to, way *out) {
    const double *children = routes->shape.numbers[1];
    const double *parents = routes->shape.numbers[2];
    const double *links = routes->shape.numbers[3];
    int top = 0;
    for (int a = from, b = to; a != b; top++) {
        a /= (int)children[top];
        b /= (int)children[top];
    }
    /* Switches over the same nodes are distinguished by the parents that led to them. */
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

static router router_of(const quick_routes *routes, int node) {
    int at = node / (int)routes->shape.numbers[3][0];
    int blades = (int)routes->shape.numbers[2][0];
    int chassis = (int)routes->shape.numbers[1][0];
    return (router){at / blades / chassis, at / blades % chassis, at % blades};
}

static uint64_t router_number(const quick_routes *routes, router r) {
    uint64_t blades = (uint64_t)routes->shape.numbers[2][0];
    uint64_t chassis = (uint64_t)routes->shape.numbers[1][0];
    return ((uint64_t)r.group * chassis + (uint64_t)r.chassis) * blades + (uint64_t)r.blade;
}

/* To the router of the group that has the link to the other group, over that, and on. */
static void pass_dragonfly(const quick_routes *routes, int from, int to, way *out) {
    const isocast_shape *shape = &routes->shape;
    router at = router_of(routes, from);
    router end = router_of(routes, to);
    int own_group = at.group;
    add_link(out, 5, 0, (uint64_t)from, 1);
    if (at.group != end.group) {
        if (at.blade != end.group) {
            add_link(out, 6, router_number(routes, at), (uint64_t)end.group, shape->numbers[2][1]);
            at.blade = end.group;
        }
        if (at.chassis != 0) {
            add_link(out, 7, router_number(routes, at), 0, shape->numbers[1][1]);
            at.chassis = 0;
        }
        add_link(out, 8, (uint64_t)at.group, (uint64_t)end.group, shape->numbers[0][1]);
        at = (router){end.group, 0, own_group};
    }
    if (at.blade != end.blade) {
        add_link(out, 6, router_number(routes, at), (uint64_t)end.blade, shape->numbers[2][1]);
        /* SimGrid goes on from the first chassis, also where this link was in the last one. */
        at = (router){at.group, 0, end.blade};
    }
    if (at.chassis != end.chassis) {
        add_link(out, 7, router_number(routes, at), (uint64_t)end.chassis, shape->numbers[1][1]);
    }
    add_link(out, 5, 1, (uint64_t)to, 1);
}

size_t quick_route(const quick_routes *routes, int from, int to, quick_hop route[QUICK_ROUTE_MAX]) {
    way w = {route, 0};
    if (from == to) {
        return 0;
    }
    if (routes->topology == ISOCAST_TOPOLOGY_TORUS) {
        pass_torus(routes, from, to, &w);
    } else if (routes->topology == ISOCAST_TOPOLOGY_FAT_TREE) {
        pass_tree(routes, from, to, &w);
    } else {
        pass_dragonfly(routes, from, to, &w);
    }
    return w.count <= QUICK_ROUTE_MAX ? w.count : 0;
}
