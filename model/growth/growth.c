#include "growth.h"

#include <math.h>
#include <stdlib.h>

#include "limit.h"

/* Which inequality is asked for: its left side less its right one, so that above 0 holds. */
typedef enum question {
    WHOLE,      /* W/(E C_1) - p T */
    ONE_TERM,   /* W (1/E - 1)/C_1 - p T_k */
    IDLE,       /* W (1/E - 1)/C_1 - (p T_c - W/C_1) */
    PROCESSES,  /* W - p */
    CONCURRENCY /* concurrency - p */
} question;

typedef struct asked {
    const isocast_costs_request *request;
    double efficiency;
    question question;
    size_t term;
} asked;

/* The parts of an inequality that do and do not have the factor 1/K in front. */
static isocast_series left_side(isocast_costs *costs, const asked *a, double K) {
    isocast_series_room *room = &costs->room;
    isocast_series work = isocast_costs_work(costs);
    double ideal = 1 / isocast_costs_speed(costs);
    isocast_series sum = isocast_series_zero();
    switch (a->question) {
    case WHOLE:
        sum = isocast_series_add(room, sum, work, ideal);
        sum = isocast_series_add(room, sum, isocast_costs_time(costs), -1);
        break;
    case ONE_TERM:
        sum = isocast_series_add(room, sum, isocast_costs_term(costs, a->term), -1);
        break;
    case IDLE:
        sum = isocast_series_add(room, sum, isocast_costs_compute(costs), -1);
        sum = isocast_series_add(room, sum, work, ideal);
        break;
    case PROCESSES:
        return isocast_series_add(room, work, isocast_costs_processes(costs), -1);
    case CONCURRENCY:
        return isocast_series_add(room, isocast_costs_concurrency(costs),
                                  isocast_costs_processes(costs), -1);
    }
    return isfinite(K) ? isocast_series_add(room, sum, work, ideal / K) : sum;
}

static double K_of(double efficiency) {
    return efficiency / (1 - efficiency);
}

