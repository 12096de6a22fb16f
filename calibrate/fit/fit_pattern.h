/* Which messages an operation sends, as programs of its processes: those that the probe measures
 * (calibrate/probe), with the algorithms of SimGrid's collectives. */
#ifndef FIT_PATTERN_H
#define FIT_PATTERN_H

#include "fit_members.h"
#include "model/base/known_operation.h"

/* Whether the messages of an operation are known; `name` may be that of an algorithm of a broadcast
 * (fit_broadcast.h). */
bool fit_pattern_known(const char *name);

/* The known operation whose messages these are, with an algorithm's ending taken off; NULL where
 * nobody knows them. */
const isocast_known_operation *fit_pattern_operation(const char *name);

/* What the operation takes in the unit of the rules. NAN where memory is short or nothing is known.
 */
double fit_pattern_length(const fit_network_map *map, const char *name, const fit_places *placement,
                          fit_replay_rules rules, fit_rounds rounds);

#endif
