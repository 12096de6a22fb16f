#include "operation_name.h"

#include <string.h>

enum { PREFIX = sizeof ISOCAST_OPERATION_PREFIX - 1 };

bool isocast_operation_is_name(const char *name) {
    return strncmp(name, ISOCAST_OPERATION_PREFIX, PREFIX) == 0;
}

bool isocast_operation_starts(const char *text, size_t length) {
    return length >= PREFIX && memcmp(text, ISOCAST_OPERATION_PREFIX, PREFIX) == 0;
}

const char *isocast_operation_stem(const char *name) {
    return isocast_operation_is_name(name) ? name + PREFIX : name;
}
