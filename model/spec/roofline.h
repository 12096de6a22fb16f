/* Work is flop and bytes: T_c as the larger of what computing takes and what the memory of a node
 * takes for the traffic of its processes. Binds the formula alone; what it is about is the caller's
 * (binding.h). */
#ifndef ISOCAST_ROOFLINE_H
#define ISOCAST_ROOFLINE_H

#include "algorithm.h"
#include "machine.h"
#include "model/formula/scope.h"

/* The name under which it stands in the scope of an algorithm: no file can give it to anything. */
#define ISOCAST_ROOFLINE_NAME "T_c"

typedef struct isocast_roofline isocast_roofline;

typedef struct isocast_roofline_request {
    const isocast_algorithm *algorithm;
    const isocast_machine *machine;
    const isocast_formula *computing; /* s, without the memory */
    const isocast_scope *scope;       /* of the algorithm's formulas */
    size_t first_parameter;           /* column of the machine's first one */
} isocast_roofline_request;

/* *out is NULL where the algorithm has no traffic, the time of its kernel was measured with it
 * (kernel_time.h), or the machine does not state the memory bandwidth of every class, which is a
 * warning where it may be missed. What the request holds must outlive it.
 * Errors: NO_MEMORY. */
isocast_status isocast_roofline_create(const isocast_roofline_request *request,
                                       isocast_diagnostics *diagnostics, isocast_roofline **out);
void isocast_roofline_free(isocast_roofline *roofline);

/* T_c, for the algorithm's scope. */
isocast_symbol isocast_roofline_symbol(const isocast_roofline *roofline);

#endif
