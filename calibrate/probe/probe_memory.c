#include "probe_memory.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Pages never written share one page of zeros, which no cache misses. Compilers make calloc(),
 * which writes nothing, of malloc() and memset(). */
void *probe_memory_make(size_t size) {
#ifdef PROBE_SIMULATED
    return SMPI_SHARED_MALLOC(size);
#else
    void *memory = malloc(size);
    if (memory != NULL) {
        explicit_bzero(memory, size);
    }
    return memory;
#endif
}

void probe_memory_free(void *memory) {
#ifdef PROBE_SIMULATED
    if (memory != NULL) {
        SMPI_SHARED_FREE(memory);
    }
#else
    free(memory);
#endif
}
