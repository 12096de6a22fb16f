/* What of the time inside of MPI is waiting for others. */
#ifndef ISOCAST_DERIVE_WAITING_H
#define ISOCAST_DERIVE_WAITING_H

#include "derived.h"

/* Sets site->waiting, from runs whose processes had a processor each: the share of T at the site
 * beyond 20 us for a call and 1 ns for each byte, which is more than messages of a usual network
 * take. seen and computing: [derived->record_count]. */
void isocast_derive_waiting_find(const isocast_derived *derived, const isocast_site_seen *seen,
                                 const isocast_compute_seen *computing, isocast_derived_site *site);

#endif
