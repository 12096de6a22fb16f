/* The systems of rows where properties of node classes vary: read anew for each set of values, on a
 * machine of its own that has them. */
#ifndef ISOCAST_SWEEP_SYSTEMS_H
#define ISOCAST_SWEEP_SYSTEMS_H

#include "model/spec/bill.h"
#include "sweep_request.h"

typedef struct isocast_sweep_systems isocast_sweep_systems;

/* The request must outlive it. Errors: NO_MEMORY. */
isocast_status isocast_sweep_systems_create(const isocast_sweep_request *request,
                                            isocast_sweep_systems **out);
void isocast_sweep_systems_free(isocast_sweep_systems *systems);

/* Forgets the systems that were given so far. */
void isocast_sweep_systems_clear(isocast_sweep_systems *systems);

/* The system of an index where the axes of the design have these values (shape [axis_count]), and
 * what it costs; the bill is not set where there is no such system. *out stays until the next
 * clear; NULL where such a machine has no such system. Quick where the values are those of the call
 * before. Errors: NO_MEMORY. */
isocast_status isocast_sweep_systems_find(isocast_sweep_systems *systems, const double *values,
                                          size_t index, const isocast_system **out,
                                          isocast_bill *bill);

#endif