static isocast_status make(const void *context, const isocast_path *path, isocast_series_lead *lead,
                           isocast_series_room *told) {
    const asked *a = context;
    isocast_costs costs;
    isocast_status status = isocast_costs_create(a->request, path, &costs);
    if (status == ISOCAST_OK) {
        isocast_series sum = left_side(&costs, a, K_of(a->efficiency));
        isocast_series_find_sign(&costs.room, sum, lead);
        *told = costs.room;
        told->chunks = NULL;
        status = costs.room.problem == ISOCAST_SERIES_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    isocast_costs_free(&costs);
    return status;
}

/* What was found of an inequality: where it begins to hold, and where it ends to. */
typedef struct crossing {
    bool found;
    isocast_place at;
    bool at_E; /* the terms balance at this x alone, which E moves */
} crossing;

static isocast_growth_part undecided(const char *reason) {
    return (isocast_growth_part){.verdict = ISOCAST_GROWTH_UNDECIDED,
                                 .W = {NAN, NAN, NAN},
                                 .N = {NAN, NAN, NAN},
                                 .lost = {NAN, NAN, NAN},
                                 .factor = NAN,
                                 .power = NAN,
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

/* Series at x where leading terms cancel, with what multiplies 1/K apart: S1/K + S2. */
typedef struct balance {
    isocast_costs costs;
    isocast_series with_K, without_K;
    isocast_series sum;
    isocast_series_lead lead;
} balance;

static isocast_status balance_make(const asked *a, const isocast_path *path, balance *out) {
    double K = K_of(a->efficiency);
    isocast_status status = isocast_costs_create(a->request, path, &out->costs);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_series_room *room = &out->costs.room;
    isocast_series ideal = isocast_series_number(room, 1 / isocast_costs_speed(&out->costs));
    out->with_K = isocast_series_multiply(room, isocast_costs_work(&out->costs), ideal);
    out->without_K = left_side(&out->costs, a, INFINITY);
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
            *exact = *exact && term->low == term->high;
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

/* x as (factor K)^power: where one leading term alone has the factor 1/K, and one other has not. */
static void power_of_K(balance *b, isocast_growth_part *part) {
    isocast_series_room *room = &b->costs.room;
    const isocast_series_term *one[2] = {NULL, NULL};
    const isocast_series sides[2] = {b->with_K, b->without_K};
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
        part->factor = -one[1]->low / one[0]->low;
        part->power = 1 / apart;
    }
}

/* Where the leading terms cancel at one x: N = Theta(p^x log^y p), as N = s p^x makes a difference
 * of s' ln s/ln p of them. */
static isocast_status resolve_balance(const asked *a, const isocast_cell *cell,
                                      isocast_growth_part *part, crossing *out) {
    double x = cell->path.at[0];
    double y = 0;
    *out = (crossing){0};
    for (int round = 0; round < 2; round++) {
        isocast_path path = {.known = ISOCAST_PATH_LEVELS, .at = {x, y, 0, 1}};
        balance b = {.lead = {0}};
        isocast_status status = balance_make(a, &path, &b);
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
                power_of_K(&b, part);
                *out = (crossing){.found = true, .at = {x, y, 0}, .at_E = true};
            }
        }
        isocast_costs_free(&b.costs);
        if (status != ISOCAST_OK || !small) {
            return status;
        }
    }
    return ISOCAST_OK;
}

/* Whether the place is where terms cancel at one x, some of which have the factor 1/K: then E moves
 * it. */
static isocast_status note_E(const asked *a, const isocast_place *at, isocast_growth_part *part,
                             bool *depends) {
    isocast_path path = {.known = ISOCAST_PATH_LEVELS, .at = {at->x, at->y, at->w, 1}};
    balance b = {.lead = {0}};
    isocast_status status = balance_make(a, &path, &b);
    *depends = false;
    if (status == ISOCAST_OK && !isocast_series_failed(&b.costs.room) && b.lead.is_balanced) {
        for (size_t k = 0; k < b.with_K.count; k++) {
            *depends =
                *depends || isocast_series_is_leading(&b.costs.room, &b.with_K.terms[k], &b.lead);
        }
        if (*depends) {
            power_of_K(&b, part);
        }
    }
    isocast_costs_free(&b.costs);
    return status;
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
static isocast_status verdict_beyond(const asked *a, const isocast_cell *last,
                                     isocast_growth_part *part) {
    isocast_costs costs;
    isocast_status status = isocast_costs_create(a->request, &last->path, &costs);
    isocast_series_lead lead = {0};
    isocast_series_lead work = {0};
    bool known = false;
    if (status == ISOCAST_OK) {
        isocast_series_room *room = &costs.room;
        known = isocast_series_find_lead(room, left_side(&costs, a, K_of(a->efficiency)), &lead) &&
                isocast_series_find_lead(room, isocast_costs_work(&costs), &work) &&
                lead.sign < 0 && work.sign > 0;
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
    bool same_log_N = isocast_exponents_equal(ratio.log_N, 0);
    bool same_log = isocast_exponents_equal(ratio.log_p + ratio.log_N, 0);
    bool falls = same_N ? same_p && !same_log_N && ratio.log_N > 0 : ratio.N > 0;
    part->verdict = same_N && same_p && same_log ? ISOCAST_GROWTH_CAPPED
                    : falls                      ? ISOCAST_GROWTH_FALLING
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
static isocast_status find_crossing(const asked *a, const isocast_cells *cells, size_t *first,
                                    isocast_growth_part *part, crossing *out) {
    *out = (crossing){0};
    size_t k = *first;
    while (k < cells->count && cells->items[k].sign < 0) {
        k++;
    }
    *first = k;
    if (k == cells->count) {
        return ISOCAST_OK;
    }
    const isocast_cell *cell = &cells->items[k];
    if (cell->sign > 0) {
        out->found = k > 0 && place_between(&cells->items[k - 1], cell, &out->at);
        part->reason = out->found ? NULL : "the order lies between two orders of the class";
        return out->found ? note_E(a, &out->at, part, &out->at_E) : ISOCAST_OK;
    }
    isocast_status status = ISOCAST_OK;
    if (cell->is_balanced) {
        *first = behind_balance(cells, k);
        part->reason = "at this E two terms are in balance, and what decides is not known";
        if (*first < cells->count && cells->items[*first].sign > 0) {
            status = resolve_balance(a, cell, part, out);
        }
    } else {
        part->reason = cell->is_zero ? "E is the wanted one for all N" : cell->reason;
    }
    part->reason = out->found ? NULL : part->reason;
    return status;
}

/* Whether it holds from cell `first` on for all N; else *lost gets where it ends to. */
static bool holds_on(const isocast_cells *cells, size_t first, bool *known, isocast_place *lost) {
    *known = true;
    for (size_t k = first; k < cells->count; k++) {
        if (cells->items[k].sign > 0) {
            continue;
        }
        *known = cells->items[k].sign < 0 && k > 0 &&
                 place_between(&cells->items[k - 1], &cells->items[k], lost);
        return false;
    }
    return true;
}

static isocast_status note_loss(const asked *a, const isocast_cells *cells, size_t first,
                                isocast_growth_part *part) {
    bool known;
    isocast_place lost;
    if (holds_on(cells, first, &known, &lost)) {
        return ISOCAST_OK;
    }
    part->falls_later = true;
    isocast_growth_part there = undecided(NULL);
    isocast_status status = known ? order_at(a->request, &lost, &there) : ISOCAST_OK;
    part->lost = there.W;
    return status;
}

static isocast_status answer_with(const asked *a, const isocast_place *from,
                                  isocast_cells_care care, isocast_growth_part *part,
                                  isocast_place *at) {
    isocast_cells cells = {0};
    isocast_status status = isocast_cells_find(make, a, from, care, &cells);
    *part = undecided(NULL);
    if (status == ISOCAST_OK && cells.count > 0 && cells.items[0].sign > 0) {
        part->verdict = ISOCAST_GROWTH_FREE;
        status = note_loss(a, &cells, 1, part);
    } else if (status == ISOCAST_OK) {
        size_t first = 0;
        crossing found;
        status = find_crossing(a, &cells, &first, part, &found);
        if (status == ISOCAST_OK && found.found) {
            bool below = from != NULL && isocast_place_compare(&found.at, from) < 0;
            found.at = below ? *from : found.at;
            *at = found.at;
            part->depends_on_E = found.at_E;
            status = order_at(a->request, &found.at, part);
            if (status == ISOCAST_OK && part->verdict == ISOCAST_GROWTH_PROVED) {
                status = note_loss(a, &cells, first, part);
            }
        } else if (status == ISOCAST_OK && part->reason == NULL) {
            status = verdict_beyond(a, &cells.items[cells.count - 1], part);
        }
    }
    isocast_cells_free(&cells);
    return status;
}

/* Answers one question for all N from a place on (NULL: from the smallest on). What is told of an
 * answer that is not known is what the first look told. */
static isocast_status answer(const asked *a, const isocast_place *from, isocast_growth_part *part,
                             isocast_place *at) {
    isocast_status status = answer_with(a, from, ISOCAST_CELLS_PLAIN, part, at);
    if (status != ISOCAST_OK || part->verdict != ISOCAST_GROWTH_UNDECIDED) {
        return status;
    }
    isocast_growth_part closer;
    isocast_place there;
    status = answer_with(a, from, ISOCAST_CELLS_CLOSE, &closer, &there);
    if (status == ISOCAST_OK && closer.verdict != ISOCAST_GROWTH_UNDECIDED) {
        *part = closer;
        *at = there;
    }
    return status;
}

/* Where a bound begins to hold for good. */
static isocast_status answer_bound(const asked *a, isocast_growth_part *part, isocast_place *at) {
    isocast_cells cells = {0};
    isocast_status status = isocast_cells_find(make, a, NULL, ISOCAST_CELLS_CLOSE, &cells);
    *part = undecided("the bound is not known");
    size_t last = cells.count;
    while (status == ISOCAST_OK && last > 0 && cells.items[last - 1].sign > 0) {
        last--;
    }
    if (status == ISOCAST_OK && last == 0 && cells.count > 0) {
        part->verdict = ISOCAST_GROWTH_FREE;
        part->reason = NULL;
    } else if (status == ISOCAST_OK && last < cells.count && cells.items[last - 1].sign < 0 &&
               place_between(&cells.items[last - 1], &cells.items[last], at)) {
        part->reason = NULL;
        status = order_at(a->request, at, part);
    } else if (status == ISOCAST_OK && last == cells.count && last > 0 &&
               cells.items[last - 1].sign < 0) {
        part->verdict = ISOCAST_GROWTH_UNSCALABLE;
        part->reason = "it stays below p, however large N is";
    } else if (status == ISOCAST_OK && last > 0 && cells.items[last - 1].reason != NULL) {
        part->reason = cells.items[last - 1].reason;
    }
    isocast_cells_free(&cells);
    return status;
}

/* Both bounds, and the places from which on the first holds, and both do. */
static isocast_status find_bounds(asked a, isocast_growth *growth, bool *known,
                                  isocast_place *with_work, isocast_place *floor) {
    isocast_place other;
    a.question = PROCESSES;
    isocast_status status = answer_bound(&a, &growth->processes, with_work);
    *known = growth->processes.verdict == ISOCAST_GROWTH_PROVED;
    *floor = *with_work;
    growth->concurrency = undecided(NULL);
    growth->has_concurrency = a.request->algorithm->concurrency != NULL;
    if (status != ISOCAST_OK || !growth->has_concurrency) {
        return status;
    }
    a.question = CONCURRENCY;
    status = answer_bound(&a, &growth->concurrency, &other);
    *known = *known && (growth->concurrency.verdict == ISOCAST_GROWTH_PROVED ||
                        growth->concurrency.verdict == ISOCAST_GROWTH_FREE);
    if (growth->concurrency.verdict == ISOCAST_GROWTH_PROVED &&
        isocast_place_compare(&other, floor) > 0) {
        *floor = other;
    }
    return status;
}

/* What all together need, beyond the bounds. */
static isocast_status find_whole(asked a, isocast_growth *growth, bool known,
                                 const isocast_place *floor) {
    isocast_place at;
    a.question = WHOLE;
    if (!known) {
        bool stuck =
            growth->has_concurrency && growth->concurrency.verdict == ISOCAST_GROWTH_UNSCALABLE;
        growth->whole = undecided(growth->processes.verdict != ISOCAST_GROWTH_PROVED
                                      ? "how the work grows with N is not known"
                                      : growth->concurrency.reason);
        if (stuck) {
            growth->whole.verdict = ISOCAST_GROWTH_UNSCALABLE;
            growth->whole.reason = "the processes that can work stay below p, however large N is";
        }
        return ISOCAST_OK;
    }
    isocast_status status = answer(&a, floor, &growth->whole, &at);
    if (status == ISOCAST_OK && growth->whole.verdict == ISOCAST_GROWTH_FREE) {
        /* The bounds alone rule. */
        isocast_growth_part whole = growth->whole;
        status = order_at(a.request, floor, &whole);
        growth->whole = whole;
    }
    return status;
}

/* Whether formulas have a grid of processes. */
static isocast_status find_grids(const asked *a, isocast_growth *growth) {
    isocast_path path = {.low = 1, .high = INFINITY};
    isocast_costs costs;
    isocast_status status = isocast_costs_create(a->request, &path, &costs);
    if (status == ISOCAST_OK) {
        isocast_costs_work(&costs);
        for (size_t k = 0; k < a->request->algorithm->overhead_count; k++) {
            isocast_costs_term(&costs, k);
            costs.room.problem = ISOCAST_SERIES_KNOWN;
        }
        isocast_costs_compute(&costs);
        growth->squares = costs.room.squares;
        growth->cubes = costs.room.cubes;
    }
    isocast_costs_free(&costs);
    return status;
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
    growth->K = K_of(efficiency);
    growth->mixed = request->system->count > 1;
    growth->term_count = request->algorithm->overhead_count;
    growth->terms = calloc(growth->term_count + 1, sizeof *growth->terms);
    asked a = {.request = request, .efficiency = efficiency};
    bool known = false;
    isocast_place with_work = {0};
    isocast_place floor = {0};
    isocast_place ignored;
    isocast_status status = growth->terms == NULL
                                ? ISOCAST_NO_MEMORY
                                : find_bounds(a, growth, &known, &with_work, &floor);
    if (status == ISOCAST_OK) {
        status = find_whole(a, growth, known, &floor);
    }
    /* What is less than one flop for each process tells nothing. */
    bool has_work = growth->processes.verdict == ISOCAST_GROWTH_PROVED;
    const isocast_place *from = has_work ? &with_work : NULL;
    if (status == ISOCAST_OK) {
        a.question = IDLE;
        status = answer(&a, from, &growth->idle, &ignored);
    }
    for (size_t k = 0; k < growth->term_count && status == ISOCAST_OK; k++) {
        a.question = ONE_TERM;
        a.term = k;
        status = answer(&a, from, &growth->terms[k], &ignored);
    }
    if (status == ISOCAST_OK) {
        status = isocast_limit_of_E_far(request, &growth->limit_of_E);
    }
    if (status == ISOCAST_OK) {
        status = find_grids(&a, growth);
    }
    if (status != ISOCAST_OK) {
        isocast_growth_free(growth);
        return status;
    }
    *out = growth;
    return ISOCAST_OK;
}
