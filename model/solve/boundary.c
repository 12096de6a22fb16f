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

struct isocast_curve {
    const isocast_model *model;
    const isocast_system *system;
    const double *other_sizes;
    const isocast_class_table *table;
    isocast_curve_kind kind;
    isocast_effort *effort;
    isocast_column *columns; /* [isocast_model_column_count()] */
    isocast_enclosure *enclosure;
};

static bool is_of_times(isocast_curve_kind kind) {
    return kind == ISOCAST_CURVE_WORK || kind == ISOCAST_CURVE_TIME;
}

isocast_status isocast_curve_create(const isocast_model *model, const isocast_system *system,
                                    const double *other_sizes, isocast_curve_kind kind,
                                    isocast_effort *effort, isocast_curve **out) {
    isocast_curve *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t columns = isocast_model_column_count(model);
    c->model = model;
    c->system = system;
    c->other_sizes = other_sizes;
    c->table = &system->table;
    c->kind = kind;
    c->effort = effort;
    c->columns = calloc(columns, sizeof *c->columns);
    isocast_status status = c->columns == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        const isocast_program *program =
            is_of_times(kind) ? isocast_model_times(model) : isocast_model_bounds(model);
        isocast_model_columns(model, system, other_sizes, NULL, c->columns);
        status = isocast_enclosure_create(program, c->columns, columns, 0, &c->table, effort,
                                          &c->enclosure);
    }
    if (status != ISOCAST_OK) {
        isocast_curve_free(c);
        return status;
    }
    *out = c;
    return ISOCAST_OK;
}

void isocast_curve_free(isocast_curve *c) {
    if (c != NULL) {
        isocast_enclosure_free(c->enclosure);
        free(c->columns);
        free(c);
    }
}

void isocast_curve_range(const isocast_curve *c, double *low, double *high) {
    const isocast_size *size = &isocast_model_algorithm(c->model)->sizes[0];
    *low = fmax(size->min, 1);
    *high = fmax(*low, fmin(size->max, largest_N));
}

isocast_effort *isocast_curve_effort(isocast_curve *c) {
    return c->effort;
}

isocast_enclosure *isocast_curve_enclosure(isocast_curve *c) {
    return c->enclosure;
}

isocast_status isocast_curve_value(isocast_curve *c, double N, double *value) {
    double found = NAN;
    isocast_model_results results = {.given_W = c->kind == ISOCAST_CURVE_WORK ? &found : NULL,
                                     .T = c->kind == ISOCAST_CURVE_TIME ? &found : NULL,
                                     .memory = c->kind == ISOCAST_CURVE_MEMORY ? &found : NULL,
                                     .concurrency =
                                         c->kind == ISOCAST_CURVE_CONCURRENCY ? &found : NULL};
    isocast_status status =
        isocast_model_evaluate_at(c->model, c->system, c->other_sizes, N, c->effort, &results);
    if (status == ISOCAST_OK) {
        bool known = !is_of_times(c->kind) || results.sum_error <= ISOCAST_SUM_ERROR_MAX;
        *value = known ? found : NAN;
    }
    return status;
}

static size_t first_output(isocast_curve_kind kind) {
    switch (kind) {
    case ISOCAST_CURVE_WORK:
        return ISOCAST_MODEL_WORK;
    case ISOCAST_CURVE_TIME:
        return ISOCAST_MODEL_COMPUTE;
    case ISOCAST_CURVE_MEMORY:
        return ISOCAST_MODEL_MEMORY;
    case ISOCAST_CURVE_CONCURRENCY:
        break;
    }
    return ISOCAST_MODEL_CONCURRENCY;
}

isocast_status isocast_curve_enclose(isocast_curve *c, double level, double low, double high,
                                     isocast_form *difference, bool *known) {
    isocast_status status = isocast_enclosure_enter(c->enclosure, low, high);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_form due;
    isocast_form_constant(&due, level);
    isocast_form_constant(difference, 0);
    *known = isocast_form_add(difference, &due, -1, 1) &&
             isocast_form_add(difference,
                              isocast_enclosure_output(c->enclosure, first_output(c->kind)), 1, 1);
    size_t terms = isocast_model_algorithm(c->model)->overhead_count;
    for (size_t i = 0; c->kind == ISOCAST_CURVE_TIME && i < terms && *known; i++) {
        *known = isocast_form_add(
            difference, isocast_enclosure_output(c->enclosure, ISOCAST_MODEL_TERMS + i), 1, 1);
    }
    return ISOCAST_OK;
}

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
