/* Memory that messages are sent from and received into. On a real machine each process has its own,
 * whose pages are touched. In a simulation there are no caches: all processes share one memory, and
 * the simulator copies no message. */
#ifndef PROBE_MEMORY_H
#define PROBE_MEMORY_H

#include <stddef.h>

/* Bytes of zeros; in a simulation their values mean nothing. NULL where there is not enough. Free
 * with probe_memory_free(). */
void *probe_memory_make(size_t size);
void probe_memory_free(void *memory);

#endif
