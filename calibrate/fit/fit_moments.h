/* Least squares from sums over rows, with coefficients that are not negative: exactly, as each
 * subset of a few terms is solved by itself. */
#ifndef FIT_MOMENTS_H
#define FIT_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum { FIT_MOMENTS_MAX = 32 };

/* Sums over rows (x, y): all that a least-squares fit needs of them. Start from {.terms = ...}. */
typedef struct fit_moments {
    size_t terms;                                      /* at most FIT_MOMENTS_MAX */
    double products[FIT_MOMENTS_MAX][FIT_MOMENTS_MAX]; /* [terms][terms], sum of x_i x_j */
    double with_y[FIT_MOMENTS_MAX];                    /* [terms], sum of x_i y */
    double y_squares;                                  /* sum of y^2 */
    size_t rows;
} fit_moments;

/* Adds a row; x: shape [terms]. */
void fit_moments_add(fit_moments *moments, const double *x, double y);

/* The same sums with each term scaled so that its own product is 1, to be solved. */
typedef struct fit_system {
    size_t terms;
    double scale[FIT_MOMENTS_MAX]; /* 0 where a term is 0 in all rows */
    double products[FIT_MOMENTS_MAX][FIT_MOMENTS_MAX];
    double with_y[FIT_MOMENTS_MAX];
    double y_squares;
    size_t rows;
} fit_system;

void fit_system_make(const fit_moments *moments, fit_system *out);

/* The coefficients (shape [terms]) of one subset (bit i: term i) by least squares, 0 elsewhere, and
 * the sum of squared residuals. False where the rows cannot tell its terms apart, or one comes out
 * negative (or nothing, which is another subset's solution) and may not be. A lone term is positive
 * where x and y are. */
bool fit_system_solve(const fit_system *system, unsigned subset, bool signs, double *coefficients,
                      double *squares);

/* The inverse of the products of a subset's terms in their order, shape [size of the subset]
 * squared, row-major: times the variance of a residual it is the covariance of the coefficients.
 * False where they cannot be told apart. */
bool fit_system_invert(const fit_system *system, unsigned subset, double *inverse);

/* The best of all subsets of the terms in `allowed`; of equal ones the one with fewest terms. False
 * where none can be solved. */
bool fit_nonnegative(const fit_moments *moments, unsigned allowed, double *coefficients,
                     double *squares);

#endif
