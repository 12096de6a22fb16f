/* What messages between two processes take on a network that is known, as they were measured. */
#ifndef FIT_MESSAGES_H
#define FIT_MESSAGES_H

#include "fit_ranges.h"
#include "fit_route.h"
#include "fit_summary.h"
#include "isocast/status.h"

/* How long the bytes of a message are on a link, over the latency of a link: so many times the
 * bytes, from a size on. */
typedef struct fit_message_ratios {
    double from[FIT_RANGES_MAX];   /* [count], B, rising from 0 */
    double ratios[FIT_RANGES_MAX]; /* [count], 1/B */
    size_t count;
} fit_message_ratios;

/* Finds them from T_send and T_recv of the samples; by the data sheet alone where there are none.
 * Errors: NO_MEMORY. */
isocast_status fit_message_ratios_find(const samples *s, const fit_summaries *all,
                                       const fit_network_map *map, fit_message_ratios *out);

/* 1/B, for a message of so many bytes. */
double fit_message_ratio(const fit_message_ratios *ratios, double bytes);

#endif
