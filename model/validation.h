/* Predictions against measured runs: the errors of T, E, N' and psi', each apart. Formats nothing.
 */
#ifndef ISOCAST_VALIDATION_H
#define ISOCAST_VALIDATION_H

#include "runs.h"
#include "solver.h"

/* One (system, N). NAN marks what is not known. */
typedef struct isocast_validation_point {
    size_t system; /* index into systems */
    double N;
    size_t repetitions;
    double T, T_min, T_max; /* s, measured: median and extremes */
    double spread;          /* median absolute deviation of T over its median: the noise floor */
    double T_predicted;     /* s */
    double T_error;         /* relative, signed: predicted over measured - 1, like the next */
    double E, E_predicted, E_error;
    size_t largest_term;  /* overhead term with the largest share; term_count: there is none */
    double largest_share; /* of the predicted T */
    double compute_share; /* T_c over the predicted T */
} isocast_validation_point;

typedef struct isocast_validation_system {
    isocast_system *system;
    bool oversubscribed;
    /* The size that shows the efficiency, by the three routes of [CSW 3.5]. */
    double N, N_low, N_high; /* computed: where the trend of the measured E reaches it */
    double N_direct;         /* measured directly: a size whose runs show it, within 2 % */
    double N_predicted;      /* where the prediction reaches it */
    double N_error; /* relative, signed: predicted over directly measured, or else computed */
    double psi, psi_direct, psi_predicted; /* to this system from the one before */
    double psi_error;                      /* like N_error */
} isocast_validation_system;

/* Of absolute relative errors. mean and max are NAN where n is 0. */
typedef struct isocast_error_summary {
    double mean;
    double max;
    double bias; /* mean of the signed errors */
    size_t n;
} isocast_error_summary;

typedef struct isocast_validation {
    const isocast_model *model;
    isocast_validation_system *systems; /* [system_count], in the order of the runs */
    size_t system_count;
    /* [point_count], by system, then N; the first valid_count of them have sizes that the
     * algorithm's formulas hold for, the others follow, are in no summary, and no N or psi is read
     * from them. */
    isocast_validation_point *points;
    size_t point_count;
    size_t valid_count;
    double
        efficiency; /* at which N and psi are compared; NAN where no system reaches one in common */
    isocast_error_summary T, E, N, psi;
} isocast_validation;

/* Validates the rows of `runs` whose algorithm is the model's, or is not given. efficiency: where N
 * and psi are compared; NAN: the middle of the range that all systems with at least three sizes
 * have measured. `label` names the runs in diagnostics. Errors: INVALID with diagnostics (no row of
 * this algorithm, a system that the machine does not have, an algorithm with several size
 * parameters), NO_MEMORY. */
ISOCAST_API isocast_status isocast_validate(const isocast_model *model, const isocast_runs *runs,
                                            const char *label, double efficiency,
                                            isocast_diagnostics *diagnostics,
                                            isocast_validation **out);
ISOCAST_API void isocast_validation_free(isocast_validation *validation);

#endif
