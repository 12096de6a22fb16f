/* Where the range of N ends that a search can look at. */
#ifndef ISOCAST_RANGE_END_H
#define ISOCAST_RANGE_END_H

#include "extremes.h"

typedef struct isocast_range_end {
    double N;           /* `high` where nothing ends the range before */
    bool all_on_target; /* E was the target at every point that was looked at */
    double sum_error;   /* of the smallest N, where sums are not known from it on; else 0 */
} isocast_range_end;

/* A range from low to high ends at the first of its later points whose sums are not known, or where
 * W or T is not a number any more; beyond 10^15 it is a power of 10. With sums, which take their
 * time, points are looked at one by one. Errors: NO_MEMORY. */
isocast_status isocast_range_end_find(const isocast_extremes_source *source, bool has_sums,
                                      double low, double high, isocast_range_end *out);

#endif
