#include "trend.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "least_squares.h"
#include "numerics.h"

enum { COEFFICIENTS_MOST = ISOCAST_TREND_DEGREE_MOST + 1, SCAN_POINTS = 1024 };

/* Points that leave three others between which one is left out. */
enum { MONOTONE_LEAST = 4 };

struct isocast_trend {
    isocast_trend_kind kind;
    size_t count;
    double *N; /* [count] */
    double *E; /* [count]; as measured, or as made rising */
    int degree;
    double middle; /* polynomials are in u = (N - middle)/half, so that they stay well scaled */
    double half;
    double coefficients[COEFFICIENTS_MOST];
    double covariance[COEFFICIENTS_MOST * COEFFICIENTS_MOST]; /* row-major */
    double freedom;          /* degrees of freedom of the scatter */
    double validation_error; /* root mean square leave-one-out error; monotone: of inner points */
    double inner_error;      /* the same without the first and the last point */
    gsl_interp *interpolation;
};

static double scaled(const isocast_trend *trend, double N) {
    return (N - trend->middle) / trend->half;
}

double isocast_trend_evaluate(const isocast_trend *trend, double N) {
    if (trend->kind == ISOCAST_TREND_MONOTONE) {
        if (trend->interpolation == NULL) {
            double share = (N - trend->N[0]) / (trend->N[trend->count - 1] - trend->N[0]);
            return trend->E[0] + share * (trend->E[trend->count - 1] - trend->E[0]);
        }
        double inside = fmin(fmax(N, trend->N[0]), trend->N[trend->count - 1]);
        return gsl_interp_eval(trend->interpolation, trend->N, trend->E, inside, NULL);
    }
    double u = scaled(trend, N);
    double value = 0;
    for (int i = trend->degree; i >= 0; i--) {
        value = value * u + trend->coefficients[i];
    }
    return value;
}

/* Standard error of the fitted E at N, from the coefficients' covariance. */
static double standard_error_at(const isocast_trend *trend, double N) {
    double u = scaled(trend, N);
    double variance = 0;
    for (int i = 0; i <= trend->degree; i++) {
        for (int j = 0; j <= trend->degree; j++) {
            variance += trend->covariance[i * COEFFICIENTS_MOST + j] * gsl_pow_int(u, i + j);
        }
    }
    return sqrt(variance);
}

static double slope_at(const isocast_trend *trend, double N) {
    double u = scaled(trend, N);
    double value = 0;
    for (int i = trend->degree; i >= 1; i--) {
        value = value * u + i * trend->coefficients[i];
    }
    return value / trend->half;
}

static bool rises(const isocast_trend *trend) {
    double first = trend->N[0];
    double range = trend->N[trend->count - 1] - first;
    for (int k = 0; k <= SCAN_POINTS; k++) {
        if (slope_at(trend, first + range * k / SCAN_POINTS) < 0) {
            return false;
        }
    }
    return true;
}

static bool points_are_valid(const double *N, const double *E, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(N[i]) || !isfinite(E[i]) || (i > 0 && N[i] <= N[i - 1])) {
            return false;
        }
    }
    return count >= 2;
}

static isocast_trend *create(const double *N, const double *E, size_t count) {
    isocast_numerics_prepare();
    isocast_trend *trend = calloc(1, sizeof *trend);
    if (trend == NULL) {
        return NULL;
    }
    trend->N = malloc(2 * count * sizeof *trend->N);
    if (trend->N == NULL) {
        free(trend);
        return NULL;
    }
    trend->E = trend->N + count;
    memcpy(trend->N, N, count * sizeof *N);
    memcpy(trend->E, E, count * sizeof *E);
    trend->count = count;
    trend->middle = (N[0] + N[count - 1]) / 2;
    trend->half = (N[count - 1] - N[0]) / 2;
    trend->validation_error = NAN;
    return trend;
}

void isocast_trend_free(isocast_trend *trend) {
    if (trend != NULL) {
        gsl_interp_free(trend->interpolation);
        free(trend->N);
        free(trend);
    }
}

