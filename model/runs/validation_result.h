/* What a comparison of predictions with measured runs comes to: its points, its systems, and the
 * summaries of their errors. */
#ifndef ISOCAST_VALIDATION_RESULT_H
#define ISOCAST_VALIDATION_RESULT_H

#include "model/base/metric.h"
#include "model/solve/model.h"
#include "runs_sizes.h"

/* One (system, N). NAN marks what is not known. */
typedef struct isocast_validation_point {
    size_t system; /* index into systems */
    double N;
    bool valid;                    /* whether the algorithm's formulas hold for N */
    size_t first_run, repetitions; /* among the ordered runs */
    double T, T_min, T_max;        /* s, measured: median and extremes */
    double spread;                 /* median absolute deviation of T over its median */
    double T_predicted; /* s; NAN where the formulas have no value, or a sum is not known,
                           like E_predicted */
    double T_error;     /* relative, signed: predicted over measured - 1, like the next */
    double E, E_predicted, E_error;
    size_t largest_term;  /* overhead term with the largest share; term_count: there is none */
    double largest_share; /* of the predicted T */
    double compute_share; /* T_c over the predicted T */
} isocast_validation_point;

/* Where the measured and the predicted E pass the efficiency. */
typedef enum isocast_validation_pairing {
    ISOCAST_PAIRING_OK, /* at least one pair is the same solution; the smallest is given */
    ISOCAST_PAIRING_NOT_MEASURED,  /* the measured E does not pass it within the sizes measured */
    ISOCAST_PAIRING_NOT_PREDICTED, /* the predicted E does not pass it */
    ISOCAST_PAIRING_OTHER_BRANCH,  /* both pass it, the one rising with N, the other falling */
    ISOCAST_PAIRING_CONCURRENCY    /* where either passes it, not all processes can work */
} isocast_validation_pairing;

typedef struct isocast_validation_system {
    isocast_system *system;
    const char *label;         /* its name, with the further sizes where the runs have several */
    size_t group;              /* the same for systems with the same further sizes */
    const double *other_sizes; /* [size_count - 1] of the algorithm; NULL: it has one size */
    const isocast_run_system *single; /* its runs on one process; NULL where there are none */
    bool oversubscribed;
    size_t measured; /* index among the systems of `sizes` */
    size_t first_point, point_count;
    /* The size that shows the efficiency, by the three routes of [CSW 3.5]; the same solution where
     * the pairing is OK, else what there is, of which nothing is compared. */
    double N, N_low, N_high; /* computed: where the trend of the measured E passes it, and the
                                interval of that reading */
    double N_direct;    /* measured directly: a size next to that, whose runs show it within 2 % */
    double N_predicted; /* where the prediction passes it */
    double N_predicted_low, N_predicted_high; /* its interval */
    double condition; /* |d ln N/d ln E| of the prediction there (prediction_result.h) */
    double N_error;   /* relative, signed: predicted over computed, or else directly measured */
    double N_reading_error; /* relative: how far that which N_error is to may itself be off, 90 % */
    isocast_validation_pairing pairing;
    size_t crossings;                      /* how often the measured E passes the efficiency */
    size_t roots;                          /* how often the predicted E does */
    double psi, psi_direct, psi_predicted; /* to this system from the one before */
    double psi_predicted_low, psi_predicted_high;
    double psi_error;         /* like N_error */
    double psi_reading_error; /* like N_reading_error, by those of this system and the one before */
} isocast_validation_system;

/* Of absolute relative errors. mean, max, bias and mean_beyond are NAN where n is 0. */
typedef struct isocast_error_summary {
    double mean;
    double max;
    double bias;        /* mean of the signed errors */
    double mean_beyond; /* mean of what they are above the own error of what is measured */
    double least, most; /* of the signed errors */
    size_t n;
} isocast_error_summary;

typedef struct isocast_validation {
    const isocast_model *model;
    isocast_metric metric;              /* E is what it holds */
    isocast_run_sizes sizes;            /* the runs that are compared, in order */
    isocast_validation_system *systems; /* [system_count], by further sizes, p, then C */
    size_t system_count;
    /* [point_count], by system, then N. Those of sizes that the algorithm's formulas do not hold
     * for are in no summary, and no N or psi is read from them. */
    isocast_validation_point *points;
    size_t point_count;
    size_t valid_count; /* of sizes that they hold for */
    double
        efficiency; /* at which N and psi are compared; NAN where no system reaches one in common */
    isocast_error_summary T, E, N, psi;
    isocast_effort *effort; /* that is left for more that is computed of it; owned */
} isocast_validation;

/* Chooses the efficiency where it is NAN, then fills N, psi and their errors of every system; the
 * points are filled. Errors: NO_MEMORY. */
isocast_status isocast_validation_compare_sizes(isocast_validation *validation, double efficiency);

/* By what the logarithm of what psi is read off moves where the N measured on a system is off by
 * `error`, relative; NAN where that is not known. Errors: NO_MEMORY. */
isocast_status isocast_validation_psi_shift(const isocast_validation *validation,
                                            const isocast_validation_system *system, double error,
                                            double *shift);

/* Sets the results, and *held, what the metric holds, which may be NULL. All are NAN where the
 * formulas have no value, a sum is not known, or it is not known which processes can work. `effort`
 * like in isocast_program_points. Errors: NO_MEMORY. */
isocast_status isocast_validation_times(const isocast_validation *validation,
                                        const isocast_validation_system *of, double N,
                                        isocast_effort *effort, isocast_model_results *results,
                                        double *held);

#endif
