/* Times of one curve, freed from which of the launches had time for which size. */
#ifndef FIT_POLISH_H
#define FIT_POLISH_H

#include "calibrate/samples/samples.h"

/* A machine that is slow for some seconds is so for all sizes that a launch measures meanwhile.
 * Sets the seconds of each size to what all launches of the curve would have shown: large sizes are
 * measured in few launches, and those may have been the slow ones. rows: shape [count], sorted by
 * m, then launch; seconds: one for each size, shape [size_count], in their order. Curves of few
 * sizes or one launch stay as they are. False where memory is short; the seconds then stay. */
bool fit_polish(const sample *rows, size_t count, double *seconds, size_t size_count);

#endif
