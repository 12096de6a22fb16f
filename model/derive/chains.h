/* Chains of calls in which processes wait one for the other, beyond those of pipelines: a token
 * that goes around a ring, a wave through a grid. No term has their time. */
#ifndef ISOCAST_DERIVE_CHAINS_H
#define ISOCAST_DERIVE_CHAINS_H

#include "derived.h"
#include "fitter.h"

/* Sets `chain` and `chain_site`. Pipelines are known. Errors: NO_MEMORY. */
isocast_status isocast_derive_chains_find(isocast_derived *derived, derive_fitter *fitter);

#endif
