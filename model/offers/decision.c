#include "decision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/quantity.h"
#include "model/solve/elasticity.h"
#include "model/spec/marked_speed.h"

/* Parameters and marked speeds of each offer that are varied. */
enum { DRIVERS_MOST = 4 };
/* Steps from 1 to the end of a range, and halvings of the one that changes the answer. */
enum { STEPS = 8, HALVINGS = 40 };
static const double prices_most = 4;
static const double others_most = 16;
/* Digits that a threshold has at least (of a count, more), and at most. A stated one is off by no
 * more than this share of its way from what the number is now. */
enum { DIGITS = 4, DIGITS_OF_COUNTS = 6, DIGITS_MOST = 15 };
static const double stated_off = 0.1;
static const double just_beyond = 1e-9;
static const double joule_per_kWh = 3.6e6;
/* What moves the result by less than this share of its own change does not matter. */
static const double least_elasticity = 1e-4;

/* What becomes of the answer. Where neither serves, the other offer is no better choice. */
typedef enum verdict { VERDICT_BETTER, VERDICT_NOT_BETTER, VERDICT_NEITHER_SERVES } verdict;

/* A number on its way through a range: whether the chosen offer is still better with it multiplied
 * by a factor. Errors: NO_MEMORY. */
typedef struct varied varied;
typedef isocast_status verdict_at(varied *v, double factor, verdict *out);

struct varied {
    isocast_offers *offers;
    size_t best, rival;
    isocast_effort *effort;
    verdict_at *judge;
    size_t offer;       /* whose number is varied */
    size_t class_index; /* for prices, powers and marked speeds */
    size_t parameter;   /* of the machine */
    isocast_decider_kind kind;
    isocast_mixes tables[2]; /* mixes of the chosen offer and of the rival, where prices vary */
};

/* One mix of either offer, evaluated with a request and a variation of one offer. */
static isocast_status evaluate_pair(const varied *v, const isocast_offers_request *request,
                                    const isocast_variation *variation, isocast_mix out[2]) {
    const size_t sides[2] = {v->best, v->rival};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < 2 && status == ISOCAST_OK; i++) {
        const isocast_offer_search *search = &v->offers->searches[sides[i]];
        isocast_mixes one = {0};
        status = isocast_mixes_add(request, &v->offers->offers[sides[i]],
                                   isocast_mixes_nodes(&search->mixes, search->best), &one);
        if (status == ISOCAST_OK) {
            status = isocast_mixes_evaluate(request, &v->offers->offers[sides[i]],
                                            sides[i] == v->offer ? variation : NULL, v->effort,
                                            &one, 0, 1);
        }
        if (status == ISOCAST_OK) {
            out[i] = one.items[0];
        }
        isocast_mixes_free(&one);
    }
    return status;
}

/* `best` and `rival` are NULL where no mix of the offer serves. */
static verdict judge_mixes(const isocast_mix *best, const isocast_mix *rival) {
    bool rival_serves = rival != NULL && !isnan(rival->value);
    if (best != NULL && !isnan(best->value)) {
        return !rival_serves || isocast_mix_is_better(best, rival) ? VERDICT_BETTER
                                                                   : VERDICT_NOT_BETTER;
    }
    return rival_serves ? VERDICT_NOT_BETTER : VERDICT_NEITHER_SERVES;
}

static isocast_status judge_machine(varied *v, double factor, verdict *out) {
    const isocast_model *model = v->offers->offers[v->offer].model;
    isocast_variation variation = isocast_variation_none();
    if (v->kind == ISOCAST_DECIDER_PARAMETER) {
        variation.parameter = v->parameter;
        variation.value = isocast_model_parameters(model)[v->parameter] * factor;
    } else {
        variation.class_index = v->class_index;
        variation.speed_factor = factor;
    }
    isocast_mix pair[2];
    isocast_status status = evaluate_pair(v, &v->offers->request, &variation, pair);
    *out = status == ISOCAST_OK ? judge_mixes(&pair[0], &pair[1]) : VERDICT_NOT_BETTER;
    return status;
}

static isocast_status judge_request(varied *v, double factor, verdict *out) {
    isocast_offers_request request = v->offers->request;
    request.N *= v->kind == ISOCAST_DECIDER_SIZE ? factor : 1;
    request.efficiency *= v->kind == ISOCAST_DECIDER_EFFICIENCY ? factor : 1;
    isocast_mix pair[2];
    isocast_status status = evaluate_pair(v, &request, NULL, pair);
    *out = status == ISOCAST_OK ? judge_mixes(&pair[0], &pair[1]) : VERDICT_NOT_BETTER;
    return status;
}

