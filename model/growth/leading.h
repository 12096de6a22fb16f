/* A term of a series (series.h), and the terms that are of one order on a path, together: between
 * what their sum lies over the first one's monomial. Compares no orders. */
#ifndef ISOCAST_LEADING_H
#define ISOCAST_LEADING_H

#include "path.h"
#include "roots.h"

enum { ISOCAST_SERIES_TERMS = 400 /* of one series */ };

typedef struct isocast_series_term {
    isocast_monomial monomial;
    double low, high; /* the coefficient's bounds; equal: a number. One may be infinite */
    double magnitude; /* of what was added up to it: it is known to rounding of this */
    bool away;        /* it stays away from 0 on each path, also where a bound is 0 */
} isocast_series_term;

/* k x^e of each term over the first one's monomial, as log N goes to x log p, and their sum. */
typedef struct isocast_leading {
    isocast_root_term terms[ISOCAST_SERIES_TERMS];
    size_t count;
    bool exact; /* the terms are numbers, so that their sum hangs on x alone */
    double low, high, magnitude;
    bool above, below; /* none is below 0, or above it */
    bool away;         /* one is away from it */
    bool above_low;    /* the sum stays away from its lower bound */
} isocast_leading;

/* Terms that cancel leave no more than this share of what was added up. */
extern const double isocast_leading_balanced;

/* Not between two numbers of different signs, and not near 0 either. */
bool isocast_term_is_away(const isocast_series_term *term);

/* terms: [count], of one order on the path. */
void isocast_leading_gather(const isocast_path *path, const isocast_series_term *const *terms,
                            size_t count, isocast_leading *out);

#endif
