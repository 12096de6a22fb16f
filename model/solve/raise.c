#include "raise.h"

#include <math.h>

#include "concurrency.h"
#include "held.h"

enum { ROUNDS_MAX = 16 };

/* What is held is at least the target where it is below by no more than this share; roots and
 * bounds that are as near to each other are one. */
static const double rounding = 1e-9;

typedef struct search {
    const isocast_solve_request *request;
    isocast_solution solution; /* of the range, or of its rest from some N on */
    isocast_raise *found;
    isocast_boundary bound; /* the last that was looked for */
} search;

/* A root, or a jump over the target. */
typedef struct event {
    double N; /* NAN: there is none */
    bool is_jump;
} event;

static isocast_status held_at(const search *s, double N, double *held) {
    const isocast_solve_request *r = s->request;
    isocast_model_points points = {.count = 1,
                                   .N = &N,
                                   .other_sizes = r->other_sizes,
                                   .systems = &r->system,
                                   .effort = r->effort};
    double sum_error;
    return isocast_held_evaluate(r->model, r->metric, &points, held, NULL, &sum_error);
}

static bool is_enough(const search *s, double held) {
    return held >= s->request->target * (1 - rounding);
}

static event first_event(const isocast_solution *solution, double beyond) {
    event next = {NAN, false};
    for (size_t k = solution->root_count; k-- > 0;) {
        next.N = solution->roots[k] > beyond ? solution->roots[k] : next.N;
    }
    if (solution->jump_N > beyond && !(solution->jump_N >= next.N)) {
        next = (event){solution->jump_N, true};
    }
    return next;
}

/* The next event beyond N. What a solution has left out is asked for again: it keeps one jump, and
 * so many roots. */
static isocast_status next_event(search *s, double N, event *out) {
    event first = first_event(&s->solution, 0);
    bool has_all = s->solution.complete && !s->solution.more_roots && isnan(s->solution.jump_N);
    isocast_status status = ISOCAST_OK;
    if (first.N <= N && !has_all) {
        isocast_solve_request rest = *s->request;
        isocast_effort lent = isocast_effort_lend(s->request->effort, 0.5);
        rest.from = nextafter(N, INFINITY);
        rest.effort = &lent;
        status = isocast_solve(&rest, &s->solution);
        isocast_effort_return(s->request->effort, &lent);
    }
    *out = status == ISOCAST_OK ? first_event(&s->solution, N) : first;
    return status;
}

/* The smallest N from `least` on at which all processes can work; false where there is none. */
static isocast_status find_bound(search *s, double least, bool *has) {
    const isocast_solve_request *r = s->request;
    double concurrency = 0;
    isocast_status status = isocast_concurrency_least_N(r->model, r->system, r->other_sizes, least,
                                                        r->effort, &s->bound);
    if (status == ISOCAST_OK && s->bound.N > least && s->bound.N <= least * (1 + rounding)) {
        status = isocast_concurrency_at(r->model, r->system, r->other_sizes, least, r->effort,
                                        &concurrency);
        /* What formulas such as N^(1/3) lack by rounding. */
        bool is_short = isocast_concurrency_is_short(concurrency, r->system->p);
        s->bound.N = is_short ? s->bound.N : least;
    }
    s->found->complete = s->found->complete && s->bound.complete;
    s->found->looked_to = s->bound.looked_to;
    *has = status == ISOCAST_OK && !isnan(s->bound.N);
    return status;
}

static isocast_status is_enough_at_bound(search *s, bool *enough) {
    double held = NAN;
    isocast_status status = held_at(s, s->bound.N, &held);
    *enough = is_enough(s, held);
    return status;
}

static void settle(search *s, isocast_raise_outcome outcome, double N, double N_efficiency) {
    s->found->outcome = outcome;
    s->found->N = N;
    s->found->N_efficiency = N_efficiency;
}

/* From event to event: all can work there, or from some N behind it on at which E may still be
 * above the target. A jump is taken where there is no root behind it. */
