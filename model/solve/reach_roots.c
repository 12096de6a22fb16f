#include "reach_roots.h"

#include <math.h>

#include "model/formula/reach.h"

enum {
    WAITING_MAX = 512,
    PIECES_MAX = 5000,  /* looked at */
    PIECES_FREE = 1500, /* of them, for which no effort is spared */
    REFINEMENTS = 60,
    DOUBTS_MAX = 64,
    PARTS_MAX = 64, /* of a piece that is looked into */
    LOOKS_MAX = 300,
    STEPS_MAX = 32
};

/* Of the effort that there is, which more pieces than those may take. The reference path, which may
 * have to take over, needs the rest. */
static const double effort_share = 0.1;
/* Rounding of a bound, relative to what it was added up from. */
static const double rounding = 1e-13;
/* Pieces that are relatively narrower are not cut further. */
static const double narrowest = 4e-11;
/* A smooth balance that is farther from 0 at both ends of such a piece does not reach it inside. */
static const double far = 5e-10;
/* A jump over the target that is smaller on both sides is a root, as in solver.c. */
static const double small_jump = 0.01;
static const double residual_most = 1e-9;
/* Of pieces away from a root. */
static const double growth = 3;
/* So far from a root it is tried whether the slope has one sign, relative. */
static const double widest_slope = 0.05;
static const double narrowest_slope = 1e-7;
static const double slope_shrinks = 1.0 / 8;
/* The slope of the balance over ln N, relative to both sides of it: what is less may be rounding.
 */
static const double least_slope = 1e-5;
/* A balance that is this near to 0 is 0 but for rounding. */
static const double on_target = 1e-13;
/* Pieces that are wider are halved in ln N without a look at their ends. */
static const double wide = 1.2;
/* Narrower ones are cut where a root is near. */
static const double common = 1.02;
/* What the reference path takes for the end of the range, where numbers end, is beyond this N. */
static const double largest_root = 1e8;
/* A root that is this near to an end of the range may lie beyond it. */
static const double same_root = 1e-10;
/* Next to a root the balance is a straight line over so much of N. */
static const double near_root = 1e-8;

/* The balance weight W - T at an end of a piece. */
typedef struct at_end {
    bool is_known;
    double value;    /* relative to the magnitude of both; NAN where they have no value */
    double residual; /* E/target - 1; NAN where W or T is no work or time */
} at_end;

typedef struct piece {
    double low, high;
    at_end at_low, at_high; /* where they were looked at */
    bool is_common;         /* no root has moved its ends: other conditions may have the same */
    double root;            /* its only one, as the slope shows; NAN where that is not known */
} piece;

/* Where a root may be that was not seen, unless one that is this near is found. */
typedef struct uncertain {
    double N, within; /* relative */
} uncertain;

typedef struct search {
    isocast_reach *reach;
    size_t output_count;
    double weight;
    piece waiting[WAITING_MAX]; /* [count], the leftmost last */
    size_t count;
    uncertain doubts[DOUBTS_MAX]; /* [doubt_count] */
    size_t doubt_count;
    isocast_reach_roots *found;
    bool known;
} search;

/* weight W and T over the current piece. */
static void sides(search *s, isocast_band *due, isocast_band *T) {
    const isocast_band_piece *at = isocast_reach_piece(s->reach);
    isocast_band W = isocast_reach_output(s->reach, ISOCAST_MODEL_WORK);
    isocast_band weight = isocast_band_constant(s->weight);
    *due = isocast_band_operate(at, ISOCAST_OP_MULTIPLY, &W, &weight);
    *T = isocast_reach_output(s->reach, ISOCAST_MODEL_COMPUTE);
    for (size_t o = ISOCAST_MODEL_TERMS; o < s->output_count; o++) {
        isocast_band term = isocast_reach_output(s->reach, o);
        *T = isocast_band_operate(at, ISOCAST_OP_ADD, T, &term);
    }
}

static double largest(const isocast_band *band) {
    return fmax(fabs(band->low), fabs(band->high));
}

