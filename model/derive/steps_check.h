/* A derived program against the records: whether its processes meet, and call as often. */
#ifndef ISOCAST_DERIVE_STEPS_CHECK_H
#define ISOCAST_DERIVE_STEPS_CHECK_H

#include "derived.h"

/* Reads the text of the algorithm file, rehearses its program with the p and sizes of each record,
 * and appends what that shows, one line of plain text each. Errors: NO_MEMORY. */
isocast_status isocast_derive_steps_check(const isocast_derived *derived,
                                          const isocast_buffer *text, isocast_buffer *out);

#endif
