#include "trend_local.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>

/* What is left of the error of a straight line in that of a cubic, at most in smooth curves of
 * which sizes double. */
static const double of_straight = 0.125;

enum { NEAR_MAX = 4, HALVINGS = 100 };

/* 90 % of a normal distribution lie within so many standard errors. */
static const double of_normal = 1.645;
/* A point and the line through others scatter so many times as much as a point alone (squares). */
static const double of_two = 1.5;

/* The points nearest to a place. */
typedef struct nearest {
    double x[NEAR_MAX], y[NEAR_MAX]; /* [count], ln N, and what the cubic is of */
    size_t index[NEAR_MAX];          /* [count], among all points */
    size_t count;
} nearest;

static double transform(isocast_trend_scale scale, double E) {
    return scale == ISOCAST_TREND_RATIO ? log(E / (1 - E))
           : scale == ISOCAST_TREND_LOG ? log(E)
                                        : E;
}

static double transform_back(isocast_trend_scale scale, double y) {
    return scale == ISOCAST_TREND_RATIO ? 1 / (1 + exp(-y))
           : scale == ISOCAST_TREND_LOG ? exp(y)
                                        : y;
}

size_t isocast_trend_points_below(const isocast_trend_points *points, double N) {
    size_t low = 0;
    size_t high = points->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (points->N[middle] < N) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Two points on either side of N, or more of one side where there are fewer of the other; without
 * the point `without` (the number of points: with all). */
static nearest find_nearest(isocast_trend_scale scale, const isocast_trend_points *points, double N,
                            size_t without) {
    size_t all = points->count - (without < points->count);
    nearest out = {.count = GSL_MIN(all, NEAR_MAX)};
    size_t below = isocast_trend_points_below(points, N);
    below -= without < below;
    size_t first = below > 2 ? below - 2 : 0;
    first = GSL_MIN(first, all - out.count);
    for (size_t i = 0; i < out.count; i++) {
        size_t k = first + i + (first + i >= without);
        out.index[i] = k;
        out.x[i] = log(points->N[k]);
        out.y[i] = transform(scale, points->E[k]);
    }
    return out;
}

/* What a point has for a weight in the polynomial through all of them (Lagrange's), or in the one
 * without the point `without`. */
static double weight_of(const nearest *near, size_t point, size_t without, double x) {
    double weight = 1;
    for (size_t i = 0; i < near->count; i++) {
        if (i != point && i != without) {
            weight *= (x - near->x[i]) / (near->x[point] - near->x[i]);
        }
    }
    return weight;
}

static double value_at(const nearest *near, size_t without, double x) {
    double y = 0;
    for (size_t i = 0; i < near->count; i++) {
        y += i == without ? 0 : weight_of(near, i, without, x) * near->y[i];
    }
    return y;
}

static double E_at(isocast_trend_scale scale, const isocast_trend_points *points, double N,
                   size_t without) {
    nearest near = find_nearest(scale, points, N, without);
    return transform_back(scale, value_at(&near, near.count, log(N)));
}

double isocast_trend_local_at(const isocast_trend_local *local, const isocast_trend_points *points,
                              double N) {
    return E_at(local->scale, points, N, points->count);
}

static isocast_trend_local leave_one_out(isocast_trend_scale scale,
                                         const isocast_trend_points *points) {
    double sum = 0;
    double scatter = 0;
    double weights = 0;
    for (size_t k = 1; k + 1 < points->count; k++) {
        double weight = log(points->N[k + 1] / points->N[k - 1]);
        double E = E_at(scale, points, points->N[k], k);
        sum += weight * gsl_pow_2(E - points->E[k]);
        scatter += weight * gsl_pow_2(E / points->E[k] - 1);
        weights += weight;
    }
    return (isocast_trend_local){scale, sqrt(sum / weights), sqrt(scatter / weights / of_two)};
}

void isocast_trend_local_fit(const isocast_trend_points *points, isocast_trend_local *out) {
    bool are_shares = true;
    for (size_t k = 0; k < points->count; k++) {
        are_shares = are_shares && points->E[k] < 1;
    }
    *out = leave_one_out(ISOCAST_TREND_LOG, points);
    if (are_shares) {
        isocast_trend_local ratio = leave_one_out(ISOCAST_TREND_RATIO, points);
        *out = ratio.error < out->error ? ratio : *out;
    }
}

static double straight_at(const isocast_trend_points *points, isocast_trend_scale scale,
                          size_t before, double x) {
    double first = log(points->N[before]);
    double share = (x - first) / (log(points->N[before + 1]) - first);
    return (1 - share) * transform(scale, points->E[before]) +
           share * transform(scale, points->E[before + 1]);
}

/* How far y of a cubic may be off at x: what points beside the gap change when each is left out,
 * what the same cubic of another scale has there, and the errors of the points. */
static double uncertainty(const isocast_trend_local *local, const isocast_trend_points *points,
                          const nearest *near, size_t before, double x) {
    double here = value_at(near, near->count, x);
    isocast_trend_scale other =
        local->scale == ISOCAST_TREND_RATIO ? ISOCAST_TREND_LOG : ISOCAST_TREND_PLAIN;
    double scales =
        fabs(transform(local->scale, E_at(other, points, exp(x), points->count)) - here);
    /* A point that changes nothing may do so by chance: no less than a part of what a straight line
     * between the two neighbours has. */
    double straight = straight_at(points, local->scale, before, x);
    double left_out = fabs(straight - here) * of_straight;
    double variance = 0;
    bool is_known = true;
    for (size_t i = 0; i < near->count; i++) {
        size_t k = near->index[i];
        if (k != before && k != before + 1) {
            left_out = fmax(left_out, fabs(value_at(near, i, x) - here));
        }
        double error = points->error != NULL ? points->error[k] : NAN;
        is_known = is_known && !isnan(error);
        error = isnan(error) ? local->scatter : error;
        double of_y = local->scale == ISOCAST_TREND_RATIO ? error / (1 - points->E[k]) : error;
        variance += gsl_pow_2(weight_of(near, i, near->count, x) * of_y);
    }
    double reach = is_known ? of_normal : gsl_cdf_tdist_Pinv(0.95, (double)(points->count - 2));
    return hypot(left_out + (isfinite(scales) ? scales : 0), reach * sqrt(variance));
}

void isocast_trend_local_cross(const isocast_trend_local *local, const isocast_trend_points *points,
                               size_t before, double E, isocast_crossing *crossing) {
    double left = log(points->N[before]);
    double right = log(points->N[before + 1]);
    bool rises = points->E[before + 1] > points->E[before];
    nearest near = find_nearest(local->scale, points, exp((left + right) / 2), points->count);
    double wanted = transform(local->scale, E);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = left + (right - left) / 2;
        if ((value_at(&near, near.count, middle) < wanted) == rises) {
            left = middle;
        } else {
            right = middle;
        }
    }
    double step = 1e-4 * (near.x[near.count - 1] - near.x[0]);
    double slope =
        (value_at(&near, near.count, right + step) - value_at(&near, near.count, right - step)) /
        (2 * step);
    double off = uncertainty(local, points, &near, before, right) / fabs(slope);
    bool known = slope != 0 && (slope > 0) == rises;
    crossing->N = fmin(fmax(exp(right), points->N[before]), points->N[before + 1]);
    crossing->rises = rises;
    crossing->low = known ? crossing->N * exp(-off) : NAN;
    crossing->high = known ? crossing->N * exp(off) : NAN;
}
