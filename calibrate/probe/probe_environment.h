/* What a launch runs on, as "# key: value" lines: the library and its switch points, hosts, where
 * processes are bound, clocks. */
#ifndef PROBE_ENVIRONMENT_H
#define PROBE_ENVIRONMENT_H

#include "probe_context.h"

/* Writes to standard output from process 0. Collective. */
void probe_environment_print(const probe_context *context);

/* Least share of a processor that any process had since this was called first; the processes of
 * MPI wait at work, so less than one says that others used it too. Collective; writes a line. */
void probe_environment_begin(void);
void probe_environment_end(const probe_context *context);

#endif