/* Whether the balance, which changes its sign in the piece, only rises or only falls in it. */
static bool has_one_root(search *s, double low, double high) {
    isocast_band due;
    isocast_band T;
    isocast_reach_enter(s->reach, low, high);
    sides(s, &due, &T);
    if (!isocast_band_is_known(&due) || !isocast_band_is_known(&T)) {
        return false;
    }
    const isocast_band_piece *at = isocast_reach_piece(s->reach);
    isocast_band weight = isocast_band_constant(s->weight);
    isocast_band slope = isocast_reach_slope(s->reach, ISOCAST_MODEL_WORK);
    slope = isocast_band_operate(at, ISOCAST_OP_MULTIPLY, &slope, &weight);
    for (size_t o = ISOCAST_MODEL_COMPUTE; o < s->output_count; o++) {
        isocast_band part = isocast_reach_slope(s->reach, o);
        slope = isocast_band_operate(at, ISOCAST_OP_SUBTRACT, &slope, &part);
    }
    isocast_band none = {slope.degree, 0, 0};
    isocast_band of_due = isocast_band_hull(at, &due, &none);
    double margin = least_slope * largest(&of_due);
    return isocast_band_is_known(&slope) && of_due.degree == slope.degree &&
           (slope.low > margin || slope.high < -margin);
}

/* Whether the balance has one sign over the piece. */
static bool has_no_root(search *s, const piece *p) {
    isocast_band due;
    isocast_band T;
    if (p->is_common) {
        isocast_reach_enter_kept(s->reach, p->low, p->high);
    } else {
        isocast_reach_enter(s->reach, p->low, p->high);
    }
    sides(s, &due, &T);
    isocast_reach_keep(s->reach);
    const isocast_band_piece *at = isocast_reach_piece(s->reach);
    isocast_band balance = isocast_band_operate(at, ISOCAST_OP_SUBTRACT, &due, &T);
    if (!isocast_band_is_known(&balance)) {
        return false;
    }
    /* The margin is a share of both sides, written with the balance's degree. */
    isocast_band none = {balance.degree, 0, 0};
    isocast_band of_due = isocast_band_hull(at, &due, &none);
    isocast_band of_T = isocast_band_hull(at, &T, &none);
    double margin = rounding * (largest(&of_due) + largest(&of_T));
    return of_due.degree == balance.degree && of_T.degree == balance.degree &&
           (balance.low > margin || balance.high < -margin);
}

static at_end look_at(search *s, double N) {
    isocast_band due;
    isocast_band T;
    isocast_reach_enter_point(s->reach, N);
    sides(s, &due, &T);
    if (!isocast_band_is_known(&due) || !isocast_band_is_known(&T)) {
        return (at_end){true, NAN, NAN};
    }
    double wanted = isocast_band_value(&due, N);
    double time = isocast_band_value(&T, N);
    double difference = wanted - time;
    bool sound = time > 0 && wanted >= 0 && isfinite(time) && isfinite(wanted);
    return (at_end){true, difference / (fabs(wanted) + fabs(time)),
                    sound ? difference / time : NAN};
}

static void add_root(search *s, double N) {
    isocast_reach_roots *found = s->found;
    if (found->count > 0 && N <= found->N[found->count - 1] * (1 + same_root)) {
        return;
    }
    if (found->count == ISOCAST_ROOTS_MAX) {
        found->more = true;
        s->count = 0;
    } else {
        found->N[found->count++] = N;
    }
}

static void look_at_ends(search *s, piece *p) {
    if (!p->at_low.is_known) {
        p->at_low = look_at(s, p->low);
    }
    if (!p->at_high.is_known) {
        p->at_high = look_at(s, p->high);
    }
}

/* A jump over the target inside a piece: reported by the neighbouring numbers on both sides of it.
 * One of 1 % or less is a root. */
static void take_jump(search *s, const piece *p) {
    double a = p->low;
    double b = p->high;
    for (double N = a + (b - a) / 2; N > a && N < b; N = a + (b - a) / 2) {
        if ((look_at(s, N).value > 0) == (p->at_low.value > 0)) {
            a = N;
        } else {
            b = N;
        }
    }
    at_end left = look_at(s, a);
    at_end right = look_at(s, b);
    double N = left.residual >= 0 ? a : b;
    double reach = fmax(fabs(left.residual), fabs(right.residual));
    s->known = s->known && !isnan(left.residual) && !isnan(right.residual);
    if (reach > residual_most && isnan(s->found->jump_N)) {
        s->found->jump_N = N;
    }
    if (reach <= small_jump) {
        add_root(s, N);
    }
}

