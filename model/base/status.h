/* What a library call can come back with (isocast/status.h). It says nothing about where or why:
 * problems in input files are reported by diagnostics (diagnostic.h), the outcome of a solved row
 * by the row's own status (solution.h). */
#ifndef ISOCAST_STATUS_H
#define ISOCAST_STATUS_H

#include <isocast/status.h>
#include <stdbool.h>

/* Whether the system failed, rather than the input or the caller: NO_MEMORY and IO. Reading on in
 * other files makes no sense then, and it counts more than what is wrong with an input. */
bool isocast_status_is_of_system(isocast_status status);

#endif
