#include "marked_speed.h"

#include <string.h>

static const isocast_program_speed *find(const isocast_node_class *class, const char *program) {
    for (size_t i = 0; program != NULL && i < class->speed_count; i++) {
        if (strcmp(class->speeds[i].program, program) == 0) {
            return &class->speeds[i];
        }
    }
    return NULL;
}

double isocast_marked_speed_of(const isocast_node_class *class, const char *program) {
    const isocast_program_speed *own = find(class, program);
    return own != NULL ? own->value : class->marked_speed;
}

double isocast_marked_speed_error(const isocast_node_class *class, const char *program) {
    const isocast_program_speed *own = find(class, program);
    return own != NULL ? own->standard_error : class->standard_error;
}

isocast_marked_speed_origin isocast_marked_speed_origin_of(const isocast_machine *machine,
                                                           const char *program) {
    /* All classes have the same programs. */
    const isocast_node_class *class = machine->class_count > 0 ? &machine->classes[0] : NULL;
    if (class == NULL || class->speed_count == 0) {
        return ISOCAST_MARKED_SPEED_OF_ALL;
    }
    if (find(class, program) != NULL) {
        return ISOCAST_MARKED_SPEED_OF_PROGRAM;
    }
    return class->is_mean ? ISOCAST_MARKED_SPEED_MEAN : ISOCAST_MARKED_SPEED_DEFAULT;
}

static const char *benchmark_of(const isocast_machine *machine, const char *program) {
    for (size_t i = 0; i < machine->benchmark_count; i++) {
        if (strcmp(machine->benchmarks[i].program, program) == 0) {
            return machine->benchmarks[i].text;
        }
    }
    return NULL;
}

const char *isocast_marked_speed_benchmark(const isocast_machine *machine, const char *program) {
    if (machine->marked_speed_kind != ISOCAST_MARKED_SPEED_SUSTAINED) {
        return NULL;
    }
    if (machine->benchmark != NULL) {
        return machine->benchmark;
    }
    bool own = isocast_marked_speed_origin_of(machine, program) == ISOCAST_MARKED_SPEED_OF_PROGRAM;
    return benchmark_of(machine, own ? program : ISOCAST_MARKED_SPEED_DEFAULT_KEY);
}

void isocast_marked_speed_programs(const isocast_machine *machine, isocast_buffer *out) {
    const isocast_node_class *class = machine->class_count > 0 ? &machine->classes[0] : NULL;
    for (size_t i = 0; class != NULL && i < class->speed_count; i++) {
        const char *before = i == 0 ? "" : i + 1 < class->speed_count ? ", " : " and ";
        isocast_buffer_printf(out, "%s%s", before, class->speeds[i].program);
    }
}
