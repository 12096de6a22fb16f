/* E at many points of the range of N: what is told where it never is the target, and where nothing
 * can be proved. Private to the solver. */
#ifndef ISOCAST_EXTREMES_H
#define ISOCAST_EXTREMES_H

#include "condition.h"
#include "solution.h"

enum { ISOCAST_SAMPLES = 641 };

/* Points in rising N, evenly in ln N. */
typedef struct isocast_samples {
    size_t count;
    double N[ISOCAST_SAMPLES];
    isocast_balance at[ISOCAST_SAMPLES];
} isocast_samples;

/* Free with free(). Errors: NO_MEMORY. */
isocast_status isocast_samples_take(isocast_condition *c, double low, double high,
                                    isocast_samples **out);

/* Sets the solution's largest and smallest E between low and high, and where. Errors: NO_MEMORY. */
isocast_status isocast_extremes_find(isocast_condition *c, double low, double high,
                                     isocast_solution *solution);

#endif
