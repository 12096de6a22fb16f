/* Where a result comes from, as every JSON result carries it. */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include <jansson.h>

#include "cli/options/load.h"

/* {"isocast": version, "command": the line as a shell takes it, "algorithm": {name, title, source,
 * file}, "machine": {name, source, benchmark, marked_speed, file, calibrated, simulated, date}},
 * null for a machine that is not there. argv[0] is the subcommand. NULL where memory is short. */
json_t *cli_provenance(int argc, char *const *argv, const cli_loaded *loaded);

/* "isocast ...", as a POSIX shell takes it; NULL where memory is short. */
json_t *cli_command_line(int argc, char *const *argv);

#endif