/* Leave-one-out errors of some points without refitting: residual/(1 - leverage), the leverage from
 * the covariance before it is scaled by the scatter. */
static double leave_one_out(const gsl_matrix *design, const gsl_matrix *unscaled,
                            const gsl_vector *residuals, size_t first, size_t end) {
    double sum = 0;
    for (size_t k = first; k < end; k++) {
        double leverage = 0;
        for (size_t i = 0; i < unscaled->size1; i++) {
            for (size_t j = 0; j < unscaled->size2; j++) {
                leverage += gsl_matrix_get(design, k, i) * gsl_matrix_get(unscaled, i, j) *
                            gsl_matrix_get(design, k, j);
            }
        }
        sum += gsl_pow_2(gsl_vector_get(residuals, k) / (1 - leverage));
    }
    return sqrt(sum / (double)(end - first));
}

static bool fit_polynomial(isocast_trend *trend, int degree) {
    size_t terms = (size_t)degree + 1;
    gsl_matrix *design = gsl_matrix_alloc(trend->count, terms);
    gsl_vector *residuals = gsl_vector_alloc(trend->count);
    gsl_matrix *covariance = gsl_matrix_alloc(terms, terms);
    bool fitted = design != NULL && residuals != NULL && covariance != NULL;
    gsl_vector_const_view observed = gsl_vector_const_view_array(trend->E, trend->count);
    gsl_vector_view coefficients = gsl_vector_view_array(trend->coefficients, terms);
    double scatter = 0;
    if (fitted) {
        for (size_t k = 0; k < trend->count; k++) {
            for (size_t i = 0; i < terms; i++) {
                gsl_matrix_set(design, k, i, gsl_pow_int(scaled(trend, trend->N[k]), (int)i));
            }
        }
        size_t rank;
        fitted =
            isocast_least_squares(design, &observed.vector, GSL_DBL_EPSILON, &coefficients.vector,
                                  covariance, &scatter, &rank) == ISOCAST_OK;
    }
    if (fitted) {
        (void)gsl_multifit_linear_residuals(design, &observed.vector, &coefficients.vector,
                                            residuals);
        trend->kind = ISOCAST_TREND_POLYNOMIAL;
        trend->degree = degree;
        trend->freedom = (double)trend->count - (double)terms;
        for (size_t i = 0; i < terms; i++) {
            for (size_t j = 0; j < terms; j++) {
                trend->covariance[i * COEFFICIENTS_MOST + j] = gsl_matrix_get(covariance, i, j);
            }
        }
        trend->validation_error = trend->inner_error = NAN;
        if (trend->freedom > 0 && scatter > 0) {
            size_t count = trend->count;
            gsl_matrix_scale(covariance, trend->freedom / scatter);
            trend->validation_error = leave_one_out(design, covariance, residuals, 0, count);
            trend->inner_error = leave_one_out(design, covariance, residuals, 1, count - 1);
        } else if (trend->freedom > 0) {
            trend->validation_error = trend->inner_error = 0;
        }
    }
    gsl_matrix_free(covariance);
    gsl_vector_free(residuals);
    gsl_matrix_free(design);
    return fitted;
}

/* Pools neighbours that fall until the means rise (isotonic regression), then leaves a slight slope
 * in pooled stretches to the interpolation. */
static bool make_rising(isocast_trend *trend) {
    double *mean = malloc(2 * trend->count * sizeof *mean);
    if (mean == NULL) {
        return false;
    }
    double *weight = mean + trend->count;
    size_t blocks = 0;
    for (size_t k = 0; k < trend->count; k++) {
        mean[blocks] = trend->E[k];
        weight[blocks] = 1;
        blocks++;
        while (blocks > 1 && mean[blocks - 2] >= mean[blocks - 1]) {
            double total = weight[blocks - 2] + weight[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * weight[blocks - 2] + mean[blocks - 1] * weight[blocks - 1]) /
                total;
            weight[blocks - 2] = total;
            blocks--;
        }
    }
    size_t k = 0;
    for (size_t block = 0; block < blocks; block++) {
        for (double i = 0; i < weight[block]; i++) {
            trend->E[k++] = mean[block];
        }
    }
    free(mean);
    return true;
}

