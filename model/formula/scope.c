#include "scope.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *left, const void *right) {
    const isocast_symbol *a = *(const isocast_symbol *const *)left;
    const isocast_symbol *b = *(const isocast_symbol *const *)right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a > b) - (a < b);
}

isocast_status isocast_scope_index(isocast_scope *scope, size_t **out) {
    const isocast_symbol **sorted = malloc((scope->count + 1) * sizeof(const isocast_symbol *));
    size_t *index = malloc((scope->count + 1) * sizeof *index);
    if (sorted == NULL || index == NULL) {
        free(sorted);
        free(index);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < scope->count; i++) {
        sorted[i] = &scope->symbols[i];
    }
    qsort(sorted, scope->count, sizeof(const isocast_symbol *), by_name);
    for (size_t i = 0; i < scope->count; i++) {
        index[i] = (size_t)(sorted[i] - scope->symbols);
    }
    free(sorted);
    scope->by_name = index;
    scope->indexed = scope->count;
    *out = index;
    return ISOCAST_OK;
}

static const isocast_symbol *find_own(const isocast_scope *scope, const char *name) {
    size_t first = 0;
    size_t end = scope->by_name != NULL ? scope->indexed : 0;
    size_t indexed = end;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (strcmp(scope->symbols[scope->by_name[middle]].name, name) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    if (first < indexed && strcmp(scope->symbols[scope->by_name[first]].name, name) == 0) {
        return &scope->symbols[scope->by_name[first]];
    }
    for (size_t i = indexed; i < scope->count; i++) {
        if (strcmp(scope->symbols[i].name, name) == 0) {
            return &scope->symbols[i];
        }
    }
    return NULL;
}

const isocast_symbol *isocast_scope_find(const isocast_scope *scope, const char *name) {
    const isocast_symbol *found = NULL;
    for (; scope != NULL && found == NULL; scope = scope->outer) {
        found = find_own(scope, name);
    }
    return found;
}

bool isocast_property_dimension(const char *name, isocast_dimension *out) {
    const char *point = strrchr(name, '.');
    const char *property = point != NULL ? point + 1 : name;
    isocast_dimension speed = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                       isocast_dimension_of(ISOCAST_BASE_TIME));
    const struct {
        const char *name;
        isocast_dimension dimension;
    } properties[] = {
        {"marked_speed", speed},
        {"memory", isocast_dimension_of(ISOCAST_BASE_BYTE)},
        {"memory_bandwidth", isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_BYTE),
                                                      isocast_dimension_of(ISOCAST_BASE_TIME))},
        {"cache", isocast_dimension_of(ISOCAST_BASE_BYTE)},
        {"count", isocast_dimension_count},
        {"processors", isocast_dimension_count},
        {"price", isocast_dimension_of(ISOCAST_BASE_USD)},
        {"power", isocast_dimension_of(ISOCAST_BASE_POWER)},
    };
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        if (strcmp(properties[i].name, property) == 0) {
            *out = properties[i].dimension;
            return true;
        }
    }
    return false;
}
