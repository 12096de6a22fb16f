/* Laws of many values over the same runs. What was fitted once is remembered. */
#ifndef ISOCAST_DERIVE_FITTER_H
#define ISOCAST_DERIVE_FITTER_H

#include "fit.h"

typedef struct derive_fitter derive_fitter;

enum { DERIVE_FITTER_PARTS = 10 };

/* Laws of some of the runs. */
typedef struct derive_fitter_part {
    bool *known; /* [point_count] of the whole: which runs those are */
    isocast_favoured_side favoured;
    derive_fitter *fitter;
} derive_fitter_part;

struct derive_fitter {
    isocast_candidates candidates;
    double *values;    /* [count][point_count] */
    isocast_law *laws; /* [count] */
    size_t count, law_capacity;
    derive_fitter_part parts[DERIVE_FITTER_PARTS]; /* the last ones that were asked for */
    size_t part_count;                             /* that were made in all */
};

/* favoured: see candidates.h. Errors: NO_MEMORY. */
isocast_status isocast_derive_fitter_create(const isocast_law_point *points, size_t point_count,
                                            size_t size_count, isocast_favoured_side favoured,
                                            derive_fitter *out);
void isocast_derive_fitter_free(derive_fitter *fitter);

/* As isocast_law_fit(), of values [point_count]; `known` chooses those that count (NULL: all). The
 * law is fitted to these alone; it is not known where there are none. Errors: NO_MEMORY. */
isocast_status isocast_derive_fitter_fit(derive_fitter *fitter, const double *values,
                                         const bool *known, isocast_favoured_side favoured,
                                         isocast_law *law);

/* How often something is done again and again, which no exact law tells: the nearest law of the
 * sizes. Errors: NO_MEMORY. */
isocast_status isocast_derive_fitter_repeats(derive_fitter *fitter, const double *values,
                                             isocast_law *law);

/* As isocast_law_fit_nearest(), of the values at the runs that are `known`. Errors: NO_MEMORY. */
isocast_status isocast_derive_fitter_nearest(derive_fitter *fitter, const double *values,
                                             const bool *known, size_t terms, isocast_law_kind kind,
                                             double least, isocast_law *law);

#endif
