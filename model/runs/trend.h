/* Measured speed-efficiencies E(N) of one system, and every N at which they reach a wanted E: route
 * 1 to scalability [CSW 3.5, 4.4]. Knows nothing of where the points come from. */
#ifndef ISOCAST_TREND_H
#define ISOCAST_TREND_H

#include "model/base/status.h"
#include "trend_reading.h"

typedef struct isocast_trend isocast_trend;

/* Fits lines to the points. degree: that of the polynomial to read, 1 to ISOCAST_TREND_DEGREE_MAX,
 * or 0 to choose the line when it is read. Copies the points. Errors: ARGUMENT (fewer than two
 * points or than degree + 1, N not rising, a value that is not finite or not above 0), NO_MEMORY,
 * NUMERIC. */
isocast_status isocast_trend_fit(const isocast_trend_points *points, int degree,
                                 isocast_trend **out);
/* The monotone line on its own; same errors. */
isocast_status isocast_trend_fit_monotone(const isocast_trend_points *points, isocast_trend **out);
void isocast_trend_free(isocast_trend *trend);

/* Reads every N within the sizes measured at which E passes the wanted value. Whether and where it
 * does is what the points say: between two neighbours on either side of it. Points that are nearer
 * to it than twice their error count for nothing against others that are farther.
 *
 * Where the line is to be chosen, it is the polynomial with the least error among those that leave
 * two degrees of freedom and pass E as often, in the same directions, and between the same sizes as
 * the points do; and the monotone line where there is no such polynomial, or where its error is
 * less than nine tenths of the polynomial's. Errors: ARGUMENT (E), NO_MEMORY, NUMERIC. */
isocast_status isocast_trend_read(const isocast_trend *trend, double E, isocast_reading *out);

/* E of the line that was read, at N, shape [count], rising, and within the sizes measured. A
 * monotone line is known on the stretches around its crossings; elsewhere E is NAN. Errors:
 * NO_MEMORY, NUMERIC. */
isocast_status isocast_trend_line(const isocast_trend *trend, const isocast_reading *reading,
                                  size_t count, const double *N, double *E);

#endif
