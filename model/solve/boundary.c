/* Branch and bound from one end of the range on: a piece is left where an enclosure excludes that
 * the level is met, halved to neighbouring numbers where the value only rises or only falls, and
 * else cut in two, at a place where a formula switches if there is one. */
#include "boundary.h"

#include <math.h>
#include <stdlib.h>

#include "model/formula/form.h"
#include "model/formula/pieces.h"
#include "solution.h"

/* Near the largest number: where the size's max does not end the range. */
static const double largest_N = 1e300;

enum { REST_POINTS = 641 /* where nothing can be proved */ };

/* What proofs may take of the effort; the rest is for looking at what they leave. */
static const double proofs_share = 0.5;
/* Pieces that are relatively narrower are not cut further. */
static const double narrowest = 1e-12;
/* A value that is relatively farther from the level does not reach it inside such a piece. */
static const double far = 2e-11;
/* Numbers that are nearer to each other differ by rounding alone. */
static const double rounding = 1e-12;

typedef struct search {
    const isocast_boundary_request *request;
    isocast_effort *effort;
    isocast_enclosure *enclosure;
    isocast_pieces pieces; /* from the end of the range on at which the search begins */
    isocast_boundary *out;
    isocast_status status;
} search;

static bool is_of_times(isocast_bounded quantity) {
    return quantity == ISOCAST_BOUNDED_WORK || quantity == ISOCAST_BOUNDED_TIME;
}

/* NAN where there is no value, or where its sums are not known. */
static double value_at(search *s, double N) {
    const isocast_boundary_request *r = s->request;
    double found = NAN;
    isocast_model_results results = {
        .given_W = r->quantity == ISOCAST_BOUNDED_WORK ? &found : NULL,
        .T = r->quantity == ISOCAST_BOUNDED_TIME ? &found : NULL,
        .memory = r->quantity == ISOCAST_BOUNDED_MEMORY ? &found : NULL,
        .concurrency = r->quantity == ISOCAST_BOUNDED_CONCURRENCY ? &found : NULL};
    isocast_status status =
        isocast_model_evaluate_at(r->model, r->system, r->other_sizes, N, s->effort, &results);
    s->status = status != ISOCAST_OK ? status : s->status;
    bool known = !is_of_times(r->quantity) || results.sum_error <= ISOCAST_SUM_ERROR_MAX;
    return status == ISOCAST_OK && known ? found : NAN;
}

/* The value less the level over a piece; false where it has too many terms. */
static bool enclose(search *s, const isocast_piece *p, isocast_form *difference) {
    static const size_t first_output[] = {[ISOCAST_BOUNDED_WORK] = ISOCAST_MODEL_WORK,
                                          [ISOCAST_BOUNDED_TIME] = ISOCAST_MODEL_COMPUTE,
                                          [ISOCAST_BOUNDED_MEMORY] = ISOCAST_MODEL_MEMORY,
                                          [ISOCAST_BOUNDED_CONCURRENCY] =
                                              ISOCAST_MODEL_CONCURRENCY};
    const isocast_boundary_request *r = s->request;
    isocast_status status =
        isocast_enclosure_enter(s->enclosure, fmin(p->from, p->to), fmax(p->from, p->to));
    if (status != ISOCAST_OK) {
        s->status = status;
        return false;
    }
    size_t first = first_output[r->quantity];
    size_t terms =
        r->quantity == ISOCAST_BOUNDED_TIME ? isocast_model_algorithm(r->model)->overhead_count : 0;
    isocast_form_constant(difference, -r->level);
    bool known = true;
    for (size_t o = first; o <= first + terms && known; o++) {
        known = isocast_form_add(difference, isocast_enclosure_output(s->enclosure, o), 1, 1);
    }
    return known;
}

static bool holds(const search *s, double value) {
    return s->request->kind == ISOCAST_BOUNDARY_FIRST_AT_LEAST ? value >= s->request->level
                                                               : value <= s->request->level;
}

static void find_at(search *s, double N) {
    s->out->N = N;
    s->out->looked_to = N;
    s->pieces.count = 0;
}

/* The level is met at `far` and not at `near`, and once in between. */
static void close_in(search *s, double near, double far_end) {
    for (;;) {
        double middle = isocast_middle(near, far_end);
        if (middle == near || middle == far_end) {
            break;
        }
        if (holds(s, value_at(s, middle))) {
            far_end = middle;
        } else {
            near = middle;
        }
    }
    find_at(s, far_end);
}

static void cut(search *s, const isocast_piece *p) {
    double switch_at[2];
    bool switches = isocast_enclosure_switch(s->enclosure, switch_at);
    isocast_pieces_cut(&s->pieces, p->from, p->to, switches ? switch_at : NULL);
}

/* What is proved of a piece whose near end does not meet the level. */
enum { NOTHING_PROVED, NEVER_MET, MET_ONCE_AT_MOST };

