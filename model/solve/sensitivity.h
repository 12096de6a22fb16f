/* How the work and the time of an algorithm on a system change with N, with each parameter of the
 * machine and with the marked speed of each node class: first derivatives of their logarithms at
 * one N. Solves nothing. */
#ifndef ISOCAST_SENSITIVITY_H
#define ISOCAST_SENSITIVITY_H

#include "model.h"
#include "model/base/metric.h"

/* Of one quantity. */
typedef struct isocast_change {
    double by_N;           /* d ln/d ln N */
    double by_p;           /* d ln/d ln p, where the mix of the system stays */
    double *by_parameters; /* [parameter_count], d ln/d parameter, 1/SI; 0: does not depend on it.
                              Behind them those by the marked speed of a processor of each class,
                              [class_count], 1/(flop/s), and by R_f of each set of the machine
                              file, [reference.count], which are 0: no time depends on it */
} isocast_change;

typedef struct isocast_sensitivity {
    double W;     /* flop */
    double T;     /* s */
    double alone; /* s, T(W,1) */
    isocast_change of_W, of_T, of_alone;
    double *numbers; /* what the above point into */
} isocast_sensitivity;

typedef struct isocast_sensitivity_request {
    const isocast_model *model;
    const isocast_system *system;
    double N;
    const double *other_sizes; /* [size_count - 1], or NULL */
    bool alone;                /* T(W,1) is wanted, too; else 0 with no changes */
    isocast_effort *effort;    /* takes what it costs */
} isocast_sensitivity_request;

/* NAN where there is no value, or no derivative. Errors: NO_MEMORY. */
isocast_status isocast_sensitivity_find(const isocast_sensitivity_request *request,
                                        isocast_sensitivity *out);
void isocast_sensitivity_free(isocast_sensitivity *s);

/* The change of what the metric holds, into `out`, whose array the caller has. That the size of the
 * system changes with the marked speeds, too, is left to who asks for more than the parameters:
 * `count` is how many changes are wanted. */
void isocast_sensitivity_of_held(const isocast_sensitivity *s, isocast_metric metric, size_t count,
                                 isocast_change *out);

/* *T gets T in s at N of an algorithm of one size; gradient [parameter_count] gets d ln T/d
 * parameter, in one over the parameter's SI unit; 0 where there is no derivative. Errors:
 * NO_MEMORY. */
isocast_status isocast_time_gradient(const isocast_model *model, const isocast_system *system,
                                     double N, double *T, double *gradient);

#endif
