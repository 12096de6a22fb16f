/* When how many nodes of an offer come, as a file of offers states it, and what of its lifetime
 * they are there for. Knows no model and no price. */
#ifndef ISOCAST_DELIVERY_H
#define ISOCAST_DELIVERY_H

#include "model/yaml/schema.h"

enum { ISOCAST_DELIVERIES_MAX = 16 };

typedef struct isocast_delivery {
    double after; /* s, since the beginning of the lifetime */
    double nodes; /* that come then; INFINITY: all that are left */
} isocast_delivery;

/* Start from {0}: all nodes are there from the beginning. */
typedef struct isocast_deliveries {
    isocast_delivery items[ISOCAST_DELIVERIES_MAX]; /* [count], rising; the last brings the rest */
    size_t count;
} isocast_deliveries;

/* Reads `phases` of a mapping; without it *out stays as it is. What is wrong goes to the reader. */
void isocast_deliveries_read(isocast_reader *reader, const isocast_tree_node *mapping,
                             isocast_deliveries *out);

/* Part of a lifetime with so many nodes. */
typedef struct isocast_delivered {
    double after; /* s */
    double nodes;
    double share; /* of the lifetime */
} isocast_delivered;

/* What becomes of `nodes` within a lifetime, s: fills out, [max(count, 1)], and gives how many. */
size_t isocast_deliveries_of(const isocast_deliveries *deliveries, double nodes, double lifetime,
                             isocast_delivered *out);

#endif
