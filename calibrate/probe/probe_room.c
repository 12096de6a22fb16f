#include "probe_room.h"

#include <stdlib.h>

#ifdef PROBE_SIMULATED
#include <smpi/smpi.h>

static char *take(size_t bytes) {
    return SMPI_SHARED_MALLOC(bytes);
}

static void give_back(char *memory) {
    SMPI_SHARED_FREE(memory);
}
#else
static char *take(size_t bytes) {
    return calloc(bytes, 1);
}

static void give_back(char *memory) {
    free(memory);
}
#endif

probe_room probe_room_make(const probe_context *context, size_t bytes) {
    probe_room room = {take(bytes + 1), take(bytes + 1)};
    if (room.send == NULL || room.receive == NULL) {
        MPI_Abort(context->communicator, 5);
    }
    return room;
}

void probe_room_free(const probe_room *room) {
    give_back(room->send);
    give_back(room->receive);
}
