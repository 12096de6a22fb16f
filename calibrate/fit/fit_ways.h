/* Operations whose messages are known, on a network that is known and shared: what they would take
 * by its data sheet, where every message has the latency and the bandwidth of its links, at any
 * number of processes. What is fitted is by how much the library's messages take longer; the growth
 * with p is counted on the links. */
#ifndef FIT_WAYS_H
#define FIT_WAYS_H

#include "fit_builder.h"
#include "fit_law.h"
#include "fit_ways_place.h"

/* Whether the operation's messages and the network are known. */
bool fit_ways_known(const fit_ways *ways);

/* Whether it is known which ranks were on which node. */
bool fit_ways_placed(const fit_ways *ways, const fit_summary *item);

/* Puts the times at the place of an item into a point: NAN where as many processes do not do this,
 * or memory is short. */
void fit_ways_measure(fit_ways *ways, const fit_summary *item, fit_point *point);

/* Adds operations, NAME_latency and NAME_transfer, with both times at all numbers of processes, and
 * NAME_saving and, with work, NAME_working, which are taken off the first and the second.
 * Errors: NO_MEMORY. */
isocast_status fit_ways_add(const fit_ways *ways, fit *f);

#endif
