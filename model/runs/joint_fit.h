/* Numbers that an algorithm leaves open, from measured runs: all of them together, by least squares
 * of the relative error of T. Formats nothing. */
#ifndef ISOCAST_JOINT_FIT_H
#define ISOCAST_JOINT_FIT_H

#include "validation.h"

/* What the runs say of a number. */
typedef enum isocast_fitted_status {
    ISOCAST_FITTED_OK,
    ISOCAST_FITTED_LEAST,        /* T is nearest to the runs at its min, which is above 0 */
    ISOCAST_FITTED_MOST,         /* at its max */
    ISOCAST_FITTED_CONTRADICTED, /* where it is 0 */
    ISOCAST_FITTED_ALIKE,        /* no more than others say; its min beside these */
    ISOCAST_FITTED_ASSUMED,      /* T of no run changes with it; the middle of its range */
    ISOCAST_FITTED_SILENT        /* T of no run changes with it, and it has no max; it stays open */
} isocast_fitted_status;
/* Ending in NULL. */
extern const char *const isocast_fitted_status_words[];

typedef struct isocast_fitted_number {
    const char *name;            /* the algorithm's */
    double value, error;         /* SI; the error is NAN where it is not known */
    isocast_dimension dimension; /* of both */
    double share;                /* of T, mean over the sizes: d ln T/d ln value */
    isocast_fitted_status status;
} isocast_fitted_number;

/* What was run, and what the fit says of it. */
typedef struct isocast_fitted_point {
    size_t system; /* of the runs' sizes, as isocast_run_sizes_collect() has them */
    double p, N;
    double T, T_fit; /* s, the first measured */
} isocast_fitted_point;

typedef struct isocast_joint_fit {
    isocast_fitted_number *numbers; /* [count] */
    size_t count;
    isocast_fitted_point *points; /* [sizes] */
    size_t sizes;      /* fitted to: (system, N) with further sizes; 0: none, nothing is fitted */
    size_t left;       /* sizes on more processes */
    double p, p_least; /* the most processes of those, and the fewest of all */
    double off;        /* interquartile mean of |predicted T/measured T - 1| */
    double scatter;    /* robust standard deviation of predicted T/measured T - 1 */
    /* The part of T with whose share the residuals grow, part_count: none, and how far they go from
     * the least share to the largest. */
    size_t trend_part, part_count;
    double trend;
    const char *failure; /* why there is no fit; NULL: there is one */
} isocast_joint_fit;

/* The most numbers at once. */
enum { ISOCAST_JOINT_FIT_MAX = 24 };

/* Fits what is open (requirement.h), and puts values and errors into the algorithm: intervals of
 * its predictions count them. Values are from the min to the max of the algorithm, or 0 and more.
 * rows: as `algorithm` of isocast_validate(). Runs on more than p_most processes are left out; NAN:
 * none. `runs`, the algorithm and its name must outlive the result. Errors: as isocast_validate();
 * INVALID where nothing is open, or too much. */
isocast_status isocast_joint_fit_make(isocast_algorithm *algorithm, const isocast_machine *machine,
                                      const isocast_runs *runs, const char *rows, double p_most,
                                      isocast_diagnostics *diagnostics, isocast_joint_fit **out);
void isocast_joint_fit_free(isocast_joint_fit *fit);

#endif
