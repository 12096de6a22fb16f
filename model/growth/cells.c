#include "cells.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/array.h"

typedef struct walk {
    isocast_series_maker make;
    const void *context;
    isocast_cells_care care;
    isocast_cells *cells;
    size_t visits;
    double steps; /* of all series */
    isocast_status status;
} walk;

enum { VISITS_MAX = 4 * ISOCAST_CELLS_MAX };

/* A step takes a few nanoseconds. */
static const double steps_most = 1e7;

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

/* The series on a path, with its leading terms; the steps that it took are counted. */
static isocast_status make_series(walk *w, const isocast_path *path, isocast_series_lead *lead,
                                  isocast_series_room *room) {
    *lead = (isocast_series_lead){0};
    *room = (isocast_series_room){.problem = ISOCAST_SERIES_KNOWN};
    isocast_status status = w->make(w->context, path, lead, room);
    w->steps += room->steps;
    return status;
}

/* The coefficient of the largest terms on N = p^x log^y p, and how they grow there. */
static isocast_status coefficient_at(walk *w, const isocast_path *path, double y, double *value,
                                     isocast_monomial *of) {
    isocast_path there = {.logarithm = ISOCAST_LOGARITHM_ROUGH,
                          .known = ISOCAST_PATH_LEVELS,
                          .at = {path->at[0], y, 0, 1}};
    isocast_series_lead lead;
    isocast_series_room room;
    isocast_status status = make_series(w, &there, &lead, &room);
    *of = lead.monomial;
    *value = room.problem == ISOCAST_SERIES_KNOWN && !lead.is_zero
                 ? lead.low + (lead.high - lead.low) / 2
                 : NAN;
    return status;
}

/* A y between those of the path where the largest terms cancel, as those of N log(N log p/p) do at
 * -1: NAN where there is none. The path is split there; what is proved does not depend on it. */
static isocast_status find_balance(walk *w, const isocast_path *path, double *balance) {
    double low = isinf(path->low) ? (isinf(path->high) ? -1 : path->high - 1) : path->low;
    double high = isinf(path->high) ? low + 1 : path->high;
    double y[] = {low + (high - low) / 3, low + (high - low) / 2};
    double value[2];
    isocast_monomial of[2];
    *balance = NAN;
    for (size_t k = 0; k < 2; k++) {
        isocast_status status =
            path->known == 1 ? coefficient_at(w, path, y[k], &value[k], &of[k]) : ISOCAST_OK;
        if (status != ISOCAST_OK || path->known != 1 || isnan(value[k])) {
            return status;
        }
    }
    double at = y[0] - value[0] * (y[1] - y[0]) / (value[1] - value[0]);
    if (isocast_monomial_equal(&of[0], &of[1]) && isfinite(at) && at > path->low &&
        at < path->high && !isocast_exponents_equal(at, path->low) &&
        !isocast_exponents_equal(at, path->high)) {
        *balance = isocast_exponents_equal(at, round(at)) ? round(at) : at;
    }
    return ISOCAST_OK;
}

/* The cell's sign, with ln N written in the first way that shows it; where none does, `reported`
 * says whether the path is to be split, and the reason is that of ln N as it is. */
