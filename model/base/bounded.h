/* Least squares with coefficients between two ends, from sums over rows. */
#ifndef ISOCAST_BOUNDED_H
#define ISOCAST_BOUNDED_H

#include "moments.h"

/* The coefficients (shape [terms]) from 0 to `range` (shape [terms], may be infinite) with the
 * least squares: by the method of Lawson and Hanson, which takes one term after the other in, for
 * two ends (Stark and Parker, Computational Statistics 10, 1995). *alike gets the bits of terms
 * that the rows cannot distinguish from the others; these are 0. A term that is 0 in all rows is 0.
 */
void isocast_bounded_solve(const isocast_moments_system *system, const double *range,
                           double *coefficients, unsigned *alike);

#endif