static int prove(search *s, const isocast_piece *p) {
    isocast_form difference;
    if (!enclose(s, p, &difference)) {
        return NOTHING_PROVED;
    }
    isocast_form_ranges ranges = isocast_enclosure_ranges(s->enclosure);
    isocast_form_verdict verdict = isocast_form_judge(&difference, &ranges, s->effort);
    int missing = s->request->kind == ISOCAST_BOUNDARY_FIRST_AT_LEAST ? -1 : 1;
    if (verdict.has_no_zero) {
        return verdict.sign == 0 || verdict.sign == missing ? NEVER_MET : NOTHING_PROVED;
    }
    return verdict.has_one_zero_at_most ? MET_ONCE_AT_MOST : NOTHING_PROVED;
}

/* A piece too narrow to cut: it is reported by its ends. */
static void look_at_ends(search *s, const isocast_piece *p, double at_near, double at_far) {
    if (holds(s, at_far)) {
        close_in(s, p->from, p->to);
    } else if (!(fabs(at_near - s->request->level) > far * fabs(s->request->level) &&
                 fabs(at_far - s->request->level) > far * fabs(s->request->level))) {
        s->out->complete = false;
    }
}

/* What is left when the proofs have cost too much: many points, and the first at which the level is
 * met. */
static void sample_rest(search *s, double near, double end) {
    s->out->complete = false;
    s->pieces.count = 0;
    double step = log(end / near) / (REST_POINTS - 1);
    double before = near;
    for (size_t k = 1; k < REST_POINTS && s->status == ISOCAST_OK; k++) {
        double N = k == REST_POINTS - 1 ? end : near * exp(step * (double)k);
        if (holds(s, value_at(s, N))) {
            close_in(s, before, N);
            return;
        }
        before = N;
        if (isocast_effort_is_spent(s->effort)) {
            s->out->looked_to = N;
            return;
        }
    }
}

static void visit(search *s, const isocast_piece *p) {
    double at_near = value_at(s, p->from);
    if (holds(s, at_near)) {
        find_at(s, p->from);
        return;
    }
    double at_far = value_at(s, p->to);
    if (fabs(p->to - p->from) <= narrowest * fmin(p->from, p->to)) {
        look_at_ends(s, p, at_near, at_far);
        return;
    }
    switch (prove(s, p)) {
    case NEVER_MET:
        if (holds(s, at_far)) {
            /* Numbers contradict the proof where they are too large for their fractions. */
            s->out->complete = false;
            close_in(s, p->from, p->to);
        }
        break;
    case MET_ONCE_AT_MOST:
        if (holds(s, at_far)) {
            close_in(s, p->from, p->to);
        } else if (isnan(at_far)) {
            /* The bounds say nothing of where there is no value, such as a T of 0. */
            cut(s, p);
        }
        break;
    default:
        cut(s, p);
        break;
    }
}

static void search_range(search *s, double begin, double end) {
    isocast_effort *effort = s->effort;
    double proofs_end = effort->left * (1 - proofs_share);
    s->out->looked_to = end;
    isocast_pieces_add(&s->pieces, (isocast_piece){begin, end, false});
    while (s->pieces.count > 0 && s->status == ISOCAST_OK) {
        bool may_prove = effort->left >= proofs_end && isocast_pieces_have_room(&s->pieces);
        isocast_piece next = isocast_pieces_take(&s->pieces);
        if (!may_prove) {
            sample_rest(s, next.from, end);
            break;
        }
        /* Between the numbers of a switch there is none: the pieces beside it have both. */
        if (!next.is_switch) {
            visit(s, &next);
        }
    }
    s->out->at_end = s->out->N == begin;
}

/* A whole number next to N is taken where it is nearer than rounding, and so is its value to the
 * level. */
static void take_whole(search *s) {
    double N = s->out->N;
    double level = s->request->level;
    double whole = round(N);
    if (whole != N && fabs(whole - N) <= rounding * N &&
        fabs(value_at(s, whole) - level) <= 10 * rounding * fabs(level)) {
        s->out->N = whole;
    }
}

isocast_status isocast_boundary_find(const isocast_boundary_request *request,
                                     isocast_effort *effort, isocast_boundary *out) {
    const isocast_model *model = request->model;
    const isocast_size *size = &isocast_model_algorithm(model)->sizes[0];
    double low = fmax(fmax(size->min, 1), request->low);
    double high = fmax(low, fmin(fmin(size->max, largest_N), request->high));
    bool rises = request->kind == ISOCAST_BOUNDARY_FIRST_AT_LEAST;
    isocast_boundary found = {.N = NAN, .complete = true};
    search s = {.request = request, .effort = effort, .out = &found};
    s.status = isocast_model_enclosure(model,
                                       is_of_times(request->quantity) ? isocast_model_times(model)
                                                                      : isocast_model_bounds(model),
                                       request->system, request->other_sizes, effort, &s.enclosure);
    if (s.status == ISOCAST_OK) {
        s.status = isocast_pieces_create(&s.pieces);
    }
    if (s.status == ISOCAST_OK) {
        search_range(&s, rises ? low : high, rises ? high : low);
    }
    if (s.status == ISOCAST_OK && request->rounded) {
        take_whole(&s);
    }
    isocast_pieces_free(&s.pieces);
    isocast_enclosure_free(s.enclosure);
    if (s.status == ISOCAST_OK) {
        *out = found;
    }
    return s.status;
}
