#include "comparison_groups.h"

#include <math.h>
#include <stdlib.h>

size_t isocast_grouping_parts(const isocast_grouping *g) {
    return g->algorithm->overhead_count + 1;
}

static bool names_part(const isocast_phase *phase, size_t part, double *share) {
    for (size_t i = 0; i < phase->part_count; i++) {
        if (phase->parts[i].part == part) {
            *share = phase->parts[i].share;
            return true;
        }
    }
    return false;
}

/* Two phases with a part in common whose shares are not told can only be compared together. */
static bool are_inseparable(const isocast_grouping *g, const isocast_phase *a,
                            const isocast_phase *b) {
    for (size_t part = 0; part < isocast_grouping_parts(g); part++) {
        double share_a;
        double share_b;
        if (names_part(a, part, &share_a) && names_part(b, part, &share_b) && isnan(share_a)) {
            return true;
        }
    }
    return false;
}

static void join(isocast_grouping *g, size_t kept, size_t dropped) {
    for (size_t i = 0; i < g->algorithm->phase_count; i++) {
        g->of_phase[i] = g->of_phase[i] == dropped ? kept : g->of_phase[i];
    }
}

/* Numbers the groups in the order of the phases. */
static void number_groups(isocast_grouping *g) {
    size_t phases = g->algorithm->phase_count;
    for (size_t i = 0; i < phases; i++) {
        g->of_phase[i] += phases; /* apart from the new numbers */
    }
    for (size_t i = 0; i < phases; i++) {
        if (g->of_phase[i] >= phases) {
            join(g, g->count, g->of_phase[i]);
            g->count++;
        }
    }
}

isocast_status isocast_grouping_make(isocast_grouping *g) {
    const isocast_algorithm *algorithm = g->algorithm;
    size_t phases = algorithm->phase_count;
    g->of_phase = malloc((phases + 1) * sizeof *g->of_phase);
    if (g->of_phase == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < phases; i++) {
        g->of_phase[i] = i;
    }
    for (size_t i = 0; i < phases; i++) {
        for (size_t k = i + 1; k < phases; k++) {
            if (are_inseparable(g, &algorithm->phases[i], &algorithm->phases[k])) {
                join(g, g->of_phase[i], g->of_phase[k]);
            }
        }
    }
    number_groups(g);
    return ISOCAST_OK;
}

void isocast_grouping_share(const isocast_grouping *g, size_t part, double *shares) {
    bool named = false;
    for (size_t group = 0; group <= g->count; group++) {
        shares[group] = 0;
    }
    for (size_t i = 0; i < g->algorithm->phase_count; i++) {
        double share;
        if (names_part(&g->algorithm->phases[i], part, &share)) {
            double *here = &shares[g->of_phase[i]];
            *here = isnan(share) ? 1 : *here + share;
            named = true;
        }
    }
    shares[g->count] = named ? 0 : 1;
}
