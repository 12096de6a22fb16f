/* The law of a program's computing: how the processor time of its processes grows. */
#ifndef ISOCAST_DERIVE_COMPUTING_H
#define ISOCAST_DERIVE_COMPUTING_H

#include "derived.h"
#include "fitter.h"

/* Finds work, extra and their error, after the law of the memory and the stretches. computing:
 * [derived->record_count]. Errors: NO_MEMORY. */
isocast_status isocast_derive_computing_fit(isocast_derived *derived,
                                            const isocast_compute_seen *computing,
                                            derive_fitter *fitter);

#endif
