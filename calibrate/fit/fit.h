/* Samples to formulas: non-negative coefficients with standard errors, switches in the message
 * size, time per flop over the working set. No MPI; any samples will do. docs/how-to/calibration.md
 * states the method. */
#ifndef FIT_H
#define FIT_H

#include "fit_model.h"
#include "model/base/status.h"

/* Fits all operations and kernels. Where something cannot be fitted, `why` gets a sentence for
 * people that names it; NULL: nobody asks. Errors: INVALID (no samples), NUMERIC (nothing fits),
 * NO_MEMORY. */
isocast_status fit_samples(const samples *s, isocast_buffer *why, fit *out);
void fit_free(fit *f);

/* Time per flop of a kernel on one process nearest to a working set of m bytes, s/flop; NAN where
 * the samples have none. */
double fit_reference_time(const samples *s, const char *kernel, double m, double *m_found);

/* The same on so many processes of one node at once. */
double fit_shared_time(const samples *s, const char *kernel, double processes, double m);

#endif
