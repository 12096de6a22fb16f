/* Rounds of messages that are under way together: those between a call that starts one, where the
 * call before it did not, and the next such call. Fits nothing. */
#ifndef ISOCAST_DERIVE_ROUNDS_H
#define ISOCAST_DERIVE_ROUNDS_H

#include "observe.h"

/* Whether a call is a receive that is waited for later. */
bool isocast_receives_later(isocast_record_operation operation);

/* Whether a call starts a message that is waited for later. */
bool isocast_starts_message(isocast_record_operation operation);

/* Likewise a collective. */
bool isocast_starts_collective(isocast_record_operation operation);

/* Whether messages of such a call are under way together with others: those of receives that are
 * waited for later, and those of one call with all neighbours. */
bool isocast_has_rounds(isocast_record_operation operation);

/* Rounds of which one of the sites has the first receive, or that are one call with all neighbours,
 * of the process with most of them. No process has more than it has messages there; those from
 * MPI_PROC_NULL do not count. Errors: NO_MEMORY. */
isocast_status isocast_rounds_observe(const isocast_record *record, const isocast_site_key *keys,
                                      size_t count, double *out);

#endif
