/* How often a link takes a message where all of an operation's messages share the links, by a
 * network's data sheet. */
#ifndef FIT_LENGTHS_H
#define FIT_LENGTHS_H

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
enum { FIT_WAYS_PROCESSORS_MOST = 8 };

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

/* Finds the lengths at a place: NAN where as many processes do not do this, or memory is short. */
void fit_lengths_find(fit_ways *ways, double p, double nodes, double p_node, int regime);

#endif
