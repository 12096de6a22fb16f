#include "cells.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/array.h"

typedef struct walk {
    isocast_series_maker make;
    const void *context;
    isocast_cells *cells;
    size_t visits;
    isocast_status status;
} walk;

enum { VISITS_MAX = 4 * ISOCAST_CELLS_MAX };

void isocast_cells_free(isocast_cells *cells) {
    free(cells->items);
    *cells = (isocast_cells){0};
}

int isocast_place_compare(const isocast_place *a, const isocast_place *b) {
    const double apart[] = {a->x - b->x, a->y - b->y, a->w - b->w};
    for (size_t k = 0; k < sizeof apart / sizeof apart[0]; k++) {
        if (!isocast_exponents_equal(apart[k], 0)) {
            return apart[k] > 0 ? 1 : -1;
        }
    }
    return 0;
}

static void add(walk *w, const isocast_cell *cell) {
    isocast_cells *cells = w->cells;
    void *items = cells->items;
    if (!isocast_array_grow(&items, cells->count, &cells->capacity, sizeof *cell)) {
        w->status = ISOCAST_NO_MEMORY;
        return;
    }
    cells->items = items;
    cells->items[cells->count++] = *cell;
}

static void visit(walk *w, const isocast_path *path) {
    if (w->status != ISOCAST_OK) {
        return;
    }
    isocast_cell cell = {.path = *path};
    if (w->visits++ >= VISITS_MAX) {
        cell.reason = "the order of the terms changes too often";
        add(w, &cell);
        return;
    }
    isocast_series_lead lead = {0};
    isocast_series_room told = {.problem = ISOCAST_SERIES_KNOWN};
    w->status = w->make(w->context, path, &lead, &told);
    if (w->status != ISOCAST_OK) {
        return;
    }
    if (told.problem == ISOCAST_SERIES_SPLIT) {
        isocast_path parts[3];
        size_t count = isocast_path_split(path, told.split, parts);
        for (size_t k = 0; k < count; k++) {
            visit(w, &parts[k]);
        }
        return;
    }
    bool known = told.problem == ISOCAST_SERIES_KNOWN;
    cell.sign = known ? lead.sign : 0;
    cell.is_zero = known && lead.is_zero;
    cell.is_balanced = known && lead.is_balanced;
    if (!known) {
        cell.reason = told.reason;
    } else if (cell.sign == 0 && !cell.is_zero) {
        cell.reason = "the sign of the largest terms is not known";
    }
    add(w, &cell);
}

isocast_status isocast_cells_find(isocast_series_maker make, const void *context,
                                  const isocast_place *from, isocast_cells *out) {
    walk w = {.make = make, .context = context, .cells = out, .status = ISOCAST_OK};
    isocast_path all = {.known = 0, .low = 0, .high = INFINITY};
    if (from == NULL) {
        visit(&w, &all);
        return w.status;
    }
    const double at[] = {from->x, from->y, from->w, 1};
    for (size_t known = ISOCAST_PATH_LEVELS; known + 1 > 0; known--) {
        if (known + 1 == ISOCAST_PATH_LEVELS) {
            continue; /* s beyond a number is s to infinity, which was first */
        }
        isocast_path path = {.known = known, .low = -INFINITY, .high = INFINITY};
        for (size_t level = 0; level < known; level++) {
            path.at[level] = at[level];
        }
        if (known < ISOCAST_PATH_LEVELS) {
            path.low = at[known];
        }
        visit(&w, &path);
    }
    return w.status;
}
