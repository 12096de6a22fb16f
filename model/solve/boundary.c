/* Branch and bound from one end of the range on: a piece is left where an enclosure excludes that
 * the level is met, halved to neighbouring numbers where the value only rises or only falls, and
 * else cut in two, at a place where a formula switches if there is one. */
#include "boundary.h"

#include <math.h>
#include <stdlib.h>

#include "model/formula/form_verdict.h"

enum { PIECES_MAX = 4096 /* waiting */, REST_POINTS = 641 /* where nothing can be proved */ };

/* What proofs may take of the effort; the rest is for looking at what they leave. */
static const double proofs_share = 0.5;
/* Pieces that are relatively narrower are not cut further. */
static const double narrowest = 1e-12;
/* A value that is relatively farther from the level does not reach it inside such a piece. */
static const double far = 2e-11;
/* Numbers that are nearer to each other differ by rounding alone. */
static const double rounding = 1e-12;

/* `near` is the end of a piece that the search comes to first. */
typedef struct piece {
    double near, far;
} piece;

typedef struct search {
    isocast_curve *curve;
    isocast_boundary_kind kind;
    double level;
    piece waiting[PIECES_MAX]; /* [count], the next one last */
    size_t count;
    double proofs_end; /* of the effort left, at which proofs end */
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

static double middle_of(double a, double b) {
    double low = fmin(a, b);
    double high = fmax(a, b);
    return high > 2 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
}

static void find_at(search *s, double N) {
    s->out->N = N;
    s->out->looked_to = N;
    s->count = 0;
}

/* The level is met at `far` and not at `near`, and once in between. */
static void close_in(search *s, double near, double far_end) {
    for (;;) {
        double middle = middle_of(near, far_end);
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

static void push(search *s, double near, double far_end) {
    s->waiting[s->count++] = (piece){near, far_end};
}

static void cut(search *s, const piece *p) {
    double before;
    double after;
    bool rises = p->near < p->far;
    if (isocast_enclosure_switch(isocast_curve_enclosure(s->curve), &before, &after)) {
        push(s, rises ? after : before, p->far);
        push(s, p->near, rises ? before : after);
        return;
    }
    double middle = middle_of(p->near, p->far);
    push(s, middle, p->far);
    push(s, p->near, middle);
}

/* What is proved of a piece whose near end does not meet the level. */
enum { NOTHING_PROVED, NEVER_MET, MET_ONCE_AT_MOST };

static int prove(search *s, const piece *p) {
    isocast_form difference;
    bool known;
    isocast_status status = isocast_curve_enclose(s->curve, s->level, fmin(p->near, p->far),
                                                  fmax(p->near, p->far), &difference, &known);
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
static void look_at_ends(search *s, const piece *p, double at_near, double at_far) {
    if (holds(s, at_far)) {
        close_in(s, p->near, p->far);
    } else if (!(fabs(at_near - s->level) > far * fabs(s->level) &&
                 fabs(at_far - s->level) > far * fabs(s->level))) {
        s->out->complete = false;
    }
}

/* What is left when the proofs have cost too much: many points, and the first at which the level is
 * met. */
static void sample_rest(search *s, double near, double end) {
    s->out->complete = false;
    s->count = 0;
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

static void visit(search *s, const piece *p) {
    double at_near = value_at(s, p->near);
    if (holds(s, at_near)) {
        find_at(s, p->near);
        return;
    }
    double at_far = value_at(s, p->far);
    if (fabs(p->far - p->near) <= narrowest * fmin(p->near, p->far)) {
        look_at_ends(s, p, at_near, at_far);
        return;
    }
    switch (prove(s, p)) {
    case NEVER_MET:
        if (holds(s, at_far)) {
            /* Numbers contradict the proof where they are too large for their fractions. */
            s->out->complete = false;
            close_in(s, p->near, p->far);
        }
        break;
    case MET_ONCE_AT_MOST:
        if (holds(s, at_far)) {
            close_in(s, p->near, p->far);
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
    search *s = malloc(sizeof *s);
    if (s == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_boundary found = {.N = NAN, .complete = true};
    isocast_effort *effort = isocast_curve_effort(curve);
    bool rises = kind == ISOCAST_BOUNDARY_FIRST_AT_LEAST;
    double begin = rises ? low : high;
    double end = rises ? high : low;
    s->curve = curve;
    s->kind = kind;
    s->level = level;
    s->count = 0;
    s->proofs_end = effort->left * (1 - proofs_share);
    s->out = &found;
    s->status = ISOCAST_OK;
    found.looked_to = end;
    push(s, begin, end);
    while (s->count > 0 && s->status == ISOCAST_OK) {
        if (effort->left < s->proofs_end || s->count + 2 > PIECES_MAX) {
            sample_rest(s, s->waiting[s->count - 1].near, end);
            break;
        }
        piece next = s->waiting[--s->count];
        visit(s, &next);
    }
    found.at_end = found.N == begin;
    isocast_status status = s->status;
    free(s);
    if (status == ISOCAST_OK) {
        *out = found;
    }
    return status;
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
