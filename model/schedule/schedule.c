#include "schedule.h"

#include <stdlib.h>
#include <string.h>

static void free_steps(isocast_steps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        isocast_step *step = &steps->items[i];
        free(step->name);
        free(step->by);
        free_steps(&step->body);
        free_steps(&step->other);
    }
    free(steps->items);
}

void isocast_schedule_free(isocast_schedule *schedule) {
    if (schedule == NULL) {
        return;
    }
    free_steps(&schedule->steps);
    for (size_t i = 0; i < schedule->formula_count; i++) {
        isocast_formula_free(schedule->formulas[i].formula);
    }
    for (size_t i = 0; i < schedule->local_count; i++) {
        free(schedule->locals[i].name);
    }
    for (size_t i = 0; i < schedule->group_count; i++) {
        free(schedule->groups[i].along);
    }
    for (size_t i = 0; i < schedule->handle_count; i++) {
        free(schedule->handles[i]);
    }
    free(schedule->formulas);
    free(schedule->locals);
    free(schedule->axes);
    free(schedule->grids);
    free(schedule->shares);
    free(schedule->groups);
    free(schedule->handles);
    free(schedule);
}

const char *isocast_step_term(const isocast_schedule *schedule, const isocast_step *step) {
    return step->name != NULL                       ? step->name
           : step->kind->role == ISOCAST_STEP_START ? schedule->handles[step->handle]
                                                    : step->kind->word;
}

size_t isocast_schedule_find_local(const isocast_schedule *schedule, size_t from,
                                   const char *name) {
    size_t at = from;
    while (at != ISOCAST_SCHEDULE_NONE && strcmp(schedule->locals[at].name, name) != 0) {
        at = schedule->locals[at].outer;
    }
    return at;
}
