/* What the process computes that computes most: T_c, where shares are uneven, or where one process
 * works while others wait. */
#ifndef ISOCAST_DERIVE_BUSIEST_H
#define ISOCAST_DERIVE_BUSIEST_H

#include "derived.h"
#include "fitter.h"

/* Sets the law `busiest` and the imbalance, after work and extra. tells: the runs whose computing
 * has its usual length, [derived->record_count]. Errors: NO_MEMORY. */
isocast_status isocast_derive_busiest_find(isocast_derived *derived, const bool *tells,
                                           derive_fitter *fitter);

#endif
