#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buffer.h"
#include "model/base/order.h"
#include "system.h"

/* Nodes of one class with equally many processes. */
typedef struct node_group {
    size_t class;
    double each;
    double nodes;
} node_group;

ISOCAST_ORDER_BY(compare_groups, node_group, (double)x->class, x->each)

/* The nodes of all entries, in order; a last node with fewer processes stands alone. Shape [2
 * count]. */
static size_t list_groups(const isocast_system *system, node_group *groups) {
    size_t count = 0;
    for (size_t i = 0; i < system->count; i++) {
        double processes = system->table.rows[ISOCAST_CLASS_PROCESSES][i];
        double each = system->each[i];
        double full = floor(processes / each);
        double rest = processes - full * each;
        if (full > 0) {
            groups[count++] = (node_group){system->classes[i], each, full};
        }
        if (rest > 0) {
            groups[count++] = (node_group){system->classes[i], rest, 1};
        }
    }
    qsort(groups, count, sizeof *groups, compare_groups);
    return count;
}

char *isocast_system_placement(const isocast_machine *machine, const isocast_system *system) {
    node_group *groups = calloc(2 * system->count + 1, sizeof *groups);
    if (groups == NULL) {
        return NULL;
    }
    size_t count = list_groups(system, groups);
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "%s,", machine->classes[system->classes[0]].name);
    for (size_t i = 0; i < count; i++) {
        double nodes = groups[i].nodes;
        while (i + 1 < count && compare_groups(&groups[i], &groups[i + 1]) == 0) {
            nodes += groups[++i].nodes;
        }
        isocast_buffer_printf(&text, "+%s:%.0fx%.0f", machine->classes[groups[i].class].name,
                              groups[i].each, nodes);
    }
    free(groups);
    return isocast_buffer_take(&text);
}

isocast_status isocast_system_is_placed_as(const isocast_machine *machine, const isocast_system *a,
                                           const isocast_system *b, bool *out) {
    char *first = isocast_system_placement(machine, a);
    char *second = isocast_system_placement(machine, b);
    bool made = first != NULL && second != NULL;
    *out = made && strcmp(first, second) == 0;
    free(first);
    free(second);
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static bool has_like_processors(const isocast_system *system) {
    const double *speeds = system->table.rows[ISOCAST_CLASS_MARKED_SPEED];
    for (size_t i = 1; i < system->count; i++) {
        if (speeds[i] != speeds[0]) {
            return false;
        }
    }
    return true;
}

void isocast_system_size_by(isocast_system *system, isocast_system_measure measure) {
    system->measure = measure;
    system->size =
        measure == ISOCAST_SIZE_BY_SUM ? system->C : system->reference_factor * system->C_j;
}

/* R_f of the set in the machine file, where it is there. */
static void look_up(const isocast_reference *reference, const char *placement,
                    isocast_system *system) {
    for (size_t i = 0; i < reference->count; i++) {
        if (strcmp(reference->sets[i].placement, placement) == 0) {
            system->reference_factor = reference->sets[i].factor;
            system->reference_error = reference->sets[i].error;
            system->reference_set = i + 1;
            system->reference_origin =
                reference->measured ? ISOCAST_REFERENCE_MEASURED : ISOCAST_REFERENCE_GIVEN;
        }
    }
}

isocast_status isocast_system_refer(const isocast_machine *machine, isocast_system *system) {
    bool known = machine->reference.count > 0 && system->p > 1;
    char *placement = known ? isocast_system_placement(machine, system) : NULL;
    if (known && placement == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    system->reference_factor = has_like_processors(system) ? system->p : system->C / system->C_j;
    system->reference_error = NAN;
    system->reference_set = 0;
    system->reference_origin =
        system->p == 1 ? ISOCAST_REFERENCE_DEFINITION : ISOCAST_REFERENCE_UNKNOWN;
    if (known) {
        look_up(&machine->reference, placement, system);
    }
    free(placement);
    isocast_system_size_by(system, system->measure);
    return ISOCAST_OK;
}
