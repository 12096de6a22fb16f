/* How far what is known of a machine's errors leaves a row of a prediction: intervals of N', psi, T
 * and E. First-order propagation of the parameters' errors, by exact derivatives; where that is
 * shown to be too rough, Monte Carlo with the same draws for all rows (common random numbers). */
#ifndef ISOCAST_INTERVAL_H
#define ISOCAST_INTERVAL_H

#include "point_times.h"
#include "prediction_result.h"

typedef struct isocast_interval_request {
    const isocast_model *model;
    isocast_metric metric;
    isocast_uncertainty *uncertainty;
    const isocast_system *system; /* of the row */
    const isocast_system *base;   /* at whose value is held; NULL where the target is a number */
    const isocast_prediction_row *base_row; /* likewise; has its moves */
    const double *other_sizes;              /* [size_count - 1], or NULL */
    isocast_effort *effort;                 /* takes what it costs */
    isocast_point_times *times;             /* W and T at single N; NULL: by the program */
} isocast_interval_request;

/* Fills the row's moves and the intervals of T and E, which are those of a run at the row's N:
 * errors of the parameters, the spread between and within launches, and the misfit of the
 * operations' formulas count. Where N was solved for, the interval of N, too: with r(N, theta) = ln
 * E(N) - ln E_base, E being what the metric holds, the root moves by dx = -(dr/dtheta)/(dr/dx)
 * dtheta, x = ln N, and the interval is exp(x -+ z sigma_x); errors of parameters alone count. The
 * intervals stay NAN where the file gives no errors, or E does not change with N. Errors:
 * NO_MEMORY. */
isocast_status isocast_interval_of_row(const isocast_interval_request *request, bool solved,
                                       isocast_prediction_row *row);

/* A row with how it came about. */
typedef struct isocast_interval_row {
    isocast_interval_request request;
    isocast_prediction_row *row; /* its moves may get draws */
} isocast_interval_row;

/* The interval of psi from a row to another, where both have moves; else NAN. `psi` is its value.
 * As with N, first order is tested at both ends, and draws are taken where it is too rough. Errors:
 * NO_MEMORY. */
isocast_status isocast_interval_of_psi(const isocast_interval_row *from,
                                       const isocast_interval_row *to, double psi, double *low,
                                       double *high);

void isocast_row_moves_free(isocast_row_moves *moves);

#endif
