/* Speed-efficiencies between measured sizes from the nearest four of them: cubics over ln N through
 * the points. Private to trends. */
#ifndef ISOCAST_TREND_LOCAL_H
#define ISOCAST_TREND_LOCAL_H

#include "trend_reading.h"

/* What the cubics are of: ln(E/(1 - E)), which is nearly straight where work and overhead are
 * powers of N; ln E; or E. */
typedef enum isocast_trend_scale {
    ISOCAST_TREND_RATIO,
    ISOCAST_TREND_LOG,
    ISOCAST_TREND_PLAIN
} isocast_trend_scale;

typedef struct isocast_trend_local {
    isocast_trend_scale scale;
    double error;   /* as in isocast_reading */
    double scatter; /* relative standard error of a point, as the same errors show it at most */
} isocast_trend_local;

/* How many of the points are below N. */
size_t isocast_trend_points_below(const isocast_trend_points *points, double N);

/* Chooses what the cubics are of by their error. Needs three points. */
void isocast_trend_local_fit(const isocast_trend_points *points, isocast_trend_local *out);
double isocast_trend_local_at(const isocast_trend_local *local, const isocast_trend_points *points,
                              double N);

/* Where the line passes E between a point and the next, which are on either side of it: sets N,
 * rises, low and high. The interval is of the interpolation's own error, and of the standard errors
 * of the points; points that were run once have the scatter as theirs. */
void isocast_trend_local_cross(const isocast_trend_local *local, const isocast_trend_points *points,
                               size_t before, double E, isocast_crossing *crossing);

#endif
