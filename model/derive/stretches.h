/* Where the program computes: between which sites. */
#ifndef ISOCAST_DERIVE_STRETCHES_H
#define ISOCAST_DERIVE_STRETCHES_H

#include "derived.h"
#include "fitter.h"

/* Computing of a record as it would be if each even stretch took its shortest time each time, s, of
 * all processes: what else a machine does makes times longer, and none shorter. After
 * isocast_derive_stretches_find(). */
double isocast_derive_calm_time(const isocast_derived *derived, const isocast_record *record);

/* The same of each process. times: [record->process_count]. */
void isocast_derive_calm_times(const isocast_derived *derived, const isocast_record *record,
                               double *times);

/* Finds the stretches of the run with most computing, and their laws. Errors: NO_MEMORY. */
isocast_status isocast_derive_stretches_find(isocast_derived *derived,
                                             const isocast_compute_seen *computing,
                                             derive_fitter *fitter);

#endif
