/* The ways that messages take on the network of a simulated platform: which links one passes from
 * node to node, by the shape that the platform file gives. Routes are those of SimGrid 3.32. */
#ifndef FIT_ROUTE_H
#define FIT_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calibrate/samples/environment.h"
#include "model/collective/library.h"
#include "model/spec/platform_shape.h"

typedef enum fit_topology {
    FIT_TOPOLOGY_SWITCHED,
    FIT_TOPOLOGY_FAT_TREE,
    FIT_TOPOLOGY_TORUS,
    FIT_TOPOLOGY_DRAGONFLY
} fit_topology;

/* Lengths are those of a link: a way of 3 links takes 3 times its latency. */
typedef struct fit_network_map {
    fit_topology topology;
    isocast_shape shape;
    int nodes;
    int processors;      /* of a node */
    double together;     /* nodes in a row that are nearer to each other than to others */
    double link_latency; /* s */
    double link_byte;    /* s/B */
    double near_latency; /* of a message within a node, over that of a link */
    double near_byte;    /* time of a byte within a node, over that on a link */
    double eager_limit;  /* B; the sender of a longer message waits for its receiver */
    double speed;        /* flop/s of a processor; NAN where not known */
    /* Of a mix of node classes, on a switch: */
    size_t class_count;                            /* 0: all nodes are alike */
    double class_nodes[ISOCAST_SHAPE_LENGTH];      /* [class_count] */
    double class_processors[ISOCAST_SHAPE_LENGTH]; /* [class_count], of a node */
    double class_speeds[ISOCAST_SHAPE_LENGTH]; /* [class_count], 1 where not known, else relative */
    isocast_collectives library;               /* whose collective operations are made */
    const environment_facts *facts; /* that it was made of, with placements of launches */
} fit_network_map;

/* A link, in one direction. */
typedef struct fit_link {
    uint64_t key;
    double width; /* parallel links that count as one */
} fit_link;

enum { FIT_ROUTE_MAX = 256 };

/* The network that the facts have, which must outlive the map. False where there
 * is none, or it has a shape that is not known here. */
bool fit_network_map_read(const environment_facts *facts, fit_network_map *out);

/* Whether nodes are not alike. */
bool fit_network_is_mixed(const fit_network_map *map);

/* The node of a rank where each node has p_node processes, but for the last, and they are on so
 * many nodes: in samples a group of nodes counts as one where nodes have one process each. */
int fit_network_node(const fit_network_map *map, double nodes, double p_node, int rank);

/* The links from one node to another one; gives their number, 0 where both are the same or the way
 * is longer than FIT_ROUTE_MAX. */
size_t fit_route(const fit_network_map *map, int from, int to, fit_link route[FIT_ROUTE_MAX]);

#endif
