#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixes.h"
#include "model/solve/prediction.h"

void isocast_suite_free(isocast_suite *suite) {
    for (size_t i = 0; i < suite->count; i++) {
        isocast_suite_application *a = &suite->applications[i];
        for (size_t k = 0; k < a->size_count; k++) {
            free(a->sizes[k]);
        }
        free(a->sizes);
        free(a->name);
        free(a->algorithm);
    }
    *suite = (isocast_suite){0};
}

bool isocast_suite_has_reference(const isocast_suite *suite) {
    return suite->reference_nodes > 0;
}

static const isocast_suite_run no_run = {.nodes = NAN,
                                         .p = NAN,
                                         .N = NAN,
                                         .W = NAN,
                                         .T = NAN,
                                         .T_low = NAN,
                                         .T_high = NAN,
                                         .E = NAN,
                                         .energy = NAN,
                                         .factor = NAN,
                                         .rate = NAN,
                                         .status = ISOCAST_ROW_NOT_VALID};

/* A job on the nodes that an offer comes to. `numbers_only`: without the interval. */
static isocast_status predict_run(const isocast_suite_request *r, size_t application,
                                  const isocast_offer *offer, const isocast_suite_offer *judged,
                                  bool numbers_only, isocast_suite_run *run) {
    const double all = judged->nodes;
    double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
    const isocast_suite_application *a = &r->suite->applications[application];
    isocast_system *system = NULL;
    isocast_prediction *prediction = NULL;
    *run = no_run;
    run->nodes = isnan(a->nodes) ? all : a->nodes;
    run->N = r->N[application];
    run->is_too_large = run->nodes > all;
    if (run->is_too_large || !(run->nodes >= 1)) {
        return ISOCAST_OK;
    }
    nodes[judged->class_index] = run->nodes;
    isocast_status status = isocast_mix_system(offer, nodes, &system);
    const isocast_prediction_request request = {.N = run->N,
                                                .efficiency = NAN,
                                                .systems = (const isocast_system *const *)&system,
                                                .system_count = 1,
                                                .numbers_only = numbers_only};
    if (status == ISOCAST_OK) {
        status = isocast_predict(offer->model, &request, &prediction);
    }
    if (status == ISOCAST_OK) {
        const isocast_prediction_row *row = &prediction->rows[0];
        bool known = row->status == ISOCAST_ROW_OK && row->p_working >= row->p;
        run->p = row->p;
        run->status = row->status;
        run->T = known ? row->T : NAN;
        run->T_low = known && row->T_low > 0 ? row->T_low : run->T;
        run->T_high = known && row->T_high > 0 ? row->T_high : run->T;
        run->W = row->W;
        run->E = known ? row->E : NAN;
        run->energy = run->T * run->nodes * offer->priced->classes[judged->class_index].power;
        run->rate = run->W / (run->T * run->nodes);
        run->speedup =
            (isnan(a->reference_rate) ? a->reference_time : run->W / a->reference_rate) / run->T;
        run->factor = a->capability * (a->reference_nodes / run->nodes) *
                      (all / r->suite->reference_nodes) * run->speedup;
    }
    isocast_prediction_free(prediction);
    isocast_system_free(system);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* The weighted geometric mean over applications of `x` times what T is longer than the prediction,
 * to the power -1: 0 takes T, 1 T_high and -1 T_low. Parameters of a machine are off for all
 * applications at once, so that they are at the same end together. */
static double mean_of(const isocast_suite *suite, const isocast_suite_run *runs, bool by_rate,
                      int end) {
    double sum = 0;
    double weights = 0;
    for (size_t i = 0; i < suite->count; i++) {
        const isocast_suite_run *run = &runs[i];
        double T = end > 0 ? run->T_high : end < 0 ? run->T_low : run->T;
        double x = (by_rate ? run->rate : run->factor) * run->T / T;
        sum += suite->applications[i].weight * log(x);
        weights += suite->applications[i].weight;
    }
    return exp(sum / weights);
}

static isocast_suite_measure measure(const isocast_suite *suite, const isocast_suite_run *runs,
                                     bool by_rate, double times) {
    return (isocast_suite_measure){times * mean_of(suite, runs, by_rate, 0),
                                   times * mean_of(suite, runs, by_rate, 1),
                                   times * mean_of(suite, runs, by_rate, -1)};
}

/* Where nodes come in phases: the mean over the lifetime of what nodes cost and draw that are
 * there. Before the first ones nothing does. */
static void spread_bill(const isocast_machine *priced, isocast_suite_offer *out) {
    double computing = priced->purchase.lifetime * priced->purchase.use;
    isocast_bill mean = {
        .nodes = out->nodes, .price = out->bill.price, .rate = out->bill.price / computing};
    mean.lifetime_price = mean.price;
    for (size_t i = 0; i < out->phase_count; i++) {
        double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
        nodes[out->class_index] = out->phases[i].nodes;
        isocast_bill there = isocast_bill_of_nodes(priced, nodes);
        mean.power += out->phases[i].share * there.power;
        mean.rate += out->phases[i].share * (there.rate - there.price / computing);
        mean.lifetime_price += out->phases[i].share * (there.lifetime_price - there.price);
    }
    out->bill = mean;
}

/* The mean over the lifetime of the nodes that are there, as long as each job of so many nodes has
 * room on them. */
static double find_phases(const isocast_suite_request *r, size_t index,
                          const isocast_machine *priced, isocast_suite_offer *out) {
    static const isocast_deliveries at_once = {0};
    const isocast_deliveries *d = r->deliveries != NULL ? &r->deliveries[index] : &at_once;
    double least = 0;
    double mean = 0;
    for (size_t i = 0; i < r->suite->count; i++) {
        least = fmax(least, r->suite->applications[i].nodes); /* not those on all nodes, NAN */
    }
    out->phase_count = isocast_deliveries_of(d, out->nodes, priced->purchase.lifetime, out->phases);
    for (size_t i = 0; i < out->phase_count; i++) {
        mean += out->phases[i].nodes >= least ? out->phases[i].share * out->phases[i].nodes : 0;
    }
    if (d->count > 0 && out->nodes >= 1) {
        spread_bill(priced, out);
    }
    return mean;
}

/* Nodes of one class of an offer, whose prices are those of `priced`, which may be a copy. */
static isocast_status judge_class(const isocast_suite_request *r, size_t index,
                                  const isocast_machine *priced, size_t class_index,
                                  bool numbers_only, isocast_suite_offer *out) {
    const isocast_offers_request question = {
        .goal = ISOCAST_OFFER_TIME, .budget = r->budget, .whole_life = r->whole_life};
    isocast_offer first = r->offers[0][index];
    first.priced = priced;
    double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
    double jobs = 0;
    nodes[class_index] = fmax(isocast_mixes_most(&question, &first, nodes, class_index), 0);
    *out = (isocast_suite_offer){.class_index = class_index, .nodes = nodes[class_index]};
    out->bill = isocast_bill_of_nodes(priced, nodes);
    if (out->nodes < 1) {
        out->bill = (isocast_bill){NAN, NAN, NAN, NAN, NAN};
    }
    double there = find_phases(r, index, priced, out);
    out->spent = r->whole_life ? out->bill.lifetime_price : out->bill.price;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < r->suite->count && status == ISOCAST_OK; i++) {
        status = predict_run(r, i, &r->offers[i][index], out, numbers_only, &out->runs[i]);
        jobs += r->suite->applications[i].weight * out->runs[i].nodes * out->runs[i].T;
    }
    out->ssi = measure(r->suite, out->runs, false, 1);
    out->ssp = measure(r->suite, out->runs, true, there);
    out->ssp_of_node = mean_of(r->suite, out->runs, true, 0);
    out->ssp_per_price = out->ssp.value / out->bill.price;
    out->work_cost = out->bill.rate / out->ssp.value;
    out->work_energy = out->bill.power / out->ssp.value;
    out->throughput = out->nodes / jobs;
    const isocast_suite_measure *by = isocast_suite_has_reference(r->suite) ? &out->ssi : &out->ssp;
    double over = isfinite(r->budget) ? 1 : out->spent;
    out->merit = by->value / over;
    out->merit_low = by->low / over;
    out->merit_high = by->high / over;
    return status;
}

