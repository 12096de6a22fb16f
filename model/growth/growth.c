#include "growth.h"

#include <math.h>
#include <stdlib.h>

#include "limit.h"

static isocast_growth_part undecided(const char *reason) {
    return (isocast_growth_part){.verdict = ISOCAST_GROWTH_UNDECIDED,
                                 .W = {NAN, NAN, NAN},
                                 .N = {NAN, NAN, NAN},
                                 .lost = {NAN, NAN, NAN},
                                 .law = {NAN, NAN},
                                 .reason = reason};
}

/* The place between two cells, which differ in where s goes alone. */
static bool place_between(const isocast_cell *before, const isocast_cell *after,
                          isocast_place *out) {
    const isocast_path *a = &before->path;
    const isocast_path *b = &after->path;
    if (a->known != ISOCAST_PATH_LEVELS || b->known != ISOCAST_PATH_LEVELS) {
        return false;
    }
    isocast_place first = {a->at[0], a->at[1], a->at[2]};
    isocast_place second = {b->at[0], b->at[1], b->at[2]};
    *out = first;
    return isocast_place_compare(&first, &second) == 0;
}

/* The order of W at a place. */
static isocast_status order_at(const isocast_costs_request *request, const isocast_place *place,
                               isocast_growth_part *part) {
    isocast_path path = {.known = ISOCAST_PATH_LEVELS, .at = {place->x, place->y, place->w, 1}};
    isocast_costs costs;
    isocast_status status = isocast_costs_create(request, &path, &costs);
    isocast_series_lead lead = {0};
    bool known = false;
    if (status == ISOCAST_OK) {
        known = isocast_series_find_lead(&costs.room, isocast_costs_work(&costs), &lead) &&
                lead.sign > 0;
    }
    isocast_costs_free(&costs);
    if (status != ISOCAST_OK) {
        return status;
    }
    const isocast_monomial *m = &lead.monomial;
    if (!known) {
        *part = undecided("the order of the work is not known");
        return ISOCAST_OK;
    }
    part->N = (isocast_growth_order){place->x, place->y, place->w};
    part->W = (isocast_growth_order){m->p + place->x * m->N, m->log_p + m->log_N + place->y * m->N,
                                     m->log_log + m->log_log_N + place->w * m->N};
    part->p_of_W = m->p;
    part->N_of_W = m->N;
    part->verdict = ISOCAST_GROWTH_PROVED;
    return ISOCAST_OK;
}

/* Why an inequality holds for no N of the largest ones: by the terms that rule there. */
static isocast_status verdict_beyond(const isocast_question *question, const isocast_cell *last,
                                     isocast_growth_part *part) {
    isocast_costs costs;
    isocast_status status = isocast_costs_create(question->request, &last->path, &costs);
    isocast_series_lead lead = {0};
    isocast_series_lead work = {0};
    bool known = false;
    double log_N = -INFINITY; /* the largest exponent of ln N among the terms that rule */
    if (status == ISOCAST_OK) {
        isocast_series_room *room = &costs.room;
        isocast_series left =
            isocast_question_series(&costs, question, isocast_question_K(question->efficiency));
        known = isocast_series_find_lead(room, left, &lead) &&
                isocast_series_find_lead(room, isocast_costs_work(&costs), &work) &&
                lead.sign < 0 && work.sign > 0;
        for (size_t k = 0; k < left.count && known; k++) {
            if (isocast_series_is_leading(room, &left.terms[k], &lead)) {
                log_N = fmax(log_N, left.terms[k].monomial.log_N - work.monomial.log_N);
            }
        }
    }
    isocast_costs_free(&costs);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (!known) {
        *part = undecided("the largest terms are not known");
        return ISOCAST_OK;
    }
    isocast_monomial ratio = isocast_monomial_multiply(&lead.monomial, &work.monomial, -1);
    bool same_N = isocast_exponents_equal(ratio.N, 0);
    bool same_p = isocast_exponents_equal(ratio.p, 0);
    double logs = ratio.log_p + ratio.log_N;
    bool same_log = isocast_exponents_equal(logs, 0);
    bool log_rises = !isocast_exponents_equal(log_N, 0) && log_N > 0;
    bool only_log_N = same_log || isocast_exponents_equal(ratio.log_p, 0);
    bool falls = same_N ? same_p && only_log_N && log_rises : ratio.N > 0;
    bool capped = same_N ? same_p ? same_log || logs < 0 : ratio.p < 0 : ratio.N < 0;
    part->verdict = falls    ? ISOCAST_GROWTH_FALLING
                    : capped ? ISOCAST_GROWTH_CAPPED
                             : ISOCAST_GROWTH_UNSCALABLE;
    return ISOCAST_OK;
}

