/* The time per flop of a kernel from runs of the user's own program: what T leaves for it when the
 * overhead is taken away that the algorithm has on the machine. It is put into the text of a
 * machine file in the place of an earlier one, with all else left as it stands. */
#ifndef CAMPAIGN_KERNEL_TIME_H
#define CAMPAIGN_KERNEL_TIME_H

#include "model/base/buffer.h"
#include "model/yaml/tree.h"
#include "run_plan.h"

/* Appends the file's text to *out with the lines of `entry` under `compute`: "  NAME:..." and more,
 * indented by two. Errors: INVALID with a diagnostic where the section is in braces, NO_MEMORY. */
isocast_status campaign_kernel_entry_put(const isocast_tree *file, const char *kernel,
                                         const char *entry, isocast_diagnostics *diagnostics,
                                         isocast_buffer *out);

typedef struct campaign_kernel_time_request {
    const campaign_kernel_setup *setup; /* the program; its machine is that of the text */
    const isocast_algorithm *algorithm; /* of one size, with a kernel */
    const isocast_source *text;         /* the machine file */
    const campaign_run_points *points;  /* systems, of one node where runs are real, and sizes */
    const char *runs_path;              /* the file of runs, which is gone on with */
} campaign_kernel_time_request;

/* Makes the runs that the file does not have, and appends the lines of the kernel's entry:
 * for each number of processes on a node a table over the algorithm's `memory`; a
 * single number, from the median over the sizes, where it has none. A size at which the overhead as
 * predicted takes more than 90 % of T is left out, which is reported; so is a system of which no
 * size is left. Errors: those of campaign_runs_make(); INVALID with diagnostics or reported (T does
 * not depend on t_c, or is not proportional to it; no size is left), NO_MEMORY. */
isocast_status campaign_kernel_time_measure(const campaign_kernel_time_request *request,
                                            isocast_diagnostics *diagnostics, isocast_buffer *out);

#endif
