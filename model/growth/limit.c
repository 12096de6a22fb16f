#include "limit.h"

#include <math.h>

#include "question.h"

/* The one of the leading terms that grows fastest with N; NULL where it is not known. */
static const isocast_series_term *largest(isocast_series_room *room, isocast_series a) {
    isocast_series_lead lead;
    const isocast_series_term *best = NULL;
    if (!isocast_series_find_lead(room, a, &lead)) {
        return NULL;
    }
    for (size_t k = 0; k < a.count; k++) {
        const isocast_series_term *term = &a.terms[k];
        if (isocast_series_is_leading(room, term, &lead) &&
            (best == NULL || term->monomial.log_N > best->monomial.log_N)) {
            best = term;
        }
    }
    return best;
}

/* lim (W/C)/T of the largest terms. */
static double ratio_of(isocast_series_room *room, isocast_series ideal, isocast_series time) {
    const isocast_series_term *above = largest(room, ideal);
    const isocast_series_term *below = largest(room, time);
    if (above == NULL || below == NULL || isocast_series_failed(room)) {
        return NAN;
    }
    if (above->low != above->high || above->low <= 0 || below->low <= 0) {
        return NAN;
    }
    isocast_monomial ratio = isocast_monomial_multiply(&below->monomial, &above->monomial, -1);
    const isocast_monomial none = {0};
    if (isocast_monomial_equal(&ratio, &none)) {
        return below->low == below->high ? above->low / below->low : NAN;
    }
    isocast_series_lead lead;
    isocast_series both = isocast_series_add(room, isocast_series_monomial(room, &ratio),
                                             isocast_series_number(room, 1), 1);
    bool grows = isocast_series_find_lead(room, both, &lead) &&
                 !isocast_monomial_equal(&lead.monomial, &none);
    return grows ? 0 : NAN;
}

static isocast_series ideal_of(isocast_costs *costs) {
    return isocast_series_multiply(
        &costs->room, isocast_costs_work(costs),
        isocast_series_number(&costs->room, 1 / isocast_costs_speed(costs)));
}

/* Whether all processes can work at all N from some N on, which T takes for granted. */
static isocast_status find_all_work(const isocast_costs_request *request, const isocast_path *path,
                                    bool *all_work) {
    isocast_question_premises premises = {0};
    const isocast_question question = {
        .request = request, .kind = ISOCAST_QUESTION_CONCURRENCY, .premises = &premises};
    isocast_series_lead lead = {0};
    isocast_series_room reported = {.problem = ISOCAST_SERIES_KNOWN};
    *all_work = request->algorithm->concurrency == NULL;
    isocast_status status =
        *all_work ? ISOCAST_OK : isocast_question_make(&question, path, &lead, &reported);
    *all_work =
        *all_work || (reported.problem == ISOCAST_SERIES_KNOWN && (lead.sign > 0 || lead.is_zero));
    return status;
}

isocast_status isocast_limit_of_E(const isocast_costs_request *request, isocast_limit *out) {
    isocast_path path = {.fixed = true};
    isocast_costs costs;
    isocast_limit limit = {.E = NAN};
    bool all_work;
    isocast_status status = find_all_work(request, &path, &all_work);
    if (status != ISOCAST_OK || !all_work) {
        *out = limit;
        return status;
    }
    status = isocast_costs_create(request, &path, &costs);
    if (status == ISOCAST_OK) {
        isocast_series_room *room = &costs.room;
        isocast_series ideal = ideal_of(&costs);
        isocast_series time = isocast_costs_time(&costs);
        limit.E = ratio_of(room, ideal, time);
        limit.known = !isnan(limit.E);
        isocast_series_lead apart;
        if (limit.E > 0 && isocast_series_find_lead(
                               room, isocast_series_add(room, time, ideal, -1 / limit.E), &apart)) {
            limit.side = apart.sign;
        }
        status = room->problem == ISOCAST_SERIES_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    isocast_costs_free(&costs);
    if (status == ISOCAST_OK) {
        *out = limit;
    }
    return status;
}

isocast_status isocast_limit_of_E_far(const isocast_costs_request *request, double *E) {
    isocast_path path = {.low = 1, .high = INFINITY};
    for (int tries = 0; tries < ISOCAST_CELLS_MAX; tries++) {
        isocast_costs costs;
        isocast_status status = isocast_costs_create(request, &path, &costs);
        double limit = NAN;
        if (status == ISOCAST_OK) {
            isocast_series ideal = ideal_of(&costs);
            limit = ratio_of(&costs.room, ideal, isocast_costs_time(&costs));
            status =
                costs.room.problem == ISOCAST_SERIES_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
        }
        bool split = costs.room.problem == ISOCAST_SERIES_SPLIT;
        path.low = split ? costs.room.split : path.low;
        isocast_costs_free(&costs);
        if (status != ISOCAST_OK || !split) {
            *E = status == ISOCAST_OK ? limit : *E;
            return status;
        }
    }
    *E = NAN;
    return ISOCAST_OK;
}
