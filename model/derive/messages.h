/* How long the messages of a recorded call are. */
#ifndef ISOCAST_DERIVE_MESSAGES_H
#define ISOCAST_DERIVE_MESSAGES_H

#include "model/record/record.h"

/* Of how many messages a row has the size as one: a process's share for each of the communicator,
 * or for each neighbour, where these may differ. Their mean is what isocast's operation counts. */
double isocast_call_shares(const isocast_record *record, const isocast_record_call *call);

/* B, of all these. Of an exchange the longer message counts: both go at once. */
double isocast_call_size(const isocast_record_call *call);

/* B, the message of a call: m of its operation. */
double isocast_call_message(const isocast_record *record, const isocast_record_call *call);

#endif
