/* Fits operations on messages: T_x in p and m, apart for processes on one node and on several, and
 * broadcasts apart by the library's algorithms. */
#ifndef FIT_COLLECTIVE_H
#define FIT_COLLECTIVE_H

#include "fit_builder.h"
#include "fit_messages.h"
#include "fit_parts.h"

/* What the samples of one operation are fitted with. */
typedef struct fit_request {
    const fit_parts *parts;
    const char *name;
    double launch_variance;      /* of ln T, shared by the mean times of all placements */
    double placement_variance;   /* of the mean of one placement's launches about that of all */
    bool grouped;                /* nodes that count as one are groups of nodes */
    bool simgrid;                /* measured in simulation, whose library is known */
    double uplinks;              /* links up that such a group shares; 0: none */
    const fit_network_map *map;  /* of the platform that was simulated; NULL: not known */
    const fit_link_times *times; /* of messages on it */
} fit_request;

/* Adds the operation that the items (shape [count], sorted) are of. Errors: NO_MEMORY. */
isocast_status fit_collective(fit *f, fit_covariances *c, const fit_request *request,
                              const fit_summary *items, size_t count);

#endif