static isocast_status look(walk *w, isocast_cell *cell, isocast_series_room *reported) {
    static const isocast_path_logarithm ways[] = {
        ISOCAST_LOGARITHM_KEPT, ISOCAST_LOGARITHM_BY_SHARE, ISOCAST_LOGARITHM_BY_POWER};
    bool plain = w->care == ISOCAST_CELLS_PLAIN || cell->path.known == 0;
    size_t count = plain ? 1 : sizeof ways / sizeof ways[0];
    double balance;
    isocast_path path = cell->path;
    isocast_series_room first = {.problem = ISOCAST_SERIES_KNOWN};
    for (size_t k = 0; k < count; k++) {
        isocast_series_lead lead;
        isocast_series_room room;
        path.logarithm = ways[k];
        isocast_status status = make_series(w, &path, &lead, &room);
        if (status != ISOCAST_OK) {
            return status;
        }
        if (k == 0) {
            cell->is_zero = room.problem == ISOCAST_SERIES_KNOWN && lead.is_zero;
            cell->is_balanced = room.problem == ISOCAST_SERIES_KNOWN && lead.is_balanced;
            cell->reason = room.problem == ISOCAST_SERIES_KNOWN
                               ? "the sign of the largest terms is not known"
                               : room.reason;
        }
        if (room.problem == ISOCAST_SERIES_SPLIT && first.problem != ISOCAST_SERIES_SPLIT) {
            first = room;
        }
        if (room.problem == ISOCAST_SERIES_KNOWN && (lead.sign != 0 || lead.is_zero)) {
            cell->path.logarithm = ways[k];
            cell->sign = lead.sign;
            cell->is_zero = lead.is_zero;
            cell->reason = NULL;
            return ISOCAST_OK;
        }
        if (k == 0 && room.problem == ISOCAST_SERIES_SPLIT) {
            break;
        }
    }
    isocast_status status = plain ? ISOCAST_OK : find_balance(w, &cell->path, &balance);
    if (status == ISOCAST_OK && !plain && !isnan(balance)) {
        first.problem = ISOCAST_SERIES_SPLIT;
        first.split = balance;
    }
    *reported = first;
    return status;
}

/* s goes to 0 in the cell before the last one and to infinity in the last one. Where their sign is
 * the same, it may still be another one while s stays between two numbers, as that of |N - p| - 1
 * is at N = p. A cell for that is put before the last one. */
static void look_between(walk *w) {
    isocast_cells *cells = w->cells;
    const isocast_cell last = cells->items[cells->count - 1];
    if (last.sign == 0 || cells->items[cells->count - 2].sign != last.sign) {
        return;
    }
    isocast_cell cell = {.path = last.path};
    isocast_series_room room;
    isocast_series_lead lead;
    cell.path.at[ISOCAST_PATH_LEVELS - 1] = 0;
    cell.path.logarithm = ISOCAST_LOGARITHM_KEPT;
    w->status = make_series(w, &cell.path, &lead, &room);
    cell.sign = room.problem == ISOCAST_SERIES_KNOWN ? lead.sign : 0;
    if (w->status == ISOCAST_OK && cell.sign != last.sign) {
        cell.reason = cell.sign == 0 ? "terms may cancel at some N, and it is not known whether E "
                                       "is held there"
                                     : NULL;
        cells->items[cells->count - 1] = cell;
        add(w, &last);
    }
}

static void visit(walk *w, const isocast_path *path) {
    if (w->status != ISOCAST_OK) {
        return;
    }
    isocast_cell cell = {.path = *path};
    if (w->visits++ >= VISITS_MAX || w->steps >= steps_most) {
        cell.reason = w->steps < steps_most ? "the order of the terms changes too often"
                                            : "the formulas are too long to expand";
        add(w, &cell);
        return;
    }
    isocast_series_room reported = {.problem = ISOCAST_SERIES_KNOWN};
    w->status = look(w, &cell, &reported);
    if (w->status != ISOCAST_OK) {
        return;
    }
    if (reported.problem == ISOCAST_SERIES_SPLIT) {
        isocast_path parts[3];
        size_t count = isocast_path_split(path, reported.split, parts);
        for (size_t k = 0; k < count; k++) {
            visit(w, &parts[k]);
        }
        if (path->known + 1 == ISOCAST_PATH_LEVELS && w->status == ISOCAST_OK) {
            look_between(w);
        }
        return;
    }
    add(w, &cell);
}

isocast_status isocast_cells_find(isocast_series_maker make, const void *context,
                                  const isocast_place *from, isocast_cells_care care,
                                  isocast_cells *out) {
    walk w = {.make = make, .context = context, .care = care, .cells = out, .status = ISOCAST_OK};
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
