/* Calls that ask for messages and find none, as MPI_Test or MPI_Iprobe in a loop: how often hangs
 * on how long the messages take, and not on sizes and p. */
#ifndef ISOCAST_DERIVE_ASKS_H
#define ISOCAST_DERIVE_ASKS_H

#include "derived.h"

/* Sets derived->asks. Errors: NO_MEMORY. */
isocast_status isocast_derive_asks_find(isocast_derived *derived);

/* Lines under `uncertain`. Puts head first where there is one, and returns what the head of further
 * lines is: "" then. */
const char *isocast_put_uncertain_asks(const isocast_derived *derived, const char *head,
                                       isocast_buffer *out);

#endif
