/* Branch and bound from one end of the range on: a piece is left where an enclosure excludes that
 * the level is met, halved to neighbouring numbers where the value only rises or only falls, and
 * else cut in two, at a place where a formula switches if there is one. */
#include "boundary.h"

#include <math.h>

#include "model/formula/form_verdict.h"
#include "model/formula/pieces.h"

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
    isocast_curve *curve;
    isocast_boundary_kind kind;
    double level;
    isocast_pieces pieces; /* from the end of the range on at which the search begins */
    isocast_boundary *out;
    isocast_status status;
} search;

static double value_at(search *s, double N) {
    double value = NAN;
    isocast_status status = isocast_curve_value(s->curve, N, &value);
    s->status = status != ISOCAST_OK ? status : s->status;
    return value;
}

static bool holds(const search *s, double value) {
    return s->kind == ISOCAST_BOUNDARY_FIRST_AT_LEAST ? value >= s->level : value <= s->level;
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
    bool switches = isocast_enclosure_switch(isocast_curve_enclosure(s->curve), switch_at);
    isocast_pieces_cut(&s->pieces, p->from, p->to, switches ? switch_at : NULL);
}

/* What is proved of a piece whose near end does not meet the level. */
enum { NOTHING_PROVED, NEVER_MET, MET_ONCE_AT_MOST };

static int prove(search *s, const isocast_piece *p) {
    isocast_form difference;
    bool known;
    isocast_status status = isocast_curve_enclose(s->curve, s->level, fmin(p->from, p->to),
                                                  fmax(p->from, p->to), &difference, &known);
    s->status = status != ISOCAST_OK ? status : s->status;
    if (status != ISOCAST_OK || !known) {
        return NOTHING_PROVED;
    }
    isocast_form_ranges ranges = isocast_enclosure_ranges(isocast_curve_enclosure(s->curve));
    isocast_form_verdict verdict =
        isocast_form_judge(&difference, &ranges, isocast_curve_effort(s->curve));
    int missing = s->kind == ISOCAST_BOUNDARY_FIRST_AT_LEAST ? -1 : 1;
    if (verdict.has_no_zero) {
        return verdict.sign == 0 || verdict.sign == missing ? NEVER_MET : NOTHING_PROVED;
    }
    return verdict.has_one_zero_at_most ? MET_ONCE_AT_MOST : NOTHING_PROVED;
}

/* A piece too narrow to cut: it is told by its ends. */
static void look_at_ends(search *s, const isocast_piece *p, double at_near, double at_far) {
    if (holds(s, at_far)) {
        close_in(s, p->from, p->to);
    } else if (!(fabs(at_near - s->level) > far * fabs(s->level) &&
                 fabs(at_far - s->level) > far * fabs(s->level))) {
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
        if (isocast_effort_is_spent(isocast_curve_effort(s->curve))) {
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

isocast_status isocast_boundary_find(isocast_curve *curve, isocast_boundary_kind kind, double level,
                                     double low, double high, isocast_boundary *out) {
    isocast_boundary found = {.N = NAN, .complete = true};
    isocast_effort *effort = isocast_curve_effort(curve);
    bool rises = kind == ISOCAST_BOUNDARY_FIRST_AT_LEAST;
    double begin = rises ? low : high;
    double end = rises ? high : low;
    search s = {.curve = curve, .kind = kind, .level = level, .out = &found};
    s.status = isocast_pieces_create(&s.pieces);
    if (s.status != ISOCAST_OK) {
        return s.status;
    }
    double proofs_end = effort->left * (1 - proofs_share);
    found.looked_to = end;
    isocast_pieces_add(&s.pieces, (isocast_piece){begin, end, false});
    while (s.pieces.count > 0 && s.status == ISOCAST_OK) {
        bool may_prove = effort->left >= proofs_end && isocast_pieces_have_room(&s.pieces);
        isocast_piece next = isocast_pieces_take(&s.pieces);
        if (!may_prove) {
            sample_rest(&s, next.from, end);
            break;
        }
        /* Between the numbers of a switch there is none: the pieces beside it have both. */
        if (!next.is_switch) {
            visit(&s, &next);
        }
    }
    found.at_end = found.N == begin;
    isocast_pieces_free(&s.pieces);
    if (s.status == ISOCAST_OK) {
        *out = found;
    }
    return s.status;
}

isocast_status isocast_boundary_round(isocast_curve *curve, double level, double *N) {
    double whole = round(*N);
    if (whole == *N || fabs(whole - *N) > rounding * *N) {
        return ISOCAST_OK;
    }
    double value;
    isocast_status status = isocast_curve_value(curve, whole, &value);
    if (status == ISOCAST_OK && fabs(value - level) <= 10 * rounding * fabs(level)) {
        *N = whole;
    }
    return status;
}
