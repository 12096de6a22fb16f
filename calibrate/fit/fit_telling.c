#include "fit_telling.h"

#include <math.h>

#include "fit_kinds.h"

/* Of the items of a chain on several nodes, keeps those with the most processes on a node, and of a
 * stream also those with the fewest; gives the number of all that are kept. Of a stream the longest
 * way counts, and the fewest processes on a node are on the most nodes. */
static size_t keep_full_nodes(fit_kind kind, fit_summary *items, size_t count) {
    double most = 0;
    double fewest = INFINITY;
    for (size_t k = 0; k < count; k++) {
        most = items[k].nodes > 1 ? fmax(most, items[k].p_node) : most;
        fewest = items[k].nodes > 1 ? fmin(fewest, items[k].p_node) : fewest;
    }
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        bool wide = kind == FIT_KIND_STREAM && items[k].p_node == fewest;
        if (items[k].nodes == 1 || items[k].p_node == most || wide) {
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
        return keep_full_nodes(kind, items, count);
    default:
        return count;
    }
}
