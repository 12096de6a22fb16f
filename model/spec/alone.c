#include "alone.h"

#include <math.h>

void isocast_alone_fill(const isocast_machine *machine, const isocast_system *system,
                        isocast_alone *out) {
    out->system = (isocast_system){.count = 1,
                                   .classes = system->classes,
                                   .rows = out->rows,
                                   .table = {.count = 1},
                                   .p = 1,
                                   .C = system->C_j,
                                   .C_j = system->C_j,
                                   .nodes = 1,
                                   .p_node = 1,
                                   .p_node_max = 1,
                                   .reference_factor = 1,
                                   .reference_error = NAN,
                                   .reference_origin = ISOCAST_REFERENCE_DEFINITION,
                                   .size = system->C_j,
                                   .measure = system->measure};
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        out->rows[row] = system->table.rows[row][0];
        out->system.table.rows[row] = &out->rows[row];
    }
    out->rows[ISOCAST_CLASS_PROCESSES] = 1;
    out->rows[ISOCAST_CLASS_MEMORY] = machine->classes[system->classes[0]].memory;
}
