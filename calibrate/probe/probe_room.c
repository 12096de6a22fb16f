#include "probe_room.h"

#include <stdlib.h>

#include "probe_clock.h"

#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>

/* Simulated processes have one address space: the address is enough to share it. */
probe_room probe_room_make(const probe_context *context, size_t bytes) {
    char *memory = context->rank == 0 ? SMPI_SHARED_MALLOC(bytes + 1) : NULL;
    MPI_Bcast(&memory, sizeof memory, MPI_BYTE, 0, context->communicator);
    if (memory == NULL) {
        MPI_Abort(context->communicator, 5);
    }
    return (probe_room){memory, memory};
}

void probe_room_free(const probe_context *context, const probe_room *room) {
    probe_let_others_end(context);
    MPI_Barrier(context->communicator);
    if (context->rank == 0) {
        SMPI_SHARED_FREE(room->send);
    }
}
#else
probe_room probe_room_make(const probe_context *context, size_t bytes) {
    probe_room room = {calloc(bytes + 1, 1), calloc(bytes + 1, 1)};
    if (room.send == NULL || room.receive == NULL) {
        MPI_Abort(context->communicator, 5);
    }
    return room;
}

void probe_room_free(const probe_context *context, const probe_room *room) {
    (void)context;
    free(room->send);
    free(room->receive);
}
#endif

void probe_work_through(const probe_context *context, void *bytes, size_t m) {
    double *numbers = bytes;
    for (size_t k = 0; !context->simulated && k < m / sizeof *numbers; k++) {
        numbers[k] = -numbers[k];
    }
}
