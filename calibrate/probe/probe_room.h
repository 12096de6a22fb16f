/* Room for messages of one call, where they may be longer than those that the context has room for.
 */
#ifndef PROBE_ROOM_H
#define PROBE_ROOM_H

#include "probe_context.h"

typedef struct probe_room {
    char *send;    /* [bytes] */
    char *receive; /* [bytes] */
} probe_room;

/* Ends all processes where memory is short. In a simulation the room is folded: the simulator
 * copies no message there. */
probe_room probe_room_make(const probe_context *context, size_t bytes);
void probe_room_free(const probe_room *room);

#endif
