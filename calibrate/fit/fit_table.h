/* Work without messages as tables over what it works on: which caches that fits is no formula. */
#ifndef FIT_TABLE_H
#define FIT_TABLE_H

#include "fit_builder.h"

/* What the samples of one kernel or operation are fitted with. */
typedef struct fit_table_request {
    const char *name;
    double between;   /* typical variance of ln T between launches, with how badly it is known */
    double inflation; /* fit_launch_inflation() */
} fit_table_request;

/* Adds a kernel: its time per flop over log2 of the working set, for each number of processes.
 * items: shape [count], sorted by p and m. Errors: NO_MEMORY. */
isocast_status fit_kernel_table(fit *f, const fit_table_request *request, const fit_summary *items,
                                size_t count);

/* Adds an operation T_x(m) that is work of each process, of all at once: its time per byte over
 * log2 of m, on nodes as full as any that was measured. items as above. Errors: NO_MEMORY. */
isocast_status fit_work_table(fit *f, const fit_table_request *request, const fit_summary *items,
                              size_t count);

#endif
