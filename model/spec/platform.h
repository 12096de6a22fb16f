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

/* The value of messages just over a size; `otherwise` where the file says nothing. */
static inline double isocast_factors_over(const isocast_factors *factors, double size,
                                          double otherwise) {
    double value = otherwise;
    for (size_t i = 0; i < factors->count && factors->sizes[i] <= size; i++) {
        value = factors->values[i];
    }
    return value;
}

typedef struct isocast_network {
    isocast_topology topology;
    char *shape; /* of all but SWITCHED, checked: docs/how-to/platforms.md states its form */
    double link_bandwidth;      /* B/s, each way */
    double link_latency;        /* s */
    double backplane_bandwidth; /* B/s, of a switch that cannot serve all links; NAN: it can */
    double node_bandwidth;      /* B/s, between processes of one node */
    double node_latency;        /* s, likewise */
    double node_capacity;       /* B/s that all messages within a node share; NAN: none hinders
                                   another */
    const char *kind;           /* of network, whose numbers hold where the file says nothing; NULL:
                                   the file names none */
    double interfaces;          /* of a node, each with its links */
    double link_share;          /* of the links' bandwidth that messages reach */
    double congestion;          /* of a switch: isocast_network_slowdown() */
    double message_gap;         /* s, that an interface takes for a message of any size; 0: none */
    double message_overhead; /* s, that a process takes for a message that it sends and one that it
                                receives at once; a quarter of it for one that it only sends, or
                                only receives; 0: none */
    double copy_overhead;    /* s, that a process takes for each block that a collective operation
                                copies within its memory, beside its bytes at node_bandwidth; 0:
                                copies take no time */
    double eager_limit;      /* bytes; longer messages wait for their receiver */
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

/* B/s that a node reaches on all of its links together. */
double isocast_network_link_rate(const isocast_network *network);

/* How many times as long messages between all of so many nodes take on the links of a switch as
 * those between two: 1 for two, and `congestion` more with each doubling. */
double isocast_network_slowdown(const isocast_network *network, double nodes);

/* B/s that all messages between so many nodes of a switch share; NAN: it can serve all links. What
 * counts as one switch has many, and messages of all nodes meet within it. */
double isocast_network_switch_rate(const isocast_network *network, double nodes);

/* B/s that messages within a node of a class share, by what the file says of the network or of the
 * memory; NAN: none hinders another. */
double isocast_platform_node_capacity(const isocast_network *network,
                                      const isocast_node_class *class);

/* As platform files spell it: "fat-tree". */
const char *isocast_topology_name(isocast_topology topology);

/* As platform files, and SimGrid, spell it: "mvapich2". */

#endif
