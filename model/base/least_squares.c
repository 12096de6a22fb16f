#include "least_squares.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

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

/* Divides the columns by their lengths. */
static isocast_status scale_columns(decomposition *d) {
    isocast_status status = ISOCAST_OK;
    for (size_t j = 0; status == ISOCAST_OK && j < d->U->size2; j++) {
        gsl_vector_view column = gsl_matrix_column(d->U, j);
        double length = gsl_blas_dnrm2(&column.vector);
        if (!isfinite(length)) {
            return ISOCAST_ARGUMENT;
        }
        length = length > 0 ? length : 1;
        gsl_vector_set(d->lengths, j, length);
        status = isocast_numerics_status(gsl_vector_scale(&column.vector, 1 / length));
    }
    return status;
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
    isocast_status status = isocast_numerics_status(gsl_matrix_memcpy(d->U, design));
    if (status == ISOCAST_OK) {
        status = scale_columns(d);
    }
    /* One-sided Jacobi rotations allocate nothing, and are exact for small singular values, too. */
    return status == ISOCAST_OK
               ? isocast_numerics_status(gsl_linalg_SV_decomp_jacobi(d->U, d->V, d->S))
               : status;
}

/* V/S, singular values that count as 0 leaving columns of 0. *rank: how many do not. */
static isocast_status divide_by_values(decomposition *d, double tolerance, size_t *rank) {
    double least = tolerance * gsl_vector_get(d->S, 0);
    isocast_status status = ISOCAST_OK;
    *rank = 0;
    for (size_t j = 0; status == ISOCAST_OK && j < d->S->size; j++) {
        double value = gsl_vector_get(d->S, j);
        gsl_vector_view column = gsl_matrix_column(d->V, j);
        status = isocast_numerics_status(
            gsl_vector_scale(&column.vector, value > least ? 1 / value : 0));
        *rank += value > least;
    }
    return status;
}

/* c = V/S U^T y; S has served, and takes U^T y. */
static isocast_status solve(decomposition *d, const gsl_vector *observed,
                            gsl_vector *coefficients) {
    int failed = gsl_blas_dgemv(CblasTrans, 1, d->U, observed, 0, d->S);
    failed = failed != 0 ? failed : gsl_blas_dgemv(CblasNoTrans, 1, d->V, d->S, 0, coefficients);
    failed = failed != 0 ? failed : gsl_vector_div(coefficients, d->lengths);
    return isocast_numerics_status(failed);
}

/* V/S (V/S)^T times the variance, for columns that were not divided by their lengths. */
static isocast_status covary(const decomposition *d, double variance, gsl_matrix *covariance) {
    int failed = gsl_blas_dgemm(CblasNoTrans, CblasTrans, variance, d->V, d->V, 0, covariance);
    for (size_t i = 0; failed == 0 && i < covariance->size1; i++) {
        for (size_t j = 0; j < covariance->size2; j++) {
            double scale = gsl_vector_get(d->lengths, i) * gsl_vector_get(d->lengths, j);
            gsl_matrix_set(covariance, i, j, gsl_matrix_get(covariance, i, j) / scale);
        }
    }
    return isocast_numerics_status(failed);
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
    if (status == ISOCAST_OK) {
        status = divide_by_values(&d, tolerance, rank);
    }
    if (status == ISOCAST_OK) {
        status = solve(&d, observed, coefficients);
    }
    if (status == ISOCAST_OK) {
        *squares = squares_of(design, observed, coefficients);
        status = covary(&d, *squares / ((double)observed->size - (double)*rank), covariance);
    }
    free_parts(&d);
    return status;
}
