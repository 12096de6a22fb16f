/* The nodes that a launch runs on: what each has, and where there are several, how fast one process
 * is on each. */
#ifndef PROBE_NODES_H
#define PROBE_NODES_H

#include "probe_context.h"

/* Writes a line for each node to standard output from process 0,
 *     # node HOST: MODEL; CORES cores; BYTES B; SPEED flop/s
 * where the speed is that of the elimination's update on one process at N = 1024, the benchmark of
 * marked speeds, and is left out where there is one node: there it is measured as a kernel.
 * Collective. */
void probe_nodes_print(const probe_context *context);

#endif
