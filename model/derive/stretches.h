/* Where the program computes: between which sites. */
#ifndef ISOCAST_DERIVE_STRETCHES_H
#define ISOCAST_DERIVE_STRETCHES_H

#include "derived.h"
#include "fitter.h"

/* Finds the stretches of the run with most computing, and their laws. Errors: NO_MEMORY. */
isocast_status isocast_derive_stretches_find(isocast_derived *derived, derive_fitter *fitter);

#endif
