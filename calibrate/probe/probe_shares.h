/* What each process has of the work, which programs deal out by speed. */
#ifndef PROBE_SHARES_H
#define PROBE_SHARES_H

#include "probe_context.h"

/* The speed of each process over that of all together where the context says so, else the same for
 * all: [processes], to be freed. Collective; ends all processes where memory is short. */
double *probe_shares_find(const probe_context *context);

#endif
