/* Marked speeds: the sustained speed of one process by itself on each node, at the members of the
 * suite (kernels/speed_suite.h), with more data than its caches hold [CSW 4.3]. */
#ifndef PROBE_SUITE_H
#define PROBE_SUITE_H

#include "probe_context.h"
#include "probe_options.h"

/* Measures the members that the options name, in their order, as far as there is time, on one
 * process of each node at once. Writes a line for each node and member to standard output from
 * process 0, and one with the seconds that all took (environment.h). The other processes of the
 * nodes sleep meanwhile. Collective. */
void probe_suite_measure(const probe_context *context, const probe_options *o);

#endif
