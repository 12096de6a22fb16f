/* What a reach keeps of a piece from one condition to the next. Conditions of a group differ in few
 * inputs: what does not hang on these is the same over the same piece, and is computed once. */
#ifndef ISOCAST_REACH_KEEP_H
#define ISOCAST_REACH_KEEP_H

#include "reach.h"

/* Begins a group, which ends with the next one, or with isocast_reach_forget(). Inputs that differ
 * by rounding alone count as the same in it. Many groups of one condition only cost time. */
void isocast_reach_group(isocast_reach *r);
/* Begins a piece, begin < end, that other conditions of the group will ask for, too; without a
 * group it is like any piece. */
void isocast_reach_enter_kept(isocast_reach *r, double begin, double end);
/* Keeps what was asked for since then. Where memory is short, it is not kept. */
void isocast_reach_keep(isocast_reach *r);

#endif