/* A copy of an offer's prices in which one number is multiplied. */
typedef struct repriced {
    isocast_machine machine;
    isocast_node_class *classes;
} repriced;

static isocast_status reprice(const varied *v, size_t side, double factor, repriced *out) {
    const isocast_machine *machine = v->offers->offers[side].priced;
    out->machine = *machine;
    out->classes = malloc(machine->class_count * sizeof *out->classes);
    if (out->classes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memcpy(out->classes, machine->classes, machine->class_count * sizeof *out->classes);
    out->machine.classes = out->classes;
    if (v->kind == ISOCAST_DECIDER_ENERGY_PRICE) {
        out->machine.purchase.energy_price *= factor;
    } else if (side == v->offer && v->kind == ISOCAST_DECIDER_PRICE) {
        out->classes[v->class_index].price *= factor;
    } else if (side == v->offer) {
        out->classes[v->class_index].power *= factor;
    }
    return ISOCAST_OK;
}

/* Bills and values of a table's mixes with other prices: what they compute stays as it is. */
static void bill_again(const isocast_offers_request *request, const isocast_machine *machine,
                       isocast_mixes *mixes) {
    for (size_t i = 0; i < mixes->count; i++) {
        isocast_mix *mix = &mixes->items[i];
        mix->bill = isocast_bill_of_nodes(machine, isocast_mixes_nodes(mixes, i));
        mix->spent = request->whole_life ? mix->bill.lifetime_price : mix->bill.price;
        isocast_mix_rate(request, mix);
    }
}

static const isocast_mix *best_of(const isocast_mixes *mixes) {
    size_t best = isocast_mixes_best(mixes);
    return best < mixes->count ? &mixes->items[best] : NULL;
}

static isocast_status judge_prices(varied *v, double factor, verdict *out) {
    const size_t sides[2] = {v->best, v->rival};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < 2 && status == ISOCAST_OK; i++) {
        repriced prices;
        status = reprice(v, sides[i], factor, &prices);
        if (status == ISOCAST_OK) {
            bill_again(&v->offers->request, &prices.machine, &v->tables[i]);
            free(prices.classes);
        }
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    *out = judge_mixes(best_of(&v->tables[0]), best_of(&v->tables[1]));
    return ISOCAST_OK;
}

/* The factor nearest to 1, from there to `end`, at which the answer changes; NAN where it does not
 * at any of the steps. *searched gets the last factor that was looked at: less than `end` where the
 * chosen offer serves no longer and the other one does not either, or where the effort is spent, as
 * what then has no result says nothing. */
static isocast_status find_factor(varied *v, double end, double *factor, double *searched) {
    bool computes = v->judge != judge_prices;
    *searched = 1;
    *factor = NAN;
    for (int i = 1; i <= STEPS; i++) {
        double at = pow(end, (double)i / STEPS);
        double held = *searched;
        verdict found = VERDICT_BETTER;
        isocast_status status = v->judge(v, at, &found);
        for (int k = 0; status == ISOCAST_OK && found != VERDICT_BETTER && k < HALVINGS; k++) {
            double middle = sqrt(held * at);
            verdict there = VERDICT_BETTER;
            status = v->judge(v, middle, &there);
            held = there == VERDICT_BETTER ? middle : held;
            at = there == VERDICT_BETTER ? at : middle;
            found = there == VERDICT_BETTER ? found : there;
        }
        if (status != ISOCAST_OK || (computes && isocast_effort_is_spent(v->effort))) {
            return status;
        }
        *searched = found == VERDICT_NEITHER_SERVES ? held : at;
        *factor = found == VERDICT_NOT_BETTER ? at : NAN;
        if (found != VERDICT_BETTER) {
            return ISOCAST_OK;
        }
    }
    return ISOCAST_OK;
}

/* Whether a number is one to state: not far from the threshold, and just beyond it the rival is as
 * good. */
static isocast_status try_stated(varied *v, isocast_decider *d, double stated, bool *good) {
    double beyond = d->threshold > d->now ? 1 + just_beyond : 1 - just_beyond;
    verdict found = VERDICT_BETTER;
    isocast_status status = ISOCAST_OK;
    if (fabs(stated - d->threshold) <= stated_off * fabs(d->threshold - d->now)) {
        status = v->judge(v, stated / d->now * beyond, &found);
    }
    *good = status == ISOCAST_OK && found == VERDICT_NOT_BETTER;
    d->stated = *good ? stated : d->stated;
    return status;
}

/* The threshold with as few digits as show the truth. */
static isocast_status state_threshold(varied *v, isocast_decider *d) {
    bool up = d->threshold > d->now;
    d->stated = d->threshold;
    d->digits = isocast_dimension_is_count(d->dimension) ? DIGITS_OF_COUNTS : DIGITS;
    if (isnan(d->threshold)) {
        return ISOCAST_OK;
    }
    bool good = false;
    isocast_status status = ISOCAST_OK;
    for (; status == ISOCAST_OK && d->digits < DIGITS_MOST; d->digits++) {
        /* On the way there first: what changes at 4500 EUR was found to do so at 4500.00001. */
        for (int far = 0; far < 2 && status == ISOCAST_OK && !good; far++) {
            double read =
                isocast_quantity_round(d->threshold * d->per_unit, d->digits, up == (far == 1));
            status = try_stated(v, d, read / d->per_unit, &good);
        }
        if (good) {
            return ISOCAST_OK;
        }
    }
    return status;
}

/* Searches to one end, and notes what comes of it. `decider` has what is known of the number. */
static isocast_status search_to(varied *v, double end, isocast_decider decider,
                                isocast_decision *out) {
    double factor = NAN;
    double searched = 1;
    isocast_status status = find_factor(v, end, &factor, &searched);
    if (status != ISOCAST_OK || searched == 1) {
        free(decider.meaning);
        return status;
    }
    decider.kind = v->kind;
    decider.threshold = decider.now * factor;
    decider.per_unit = v->kind == ISOCAST_DECIDER_ENERGY_PRICE ? joule_per_kWh : 1;
    status = state_threshold(v, &decider);
    if (status != ISOCAST_OK) {
        free(decider.meaning);
        return status;
    }
    double last = isnan(factor) ? searched : end;
    decider.from = decider.now * fmin(last, 1);
    decider.to = decider.now * fmax(last, 1);
    if (!ISOCAST_ARRAY_ADD(out->items, out->count, out->capacity, decider)) {
        free(decider.meaning);
        return ISOCAST_NO_MEMORY;
    }
    return ISOCAST_OK;
}

static isocast_status copy_mixes(const isocast_mixes *from, isocast_mixes *out) {
    *out = *from;
    out->capacity = from->count;
    out->items = malloc((from->count + 1) * sizeof *out->items);
    out->nodes = malloc((from->count * from->class_count + 1) * sizeof *out->nodes);
    if (out->items == NULL || out->nodes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memcpy(out->items, from->items, from->count * sizeof *out->items);
    memcpy(out->nodes, from->nodes, from->count * from->class_count * sizeof *out->nodes);
    return ISOCAST_OK;
}

/* The mixes of an offer, with those that the lowest prices of its nodes and of energy bring inside
 * the budget; without these where they are too many, or were too many at its own price. */
static isocast_status make_table(const isocast_offers *offers, size_t side, isocast_effort *effort,
                                 isocast_mixes *out) {
    const isocast_offer_search *own = &offers->searches[side];
    repriced prices = {0};
    isocast_offer offer = offers->offers[side];
    const varied all = {
        .offers = (isocast_offers *)offers, .offer = side, .kind = ISOCAST_DECIDER_KINDS};
    isocast_status status = reprice(&all, side, 1, &prices);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < offer.priced->class_count; i++) {
        prices.classes[i].price /= prices_most;
    }
    prices.machine.purchase.energy_price /= others_most;
    offer.priced = &prices.machine;
    size_t most =
        offers->request.mixes_most > 0 ? offers->request.mixes_most : ISOCAST_OFFER_MIXES_MAX;
    isocast_offer_search search = {0};
    if (own->all) {
        status =
            isocast_offer_look(&offers->request, &offer, most / offers->count, effort, &search);
    }
    if (status == ISOCAST_OK && search.all) {
        *out = search.mixes;
    } else {
        isocast_offer_search_free(&search);
        status = status == ISOCAST_OK ? copy_mixes(&own->mixes, out) : status;
    }
    free(prices.classes);
    return status;
}

static isocast_status vary_class(varied *v, bool is_price, size_t side, isocast_decision *out) {
    const isocast_machine *machine = v->offers->offers[side].priced;
    const isocast_offer_search *search = &v->offers->searches[side];
    const double *nodes = isocast_mixes_nodes(&search->mixes, search->best);
    isocast_status status = ISOCAST_OK;
    v->offer = side;
    v->kind = is_price ? ISOCAST_DECIDER_PRICE : ISOCAST_DECIDER_POWER;
    for (size_t i = 0; i < machine->class_count && status == ISOCAST_OK; i++) {
        const isocast_node_class *c = &machine->classes[i];
        double now = is_price ? c->price : c->power;
        v->class_index = i;
        if (nodes[i] > 0 && now > 0) {
            double end = is_price ? prices_most : others_most;
            status = search_to(
                v, side == v->best ? end : 1 / end,
                (isocast_decider){
                    .offer = side,
                    .name = c->name,
                    .dimension = is_price ? isocast_currency_dimension(machine->purchase.currency)
                                          : isocast_dimension_of(ISOCAST_BASE_POWER),
                    .now = now,
                    .elasticity = NAN,
                    .chosen_again = true},
                out);
        }
    }
    return status;
}

/* Whether the values of both offers depend on what a unit of energy costs. */
static bool energy_counts(const isocast_offers *o, size_t best, size_t rival) {
    bool priced = o->offers[best].priced->purchase.energy_price > 0 &&
                  o->offers[best].priced->purchase.energy_price ==
                      o->offers[rival].priced->purchase.energy_price;
    return priced && (o->request.goal == ISOCAST_OFFER_COST || o->request.whole_life);
}

static isocast_status vary_energy_price(varied *v, isocast_decision *out) {
    const isocast_purchase *purchase = &v->offers->offers[v->best].priced->purchase;
    isocast_dimension energy = isocast_dimension_multiply(isocast_dimension_of(ISOCAST_BASE_POWER),
                                                          isocast_dimension_of(ISOCAST_BASE_TIME));
    isocast_decider decider = {.offer = v->offers->count,
                               .dimension = isocast_dimension_divide(
                                   isocast_currency_dimension(purchase->currency), energy),
                               .now = purchase->energy_price,
                               .elasticity = NAN,
                               .chosen_again = true};
    v->kind = ISOCAST_DECIDER_ENERGY_PRICE;
    isocast_status status = search_to(v, others_most, decider, out);
    return status == ISOCAST_OK ? search_to(v, 1 / others_most, decider, out) : status;
}

static isocast_status vary_prices(varied *v, isocast_decision *out) {
    isocast_offers *o = v->offers;
    v->judge = judge_prices;
    const size_t sides[2] = {v->best, v->rival};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < 2 && status == ISOCAST_OK; i++) {
        isocast_effort lent = isocast_effort_lend(v->effort, 0.3);
        status = make_table(o, sides[i], &lent, &v->tables[i]);
        isocast_effort_return(v->effort, &lent);
    }
    bool by_price = o->request.goal == ISOCAST_OFFER_PROCESSES && isnan(o->request.efficiency);
    bool counts = isfinite(o->request.budget) || o->request.goal == ISOCAST_OFFER_COST || by_price;
    if (status == ISOCAST_OK && counts) {
        status = vary_class(v, true, v->best, out);
        status = status == ISOCAST_OK ? vary_class(v, true, v->rival, out) : status;
    }
    if (status == ISOCAST_OK && o->request.goal == ISOCAST_OFFER_ENERGY) {
        status = vary_class(v, false, v->best, out);
        status = status == ISOCAST_OK ? vary_class(v, false, v->rival, out) : status;
    }
    if (status == ISOCAST_OK && energy_counts(o, v->best, v->rival)) {
        status = vary_energy_price(v, out);
    }
    isocast_mixes_free(&v->tables[0]);
    isocast_mixes_free(&v->tables[1]);
    return status;
}

