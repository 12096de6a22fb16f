/* Operations that no shipped specification needs: measured on request. */
#ifndef PROBE_COLLECTIVES_H
#define PROBE_COLLECTIVES_H

#include "probe.h"

/* At most PROBE_OPERATIONS_MOST; NULL name at the end. m is the bytes that one process sends or
 * has: to each of the others in a scatter, a gather, an allgather and an alltoall. */
extern const probe_operation probe_collectives[];

#endif
