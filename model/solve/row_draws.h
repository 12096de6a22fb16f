/* The N that a row's own root moves to with errors of the uncertain numbers, and what psi is read
 * off there: for one row of errors, and for all draws of them. Errors are in the numbers' SI units,
 * n = isocast_uncertainty_count() of them. */
#ifndef ISOCAST_ROW_DRAWS_H
#define ISOCAST_ROW_DRAWS_H

#include "displaced.h"

/* ln N, and ln of what psi is read off, for every draw, [ISOCAST_UNCERTAINTY_DRAWS] each; NAN where
 * no root was found. `slope` is d ln held/d ln N, `reach` that of ln N to first order; `tolerance`
 * is what ln N may be off by. Once so many draws have no root that no interval is known, the others
 * are not looked for. Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_row_draws_find(const isocast_interval_request *request,
                                      const isocast_prediction_row *row, double slope, double reach,
                                      double tolerance, double *N_draws, double *read_draws);

/* ln of what psi is read off with these errors, [n]: at the root that they move N to, or at the
 * row's N where that was given. `tolerance` is what ln N may be off by. Errors: NO_MEMORY, NUMERIC.
 */
isocast_status isocast_row_draws_read(const isocast_interval_request *request,
                                      const isocast_prediction_row *row, const double *errors,
                                      double tolerance, double *out);

/* Whether drawing, which takes so many evaluations of each draw, is within what is left; `spent` is
 * what two of them took. */
bool isocast_row_draws_are_affordable(const isocast_interval_request *request, double spent,
                                      double evaluations);

#endif
