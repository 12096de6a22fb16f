/* What records say of computing, and the laws of all of it together: how it grows with the sizes,
 * and how long it takes. The steps have laws of their own for each part (steps_work.c). */
#ifndef ISOCAST_DERIVE_COMPUTING_H
#define ISOCAST_DERIVE_COMPUTING_H

#include "derived.h"
#include "fit.h"

/* Errors: NO_MEMORY. */
isocast_status isocast_compute_observe(const isocast_record *record, isocast_compute_seen *out);

/* Computing of each process as it would be if each even stretch took its shortest time each time,
 * s: what else a machine does makes times longer, and none shorter. times: [process_count]. */
void isocast_derive_calm_times(const isocast_derived *derived, const isocast_record *record,
                               double *times);

/* Sets the stretches, the memory, the work and what is said of it, by derived->seen. Errors:
 * NO_MEMORY. */
isocast_status isocast_derive_computing_fit(isocast_derived *derived);

/* The most processes of the records, and of each size the largest one. */
isocast_law_point isocast_derive_largest_point(const isocast_derived *derived);

#endif
