#include "step.h"

#include <stdint.h>
#include <stdlib.h>

#include "model/base/array.h"

derive_step *isocast_derive_steps_add(derive_steps *steps, derive_step_kind kind) {
    if (!isocast_array_grow((void **)&steps->items, steps->count, &steps->capacity,
                            sizeof *steps->items)) {
        return NULL;
    }
    derive_step *step = &steps->items[steps->count++];
    *step = (derive_step){.kind = kind, .site = SIZE_MAX, .handle = SIZE_MAX};
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
    free(program->doubts);
}
