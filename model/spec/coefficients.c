#include "coefficients.h"

#include <stdlib.h>

/* Room for one more; gives the array, or NULL where memory is short. */
static void *grow(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return items;
    }
    size_t wanted = 2 * *room + 16;
    void *grown = realloc(items, wanted * size);
    if (grown != NULL) {
        *room = wanted;
    }
    return grown;
}

bool isocast_coefficients_add(isocast_coefficients *c, char *name, isocast_span span,
                              const isocast_uncertain *number) {
    isocast_coefficient *items =
        name != NULL ? grow(c->items, c->count, &c->room, sizeof *items) : NULL;
    if (items == NULL) {
        free(name);
        return false;
    }
    c->items = items;
    c->items[c->count++] = (isocast_coefficient){name, span, *number};
    return true;
}

bool isocast_coefficients_correlate(isocast_coefficients *c, size_t first, size_t second,
                                    double value) {
    isocast_correlation *items =
        grow(c->correlations, c->correlation_count, &c->correlation_room, sizeof *items);
    if (items == NULL) {
        return false;
    }
    c->correlations = items;
    c->correlations[c->correlation_count++] = (isocast_correlation){first, second, value};
    return true;
}

void isocast_coefficients_free(isocast_coefficients *coefficients) {
    for (size_t i = 0; i < coefficients->count; i++) {
        free(coefficients->items[i].name);
    }
    free(coefficients->items);
    free(coefficients->correlations);
    *coefficients = (isocast_coefficients){0};
}
