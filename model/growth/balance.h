/* Places where the largest terms of an inequality cancel, as those of N log N and N log p do at one
 * x: E decides which, and terms behind the largest ones what N is. */
#ifndef ISOCAST_BALANCE_H
#define ISOCAST_BALANCE_H

#include "question.h"

/* x as (factor K)^power; NAN where it is no such power. */
typedef struct isocast_balance_law {
    double factor, power;
} isocast_balance_law;

/* Where the inequality begins to hold at the x of the cell; *found is false where that is not
 * known. Errors: NO_MEMORY. */
isocast_status isocast_balance_resolve(const isocast_question *question, const isocast_cell *cell,
                                       bool *found, isocast_place *at, isocast_balance_law *law);
/* Whether the place is one where terms cancel at one x, some of which have the factor 1/K: then E
 * moves it. Errors: NO_MEMORY. */
isocast_status isocast_balance_note(const isocast_question *question, const isocast_place *at,
                                    bool *depends, isocast_balance_law *law);

#endif
