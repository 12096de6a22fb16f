#include "fit_regimes.h"

#include <math.h>

#include "fit_members.h"
#include "fit_mix.h"
#include "fit_pattern.h"
#include "model/base/known_operation.h"

static void add_start(fit_regimes *regimes, double from) {
    int k = regimes->count++;
    for (; k > 0 && regimes->from[k - 1] > from; k--) {
        regimes->from[k] = regimes->from[k - 1];
    }
    regimes->from[k] = from;
}

/* Where nodes may have different numbers of members, rows and columns of a grid cut long messages.
 */
fit_regimes fit_regimes_of(const char *name, const fit_network_map *map) {
    fit_regimes regimes = {.count = 0};
    fit_mix mix;
    if (fit_mix_find(name, map, &mix)) {
        for (size_t k = 0; k < mix.count; k++) {
            add_start(&regimes, map->eager_limit * mix.ratios[0] / mix.ratios[k]);
        }
        return regimes;
    }
    add_start(&regimes, map->eager_limit);
    bool uneven = map->processors > 1 || fit_network_is_mixed(map);
    bool cut = fit_pattern_operation(name) == &isocast_known_operations[ISOCAST_KNOWN_bcast_grid];
    if (uneven && cut) {
        add_start(&regimes, fit_members_cut_from);
        add_start(&regimes, fit_members_ring_from);
    }
    return regimes;
}

int fit_regime_at(const fit_regimes *regimes, double bytes) {
    int regime = 0;
    while (regime < regimes->count && bytes >= regimes->from[regime]) {
        regime++;
    }
    return regime;
}

double fit_regime_middle(const fit_regimes *regimes, int regime) {
    static const double beyond = 4;
    if (regime == 0) {
        return 0;
    }
    double from = regimes->from[regime - 1];
    return regime < regimes->count ? sqrt(from * regimes->from[regime]) : beyond * from;
}
