/* A polynomial in N through measured speed-efficiencies, by least squares. Private to trends. */
#ifndef ISOCAST_TREND_POLYNOMIAL_H
#define ISOCAST_TREND_POLYNOMIAL_H

#include "model/base/status.h"
#include "trend_reading.h"

enum { ISOCAST_TREND_COEFFICIENTS = ISOCAST_TREND_DEGREE_MAX + 1 };

typedef struct isocast_trend_polynomial {
    int degree;
    double middle, half; /* in u = (N - middle)/half, so that it stays well scaled */
    double coefficients[ISOCAST_TREND_COEFFICIENTS];
    double covariance[ISOCAST_TREND_COEFFICIENTS * ISOCAST_TREND_COEFFICIENTS]; /* row-major */
    double freedom; /* degrees of freedom of the scatter */
    double error;   /* as in isocast_reading */
} isocast_trend_polynomial;

/* Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_trend_polynomial_fit(const isocast_trend_points *points, int degree,
                                            isocast_trend_polynomial *out);
double isocast_trend_polynomial_at(const isocast_trend_polynomial *polynomial, double N);

/* Every N between the first and the last point at which it passes E, with its interval: rising, at
 * most ISOCAST_CROSSINGS_MAX; only N, low, high and rises are set. */
void isocast_trend_polynomial_cross(const isocast_trend_polynomial *polynomial,
                                    const isocast_trend_points *points, double E,
                                    isocast_reading *out);

#endif
