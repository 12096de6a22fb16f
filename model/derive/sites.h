/* Call sites of all records: which there are, where processes wait, and what their counts and sizes
 * show of the sizes. */
#ifndef ISOCAST_DERIVE_SITES_H
#define ISOCAST_DERIVE_SITES_H

#include "derived.h"
#include "fitter.h"

/* Sets the sites. computing: [record_count]. Errors: NO_MEMORY. */
isocast_status isocast_derive_sites_find(isocast_derived *derived,
                                         const isocast_compute_seen *computing);

/* A size that is an exponent, as counts and messages show, may be one in the computing, too: notes
 * that in the fitter's candidates. Errors: NO_MEMORY. */
isocast_status isocast_derive_exponents_note(const isocast_derived *derived, derive_fitter *fitter);

#endif