/* The cell behind those at the same x at which the leading terms cancel. */
static size_t behind_balance(const isocast_cells *cells, size_t k) {
    double x = cells->items[k].path.at[0];
    while (k < cells->count && cells->items[k].is_balanced &&
           isocast_exponents_equal(cells->items[k].path.at[0], x)) {
        k++;
    }
    return k;
}

/* The first crossing from not holding to holding, from cell *first on; *first goes behind it. */
static isocast_status find_crossing(const isocast_question *question, const isocast_cells *cells,
                                    size_t *first, isocast_growth_part *part, bool *found,
                                    isocast_place *at) {
    size_t k = *first;
    *found = false;
    while (k < cells->count && cells->items[k].sign < 0) {
        k++;
    }
    *first = k;
    if (k == cells->count) {
        return ISOCAST_OK;
    }
    const isocast_cell *cell = &cells->items[k];
    isocast_status status = ISOCAST_OK;
    if (cell->sign > 0) {
        *found = k > 0 && place_between(&cells->items[k - 1], cell, at);
        part->reason = *found ? NULL : "the order lies between two orders of the class";
        return *found ? isocast_balance_note(question, at, &part->depends_on_E, &part->law)
                      : ISOCAST_OK;
    }
    if (cell->is_balanced) {
        *first = behind_balance(cells, k);
        part->reason = "at this E two terms are in balance, and what decides is not known";
        if (*first < cells->count && cells->items[*first].sign > 0) {
            status = isocast_balance_resolve(question, cell, found, at, &part->law);
            part->depends_on_E = *found;
        }
    } else {
        part->reason = cell->is_zero ? "at some N E is the wanted one whatever p is" : cell->reason;
    }
    part->reason = *found ? NULL : part->reason;
    return status;
}

/* What becomes of E at N beyond a crossing, whose first cell is given. */
static isocast_status note_later(const isocast_question *question, const isocast_cells *cells,
                                 size_t first, isocast_growth_part *part) {
    part->falls_later = ISOCAST_GROWTH_NO;
    for (size_t k = first; k < cells->count; k++) {
        const isocast_cell *cell = &cells->items[k];
        if (cell->sign < 0) {
            /* Where is known only where it was held up to there. */
            isocast_place lost;
            isocast_growth_part there = undecided(NULL);
            bool known = part->falls_later == ISOCAST_GROWTH_NO && k > 0 &&
                         place_between(cell - 1, cell, &lost);
            part->falls_later = ISOCAST_GROWTH_YES;
            isocast_status status = known ? order_at(question->request, &lost, &there) : ISOCAST_OK;
            part->lost = there.W;
            return status;
        }
        if (cell->sign == 0 && !cell->is_zero) {
            part->falls_later = ISOCAST_GROWTH_NOT_CERTAIN;
        }
    }
    return ISOCAST_OK;
}

/* E is held at N beyond any constant times those of the bound. Is some of the bound's order asked
 * for by the part itself? */
