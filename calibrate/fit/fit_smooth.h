/* A smooth curve through values that were measured with errors, as far as the values themselves
 * show that it is one. */
#ifndef FIT_SMOOTH_H
#define FIT_SMOOTH_H

#include <stdbool.h>
#include <stddef.h>

/* Puts a smooth curve's values in the place of y, shape [count], which were measured at rising x
 * with the variances given (in any one unit, above 0). How smooth is reported by cross-validation:
 * a step that several values show stays. Fewer than five values stay as they are. False where
 * memory is short; y then stays. */
bool fit_smooth(const double *x, const double *variances, size_t count, double *y);

#endif
