#include "choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a question may take, as many times as a prediction: it has many rows. */
static const double effort_factor = 4;
/* Part of it for the searches; the rest is for intervals and what would change the answer. */
static const double search_share = 0.5;

static bool is_above_zero(double value, bool may_miss) {
    return isnan(value) ? may_miss : value > 0;
}

static bool request_is_valid(const isocast_offers_request *request, const isocast_offer *offers,
                             size_t count) {
    bool problem = request->goal == ISOCAST_OFFER_PROBLEM;
    bool of_size = isocast_offer_goal_is_size(request->goal);
    bool valid = count > 0 && count <= ISOCAST_OFFERS_MAX && request->budget > 0 &&
                 is_above_zero(request->efficiency, !problem) && !isinf(request->efficiency) &&
                 is_above_zero(request->deadline, true);
    for (size_t i = 0; valid && i < count; i++) {
        const isocast_size *size = &isocast_model_algorithm(offers[i].model)->sizes[0];
        valid = offers[i].priced->class_count <= ISOCAST_OFFER_CLASSES_MAX &&
                (of_size || (request->N >= size->min && request->N <= size->max));
    }
    return valid;
}

const isocast_mix *isocast_offers_best(const isocast_offers *offers, size_t offer) {
    const isocast_offer_search *search = &offers->searches[offer];
    return search->best < search->mixes.count ? &search->mixes.items[search->best] : NULL;
}

/* The offer with the best mix, but for one that is left out. */
static size_t best_but(const isocast_offers *o, size_t left_out) {
    size_t best = o->count;
    for (size_t i = 0; i < o->count; i++) {
        const isocast_mix *mix = isocast_offers_best(o, i);
        if (i != left_out && mix != NULL &&
            (best == o->count || isocast_mix_is_better(mix, isocast_offers_best(o, best)))) {
            best = i;
        }
    }
    return best;
}

size_t isocast_offers_second(const isocast_offers *offers) {
    return best_but(offers, offers->best);
}

static isocast_status find_beyond(isocast_offers *o, size_t index) {
    const isocast_offer *offer = &o->offers[index];
    const isocast_offer_search *search = &o->searches[index];
    double nodes[ISOCAST_OFFER_CLASSES_MAX];
    size_t classes = offer->priced->class_count;
    isocast_status status = ISOCAST_OK;
    memcpy(nodes, isocast_mixes_nodes(&search->mixes, search->best), classes * sizeof *nodes);
    for (size_t i = 0; i < classes && status == ISOCAST_OK; i++) {
        if (nodes[i] < offer->priced->classes[i].count) {
            nodes[i]++;
            status = isocast_mixes_add(&o->request, offer, nodes, &o->answers[index].beyond);
            nodes[i]--;
        }
    }
    return status == ISOCAST_OK ? isocast_mixes_evaluate(&o->request, offer, NULL, &o->effort,
                                                         &o->answers[index].beyond, 0,
                                                         o->answers[index].beyond.count)
                                : status;
}

/* Predicts one mix; *request and *system outlive the prediction, which points to both. */
static isocast_status predict_mix(isocast_offers *o, const isocast_offer *offer,
                                  const isocast_mixes *mixes, size_t index, double share,
                                  isocast_system **system, isocast_prediction_request *request,
                                  isocast_prediction **out) {
    isocast_status status = isocast_mix_system(offer, isocast_mixes_nodes(mixes, index), system);
    if (status != ISOCAST_OK) {
        return status;
    }
    bool problem = o->request.goal == ISOCAST_OFFER_PROBLEM;
    isocast_effort row = isocast_effort_lend(&o->effort, share);
    *request = (isocast_prediction_request){.N = problem ? NAN : mixes->items[index].N,
                                            .other_sizes = o->request.other_sizes,
                                            .efficiency = problem ? o->request.efficiency : NAN,
                                            .systems = (const isocast_system *const *)system,
                                            .system_count = 1,
                                            .effort = &row};
    status = isocast_predict(offer->model, request, out);
    isocast_effort_return(&o->effort, &row);
    request->effort = NULL;
    return status;
}

/* The interval of T, or of N where the goal is PROBLEM, as a prediction gives it. */
static void read_interval(const isocast_offers *o, const isocast_prediction *prediction,
                          double *low, double *high) {
    const isocast_prediction_row *row = &prediction->rows[0];
    bool problem = o->request.goal == ISOCAST_OFFER_PROBLEM;
    *low = problem ? row->N_low : row->T_low;
    *high = problem ? row->N_high : row->T_high;
}

