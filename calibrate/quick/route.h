/* The ways that messages take on a fat tree, torus or dragonfly: which links one passes from node
 * to node, by the shape that the platform file gives. Routes are those of SimGrid 3.32. */
#ifndef QUICK_ROUTE_H
#define QUICK_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/spec/platform.h"
#include "model/spec/platform_shape.h"

typedef struct quick_routes {
    isocast_topology topology;
    isocast_shape shape;
} quick_routes;

/* A link, in one direction. */
typedef struct quick_hop {
    uint64_t key;
    double width; /* parallel links that count as one */
} quick_hop;

enum { QUICK_ROUTE_MAX = 256 };

/* Reads "TOPOLOGY SHAPE", the first as its number. False where it is none that has ways. */
bool quick_routes_read(const char *text, quick_routes *out);

/* How many parallel links a node has to its only switch; 0: it has ways to several. */
double quick_routes_node_width(const quick_routes *routes);

/* The links from one node to another one; gives their number, 0 where both are the same or the way
 * is longer than QUICK_ROUTE_MAX. */
size_t quick_route(const quick_routes *routes, int from, int to, quick_hop route[QUICK_ROUTE_MAX]);

#endif
