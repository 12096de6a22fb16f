#include "scaled_system.h"

#include <stdlib.h>

isocast_status isocast_scaled_system_create(const isocast_machine *machine,
                                            const isocast_system *system, const double *factors,
                                            isocast_scaled_system *out) {
    isocast_scaled_system scaled = {.system = *system};
    scaled.speeds = calloc(system->count + 1, sizeof *scaled.speeds);
    if (scaled.speeds == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    scaled.system.C = 0;
    for (size_t i = 0; i < system->count; i++) {
        double speed = system->table.rows[ISOCAST_CLASS_MARKED_SPEED][i];
        scaled.speeds[i] = speed * factors[system->classes[i]];
        scaled.system.C += system->table.rows[ISOCAST_CLASS_PROCESSES][i] * scaled.speeds[i];
    }
    scaled.system.C_j = scaled.speeds[0];
    scaled.system.table.rows[ISOCAST_CLASS_MARKED_SPEED] = scaled.speeds;
    isocast_status status = isocast_system_refer(machine, &scaled.system);
    if (status != ISOCAST_OK) {
        free(scaled.speeds);
        return status;
    }
    *out = scaled;
    return ISOCAST_OK;
}

void isocast_scaled_system_clear(isocast_scaled_system *scaled) {
    free(scaled->speeds);
    *scaled = (isocast_scaled_system){0};
}
