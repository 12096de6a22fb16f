/* A kernel's time per flop in the text of a machine file: put there, in the place of an earlier one
 * of that name, with all else left as it stands. Measures nothing (kernel_time.h). */
#ifndef CAMPAIGN_KERNEL_ENTRY_H
#define CAMPAIGN_KERNEL_ENTRY_H

#include "model/base/buffer.h"
#include "model/yaml/tree.h"

/* Appends the file's text to *out with the lines of `entry` under `compute`: "  NAME:..." and more,
 * indented by two. Errors: INVALID with a diagnostic where the section is in braces, NO_MEMORY. */
isocast_status campaign_kernel_entry_put(const isocast_tree *file, const char *kernel,
                                         const char *entry, isocast_diagnostics *diagnostics,
                                         isocast_buffer *out);

#endif
