/* Predictions against measured runs: the errors of T, E, N' and psi', each apart. Formats nothing.
 */
#ifndef ISOCAST_VALIDATION_H
#define ISOCAST_VALIDATION_H

#include "validation_result.h"

/* algorithm: which rows are compared, see isocast_run_sizes_collect. metric: what E is, and psi; a
 * metric of T(W,1) takes it from the runs on one process. efficiency: where N and psi
 * are compared; NAN: nearest to the middle of the range that all systems with at least three sizes
 * have measured, one that each of them passes once, in the runs as in the prediction, where there
 * is such a one. The model and the runs must outlive the result. Errors: INVALID with diagnostics
 * (no row of this algorithm, none on one process where the metric has T(W,1), a size that it does
 * not take or that has no column, a system that the machine does not have), NO_MEMORY. */
isocast_status isocast_validate(const isocast_model *model, const isocast_runs *runs,
                                const char *algorithm, isocast_metric metric, double efficiency,
                                isocast_diagnostics *diagnostics, isocast_validation **out);

#endif
