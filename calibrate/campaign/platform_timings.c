#include "platform_timings.h"

#include <math.h>
#include <stdlib.h>

/* What timings take over the prediction is alike where not much else differs: of its logarithm so
 * much is left with each doubling of the nodes. Read off published timings on one and two nodes of
 * eight systems (bench/real), from one size to another four times as large: the correlation is
 * 0.69, its root 0.83. */
static const double persistence = 0.83;

double campaign_timings_nodes(const campaign_twin_timings *timings, size_t operation,
                              const isocast_system *system) {
    double found = 0;
    for (size_t i = 0; i < timings->count && system->p_node == system->p_node_max; i++) {
        const campaign_twin_timing *item = &timings->items[i];
        bool alike = item->operation == operation && item->p_node == system->p_node &&
                     item->p == item->nodes * item->p_node;
        bool within = item->nodes <= system->nodes && (item->nodes > 1 || system->nodes == 1);
        found = alike && within ? fmax(found, item->nodes) : found;
    }
    return found;
}

static campaign_place *place_with(campaign_places *places, const isocast_system *system,
                                  double nodes) {
    for (size_t i = 0; i < places->count; i++) {
        campaign_place *at = &places->items[i];
        const isocast_system *own = at->system;
        if (!at->part && own->nodes == nodes && own->p_node == system->p_node &&
            own->p_node_max == system->p_node) {
            return at;
        }
    }
    return NULL;
}

/* What times of a curve are multiplied by at each size that a place has timings of: measured over
 * predicted to the power `left`. *square: the mean square of the logarithm of the ratio. */
static isocast_status find_factors(const campaign_twin_timings *timings, size_t operation,
                                   const campaign_place *at, double left, campaign_curve *out,
                                   double *square) {
    campaign_size_times rows = {0};
    const isocast_system *system = at->system;
    bool sized = campaign_operation_is_sized(&isocast_known_operations[operation]);
    isocast_status status = campaign_curve_plain_rows(&at->curves[operation], true, &rows);
    *square = 0;
    for (size_t i = 0; i < timings->count && rows.count > 0 && status == ISOCAST_OK; i++) {
        const campaign_twin_timing *item = &timings->items[i];
        double m = sized ? item->m : 0;
        if (item->operation != operation || item->p != system->p || item->nodes != system->nodes ||
            item->p_node != system->p_node || (sized && !(m > 0)) ||
            m > campaign_grid_size(CAMPAIGN_GRID_MAX - 1)) {
            continue;
        }
        double ratio = item->seconds / campaign_size_times_at(&rows, m);
        bool added = campaign_size_times_insert(&out->factors, m, pow(ratio, left));
        status = added ? ISOCAST_OK : ISOCAST_NO_MEMORY;
        *square += log(ratio) * log(ratio);
    }
    *square = out->factors.count > 0 ? *square / (double)out->factors.count : 0;
    campaign_size_times_free(&rows);
    return status;
}

static isocast_status correct(const campaign_twin_timings *timings, size_t operation,
                              campaign_places *places, campaign_place *at) {
    campaign_curve *c = &at->curves[operation];
    double nodes = campaign_timings_nodes(timings, operation, at->system);
    const campaign_place *from = nodes > 0 ? place_with(places, at->system, nodes) : NULL;
    double square = 0;
    campaign_size_times_free(&c->factors);
    c->misfit = 0;
    if (at->part || c->grid.count == 0 || from == NULL) {
        return ISOCAST_OK;
    }
    double left = pow(persistence, log2(at->system->nodes / nodes));
    isocast_status status = find_factors(timings, operation, from, left, c, &square);
    c->corrected_by = nodes;
    /* What is not left of the prediction's misses is as likely as before, of either sign. */
    c->misfit = sqrt((1 - left * left) * square);
    return status;
}

isocast_status campaign_timings_correct(const campaign_twin_timings *timings,
                                        campaign_places *places) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < places->count && status == ISOCAST_OK; i++) {
        for (size_t k = 0; k < ISOCAST_KNOWN_OPERATIONS && status == ISOCAST_OK; k++) {
            status = correct(timings, k, places, &places->items[i]);
        }
    }
    return status;
}

void campaign_timings_report(const campaign_place *at, const campaign_listener *listener) {
    for (size_t k = 0; k < ISOCAST_KNOWN_OPERATIONS; k++) {
        const campaign_curve *c = &at->curves[k];
        double least = INFINITY;
        double most = 0;
        for (size_t i = 0; i < c->factors.count; i++) {
            least = fmin(least, c->factors.rows[i].seconds);
            most = fmax(most, c->factors.rows[i].seconds);
        }
        if (c->factors.count > 0) {
            campaign_report(listener, CAMPAIGN_NOTE,
                            "times of %s on %s are multiplied by %.3g to %.3g, by timings on %.0f "
                            "%s; their standard error is %.3g %%",
                            isocast_known_operations[k].name, at->system->name, least, most,
                            c->corrected_by, c->corrected_by > 1 ? "nodes" : "node",
                            100 * hypot(c->error, c->misfit));
        } else if (c->grid.count > 0) {
            campaign_report(listener, CAMPAIGN_NOTE,
                            "times of %s on %s are as predicted: no timings are of nodes as full",
                            isocast_known_operations[k].name, at->system->name);
        }
    }
}
