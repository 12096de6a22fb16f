#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mixes by which it is seen how much computing one takes. */
enum { PROBE = 8 };
/* Mixes that are looked at, however much computing one takes. */
enum { MIXES_LEAST = 48 };

/* A search that cannot look at all mixes. */
typedef struct walk {
    const isocast_offers_request *request;
    const isocast_offer *offer;
    isocast_effort *effort;
    isocast_mixes *mixes;
    size_t most;
    size_t rungs; /* of the ladder of each class */
} walk;

size_t isocast_mixes_best(const isocast_mixes *mixes) {
    size_t best = mixes->count;
    for (size_t i = 0; i < mixes->count; i++) {
        if (!isnan(mixes->items[i].value) &&
            (best == mixes->count ||
             isocast_mix_is_better(&mixes->items[i], &mixes->items[best]))) {
            best = i;
        }
    }
    return best;
}

/* Rung `at` of so many from 0 to `top`, whole and by factors: 0, 1, ..., top. */
static double rung(double top, size_t at, size_t rungs) {
    if (at == 0 || rungs < 2) {
        return 0;
    }
    double share = (double)(at - 1) / (double)(rungs > 2 ? rungs - 2 : 1);
    return fmin(top, round(pow(top, rungs > 2 ? share : 1)));
}

/* A mix for each combination of rungs of classes 0 to `below` - 1, the others as they are. The top
 * of a ladder is what the budget leaves, so that the last nodes it buys are always among them. */
static isocast_status add_ladder(const walk *w, size_t below, double *nodes) {
    if (w->mixes->count >= w->most) {
        return ISOCAST_OK;
    }
    if (below == 0) {
        bool empty = true;
        for (size_t i = 0; i < w->offer->priced->class_count; i++) {
            empty = empty && nodes[i] == 0;
        }
        return empty ? ISOCAST_OK : isocast_mixes_add(w->request, w->offer, nodes, w->mixes);
    }
    isocast_status status = ISOCAST_OK;
    double top = isocast_mixes_most(w->request, w->offer, nodes, below - 1);
    double last = -1;
    for (size_t i = 0; i < w->rungs && status == ISOCAST_OK && top >= 0; i++) {
        double n = rung(top, i, w->rungs);
        if (n > last) {
            nodes[below - 1] = n;
            status = add_ladder(w, below - 1, nodes);
            last = n;
        }
    }
    nodes[below - 1] = 0;
    return status;
}

/* Adds the mix with so many nodes of a class, and of another as many as the budget leaves, where
 * one is named; nothing where it is outside the budget or the offer. */
static isocast_status add_neighbour(const walk *w, const double *from, size_t class_index,
                                    double count, size_t filled) {
    double nodes[ISOCAST_OFFER_CLASSES_MAX];
    const isocast_machine *machine = w->offer->priced;
    memcpy(nodes, from, machine->class_count * sizeof *nodes);
    nodes[class_index] = fmax(0, fmin(count, machine->classes[class_index].count));
    if (filled != class_index) {
        nodes[filled] = 0;
        nodes[filled] = fmax(0, isocast_mixes_most(w->request, w->offer, nodes, filled));
    }
    double sum = 0;
    for (size_t i = 0; i < machine->class_count; i++) {
        sum += nodes[i];
    }
    bool same = memcmp(nodes, from, machine->class_count * sizeof *nodes) == 0;
    bool inside = isocast_mix_spent(w->request, w->offer, nodes) <= w->request->budget;
    return sum == 0 || same || !inside || w->mixes->count >= w->most
               ? ISOCAST_OK
               : isocast_mixes_add(w->request, w->offer, nodes, w->mixes);
}

static isocast_status add_neighbours(const walk *w, size_t of, double step) {
    double from[ISOCAST_OFFER_CLASSES_MAX];
    size_t classes = w->offer->priced->class_count;
    memcpy(from, isocast_mixes_nodes(w->mixes, of), classes * sizeof *from);
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < classes && status == ISOCAST_OK; i++) {
        for (size_t k = 0; k < classes && status == ISOCAST_OK; k++) {
            status = add_neighbour(w, from, i, from[i] + step, k);
            if (status == ISOCAST_OK) {
                status = add_neighbour(w, from, i, from[i] - step, k);
            }
        }
    }
    return status;
}

