#include "question.h"

#include <math.h>

/* Whether a term of p T falls over p, as T does by it: -1; 1: it rises; 0: neither. */
static int way_of(const isocast_monomial *m) {
    const double exponents[] = {m->p - 1, m->log_p, m->log_log};
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        if (!isocast_exponents_equal(exponents[i], 0)) {
            return exponents[i] < 0 ? -1 : 1;
        }
    }
    return 0;
}

/* Terms that make T less are no part of it: what they are taken from is larger. */
static isocast_series falling_less_rising(isocast_costs *costs) {
    isocast_series_room *room = &costs->room;
    isocast_series time = isocast_costs_time(costs);
    isocast_series sum = isocast_series_zero();
    for (size_t i = 0; i < time.count; i++) {
        const isocast_series_term *term = &time.terms[i];
        int way = way_of(&term->monomial);
        if (way != 0 && term->low >= 0) {
            isocast_series one = isocast_series_multiply(
                room, isocast_series_monomial(room, &term->monomial),
                term->away ? isocast_series_away(room, term->low, term->high)
                           : isocast_series_between(room, term->low, term->high));
            sum = isocast_series_add(room, sum, one, -way);
        }
    }
    return sum;
}

/* The parts of an inequality that do and do not have the factor 1/K in front. */
isocast_series isocast_question_series(isocast_costs *costs, const isocast_question *question,
                                       double K) {
    isocast_series_room *room = &costs->room;
    isocast_series work = isocast_costs_work(costs);
    double ideal = 1 / isocast_costs_speed(costs);
    isocast_series sum = isocast_series_zero();
    switch (question->kind) {
    case ISOCAST_QUESTION_WHOLE:
        sum = isocast_series_add(room, sum, work, ideal);
        sum = isocast_series_add(room, sum, isocast_costs_time(costs), -1);
        break;
    case ISOCAST_QUESTION_ONE_TERM:
        sum = isocast_series_add(room, sum, isocast_costs_term(costs, question->term), -1);
        break;
    case ISOCAST_QUESTION_IDLE:
        sum = isocast_series_add(room, sum, isocast_costs_compute(costs), -1);
        sum = isocast_series_add(room, sum, work, ideal);
        break;
    case ISOCAST_QUESTION_PROCESSES:
        return isocast_series_add(room, work, isocast_costs_processes(costs), -1);
    case ISOCAST_QUESTION_FALLING:
        return falling_less_rising(costs);
    case ISOCAST_QUESTION_CONCURRENCY:
        return isocast_series_add(room, isocast_costs_concurrency(costs),
                                  isocast_costs_processes(costs), -1);
    }
    return isfinite(K) ? isocast_series_add(room, sum, work, ideal / K) : sum;
}

double isocast_question_K(double efficiency) {
    return efficiency / (1 - efficiency);
}

