/* Room for messages of one call, where they may be longer than those that the context has room for.
 */
#ifndef PROBE_ROOM_H
#define PROBE_ROOM_H

#include "probe_context.h"

typedef struct probe_room {
    char *send;    /* [bytes] */
    char *receive; /* [bytes]; in a simulation the same */
} probe_room;

/* `bytes`: the same on all processes. In a simulation they have one room together, which is folded:
 * the simulator copies no message there, and room for each would be more than it can map. Both are
 * collective. Ends all processes where memory is short. */
probe_room probe_room_make(const probe_context *context, size_t bytes);
void probe_room_free(const probe_context *context, const probe_room *room);

/* Reads and writes m bytes, as work on them does that goes before an operation: the caches then
 * hold the last of them, modified, and not what the operation left there the last time. In a
 * simulation there are no caches. */
void probe_work_through(const probe_context *context, void *bytes, size_t m);

#endif
