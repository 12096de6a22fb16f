#include "compute.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef KERNEL_SIMULATED
#include <smpi/smpi.h>

#include "record/simulated/own_carrier.h"
#include "together.h"
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
    smpi_execute_flops(compute->stretch > 0 ? compute->stretch * flops : flops);
#endif
    return !compute->modelled;
}

#ifdef KERNEL_SIMULATED

void compute_start_together(MPI_Comm communicator) {
    together_start(communicator);
}

void compute_let_others_end(void) {
    together_let_others_end();
}

/* The simulator's messages end there, bytes. */
static const double message_most = 0x1p31;

/* One folded allocation for all: the simulator backs it with one small block of real memory and
 * copies no message that lies in it. Simulated processes share the address space, so the address is
 * enough to share it. */
bool compute_begin(kernel_compute *compute, double bytes, MPI_Comm communicator) {
    if (!compute->modelled) {
        return true;
    }
    int rank;
    double most;
    MPI_Comm_rank(communicator, &rank);
    MPI_Allreduce(&bytes, &most, 1, MPI_DOUBLE, MPI_MAX, communicator);
    if (rank == 0) {
        compute->folded = SMPI_SHARED_MALLOC((size_t)fmin(most, message_most) + 1);
    }
    MPI_Bcast(&compute->folded, sizeof compute->folded, MPI_BYTE, 0, communicator);
    own_hollow_set(compute->folded, (size_t)fmin(most, message_most) + 1);
    return compute->folded != NULL;
}

void compute_end(kernel_compute *compute, MPI_Comm communicator) {
    int rank;
    MPI_Comm_rank(communicator, &rank);
    MPI_Barrier(communicator);
    if (rank == 0 && compute->folded != NULL) {
        SMPI_SHARED_FREE(compute->folded);
    }
    own_hollow_set(NULL, 0);
    compute->folded = NULL;
}

#else

void compute_start_together(MPI_Comm communicator) {
    MPI_Barrier(communicator);
}

void compute_let_others_end(void) {
}

bool compute_begin(kernel_compute *compute, double bytes, MPI_Comm communicator) {
    (void)bytes;
    (void)communicator;
    return !compute->modelled;
}

void compute_end(kernel_compute *compute, MPI_Comm communicator) {
    (void)compute;
    (void)communicator;
}

#endif

void *compute_allocate(const kernel_compute *compute, size_t count, size_t size) {
    if (compute->modelled) {
        return compute->folded;
    }
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    size_t bytes = count * size > 0 ? count * size : 1;
    /* Touched here, so that no page is first seen inside the timed part. Compilers make calloc(),
     * which touches nothing, of malloc() and memset(). */
    void *memory = malloc(bytes);
    if (memory != NULL) {
        explicit_bzero(memory, bytes);
    }
    return memory;
}

void *compute_at(const kernel_compute *compute, void *array, size_t index, size_t size) {
    return compute->modelled ? array : (char *)array + index * size;
}

void compute_free(const kernel_compute *compute, void *memory) {
    if (!compute->modelled) {
        free(memory);
    }
}