static isocast_status vary_request(varied *v, isocast_decision *out) {
    const isocast_offers_request *request = &v->offers->request;
    const isocast_size *size = &isocast_model_algorithm(v->offers->offers[0].model)->sizes[0];
    bool problem = isocast_offer_goal_is_size(request->goal);
    if (problem && isnan(request->efficiency)) {
        return ISOCAST_OK;
    }
    v->judge = judge_request;
    v->kind = problem ? ISOCAST_DECIDER_EFFICIENCY : ISOCAST_DECIDER_SIZE;
    double now = problem ? request->efficiency : request->N;
    double most = problem ? prices_most : fmin(others_most, size->max / now);
    double least = problem ? 1 / prices_most : fmax(1 / others_most, size->min / now);
    isocast_decider decider = {.offer = v->offers->count, .now = now, .elasticity = NAN};
    isocast_status status = most > 1 ? search_to(v, most, decider, out) : ISOCAST_OK;
    return status == ISOCAST_OK && least < 1 ? search_to(v, least, decider, out) : status;
}

/* Finds what a driver's name stands for; false for what is not varied. */
static bool find_driver(varied *v, const isocast_driver *driver, isocast_decider *out) {
    const isocast_offer *offer = &v->offers->offers[v->offer];
    const isocast_machine *machine = isocast_model_machine(offer->model);
    bool found = false;
    v->kind = driver->kind == ISOCAST_DRIVER_PARAMETER ? ISOCAST_DECIDER_PARAMETER
                                                       : ISOCAST_DECIDER_MARKED_SPEED;
    for (size_t i = 0; driver->kind == ISOCAST_DRIVER_PARAMETER && i < machine->parameter_count;
         i++) {
        if (strcmp(machine->parameters[i].name, driver->name) == 0) {
            v->parameter = i;
            out->now = isocast_model_parameters(offer->model)[i];
            out->dimension = machine->parameters[i].dimension;
            found = true;
        }
    }
    for (size_t i = 0; driver->kind == ISOCAST_DRIVER_MARKED_SPEED && i < machine->class_count;
         i++) {
        if (strcmp(machine->classes[i].name, driver->name) == 0) {
            v->class_index = i;
            out->now = isocast_marked_speed_of(&machine->classes[i],
                                               isocast_model_algorithm(offer->model)->kernel);
            out->dimension = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                      isocast_dimension_of(ISOCAST_BASE_TIME));
            found = true;
        }
    }
    out->name = driver->name;
    out->elasticity = driver->elasticity;
    return found && fabs(driver->elasticity) > least_elasticity && out->now != 0;
}