static isocast_status answer_offer(isocast_offers *o, size_t index) {
    const isocast_offer *offer = &o->offers[index];
    isocast_offer_answer *answer = &o->answers[index];
    const isocast_offer_search *search = &o->searches[index];
    if (search->best == search->mixes.count) {
        return ISOCAST_OK;
    }
    isocast_status status = predict_mix(o, offer, &search->mixes, search->best, 0.2,
                                        &answer->system, &answer->request, &answer->prediction);
    if (status != ISOCAST_OK) {
        return status;
    }
    read_interval(o, answer->prediction, &answer->low, &answer->high);
    return find_beyond(o, index);
}

/* Intervals of the points that are shown one by one. */
static isocast_status spread_front(isocast_offers *o) {
    isocast_status status = ISOCAST_OK;
    size_t shown[ISOCAST_FRONT_SHOWN];
    size_t count = isocast_front_shown(&o->front, shown);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        isocast_front_point *point = &o->front.points[shown[i]];
        const isocast_mixes *mixes = &o->searches[point->offer].mixes;
        isocast_system *system = NULL;
        isocast_prediction_request request;
        isocast_prediction *prediction = NULL;
        status = predict_mix(o, &o->offers[point->offer], mixes, point->mix, 0.05, &system,
                             &request, &prediction);
        if (status == ISOCAST_OK) {
            read_interval(o, prediction, &point->low, &point->high);
        }
        isocast_prediction_free(prediction);
        isocast_system_free(system);
    }
    return status;
}

/* The best mix of every offer at the N that the chosen one holds: who holds E at a larger N may
 * only have the slower network. */
static isocast_status compare_at_N(isocast_offers *o) {
    isocast_offers_request at_N = o->request;
    at_N.goal = ISOCAST_OFFER_TIME;
    isocast_status status = ISOCAST_OK;
    if (o->request.goal != ISOCAST_OFFER_PROBLEM || o->best == o->count) {
        return ISOCAST_OK;
    }
    at_N.N = isocast_offers_best(o, o->best)->N;
    for (size_t i = 0; i < o->count && status == ISOCAST_OK; i++) {
        const isocast_offer_search *search = &o->searches[i];
        isocast_mixes one = {0};
        if (search->best == search->mixes.count) {
            continue;
        }
        status = isocast_mixes_add(&at_N, &o->offers[i],
                                   isocast_mixes_nodes(&search->mixes, search->best), &one);
        if (status == ISOCAST_OK) {
            status =
                isocast_mixes_evaluate(&at_N, &o->offers[i], NULL, &o->effort, &one, 0, one.count);
        }
        if (status == ISOCAST_OK) {
            o->answers[i].at_best_N = one.items[0];
        }
        isocast_mixes_free(&one);
    }
    return status;
}

static isocast_status search_all(isocast_offers *o) {
    size_t most = o->request.mixes_most > 0 ? o->request.mixes_most : ISOCAST_OFFER_MIXES_MAX;
    isocast_effort searches = isocast_effort_lend(&o->effort, search_share);
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < o->count && status == ISOCAST_OK; i++) {
        isocast_effort lent = isocast_effort_lend(&searches, 1 / (double)(o->count - i));
        status =
            isocast_offer_look(&o->request, &o->offers[i], most / o->count, &lent, &o->searches[i]);
        isocast_effort_return(&searches, &lent);
    }
    isocast_effort_return(&o->effort, &searches);
    return status;
}

isocast_status isocast_offers_choose(const isocast_offers_request *request,
                                     const isocast_offer *offers, size_t count,
                                     isocast_offers *out) {
    if (!request_is_valid(request, offers, count)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_offers *o = out;
    *o = (isocast_offers){.request = *request, .offers = offers, .count = count, .best = count};
    o->searches = calloc(count, sizeof *o->searches);
    o->answers = calloc(count, sizeof *o->answers);
    if (o->searches == NULL || o->answers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        o->answers[i].low = o->answers[i].high = NAN;
        o->answers[i].at_best_N.value = NAN;
    }
    o->effort = isocast_effort_of(0);
    o->effort.left *= effort_factor;
    isocast_status status = search_all(o);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = answer_offer(o, i);
    }
    if (status == ISOCAST_OK) {
        status = isocast_front_find(request, o->searches, count, &o->front);
    }
    if (status == ISOCAST_OK) {
        status = isocast_budget_ranges(request, o->searches, count, &o->ranges, &o->range_count);
    }
    if (status == ISOCAST_OK) {
        o->best = best_but(o, count);
        status = spread_front(o);
    }
    return status == ISOCAST_OK ? compare_at_N(o) : status;
}

