/* What the commands that simulate operations share: the probe for the simulator, and the cache that
 * simulated times are kept in. */
#ifndef CLI_SIMULATED_H
#define CLI_SIMULATED_H

#include "calibrate/campaign/point_cache.h"
#include "cli/options/options.h"

/* Finds a program that is built with SimGrid, of those beside isocast-probe; free *out with free().
 * Gives an exit status, and tells why it is none. */
int cli_simulated_program(const cli_usage *usage, const char *name, char **out);

/* The options --cache FOLDER (NULL: not given) and --no-cache. */
bool cli_cache_given(const char *folder, bool none);
int cli_cache_check(const cli_usage *usage, const char *folder, bool none);
void cli_cache_open(const char *folder, bool none, const campaign_listener *listener,
                    campaign_point_cache *out);

#endif
