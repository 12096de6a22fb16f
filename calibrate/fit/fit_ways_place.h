/* An operation whose messages are known, at one place of a network that is known. */
#ifndef FIT_WAYS_PLACE_H
#define FIT_WAYS_PLACE_H

#include "fit_lengths.h"
#include "fit_messages.h"
#include "fit_regimes.h"

/* Nodes of more processors would make formulas too long for a machine file. */
enum { FIT_WAYS_PROCESSORS_MOST = 16 };

/* An operation on a network; its lengths at a place are kept until another one is asked for. Start
 * from {.map, .times, .name}. */
typedef struct fit_ways {
    const fit_network_map *map; /* NULL: the network is not known */
    const fit_link_times *times;
    const char *name;
    fit_regimes regimes; /* of the operation, once they are asked for */
    bool has_regimes;
    double p, nodes, p_node; /* of the place */
    int regime;              /* of its argument */
    fit_rounds rounds;
    fit_axis axis; /* whose lines do it */
    double m_most; /* B, up to which the lengths are to hold, beyond the regime */
    fit_lengths lengths;
} fit_ways;

const fit_regimes *fit_ways_regimes(fit_ways *ways);

/* Finds the lengths at a place of p processes, of which each line does it: NAN where as many
 * processes do not do this, or memory is short. */
void fit_ways_find(fit_ways *ways, double p, double nodes, double p_node, int regime);

#endif
