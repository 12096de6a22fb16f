/* The largest and smallest E over the range of N: what is told where it never is the target.
 * Private to the solver. */
#ifndef ISOCAST_EXTREMES_H
#define ISOCAST_EXTREMES_H

#include "condition.h"
#include "solution.h"

/* Sets the solution's largest and smallest E between low and high, and where. Errors: NO_MEMORY. */
isocast_status isocast_extremes_find(isocast_condition *c, double low, double high,
                                     isocast_solution *solution);

#endif
