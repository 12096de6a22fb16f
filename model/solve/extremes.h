/* The largest and smallest E over the range of N: what is told where it never is the target.
 * Private to the solver. */
#ifndef ISOCAST_EXTREMES_H
#define ISOCAST_EXTREMES_H

#include "condition.h"
#include "solution.h"

/* Where E is taken from: `evaluate` fills what is held at N, [count]. Errors: NO_MEMORY. */
typedef struct isocast_extremes_source {
    isocast_status (*evaluate)(void *context, size_t count, const double *N, isocast_balance *out);
    void *context;
} isocast_extremes_source;

/* Sets the solution's largest and smallest E between low and high, and where. Errors: NO_MEMORY. */
isocast_status isocast_extremes_find(const isocast_extremes_source *source, double low, double high,
                                     isocast_solution *solution);

#endif
