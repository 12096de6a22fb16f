/* Collectives whose messages differ from call to call by equal steps, as the rows of an elimination
 * get shorter: a call of the mean size does not take their mean time where a library changes its
 * algorithm between them. */
#ifndef ISOCAST_DERIVE_SIZE_STEPS_H
#define ISOCAST_DERIVE_SIZE_STEPS_H

#include "derived.h"
#include "fitter.h"

/* The smallest message of a site and the step, exact laws where its sizes are such in all records;
 * else they stay as they are. Errors: NO_MEMORY. */
isocast_status isocast_derive_size_steps_find(const isocast_derived *derived, size_t site,
                                              derive_fitter *fitter, isocast_law *least,
                                              isocast_law *step);

#endif