static isocast_status go_on(search *s, event at) {
    bool has = true;
    isocast_status status = ISOCAST_OK;
    settle(s, ISOCAST_RAISE_BELOW, NAN, NAN);
    for (int round = 0; round < ROUNDS_MAX && !isnan(at.N) && has && status == ISOCAST_OK;
         round++) {
        bool enough = false;
        bool has_jump = s->found->outcome == ISOCAST_RAISE_LATER;
        status = find_bound(s, at.N, &has);
        if (status == ISOCAST_OK && has && s->bound.N > at.N && !has_jump) {
            status = is_enough_at_bound(s, &enough);
        }
        if (enough) {
            settle(s, ISOCAST_RAISE_DONE, s->bound.N, at.N);
            return ISOCAST_OK;
        }
        if (has && s->bound.N == at.N && !(at.is_jump && has_jump)) {
            settle(s, ISOCAST_RAISE_LATER, at.N, NAN);
            s->found->is_jump = at.is_jump;
            if (!at.is_jump) {
                return ISOCAST_OK;
            }
        }
        if (status == ISOCAST_OK && has) {
            status = next_event(s, s->bound.N, &at);
        }
    }
    if (s->found->outcome == ISOCAST_RAISE_BELOW && !isnan(at.N)) {
        s->found->outcome = has ? ISOCAST_RAISE_BELOW : ISOCAST_RAISE_NONE;
        s->found->complete = s->found->complete && !has;
    }
    return status;
}

/* Whether E is below the target up to the first root, and all processes can work there, as mostly.
 */
static isocast_status is_plain(const search *s, double low, bool *plain) {
    const isocast_solve_request *r = s->request;
    event first = first_event(&s->solution, 0);
    double held = NAN;
    double concurrency = 0;
    *plain = false;
    if (isnan(first.N) || first.is_jump) {
        return ISOCAST_OK;
    }
    isocast_status status = held_at(s, low, &held);
    if (status == ISOCAST_OK && held < r->target) {
        status = isocast_concurrency_at(r->model, r->system, r->other_sizes, first.N, r->effort,
                                        &concurrency);
        *plain = !isocast_concurrency_is_short(concurrency, r->system->p);
    }
    return status;
}

isocast_status isocast_raise_find(const isocast_solve_request *request,
                                  const isocast_solution *solution, isocast_raise *out) {
    isocast_raise found = {.N = NAN, .N_efficiency = NAN, .complete = true, .looked_to = NAN};
    search s = {.request = request, .solution = *solution, .found = &found};
    double low = fmax(isocast_model_algorithm(request->model)->sizes[0].min, 1);
    bool plain;
    bool has = false;
    bool enough = false;
    isocast_status status = is_plain(&s, low, &plain);
    if (status == ISOCAST_OK && !plain) {
        status = find_bound(&s, low, &has);
        found.starts_short = !has || s.bound.N > low;
        found.outcome = has ? found.outcome : ISOCAST_RAISE_NONE;
    }
    if (status == ISOCAST_OK && has && found.starts_short) {
        status = is_enough_at_bound(&s, &enough);
    }
    if (status == ISOCAST_OK && has) {
        event first = first_event(solution, 0);
        bool is_behind = first.N <= s.bound.N * (1 + rounding);
        if (enough && !(is_behind && s.bound.N <= first.N * (1 + rounding))) {
            settle(&s, ISOCAST_RAISE_DONE, s.bound.N, is_behind ? first.N : low);
        } else if (found.starts_short && !enough) {
            status = next_event(&s, s.bound.N, &first);
            status = status == ISOCAST_OK ? go_on(&s, first) : status;
        } else if (!isnan(first.N)) {
            status = go_on(&s, first);
        }
    }
    if (status == ISOCAST_OK) {
        bool same = found.outcome == ISOCAST_RAISE_LATER && found.N == solution->N;
        found.outcome = same ? ISOCAST_RAISE_NOT_NEEDED : found.outcome;
        *out = found;
    }
    return status;
}
