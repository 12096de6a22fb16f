/* Which points of an operation tell of more processes than were measured. */
#ifndef FIT_TELLING_H
#define FIT_TELLING_H

#include "fit_chosen.h"
#include "fit_ways.h"

/* The operation of a request on the network of its samples, and whether its messages are counted.
 */
fit_ways fit_request_ways(const fit_request *request);
bool fit_request_counts(const fit_request *request);

/* Keeps the items that tell of more processes, where there are some; gives their number. */
size_t fit_keep_telling(const fit_request *request, fit_summary *items, size_t count);

#endif
