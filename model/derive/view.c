#include "view.h"

#include <math.h>
#include <stdlib.h>

bool isocast_derive_view_makes_sense(const isocast_candidates *candidates, const double *values,
                                     isocast_law_guard guard) {
    size_t kept = 0;
    for (size_t i = 0; i < candidates->point_count; i++) {
        bool holds = isocast_guard_holds(guard, &candidates->points[i]);
        kept += holds;
        if (!holds && values[i] != 0) {
            return false;
        }
    }
    return kept > 0 && (guard == ISOCAST_GUARD_NONE || kept < candidates->point_count);
}

/* The largest first and the smallest next, from which two coefficients are told best. */
static void order(derive_view *view, const double *values) {
    for (size_t place = 0; place < 2 && place < view->count; place++) {
        size_t best = place;
        for (size_t i = place + 1; i < view->count; i++) {
            double a = values[view->runs[i]];
            double b = values[view->runs[best]];
            best = (place == 0 ? a > b : a < b) ? i : best;
        }
        size_t swapped = view->runs[place];
        view->runs[place] = view->runs[best];
        view->runs[best] = swapped;
    }
}

isocast_status isocast_derive_view_create(const isocast_candidates *candidates,
                                          const double *values, isocast_law_guard guard,
                                          size_t monomial_most, derive_view *out) {
    derive_view view = {.guard = guard};
    size_t all = candidates->point_count;
    view.monomial_count = candidates->count < monomial_most ? candidates->count : monomial_most;
    view.runs = malloc(all * sizeof *view.runs);
    view.observed = malloc(all * sizeof *view.observed);
    view.values = malloc(all * view.monomial_count * sizeof *view.values);
    if (view.runs == NULL || view.observed == NULL || view.values == NULL) {
        isocast_derive_view_free(&view);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < all; i++) {
        if (isocast_guard_holds(guard, &candidates->points[i])) {
            view.runs[view.count++] = i;
        }
    }
    order(&view, values);
    for (size_t i = 0; i < view.count; i++) {
        view.observed[i] = values[view.runs[i]];
        bool is_new = true;
        for (size_t k = 0; k < i; k++) {
            is_new = is_new && view.observed[k] != view.observed[i];
        }
        view.different += is_new;
    }
    for (size_t m = 0; m < view.monomial_count; m++) {
        for (size_t i = 0; i < view.count; i++) {
            view.values[m * view.count + i] = candidates->values[m * all + view.runs[i]];
        }
    }
    *out = view;
    return ISOCAST_OK;
}

void isocast_derive_view_free(derive_view *view) {
    free(view->runs);
    free(view->observed);
    free(view->values);
    *view = (derive_view){0};
}
