/* What the samples of one operation are fitted with. */
#ifndef FIT_REQUEST_H
#define FIT_REQUEST_H

#include "fit_messages.h"
#include "fit_parts.h"
#include "fit_ways.h"

typedef struct fit_request {
    const fit_parts *parts;
    const char *name;
    double launch_variance;      /* of ln T, shared by the mean times of all placements */
    double placement_variance;   /* of the mean of one placement's launches about that of all */
    bool grouped;                /* nodes that count as one are groups of nodes */
    bool simgrid;                /* measured in simulation */
    isocast_collectives library; /* that made collective operations */
    double uplinks;              /* links up that such a group shares; 0: none */
    const fit_network_map *map;  /* of the platform that was simulated; NULL: not known */
    const fit_link_times *times; /* of messages on it */
} fit_request;

/* The operation of a request on the network of its samples, and whether its messages are counted.
 */
fit_ways fit_request_ways(const fit_request *request);
bool fit_request_counts(const fit_request *request);

#endif
