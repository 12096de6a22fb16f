/* Launches whose messages were slow because the machine was in another state: on a virtual machine
 * whose processors are moved to cores that share no cache, all messages take several times as long
 * for a while. A state shows in short messages, and differs from noise by a gap: launches fall into
 * two groups, with nothing between. Fits nothing. */
#ifndef FIT_STATES_H
#define FIT_STATES_H

#include <stdbool.h>

#include "calibrate/samples/samples.h"

typedef struct fit_states {
    size_t launches; /* that had messages */
    size_t slow;     /* of these; 0: there is one state */
    double ratio; /* of times in the slow launches to the others, the largest of all placements */
} fit_states;

/* Takes the rows of messages of slow launches out of the samples, where at least two launches of
 * the same placement of processes were fast. Others keep their order; the rows that are taken out
 * stand behind the count, so that they are freed with the rest. False where memory is short. */
bool fit_states_take_fast(samples *s, fit_states *out);

#endif
