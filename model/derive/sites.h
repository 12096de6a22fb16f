/* Laws of what each site sends. */
#ifndef ISOCAST_DERIVE_SITES_H
#define ISOCAST_DERIVE_SITES_H

#include "derived.h"
#include "fitter.h"

/* Fits calls and sizes of all sites of `derived`, which has no laws of them yet. A site whose
 * messages go along several axes of a grid of three dimensions, and which has no exact law as a
 * whole, becomes one site for each set of axes where their laws are nearer, or exact. computing:
 * [record_count]. Errors: NO_MEMORY. */
isocast_status isocast_derive_sites_fit(isocast_derived *derived,
                                        const isocast_compute_seen *computing,
                                        derive_fitter *fitter);

#endif
