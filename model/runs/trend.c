#include "trend.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/numerics.h"
#include "trend_branch.h"
#include "trend_local.h"
#include "trend_polynomial.h"

/* A monotone line is taken where its error is less than this part of the best polynomial's: trend
 * lines that are polynomials are the published method. */
static const double better = 0.9;

/* Points that leave three others between which one is left out; those from which on the scatter
 * about the neighbours tells of noise; the most that this takes a point to be off. */
enum { LOCAL_MIN = 3, ERROR_MIN = 4, NOISE_MIN = 7 };
static const double noise_most = 0.05;

struct isocast_trend {
    isocast_trend_points points; /* copies, in one block that N begins */
    isocast_trend_data data;
    bool is_chosen; /* the line is chosen on reading; else it is `polynomials[0]`, or monotone */
    isocast_trend_polynomial polynomials[ISOCAST_TREND_DEGREE_MAX]; /* [polynomial_count] */
    size_t polynomial_count;
    isocast_trend_local local; /* where the line is chosen among three points and more */
    double monotone_error;     /* as in isocast_reading */
    double monotone_scatter;   /* likewise, of ln E */
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
        status = isocast_trend_polynomial_fit(&trend->points, degree,
                                              &trend->polynomials[trend->polynomial_count++]);
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
            isocast_trend_local_fit(&(*out)->points, &(*out)->local);
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

static void read_polynomial(const passage *p, const isocast_trend_polynomial *polynomial,
                            isocast_reading *out) {
    isocast_trend_polynomial_cross(polynomial, &p->trend->points, p->E, out);
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
        isocast_trend_local_cross(&trend->local, &trend->points, b->least, p->E, crossing);
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
static void tell_side(const passage *p, isocast_reading *out) {
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
        tell_side(&p, &reading);
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
    size_t below = isocast_trend_points_below(points, N);
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
            E[k] = isocast_trend_local_at(&trend->local, &trend->points, N[k]);
        }
        return ISOCAST_OK;
    }
    const isocast_trend_polynomial *polynomial = trend->polynomials;
    while (polynomial->degree != reading->degree) {
        polynomial++;
    }
    for (size_t k = 0; k < count; k++) {
        E[k] = isocast_trend_polynomial_at(polynomial, N[k]);
    }
    return ISOCAST_OK;
}
