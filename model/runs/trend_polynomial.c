#include "trend_polynomial.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_machine.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

#include "model/base/least_squares.h"
#include "model/base/numerics.h"

/* A line is looked at this often between its ends, and at least so often between two points; how
 * often an interval of N is halved until it is as narrow as a double can be. */
enum { SCAN_POINTS = 1024, SCAN_MIN = 4, HALVINGS = 100 };

static double scaled(const isocast_trend_polynomial *p, double N) {
    return (N - p->middle) / p->half;
}

double isocast_trend_polynomial_at(const isocast_trend_polynomial *p, double N) {
    double u = scaled(p, N);
    double value = 0;
    for (int i = p->degree; i >= 0; i--) {
        value = value * u + p->coefficients[i];
    }
    return value;
}

/* Standard error of the fitted E at N, from the coefficients' covariance. */
static double standard_error_at(const isocast_trend_polynomial *p, double N) {
    double u = scaled(p, N);
    double variance = 0;
    for (int i = 0; i <= p->degree; i++) {
        for (int j = 0; j <= p->degree; j++) {
            variance += p->covariance[i * ISOCAST_TREND_COEFFICIENTS + j] * gsl_pow_int(u, i + j);
        }
    }
    return sqrt(fmax(variance, 0));
}

/* Leave-one-out errors of the inner points without refitting: residual/(1 - leverage), the leverage
 * from the covariance before it is scaled by the scatter. */
static double leave_one_out(const isocast_trend_points *points, const gsl_matrix *design,
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

static isocast_status solve(const isocast_trend_points *points, fitting *f,
                            isocast_trend_polynomial *p) {
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
            p->covariance[i * ISOCAST_TREND_COEFFICIENTS + j] = gsl_matrix_get(f->covariance, i, j);
        }
    }
    if (p->freedom > 0 && points->count > 2) {
        p->error = 0;
        if (scatter > 0) {
            status = isocast_numerics_status(gsl_matrix_scale(f->covariance, p->freedom / scatter));
            p->error = leave_one_out(points, f->design, f->covariance, f->residuals);
        }
    }
    return status;
}

isocast_status isocast_trend_polynomial_fit(const isocast_trend_points *points, int degree,
                                            isocast_trend_polynomial *out) {
    size_t count = points->count;
    size_t terms = (size_t)degree + 1;
    fitting f = {gsl_matrix_alloc(count, terms), gsl_vector_alloc(count),
                 gsl_matrix_alloc(terms, terms)};
    isocast_status status = ISOCAST_NO_MEMORY;
    if (f.design != NULL && f.residuals != NULL && f.covariance != NULL) {
        isocast_trend_polynomial fitted =
            (isocast_trend_polynomial){.degree = degree,
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
static double close_in(const isocast_trend_polynomial *p, double E, double left, double right) {
    bool rises = isocast_trend_polynomial_at(p, right) >= E;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = left + (right - left) / 2;
        bool over = isocast_trend_polynomial_at(p, middle) >= E;
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
static double leave(const isocast_trend_polynomial *p, const isocast_trend_points *points, double E,
                    double reach, double from, double step) {
    double least = points->N[0];
    double most = points->N[points->count - 1];
    for (double N = from; N != (step > 0 ? most : least);) {
        double next = step_from(N, step, least, most);
        double off = isocast_trend_polynomial_at(p, next) - E;
        if (fabs(off) >= reach) {
            double bound = E + copysign(reach, off);
            return close_in(p, bound, fmin(N, next), fmax(N, next));
        }
        N = next;
    }
    return NAN;
}

static void add_interval(const isocast_trend_polynomial *p, const isocast_trend_points *points,
                         double E, isocast_crossing *crossing) {
    crossing->low = crossing->high = NAN;
    if (p->freedom > 0) {
        double reach = gsl_cdf_tdist_Pinv(0.95, p->freedom) * standard_error_at(p, crossing->N);
        double step = 2 * p->half / SCAN_POINTS;
        crossing->low = leave(p, points, E, reach, crossing->N, -step);
        crossing->high = leave(p, points, E, reach, crossing->N, step);
    }
}

/* Appends the crossing between two neighbouring places of the line, where there is one. */
static void look_between(const isocast_trend_polynomial *p, const isocast_trend_points *points,
                         double E, double left, double right, isocast_reading *out) {
    bool before = isocast_trend_polynomial_at(p, left) >= E;
    bool after = isocast_trend_polynomial_at(p, right) >= E;
    if (before == after) {
        return;
    }
    if (out->count == ISOCAST_CROSSINGS_MAX) {
        out->more = true;
        return;
    }
    isocast_crossing *crossing = &out->crossings[out->count++];
    *crossing = (isocast_crossing){.N = close_in(p, E, left, right), .rises = after};
    add_interval(p, points, E, crossing);
}

void isocast_trend_polynomial_cross(const isocast_trend_polynomial *p,
                                    const isocast_trend_points *points, double E,
                                    isocast_reading *out) {
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
