/* A row of a prediction with the uncertain numbers off their values: W, T and what is held with
 * each row of errors. Looks for no roots. The numbers are the machine's parameters and, behind
 * them, the sizes (uncertainty.h): n = isocast_uncertainty_count(). Errors are in the
 * numbers' SI units. */
#ifndef ISOCAST_DISPLACED_H
#define ISOCAST_DISPLACED_H

#include "drawn_times.h"
#include "point_times.h"
#include "prediction_result.h"

/* What an interval is asked of: a row of a prediction with what it was found from. */
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
    isocast_drawn_times *drawn;             /* W and T of all draws at one N; NULL: by themselves */
} isocast_interval_request;

/* A reach of ln N below this is known by the solver's own accuracy only. */
#define ISOCAST_REACH_SEEN 1e-6

/* A point of which nothing but the system's size and R_f is known. */
isocast_metric_point isocast_displaced_unknown(const isocast_system *system);

/* Evaluates a system at `count` N, each with its errors of the numbers, [count][n]; `scale` is what
 * they are multiplied by. Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_displaced_evaluate(const isocast_interval_request *request,
                                          const isocast_system *system, size_t count,
                                          const double *N, const double *errors, double scale,
                                          isocast_metric_point *out);

/* The same at one N. */
isocast_status isocast_displaced_evaluate_at(const isocast_interval_request *request,
                                             const isocast_system *system, size_t count, double N,
                                             const double *errors, double scale,
                                             isocast_metric_point *out);

/* d ln/d marked speed of each class and d ln/d R_f of each set, [size_count], of the size that the
 * metric divides by: as it changes within a standard error to either side. Errors: NO_MEMORY. */
isocast_status isocast_displaced_size_changes(const isocast_interval_request *request,
                                              double *changes);

/* ln of what is to be held with each row of errors, [count]: the base's value with them, or the
 * target, which they do not move. Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_displaced_targets(const isocast_interval_request *request, size_t count,
                                         const double *errors, double scale, double target,
                                         double *out);

/* To first order, the change of what has this gradient, [n], by errors, [n]. */
double isocast_displaced_change(const double *gradient, const double *errors, size_t n);

/* How far a linear rule is off where the numbers are one reach off in the direction that matters,
 * as a share of the reach: `ends` are what the rule's quantity really changes by. */
bool isocast_displaced_is_curved(const double *ends, double reach);

/* The interval of draws of a logarithm, [ISOCAST_UNCERTAINTY_DRAWS], which stay as they are;
 * `scratch` has as many. *low and *high stay where too few are known. */
void isocast_displaced_interval(const isocast_uncertainty *u, const double *draws, double *scratch,
                                double *low, double *high);

#endif
