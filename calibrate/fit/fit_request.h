/* What the samples of one operation are fitted with. */
#ifndef FIT_REQUEST_H
#define FIT_REQUEST_H

#include "fit_parts.h"
#include "model/collective/library.h"

typedef struct fit_request {
    const fit_parts *parts;
    const char *name;
    double launch_variance;      /* of ln T, shared by the mean times of all placements */
    double placement_variance;   /* of the mean of one placement's launches about that of all */
    bool simgrid;                /* measured in simulation */
    isocast_collectives library; /* that made collective operations */
} fit_request;

#endif
