/* In which order the roots of a site's collectives change. A record counts the calls of each root
 * and size, and keeps no order: where sizes shrink from call to call, or shares of the calls are
 * uneven, these show it. */
#ifndef ISOCAST_DERIVE_ROOT_ORDER_H
#define ISOCAST_DERIVE_ROOT_ORDER_H

#include "derived.h"

/* Sets `roots` of all sites. Errors: NO_MEMORY. */
isocast_status isocast_derive_root_order_find(isocast_derived *derived);

#endif
