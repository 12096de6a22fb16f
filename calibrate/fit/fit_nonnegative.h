/* Least squares with coefficients that are not negative, exactly, by trying every subset of a few
 * terms. */
#ifndef FIT_NONNEGATIVE_H
#define FIT_NONNEGATIVE_H

#include <stdbool.h>
#include <stddef.h>

enum { FIT_NONNEGATIVE_MOST = 6 };

/* Sums over rows (x, y): what a least-squares fit needs of them. Start from {0}. */
typedef struct fit_moments {
    double products[FIT_NONNEGATIVE_MOST][FIT_NONNEGATIVE_MOST]; /* sum of x_i x_j */
    double with_y[FIT_NONNEGATIVE_MOST];                         /* sum of x_i y */
    double y_squares;                                            /* sum of y^2 */
    size_t rows;
} fit_moments;

/* Adds a row; x: shape [terms]. */
void fit_moments_add(fit_moments *moments, const double *x, size_t terms, double y);

/* Adds the sums of other rows. */
void fit_moments_join(fit_moments *moments, const fit_moments *others);

/* The coefficients (shape [terms]) of one subset (bit i: term i) by least squares, 0 elsewhere, and
 * the sum of squared residuals; false where the rows cannot tell its terms apart, or one comes out
 * negative (or nothing, which is another subset's solution) and may not. A lone term is positive
 * where x and y are. */
bool fit_subset_solve(const fit_moments *moments, size_t terms, unsigned subset, bool signs,
                      double *coefficients, double *squares);

/* The inverse of the products of a subset's terms, 0 elsewhere: times the variance of a residual it
 * is the covariance of the coefficients. False where they cannot be told apart. */
bool fit_subset_inverse(const fit_moments *moments, size_t terms, unsigned subset,
                        double inverse[FIT_NONNEGATIVE_MOST][FIT_NONNEGATIVE_MOST]);

/* The best of all subsets of the terms in `allowed`; of equal ones the one with fewest terms. False
 * where none can be solved. */
bool fit_nonnegative(const fit_moments *moments, size_t terms, unsigned allowed,
                     double *coefficients, double *squares);

#endif