static isocast_status fit_monotone(const double *N, const double *E, size_t count,
                                   isocast_trend **out) {
    isocast_trend *trend = create(N, E, count);
    if (trend == NULL || !make_rising(trend)) {
        isocast_trend_free(trend);
        return ISOCAST_NO_MEMORY;
    }
    trend->kind = ISOCAST_TREND_MONOTONE;
    if (count >= gsl_interp_type_min_size(gsl_interp_steffen)) {
        trend->interpolation = gsl_interp_alloc(gsl_interp_steffen, count);
        if (trend->interpolation == NULL) {
            isocast_trend_free(trend);
            return ISOCAST_NO_MEMORY;
        }
        gsl_interp_init(trend->interpolation, trend->N, trend->E, count);
    }
    *out = trend;
    return ISOCAST_OK;
}

/* Leave-one-out error of the inner points of a rising fit; the outer ones lie in no piece of the
 * others'. */
static isocast_status monotone_error(const double *N, const double *E, size_t count,
                                     double *error) {
    *error = NAN;
    if (count < MONOTONE_LEAST) {
        return ISOCAST_OK;
    }
    double *others = malloc(2 * count * sizeof *others);
    if (others == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *E_others = others + count;
    double sum = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 1; k + 1 < count && status == ISOCAST_OK; k++) {
        for (size_t i = 0; i + 1 < count; i++) {
            others[i] = N[i + (i >= k)];
            E_others[i] = E[i + (i >= k)];
        }
        isocast_trend *line = NULL;
        status = fit_monotone(others, E_others, count - 1, &line);
        if (status == ISOCAST_OK) {
            sum += gsl_pow_2(isocast_trend_evaluate(line, N[k]) - E[k]);
        }
        isocast_trend_free(line);
    }
    free(others);
    *error = sqrt(sum / (double)(count - 2));
    return status;
}

isocast_status isocast_trend_fit_monotone(const double *N, const double *E, size_t count,
                                          isocast_trend **out) {
    if (!points_are_valid(N, E, count)) {
        return ISOCAST_ARGUMENT;
    }
    double error;
    isocast_status status = monotone_error(N, E, count, &error);
    if (status == ISOCAST_OK) {
        status = fit_monotone(N, E, count, out);
    }
    if (status == ISOCAST_OK) {
        (*out)->validation_error = (*out)->inner_error = error;
    }
    return status;
}

/* The degree with the least leave-one-out error among those that rise; 0 where none does, or where
 * the monotone line has less than half of its error at the inner points: then the points bend in a
 * way that no rising polynomial follows. */
static isocast_status choose_degree(isocast_trend *trend, int *degree) {
    static const double much_better = 0.5;
    double best = INFINITY;
    double best_inner = INFINITY;
    double monotone;
    *degree = 0;
    for (int d = 1; d <= ISOCAST_TREND_DEGREE_MOST && (size_t)d + 3 <= trend->count; d++) {
        if (!fit_polynomial(trend, d)) {
            return ISOCAST_NO_MEMORY;
        }
        if (rises(trend) && trend->validation_error < best) {
            best = trend->validation_error;
            best_inner = trend->inner_error;
            *degree = d;
        }
    }
    isocast_status status = monotone_error(trend->N, trend->E, trend->count, &monotone);
    if (monotone < much_better * best_inner) {
        *degree = 0;
    }
    return status;
}

