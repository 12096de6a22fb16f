/* The one table of kinds of networks: what a platform file may leave out where it names a kind. It
 * knows no file: platform_load.h takes from it what a file does not say. */
#ifndef ISOCAST_NETWORK_KIND_H
#define ISOCAST_NETWORK_KIND_H

#include "platform.h"

/* What one process sends to another, and what a node's processes send together. */
typedef struct isocast_network_kind {
    const char *name;        /* as platform files spell it */
    double latency;          /* s, of a short message between two nodes of a switch */
    double link_share;       /* of a link's bandwidth that all messages of one of two nodes reach */
    double congestion;       /* as in isocast_network */
    double message_gap;      /* s, that an interface takes for a message of any size */
    double message_overhead; /* s, as in isocast_network */
    double copy_overhead;    /* s, likewise */
    double eager_limit;      /* B */
    double node_latency;     /* s */
    double node_bandwidth;   /* B/s */
    isocast_factors latency_factor; /* by the size of a message */
} isocast_network_kind;

enum { ISOCAST_NETWORK_KINDS = 7 };

extern const isocast_network_kind isocast_network_kinds[ISOCAST_NETWORK_KINDS];

#endif
