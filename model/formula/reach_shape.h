/* What a reach knows of its program before any condition: where registers come from, and selections
 * and sums that have a rule as a whole. Private to reach.c. */
#ifndef ISOCAST_REACH_SHAPE_H
#define ISOCAST_REACH_SHAPE_H

#include "reach_state.h"

/* Fills what hangs on r->program and r->input alone. Errors: NO_MEMORY; what was made is to be
 * freed all the same. */
isocast_status isocast_reach_shape_make(isocast_reach *r);
void isocast_reach_shape_free(isocast_reach *r);

#endif
