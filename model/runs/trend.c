#include "trend.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_machine.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "model/base/least_squares.h"
#include "model/base/numerics.h"
#include "trend_branch.h"
#include "trend_reading.h"

/* Speed-efficiencies between measured sizes from the nearest four of them: cubics over ln N through
 * the points. */

/* What the cubics are of: ln(E/(1 - E)), which is nearly straight where work and overhead are
 * powers of N; ln E; or E. */
typedef enum trend_scale { SCALE_RATIO, SCALE_LOG, SCALE_PLAIN } trend_scale;

typedef struct trend_local {
    trend_scale scale;
    double error;   /* as in isocast_reading */
    double scatter; /* relative standard error of a point, as the same errors show it at most */
} trend_local;

/* What is left of the error of a straight line in that of a cubic, at most in smooth curves of
 * which sizes double. */
static const double of_straight = 0.125;

enum {
    NEAR_MAX = 4,
    HALVINGS = 100 /* of an interval of N until it is as narrow as a double can be */
};

/* 90 % of a normal distribution lie within so many standard errors. */
static const double within_normal = 1.645;
/* A point and the line through others scatter so many times as much as a point alone (squares). */
static const double of_two = 1.5;

/* The points nearest to a place. */
typedef struct nearest {
    double x[NEAR_MAX], y[NEAR_MAX]; /* [count], ln N, and what the cubic is of */
    size_t index[NEAR_MAX];          /* [count], among all points */
    size_t count;
} nearest;

static double transform(trend_scale scale, double E) {
    return scale == SCALE_RATIO ? log(E / (1 - E)) : scale == SCALE_LOG ? log(E) : E;
}

static double transform_back(trend_scale scale, double y) {
    return scale == SCALE_RATIO ? 1 / (1 + exp(-y)) : scale == SCALE_LOG ? exp(y) : y;
}

