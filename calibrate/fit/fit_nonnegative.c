#include "fit_nonnegative.h"

#include <math.h>
#include <string.h>

void fit_moments_add(fit_moments *moments, const double *x, size_t terms, double y) {
    for (size_t i = 0; i < terms; i++) {
        for (size_t k = 0; k < terms; k++) {
            moments->products[i][k] += x[i] * x[k];
        }
        moments->with_y[i] += x[i] * y;
    }
    moments->y_squares += y * y;
    moments->rows++;
}

void fit_moments_join(fit_moments *moments, const fit_moments *others) {
    for (size_t i = 0; i < FIT_NONNEGATIVE_MOST; i++) {
        for (size_t k = 0; k < FIT_NONNEGATIVE_MOST; k++) {
            moments->products[i][k] += others->products[i][k];
        }
        moments->with_y[i] += others->with_y[i];
    }
    moments->y_squares += others->y_squares;
    moments->rows += others->rows;
}

/* Solves a symmetric system with a unit diagonal in place (Cholesky); false where it is singular to
 * what double precision can tell. */
static bool solve(double matrix[FIT_NONNEGATIVE_MOST][FIT_NONNEGATIVE_MOST], double *right,
                  size_t count) {
    static const double pivot_least = 1e-10;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k <= i; k++) {
            double sum = matrix[i][k];
            for (size_t l = 0; l < k; l++) {
                sum -= matrix[i][l] * matrix[k][l];
            }
            if (k < i) {
                matrix[i][k] = sum / matrix[k][k];
            } else if (sum > pivot_least) {
                matrix[i][i] = sqrt(sum);
            } else {
                return false;
            }
        }
        for (size_t l = 0; l < i; l++) {
            right[i] -= matrix[i][l] * right[l];
        }
        right[i] /= matrix[i][i];
    }
    for (size_t i = count; i-- > 0;) {
        for (size_t k = i + 1; k < count; k++) {
            right[i] -= matrix[k][i] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    return true;
}

/* The terms of a subset, scaled to a unit diagonal. */
typedef struct subset_system {
    size_t used[FIT_NONNEGATIVE_MOST]; /* [count] */
    double scale[FIT_NONNEGATIVE_MOST];
    size_t count;
    double matrix[FIT_NONNEGATIVE_MOST][FIT_NONNEGATIVE_MOST];
} subset_system;

/* False where the rows are too few, or a term is zero in all. */
static bool make_system(const fit_moments *moments, size_t terms, unsigned subset,
                        subset_system *out) {
    out->count = 0;
    for (size_t i = 0; i < terms; i++) {
        if ((subset >> i & 1U) == 0) {
            continue;
        }
        if (!(moments->products[i][i] > 0)) {
            return false;
        }
        out->scale[out->count] = sqrt(moments->products[i][i]);
        out->used[out->count++] = i;
    }
    for (size_t i = 0; i < out->count; i++) {
        for (size_t k = 0; k < out->count; k++) {
            out->matrix[i][k] =
                moments->products[out->used[i]][out->used[k]] / (out->scale[i] * out->scale[k]);
        }
    }
    return out->count > 0 && out->count <= moments->rows;
}

bool fit_subset_solve(const fit_moments *moments, size_t terms, unsigned subset, bool signs,
                      double *coefficients, double *squares) {
    subset_system s;
    if (!make_system(moments, terms, subset, &s)) {
        return false;
    }
    double projected[FIT_NONNEGATIVE_MOST] = {0};
    double right[FIT_NONNEGATIVE_MOST] = {0};
    for (size_t i = 0; i < s.count; i++) {
        projected[i] = right[i] = moments->with_y[s.used[i]] / s.scale[i];
    }
    if (!solve(s.matrix, right, s.count)) {
        return false;
    }
    memset(coefficients, 0, terms * sizeof *coefficients);
    *squares = moments->y_squares;
    for (size_t i = 0; i < s.count; i++) {
        if (!isfinite(right[i]) || (!signs && !(right[i] > 0))) {
            return false;
        }
        coefficients[s.used[i]] = right[i] / s.scale[i];
        *squares -= right[i] * projected[i];
    }
    *squares = fmax(*squares, 0);
    return true;
}

bool fit_subset_inverse(const fit_moments *moments, size_t terms, unsigned subset,
                        double inverse[FIT_NONNEGATIVE_MOST][FIT_NONNEGATIVE_MOST]) {
    memset(inverse, 0, FIT_NONNEGATIVE_MOST * sizeof *inverse);
    subset_system s;
    if (!make_system(moments, terms, subset, &s)) {
        return false;
    }
    for (size_t column = 0; column < s.count; column++) {
        subset_system own = s;
        double right[FIT_NONNEGATIVE_MOST] = {0};
        right[column] = 1;
        if (!solve(own.matrix, right, s.count)) {
            return false;
        }
        for (size_t row = 0; row < s.count; row++) {
            inverse[s.used[row]][s.used[column]] = right[row] / (s.scale[row] * s.scale[column]);
        }
    }
    return true;
}

bool fit_nonnegative(const fit_moments *moments, size_t terms, unsigned allowed,
                     double *coefficients, double *squares) {
    double least = INFINITY;
    int fewest = 0;
    /* Sums of squares that differ by less are rounding. */
    double slack = 1e-10 * moments->y_squares;
    for (unsigned subset = 1; subset < 1U << terms; subset++) {
        double tried[FIT_NONNEGATIVE_MOST];
        double sum = 0;
        if ((subset & ~allowed) != 0 ||
            !fit_subset_solve(moments, terms, subset, false, tried, &sum)) {
            continue;
        }
        int size = __builtin_popcount(subset);
        if (sum < least - slack || (sum < least + slack && size < fewest)) {
            least = sum;
            fewest = size;
            memcpy(coefficients, tried, terms * sizeof *coefficients);
        }
    }
    *squares = least;
    return isfinite(least);
}
