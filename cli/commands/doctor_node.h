/* This node, as measurements will find it: processors, memory, clock, and what disturbs. */
#ifndef CLI_DOCTOR_NODE_H
#define CLI_DOCTOR_NODE_H

#include "cli/report/report_checkup.h"

/* Watches the other programs for a second, so nothing else is to be started meanwhile. */
void doctor_node(checkup *out);

#endif
