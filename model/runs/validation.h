/* Predictions against measured runs: the errors of T, E, N' and psi', each apart. Formats nothing.
 */
#ifndef ISOCAST_VALIDATION_H
#define ISOCAST_VALIDATION_H

#include "validation_result.h"

/* A result has several hundred bytes for each. */
enum { ISOCAST_VALIDATION_POINTS_MAX = 50000 };

/* algorithm: which rows are compared, see isocast_run_sizes_collect. metric: what E is, and psi; a
 * metric of T(W,1) takes it from the runs on one process. efficiency: where N and psi
 * are compared; NAN: nearest to the middle of the range that all systems with at least three sizes
 * have measured, one that each of them passes once, in the runs as in the prediction, where there
 * is such a one. The model and the runs must outlive the result. Errors: INVALID with diagnostics
 * (no row of this algorithm, none on one process where the metric has T(W,1), a size that it does
 * not take or that has no column, too many sizes, a system that the machine does not have),
 * NO_MEMORY. */
isocast_status isocast_validate(const isocast_model *model, const isocast_runs *runs,
                                const char *algorithm, isocast_metric metric, double efficiency,
                                isocast_diagnostics *diagnostics, isocast_validation **out);

/* The same of T and E alone, without N and psi, whose trend lines and solutions take longest. */
isocast_status isocast_validate_times(const isocast_model *model, const isocast_runs *runs,
                                      const char *algorithm, isocast_metric metric,
                                      isocast_diagnostics *diagnostics, isocast_validation **out);

/* Whether the runs are known to be simulated: the machine is, and they name it. */
bool isocast_validation_has_simulated_runs(const isocast_validation *validation);

/* What errors are of. */
typedef enum isocast_validation_kind {
    ISOCAST_VALIDATION_T,
    ISOCAST_VALIDATION_E,
    ISOCAST_VALIDATION_N,
    ISOCAST_VALIDATION_PSI
} isocast_validation_kind;

/* The errors of N or psi of validations of the same runs at several values of what is held,
 * together. Those of T and E do not depend on it: they are the first one's. Shape [count], at least
 * one. */
isocast_error_summary isocast_validation_sum(const isocast_validation *const *validations,
                                             size_t count, isocast_validation_kind kind);

#endif
