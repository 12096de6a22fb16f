/* Which processes of a communicator share a node, found once for all its collectives. */
#ifndef ISOCAST_COLLECTIVE_LAYOUT_H
#define ISOCAST_COLLECTIVE_LAYOUT_H

#include "part.h"

/* What has the same number in `nodes` shares a node; the numbers may be any. Memory is one block:
 * free(layout). NULL: no memory is left. */
isocast_collective_layout *isocast_collective_layout_create(int size, const long long *nodes);

#endif
