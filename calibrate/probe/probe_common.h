/* What all processes have alike and each could work out by itself: there are as many numbers as
 * processes, so that all copies together grow as the square of these. Where processes have one
 * memory (calibrate/quick) they have one copy of it. */
#ifndef PROBE_COMMON_H
#define PROBE_COMMON_H

#include "probe_context.h"

/* Memory for `of` (what is distinguished by its address) with this number; *is_new: its contents
 * have to be worked out, before anything else is called of MPI. Ends the launch where memory is
 * short.
 */
void *probe_common_take(const probe_context *context, const void *of, size_t number, size_t bytes,
                        bool *is_new);
void probe_common_release(void *memory);

#endif
