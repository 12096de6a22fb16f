/* What a reach keeps of a piece from one condition to the next. Conditions of a group differ in few
 * numbers; what does not hang on these is the same over the same piece, and is computed once.
 * Private to reach.c. */
#ifndef ISOCAST_REACH_KEEP_H
#define ISOCAST_REACH_KEEP_H

#include "reach_state.h"

/* Forgets all pieces. */
void isocast_reach_keep_clear(isocast_reach *r);
void isocast_reach_keep_free(isocast_reach *r);

/* Puts what is kept of the current piece, and computes the rest; false where nothing is. */
bool isocast_reach_keep_recall(isocast_reach *r);
/* Keeps what is known of the current piece. Where memory is short, it is not kept. */
void isocast_reach_keep_piece(isocast_reach *r);

#endif
