/* What the speed-efficiency tends to as N grows, proved: on one system, or far out on all paths on
 * which p grows too. */
#ifndef ISOCAST_LIMIT_H
#define ISOCAST_LIMIT_H

#include "costs.h"

typedef struct isocast_limit {
    bool known;
    double E; /* 0 where T grows faster than W */
    int side; /* from some N on E is 1: below it, -1: above it; 0: it is E, or not known */
} isocast_limit;

/* On the request's system, as N alone grows; known only where all processes can work from some N
 * on. Errors: NO_MEMORY. */
isocast_status isocast_limit_of_E(const isocast_costs_request *request, isocast_limit *out);

/* As p grows, and N faster than any power of it that makes a difference. *E is NAN where it is not
 * known. Errors: NO_MEMORY. */
isocast_status isocast_limit_of_E_far(const isocast_costs_request *request, double *E);

#endif
