#include "fit_chosen.h"

#include <math.h>
#include <stdlib.h>

#include "fit_switches.h"
#include "model/base/order.h"

static const fit_criterion criterion = {FIT_PENALTY_AKAIKE, 1};

ISOCAST_ORDER_BY(by_size, fit_point, x->m, x->p)

/* What the items report, and the largest count of processes. */
static fit_facts facts_of(const fit_request *request, const fit_summary *items, size_t count,
                          double *most_processes) {
    fit_facts facts = {.kind = fit_kind_of(request->name),
                       .learnt = fit_count_processes(items, count) >= 3,
                       .messages = fit_part_of(request->parts->shift, false)->count > 0};
    *most_processes = 0;
    for (size_t k = 0; k < count; k++) {
        const fit_summary *item = &items[k];
        bool varies = k > 0 && item->p == items[k - 1].p && item->nodes != items[k - 1].nodes;
        *most_processes = fmax(*most_processes, item->p);
        facts.varied = facts.varied || varies;
        facts.shared = facts.shared || (item->nodes > 1 && item->nodes < item->p);
        facts.irregular = facts.irregular || !fit_summary_is_regular(item);
    }
    facts.varied = facts.varied && !facts.irregular;
    return facts;
}

/* Chooses for the points. */
static isocast_status choose_terms(fit_chosen *chosen) {
    fit_search search = {.law = fit_facts_law(&chosen->facts),
                         .allowed = fit_allowed_terms(&chosen->facts),
                         .criterion = criterion};
    double score;
    return fit_switches_choose(chosen->points, chosen->count, &search, &chosen->ranges, &score);
}

isocast_status fit_chosen_find(const fit_request *request, const fit_summary *items, size_t count,
                               fit_chosen *out) {
    double most_processes;
    out->facts = facts_of(request, items, count, &most_processes);
    out->count = count;
    out->points = malloc((count + 1) * sizeof *out->points);
    out->corrections = calloc(FIT_RANGES_MAX, sizeof *out->corrections);
    if (out->points == NULL || out->corrections == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    fit_kind kind = out->facts.kind;
    for (size_t k = 0; k < count; k++) {
        const fit_summary *item = &items[k];
        out->points[k] = (fit_point){.p = item->p,
                                     .m = item->m,
                                     .nodes = item->nodes,
                                     .p_node = item->p_node,
                                     .seconds = item->seconds,
                                     /* What holds for the most processes is to hold for more. */
                                     .weight = out->facts.learnt ? item->p / most_processes : 1,
                                     .known = fit_parts_known(request->parts, kind, item)};
    }
    qsort(out->points, count, sizeof *out->points, by_size);
    return choose_terms(out);
}

isocast_status fit_chosen_of_fewer(const fit_request *request, const fit_summary *items,
                                   size_t count, const fit_chosen *whole, double p_most,
                                   fit_chosen *out) {
    fit_summary *own = malloc((count + 1) * sizeof *own);
    out->points = malloc((whole->count + 1) * sizeof *out->points);
    out->corrections = calloc(FIT_RANGES_MAX, sizeof *out->corrections);
    if (own == NULL || out->points == NULL || out->corrections == NULL) {
        free(own);
        return ISOCAST_NO_MEMORY;
    }
    size_t own_count = 0;
    for (size_t k = 0; k < count; k++) {
        if (items[k].p <= p_most) {
            own[own_count++] = items[k];
        }
    }
    double most_processes;
    out->facts = facts_of(request, own, own_count, &most_processes);
    free(own);
    for (size_t k = 0; k < whole->count; k++) {
        if (whole->points[k].p <= p_most) {
            fit_point *point = &out->points[out->count++];
            *point = whole->points[k];
            point->weight = out->facts.learnt ? point->p / most_processes : 1;
        }
    }
    if (out->count == 0) {
        return ISOCAST_NUMERIC;
    }
    if (out->facts.learnt || !whole->facts.learnt) {
        return choose_terms(out);
    }
    out->ranges = whole->ranges;
    return fit_ranges_solve(out->points, out->count, false, &out->ranges) ? ISOCAST_OK
                                                                          : ISOCAST_NUMERIC;
}

void fit_chosen_free(fit_chosen *chosen) {
    free(chosen->points);
    free(chosen->corrections);
}
