#include "fit_reduction.h"

#include <stdio.h>
#include <string.h>

#include "calibrate/samples/samples.h"

const double fit_reduction_short_below = 2048;

const char *fit_reduction_ending(bool is_short) {
    return is_short ? "_short" : "_long";
}

static const isocast_known_operation *find(const char *name) {
    const isocast_known_operation *known = isocast_known_operation_find(name);
    bool reduces = known == &isocast_known_operations[ISOCAST_KNOWN_reduce] ||
                   known == &isocast_known_operations[ISOCAST_KNOWN_allreduce];
    return reduces ? known : NULL;
}

const isocast_known_operation *fit_reduction_of(const char *name, bool *is_short) {
    size_t length = strlen(name);
    for (int k = 0; k < 2; k++) {
        const char *ending = fit_reduction_ending(k == 0);
        size_t own = strlen(ending);
        if (length > own && strcmp(name + length - own, ending) == 0) {
            char whole[SAMPLES_NAME_MAX];
            snprintf(whole, sizeof whole, "%.*s", (int)(length - own), name);
            *is_short = k == 0;
            return find(whole);
        }
    }
    *is_short = true;
    return find(name);
}
