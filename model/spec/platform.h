/* A platform file: hardware as a data sheet gives it, node classes with the speed of a processor
 * and the network between them. Immutable after loading (platform_load.h). What it takes to run a
 * program on it is found by simulation, not here. */
#ifndef ISOCAST_PLATFORM_H
#define ISOCAST_PLATFORM_H

#include "machine.h"
#include "model/collective/library.h"

typedef enum isocast_topology {
    ISOCAST_TOPOLOGY_SWITCHED, /* a link from each node to one switch */
    ISOCAST_TOPOLOGY_FAT_TREE,
    ISOCAST_TOPOLOGY_TORUS,
    ISOCAST_TOPOLOGY_DRAGONFLY,
    ISOCAST_TOPOLOGIES
} isocast_topology;

enum { ISOCAST_FACTORS_MAX = 16 };

/* A value by the size of a message: values[i] from sizes[i] on, up to the next. */
typedef struct isocast_factors {
    double sizes[ISOCAST_FACTORS_MAX];  /* [count], B, rising from 0 */
    double values[ISOCAST_FACTORS_MAX]; /* [count], above 0 */
    size_t count;                       /* 0: the file says nothing */
} isocast_factors;

typedef struct isocast_network {
    isocast_topology topology;
    char *shape;                /* of all but SWITCHED, checked: docs/platforms.md tells its form */
    double link_bandwidth;      /* B/s, each way */
    double link_latency;        /* s */
    double backplane_bandwidth; /* B/s, of a switch that cannot serve all links; NAN: it can */
    double node_bandwidth;      /* B/s, between processes of one node */
    double node_latency;        /* s, likewise */
    double node_capacity;       /* B/s that all messages within a node share; NAN: none hinders
                                   another */
    double together;            /* nodes in a row that are nearer to each other than to others */
    double uplinks;             /* links that lead up from these nodes, which share them; 0: none */
    double eager_limit;         /* bytes; longer messages wait for their receiver */
    isocast_factors latency_factor;   /* of a route; none: 1 */
    isocast_factors bandwidth_factor; /* likewise */
    isocast_factors receive_overhead; /* s that a message up to the eager limit takes of the process
                                         that receives it, after it came; none: 0 */
    isocast_factors receive_bandwidth; /* B/s at which it takes the message; none: at once */
    isocast_collectives collectives;
} isocast_network;

typedef struct isocast_platform {
    isocast_machine *hardware; /* classes and systems; the marked speed is the processor's speed */
    isocast_network network;
} isocast_platform;

/* Nodes that count as one where it matters which processes are near to each other. Where processes
 * share a node these are nearest, and it is 1. */
double isocast_platform_together(const isocast_platform *platform);

/* As platform files spell it: "fat-tree". */
const char *isocast_topology_name(isocast_topology topology);

/* As platform files, and SimGrid, spell it: "mvapich2". */

#endif
