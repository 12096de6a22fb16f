/* How much computing one question may take: one account for all that is computed for it, the terms
 * of sums, the proofs of the solver and the points that are evaluated, so that many dear rows take
 * about as long as one. Owns nothing but the account; who computes takes from it, and says what is
 * not known where it is spent. */
#ifndef ISOCAST_EFFORT_H
#define ISOCAST_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

/* In steps: an instruction on one value, about a nanosecond. A question may take what is here and
 * something more for each of its rows, as work may grow with the input. */
enum { ISOCAST_EFFORT_MAX = 1200000000, ISOCAST_EFFORT_A_ROW = 300000 };

typedef struct isocast_effort {
    double left; /* steps; below 0 where it is spent */
} isocast_effort;

/* What a question of so many rows may take. */
isocast_effort isocast_effort_of(size_t rows);

/* Takes a share (0 to 1) out of an account, for a part of the question; the part may take that much
 * and no more. */
isocast_effort isocast_effort_lend(isocast_effort *from, double share);
/* Puts back what the part has left. */
void isocast_effort_return(isocast_effort *to, const isocast_effort *rest);

bool isocast_effort_is_spent(const isocast_effort *effort);

#endif