/* Goes from the best mix to better neighbours, with steps that are halved where none is better. */
static isocast_status climb(const walk *w) {
    size_t best = isocast_mixes_best(w->mixes);
    if (best == w->mixes->count) {
        return ISOCAST_OK;
    }
    double step = 1;
    for (size_t i = 0; i < w->mixes->class_count; i++) {
        step = fmax(step, isocast_mixes_nodes(w->mixes, best)[i] / 2);
    }
    isocast_status status = ISOCAST_OK;
    for (step = floor(step); status == ISOCAST_OK && step >= 1 && w->mixes->count < w->most;) {
        size_t before = w->mixes->count;
        status = add_neighbours(w, best, step);
        if (status == ISOCAST_OK) {
            status = isocast_mixes_evaluate(w->request, w->offer, NULL, w->effort, w->mixes, before,
                                            w->mixes->count);
        }
        size_t now = isocast_mixes_best(w->mixes);
        bool better = now < w->mixes->count &&
                      isocast_mix_is_better(&w->mixes->items[now], &w->mixes->items[best]);
        step = better ? step : floor(step / 2);
        best = better ? now : best;
    }
    return status;
}

/* How many rungs each ladder may have for so many mixes; 1 where two are too many already. */
static size_t rungs_for(size_t mixes, size_t classes) {
    double rungs = floor(pow((double)mixes, 1 / (double)classes));
    return rungs < 2 ? 1 : (size_t)rungs;
}

static isocast_status walk_ladders(walk *w) {
    double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
    size_t classes = w->offer->priced->class_count;
    w->rungs = rungs_for(w->most / 2, classes);
    isocast_status status = ISOCAST_OK;
    if (w->rungs > 1) {
        return add_ladder(w, classes, nodes);
    }
    /* Too many classes for a grid: the ladder of each class alone. */
    w->rungs = w->most / 2 / classes + 2;
    for (size_t i = 0; i < classes && status == ISOCAST_OK; i++) {
        double top = isocast_mixes_most(w->request, w->offer, nodes, i);
        for (size_t k = 1; k < w->rungs && top >= 1 && status == ISOCAST_OK; k++) {
            double n = rung(top, k, w->rungs);
            if (n > nodes[i]) {
                nodes[i] = n;
                status = isocast_mixes_add(w->request, w->offer, nodes, w->mixes);
            }
        }
        nodes[i] = 0;
    }
    return status;
}

/* How many mixes the effort is enough for, by what a few of them take. */
static isocast_status affordable(const isocast_offers_request *request, const isocast_offer *offer,
                                 isocast_effort *effort, size_t *most) {
    isocast_mixes probe = {0};
    walk w = {.request = request,
              .offer = offer,
              .effort = effort,
              .mixes = &probe,
              .most = (size_t)PROBE * 2};
    isocast_status status = walk_ladders(&w);
    double before = effort->left;
    if (status == ISOCAST_OK) {
        status = isocast_mixes_evaluate(request, offer, NULL, effort, &probe, 0, probe.count);
    }
    double each = probe.count > 0 ? (before - effort->left) / (double)probe.count : 0;
    /* A search of neighbours comes after; half of what is left stays for it and for what varies. */
    double enough = each > 0 ? effort->left / 2 / each : (double)*most;
    size_t least = *most < MIXES_LEAST ? *most : MIXES_LEAST;
    *most = enough < (double)least ? least : enough < (double)*most ? (size_t)enough : *most;
    isocast_mixes_free(&probe);
    return status;
}

/* The largest sum of `gain` of nodes whose prices alone fit into the budget, parts of nodes
 * allowed: no mix inside the budget has more, as it pays for base and steps besides. */
static double most_gain(const isocast_offers_request *request, const isocast_offer *offer,
                        const double *gain) {
    const isocast_machine *machine = offer->priced;
    double nothing[ISOCAST_OFFER_CLASSES_MAX] = {0};
    double left = request->budget - isocast_mix_spent(request, offer, nothing);
    bool taken[ISOCAST_OFFER_CLASSES_MAX] = {false};
    double sum = 0;
    for (size_t round = 0; round < machine->class_count; round++) {
        size_t best = machine->class_count;
        double best_price = 0;
        for (size_t i = 0; i < machine->class_count; i++) {
            double one[ISOCAST_OFFER_CLASSES_MAX] = {0};
            one[i] = 1;
            /* What one node adds without any step. */
            isocast_purchase steps_aside = machine->purchase;
            steps_aside.step_count = 0;
            isocast_machine plain = *machine;
            plain.purchase = steps_aside;
            isocast_bill with = isocast_bill_of_nodes(&plain, one);
            isocast_bill without = isocast_bill_of_nodes(&plain, nothing);
            double price = request->whole_life ? with.lifetime_price - without.lifetime_price
                                               : with.price - without.price;
            if (!taken[i] &&
                (best == machine->class_count || gain[i] * best_price > gain[best] * price)) {
                best = i;
                best_price = price;
            }
        }
        double nodes = best_price > 0 ? fmin(machine->classes[best].count, left / best_price)
                                      : machine->classes[best].count;
        taken[best] = true;
        sum += fmax(0, nodes) * gain[best];
        left -= fmax(0, nodes) * best_price;
    }
    return sum;
}

