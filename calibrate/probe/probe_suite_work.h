/* The members of the suite of marked speeds (kernels/speed_suite.h) that are no kernels: their work
 * on one process. */
#ifndef PROBE_SUITE_WORK_H
#define PROBE_SUITE_WORK_H

#include "probe_kernels.h"

/* The work of a member: that of the kernel of this name, where there is one; NULL for no member. */
const probe_kernel *probe_suite_work_find(const char *name);

#endif
