/* Sites that are alike as one term. */
#ifndef ISOCAST_DERIVE_TERMS_H
#define ISOCAST_DERIVE_TERMS_H

#include "derived.h"
#include "fitter.h"

/* Makes the terms of sites that send: one for the sites of a function with the same call, sizes and
 * communicator. How often is a law of all of them together, as one process may not be the busiest
 * at each. Errors: NO_MEMORY. */
isocast_status isocast_derive_terms_make(isocast_derived *derived, derive_fitter *fitter);

#endif
