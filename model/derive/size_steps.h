/* Collectives whose messages differ from call to call by equal steps, as the rows of an elimination
 * get shorter: a call of the mean size does not take their mean time where a library changes its
 * algorithm between them. */
#ifndef ISOCAST_DERIVE_SIZE_STEPS_H
#define ISOCAST_DERIVE_SIZE_STEPS_H

#include "derived.h"
#include "fitter.h"

/* Finds the smallest message and the step of each site whose sizes are such in all records. Errors:
 * NO_MEMORY. */
isocast_status isocast_derive_size_steps_find(isocast_derived *derived, derive_fitter *fitter);

#endif
