#include "fit_regimes.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <string.h>

double fit_term_value(fit_term term, const fit_point *at) {
    double p = at->p;
    double m = at->m;
    double steps = ceil(log2(p) - 1e-9);
    double depth = floor(log2(p) + 1e-9);
    switch (term) {
    case FIT_TERM_CONSTANT:
        return 1;
    case FIT_TERM_STEPS:
        return steps;
    case FIT_TERM_PROCESSES:
        return p;
    case FIT_TERM_BYTES:
        return m;
    case FIT_TERM_STEP_BYTES:
        return m * steps;
    case FIT_TERM_PROCESS_BYTES:
        return m * p;
    case FIT_TERM_DEPTH:
        return depth;
    case FIT_TERM_DEPTH_BYTES:
        return m * depth;
    case FIT_TERM_DEPTH_SQUARE_BYTES:
        return m * depth * depth;
    case FIT_TERM_RING:
        return (p - 1) * at->message + at->whole_message + (steps - 1) * at->empty_message;
    case FIT_TERM_MESSAGES:
        return (p - 1) * at->message;
    case FIT_TERMS:
        break;
    }
    return 0;
}

/* Akaike's criterion for small samples, from the sum of squared relative errors. Errors below a
 * thousandth are taken as a thousandth: better than that no timing is. */
