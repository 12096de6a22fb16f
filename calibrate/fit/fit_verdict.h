/* What a fit may be trusted with, in sentences: the range measured, how well it follows and
 * forecasts, how far beyond the range it goes, and the switches seen. */
#ifndef FIT_VERDICT_H
#define FIT_VERDICT_H

#include "fit_result.h"

/* Appends the sentences of a result that is complete but for them. */
void fit_verdict_write(const fit_result *result, isocast_buffer *out);

/* "256 KiB", "100 B": exact. */
void fit_verdict_bytes(double m, isocast_buffer *out);

#endif
