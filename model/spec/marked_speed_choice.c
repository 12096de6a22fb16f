#include "marked_speed_choice.h"

#include <math.h>

#include "class_property.h"
#include "marked_speed.h"

static void put(isocast_machine *machine, size_t class, double speed) {
    const isocast_class_property property = {.class = class,
                                             .kind = ISOCAST_CLASS_PROPERTY_MARKED_SPEED};
    isocast_class_property_put(machine, &property, speed);
}

void isocast_marked_speed_give(isocast_machine *machine, double speed) {
    for (size_t i = 0; i < machine->class_count; i++) {
        put(machine, i, speed);
    }
    machine->marked_speed_kind = ISOCAST_MARKED_SPEED_GIVEN;
}

isocast_status isocast_marked_speed_take_peak(isocast_machine *machine,
                                              const isocast_operation *kernel) {
    isocast_best_rate best;
    isocast_status status = isocast_best_rate_find(machine, kernel, &best);
    if (status != ISOCAST_OK) {
        return status;
    }
    double slowest = INFINITY;
    for (size_t i = 0; i < machine->class_count; i++) {
        slowest = fmin(slowest, isocast_marked_speed_of(&machine->classes[i], kernel->name));
    }
    for (size_t i = 0; i < machine->class_count; i++) {
        double own = isocast_marked_speed_of(&machine->classes[i], kernel->name);
        put(machine, i, best.rate * (own / slowest));
    }
    machine->marked_speed_kind = ISOCAST_MARKED_SPEED_PEAK;
    machine->best_rate = best;
    return ISOCAST_OK;
}