static double score_of(double squares, size_t points, size_t parameters) {
    double n = (double)points;
    double k = (double)parameters + 1;
    if (n - k - 1 <= 0) {
        return INFINITY;
    }
    return n * log(fmax(squares / n, 1e-6)) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

/* Least squares on one subset of terms. False where a coefficient comes out negative. */
static bool fit_subset(const fit_point *points, size_t count, const fit_term *terms,
                       size_t term_count, fit_regime *out, double *squares) {
    gsl_matrix *design = gsl_matrix_alloc(count, term_count);
    gsl_vector *observed = gsl_vector_alloc(count);
    gsl_vector *coefficients = gsl_vector_alloc(term_count);
    gsl_matrix *covariance = gsl_matrix_alloc(term_count, term_count);
    gsl_multifit_linear_workspace *workspace = gsl_multifit_linear_alloc(count, term_count);
    /* Divided by the measured time, so that errors are relative; columns scaled to one size, as
     * bytes and constants are far apart. */
    double scale[FIT_TERMS] = {0};
    for (size_t k = 0; k < count; k++) {
        for (size_t j = 0; j < term_count; j++) {
            double value = fit_term_value(terms[j], &points[k]) / points[k].seconds;
            gsl_matrix_set(design, k, j, value);
            scale[j] = fmax(scale[j], fabs(value));
        }
        gsl_vector_set(observed, k, 1);
    }
    bool good = true;
    for (size_t j = 0; j < term_count; j++) {
        gsl_vector_view column = gsl_matrix_column(design, j);
        good = good && scale[j] > 0;
        gsl_vector_scale(&column.vector, good ? 1 / scale[j] : 1);
    }
    size_t rank = 0;
    if (good) {
        gsl_multifit_linear_tsvd(design, observed, 1e-10, coefficients, covariance, squares, &rank,
                                 workspace);
        good = rank == term_count;
    }
    memset(out, 0, sizeof *out);
    for (size_t j = 0; j < term_count; j++) {
        double value = gsl_vector_get(coefficients, j);
        good = good && value >= 0 && isfinite(value);
        out->used[terms[j]] = true;
        out->coefficient[terms[j]] = value / scale[j];
        for (size_t i = 0; i < term_count; i++) {
            /* As many points as terms leave no scatter to learn an error from. */
            double element_value = gsl_matrix_get(covariance, j, i) / (scale[j] * scale[i]);
            out->covariance[terms[j]][terms[i]] = isfinite(element_value) ? element_value : 0;
        }
    }
    gsl_multifit_linear_free(workspace);
    gsl_matrix_free(covariance);
    gsl_vector_free(coefficients);
    gsl_vector_free(observed);
    gsl_matrix_free(design);
    return good;
}

/* The best non-negative subset for one range of m; *parameters gets its size. */
static bool fit_range(const fit_point *points, size_t count, const bool allowed[FIT_TERMS],
                      fit_regime *out, double *squares, size_t *parameters) {
    double best = INFINITY;
    bool found = false;
    for (unsigned subset = 1; subset < 1u << FIT_TERMS; subset++) {
        fit_term terms[FIT_TERMS];
        size_t term_count = 0;
        bool permitted = true;
        for (unsigned term = 0; term < FIT_TERMS; term++) {
            if ((subset >> term & 1) != 0) {
                permitted = permitted && allowed[term];
                terms[term_count++] = (fit_term)term;
            }
        }
        fit_regime candidate;
        double sum;
        if (!permitted || term_count > count ||
            !fit_subset(points, count, terms, term_count, &candidate, &sum)) {
            continue;
        }
        /* Short ranges have too few points for the corrected criterion; the plain one chooses. */
        double score =
            (double)count * log(fmax(sum / (double)count, 1e-6)) + 2 * (double)term_count;
        if (score < best) {
            best = score;
            found = true;
            *out = candidate;
            *squares = sum;
            *parameters = term_count;
        }
    }
    return found;
}

/* Fits with the given starts of regimes (indices into points, shape [starts], the first 0). */
static bool fit_with_starts(const fit_point *points, size_t count, const bool allowed[FIT_TERMS],
                            const size_t *starts, size_t start_count, fit_regimes *out) {
    double squares = 0;
    size_t parameters = start_count - 1;
    for (size_t r = 0; r < start_count; r++) {
        size_t end = r + 1 < start_count ? starts[r + 1] : count;
        double sum;
        size_t used;
        if (!fit_range(points + starts[r], end - starts[r], allowed, &out->regimes[r], &sum,
                       &used)) {
            return false;
        }
        out->regimes[r].m_from = r == 0 ? 0 : sqrt(points[starts[r] - 1].m * points[starts[r]].m);
        squares += sum;
        parameters += used;
    }
    out->count = start_count;
    out->score = score_of(squares, count, parameters);
    return true;
}

/* Whether a switch before point k leaves at least two sizes on either side, counted from `from`. */
static bool may_switch(const fit_point *points, size_t from, size_t k, size_t to) {
    return k > from && points[k].m > points[k - 1].m && points[k - 1].m > 0 &&
           points[k - 1].m > points[from].m && points[to - 1].m > points[k].m;
}

bool fit_regimes_choose(const fit_point *points, size_t count, const bool allowed[FIT_TERMS],
                        fit_regimes *out) {
    size_t starts[FIT_REGIMES_MOST] = {0};
    fit_regimes candidate;
    if (count == 0 || !fit_with_starts(points, count, allowed, starts, 1, out)) {
        return false;
    }
    for (size_t k = 1; k < count; k++) {
        if (!may_switch(points, 0, k, count)) {
            continue;
        }
        starts[1] = k;
        if (fit_with_starts(points, count, allowed, starts, 2, &candidate) &&
            candidate.score < out->score) {
            *out = candidate;
        }
        for (size_t l = k + 1; l < count; l++) {
            starts[2] = l;
            if (may_switch(points, k, l, count) && may_switch(points, 0, k, l) &&
                fit_with_starts(points, count, allowed, starts, 3, &candidate) &&
                candidate.score < out->score) {
                *out = candidate;
            }
        }
    }
    return true;
}

double fit_regimes_time(const fit_regimes *f, const fit_point *at) {
    size_t r = f->count - 1;
    while (r > 0 && at->m < f->regimes[r].m_from) {
        r--;
    }
    double seconds = 0;
    for (int term = 0; term < FIT_TERMS; term++) {
        /* A term that is not used may have no value here. */
        if (f->regimes[r].used[term]) {
            seconds += f->regimes[r].coefficient[term] * fit_term_value((fit_term)term, at);
        }
    }
    return seconds;
}
