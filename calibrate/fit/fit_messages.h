/* What messages between two processes take on a network that is known, as they were measured. */
#ifndef FIT_MESSAGES_H
#define FIT_MESSAGES_H

#include "fit_ranges.h"
#include "fit_route.h"
#include "fit_summary.h"
#include "isocast/status.h"

/* What a link takes of a message, by the message's size. */
typedef struct fit_link_times {
    double from[FIT_RANGES_MAX];    /* [count], B, rising from 0 */
    double latency[FIT_RANGES_MAX]; /* [count], s */
    double byte[FIT_RANGES_MAX];    /* [count], s/B */
    size_t count;
} fit_link_times;

/* Finds them from T_send and T_recv of the samples; by the data sheet alone where there are none.
 * Errors: NO_MEMORY. */
isocast_status fit_link_times_find(const samples *s, const fit_summaries *all,
                                   const fit_network_map *map, fit_link_times *out);

/* Of a message of so many bytes: the latency of a link, and the time of its bytes on it, s. */
double fit_link_latency(const fit_link_times *times, double bytes);
double fit_link_transfer(const fit_link_times *times, double bytes);

#endif
