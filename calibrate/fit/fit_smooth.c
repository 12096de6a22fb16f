#include "fit_smooth.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/numerics.h"

/* Minimises sum w (y - f)^2 + lambda * (bending of f), the bending being the sum of the changes of
 * slope of a broken line, without their squares, so that it prefers few bends, sharp ones too, to
 * many: the end of a cache is one (S.-J. Kim et al., l1 trend filtering, SIAM Review 2009). It is
 * solved by squares that are weighted again. Of some lambda the one with the least error of
 * prediction by generalised cross-validation is taken (P. Craven, G. Wahba 1979); a freedom counts
 * a little more than once, as few values else are followed too closely (C. Gu 2002). Curves that
 * miss the values by more than their variances allow are none of them. */
static const double freedom_counts = 1.2;
static const double lambda_least = 1e-4;
static const double lambda_most = 1e3;
static const double lambda_step = 2;
static const double bend_least = 0.01; /* of the values over the mean spacing: none */
enum { VALUES_MIN = 5, SOLVINGS = 8 };

/* Shapes: [count], [count * count]. */
typedef struct curve {
    size_t count;
    const double *x, *y, *variances;
    double *weights; /* 1 on average */
    double *matrix;  /* scratch */
    double *trial;   /* values of a curve */
    double *best;    /* likewise */
} curve;

/* What a trial is worth. */
typedef struct trial_score {
    bool allowed;    /* the values' variances allow it */
    double expected; /* error of prediction; infinite where it is not known */
} trial_score;

static void weigh(curve *c) {
    double sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        sum += 1 / c->variances[i];
    }
    for (size_t i = 0; i < c->count; i++) {
        c->weights[i] = (double)c->count / c->variances[i] / sum;
    }
}

/* The change of slope at i as a sum of three values; x in units of its mean spacing, so that lambda
 * means the same for all. */
static void change_of_slope(const curve *c, size_t i, double row[3]) {
    double unit = (c->x[c->count - 1] - c->x[0]) / (double)(c->count - 1);
    double before = (c->x[i] - c->x[i - 1]) / unit;
    double after = (c->x[i + 1] - c->x[i]) / unit;
    row[0] = 1 / before;
    row[1] = -(1 / before + 1 / after);
    row[2] = 1 / after;
}

/* The matrix to solve with, where the bending of the trial so far states the squares' weights. */
static void make_matrix(const curve *c, double lambda) {
    size_t n = c->count;
    memset(c->matrix, 0, n * n * sizeof *c->matrix);
    for (size_t i = 0; i < n; i++) {
        c->matrix[i * n + i] = c->weights[i];
    }
    for (size_t i = 1; i + 1 < n; i++) {
        double row[3];
        change_of_slope(c, i, row);
        const double *f = c->trial + i - 1;
        double change = row[0] * f[0] + row[1] * f[1] + row[2] * f[2];
        double weight = lambda / fmax(fabs(change), bend_least);
        for (size_t k = 0; k < 9; k++) {
            c->matrix[(i - 1 + k / 3) * n + i - 1 + k % 3] += weight * row[k / 3] * row[k % 3];
        }
    }
}

/* Makes the trial again; gives its freedom, the trace of what makes it of the values. NAN where the
 * matrix cannot be inverted. */
static double solve(const curve *c, double lambda) {
    size_t n = c->count;
    make_matrix(c, lambda);
    gsl_matrix_view matrix = gsl_matrix_view_array(c->matrix, n, n);
    if (gsl_linalg_cholesky_decomp1(&matrix.matrix) != GSL_SUCCESS ||
        gsl_linalg_cholesky_invert(&matrix.matrix) != GSL_SUCCESS) {
        return NAN;
    }
    double freedom = 0;
    for (size_t i = 0; i < n; i++) {
        c->trial[i] = 0;
        for (size_t k = 0; k < n; k++) {
            c->trial[i] += c->matrix[i * n + k] * c->weights[k] * c->y[k];
        }
        freedom += c->matrix[i * n + i] * c->weights[i];
    }
    return freedom;
}

static trial_score try_smoothness(const curve *c, double lambda) {
    double freedom = 0;
    memcpy(c->trial, c->y, c->count * sizeof *c->trial);
    for (int k = 0; k < SOLVINGS && !isnan(freedom); k++) {
        freedom = solve(c, lambda);
    }
    double squares = 0;
    double missed = 0;
    for (size_t i = 0; i < c->count; i++) {
        double square = pow(c->y[i] - c->trial[i], 2);
        squares += c->weights[i] * square;
        missed += square / c->variances[i];
    }
    double left = (double)c->count - freedom_counts * freedom;
    return (trial_score){.allowed = !isnan(freedom) && missed <= (double)c->count,
                         .expected = left > 0 ? squares / (left * left) : INFINITY};
}

/* Where cross-validation can distinguish none from another the smoothest is taken. */
static void choose(const curve *c) {
    double least = INFINITY;
    memcpy(c->best, c->y, c->count * sizeof *c->best);
    for (double lambda = lambda_least; lambda <= lambda_most; lambda *= lambda_step) {
        trial_score score = try_smoothness(c, lambda);
        if (score.allowed && score.expected <= least) {
            least = score.expected;
            memcpy(c->best, c->trial, c->count * sizeof *c->best);
        }
    }
}

bool fit_smooth(const double *x, const double *variances, size_t count, double *y) {
    if (count < VALUES_MIN) {
        return true;
    }
    isocast_numerics_prepare();
    double *memory = malloc((3 * count + count * count) * sizeof *memory);
    if (memory == NULL) {
        return false;
    }
    curve c = {.count = count,
               .x = x,
               .y = y,
               .variances = variances,
               .weights = memory,
               .trial = memory + count,
               .best = memory + 2 * count,
               .matrix = memory + 3 * count};
    weigh(&c);
    choose(&c);
    memcpy(y, c.best, count * sizeof *y);
    free(memory);
    return true;
}