isocast_status isocast_question_make(const void *context, const isocast_path *path,
                                     isocast_series_lead *lead, isocast_series_room *reported) {
    const isocast_question *question = context;
    isocast_costs costs;
    isocast_status status = isocast_costs_create(question->request, path, &costs);
    if (status == ISOCAST_OK) {
        isocast_series sum =
            isocast_question_series(&costs, question, isocast_question_K(question->efficiency));
        isocast_series_find_sign(&costs.room, sum, lead);
        *reported = costs.room;
        reported->chunks = NULL;
        question->premises->squares |= costs.room.squares;
        question->premises->cubes |= costs.room.cubes;
        question->premises->divisors |= costs.room.divisors;
        status = costs.room.problem == ISOCAST_SERIES_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    isocast_costs_free(&costs);
    return status;
}

isocast_path isocast_question_path(const isocast_place *at, int where) {
    return (isocast_path){.known = ISOCAST_PATH_LEVELS, .at = {at->x, at->y, at->w, where}};
}

isocast_status isocast_question_sign(const isocast_question *question, const isocast_place *at,
                                     int where, int *sign) {
    isocast_path path = isocast_question_path(at, where);
    isocast_series_lead lead = {0};
    isocast_series_room reported = {.problem = ISOCAST_SERIES_KNOWN};
    isocast_status status = isocast_question_make(question, &path, &lead, &reported);
    *sign = reported.problem == ISOCAST_SERIES_KNOWN ? lead.sign : 0;
    return status;
}

/* Series at x where leading terms cancel, with what multiplies 1/K apart: S1/K + S2. */
typedef struct balance {
    isocast_costs costs;
    isocast_series with_K, without_K;
    isocast_series sum;
    isocast_series_lead lead;
} balance;

static isocast_status balance_make(const isocast_question *question, const isocast_path *path,
                                   balance *out) {
    double K = isocast_question_K(question->efficiency);
    isocast_status status = isocast_costs_create(question->request, path, &out->costs);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_series_room *room = &out->costs.room;
    isocast_series ideal = isocast_series_number(room, 1 / isocast_costs_speed(&out->costs));
    out->with_K = isocast_series_multiply(room, isocast_costs_work(&out->costs), ideal);
    out->without_K = isocast_question_series(&out->costs, question, INFINITY);
    out->sum = isocast_series_add(room, out->without_K, out->with_K, isfinite(K) ? 1 / K : 0);
    isocast_series_find_lead(room, out->sum, &out->lead);
    return room->problem == ISOCAST_SERIES_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* k x^e over all leading terms: their sum, and its slope by x. */
static void add_up_leading(balance *b, double x, double *slope, bool *exact) {
    *slope = 0;
    *exact = true;
    for (size_t k = 0; k < b->sum.count; k++) {
        const isocast_series_term *term = &b->sum.terms[k];
        if (isocast_series_is_leading(&b->costs.room, term, &b->lead)) {
            double e = term->monomial.log_N;
            *slope += term->low * e * pow(x, e - 1);
            /* ln ln N goes to ln ln p too slowly for what is said of the rest. */
            *exact = *exact && term->low == term->high &&
                     isocast_exponents_equal(term->monomial.log_log_N, b->lead.monomial.log_log_N);
        }
    }
}

/* What stands behind the leading terms must be smaller by a factor ln p. A term that is smaller by
 * ln p/ln ln p moves N by a power of ln p. */
static bool rest_is_small(balance *b, double x, double *log_log_factor) {
    isocast_series_room *room = &b->costs.room;
    isocast_series_lead smaller = b->lead;
    smaller.monomial.log_p -= 1;
    isocast_series_lead between = smaller;
    between.monomial.log_log += 1;
    *log_log_factor = 0;
    for (size_t k = 0; k < b->sum.count; k++) {
        const isocast_series_term *term = &b->sum.terms[k];
        if (isocast_series_is_leading(room, term, &b->lead)) {
            continue;
        }
        if (isocast_series_is_leading(room, term, &between)) {
            if (term->low != term->high) {
                return false;
            }
            *log_log_factor += term->low * pow(x, term->monomial.log_N);
            continue;
        }
        /* Is the term, together with what it may be as large as, no larger than that? */
        isocast_series_lead larger;
        isocast_series reference = isocast_series_add(
            room, isocast_series_monomial(room, &smaller.monomial), (isocast_series){1, term}, 1);
        isocast_series_find_lead(room, reference, &larger);
        isocast_series_term unit = {.monomial = smaller.monomial, .low = 1, .high = 1};
        if (isocast_series_failed(room) || !isocast_series_is_leading(room, &unit, &larger)) {
            return false;
        }
    }
    return !isocast_series_failed(room);
}

/* Where one leading term alone has the factor 1/K, and one other has not. */
static void find_law(balance *b, isocast_balance_law *law) {
    isocast_series_room *room = &b->costs.room;
    const isocast_series_term *one[2] = {NULL, NULL};
    const isocast_series sides[2] = {b->with_K, b->without_K};
    *law = (isocast_balance_law){NAN, NAN};
    for (size_t side = 0; side < 2; side++) {
        for (size_t k = 0; k < sides[side].count; k++) {
            const isocast_series_term *term = &sides[side].terms[k];
            if (isocast_series_is_leading(room, term, &b->lead)) {
                if (one[side] != NULL) {
                    return;
                }
                one[side] = term;
            }
        }
    }
    if (one[0] == NULL || one[1] == NULL) {
        return;
    }
    double apart = one[0]->monomial.log_N - one[1]->monomial.log_N;
    if (!isocast_exponents_equal(apart, 0)) {
        *law = (isocast_balance_law){-one[1]->low / one[0]->low, 1 / apart};
    }
}

/* N = Theta(p^x log^y p), as N = s p^x makes a difference of s' ln s/ln p of the leading terms. */
isocast_status isocast_balance_resolve(const isocast_question *question, const isocast_cell *cell,
                                       bool *found, isocast_place *at, isocast_balance_law *law) {
    double x = cell->path.at[0];
    double y = 0;
    *found = false;
    for (int round = 0; round < 2; round++) {
        isocast_place place = {x, y, 0};
        isocast_path path = isocast_question_path(&place, 1);
        balance b = {.lead = {0}};
        isocast_status status = balance_make(question, &path, &b);
        double slope = 0;
        bool exact = false;
        double log_log = 0;
        bool small = false;
        if (status == ISOCAST_OK && !isocast_series_failed(&b.costs.room) && b.lead.is_balanced) {
            add_up_leading(&b, x, &slope, &exact);
            small = exact && slope > 0 && rest_is_small(&b, x, &log_log);
            /* The slope is of terms over ln^m p N^c, the other of those over ln^(m-1) p ln ln p. */
            if (small && round == 0) {
                y = -log_log / slope;
            } else if (small) {
                find_law(&b, law);
                *at = place;
                *found = true;
            }
        }
        isocast_costs_free(&b.costs);
        if (status != ISOCAST_OK || !small) {
            return status;
        }
    }
    return ISOCAST_OK;
}

isocast_status isocast_balance_note(const isocast_question *question, const isocast_place *at,
                                    bool *depends, isocast_balance_law *law) {
    isocast_path path = isocast_question_path(at, 1);
    balance b = {.lead = {0}};
    isocast_status status = balance_make(question, &path, &b);
    *depends = false;
    if (status == ISOCAST_OK && !isocast_series_failed(&b.costs.room) && b.lead.is_balanced) {
        for (size_t k = 0; k < b.with_K.count; k++) {
            *depends =
                *depends || isocast_series_is_leading(&b.costs.room, &b.with_K.terms[k], &b.lead);
        }
        if (*depends) {
            find_law(&b, law);
        }
    }
    isocast_costs_free(&b.costs);
    return status;
}
