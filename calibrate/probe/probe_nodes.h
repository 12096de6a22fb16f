/* The nodes that a launch runs on: what each has, and where there are several, how fast one process
 * is on each. */
#ifndef PROBE_NODES_H
#define PROBE_NODES_H

#include "calibrate/samples/environment.h"
#include "probe_context.h"

/* The first process of each node, process 0 the first of them; MPI_COMM_NULL on the others. Free
 * with MPI_Comm_free(). Collective. */
MPI_Comm probe_nodes_leaders(const probe_context *context);

/* Writes the lines of all of them to standard output from process 0. Collective over them. */
void probe_nodes_gather(const probe_context *context, MPI_Comm leaders,
                        const char own[ENVIRONMENT_LINE_MAX]);

/* Writes a line for each node to standard output from process 0,
 *     # node HOST: MODEL; CORES cores; BYTES B; SPEED flop/s
 * where the speed is that of the elimination's update on one process at N = 1024, for calibrations
 * that have no time for the suite, and is left out where there is one node: there it is measured as
 * a kernel. Collective. */
void probe_nodes_print(const probe_context *context);

#endif
