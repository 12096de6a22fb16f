/* Collectives from, or to, one root that follow each other. The root of a broadcast goes on to the
 * next one while others still wait for theirs: such a row takes less time than its calls each by
 * itself. Writes nothing. */
#ifndef ISOCAST_DERIVE_ONE_ROOT_H
#define ISOCAST_DERIVE_ONE_ROOT_H

#include "derived.h"
#include "fitter.h"

/* Sets the rows of what was derived, and `row` of its sites, which have their laws. Errors:
 * NO_MEMORY. */
isocast_status isocast_derive_one_root_find(isocast_derived *derived, derive_fitter *fitter);

#endif