/* The class of most merit; the first one where none serves. */
static isocast_status judge_offer(const isocast_suite_request *r, size_t index,
                                  isocast_suite_offer *out) {
    const isocast_machine *priced = r->offers[0][index].priced;
    isocast_status status = judge_class(r, index, priced, 0, false, out);
    for (size_t k = 1; k < priced->class_count && status == ISOCAST_OK; k++) {
        isocast_suite_offer one;
        status = judge_class(r, index, priced, k, false, &one);
        if (one.merit > 0 && !(one.merit <= out->merit)) {
            *out = one;
        }
    }
    return status;
}

static size_t best_but(const isocast_suite_verdict *v, size_t left_out) {
    size_t best = v->request.count;
    for (size_t i = 0; i < v->request.count; i++) {
        double merit = v->offers[i].merit;
        if (i != left_out && merit > 0 &&
            (best == v->request.count || merit > v->offers[best].merit)) {
            best = i;
        }
    }
    return best;
}

/* What an application says for the best: ln of what it gives there over what it gives on the
 * second, without what both have for all applications. */
static double says(const isocast_suite_verdict *v, size_t application) {
    const isocast_suite_run *a = &v->offers[v->best].runs[application];
    const isocast_suite_run *b = &v->offers[v->second].runs[application];
    return isocast_suite_has_reference(v->request.suite) ? log(a->factor / b->factor)
                                                         : log(a->rate / b->rate);
}

