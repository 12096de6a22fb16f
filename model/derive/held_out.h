/* Steps and the law of the work against records that they were not made from. */
#ifndef ISOCAST_DERIVE_HELD_OUT_H
#define ISOCAST_DERIVE_HELD_OUT_H

#include "derived.h"

/* records: [count], which fit the laws' sizes. Sets `there` of the sites. Errors: NO_MEMORY. */
isocast_status isocast_derive_held_out_check(isocast_derived *laws, isocast_record *const *records,
                                             size_t count, isocast_held_out *out);

#endif