static isocast_status note_free(const isocast_question *question, const isocast_place *bound,
                                isocast_growth_part *part) {
    int between;
    int below;
    isocast_status status = isocast_question_sign(question, bound, 0, &between);
    if (status == ISOCAST_OK) {
        status = isocast_question_sign(question, bound, -1, &below);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    part->verdict = ISOCAST_GROWTH_FREE;
    part->at_bound = ISOCAST_GROWTH_YES;
    part->asks_bound = between > 0 ? ISOCAST_GROWTH_NO
                       : below < 0 ? ISOCAST_GROWTH_YES
                                   : ISOCAST_GROWTH_NOT_CERTAIN;
    return part->asks_bound == ISOCAST_GROWTH_YES ? order_at(question->request, bound, part)
                                                  : ISOCAST_OK;
}

/* E is not held just beyond the bound. */
static isocast_status answer_beyond(const isocast_question *question, const isocast_place *bound,
                                    const isocast_cells *cells, isocast_growth_part *part) {
    size_t first = 0;
    bool found;
    isocast_place at;
    isocast_status status = find_crossing(question, cells, &first, part, &found, &at);
    if (status == ISOCAST_OK && found) {
        int beyond = bound == NULL ? 1 : isocast_place_compare(&at, bound);
        at = beyond < 0 ? *bound : at;
        part->depends_on_E = part->depends_on_E && beyond >= 0;
        status = order_at(question->request, &at, part);
        if (status == ISOCAST_OK && part->verdict == ISOCAST_GROWTH_PROVED) {
            status = note_later(question, cells, first, part);
        }
        if (beyond <= 0) {
            part->at_bound = ISOCAST_GROWTH_YES;
            return status;
        }
    } else if (status == ISOCAST_OK && part->reason == NULL) {
        status = verdict_beyond(question, &cells->items[cells->count - 1], part);
    }
    /* Beyond any constant times the bound it is lost; at a constant times it this is to be seen. */
    int between = 0;
    if (status == ISOCAST_OK && bound != NULL) {
        status = isocast_question_sign(question, bound, 0, &between);
    }
    part->at_bound = between < 0 ? ISOCAST_GROWTH_NO : ISOCAST_GROWTH_NOT_CERTAIN;
    return status;
}

static isocast_status answer_with(const isocast_question *question, const isocast_place *bound,
                                  isocast_cells_care care, isocast_growth_part *part) {
    isocast_cells cells = {0};
    isocast_status status =
        isocast_cells_find(isocast_question_make, question, bound, care, &cells);
    *part = undecided(NULL);
    if (status == ISOCAST_OK && cells.count > 0 && cells.items[0].sign > 0) {
        if (bound == NULL) {
            part->reason = "the bound W = Omega(p) is not known";
        } else {
            status = note_free(question, bound, part);
            status = status == ISOCAST_OK ? note_later(question, &cells, 1, part) : status;
        }
    } else if (status == ISOCAST_OK) {
        status = answer_beyond(question, bound, &cells, part);
    }
    isocast_cells_free(&cells);
    return status;
}

/* A law by K counts where it is that of smaller and larger E, too: at an edge, where another part
 * begins to rule, it is not. */
static isocast_status check_law(const isocast_question *question, const isocast_place *bound,
                                isocast_growth_part *part) {
    static const double beside[] = {1 - 1e-3, 1 + 1e-3};
    double K = isocast_question_K(question->efficiency);
    for (size_t k = 0; k < 2 && part->depends_on_E && !isnan(part->law.factor); k++) {
        isocast_question other = *question;
        isocast_growth_part there;
        double own = K * beside[k];
        other.efficiency = own / (1 + own);
        isocast_status status = answer_with(&other, bound, ISOCAST_CELLS_PLAIN, &there);
        if (status != ISOCAST_OK) {
            return status;
        }
        double p = part->p_of_W + part->N_of_W * pow(part->law.factor * own, part->law.power);
        if (there.verdict != ISOCAST_GROWTH_PROVED || !isocast_exponents_equal(there.W.p, p) ||
            !isocast_exponents_equal(there.W.log_p, part->W.log_p) ||
            !isocast_exponents_equal(there.W.log_log_p, part->W.log_log_p)) {
            part->law = (isocast_balance_law){NAN, NAN};
        }
    }
    return ISOCAST_OK;
}

/* Answers one question for all N beyond those of a bound (NULL: from the smallest on). What a
 * closer look leaves open is reported as the first look saw it. */
static isocast_status answer(const isocast_question *question, const isocast_place *bound,
                             isocast_growth_part *part) {
    isocast_status status = answer_with(question, bound, ISOCAST_CELLS_PLAIN, part);
    bool decided = part->verdict != ISOCAST_GROWTH_UNDECIDED;
    bool holds = part->verdict == ISOCAST_GROWTH_PROVED || part->verdict == ISOCAST_GROWTH_FREE;
    if (status == ISOCAST_OK &&
        (!decided || (holds && part->falls_later == ISOCAST_GROWTH_NOT_CERTAIN))) {
        isocast_growth_part closer;
        status = answer_with(question, bound, ISOCAST_CELLS_CLOSE, &closer);
        bool better = !decided || closer.falls_later != ISOCAST_GROWTH_NOT_CERTAIN;
        if (status == ISOCAST_OK && closer.verdict != ISOCAST_GROWTH_UNDECIDED && better) {
            *part = closer;
        }
    }
    return status == ISOCAST_OK ? check_law(question, bound, part) : status;
}

/* From where on a bound holds: it must do so for all N that are larger, and for no smaller ones. */
static isocast_status answer_bound(const isocast_question *question, isocast_growth_part *part,
                                   isocast_place *at) {
    isocast_cells cells = {0};
    isocast_status status =
        isocast_cells_find(isocast_question_make, question, NULL, ISOCAST_CELLS_CLOSE, &cells);
    *part = undecided(NULL);
    size_t first = 0;
    while (first < cells.count && cells.items[first].sign < 0) {
        first++;
    }
    size_t end = first;
    /* p itself is enough, as of min(N, p). */
    while (end < cells.count && (cells.items[end].sign > 0 || cells.items[end].is_zero)) {
        end++;
    }
    if (status != ISOCAST_OK) {
        /* Nothing is known. */
    } else if (end < cells.count) {
        part->reason = cells.items[end].sign < 0         ? "it falls below p again as N grows"
                       : cells.items[end].reason != NULL ? cells.items[end].reason
                                                         : "the bound is not known";
    } else if (first == 0) {
        part->verdict = ISOCAST_GROWTH_FREE;
    } else if (first == end) {
        part->verdict = ISOCAST_GROWTH_UNSCALABLE;
        part->reason = "it stays below p at every N that is a polynomial of p";
    } else if (place_between(&cells.items[first - 1], &cells.items[first], at)) {
        status = order_at(question->request, at, part);
    } else {
        part->reason = "the order lies between two orders of the class";
    }
    part->at_bound = ISOCAST_GROWTH_YES;
    isocast_cells_free(&cells);
    return status;
}

/* Both bounds, and the places from which on the first holds, and both do. */
static isocast_status find_bounds(isocast_question question, isocast_growth *growth, bool *known,
                                  isocast_place *with_work, isocast_place *bound) {
    isocast_place other;
    question.kind = ISOCAST_QUESTION_PROCESSES;
    isocast_status status = answer_bound(&question, &growth->processes, with_work);
    *known = growth->processes.verdict == ISOCAST_GROWTH_PROVED;
    *bound = *with_work;
    growth->concurrency = undecided(NULL);
    growth->has_concurrency = question.request->algorithm->concurrency != NULL;
    if (status != ISOCAST_OK || !growth->has_concurrency) {
        return status;
    }
    question.kind = ISOCAST_QUESTION_CONCURRENCY;
    status = answer_bound(&question, &growth->concurrency, &other);
    *known = *known && (growth->concurrency.verdict == ISOCAST_GROWTH_PROVED ||
                        growth->concurrency.verdict == ISOCAST_GROWTH_FREE);
    if (growth->concurrency.verdict == ISOCAST_GROWTH_PROVED &&
        isocast_place_compare(&other, bound) > 0) {
        *bound = other;
    }
    return status;
}

/* Why nothing is proved where the bounds are not known. */
static const char *reason_of_bounds(const isocast_growth *growth) {
    switch (growth->processes.verdict) {
    case ISOCAST_GROWTH_PROVED:
        return growth->concurrency.reason;
    case ISOCAST_GROWTH_FREE:
        return "W is above p at every N, and no rule is known for that";
    case ISOCAST_GROWTH_UNSCALABLE:
        return "W stays below p at every N that is a polynomial of p";
    default:
        return "how the work grows with N is not known";
    }
}

/* What all together need, beyond the bounds. */
static isocast_status find_whole(isocast_question question, isocast_growth *growth, bool known,
                                 const isocast_place *bound) {
    question.kind = ISOCAST_QUESTION_WHOLE;
    if (!known) {
        bool stuck =
            growth->has_concurrency && growth->concurrency.verdict == ISOCAST_GROWTH_UNSCALABLE;
        growth->whole = undecided(reason_of_bounds(growth));
        if (stuck) {
            growth->whole.verdict = ISOCAST_GROWTH_UNSCALABLE;
            growth->whole.at_bound = ISOCAST_GROWTH_NO;
            growth->whole.reason =
                "the processes that can work stay below p at every N that is a polynomial of p";
        }
        return ISOCAST_OK;
    }
    isocast_status status = answer(&question, bound, &growth->whole);
    if (status == ISOCAST_OK && growth->whole.verdict == ISOCAST_GROWTH_FREE) {
        /* The bounds alone rule. */
        status = order_at(question.request, bound, &growth->whole);
    }
    return status;
}

/* The order over p of what `make` gives, at a place; NAN where it is not known. */
static isocast_status order_of(const isocast_costs_request *request, const isocast_place *place,
                               isocast_series (*make)(isocast_costs *), isocast_growth_order *out) {
    isocast_path path = isocast_question_path(place, 0);
    isocast_costs costs;
    isocast_status status = isocast_costs_create(request, &path, &costs);
    isocast_series_lead lead = {0};
    *out = (isocast_growth_order){NAN, NAN, NAN};
    if (status == ISOCAST_OK && isocast_series_find_lead(&costs.room, make(&costs), &lead) &&
        lead.sign > 0) {
        const isocast_monomial *m = &lead.monomial;
        *out = (isocast_growth_order){m->p + place->x * m->N, m->log_p + m->log_N + place->y * m->N,
                                      m->log_log + m->log_log_N + place->w * m->N};
    }
    isocast_costs_free(&costs);
    return status;
}

/* a b^power. */
static isocast_growth_order times(const isocast_growth_order *a, const isocast_growth_order *b,
                                  double power) {
    return (isocast_growth_order){a->p + power * b->p, a->log_p + power * b->log_p,
                                  a->log_log_p + power * b->log_log_p};
}

/* What goes with W where E is held. */
static isocast_status find_along(const isocast_costs_request *request,
                                 const isocast_growth_part *whole, isocast_growth_along *out) {
    static const isocast_growth_order processes = {1, 0, 0};
    const isocast_place place = {whole->N.p, whole->N.log_p, whole->N.log_log_p};
    out->T = times(&whole->W, &processes, -1);
    out->psi = times(&processes, &whole->W, -1);
    return request->algorithm->memory != NULL
               ? order_of(request, &place, isocast_costs_memory, &out->memory)
               : ISOCAST_OK;
}

/* The least T of a fixed W. What falls over p is its order up to where what rises is as large, or
 * to the bound, and from there on T is no less. */
static isocast_status find_least(isocast_question question, const isocast_place *bound,
                                 isocast_growth_along *out) {
    isocast_cells cells = {0};
    isocast_growth_part part = undecided(NULL);
    isocast_growth_order T = {NAN, NAN, NAN};
    isocast_place at = *bound;
    size_t first = 0;
    bool found = false;
    question.kind = ISOCAST_QUESTION_FALLING;
    isocast_status status =
        isocast_cells_find(isocast_question_make, &question, NULL, ISOCAST_CELLS_CLOSE, &cells);
    bool falls = status == ISOCAST_OK && cells.count > 0 && cells.items[0].sign > 0;
    if (status == ISOCAST_OK && !falls) {
        status = find_crossing(&question, &cells, &first, &part, &found, &at);
    }
    isocast_cells_free(&cells);
    out->least_by_bound = falls || (found && isocast_place_compare(&at, bound) <= 0);
    at = out->least_by_bound ? *bound : at;
    if (status == ISOCAST_OK && (falls || found)) {
        status = order_at(question.request, &at, &part);
    }
    if (status == ISOCAST_OK && part.verdict == ISOCAST_GROWTH_PROVED && part.W.p > 0) {
        status = order_of(question.request, &at, isocast_costs_time, &T);
        /* p = W^(1/a) log^(-b/a) W where W = p^a log^b p. */
        out->least_p = (isocast_growth_order){1 / part.W.p, -part.W.log_p / part.W.p,
                                              -part.W.log_log_p / part.W.p};
        out->least_T = (isocast_growth_order){0, T.log_p, T.log_log_p};
        out->least_T = times(&out->least_T, &out->least_p, T.p - 1);
    }
    return status;
}

static bool same_order(const isocast_growth_order *a, const isocast_growth_order *b) {
    return isocast_exponents_equal(a->p, b->p) && isocast_exponents_equal(a->log_p, b->log_p) &&
           isocast_exponents_equal(a->log_log_p, b->log_log_p);
}

bool isocast_growth_part_rules(const isocast_growth *growth, const isocast_growth_part *part) {
    switch (growth->whole.verdict) {
    case ISOCAST_GROWTH_PROVED:
        return part->verdict == ISOCAST_GROWTH_PROVED && same_order(&part->W, &growth->whole.W);
    case ISOCAST_GROWTH_CAPPED:
    case ISOCAST_GROWTH_UNSCALABLE:
    case ISOCAST_GROWTH_FALLING:
        /* Any part that holds E nowhere decides it, for whichever of these reasons. */
        return part->verdict == ISOCAST_GROWTH_CAPPED ||
               part->verdict == ISOCAST_GROWTH_UNSCALABLE ||
               part->verdict == ISOCAST_GROWTH_FALLING;
    case ISOCAST_GROWTH_FREE:
    case ISOCAST_GROWTH_UNDECIDED:
        break;
    }
    return false;
}

void isocast_growth_free(isocast_growth *growth) {
    if (growth != NULL) {
        free(growth->terms);
        free(growth);
    }
}

isocast_status isocast_growth_find(const isocast_costs_request *request, double efficiency,
                                   isocast_growth **out) {
    isocast_growth *growth = calloc(1, sizeof *growth);
    if (growth == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    growth->efficiency = efficiency;
    growth->K = isocast_question_K(efficiency);
    growth->mixed = request->system->count > 1;
    growth->term_count = request->algorithm->overhead_count;
    growth->terms = calloc(growth->term_count + 1, sizeof *growth->terms);
    isocast_question question = {
        .request = request, .efficiency = efficiency, .premises = &growth->premises};
    bool known = false;
    isocast_place with_work = {0};
    isocast_place bound = {0};
    isocast_status status = growth->terms == NULL
                                ? ISOCAST_NO_MEMORY
                                : find_bounds(question, growth, &known, &with_work, &bound);
    if (status == ISOCAST_OK) {
        status = find_whole(question, growth, known, &bound);
    }
    static const isocast_growth_order unknown = {NAN, NAN, NAN};
    growth->along = (isocast_growth_along){unknown, unknown, unknown, unknown, unknown, false};
    if (status == ISOCAST_OK && growth->whole.verdict == ISOCAST_GROWTH_PROVED) {
        status = find_along(request, &growth->whole, &growth->along);
    }
    if (status == ISOCAST_OK && known) {
        status = find_least(question, &bound, &growth->along);
    }
    /* What is less than one flop for each process says nothing. */
    bool has_work = growth->processes.verdict == ISOCAST_GROWTH_PROVED;
    const isocast_place *from = has_work ? &with_work : NULL;
    if (status == ISOCAST_OK) {
        question.kind = ISOCAST_QUESTION_IDLE;
        status = answer(&question, from, &growth->idle);
    }
    question.kind = ISOCAST_QUESTION_ONE_TERM;
    for (size_t k = 0; k < growth->term_count && status == ISOCAST_OK; k++) {
        question.term = k;
        status = answer(&question, from, &growth->terms[k]);
    }
    if (status == ISOCAST_OK) {
        status = isocast_limit_of_E_far(request, &growth->limit_of_E);
    }
    if (status != ISOCAST_OK) {
        isocast_growth_free(growth);
        return status;
    }
    *out = growth;
    return ISOCAST_OK;
}
