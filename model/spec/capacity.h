/* What a machine has in all, for messages about systems that are larger. */
#ifndef ISOCAST_CAPACITY_H
#define ISOCAST_CAPACITY_H

#include "system.h"

/* Appends "system 256 takes more than platform NAME has: 128 nodes of 1 processor", and how to have
 * more. `what` is "platform" or "machine". */
void isocast_capacity_refuse(isocast_buffer *out, const isocast_system *system,
                             const isocast_machine *machine, const char *what);

#endif
