#include "fit_telling.h"

#include <math.h>

#include "fit_kinds.h"
#include "model/base/process_grid.h"

/* Of the items of a chain on several nodes, keeps those with the most processes on a node, and of a
 * stream also those with the fewest; gives the number of all that are kept. Groups of nodes that
 * are not full have other ways to the next group: on a torus with rows of 8 such a way passes 2
 * links from the last node of a row, and 4 from the fourth. Of a stream the longest way counts,
 * and the fewest processes on a node are on the most nodes. Of groups that is one: several in a
 * group that is not full get in each other's way, where those of a full one do not. */
static size_t keep_full_nodes(fit_kind kind, bool grouped, fit_summary *items, size_t count) {
    double most = 0;
    double fewest = INFINITY;
    for (size_t k = 0; k < count; k++) {
        most = items[k].nodes > 1 ? fmax(most, items[k].p_node) : most;
        fewest = items[k].nodes > 1 ? fmin(fewest, items[k].p_node) : fewest;
    }
    fewest = grouped ? 1 : fewest;
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        bool wide = kind == FIT_KIND_STREAM && items[k].p_node == fewest;
        if (items[k].nodes == 1 || items[k].p_node == most || wide) {
            items[kept++] = items[k];
        }
    }
    return kept;
}

/* Whether a row of the grid is on several nodes. Then its length does not matter: only where a node
 * has whole rows, the edges of all columns share its link. */
static bool has_wide_rows(const fit_summary *item) {
    return item->p / isocast_grid_rows(item->p) > item->p_node;
}

/* Of the items of a grid whose rows are on several nodes, keeps those with three rows or more,
 * where there are some; gives the number of all that are kept. Fewer rows have none that exchanges
 * up and down, and on a torus shorter ways. */
static size_t keep_inner_rows(fit_summary *items, size_t count) {
    static const double rows_least = 3;
    bool inner = false;
    for (size_t k = 0; k < count; k++) {
        inner |= has_wide_rows(&items[k]) && isocast_grid_rows(items[k].p) >= rows_least;
    }
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        bool few = has_wide_rows(&items[k]) && isocast_grid_rows(items[k].p) < rows_least;
        if (!few || !inner) {
            items[kept++] = items[k];
        }
    }
    return kept;
}

size_t fit_keep_telling(const fit_request *request, fit_summary *items, size_t count) {
    fit_kind kind = fit_kind_of(request->name);
    switch (kind) {
    case FIT_KIND_CHAIN:
    case FIT_KIND_STREAM:
        return keep_full_nodes(kind, request->grouped, items, count);
    case FIT_KIND_HALO:
        return keep_inner_rows(items, count);
    default:
        return count;
    }
}
