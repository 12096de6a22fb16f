#include "known_operation.h"

#include <string.h>

#define ROW(stem, own_kind, own_argument, own_measurement, ...)                                    \
    [ISOCAST_KNOWN_##stem] = {.name = ISOCAST_OPERATION_PREFIX #stem,                              \
                              .kind = ISOCAST_OPERATION_##own_kind,                                \
                              .argument = ISOCAST_ARGUMENT_##own_argument,                         \
                              .measurement = ISOCAST_OPERATION_##own_measurement,                  \
                              __VA_ARGS__},
const isocast_known_operation isocast_known_operations[ISOCAST_KNOWN_OPERATIONS] = {
    ISOCAST_KNOWN_OPERATION_ROWS(ROW)};
#undef ROW

static bool has_name(const isocast_known_operation *operation, const char *name) {
    bool found = strcmp(operation->name, name) == 0;
    for (size_t i = 0; i < ISOCAST_OPERATION_NAMES_MAX && operation->also[i] != NULL; i++) {
        found = found || strcmp(operation->also[i], name) == 0;
    }
    return found;
}

const isocast_known_operation *isocast_known_operation_find(const char *name) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        if (has_name(&isocast_known_operations[i], name)) {
            return &isocast_known_operations[i];
        }
    }
    return NULL;
}

size_t isocast_known_operation_index(const char *name) {
    const isocast_known_operation *operation = isocast_known_operation_find(name);
    return operation != NULL ? (size_t)(operation - isocast_known_operations)
                             : ISOCAST_KNOWN_OPERATIONS;
}
