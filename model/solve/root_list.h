/* The roots that a search finds, in rising N, and what it is not certain of. Private to the solver.
 */
#ifndef ISOCAST_ROOT_LIST_H
#define ISOCAST_ROOT_LIST_H

#include "solution.h"

typedef struct isocast_root_list {
    isocast_solution *solution;
    double doubt; /* a narrow piece here may hold roots that were not seen; NAN: none waits */
} isocast_root_list;

/* From `low` to `high`, which is the same where E is the target at one N alone. A root that is the
 * same as the last one is left out. */
void isocast_root_list_add(isocast_root_list *list, double low, double high);
/* There may be roots next to N that were not seen, unless one that is as near is added. */
void isocast_root_list_doubt(isocast_root_list *list, double N);
/* Nothing is added up to N any more. */
void isocast_root_list_settle(isocast_root_list *list, double N);
/* Roots from N on may be missing. */
void isocast_root_list_stay_uncertain(isocast_root_list *list, double N);

#endif
