#include "class_property.h"

#include <math.h>
#include <string.h>

/* By isocast_class_property_kind. */
static const struct {
    const char *ending;
    bool whole;
} kinds[] = {[ISOCAST_CLASS_PROPERTY_MARKED_SPEED] = {".marked_speed", false},
             [ISOCAST_CLASS_PROPERTY_MEMORY] = {".memory", false},
             [ISOCAST_CLASS_PROPERTY_BANDWIDTH] = {".memory_bandwidth", false},
             [ISOCAST_CLASS_PROPERTY_CACHE] = {".cache", false},
             [ISOCAST_CLASS_PROPERTY_COUNT] = {".count", true},
             [ISOCAST_CLASS_PROPERTY_PROCESSORS] = {".processors", true},
             [ISOCAST_CLASS_PROPERTY_PRICE] = {".price", false},
             [ISOCAST_CLASS_PROPERTY_POWER] = {".power", false}};

bool isocast_class_property_find(const isocast_machine *machine, const char *name,
                                 isocast_class_property *out) {
    const char *point = strrchr(name, '.');
    size_t length = point != NULL ? (size_t)(point - name) : 0;
    size_t class = 0;
    size_t kind = 0;
    while (class < machine->class_count &&
           (strlen(machine->classes[class].name) != length ||
            strncmp(machine->classes[class].name, name, length) != 0)) {
        class ++;
    }
    while (kind < sizeof kinds / sizeof kinds[0] &&
           (point == NULL || strcmp(point, kinds[kind].ending) != 0)) {
        kind++;
    }
    if (class == machine->class_count || kind == sizeof kinds / sizeof kinds[0]) {
        return false;
    }
    isocast_dimension dimension;
    if (!isocast_property_dimension(name, &dimension)) {
        return false;
    }
    if (kind == ISOCAST_CLASS_PROPERTY_PRICE) {
        dimension = isocast_currency_dimension(machine->purchase.currency);
        if (machine->purchase.currency == ISOCAST_CURRENCY_NONE) {
            return false;
        }
    }
    *out = (isocast_class_property){class, (isocast_class_property_kind)kind, dimension,
                                    kinds[kind].whole};
    return true;
}

static double *place_of(isocast_node_class *class, isocast_class_property_kind kind) {
    switch (kind) {
    case ISOCAST_CLASS_PROPERTY_MARKED_SPEED:
        return &class->marked_speed;
    case ISOCAST_CLASS_PROPERTY_MEMORY:
        return &class->memory;
    case ISOCAST_CLASS_PROPERTY_BANDWIDTH:
        return &class->memory_bandwidth;
    case ISOCAST_CLASS_PROPERTY_CACHE:
        return &class->cache;
    case ISOCAST_CLASS_PROPERTY_COUNT:
        return &class->count;
    case ISOCAST_CLASS_PROPERTY_PROCESSORS:
        return &class->processors;
    case ISOCAST_CLASS_PROPERTY_PRICE:
        return &class->price;
    case ISOCAST_CLASS_PROPERTY_POWER:
        break;
    }
    return &class->power;
}

double isocast_class_property_of(const isocast_machine *machine,
                                 const isocast_class_property *property) {
    return *place_of(&machine->classes[property->class], property->kind);
}

static void forget_speeds(isocast_node_class *class) {
    class->standard_error = NAN;
    class->is_mean = false;
    for (size_t k = 0; k < class->speed_count; k++) {
        class->speeds[k].value = class->marked_speed;
        class->speeds[k].standard_error = NAN;
    }
}

void isocast_class_property_put(isocast_machine *machine, const isocast_class_property *property,
                                double value) {
    isocast_node_class *class = &machine->classes[property->class];
    *place_of(class, property->kind) = value;
    if (property->kind == ISOCAST_CLASS_PROPERTY_MARKED_SPEED) {
        forget_speeds(class);
    }
}
