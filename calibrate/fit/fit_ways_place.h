/* An operation whose messages are known, at one place of a network that is known. */
#ifndef FIT_WAYS_PLACE_H
#define FIT_WAYS_PLACE_H

#include "fit_lengths.h"
#include "fit_messages.h"

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

/* Finds the lengths at a place: NAN where as many processes do not do this, or memory is short. */
void fit_ways_find(fit_ways *ways, double p, double nodes, double p_node, int regime);

#endif
