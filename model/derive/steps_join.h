/* Steps that belong together. */
#ifndef ISOCAST_DERIVE_STEPS_JOIN_H
#define ISOCAST_DERIVE_STEPS_JOIN_H

#include "step.h"

/* Makes shifts of sends and receives that belong together, and passes; puts what is started under
 * handles, and finishes each. Errors: NO_MEMORY. */
isocast_status isocast_derive_steps_join(isocast_pool *pool, derive_steps *steps);

/* Takes loops, starts and their finishes out that have nothing in them. */
void isocast_derive_steps_prune(derive_steps *steps);

#endif
