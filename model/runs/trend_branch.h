/* Where measured points pass a wanted E, and the monotone line of the stretch on which they do.
 * Private to trends. */
#ifndef ISOCAST_TREND_BRANCH_H
#define ISOCAST_TREND_BRANCH_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/status.h"

/* The points in logarithms. */
typedef struct isocast_trend_data {
    const double *x;     /* [count], ln N */
    const double *y;     /* [count], ln E */
    const double *error; /* [count], standard error of y; NAN where it is not known */
    size_t count;
    double noise; /* standard error of y as the scatter shows it; 0 where that is not known */
} isocast_trend_data;

/* The stretch around one crossing, as indices of points. */
typedef struct isocast_trend_branch {
    size_t first, last; /* from one extreme to the next */
    size_t least, most; /* between these the points pass the wanted value */
    bool rises;
} isocast_trend_branch;

/* Finds every crossing of y = wanted that the points show. *out: [*count], the caller's to free.
 * Errors: NO_MEMORY. */
isocast_status isocast_trend_branches(const isocast_trend_data *data, double wanted,
                                      isocast_trend_branch **out, size_t *count);

/* x at which the branch's monotone line is at y = wanted, less and more `reach` (NAN: none); NAN in
 * `low` and `high` where the line does not get there. Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_trend_branch_read(const isocast_trend_data *data,
                                         const isocast_trend_branch *branch, double wanted,
                                         double reach, double *x, double *low, double *high);

/* Sets y of the branch's monotone line at those x, shape [count], that are within the branch;
 * leaves the others. Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_trend_branch_line(const isocast_trend_data *data,
                                         const isocast_trend_branch *branch, size_t count,
                                         const double *x, double *y);

/* Leave-one-out errors at the points between the first and the last of monotone cubics through
 * their four neighbours: y of the line less y of the point. errors: [count], the first and the last
 * are 0. Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_trend_leave_one_out(const double *x, const double *y, size_t count,
                                           double *errors);

#endif
