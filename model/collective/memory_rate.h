/* At what rate the messages within a node go together: that of its memory, or that of its caches as
 * far as these hold what the processes of the node have in hand. */
#ifndef ISOCAST_MEMORY_RATE_H
#define ISOCAST_MEMORY_RATE_H

#include <stdbool.h>

typedef struct isocast_memory_rate {
    double cache;          /* B, of all sockets */
    double cached, memory; /* B/s of all messages in the caches and out of them */
    double in_hand;        /* B, of all processes of the node */
    double rate;           /* B/s now; from `memory` on */
} isocast_memory_rate;

/* A process has so many bytes more in hand, or fewer. Gives whether the rate is another one. */
bool isocast_memory_rate_take(isocast_memory_rate *rate, double more);

/* What a process has in hand by its calls that send and receive: start from 0. */
typedef struct isocast_in_hand {
    double posted; /* B, of calls that do not wait, since the process last waited */
    double before; /* B, of those before it last waited */
} isocast_in_hand;

/* A call has so many bytes. Gives what the process has in hand then. */
double isocast_in_hand_call(isocast_in_hand *hand, double bytes, bool waits);
/* The process waits for what it posted. */
void isocast_in_hand_wait(isocast_in_hand *hand);

#endif