/* Whether nothing is in a piece whose ends are far from 0 on the same side, though its bounds hold
 * 0, as they do where several formulas switch at one place: looked into down to neighbouring
 * numbers, between which there is none. */
static bool is_clear(search *s, const piece *p) {
    struct {
        double low, high;
    } parts[PARTS_MAX];
    size_t count = 0;
    parts[count].low = p->low;
    parts[count++].high = p->high;
    for (int looks = 0; count > 0; looks++) {
        count--;
        double low = parts[count].low;
        double high = parts[count].high;
        double middle = low + (high - low) / 2;
        bool may_be_cut = middle > low && middle < high;
        if (!may_be_cut || has_no_root(s, &(piece){.low = low, .high = high})) {
            continue;
        }
        at_end at = look_at(s, middle);
        bool alike = (at.value > 0) == (p->at_low.value > 0) && fabs(at.value) > far;
        if (isnan(at.residual) || !alike || looks == LOOKS_MAX || count + 2 > PARTS_MAX) {
            return false;
        }
        parts[count].low = low;
        parts[count++].high = middle;
        parts[count].low = middle;
        parts[count++].high = high;
    }
    return true;
}

/* What may be in a piece whose ends have the same sign: nothing where the bounds exclude it, or
 * next to a root that is found; else nothing is known, as a formula may have a value of its own at
 * a single number. */
static void doubt(search *s, const piece *p) {
    double left = fabs(p->at_low.value);
    double right = fabs(p->at_high.value);
    if (has_no_root(s, p)) {
        return;
    }
    if (fmin(left, right) > far) {
        s->known = s->known && is_clear(s, p);
        return;
    }
    if (s->doubt_count == DOUBTS_MAX) {
        s->known = false;
        return;
    }
    bool is_weak = fmin(left, right) > 2 * fabs(left - right);
    s->doubts[s->doubt_count++] =
        (uncertain){left < right ? p->low : p->high, is_weak ? near_root : same_root};
}

/* A piece that is one number: a root, a jump, or nothing. */
static void settle(search *s, piece *p) {
    look_at_ends(s, p);
    at_end left = p->at_low;
    at_end right = p->at_high;
    if (isnan(left.residual) || isnan(right.residual)) {
        s->known = false;
        return;
    }
    if (left.value != 0 && right.value != 0 && (left.value > 0) == (right.value > 0)) {
        doubt(s, p);
        return;
    }
    if (fmax(fabs(left.residual), fabs(right.residual)) > residual_most) {
        take_jump(s, p);
        return;
    }
    double share = left.value / (left.value - right.value);
    add_root(s, p->low + (p->high - p->low) * (isfinite(share) ? share : 0));
}

static void push(search *s, double low, const at_end *at_low, double high, const at_end *at_high) {
    if (s->count == WAITING_MAX) {
        s->known = false;
    } else {
        s->waiting[s->count++] = (piece){low, high, *at_low, *at_high, false, NAN};
    }
}

/* In two, at a place inside; is_common: that does not depend on the condition. */
static void cut_at(search *s, const piece *p, double N, bool is_common) {
    static const at_end unknown = {.is_known = false};
    push(s, N, &unknown, p->high, &p->at_high);
    push(s, p->low, &p->at_low, N, &unknown);
    for (size_t k = 0; is_common && s->known && k < 2; k++) {
        s->waiting[s->count - 1 - k].is_common = p->is_common;
    }
}

/* A change of the sign between two N. */
typedef struct bracket {
    double low, high;
    double at_low, at_high; /* the balance there */
    double root;
} bracket;

/* How the balance is off the target, nearly straight over ln N. */
static double bent(double balance) {
    return atanh(fmin(fmax(balance, -1), 1));
}

