#include "step.h"

#include <stdint.h>
#include <string.h>

derive_step *isocast_derive_steps_add(isocast_pool *pool, derive_steps *steps,
                                      derive_step_kind kind) {
    if (steps->count == steps->capacity) {
        size_t capacity = steps->capacity > 0 ? 2 * steps->capacity : 4;
        derive_step *items = isocast_pool_take(pool, capacity, sizeof *items);
        if (items == NULL) {
            return NULL;
        }
        if (steps->count > 0) {
            memcpy(items, steps->items, steps->count * sizeof *items);
        }
        steps->items = items;
        steps->capacity = capacity;
    }
    derive_step *step = &steps->items[steps->count++];
    *step = (derive_step){.kind = kind, .site = SIZE_MAX, .source = SIZE_MAX, .handle = SIZE_MAX};
    return step;
}

void isocast_derive_steps_remove(derive_steps *steps, size_t at) {
    memmove(&steps->items[at], &steps->items[at + 1],
            (steps->count - at - 1) * sizeof *steps->items);
    steps->count--;
}

isocast_status isocast_derive_steps_insert(isocast_pool *pool, derive_steps *steps, size_t at,
                                           const derive_steps *given) {
    for (size_t i = 0; i < given->count; i++) {
        if (isocast_derive_steps_add(pool, steps, DERIVE_STEP_WORK) == NULL) {
            return ISOCAST_NO_MEMORY;
        }
    }
    if (given->count > 0) {
        memmove(&steps->items[at + given->count], &steps->items[at],
                (steps->count - given->count - at) * sizeof *steps->items);
        memcpy(&steps->items[at], given->items, given->count * sizeof *steps->items);
    }
    return ISOCAST_OK;
}
