/* How far what is known of a machine's errors leaves a row of a prediction: intervals of N', psi, T
 * and E. First-order propagation of the parameters' errors, by exact derivatives; where that is
 * shown to be too rough, Monte Carlo with the same draws for all rows (common random numbers). */
#ifndef ISOCAST_INTERVAL_H
#define ISOCAST_INTERVAL_H

#include "displaced.h"

/* Fills the row's moves, `covered` and the intervals of T and E, which are those of a run at the
 * row's N: errors of the parameters, the spread between and within launches, and the misfit of the
 * operations' formulas count. Where N was solved for, the interval of N, too: with r(N, theta) = ln
 * E(N) - ln E_base, E being what the metric holds, the root moves by dx = -(dr/dtheta)/(dr/dx)
 * dtheta, x = ln N, and the interval is exp(x -+ z sigma_x); errors of parameters alone count. The
 * intervals stay NAN where the file gives no errors, or E does not change with N. Errors:
 * NO_MEMORY. */
isocast_status isocast_interval_of_row(const isocast_interval_request *request, bool solved,
                                       isocast_prediction_row *row);

/* How ln T of a run at N moves: d ln T/d number, 1/SI, [number_count] of the uncertainty, and the
 * standard deviation of ln T of runs besides. Errors: NO_MEMORY. */
isocast_status isocast_interval_time_moves(const isocast_interval_request *request, double N,
                                           double *by_numbers, double *noise);

#endif