isocast_status isocast_trend_fit(const double *N, const double *E, size_t count, int degree,
                                 isocast_trend **out) {
    if (degree < 0 || degree > ISOCAST_TREND_DEGREE_MOST || !points_are_valid(N, E, count) ||
        count < (size_t)degree + 1) {
        return ISOCAST_ARGUMENT;
    }
    isocast_trend *trend = create(N, E, count);
    if (trend == NULL || (degree == 0 && choose_degree(trend, &degree) != ISOCAST_OK)) {
        isocast_trend_free(trend);
        return ISOCAST_NO_MEMORY;
    }
    if (degree == 0) {
        isocast_trend_free(trend);
        return isocast_trend_fit_monotone(N, E, count, out);
    }
    if (!fit_polynomial(trend, degree)) {
        isocast_trend_free(trend);
        return ISOCAST_NO_MEMORY;
    }
    *out = trend;
    return ISOCAST_OK;
}

isocast_trend_kind isocast_trend_kind_of(const isocast_trend *trend) {
    return trend->kind;
}

int isocast_trend_degree(const isocast_trend *trend) {
    return trend->degree;
}

double isocast_trend_validation_error(const isocast_trend *trend) {
    return trend->validation_error;
}

typedef struct crossing {
    const isocast_trend *trend;
    double E;
} crossing;

static double excess(double N, void *context) {
    const crossing *c = context;
    return isocast_trend_evaluate(c->trend, N) - c->E;
}

static isocast_status close_in(crossing *c, double left, double right, double *N) {
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (solver == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    gsl_function function = {excess, c};
    gsl_root_fsolver_set(solver, &function, left, right);
    for (int i = 0; i < 100; i++) {
        gsl_root_fsolver_iterate(solver);
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 0, 1e-14) == GSL_SUCCESS) {
            break;
        }
    }
    *N = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return ISOCAST_OK;
}

/* The smallest N at which the line reaches E. */
static isocast_status cross(const isocast_trend *trend, double E, isocast_reading *out) {
    crossing c = {trend, E};
    *out = (isocast_reading){ISOCAST_READING_ABOVE, NAN, NAN, NAN};
    double first = trend->N[0];
    double range = trend->N[trend->count - 1] - first;
    if (excess(first, &c) > 0) {
        out->status = ISOCAST_READING_BELOW;
        return ISOCAST_OK;
    }
    for (int k = 0; k < SCAN_POINTS; k++) {
        double left = first + range * k / SCAN_POINTS;
        double right = k + 1 == SCAN_POINTS ? first + range : first + range * (k + 1) / SCAN_POINTS;
        if (excess(right, &c) >= 0) {
            out->status = ISOCAST_READING_OK;
            return close_in(&c, left, right, &out->N);
        }
    }
    return ISOCAST_OK;
}

/* Where a monotone line reaches E less and more the error it has shown; unknown where that leads
 * out of the measured range. */
static isocast_status monotone_interval(const isocast_trend *trend, double E,
                                        isocast_reading *reading) {
    if (isnan(trend->validation_error)) {
        return ISOCAST_OK;
    }
    double reach = gsl_cdf_tdist_Pinv(0.95, (double)trend->count - 2) * trend->validation_error;
    isocast_reading low;
    isocast_reading high;
    isocast_status status = cross(trend, E - reach, &low);
    if (status == ISOCAST_OK) {
        status = cross(trend, E + reach, &high);
    }
    if (status == ISOCAST_OK && low.status == ISOCAST_READING_OK &&
        high.status == ISOCAST_READING_OK) {
        reading->low = low.N;
        reading->high = high.N;
    }
    return status;
}

isocast_status isocast_trend_read(const isocast_trend *trend, double E, isocast_reading *out) {
    isocast_reading reading;
    isocast_status status = cross(trend, E, &reading);
    if (status == ISOCAST_OK && reading.status == ISOCAST_READING_OK) {
        if (trend->kind == ISOCAST_TREND_MONOTONE) {
            status = monotone_interval(trend, E, &reading);
        } else if (trend->freedom > 0) {
            double reach = gsl_cdf_tdist_Pinv(0.95, trend->freedom) *
                           standard_error_at(trend, reading.N) / slope_at(trend, reading.N);
            reading.low = reading.N - reach;
            reading.high = reading.N + reach;
        }
    }
    if (status == ISOCAST_OK) {
        *out = reading;
    }
    return status;
}
