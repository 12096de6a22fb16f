/* Least squares from sums over rows, with coefficients that are not negative: exactly, as each
 * subset of a few terms is solved by itself. */
#ifndef ISOCAST_MOMENTS_H
#define ISOCAST_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum { ISOCAST_MOMENTS_MAX = 32 };

/* Sums over rows (x, y): all that a least-squares fit needs of them. Start from {.terms = ...}. */
typedef struct isocast_moments {
    size_t terms;                                              /* at most ISOCAST_MOMENTS_MAX */
    double products[ISOCAST_MOMENTS_MAX][ISOCAST_MOMENTS_MAX]; /* [terms][terms], sum of x_i x_j */
    double with_y[ISOCAST_MOMENTS_MAX];                        /* [terms], sum of x_i y */
    double y_squares;                                          /* sum of y^2 */
    size_t rows;
} isocast_moments;

/* Adds a row; x: shape [terms]. */
void isocast_moments_add(isocast_moments *moments, const double *x, double y);

/* The same sums with each term scaled so that its own product is 1, to be solved. */
typedef struct isocast_moments_system {
    size_t terms;
    double scale[ISOCAST_MOMENTS_MAX]; /* 0 where a term is 0 in all rows */
    double products[ISOCAST_MOMENTS_MAX][ISOCAST_MOMENTS_MAX];
    double with_y[ISOCAST_MOMENTS_MAX];
    double y_squares;
    size_t rows;
} isocast_moments_system;

void isocast_moments_system_make(const isocast_moments *moments, isocast_moments_system *out);

/* The coefficients (shape [terms]) of one subset (bit i: term i) by least squares, 0 elsewhere, and
 * the sum of squared residuals. False where the rows cannot distinguish its terms, or one comes out
 * negative (or nothing, which is another subset's solution) and may not be. A lone term is positive
 * where x and y are. */
bool isocast_moments_solve(const isocast_moments_system *system, unsigned subset, bool signs,
                           double *coefficients, double *squares);

/* The inverse of the products of a subset's terms in their order, shape [size of the subset]
 * squared, row-major: times the variance of a residual it is the covariance of the coefficients.
 * False where they cannot be distinguished. */
bool isocast_moments_invert(const isocast_moments_system *system, unsigned subset, double *inverse);

/* The best of all subsets of the terms in `allowed`; of equal ones the one with fewest terms. False
 * where none can be solved. */
bool isocast_moments_nonnegative(const isocast_moments *moments, unsigned allowed,
                                 double *coefficients, double *squares);

#endif
