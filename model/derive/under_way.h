/* Messages and collectives that are under way while the process computes: calls that do not block,
 * with computing before their wait. The longer of both counts, not their sum. Fits nothing. */
#ifndef ISOCAST_DERIVE_UNDER_WAY_H
#define ISOCAST_DERIVE_UNDER_WAY_H

#include "derived.h"

/* Sets `under_way` of the sites, and how much of the computing is done meanwhile, from the record
 * of several processes with most computing. Errors: NO_MEMORY. */
isocast_status isocast_derive_under_way_find(isocast_derived *derived);

#endif
