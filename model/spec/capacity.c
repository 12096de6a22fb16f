#include "capacity.h"

static const char *plural(double count) {
    return count == 1 ? "" : "s";
}

void isocast_capacity_refuse(isocast_buffer *out, const isocast_system *system,
                             const isocast_machine *machine, const char *what) {
    isocast_buffer_printf(out, "system %s takes more than %s %s has:", system->name, what,
                          machine->name);
    for (size_t i = 0; i < machine->class_count; i++) {
        const isocast_node_class *class = &machine->classes[i];
        isocast_buffer_printf(out, "%s %.10g ", i == 0 ? "" : ",", class->count);
        if (machine->class_count > 1) {
            isocast_buffer_printf(out, "%s ", class->name);
        }
        isocast_buffer_printf(out, "node%s of %.10g processor%s", plural(class->count),
                              class->processors, plural(class->processors));
    }
    isocast_buffer_puts(out, "; for more nodes, raise 'count' in a copy of its file");
}
