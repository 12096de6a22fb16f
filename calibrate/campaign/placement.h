/* Whether a launcher can put the processes of a system where its name says. Starts nothing. */
#ifndef CAMPAIGN_PLACEMENT_H
#define CAMPAIGN_PLACEMENT_H

#include "model/spec/system.h"

/* False, with the reason in *why (empty before), where it cannot: a set such as 4x2 needs a
 * launcher that is told {nodes} or {per_node}, and no launcher puts different numbers of processes
 * on different nodes. A number of processes goes anywhere. launcher: its command line; NULL: the
 * default. */
bool campaign_placement_possible(const isocast_system *system, const char *launcher,
                                 isocast_buffer *why);

#endif