/* How many of the points are below N. */
static size_t points_below(const isocast_trend_points *points, double N) {
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
static nearest find_nearest(trend_scale scale, const isocast_trend_points *points, double N,
                            size_t without) {
    size_t all = points->count - (without < points->count);
    nearest out = {.count = GSL_MIN(all, NEAR_MAX)};
    size_t below = points_below(points, N);
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

static double E_at(trend_scale scale, const isocast_trend_points *points, double N,
                   size_t without) {
    nearest near = find_nearest(scale, points, N, without);
    return transform_back(scale, value_at(&near, near.count, log(N)));
}

static double local_at(const trend_local *local, const isocast_trend_points *points, double N) {
    return E_at(local->scale, points, N, points->count);
}

static trend_local leave_one_out(trend_scale scale, const isocast_trend_points *points) {
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
    return (trend_local){scale, sqrt(sum / weights), sqrt(scatter / weights / of_two)};
}

/* Chooses what the cubics are of by their error. Needs three points. */
static void local_fit(const isocast_trend_points *points, trend_local *out) {
    bool are_shares = true;
    for (size_t k = 0; k < points->count; k++) {
        are_shares = are_shares && points->E[k] < 1;
    }
    *out = leave_one_out(SCALE_LOG, points);
    if (are_shares) {
        trend_local ratio = leave_one_out(SCALE_RATIO, points);
        *out = ratio.error < out->error ? ratio : *out;
    }
}

static double straight_at(const isocast_trend_points *points, trend_scale scale, size_t before,
                          double x) {
    double first = log(points->N[before]);
    double share = (x - first) / (log(points->N[before + 1]) - first);
    return (1 - share) * transform(scale, points->E[before]) +
           share * transform(scale, points->E[before + 1]);
}

/* How far y of a cubic may be off at x: what points beside the gap change when each is left out,
 * what the same cubic of another scale has there, and the errors of the points. */
static double uncertainty(const trend_local *local, const isocast_trend_points *points,
                          const nearest *near, size_t before, double x) {
    double here = value_at(near, near->count, x);
    trend_scale other = local->scale == SCALE_RATIO ? SCALE_LOG : SCALE_PLAIN;
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
        double of_y = local->scale == SCALE_RATIO ? error / (1 - points->E[k]) : error;
        variance += gsl_pow_2(weight_of(near, i, near->count, x) * of_y);
    }
    double reach = is_known ? within_normal : gsl_cdf_tdist_Pinv(0.95, (double)(points->count - 2));
    return hypot(left_out + (isfinite(scales) ? scales : 0), reach * sqrt(variance));
}

/* Where the line passes E between a point and the next, which are on either side of it: sets N,
 * rises, low and high. The interval is of the interpolation's own error, and of the standard errors
 * of the points; points that were run once have the scatter as theirs. */
static void local_cross(const trend_local *local, const isocast_trend_points *points, size_t before,
                        double E, isocast_crossing *crossing) {
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

/* A polynomial in N through measured speed-efficiencies, by least squares. */

enum { COEFFICIENTS = ISOCAST_TREND_DEGREE_MAX + 1 };

typedef struct trend_polynomial {
    int degree;
    double middle, half; /* in u = (N - middle)/half, so that it stays well scaled */
    double coefficients[COEFFICIENTS];
    double covariance[COEFFICIENTS * COEFFICIENTS]; /* row-major */
    double freedom;                                 /* degrees of freedom of the scatter */
    double error;                                   /* as in isocast_reading */
} trend_polynomial;

/* A line is looked at this often between its ends, and at least so often between two points. */
enum { SCAN_POINTS = 1024, SCAN_MIN = 4 };

static double scaled(const trend_polynomial *p, double N) {
    return (N - p->middle) / p->half;
}

static double polynomial_at(const trend_polynomial *p, double N) {
    double u = scaled(p, N);
    double value = 0;
    for (int i = p->degree; i >= 0; i--) {
        value = value * u + p->coefficients[i];
    }
    return value;
}

/* Standard error of the fitted E at N, from the coefficients' covariance. */
static double standard_error_at(const trend_polynomial *p, double N) {
    double u = scaled(p, N);
    double variance = 0;
    for (int i = 0; i <= p->degree; i++) {
        for (int j = 0; j <= p->degree; j++) {
            variance += p->covariance[i * COEFFICIENTS + j] * gsl_pow_int(u, i + j);
        }
    }
    return sqrt(fmax(variance, 0));
}

/* Leave-one-out errors of the inner points without refitting: residual/(1 - leverage), the leverage
 * from the covariance before it is scaled by the scatter. */
static double polynomial_leave_one_out(const isocast_trend_points *points, const gsl_matrix *design,
                                       const gsl_matrix *unscaled, const gsl_vector *residuals) {
    double sum = 0;
    double weights = 0;
    for (size_t k = 1; k + 1 < points->count; k++) {
        double leverage = 0;
        for (size_t i = 0; i < unscaled->size1; i++) {
            for (size_t j = 0; j < unscaled->size2; j++) {
                leverage += gsl_matrix_get(design, k, i) * gsl_matrix_get(unscaled, i, j) *
                            gsl_matrix_get(design, k, j);
            }
        }
        double weight = log(points->N[k + 1] / points->N[k - 1]);
        sum += weight * gsl_pow_2(gsl_vector_get(residuals, k) / (1 - leverage));
        weights += weight;
    }
    return sqrt(sum / weights);
}

/* What a least-squares fit works on. */
typedef struct fitting {
    gsl_matrix *design;
    gsl_vector *residuals;
    gsl_matrix *covariance;
} fitting;

static isocast_status solve(const isocast_trend_points *points, fitting *f, trend_polynomial *p) {
    size_t terms = (size_t)p->degree + 1;
    for (size_t k = 0; k < points->count; k++) {
        for (size_t i = 0; i < terms; i++) {
            gsl_matrix_set(f->design, k, i, gsl_pow_int(scaled(p, points->N[k]), (int)i));
        }
    }
    gsl_vector_const_view observed = gsl_vector_const_view_array(points->E, points->count);
    gsl_vector_view coefficients = gsl_vector_view_array(p->coefficients, terms);
    double scatter;
    size_t rank;
    isocast_status status =
        isocast_least_squares(f->design, &observed.vector, GSL_DBL_EPSILON, &coefficients.vector,
                              f->covariance, &scatter, &rank);
    if (status == ISOCAST_OK) {
        status = isocast_numerics_status(gsl_multifit_linear_residuals(
            f->design, &observed.vector, &coefficients.vector, f->residuals));
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < terms; i++) {
        for (size_t j = 0; j < terms; j++) {
            p->covariance[i * COEFFICIENTS + j] = gsl_matrix_get(f->covariance, i, j);
        }
    }
    if (p->freedom > 0 && points->count > 2) {
        p->error = 0;
        if (scatter > 0) {
            status = isocast_numerics_status(gsl_matrix_scale(f->covariance, p->freedom / scatter));
            p->error = polynomial_leave_one_out(points, f->design, f->covariance, f->residuals);
        }
    }
    return status;
}

/* Errors: NO_MEMORY, NUMERIC. */
static isocast_status polynomial_fit(const isocast_trend_points *points, int degree,
                                     trend_polynomial *out) {
    size_t count = points->count;
    size_t terms = (size_t)degree + 1;
    fitting f = {gsl_matrix_alloc(count, terms), gsl_vector_alloc(count),
                 gsl_matrix_alloc(terms, terms)};
    isocast_status status = ISOCAST_NO_MEMORY;
    if (f.design != NULL && f.residuals != NULL && f.covariance != NULL) {
        trend_polynomial fitted =
            (trend_polynomial){.degree = degree,
                               .middle = (points->N[0] + points->N[count - 1]) / 2,
                               .half = (points->N[count - 1] - points->N[0]) / 2,
                               .freedom = (double)count - (double)terms,
                               .error = NAN};
        status = solve(points, &f, &fitted);
        if (status == ISOCAST_OK) {
            *out = fitted;
        }
    }
    gsl_matrix_free(f.covariance);
    gsl_vector_free(f.residuals);
    gsl_matrix_free(f.design);
    return status;
}

/* N between left and right, on whose sides the line is over and under E. */
static double polynomial_close_in(const trend_polynomial *p, double E, double left, double right) {
    bool rises = polynomial_at(p, right) >= E;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = left + (right - left) / 2;
        bool over = polynomial_at(p, middle) >= E;
        if (over == rises) {
            right = middle;
        } else {
            left = middle;
        }
    }
    return right;
}

/* The next size to look at, on the way from N to the right or the left; `least` and `most` bound
 * the way. */
static double step_from(double N, double step, double least, double most) {
    return fmin(fmax(N + step, least), most);
}

/* Where the line has gone from E by `reach`, in the direction of `step`; NAN where it does not
 * within the sizes measured. */
static double leave(const trend_polynomial *p, const isocast_trend_points *points, double E,
                    double reach, double from, double step) {
    double least = points->N[0];
    double most = points->N[points->count - 1];
    for (double N = from; N != (step > 0 ? most : least);) {
        double next = step_from(N, step, least, most);
        double off = polynomial_at(p, next) - E;
        if (fabs(off) >= reach) {
            double bound = E + copysign(reach, off);
            return polynomial_close_in(p, bound, fmin(N, next), fmax(N, next));
        }
        N = next;
    }
    return NAN;
}

static void add_interval(const trend_polynomial *p, const isocast_trend_points *points, double E,
                         isocast_crossing *crossing) {
    crossing->low = crossing->high = NAN;
    if (p->freedom > 0) {
        double reach = gsl_cdf_tdist_Pinv(0.95, p->freedom) * standard_error_at(p, crossing->N);
        double step = 2 * p->half / SCAN_POINTS;
        crossing->low = leave(p, points, E, reach, crossing->N, -step);
        crossing->high = leave(p, points, E, reach, crossing->N, step);
    }
}

/* Appends the crossing between two neighbouring places of the line, where there is one. */
static void look_between(const trend_polynomial *p, const isocast_trend_points *points, double E,
                         double left, double right, isocast_reading *out) {
    bool before = polynomial_at(p, left) >= E;
    bool after = polynomial_at(p, right) >= E;
    if (before == after) {
        return;
    }
    if (out->count == ISOCAST_CROSSINGS_MAX) {
        out->more = true;
        return;
    }
    isocast_crossing *crossing = &out->crossings[out->count++];
    *crossing = (isocast_crossing){.N = polynomial_close_in(p, E, left, right), .rises = after};
    add_interval(p, points, E, crossing);
}

/* Every N between the first and the last point at which it passes E, with its interval: rising, at
 * most ISOCAST_CROSSINGS_MAX; only N, low, high and rises are set. */
static void polynomial_cross(const trend_polynomial *p, const isocast_trend_points *points,
                             double E, isocast_reading *out) {
    out->count = 0;
    out->more = false;
    size_t gaps = points->count - 1;
    size_t steps = SCAN_POINTS / gaps > SCAN_MIN ? SCAN_POINTS / gaps : SCAN_MIN;
    for (size_t k = 0; k < gaps; k++) {
        double first = points->N[k];
        double range = points->N[k + 1] - first;
        double left = first;
        for (size_t i = 1; i <= steps; i++) {
            double right =
                i == steps ? points->N[k + 1] : first + range * (double)i / (double)steps;
            look_between(p, points, E, left, right, out);
            left = right;
        }
    }
}

/* A monotone line is taken where its error is less than this part of the best polynomial's: trend
 * lines that are polynomials are the published method. */
static const double better = 0.9;

/* Points that leave three others between which one is left out; those from which on the scatter
 * about the neighbours speaks of noise; the most that this takes a point to be off. */
enum { LOCAL_MIN = 3, ERROR_MIN = 4, NOISE_MIN = 7 };
static const double noise_most = 0.05;

struct isocast_trend {
    isocast_trend_points points; /* copies, in one block that N begins */
    isocast_trend_data data;
    bool is_chosen; /* the line is chosen on reading; else it is `polynomials[0]`, or monotone */
    trend_polynomial polynomials[ISOCAST_TREND_DEGREE_MAX]; /* [polynomial_count] */
    size_t polynomial_count;
    trend_local local;       /* where the line is chosen among three points and more */
    double monotone_error;   /* as in isocast_reading */
    double monotone_scatter; /* likewise, of ln E */
};

static bool points_are_valid(const isocast_trend_points *points) {
    for (size_t i = 0; i < points->count; i++) {
        if (!(points->N[i] > 0) || !(points->E[i] > 0) || !isfinite(points->N[i]) ||
            !isfinite(points->E[i]) || (i > 0 && points->N[i] <= points->N[i - 1])) {
            return false;
        }
    }
    return points->count >= 2;
}

static isocast_trend *create(const isocast_trend_points *points) {
    isocast_numerics_prepare();
    size_t count = points->count;
    isocast_trend *trend = calloc(1, sizeof *trend);
    double *block = malloc(5 * count * sizeof *block);
    if (trend == NULL || block == NULL) {
        free(trend);
        free(block);
        return NULL;
    }
    double *E = block + count;
    double *x = E + count;
    double *y = x + count;
    double *error = y + count;
    for (size_t i = 0; i < count; i++) {
        block[i] = points->N[i];
        E[i] = points->E[i];
        x[i] = log(points->N[i]);
        y[i] = log(points->E[i]);
        error[i] = points->error != NULL ? points->error[i] : NAN;
    }
    trend->points = (isocast_trend_points){.N = block, .E = E, .error = error, .count = count};
    trend->data = (isocast_trend_data){.x = x, .y = y, .error = error, .count = count};
    trend->monotone_error = trend->monotone_scatter = NAN;
    return trend;
}

void isocast_trend_free(isocast_trend *trend) {
    if (trend != NULL) {
        free((double *)trend->points.N);
        free(trend);
    }
}

/* The standard error of a single point as the scatter about its neighbours shows it: a point left
 * out and the line through the others both scatter, by sqrt(1.5) times as much together. The median
 * is that of the scatter, and not of the few points where E bends. `errors` is changed. */
static double noise_of(double *errors, size_t count) {
    static const double of_normal = 1.4826;
    if (count < NOISE_MIN) {
        return 0;
    }
    for (size_t k = 0; k < count; k++) {
        errors[k] = fabs(errors[k]);
    }
    gsl_sort(errors + 1, 1, count - 2);
    double median = gsl_stats_median_from_sorted_data(errors + 1, 1, count - 2);
    return fmin(of_normal * median / sqrt(1.5), noise_most);
}

static isocast_status add_monotone(isocast_trend *trend) {
    const isocast_trend_data *data = &trend->data;
    size_t count = data->count;
    double *errors = malloc(count * sizeof *errors);
    isocast_status status = errors == NULL
                                ? ISOCAST_NO_MEMORY
                                : isocast_trend_leave_one_out(data->x, data->y, count, errors);
    if (status == ISOCAST_OK) {
        double sum = 0;
        double scatter = 0;
        double weights = 0;
        for (size_t k = 1; k + 1 < count; k++) {
            double weight = data->x[k + 1] - data->x[k - 1];
            sum += weight * gsl_pow_2(trend->points.E[k] * expm1(errors[k]));
            scatter += weight * gsl_pow_2(errors[k]);
            weights += weight;
        }
        if (count >= ERROR_MIN) {
            trend->monotone_error = sqrt(sum / weights);
            trend->monotone_scatter = sqrt(scatter / weights);
        }
        trend->data.noise = noise_of(errors, count);
    }
    free(errors);
    return status;
}

static isocast_status add_polynomials(isocast_trend *trend, int least, int most) {
    isocast_status status = ISOCAST_OK;
    for (int degree = least; status == ISOCAST_OK && degree <= most; degree++) {
        status =
            polynomial_fit(&trend->points, degree, &trend->polynomials[trend->polynomial_count++]);
    }
    return status;
}

/* The largest degree that leaves two degrees of freedom. */
static int degree_most(size_t count) {
    size_t most = count > 3 ? count - 3 : 0;
    return most < ISOCAST_TREND_DEGREE_MAX ? (int)most : ISOCAST_TREND_DEGREE_MAX;
}

static isocast_status fit(const isocast_trend_points *points, int least, int most,
                          isocast_trend **out) {
    isocast_trend *trend = create(points);
    if (trend == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = add_monotone(trend);
    if (status == ISOCAST_OK) {
        status = add_polynomials(trend, least, most);
    }
    if (status != ISOCAST_OK) {
        isocast_trend_free(trend);
        return status;
    }
    *out = trend;
    return ISOCAST_OK;
}

isocast_status isocast_trend_fit(const isocast_trend_points *points, int degree,
                                 isocast_trend **out) {
    if (degree < 0 || degree > ISOCAST_TREND_DEGREE_MAX || points->count < (size_t)degree + 1 ||
        !points_are_valid(points)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_status status = degree > 0 ? fit(points, degree, degree, out)
                                       : fit(points, 1, degree_most(points->count), out);
    if (status == ISOCAST_OK && degree == 0) {
        (*out)->is_chosen = true;
        if (points->count >= LOCAL_MIN) {
            local_fit(&(*out)->points, &(*out)->local);
        }
    }
    return status;
}

isocast_status isocast_trend_fit_monotone(const isocast_trend_points *points, isocast_trend **out) {
    return points_are_valid(points) ? fit(points, 1, 0, out) : ISOCAST_ARGUMENT;
}

/* What a reading is made from. */
typedef struct passage {
    const isocast_trend *trend;
    double E;
    const isocast_trend_branch *branches; /* [count], as the points say */
    size_t count;
} passage;

/* Copies what the points say of a crossing. */
static void place(const passage *p, size_t branch, isocast_crossing *crossing) {
    const double *N = p->trend->points.N;
    crossing->least = N[p->branches[branch].least];
    crossing->most = N[p->branches[branch].most];
    crossing->start = N[p->branches[branch].first];
    crossing->end = N[p->branches[branch].last];
}

/* Intervals end where the next crossing's stretch begins: beyond it there are other solutions. */
static void keep_apart(isocast_crossing *crossing) {
    if (crossing->low < crossing->start || crossing->low > crossing->N) {
        crossing->low = NAN;
    }
    if (crossing->high > crossing->end || crossing->high < crossing->N) {
        crossing->high = NAN;
    }
}

static isocast_status read_monotone(const passage *p, isocast_reading *out) {
    const isocast_trend *trend = p->trend;
    double reach = gsl_cdf_tdist_Pinv(0.95, fmax(1, (double)trend->points.count - 2)) *
                   trend->monotone_scatter;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < p->count && i < ISOCAST_CROSSINGS_MAX; i++) {
        const isocast_trend_branch *branch = &p->branches[i];
        double x;
        double low;
        double high;
        status = isocast_trend_branch_read(&trend->data, branch, log(p->E), reach, &x, &low, &high);
        isocast_crossing *crossing = &out->crossings[i];
        *crossing = (isocast_crossing){
            .N = exp(x), .low = exp(low), .high = exp(high), .rises = branch->rises};
        place(p, i, crossing);
        /* What rounding makes of a reading at a size measured. */
        crossing->N = fmin(fmax(crossing->N, crossing->start), crossing->end);
        crossing->low = isnan(low) ? NAN : fmin(fmax(crossing->low, crossing->start), crossing->N);
        crossing->high = isnan(high) ? NAN : fmax(fmin(crossing->high, crossing->end), crossing->N);
        out->count = i + 1;
    }
    out->more = p->count > ISOCAST_CROSSINGS_MAX;
    out->kind = ISOCAST_TREND_MONOTONE;
    out->degree = 0;
    out->error = trend->monotone_error;
    return status;
}

/* The branch in whose direction a polynomial passes E nearest to it; where there is none in that
 * direction, the nearest. */
static size_t nearest_branch(const passage *p, const isocast_crossing *crossing) {
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < p->count; i++) {
        const isocast_trend_branch *b = &p->branches[i];
        double off = fmax(fmax(p->trend->points.N[b->least] - crossing->N,
                               crossing->N - p->trend->points.N[b->most]),
                          0);
        off = b->rises == crossing->rises ? off
                                          : off + p->trend->points.N[p->trend->points.count - 1];
        if (off < least) {
            least = off;
            best = i;
        }
    }
    return best;
}

static void read_polynomial(const passage *p, const trend_polynomial *polynomial,
                            isocast_reading *out) {
    polynomial_cross(polynomial, &p->trend->points, p->E, out);
    for (size_t i = 0; i < out->count; i++) {
        place(p, nearest_branch(p, &out->crossings[i]), &out->crossings[i]);
        keep_apart(&out->crossings[i]);
    }
    out->kind = ISOCAST_TREND_POLYNOMIAL;
    out->degree = polynomial->degree;
    out->error = polynomial->error;
}

/* Whether a polynomial passes E where the points do, and nowhere else. */
static bool agrees(const passage *p, const isocast_reading *reading) {
    if (reading->count != p->count || reading->more) {
        return false;
    }
    for (size_t i = 0; i < p->count; i++) {
        const isocast_trend_branch *b = &p->branches[i];
        const isocast_crossing *crossing = &reading->crossings[i];
        if (crossing->rises != b->rises || crossing->N < p->trend->points.N[b->least] ||
            crossing->N > p->trend->points.N[b->most]) {
            return false;
        }
    }
    return true;
}

/* Cubics through the nearest points; not where points on either side are in turns. */
static void read_local(const passage *p, isocast_reading *out) {
    const isocast_trend *trend = p->trend;
    *out = (isocast_reading){.kind = ISOCAST_TREND_LOCAL, .error = trend->local.error};
    out->more = p->count > ISOCAST_CROSSINGS_MAX;
    for (size_t i = 0; i < p->count && i < ISOCAST_CROSSINGS_MAX; i++) {
        const isocast_trend_branch *b = &p->branches[i];
        if (b->most != b->least + 1) {
            out->count = 0;
            return;
        }
        isocast_crossing *crossing = &out->crossings[out->count++];
        local_cross(&trend->local, &trend->points, b->least, p->E, crossing);
        place(p, i, crossing);
        keep_apart(crossing);
    }
}

static isocast_status read_best(const passage *p, isocast_reading *out) {
    const isocast_trend *trend = p->trend;
    isocast_status status = read_monotone(p, out);
    double least = isnan(trend->monotone_error) ? INFINITY : trend->monotone_error / better;
    for (size_t i = 0; status == ISOCAST_OK && i < trend->polynomial_count; i++) {
        if (trend->polynomials[i].error <= least) {
            isocast_reading reading = {0};
            read_polynomial(p, &trend->polynomials[i], &reading);
            if (agrees(p, &reading)) {
                *out = reading;
                least = trend->polynomials[i].error;
            }
        }
    }
    if (status == ISOCAST_OK && trend->points.count >= LOCAL_MIN &&
        (trend->points.count < ERROR_MIN || trend->local.error < better * least)) {
        isocast_reading reading;
        read_local(p, &reading);
        *out = reading.count > 0 ? reading : *out;
    }
    return status;
}

static isocast_status read_line(const passage *p, isocast_reading *out) {
    if (p->trend->is_chosen) {
        return read_best(p, out);
    }
    if (p->trend->polynomial_count == 0) {
        return read_monotone(p, out);
    }
    read_polynomial(p, &p->trend->polynomials[0], out);
    return ISOCAST_OK;
}

/* Where the points do not pass E there is no crossing, whatever a line does between them. */
static void report_side(const passage *p, isocast_reading *out) {
    const isocast_trend *trend = p->trend;
    bool asked = !trend->is_chosen && trend->polynomial_count > 0;
    out->status = trend->points.E[0] > p->E ? ISOCAST_READING_BELOW : ISOCAST_READING_ABOVE;
    out->kind = asked ? ISOCAST_TREND_POLYNOMIAL : ISOCAST_TREND_MONOTONE;
    out->degree = asked ? trend->polynomials[0].degree : 0;
    out->error = asked ? trend->polynomials[0].error : trend->monotone_error;
}

isocast_status isocast_trend_read(const isocast_trend *trend, double E, isocast_reading *out) {
    if (!(E > 0) || !isfinite(E)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_trend_branch *branches = NULL;
    size_t count = 0;
    isocast_status status = isocast_trend_branches(&trend->data, log(E), &branches, &count);
    if (status != ISOCAST_OK) {
        return status;
    }
    passage p = {trend, E, branches, count};
    isocast_reading reading = {0};
    if (count == 0) {
        report_side(&p, &reading);
    } else {
        status = read_line(&p, &reading);
        reading.status = reading.count == 0  ? ISOCAST_READING_MISFIT
                         : reading.count > 1 ? ISOCAST_READING_SEVERAL
                                             : ISOCAST_READING_OK;
    }
    free(branches);
    if (status == ISOCAST_OK) {
        *out = reading;
    }
    return status;
}

/* Index of a size that was measured. */
static size_t point_of(const isocast_trend_points *points, double N) {
    size_t below = points_below(points, N);
    return below < points->count ? below : points->count - 1;
}

static isocast_status monotone_line(const isocast_trend *trend, const isocast_reading *reading,
                                    size_t count, const double *N, double *E) {
    double *x = malloc(2 * (count + 1) * sizeof *x);
    if (x == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *y = x + count;
    for (size_t k = 0; k < count; k++) {
        x[k] = log(N[k]);
        y[k] = NAN;
    }
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < reading->count; i++) {
        const isocast_crossing *crossing = &reading->crossings[i];
        isocast_trend_branch branch = {.first = point_of(&trend->points, crossing->start),
                                       .last = point_of(&trend->points, crossing->end),
                                       .rises = crossing->rises};
        status = isocast_trend_branch_line(&trend->data, &branch, count, x, y);
    }
    for (size_t k = 0; k < count; k++) {
        E[k] = exp(y[k]);
    }
    free(x);
    return status;
}

isocast_status isocast_trend_line(const isocast_trend *trend, const isocast_reading *reading,
                                  size_t count, const double *N, double *E) {
    if (reading->kind == ISOCAST_TREND_MONOTONE) {
        return monotone_line(trend, reading, count, N, E);
    }
    if (reading->kind == ISOCAST_TREND_LOCAL) {
        for (size_t k = 0; k < count; k++) {
            E[k] = local_at(&trend->local, &trend->points, N[k]);
        }
        return ISOCAST_OK;
    }
    const trend_polynomial *polynomial = trend->polynomials;
    while (polynomial->degree != reading->degree) {
        polynomial++;
    }
    for (size_t k = 0; k < count; k++) {
        E[k] = polynomial_at(polynomial, N[k]);
    }
    return ISOCAST_OK;
}
