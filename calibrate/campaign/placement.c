#include "placement.h"

#include <string.h>

static bool is_placed(const isocast_system *system) {
    for (size_t i = 0; i < system->count; i++) {
        if (system->placed[i]) {
            return true;
        }
    }
    return false;
}

static bool is_even(const isocast_system *system) {
    for (size_t i = 1; i < system->count; i++) {
        if (system->each[i] != system->each[0]) {
            return false;
        }
    }
    return true;
}

static bool is_told(const char *launcher) {
    return launcher != NULL &&
           (strstr(launcher, "{nodes}") != NULL || strstr(launcher, "{per_node}") != NULL);
}

bool campaign_placement_possible(const isocast_system *system, const char *launcher,
                                 isocast_buffer *why) {
    if (!is_placed(system) || system->nodes == 1) {
        return true;
    }
    if (!is_even(system)) {
        isocast_buffer_printf(why,
                              "system %s has different numbers of processes on its nodes, and no "
                              "launcher takes that; --platform simulates it",
                              system->name);
        return false;
    }
    if (!is_told(launcher)) {
        isocast_buffer_printf(why,
                              "system %s has %.10g nodes, and the launcher does not say how many "
                              "processes run on each: name one with {nodes} or {per_node} by "
                              "--launcher, such as 'srun -N {nodes} -n {p}'",
                              system->name, system->nodes);
        return false;
    }
    return true;
}
