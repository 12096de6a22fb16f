/* How far the errors of a machine's parameters move N': first-order propagation through the
 * condition. Knows nothing of errors of the formulas themselves. */
#ifndef ISOCAST_INTERVAL_H
#define ISOCAST_INTERVAL_H

#include "model.h"
#include "model/base/metric.h"

typedef struct isocast_interval_request {
    const isocast_model *model;
    isocast_metric metric;
    const isocast_system *system;
    double N;                   /* the root */
    const isocast_system *base; /* at whose value is held; NULL where the target is a number */
    double base_N;
    const double *other_sizes; /* [size_count - 1], or NULL */
    isocast_effort *effort;    /* takes what it costs */
} isocast_interval_request;

/* Whether the machine has parameters with standard errors, without which there is no interval. */
bool isocast_interval_has_errors(const isocast_machine *machine);

/* The 90 % interval of N' from the standard errors (and covariance, where given) of the machine
 * file. With r(N, theta) = ln E(N) - ln E_base, E being what the metric holds, the root moves by dx
 * = -(dr/dtheta)/(dr/dx) dtheta, x = ln N; the interval is exp(x -+ 1.645 sigma_x). Both stay NAN
 * where the file gives no errors, or E does not change with N. Errors: NO_MEMORY. */
isocast_status isocast_interval_of_N(const isocast_interval_request *request, double *low,
                                     double *high);

#endif
