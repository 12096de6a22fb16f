/* The sizes that a range of sizes may begin with. */
#ifndef FIT_BORDERS_H
#define FIT_BORDERS_H

#include "fit_law.h"

enum { FIT_BORDERS_MAX = 32 };

typedef struct fit_borders {
    /* [count + 1] indices into the points, rising; the last is their number. */
    size_t first[FIT_BORDERS_MAX + 1];
    size_t count;
} fit_borders;

/* All sizes of the points (shape [count], at least 1, sorted by size); where they are more than
 * FIT_BORDERS_MAX, those where times stand out most from the line through the two sizes before.
 * False where memory is short. */
bool fit_borders_find(const fit_point *points, size_t count, fit_borders *out);

/* Where a range begins, between the last size measured before it and its first: midway by their
 * logarithms, in whole bytes if there are any between. */
double fit_border_between(double below, double first);

#endif
