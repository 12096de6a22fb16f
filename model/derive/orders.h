/* In which order the calls of a site change, of which a record counts those of each root and size,
 * and keeps no order: where sizes shrink from call to call, or shares of the calls are uneven,
 * these show it. */
#ifndef ISOCAST_DERIVE_ORDERS_H
#define ISOCAST_DERIVE_ORDERS_H

#include "derived.h"

/* Sets `roots` of all sites. Errors: NO_MEMORY. */
isocast_status isocast_derive_root_order_find(isocast_derived *derived);

/* The smallest message of a site and the step, exact laws where the sizes of its calls differ by
 * equal steps in all records, as the rows of an elimination get shorter; else they stay as they
 * are. Errors: NO_MEMORY. */
isocast_status isocast_derive_size_steps_find(const isocast_derived *derived, size_t site,
                                              isocast_law *least, isocast_law *step);

#endif
