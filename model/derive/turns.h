/* Which sites send to all other processes, one after the other, as programs do that transpose a
 * matrix by messages of their own. All of these messages are on the network at once, which one
 * message by itself does not tell. Fits nothing. */
#ifndef ISOCAST_DERIVE_TURNS_H
#define ISOCAST_DERIVE_TURNS_H

#include "derived.h"

/* Sets `turns` and `counts_in` of the terms (terms.h), which have their laws. Errors: NO_MEMORY. */
isocast_status isocast_derive_turns_find(isocast_derived *derived);

#endif
