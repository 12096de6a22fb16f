/* Raw samples to one time a launch, which is what everything else is made of: the fit, the sizes
 * that refine themselves, and the check whether a file still holds. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "samples.h"

/* For qsort(): by operation, p, m and launch. */
int launches_by_point(const void *left, const void *right);

/* Where the rows of one operation, p and m that begin at `begin` end. rows: shape [count], sorted
 * as above. */
size_t launches_point_end(const sample *rows, size_t count, size_t begin);

/* Medians of the launches of one point's rows (shape [count], sorted by launch), none below
 * `least`, in s or s/flop; gives their number. scratch, medians: shape [count]. */
size_t launches_medians(const sample *rows, size_t count, double least, double *scratch,
                        double *medians);

/* Variance of ln(median) between launches, as times differ by factors; NAN for one launch. medians:
 * shape [count]. */
double launches_variance(const double *medians, size_t count);

#endif
