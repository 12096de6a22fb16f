#include "step.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

derive_step *isocast_derive_steps_add(derive_steps *steps, derive_step_kind kind) {
    if (!isocast_array_grow((void **)&steps->items, steps->count, &steps->capacity,
                            sizeof *steps->items)) {
        return NULL;
    }
    derive_step *step = &steps->items[steps->count++];
    *step = (derive_step){.kind = kind, .site = SIZE_MAX, .source = SIZE_MAX, .handle = SIZE_MAX};
    return step;
}

void isocast_derive_steps_free(derive_steps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        isocast_derive_step_free(&steps->items[i]);
    }
    free(steps->items);
    *steps = (derive_steps){0};
}

void isocast_derive_step_free(derive_step *step) {
    free(step->amount);
    free(step->root);
    free(step->to);
    free(step->from);
    free(step->loop);
    free(step->when);
    free(step->turns);
    isocast_derive_steps_free(&step->body);
}

void isocast_derive_program_free(derive_program *program) {
    isocast_derive_steps_free(&program->steps);
    for (size_t i = 0; i < program->doubt_count; i++) {
        free(program->doubts[i].time);
    }
    free(program->doubts);
}

void isocast_derive_steps_remove(derive_steps *steps, size_t at) {
    isocast_derive_step_free(&steps->items[at]);
    memmove(&steps->items[at], &steps->items[at + 1],
            (steps->count - at - 1) * sizeof *steps->items);
    steps->count--;
}

isocast_status isocast_derive_steps_insert(derive_steps *steps, size_t at, derive_steps *given) {
    isocast_status status = ISOCAST_OK;
    size_t count = 0;
    for (; count < given->count && status == ISOCAST_OK; count++) {
        status = isocast_derive_steps_add(steps, DERIVE_STEP_WORK) != NULL ? ISOCAST_OK
                                                                           : ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK && count > 0) {
        memmove(&steps->items[at + count], &steps->items[at],
                (steps->count - count - at) * sizeof *steps->items);
        memcpy(&steps->items[at], given->items, count * sizeof *steps->items);
        given->count = 0;
    }
    isocast_derive_steps_free(given);
    return status;
}
