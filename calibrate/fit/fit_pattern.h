/* Which messages an operation sends, as programs of its processes: those that the probe measures
 * (calibrate/probe), with the collectives of the platform's library. */
#ifndef FIT_PATTERN_H
#define FIT_PATTERN_H

#include "fit_members.h"
#include "model/base/known_operation.h"

/* Whether the messages of an operation are known. */
bool fit_pattern_known(const char *name);

/* Whether the lines of a grid may each do an operation. */
bool fit_pattern_is_of_lines(const char *name);

/* What an operation is, and who does it. */
typedef struct fit_pattern {
    const char *name;
    fit_axis axis;
    fit_rounds rounds;
} fit_pattern;

/* What it takes in the unit of the rules. NAN where memory is short or nothing is known. */
double fit_pattern_length(const fit_network_map *map, fit_pattern pattern,
                          const fit_places *placement, fit_replay_rules rules);

#endif
