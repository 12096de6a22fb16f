/* W and T of one system after the other at single N, each with values of the machine's parameters
 * of its own: by the closed form that sums to N have in a reach (model/formula/reach.h). What does
 * not depend on N is computed once for as long as system and parameters stay. Not thread-safe; each
 * thread has its own. */
#ifndef ISOCAST_POINT_TIMES_H
#define ISOCAST_POINT_TIMES_H

#include "model.h"

typedef struct isocast_point_times isocast_point_times;

/* *out is NULL for a model without sums, whose program is as fast, and for one that is too long.
 * The model must outlive it. Errors: NO_MEMORY. */
isocast_status isocast_point_times_create(const isocast_model *model, isocast_point_times **out);
/* NULL is allowed. */
void isocast_point_times_free(isocast_point_times *times);

/* Takes another system, or other values of the parameters, [parameter_count], of which a copy is
 * made. `other_sizes` like in isocast_model_points; it and the system must stay until the next
 * call. */
void isocast_point_times_bind(isocast_point_times *times, const isocast_system *system,
                              const double *other_sizes, const double *parameters);
/* W (flop) and T (s) at N; false where they are not known here, or are no work and time. `effort`
 * takes what it costs. */
bool isocast_point_times_at(isocast_point_times *times, double N, isocast_effort *effort, double *W,
                            double *T);

#endif
