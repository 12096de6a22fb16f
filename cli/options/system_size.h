/* Systems that are larger than the platform. */
#ifndef CLI_SYSTEM_SIZE_H
#define CLI_SYSTEM_SIZE_H

#include "model/spec/system.h"
#include "options.h"

/* Refuses a system that takes more nodes or processors than the platform's hardware has. Gives an
 * exit status. */
int cli_system_size_check(const cli_usage *usage, const isocast_system *system,
                          const isocast_machine *hardware);

#endif
