/* How fast the machine was from launch to launch, as all of its local work states: processors lower
 * their clock, and others take a part of them, for seconds or minutes. */
#ifndef FIT_PACE_H
#define FIT_PACE_H

#include "fit_model.h"

/* What one launch adds to ln of the times of one kernel. */
typedef struct fit_pace_effect {
    unsigned launch;
    double value;
} fit_pace_effect;

/* Start from {0}; until finished it holds the effects of all launches and kernels. */
typedef struct fit_pace {
    fit_pace_effect *effects; /* [count]; once finished one for each launch, in order */
    size_t count, capacity;
    fit_speed speed; /* once finished */
} fit_pace;

/* Adds what a launch adds to the times of a kernel. False where memory is short. */
bool fit_pace_add(fit_pace *pace, unsigned launch, double value);

/* Finds the stretches. False where memory is short. */
bool fit_pace_finish(fit_pace *pace);

/* Whether a launch belongs to the fastest steady stretch. */
bool fit_pace_holds(const fit_pace *pace, unsigned launch);

void fit_pace_free(fit_pace *pace);

#endif