static void compare_weights(isocast_suite_verdict *v) {
    const isocast_suite *suite = v->request.suite;
    double sum = 0;
    double weights = 0;
    double most = 0;
    for (size_t i = 0; i < suite->count; i++) {
        sum += suite->applications[i].weight * says(v, i);
        weights += suite->applications[i].weight;
    }
    double all = log(v->offers[v->best].merit / v->offers[v->second].merit);
    double common = all - sum / weights; /* nodes and price, which no weight changes */
    for (size_t i = 0; i < suite->count; i++) {
        double weight = suite->applications[i].weight;
        double own = says(v, i) + common;
        double threshold = weight - weights * all / own;
        v->weights[i] = (isocast_suite_change){
            .application = i, .now = weight, .threshold = threshold >= 0 ? threshold : NAN};
        if (weight * own > most) {
            most = weight * own;
            v->decisive = i;
        }
    }
}

/* The merit of the best offer where a node of it costs `price`. */
static isocast_status merit_at(const isocast_suite_verdict *v, double price, double *merit) {
    isocast_suite_offer offer;
    isocast_machine machine = *v->request.offers[0][v->best].priced;
    isocast_node_class classes[ISOCAST_OFFER_CLASSES_MAX];
    size_t bought = v->offers[v->best].class_index;
    memcpy(classes, machine.classes, machine.class_count * sizeof *classes);
    classes[bought].price = price;
    machine.classes = classes;
    isocast_status status = judge_class(&v->request, v->best, &machine, bought, true, &offer);
    *merit = offer.merit > 0 ? offer.merit : 0;
    return status;
}

/* By bisection, up to four times the price: nodes are whole, so that the merit falls in steps. */
static isocast_status find_node_price(isocast_suite_verdict *v) {
    enum { STEPS = 24 };
    static const double searched = 4;
    double now =
        v->request.offers[0][v->best].priced->classes[v->offers[v->best].class_index].price;
    double low = now;
    double high = searched * now;
    double merit = NAN;
    v->node_price = (isocast_suite_change){
        .application = v->request.suite->count, .now = now, .threshold = NAN};
    isocast_status status = merit_at(v, high, &merit);
    if (status != ISOCAST_OK || merit > v->offers[v->second].merit) {
        return status;
    }
    for (int i = 0; i < STEPS && status == ISOCAST_OK; i++) {
        double middle = sqrt(low * high);
        status = merit_at(v, middle, &merit);
        *(merit > v->offers[v->second].merit ? &low : &high) = middle;
    }
    v->node_price.threshold = high;
    return status;
}

/* The cost of work is a straight line over the price of energy. */
static void find_energy_price(isocast_suite_verdict *v) {
    const isocast_suite_offer *a = &v->offers[v->best];
    const isocast_suite_offer *b = &v->offers[v->second];
    double now = v->request.offers[0][v->best].priced->purchase.energy_price;
    double others = v->request.offers[0][v->second].priced->purchase.energy_price;
    double slope = a->work_energy - b->work_energy;
    double threshold = now + (b->work_cost - a->work_cost) / slope;
    bool reverses = now == others && slope != 0 && threshold >= 0 && a->work_cost <= b->work_cost;
    v->energy_price = (isocast_suite_change){.application = v->request.suite->count,
                                             .now = now,
                                             .threshold = reverses ? threshold : NAN};
}

static bool is_valid(const isocast_suite_request *r) {
    bool valid =
        r->suite->count > 0 && r->count > 0 && r->count <= ISOCAST_OFFERS_MAX && r->budget > 0;
    for (size_t i = 0; valid && i < r->count; i++) {
        valid = r->offers[0][i].priced->class_count <= ISOCAST_OFFER_CLASSES_MAX;
    }
    return valid;
}

isocast_status isocast_suite_judge(const isocast_suite_request *request,
                                   isocast_suite_verdict *out) {
    if (!is_valid(request)) {
        return ISOCAST_ARGUMENT;
    }
    const size_t applications = request->suite->count;
    isocast_suite_verdict *v = out;
    *v = (isocast_suite_verdict){.request = *request,
                                 .best = request->count,
                                 .second = request->count,
                                 .decisive = applications};
    v->offers = calloc(request->count, sizeof *v->offers);
    isocast_status status = ISOCAST_OK;
    if (v->offers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < request->count && status == ISOCAST_OK; i++) {
        status = judge_offer(request, i, &v->offers[i]);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    v->best = best_but(v, request->count);
    v->second = v->best < request->count ? best_but(v, v->best) : request->count;
    v->node_price = v->energy_price =
        (isocast_suite_change){.application = applications, .now = NAN, .threshold = NAN};
    if (v->second == request->count) {
        return ISOCAST_OK;
    }
    v->is_certain = v->offers[v->best].merit_low > v->offers[v->second].merit_high;
    compare_weights(v);
    find_energy_price(v);
    return find_node_price(v);
}

void isocast_suite_verdict_free(isocast_suite_verdict *v) {
    free(v->offers);
    *v = (isocast_suite_verdict){0};
}
