/* Times of one curve, freed from which of the launches had time for which size. */
#ifndef FIT_POLISH_H
#define FIT_POLISH_H

#include "calibrate/samples/samples.h"
#include "fit_pace.h"

/* Adds to the pace what each launch of a curve adds to its times, less what they add in the middle.
 * rows: shape [count], sorted by m, then launch, of so many items. Curves of few sizes or one
 * launch say nothing. False where memory is short. */
bool fit_polish_launches(const sample *rows, size_t count, size_t item_count, fit_pace *pace);

/* A machine that is slow for some seconds is so for all sizes that a launch measures meanwhile.
 * Sets the seconds of each size to what the launches of the curve in the pace's fastest steady
 * stretch would have shown, or all where none is in it: large sizes are measured in few launches,
 * and those may have been the slow ones. Rows as above; seconds: one for each size, shape
 * [size_count], in their order. Curves of few sizes or one launch stay as they are. False where
 * memory is short; the seconds then stay. */
bool fit_polish(const sample *rows, size_t count, const fit_pace *pace, double *seconds,
                size_t size_count);

#endif
