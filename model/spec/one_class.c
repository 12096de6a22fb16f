#include "one_class.h"

#include <math.h>

#include "marked_speed.h"

static void point_at_rows(isocast_one_class *out) {
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        out->system.table.rows[row] = &out->rows[row];
    }
}

static void take_share(isocast_one_class *out, isocast_node_share share) {
    out->rows[ISOCAST_CLASS_MEMORY] = share.memory;
    out->rows[ISOCAST_CLASS_BANDWIDTH] = share.bandwidth;
    out->rows[ISOCAST_CLASS_CACHE] = share.cache;
}

void isocast_one_class_alone(const isocast_machine *machine, const isocast_system *system,
                             isocast_one_class *out) {
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
    out->rows[ISOCAST_CLASS_PROCESSES] = 1;
    out->rows[ISOCAST_CLASS_MARKED_SPEED] = system->table.rows[ISOCAST_CLASS_MARKED_SPEED][0];
    take_share(out, isocast_node_class_share(&machine->classes[system->classes[0]], 1));
    point_at_rows(out);
}

void isocast_one_class_filled(const isocast_machine *machine, const char *program, double p,
                              isocast_one_class *out) {
    static size_t first_class = 0;
    const isocast_node_class *class = &machine->classes[first_class];
    double on_node = isocast_node_class_fill(class, p);
    double speed = isocast_marked_speed_of(class, program);
    out->system = (isocast_system){.count = 1,
                                   .classes = &first_class,
                                   .rows = out->rows,
                                   .table = {.count = 1},
                                   .p = p,
                                   .C = p * speed,
                                   .C_j = speed,
                                   .nodes = ceil(p / on_node),
                                   .p_node = fmin(on_node, p),
                                   .p_node_max = fmin(on_node, p),
                                   .reference_factor = p,
                                   .reference_error = NAN,
                                   .size = p * speed};
    out->rows[ISOCAST_CLASS_PROCESSES] = p;
    out->rows[ISOCAST_CLASS_MARKED_SPEED] = speed;
    take_share(out, isocast_node_class_share(class, on_node));
    point_at_rows(out);
}