/* The 90 % interval of the value, which is in proportion to T or to N. */
static bool value_interval(const isocast_offers *o, size_t offer, double *low, double *high) {
    const isocast_offer_answer *answer = &o->answers[offer];
    const isocast_mix *mix = isocast_offers_best(o, offer);
    if (mix == NULL || isnan(answer->low) || o->request.goal == ISOCAST_OFFER_RUN ||
        (o->request.goal == ISOCAST_OFFER_PROCESSES && !isnan(o->request.efficiency))) {
        return false;
    }
    bool problem = o->request.goal == ISOCAST_OFFER_PROBLEM;
    double base = problem ? mix->N : mix->T;
    *low = mix->value * (problem ? answer->high : answer->low) / base;
    *high = mix->value * (problem ? answer->low : answer->high) / base;
    return true;
}

bool isocast_offers_overlap(const isocast_offers *offers, size_t a, size_t b) {
    double low[2];
    double high[2];
    return value_interval(offers, a, &low[0], &high[0]) &&
           value_interval(offers, b, &low[1], &high[1]) && low[0] <= high[1] && low[1] <= high[0];
}

bool isocast_offers_may_reverse(const isocast_offers *offers, size_t other, double *least,
                                double *most) {
    const isocast_mix *best = isocast_offers_best(offers, offers->best);
    const isocast_mix *mix = isocast_offers_best(offers, other);
    *least = *most = NAN;
    if (best == NULL || mix == NULL || other == offers->best ||
        offers->answers[offers->best].prediction == NULL ||
        offers->answers[other].prediction == NULL) {
        return false;
    }
    const isocast_prediction_row *first = &offers->answers[offers->best].prediction->rows[0];
    const isocast_prediction_row *second = &offers->answers[other].prediction->rows[0];
    isocast_offer_goal goal = offers->request.goal;
    bool by_T =
        goal == ISOCAST_OFFER_TIME || goal == ISOCAST_OFFER_COST || goal == ISOCAST_OFFER_ENERGY;
    double factor;
    bool may = isocast_rows_may_differ(first, second, by_T ? mix->value / best->value : 0, &factor);
    *least = by_T ? mix->value / best->value : NAN;
    *most = by_T ? factor : NAN;
    return may;
}

void isocast_offers_free(isocast_offers *offers) {
    for (size_t i = 0; i < offers->count; i++) {
        if (offers->searches != NULL) {
            isocast_offer_search_free(&offers->searches[i]);
        }
        if (offers->answers != NULL) {
            isocast_prediction_free(offers->answers[i].prediction);
            isocast_system_free(offers->answers[i].system);
            isocast_mixes_free(&offers->answers[i].beyond);
        }
    }
    free(offers->searches);
    free(offers->answers);
    isocast_front_free(&offers->front);
    free(offers->ranges);
    *offers = (isocast_offers){0};
}

/* Why one mix is not allowed. */
static isocast_offer_lack lack_of(const isocast_offers_request *request, const isocast_mix *mix) {
    bool solved = mix->status == ISOCAST_ROW_OK || mix->status == ISOCAST_ROW_SEVERAL;
    if (!isnan(mix->value)) {
        return ISOCAST_LACK_NONE;
    }
    if (mix->idle) {
        return ISOCAST_LACK_WORK;
    }
    if (!solved || !isfinite(mix->T)) {
        return ISOCAST_LACK_SOLUTION;
    }
    if (mix->T > request->deadline) {
        return ISOCAST_LACK_DEADLINE;
    }
    return request->goal != ISOCAST_OFFER_PROBLEM && mix->E < request->efficiency
               ? ISOCAST_LACK_EFFICIENCY
               : ISOCAST_LACK_VALUE;
}

isocast_offer_lack isocast_offers_lack(const isocast_offers *offers, size_t offer,
                                       isocast_row_status *status) {
    const isocast_offer_search *search = &offers->searches[offer];
    size_t lacks[ISOCAST_LACK_VALUE + 1] = {0};
    size_t statuses[64] = {0};
    *status = ISOCAST_ROW_OK;
    for (size_t i = 0; i < search->mixes.count; i++) {
        const isocast_mix *mix = &search->mixes.items[i];
        isocast_offer_lack lack = lack_of(&offers->request, mix);
        if (lack == ISOCAST_LACK_NONE) {
            return lack;
        }
        lacks[lack]++;
        if (lack == ISOCAST_LACK_SOLUTION && (size_t)mix->status < 64 &&
            ++statuses[mix->status] > statuses[*status]) {
            *status = mix->status;
        }
    }
    if (search->mixes.count == 0) {
        return search->least_spent > offers->request.budget ? ISOCAST_LACK_BUDGET
                                                            : ISOCAST_LACK_VALUE;
    }
    isocast_offer_lack most = ISOCAST_LACK_SOLUTION;
    for (size_t i = 0; i <= ISOCAST_LACK_VALUE; i++) {
        most = lacks[i] > lacks[most] ? (isocast_offer_lack)i : most;
    }
    return most;
}
