#include "least_squares.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "numerics.h"

/* The design with its columns divided by `lengths` is U S V^T. */
typedef struct decomposition {
    gsl_matrix *U;       /* [n][m] */
    gsl_matrix *V;       /* [m][m] */
    gsl_vector *S;       /* [m], falling */
    gsl_vector *lengths; /* [m] */
} decomposition;

static void free_parts(decomposition *d) {
    gsl_matrix_free(d->U);
    gsl_matrix_free(d->V);
    gsl_vector_free(d->S);
    gsl_vector_free(d->lengths);
}

static isocast_status decompose(const gsl_matrix *design, decomposition *d) {
    size_t terms = design->size2;
    d->U = gsl_matrix_alloc(design->size1, terms);
    d->V = gsl_matrix_alloc(terms, terms);
    d->S = gsl_vector_alloc(terms);
    d->lengths = gsl_vector_alloc(terms);
    if (d->U == NULL || d->V == NULL || d->S == NULL || d->lengths == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    (void)gsl_matrix_memcpy(d->U, design);
    for (size_t j = 0; j < terms; j++) {
        gsl_vector_view column = gsl_matrix_column(d->U, j);
        double length = gsl_blas_dnrm2(&column.vector);
        if (!isfinite(length)) {
            return ISOCAST_ARGUMENT;
        }
        gsl_vector_set(d->lengths, j, length > 0 ? length : 1);
        (void)gsl_vector_scale(&column.vector, 1 / gsl_vector_get(d->lengths, j));
    }
    /* One-sided Jacobi rotations allocate nothing, and are exact for small singular values, too. */
    return gsl_linalg_SV_decomp_jacobi(d->U, d->V, d->S) == GSL_SUCCESS ? ISOCAST_OK
                                                                        : ISOCAST_ARGUMENT;
}

/* V/S, singular values that count as 0 leaving columns of 0. Gives how many do not. */
static size_t divide_by_values(decomposition *d, double tolerance) {
    double least = tolerance * gsl_vector_get(d->S, 0);
    size_t rank = 0;
    for (size_t j = 0; j < d->S->size; j++) {
        double value = gsl_vector_get(d->S, j);
        gsl_vector_view column = gsl_matrix_column(d->V, j);
        (void)gsl_vector_scale(&column.vector, value > least ? 1 / value : 0);
        rank += value > least;
    }
    return rank;
}

static double squares_of(const gsl_matrix *design, const gsl_vector *observed,
                         const gsl_vector *coefficients) {
    double squares = 0;
    for (size_t k = 0; k < observed->size; k++) {
        double residual = gsl_vector_get(observed, k);
        for (size_t j = 0; j < coefficients->size; j++) {
            residual -= gsl_matrix_get(design, k, j) * gsl_vector_get(coefficients, j);
        }
        squares += residual * residual;
    }
    return squares;
}

isocast_status isocast_least_squares(const gsl_matrix *design, const gsl_vector *observed,
                                     double tolerance, gsl_vector *coefficients,
                                     gsl_matrix *covariance, double *squares, size_t *rank) {
    isocast_numerics_prepare();
    decomposition d = {0};
    isocast_status status = decompose(design, &d);
    if (status != ISOCAST_OK) {
        free_parts(&d);
        return status;
    }
    *rank = divide_by_values(&d, tolerance);
    /* c = V/S U^T y; S has served, and takes U^T y. */
    (void)gsl_blas_dgemv(CblasTrans, 1, d.U, observed, 0, d.S);
    (void)gsl_blas_dgemv(CblasNoTrans, 1, d.V, d.S, 0, coefficients);
    (void)gsl_vector_div(coefficients, d.lengths);
    *squares = squares_of(design, observed, coefficients);
    double variance = *squares / ((double)observed->size - (double)*rank);
    (void)gsl_blas_dgemm(CblasNoTrans, CblasTrans, variance, d.V, d.V, 0, covariance);
    for (size_t i = 0; i < covariance->size1; i++) {
        for (size_t j = 0; j < covariance->size2; j++) {
            double scale = gsl_vector_get(d.lengths, i) * gsl_vector_get(d.lengths, j);
            gsl_matrix_set(covariance, i, j, gsl_matrix_get(covariance, i, j) / scale);
        }
    }
    free_parts(&d);
    return ISOCAST_OK;
}
