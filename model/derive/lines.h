/* Whether processes send messages along a line or a ring of processes, by the partners that records
 * name. On few processes a line has as many messages as a tree: at most two neighbours, and 0, 1, 2
 * and 2 messages on 1, 2, 3 and 4 processes are ceil(log2(p)) as well. Fits nothing. */
#ifndef ISOCAST_DERIVE_LINES_H
#define ISOCAST_DERIVE_LINES_H

#include "derived.h"

/* Sets `line` of the sites whose messages are between two processes, or with all neighbours of a
 * topology. A site whose partners no
 * record names, such as a receive from any, is like all the others. Errors: NO_MEMORY. */
isocast_status isocast_derive_lines_find(isocast_derived *derived);

#endif
