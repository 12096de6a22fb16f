#include "array.h"

#include <stdint.h>
#include <stdlib.h>

#include "refused.h"

enum { CAPACITY_FIRST = 16 };

bool isocast_array_grow(void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return true;
    }
    if (*capacity > SIZE_MAX / 2 / size) {
        return false;
    }
    size_t wanted = *capacity == 0 ? CAPACITY_FIRST : 2 * *capacity;
    void *grown = realloc(*items, wanted * size);
    if (grown == NULL) {
        isocast_refused_note();
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}
