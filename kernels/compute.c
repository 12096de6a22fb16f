#include "compute.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef KERNEL_SIMULATED
#include <smpi/smpi.h>
#endif

bool compute_is_simulated(void) {
#ifdef KERNEL_SIMULATED
    return true;
#else
    return false;
#endif
}

bool compute_charge(kernel_compute *compute, double flops) {
    compute->flops += flops;
#ifdef KERNEL_SIMULATED
    smpi_execute_flops(flops);
#endif
    return !compute->modelled;
}

void *compute_allocate(const kernel_compute *compute, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    size_t bytes = count * size > 0 ? count * size : 1;
#ifdef KERNEL_SIMULATED
    if (compute->modelled) {
        return SMPI_SHARED_MALLOC(bytes);
    }
#endif
    (void)compute;
    /* Touched here, so that no page is first seen inside the timed part. */
    void *memory = malloc(bytes);
    if (memory != NULL) {
        memset(memory, 0, bytes);
    }
    return memory;
}

void compute_free(const kernel_compute *compute, void *memory) {
    if (memory == NULL) {
        return;
    }
#ifdef KERNEL_SIMULATED
    if (compute->modelled) {
        SMPI_SHARED_FREE(memory);
        return;
    }
#endif
    (void)compute;
    free(memory);
}
