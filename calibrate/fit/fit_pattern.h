/* Which messages an operation sends, as programs of its processes: those that the probe measures
 * (calibrate/probe), with the collectives of the platform's library. */
#ifndef FIT_PATTERN_H
#define FIT_PATTERN_H

#include "fit_members.h"
#include "model/base/known_operation.h"

/* Whether the messages of an operation are known. */
bool fit_pattern_known(const char *name);

/* What the operation takes in the unit of the rules. NAN where memory is short or nothing is known.
 */
double fit_pattern_length(const fit_network_map *map, const char *name, const fit_places *placement,
                          fit_replay_rules rules, fit_rounds rounds);

#endif
