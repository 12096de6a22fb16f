#include "moments.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "numerics.h"

/* Terms of which one is the sum of others but for less than this part of its square cannot be
 * distinguished from them. */
static const double pivot_least = 1e-10;

void isocast_moments_add(isocast_moments *moments, const double *x, double y) {
    for (size_t i = 0; i < moments->terms; i++) {
        for (size_t k = 0; k < moments->terms; k++) {
            moments->products[i][k] += x[i] * x[k];
        }
        moments->with_y[i] += x[i] * y;
    }
    moments->y_squares += y * y;
    moments->rows++;
}

void isocast_moments_system_make(const isocast_moments *moments, isocast_moments_system *out) {
    out->terms = moments->terms;
    out->rows = moments->rows;
    out->y_squares = moments->y_squares;
    for (size_t i = 0; i < moments->terms; i++) {
        double square = moments->products[i][i];
        out->scale[i] = square > 0 ? sqrt(square) : 0;
        out->with_y[i] = square > 0 ? moments->with_y[i] / out->scale[i] : 0;
        for (size_t k = 0; k <= i; k++) {
            double scale = out->scale[i] * out->scale[k];
            out->products[i][k] = out->products[k][i] =
                scale > 0 ? moments->products[i][k] / scale : 0;
        }
    }
}

/* The system of a subset's terms. */
typedef struct part {
    size_t used[ISOCAST_MOMENTS_MAX]; /* [count] */
    size_t count;
    double matrix[ISOCAST_MOMENTS_MAX * ISOCAST_MOMENTS_MAX]; /* [count][count], row-major */
} part;

static gsl_matrix_view matrix_of(part *p) {
    return gsl_matrix_view_array(p->matrix, p->count, p->count);
}

/* Picks the terms and factors the matrix (Cholesky). False where the rows are too few, a term is
 * zero in all, or the terms cannot be distinguished. */
static bool factor(const isocast_moments_system *system, unsigned subset, part *out) {
    out->count = 0;
    for (size_t i = 0; i < system->terms; i++) {
        if ((subset >> i & 1U) != 0) {
            if (!(system->scale[i] > 0)) {
                return false;
            }
            out->used[out->count++] = i;
        }
    }
    if (out->count == 0 || out->count > system->rows) {
        return false;
    }
    double *element = out->matrix;
    for (size_t i = 0; i < out->count; i++) {
        for (size_t k = 0; k < out->count; k++) {
            *element++ = system->products[out->used[i]][out->used[k]];
        }
    }
    isocast_numerics_prepare();
    gsl_matrix_view matrix = matrix_of(out);
    bool reported_apart = gsl_linalg_cholesky_decomp1(&matrix.matrix) == GSL_SUCCESS;
    for (size_t i = 0; reported_apart && i < out->count; i++) {
        double root = out->matrix[i * out->count + i];
        reported_apart = root * root > pivot_least;
    }
    return reported_apart;
}

bool isocast_moments_solve(const isocast_moments_system *system, unsigned subset, bool signs,
                           double *coefficients, double *squares) {
    part p;
    if (!factor(system, subset, &p)) {
        return false;
    }
    double solution[ISOCAST_MOMENTS_MAX];
    for (size_t i = 0; i < p.count; i++) {
        solution[i] = system->with_y[p.used[i]];
    }
    gsl_matrix_view matrix = matrix_of(&p);
    gsl_vector_view unknown = gsl_vector_view_array(solution, p.count);
    if (gsl_linalg_cholesky_svx(&matrix.matrix, &unknown.vector) != GSL_SUCCESS) {
        return false;
    }
    double left = system->y_squares;
    for (size_t i = 0; i < p.count; i++) {
        if (!isfinite(solution[i]) || (!signs && !(solution[i] > 0))) {
            return false;
        }
        left -= solution[i] * system->with_y[p.used[i]];
    }
    memset(coefficients, 0, system->terms * sizeof *coefficients);
    for (size_t i = 0; i < p.count; i++) {
        coefficients[p.used[i]] = solution[i] / system->scale[p.used[i]];
    }
    *squares = fmax(left, 0);
    return true;
}

bool isocast_moments_invert(const isocast_moments_system *system, unsigned subset,
                            double *inverse) {
    part p;
    if (!factor(system, subset, &p)) {
        return false;
    }
    gsl_matrix_view matrix = matrix_of(&p);
    if (gsl_linalg_cholesky_invert(&matrix.matrix) != GSL_SUCCESS) {
        return false;
    }
    for (size_t i = 0; i < p.count; i++) {
        for (size_t k = 0; k < p.count; k++) {
            inverse[i * p.count + k] =
                p.matrix[i * p.count + k] / (system->scale[p.used[i]] * system->scale[p.used[k]]);
        }
    }
    return true;
}

bool isocast_moments_nonnegative(const isocast_moments *moments, unsigned allowed,
                                 double *coefficients, double *squares) {
    isocast_moments_system system;
    isocast_moments_system_make(moments, &system);
    double least = INFINITY;
    int fewest = 0;
    /* Sums of squares that differ by less are rounding. */
    double slack = 1e-10 * moments->y_squares;
    for (unsigned subset = allowed; subset > 0; subset = (subset - 1) & allowed) {
        double tried[ISOCAST_MOMENTS_MAX];
        double sum = 0;
        if (!isocast_moments_solve(&system, subset, false, tried, &sum)) {
            continue;
        }
        int size = __builtin_popcount(subset);
        if (sum < least - slack || (sum < least + slack && size < fewest)) {
            least = sum;
            fewest = size;
            memcpy(coefficients, tried, moments->terms * sizeof *coefficients);
        }
    }
    *squares = least;
    return isfinite(least);
}
