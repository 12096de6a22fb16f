/* A platform that programs are run on in simulation: its files in a temporary folder, and the
 * command that starts a program on one of its systems. */
#ifndef CLI_SIMULATION_H
#define CLI_SIMULATION_H

#include <stdbool.h>

#include "model/spec/platform.h"
#include "model/spec/system.h"

/* Start from {0}. */
typedef struct cli_simulation {
    char *path; /* of the platform file */
    isocast_platform *platform;
    char folder[64]; /* temporary; empty where there is none. It is smpirun's TMPDIR too, as smpirun
                      * looks for libraries there, and others may write to /tmp. */
    char *launcher;  /* of the system prepared last */
} cli_simulation;

/* Loads a platform by its path or name, telling all problems. Gives an exit status, like the next.
 */
int cli_simulation_load(const char *name, bool quiet, cli_simulation *out);

/* Refuses a system that is too large for the simulator's files, telling why. */
int cli_simulation_check(const isocast_system *system);

/* Writes the files for a system and makes simulation->launcher the command that starts a program
 * on it; `in_group` as for simgrid_write_hosts. */
int cli_simulation_prepare(cli_simulation *simulation, const isocast_system *system,
                           double in_group);

/* Removes the files. Free of {0} too. */
void cli_simulation_free(cli_simulation *simulation);

#endif