/* The least of (what a node's class costs or draws) over its marked speed: no mix is below it. */
static double least_rate_by_speed(const isocast_offer *offer, bool power, const double *speed) {
    const isocast_machine *machine = offer->priced;
    double least = INFINITY;
    for (size_t i = 0; i < machine->class_count; i++) {
        double one[ISOCAST_OFFER_CLASSES_MAX] = {0};
        double nothing[ISOCAST_OFFER_CLASSES_MAX] = {0};
        isocast_machine plain = *machine;
        plain.purchase.step_count = 0;
        one[i] = 1;
        isocast_bill with = isocast_bill_of_nodes(&plain, one);
        isocast_bill without = isocast_bill_of_nodes(&plain, nothing);
        double rate = power ? with.power - without.power : with.rate - without.rate;
        least = fmin(least, rate / speed[i]);
    }
    return least;
}

/* T = W/(E C), so T is at least W/(E C) of the largest E and C there are; a cost or an energy
 * likewise with its least rate for a unit of C. */
static double gap_of(const isocast_offers_request *request, const isocast_offer *offer,
                     const isocast_offer_search *search) {
    const isocast_machine *machine = offer->priced;
    const isocast_mix *best = &search->mixes.items[search->best];
    double processes[ISOCAST_OFFER_CLASSES_MAX];
    double speed[ISOCAST_OFFER_CLASSES_MAX];
    for (size_t i = 0; i < machine->class_count; i++) {
        double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
        isocast_system *system = NULL;
        nodes[i] = 1;
        if (isocast_mix_system(offer, nodes, &system) != ISOCAST_OK) {
            return NAN;
        }
        processes[i] = system->p;
        speed[i] = system->C;
        isocast_system_free(system);
    }
    double least_work = best->W / search->highest_E;
    bool by_processes = request->goal == ISOCAST_OFFER_PROCESSES && !isnan(request->efficiency);
    double gap = NAN;
    if (by_processes) {
        gap = most_gain(request, offer, processes) / best->p - 1;
    } else if (request->goal == ISOCAST_OFFER_TIME) {
        gap = 1 - least_work / most_gain(request, offer, speed) / best->value;
    } else if (request->goal == ISOCAST_OFFER_COST) {
        gap = 1 - least_work * least_rate_by_speed(offer, false, speed) / best->value;
    } else if (request->goal == ISOCAST_OFFER_ENERGY) {
        gap = 1 - least_work * least_rate_by_speed(offer, true, speed) / best->value;
    }
    return isnan(gap) ? NAN : fmax(0, gap);
}

static double least_spent(const isocast_offers_request *request, const isocast_offer *offer) {
    double least = INFINITY;
    for (size_t i = 0; i < offer->priced->class_count; i++) {
        double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
        nodes[i] = 1;
        least = fmin(least, isocast_mix_spent(request, offer, nodes));
    }
    return least;
}

isocast_status isocast_offer_look(const isocast_offers_request *request, const isocast_offer *offer,
                                  size_t most, isocast_effort *effort, isocast_offer_search *out) {
    out->gap = NAN;
    out->least_spent = least_spent(request, offer);
    isocast_status status = affordable(request, offer, effort, &most);
    if (status == ISOCAST_OK) {
        status = isocast_mixes_enumerate(request, offer, most, &out->mixes, &out->all);
    }
    walk w = {
        .request = request, .offer = offer, .effort = effort, .mixes = &out->mixes, .most = most};
    if (status == ISOCAST_OK && !out->all) {
        status = walk_ladders(&w);
    }
    if (status == ISOCAST_OK) {
        status =
            isocast_mixes_evaluate(request, offer, NULL, effort, &out->mixes, 0, out->mixes.count);
    }
    if (status == ISOCAST_OK && !out->all) {
        status = climb(&w);
    }
    out->best = isocast_mixes_best(&out->mixes);
    for (size_t i = 0; i < out->mixes.count; i++) {
        out->highest_E = fmax(out->highest_E, out->mixes.items[i].E);
        out->unknown += out->mixes.items[i].status == ISOCAST_ROW_NOT_CONVERGED;
    }
    if (status == ISOCAST_OK && !out->all && out->best < out->mixes.count) {
        out->gap = gap_of(request, offer, out);
    }
    return status;
}

void isocast_offer_search_free(isocast_offer_search *search) {
    isocast_mixes_free(&search->mixes);
}
