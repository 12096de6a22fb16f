/* Linear least squares in GSL's terms, for as few points as a fit has. GSL's own
 * (gsl_multifit_linear) ends the process where memory is short within it: up to 2.7 its
 * bidiagonalisation does not look at what it allocates. */
#ifndef ISOCAST_LEAST_SQUARES_H
#define ISOCAST_LEAST_SQUARES_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "status.h"

/* Fits observed = design * coefficients, shapes [n], [n][m] and [m] with n >= m, by singular values
 * of the design with columns of one length; those below `tolerance` of the largest count as 0.
 * covariance: [m][m], scaled by the scatter, which is not finite where n is the rank. *squares: the
 * sum of squared residuals. Errors: NO_MEMORY; ARGUMENT where the design is not finite;
 * NUMERIC. What is given is not to be used then. */
isocast_status isocast_least_squares(const gsl_matrix *design, const gsl_vector *observed,
                                     double tolerance, gsl_vector *coefficients,
                                     gsl_matrix *covariance, double *squares, size_t *rank);

#endif
