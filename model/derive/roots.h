/* Collectives whose root changes from call to call, as where each process in turn broadcasts its
 * row of a matrix, and those whose root is another process than the first one. */
#ifndef ISOCAST_DERIVE_ROOTS_H
#define ISOCAST_DERIVE_ROOTS_H

#include "derived.h"
#include "fitter.h"

/* Finds the roots of all sites of `derived`, which has the laws of their calls. Errors: NO_MEMORY.
 */
isocast_status isocast_derive_roots_find(isocast_derived *derived, derive_fitter *fitter);

#endif
