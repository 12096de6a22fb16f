/* The runs of an algorithm, put in order: by system and further sizes, then N, with the median of
 * each size. What scalability and validation read from, in one way. Owns indices and medians,
 * borrows the runs. */
#ifndef ISOCAST_RUNS_SIZES_H
#define ISOCAST_RUNS_SIZES_H

#include "model/spec/algorithm.h"
#include "runs.h"
#include "trend.h"

/* Each is compared with others, read and shown. */
enum { ISOCAST_RUN_SYSTEMS_MAX = 20000 };

/* One (system, N, further sizes). */
typedef struct isocast_run_size {
    double N;               /* the algorithm's first size, as the next ones */
    size_t first, count;    /* among `order` */
    double T, T_min, T_max; /* s: median and extremes */
    double spread; /* median absolute deviation of T over its median; NAN for a single run */
    double error;  /* relative standard error of the median, from the spread of all sizes of the
                      system; NAN where none was run twice */
} isocast_run_size;

/* The runs of a system at the same further sizes. */
typedef struct isocast_run_system {
    const char *name;
    const double *others; /* further sizes, [size_count - 1] of the algorithm; NULL: it has none */
    char *label; /* the name, with the further sizes where the runs have several: "C2 (K = 8)" */
    size_t first_run, run_count;   /* among `order` */
    size_t first_size, size_count; /* among `sizes` */
    bool oversubscribed;
} isocast_run_system;

typedef struct isocast_run_sizes {
    const isocast_run **order; /* [run_count], those that count: by system, then N, then place */
    double *values;            /* [run_count][value_count], the sizes of each, the first before */
    size_t run_count, value_count;
    isocast_run_size *sizes; /* [size_count], by system, N rising */
    size_t size_count;
    isocast_run_system *systems; /* [system_count], by name */
    size_t system_count;
    bool several; /* further sizes differ among the runs */
} isocast_run_sizes;

/* Orders the runs that count. wanted: those whose column `algorithm` is this name; NULL: where rows
 * name several algorithms, those of `algorithm`; where they name one, all, with a warning if
 * `warn` and it is another. Runs without a name count either way. Rows in which a number of the
 * algorithm has another value do not count, which is reported if `warn` (run_columns.h). T need not
 * be known. Errors: INVALID with diagnostics (no such run, a size that the algorithm does not take
 * or that has no column, too many systems), NO_MEMORY. */
isocast_status isocast_run_sizes_collect(const isocast_runs *runs,
                                         const isocast_algorithm *algorithm, const char *wanted,
                                         bool warn, isocast_diagnostics *diagnostics,
                                         isocast_run_sizes *out);
void isocast_run_sizes_free(isocast_run_sizes *sizes);

/* T in s of a system at N: the median of its runs there, or between two of their sizes on a
 * straight line of ln T over ln N; NAN beyond them. */
double isocast_run_sizes_time_at(const isocast_run_sizes *sizes, const isocast_run_system *system,
                                 double N);

/* Whether two systems have the same further sizes. */
bool isocast_run_sizes_alike(const isocast_run_sizes *sizes, const isocast_run_system *a,
                             const isocast_run_system *b);

/* Fits a trend to E, [size_count] of a system's sizes, leaving out sizes where it is NAN. degree:
 * as in isocast_trend_fit, or the monotone line. *out is NULL where there are too few sizes. Errors
 * as in isocast_trend_fit. */
enum { ISOCAST_DEGREE_MONOTONE = -1 };
isocast_status isocast_run_sizes_fit(const isocast_run_sizes *sizes,
                                     const isocast_run_system *system, const double *E, int degree,
                                     isocast_trend **out);

#endif