/* The factor to which a number is varied: more of it helps an offer where its value falls. */
static double end_of(const varied *v, double elasticity) {
    bool helps = (elasticity > 0) == (v->offers->request.goal == ISOCAST_OFFER_PROBLEM);
    bool up = helps == (v->offer == v->rival);
    return up ? others_most : 1 / others_most;
}

static isocast_status vary_drivers(varied *v, size_t side, isocast_decision *out) {
    isocast_offers *o = v->offers;
    isocast_drivers drivers = {0};
    isocast_effort lent = isocast_effort_lend(v->effort, 0.5);
    isocast_prediction_request request = o->answers[side].request;
    request.effort = &lent;
    isocast_status status = ISOCAST_OK;
    const isocast_row_status solved = o->answers[side].prediction->rows[0].status;
    if (solved == ISOCAST_ROW_OK || solved == ISOCAST_ROW_SEVERAL) {
        status = isocast_drivers_find(o->answers[side].prediction, &request, 0, &drivers);
    }
    isocast_effort_return(v->effort, &lent);
    v->offer = side;
    v->judge = judge_machine;
    size_t taken = 0;
    for (size_t i = 0; i < drivers.count && taken < DRIVERS_MOST && status == ISOCAST_OK; i++) {
        isocast_decider decider = {.offer = side};
        if (drivers.items[i].kind != ISOCAST_DRIVER_TERM &&
            find_driver(v, &drivers.items[i], &decider)) {
            decider.meaning = drivers.items[i].meaning;
            drivers.items[i].meaning = NULL;
            status = search_to(v, end_of(v, decider.elasticity), decider, out);
            taken++;
        }
    }
    isocast_drivers_free(&drivers);
    return status;
}

isocast_status isocast_decision_find(isocast_offers *offers, isocast_decision *out) {
    out->rival = isocast_offers_second(offers);
    if (offers->best == offers->count || out->rival == offers->count) {
        out->rival = offers->count;
        return ISOCAST_OK;
    }
    varied v = {
        .offers = offers, .best = offers->best, .rival = out->rival, .effort = &offers->effort};
    isocast_status status = vary_prices(&v, out);
    for (size_t i = 0; i < 3 && status == ISOCAST_OK; i++) {
        /* Each part has its share, so that none takes what the others need. */
        isocast_effort lent = isocast_effort_lend(&offers->effort, 1 / (double)(3 - i));
        v.effort = &lent;
        v.offer = offers->count;
        status = i == 0   ? vary_request(&v, out)
                 : i == 1 ? vary_drivers(&v, v.best, out)
                          : vary_drivers(&v, v.rival, out);
        isocast_effort_return(&offers->effort, &lent);
    }
    return status;
}

void isocast_decision_free(isocast_decision *decision) {
    for (size_t i = 0; i < decision->count; i++) {
        free(decision->items[i].meaning);
    }
    free(decision->items);
    *decision = (isocast_decision){0};
}
