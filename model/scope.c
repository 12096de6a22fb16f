#include "scope.h"

#include <string.h>

const isocast_symbol *isocast_scope_find(const isocast_scope *scope, const char *name) {
    for (size_t i = 0; i < scope->count; i++) {
        if (strcmp(scope->symbols[i].name, name) == 0) {
            return &scope->symbols[i];
        }
    }
    return NULL;
}

bool isocast_property_dimension(const char *name, isocast_dimension *out) {
    const char *point = strrchr(name, '.');
    const char *property = point != NULL ? point + 1 : name;
    isocast_dimension speed = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                       isocast_dimension_of(ISOCAST_BASE_TIME));
    const struct {
        const char *name;
        isocast_dimension dimension;
    } properties[] = {
        {"marked_speed", speed},
        {"memory", isocast_dimension_of(ISOCAST_BASE_BYTE)},
        {"count", isocast_dimension_count},
        {"processors", isocast_dimension_count},
        {"price", isocast_dimension_of(ISOCAST_BASE_USD)},
        {"power", isocast_dimension_of(ISOCAST_BASE_POWER)},
    };
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        if (strcmp(properties[i].name, property) == 0) {
            *out = properties[i].dimension;
            return true;
        }
    }
    return false;
}
