/* Operations whose messages are known, on a network that is known and shared: what they would take
 * by its data sheet, where every message has the latency and the bandwidth of its links, at any
 * number of processes. What is fitted is by how much the library's messages take longer; the growth
 * with p is counted on the links. */
#ifndef FIT_WAYS_H
#define FIT_WAYS_H

#include "fit_builder.h"
#include "fit_law.h"
#include "fit_messages.h"
#include "fit_pattern.h"
#include "fit_sizes.h"

/* Short messages count latencies, long ones bytes. Between, some processes wait for the one and
 * some for the other, and all together less than for the sum of both. So much is saved where the
 * bytes of a message take so many times its latency. Lengths are the largest of sums of latencies
 * and bytes, so that they rise by straight lines over this ratio. */
enum { FIT_SAVINGS = 7 };
extern const double fit_saving_ratios[FIT_SAVINGS];

/* An operation at one place: how often what a link takes of a message, by the message's size. */
typedef struct fit_lengths {
    double links[FIT_SIZES_MAX]; /* its latency */
    double loads[FIT_SIZES_MAX]; /* the time of its bytes */
    double savings[FIT_SAVINGS]; /* what the sum of both is too much by, in latencies */
} fit_lengths;

/* Nodes of more processors would make formulas too long for a machine file. */
enum { FIT_WAYS_PROCESSORS_MOST = 16 };

/* An operation on a network; its lengths at a place are kept until another one is asked for. Start
 * from {.map, .times, .name}. */
typedef struct fit_ways {
    const fit_network_map *map; /* NULL: the network is not known */
    const fit_link_times *times;
    const char *name;
    double p, nodes, p_node; /* of the place */
    int regime;              /* of its longest message */
    fit_rounds rounds;
    fit_lengths lengths;
} fit_ways;

/* Whether the operation's messages and the network are known. */
bool fit_ways_known(const fit_ways *ways);

/* Whether it is known which ranks were on which node. */
bool fit_ways_placed(const fit_ways *ways, const fit_summary *item);

/* Puts the times at the place of an item into a point: NAN where as many processes do not do this,
 * or memory is short. */
void fit_ways_measure(fit_ways *ways, const fit_summary *item, fit_point *point);

/* Finds the lengths at a place: NAN where as many processes do not do this, or memory is short. */
void fit_ways_find(fit_ways *ways, double p, double nodes, double p_node, int regime);

/* Adds operations, NAME_latency and NAME_transfer, with both times at all numbers of processes, and
 * NAME_saving, which is taken off the first, where it is not 0.
 * Errors: NO_MEMORY. */
isocast_status fit_ways_add(const fit_ways *ways, fit *f);

#endif