/* The N at which a straight line between both ends is 0. */
static double at_line(double low, double high, double at_low, double at_high) {
    double share = at_low / (at_low - at_high);
    double N = low + low * expm1(share * log1p((high - low) / low));
    return N >= low && N <= high ? N : low + (high - low) / 2;
}

/* Closes a bracket by the Illinois variant of the false position; false where it meets a value that
 * is not known. */
static bool close_in(search *s, bracket *b) {
    int side = 0;
    double at_low = bent(b->at_low);
    double at_high = bent(b->at_high);
    for (int i = 0; i < REFINEMENTS && b->high - b->low > narrowest * b->low / 8; i++) {
        double N = i % 8 == 7 ? b->low + (b->high - b->low) / 2
                              : at_line(b->low, b->high, at_low, at_high);
        N = N > b->low && N < b->high ? N : b->low + (b->high - b->low) / 2;
        double value = look_at(s, N).value;
        if (isnan(value)) {
            return false;
        }
        if (fabs(value) < on_target) {
            bool is_high = (value > 0) == (b->at_high > 0);
            b->root = is_high ? at_line(b->low, N, bent(b->at_low), bent(value))
                              : at_line(N, b->high, bent(value), bent(b->at_high));
            b->low = N * (1 - narrowest / 16);
            b->high = N * (1 + narrowest / 16);
            return true;
        }
        if ((value > 0) == (b->at_high > 0)) {
            b->high = N;
            b->at_high = value;
            at_high = bent(value);
            at_low *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            b->low = N;
            b->at_low = value;
            at_low = bent(value);
            at_high *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    b->root = at_line(b->low, b->high, bent(b->at_low), bent(b->at_high));
    return true;
}

/* Places from `begin` on to `end`, which is the last, in growing steps; gives their number. */
static size_t list_steps(double begin, double end, double step, double places[STEPS_MAX]) {
    double sign = end > begin ? 1 : -1;
    size_t count = 0;
    if (begin == end) {
        return 0;
    }
    for (double away = growth * step; count + 1 < STEPS_MAX && away < fabs(end - begin) / 2;
         away *= growth) {
        places[count++] = begin + sign * away;
    }
    places[count++] = end;
    return count;
}

/* How far on both sides of a root the slope shows that it is the only one, relative; 0 where it
 * does not say. */
static double only_within(search *s, const piece *p, double root) {
    for (double reach = widest_slope; reach > narrowest_slope; reach *= slope_shrinks) {
        if (has_one_root(s, fmax(p->low, root * (1 - reach)), fmin(p->high, root * (1 + reach)))) {
            return reach;
        }
    }
    return 0;
}

/* Takes a change of the sign between the ends out of a piece; false where it is not found. */
static bool cut_around_root(search *s, const piece *p) {
    static const at_end unknown = {.is_known = false};
    bracket b = {p->low, p->high, p->at_low.value, p->at_high.value, NAN};
    if (b.at_low == 0 || b.at_high == 0 || (b.at_low > 0) == (b.at_high > 0) || !close_in(s, &b)) {
        return false;
    }
    double around = narrowest / 3;
    double begin = fmax(p->low, b.low - around * b.low);
    double end = fmin(p->high, b.high + around * b.high);
    if (b.high - b.low > narrowest * b.low / 4 || end - begin > (p->high - p->low) / 2) {
        return false;
    }
    double within = only_within(s, p, b.root);
    if (within > 0) {
        begin = fmax(p->low, b.root * (1 - within));
        end = fmin(p->high, b.root * (1 + within));
    }
    /* The farther from the root, the wider pieces can be whose bounds exclude it. */
    double right[STEPS_MAX];
    double left[STEPS_MAX];
    double step = (end - begin) / 2;
    size_t rights = list_steps(end, p->high, step, right);
    size_t lefts = list_steps(begin, p->low, step, left);
    for (size_t k = rights; k-- > 0;) {
        push(s, k == 0 ? end : right[k - 1], &unknown, right[k],
             k + 1 == rights ? &p->at_high : &unknown);
    }
    push(s, begin, &unknown, end, &unknown);
    if (within > 0 && s->known) {
        s->waiting[s->count - 1].root = b.root;
    }
    for (size_t k = 0; k < lefts; k++) {
        push(s, left[k], k + 1 == lefts ? &p->at_low : &unknown, k == 0 ? begin : left[k - 1],
             &unknown);
    }
    return true;
}

/* A wide piece is halved. In a narrow one a root between its ends is taken out, so that what is
 * left on both sides is away from it; where one end is near a root, the cut is made near that end.
 */
static void cut(search *s, piece *p) {
    if (p->high > wide * p->low) {
        cut_at(s, p, p->high > 2 * p->low ? sqrt(p->low) * sqrt(p->high) : (p->low + p->high) / 2,
               true);
        return;
    }
    look_at_ends(s, p);
    double left = p->at_low.value;
    double right = p->at_high.value;
    if (isnan(left) || isnan(right)) {
        /* No piece with that end in it will ever be known. */
        s->known = false;
    } else if (!cut_around_root(s, p)) {
        if (p->is_common && p->high > common * p->low) {
            cut_at(s, p, (p->low + p->high) / 2, true);
            return;
        }
        double share = fabs(left) < fabs(right) / 4   ? 1.0 / 5
                       : fabs(right) < fabs(left) / 4 ? 4.0 / 5
                                                      : 1.0 / 2;
        cut_at(s, p, p->low + (p->high - p->low) * share, false);
    }
}

/* Whether a root was found that is the same as one that may be next to N. */
static bool is_settled(const isocast_reach_roots *found, const uncertain *at) {
    for (size_t k = 0; k < found->count; k++) {
        if (fabs(found->N[k] - at->N) <= at->within * at->N) {
            return true;
        }
    }
    return false;
}

isocast_status isocast_reach_roots_find(isocast_reach *reach, size_t output_count, double weight,
                                        double low, double high, isocast_effort *effort,
                                        isocast_reach_roots *out, bool *known) {
    search s;
    s.reach = reach;
    s.output_count = output_count;
    s.weight = weight;
    s.count = 0;
    s.doubt_count = 0;
    s.found = out;
    s.known = true;
    out->count = 0;
    out->jump_N = NAN;
    out->more = false;
    static const at_end unknown = {.is_known = false};
    double end_of_effort = effort->left * (1 - effort_share);
    push(&s, low, &unknown, high, &unknown);
    s.waiting[0].is_common = true;
    for (int pieces = 0; s.count > 0 && s.known; pieces++) {
        piece next = s.waiting[--s.count];
        if (!isnan(next.root)) {
            add_root(&s, next.root);
        } else if (next.high - next.low <= narrowest * next.low) {
            settle(&s, &next);
        } else if (!has_no_root(&s, &next)) {
            cut(&s, &next);
        }
        effort->left -= isocast_reach_steps(reach);
        s.known = s.known && pieces < PIECES_MAX && !isocast_effort_is_spent(effort) &&
                  (pieces < PIECES_FREE || effort->left >= end_of_effort);
    }
    for (size_t k = 0; k < s.doubt_count; k++) {
        bool beyond = out->more && s.doubts[k].N > out->N[out->count - 1];
        s.known = s.known && (beyond || is_settled(out, &s.doubts[k]));
    }
    for (size_t k = 0; k < out->count; k++) {
        s.known = s.known && out->N[k] > low * (1 + same_root) &&
                  out->N[k] < fmin(high * (1 - same_root), largest_root);
        /* Where the balance is 0 between two roots as well, they are one range. */
        s.known =
            s.known &&
            (k == 0 || fabs(look_at(&s, sqrt(out->N[k - 1]) * sqrt(out->N[k])).value) > on_target);
    }
    *known = s.known;
    return isocast_reach_status(reach);
}

bool isocast_reach_values(isocast_reach *reach, size_t output_count, double N, double *values) {
    isocast_reach_enter_point(reach, N);
    for (size_t o = 0; o < output_count; o++) {
        isocast_band band = isocast_reach_output(reach, o);
        values[o] = isocast_band_value(&band, N);
        if (!isocast_band_is_known(&band) || !isfinite(values[o])) {
            return false;
        }
    }
    return true;
}
