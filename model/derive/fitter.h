/* Laws of many values over the same runs. What was fitted once is remembered. */
#ifndef ISOCAST_DERIVE_FITTER_H
#define ISOCAST_DERIVE_FITTER_H

#include "fit.h"

typedef struct derive_fitter {
    isocast_candidates candidates;
    double *values;    /* [count][point_count] */
    isocast_law *laws; /* [count] */
    size_t count, law_capacity;
} derive_fitter;

/* Errors: NO_MEMORY. */
isocast_status derive_fitter_create(const isocast_law_point *points, size_t point_count,
                                    size_t size_count, derive_fitter *out);
void derive_fitter_free(derive_fitter *fitter);

/* As isocast_law_fit(), of values [point_count]; `known` chooses those that count (NULL: all). With
 * fewer than all the law is fitted to these alone. favoured: see candidates.h. Errors: NO_MEMORY.
 */
isocast_status derive_fitter_fit(derive_fitter *fitter, const double *values, const bool *known,
                                 isocast_favoured_side favoured, isocast_law *law);

#endif
