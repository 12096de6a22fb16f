/* Branch and bound from the smallest N on: a piece of the range of N is left where an enclosure of
 * the condition excludes the target, searched for its one root where the condition only rises or
 * only falls, and else cut in two, at a place where a formula switches if there is one. */
#include "solver.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>

#include "concurrency.h"
#include "condition.h"
#include "model/base/numerics.h"
#include "model/formula/form.h"
#include "model/formula/pieces.h"
#include "reach_roots.h"
#include "solution.h"

typedef struct root_list {
    isocast_solution *solution;
    double doubt; /* a narrow piece here may hold roots that were not seen; NAN: none waits */
} root_list;

/* Roots that are nearer than this to each other are one. */
static const double same_root = 1e-10;

static bool is_same_root(double low, double high) {
    return high <= low * (1 + same_root);
}

static bool is_last(const isocast_solution *solution, double N) {
    return solution->root_count > 0 && is_same_root(solution->root_to[solution->root_count - 1], N);
}

/* Roots from N on may be missing. */
static void stay_uncertain(root_list *list, double N) {
    list->solution->complete = false;
    list->solution->complete_to = fmin(list->solution->complete_to, N);
}

/* Nothing is added up to N any more. */
static void settle_doubt(root_list *list, double N) {
    if (!isnan(list->doubt) && !is_same_root(list->doubt, N)) {
        stay_uncertain(list, list->doubt);
    }
    list->doubt = NAN;
}

/* There may be roots next to N that were not seen, unless one that is as near is added. */
static void doubt_at(root_list *list, double N) {
    if (!isnan(list->doubt) && is_same_root(list->doubt, N)) {
        return;
    }
    settle_doubt(list, N);
    if (!is_last(list->solution, N)) {
        list->doubt = N;
    }
}

/* From `low` to `high`, which is the same where E is the target at one N alone. A root that is the
 * same as the last one is left out. */
static void append_root(root_list *list, double low, double high) {
    isocast_solution *solution = list->solution;
    settle_doubt(list, low);
    if (is_last(solution, low)) {
        double *last = &solution->root_to[solution->root_count - 1];
        *last = is_same_root(*last, high) ? *last : high;
    } else if (solution->root_count == ISOCAST_ROOTS_MAX) {
        solution->more_roots = true;
    } else {
        solution->root_to[solution->root_count] = high;
        solution->roots[solution->root_count++] = low;
    }
}

typedef struct search {
    const isocast_solve_request *request;
    isocast_condition *condition;
    isocast_solution *solution;
    root_list roots;       /* of the solution */
    isocast_pieces pieces; /* by rising N */
    isocast_effort effort;
    size_t output_count; /* of the program of W and T */
    double proofs_end;   /* of the effort left, at which proofs end */
    double further_end;  /* likewise, at which looking ends where a root was found */
    isocast_status status;
    isocast_reach *reach; /* bound to the condition; NULL: bands are not asked */
    double weight;        /* 1/(target size) */
    bool asks_bands;      /* whose sums have a closed form */
    bool found_by_bands;
    bool has_E;    /* E has a value somewhere */
    double origin; /* N = origin exp(x) in what is given to GSL, and at most `bound` */
    double bound;
} search;

/* What bands know of one N: as isocast_condition_evaluate, but for noise. Where W or T is too
 * large for a number, it is known to have no value. */
static bool know_by_bands(search *s, double N, isocast_balance *out) {
    double due = 0;
    double T = 0;
    bool known = true;
    isocast_reach_enter_point(s->reach, N);
    for (size_t o = 0; o < s->output_count && known && isfinite(T); o++) {
        isocast_band band = isocast_reach_output(s->reach, o);
        double value = isocast_band_value(&band, N);
        known = isocast_band_is_known(&band);
        due = o == ISOCAST_MODEL_WORK ? value * s->weight : due;
        T += o == ISOCAST_MODEL_WORK ? (isfinite(value) ? 0 : INFINITY) : value;
    }
    s->effort.left -= isocast_reach_steps(s->reach);
    if (!known) {
        return false;
    }
    bool sound = isfinite(T) && isfinite(due) && T > 0 && due >= 0;
    *out = (isocast_balance){.E = sound ? due / T * s->request->target : NAN,
                             .residual = sound ? (due - T) / T : NAN,
                             .value = isfinite(T) ? (due - T) / (fabs(due) + fabs(T)) : NAN};
    return true;
}

/* Looks at some N: one of them by bands where these may be asked and know. */
static void look_at(search *s, size_t count, const double *N, isocast_balance *at) {
    if (s->asks_bands && count == 1 && know_by_bands(s, N[0], &at[0])) {
        return;
    }
    isocast_status status = isocast_condition_evaluate(s->condition, count, N, at);
    s->status = status != ISOCAST_OK ? status : s->status;
}

/* What is held at some N: with sums, by bands where these may be asked and know. */
static void evaluate_held(search *s, size_t count, const double *N, isocast_balance *out) {
    size_t width = s->asks_bands && isocast_condition_has_sums(s->condition) ? 1 : count;
    for (size_t first = 0; first < count && s->status == ISOCAST_OK; first += width) {
        look_at(s, width, N + first, out + first);
    }
}

/* The same where all processes can work; elsewhere it has no value. */
static void evaluate_working(search *s, size_t count, const double *N, isocast_balance *out) {
    const isocast_solve_request *r = s->request;
    bool can_be_short = isocast_model_algorithm(r->model)->concurrency != NULL;
    evaluate_held(s, count, N, out);
    for (size_t k = 0; k < count && s->status == ISOCAST_OK; k++) {
        double concurrency = NAN;
        s->has_E = s->has_E || isfinite(out[k].E);
        if (can_be_short) {
            s->status = isocast_concurrency_at(r->model, r->system, r->other_sizes, N[k],
                                               &s->effort, &concurrency);
        }
        if (isocast_concurrency_is_short(concurrency, r->system->p)) {
            out[k].E = NAN;
        }
    }
}

typedef struct range_end {
    double N;           /* `high` where nothing ends the range before */
    bool all_on_target; /* E was the target at every point that was looked at */
    double sum_error;   /* of the smallest N, where sums are not known from it on; else 0 */
} range_end;

enum {
    POINTS = 32, /* per decade-like part of the range */
    ROUNDS = 2
};

/* From here on, where numbers end is no matter of digits. */
static const double huge = 1e15;
/* With sums, so near to it is enough: every look at them takes its time. */
static const double near_enough = 1e-3;

/* Points from begin to end, evenly in ln N. */
typedef struct survey {
    double N[POINTS];
    isocast_balance at[POINTS];
    size_t reached; /* how many were looked at */
} survey;

static void look_around(search *s, bool has_sums, double begin, double end, survey *out) {
    double step = log(end / begin) / (POINTS - 1);
    size_t width = has_sums ? 1 : POINTS;
    *out = (survey){.reached = 0};
    for (size_t first = 0; first < POINTS && s->status == ISOCAST_OK; first += width) {
        for (size_t k = first; k < first + width; k++) {
            out->N[k] = k == POINTS - 1 ? end : begin * exp(step * (double)k);
        }
        evaluate_held(s, width, out->N + first, out->at + first);
        out->reached = first + width;
        if (out->at[first].sum_error > ISOCAST_SUM_ERROR_MAX) {
            break;
        }
    }
}

static bool is_known(const isocast_balance *at) {
    return !isnan(at->value) && at->sum_error <= ISOCAST_SUM_ERROR_MAX;
}

/* The last N that is known, between one that is and one that is not; with sums, near to it. */
static double find_last_known(search *s, bool has_sums, double known, double unknown) {
    double near = has_sums ? 1 + near_enough : 1;
    double N = isocast_middle(known, unknown);
    while (s->status == ISOCAST_OK && N > known && N < unknown && unknown > near * known &&
           known < huge) {
        isocast_balance at = {.value = NAN};
        evaluate_held(s, 1, &N, &at);
        *(is_known(&at) ? &known : &unknown) = N;
        N = isocast_middle(known, unknown);
    }
    return known < huge ? known : pow(10, floor(log10(known)));
}

/* A range from low to high ends at the first of its later points whose sums are not known, or where
 * W or T is not a number any more; beyond 10^15 it is a power of 10. With sums, which take their
 * time, points are looked at one by one. */
static range_end survey_range(search *s, bool has_sums, double low, double high) {
    range_end out = {.N = high, .all_on_target = true};
    double begin = low;
    double end = high;
    for (int round = 0; round < ROUNDS && (round == 0 || begin < end) && s->status == ISOCAST_OK;
         round++) {
        survey seen;
        size_t last = POINTS;
        look_around(s, has_sums, begin, end, &seen);
        for (size_t k = 0; k < seen.reached; k++) {
            if (is_known(&seen.at[k])) {
                last = k;
                out.all_on_target = out.all_on_target && fabs(seen.at[k].residual) <= 1e-12;
            }
        }
        if (last == POINTS) {
            /* Sums that are not known from the first N on, which is no end of a range. */
            out.sum_error = seen.at[0].sum_error;
            return out;
        }
        begin = seen.N[last];
        end = seen.N[last + 1 < seen.reached ? last + 1 : last];
    }
    out.N = begin < end ? find_last_known(s, has_sums, begin, end) : begin;
    return out;
}

enum {
    REST_POINTS = 641, /* looked at where nothing can be proved */
    REST_WIDTH = 32,   /* of them at a time */
    ITERATIONS_MAX = 200
};

/* What a search may take of the effort that there is; the rest is for looking at what it found. */
static const double search_share = 0.9;
/* What looking for the end of the range may take of that: the sums at the largest N cost most. */
static const double survey_share = 0.1;
/* What proofs may take of that; the rest is for looking at what they leave. */
static const double proofs_share = 0.3;
/* What proofs and looking for further roots may take, once there is one. */
static const double further_share = 0.5;
/* A jump over the target that is smaller on both sides is taken for a root: switches in the message
 * size make such, and no prediction is that exact. */
static const double small_jump = 0.01;
/* A root meets the condition within this relative residual; a jump does not. */
static const double residual_most = 1e-9;
/* Pieces that are relatively narrower are not cut further. */
static const double narrowest = 1e-12;
/* From here on numbers do not count the terms of a sum: one that is no polynomial is not followed.
 */
static const double terms_most = 1e15;
/* Near the largest number: where size.max does not end the range. */
static const double largest_N = 1e300;

static isocast_balance balance_at(search *s, double N) {
    isocast_balance b = {.E = NAN, .residual = NAN, .value = NAN};
    isocast_status status = isocast_condition_evaluate(s->condition, 1, &N, &b);
    if (status != ISOCAST_OK) {
        s->status = status;
    }
    return b;
}

/* 1 or -1 where the sign of the balance is beyond rounding, else 0. */
static int sign_of(const isocast_balance *b) {
    return b->value > b->noise ? 1 : b->value < -b->noise ? -1 : 0;
}

/* Whether E is the target, but for rounding, from low to high, as far as a few points show. */
static bool is_on_target(search *s, double low, double high) {
    static const double shares[] = {0.5, 0, 1, 0.21, 0.77, 0.03, 0.97};
    bool on = true;
    for (size_t k = 0; k < sizeof shares / sizeof shares[0] && on; k++) {
        isocast_balance at = balance_at(s, fmin(low * pow(high / low, shares[k]), high));
        on = sign_of(&at) == 0 && fabs(at.residual) <= residual_most;
    }
    return on;
}

/* Roots between which E is the target, too, are one. */
static void add_root(search *s, double N) {
    isocast_solution *solution = s->solution;
    double *last = solution->root_count > 0 ? &solution->root_to[solution->root_count - 1] : NULL;
    if (last != NULL && N > *last && is_on_target(s, *last, N)) {
        settle_doubt(&s->roots, N);
        *last = N;
    } else {
        append_root(&s->roots, N, N);
    }
}

/* Two neighbouring numbers with E over the target at one and under it at the other. */
static void cross(search *s, double left, const isocast_balance *at_left, double right,
                  const isocast_balance *at_right) {
    if (isnan(at_left->residual) || isnan(at_right->residual)) {
        return;
    }
    double N = at_left->residual >= 0 ? left : right;
    double reach = fmax(fabs(at_left->residual), fabs(at_right->residual));
    if (reach > residual_most && isnan(s->solution->jump_N)) {
        s->solution->jump_N = N;
    }
    if (reach <= small_jump) {
        add_root(s, N);
    }
}

static void cross_switch(search *s, double before, double after) {
    isocast_balance left = balance_at(s, before);
    isocast_balance right = balance_at(s, after);
    if (sign_of(&left) * sign_of(&right) < 0) {
        cross(s, before, &left, after, &right);
    }
}

static double value_at(double x, void *context) {
    search *s = context;
    double N = x < log(s->bound / s->origin) ? s->origin * exp(x) : s->bound;
    double value = balance_at(s, N).value;
    /* GSL ends the process on a value that is not finite; 0 ends the iteration, and what it gives
     * is looked at again. */
    return isfinite(value) ? value : 0;
}

/* The N between low and high at which the balance, of different signs there, changes its sign; the
 * bracket is closed to neighbouring numbers where it does not vanish. */
static void close_in(search *s, double low, double high) {
    isocast_balance at_low = balance_at(s, low);
    isocast_balance at_high = balance_at(s, high);
    gsl_function function = {value_at, s};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (solver == NULL) {
        s->status = ISOCAST_NO_MEMORY;
        return;
    }
    s->origin = low;
    s->bound = high;
    double N = low;
    if (gsl_root_fsolver_set(solver, &function, 0, log(high / low)) == GSL_SUCCESS) {
        for (int i = 0; i < ITERATIONS_MAX; i++) {
            if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS) {
                break;
            }
            double width = gsl_root_fsolver_x_upper(solver) - gsl_root_fsolver_x_lower(solver);
            if (width < 4e-16 * gsl_root_fsolver_x_upper(solver) || width < 1e-16) {
                break;
            }
        }
        N = fmin(fmax(low * exp(gsl_root_fsolver_root(solver)), low), high);
    }
    gsl_root_fsolver_free(solver);
    isocast_balance at_root = balance_at(s, N);
    if (fabs(at_root.residual) <= residual_most) {
        add_root(s, N);
        return;
    }
    int sign = sign_of(&at_low);
    for (;;) {
        double middle = isocast_middle(low, high);
        if (middle <= low || middle >= high) {
            break;
        }
        isocast_balance at_middle = balance_at(s, middle);
        if (sign_of(&at_middle) == sign) {
            low = middle;
            at_low = at_middle;
        } else {
            high = middle;
            at_high = at_middle;
        }
    }
    cross(s, low, &at_low, high, &at_high);
}

/* The balance has one root at most in the piece, or changes its sign at most once that is seen. */
static void search_between(search *s, double low, double high) {
    isocast_balance left = balance_at(s, low);
    isocast_balance right = balance_at(s, high);
    int at_low = sign_of(&left);
    int at_high = sign_of(&right);
    if (at_low * at_high < 0) {
        close_in(s, low, high);
        return;
    }
    if (at_low == 0 && fabs(left.residual) <= residual_most) {
        add_root(s, low);
    }
    if (at_high == 0 && fabs(right.residual) <= residual_most) {
        if (at_low == 0) {
            stay_uncertain(&s->roots, low);
        }
        add_root(s, high);
    }
}

/* What is proved of a piece. */
enum { NOTHING_PROVED, NO_ROOT, ONE_ROOT_AT_MAX, CONTRADICTED };

/* Whether the balance computed at the ends has the sign that is proved. It has not where numbers
 * are too large for their fractions: floor(x) + 1 - x is 0 there. */
static bool ends_agree(search *s, double low, double high, int sign) {
    isocast_balance left = balance_at(s, low);
    isocast_balance right = balance_at(s, high);
    return sign_of(&left) * sign >= 0 && sign_of(&right) * sign >= 0;
}

static int prove(search *s, double low, double high) {
    isocast_form balance;
    bool known;
    isocast_status status = isocast_condition_enclose(s->condition, low, high, &balance, &known);
    if (status != ISOCAST_OK) {
        s->status = status;
    }
    if (status != ISOCAST_OK || !known) {
        return NOTHING_PROVED;
    }
    isocast_form_ranges ranges = isocast_condition_ranges(s->condition);
    isocast_form_verdict verdict = isocast_form_judge(&balance, &ranges, &s->effort);
    if (verdict.has_no_zero) {
        return ends_agree(s, low, high, verdict.sign) ? NO_ROOT : CONTRADICTED;
    }
    return verdict.has_one_zero_at_most ? ONE_ROOT_AT_MAX : NOTHING_PROVED;
}

static void cut(search *s, double low, double high) {
    double switch_at[2];
    bool switches = isocast_condition_switch(s->condition, switch_at);
    isocast_pieces_cut(&s->pieces, low, high, switches ? switch_at : NULL);
}

/* A piece too narrow to cut: it is reported by its ends. */
static void look_at_ends(search *s, double low, double high) {
    static const double far = 2e-11;
    isocast_balance left = balance_at(s, low);
    isocast_balance right = balance_at(s, high);
    bool is_far = fabs(left.value) > far && fabs(right.value) > far;
    if (sign_of(&left) * sign_of(&right) <= 0 && !isnan(left.value) && !isnan(right.value)) {
        search_between(s, low, high);
    } else if (!is_far && low < high) {
        doubt_at(&s->roots, low);
    }
}

/* Nothing is known of larger N: the search ends here. */
static void end_at(search *s, double N) {
    s->solution->N_end = N;
    s->solution->complete_to = fmin(s->solution->complete_to, N);
    s->pieces.count = 0;
}

static void visit(search *s, const isocast_piece *p) {
    if (p->is_switch) {
        cross_switch(s, p->from, p->to);
        return;
    }
    if (p->to - p->from <= narrowest * p->from) {
        look_at_ends(s, p->from, p->to);
        return;
    }
    switch (prove(s, p->from, p->to)) {
    case NO_ROOT:
        break;
    case ONE_ROOT_AT_MAX:
        search_between(s, p->from, p->to);
        break;
    case CONTRADICTED:
        if (p->to <= 2 * p->from) {
            end_at(s, p->from);
        } else {
            cut(s, p->from, p->to);
        }
        break;
    default:
        if (p->from >= terms_most && p->to <= 2 * p->from &&
            isocast_condition_sums_to_N(s->condition)) {
            end_at(s, p->from);
        } else if (is_on_target(s, p->from, p->to)) {
            stay_uncertain(&s->roots, p->from);
            add_root(s, p->from);
            add_root(s, p->to);
        } else {
            cut(s, p->from, p->to);
        }
        break;
    }
}

/* What is left when the proofs have cost too much: sign changes between many points. The points
 * come in rising N, and a root is closed in on as soon as it shows: sums take longer at larger N,
 * and may spend what there is. */
static void sample_rest(search *s, double low, double high) {
    stay_uncertain(&s->roots, low);
    double step = log(high / low) / (REST_POINTS - 1);
    size_t width = isocast_condition_has_sums(s->condition) ? 1 : REST_WIDTH;
    double N[1 + REST_WIDTH] = {low};
    isocast_balance at[1 + REST_WIDTH] = {balance_at(s, low)};
    for (size_t next = 1; next < REST_POINTS && s->status == ISOCAST_OK; next += width) {
        for (size_t k = 0; k < width; k++) {
            N[1 + k] = fmin(low * exp(step * (double)(next + k)), high);
        }
        s->status = isocast_condition_evaluate(s->condition, width, N + 1, at + 1);
        for (size_t k = 0; k < width && s->status == ISOCAST_OK && !s->solution->more_roots; k++) {
            if (sign_of(&at[k]) * sign_of(&at[k + 1]) < 0) {
                close_in(s, N[k], N[k + 1]);
            }
        }
        double end = s->solution->root_count > 0 ? s->further_end : 0;
        if (s->solution->more_roots || s->effort.left < end) {
            return;
        }
        N[0] = N[width];
        at[0] = at[width];
    }
}

static void find_roots(search *s, double low, double high) {
    isocast_pieces_add(&s->pieces, (isocast_piece){low, high, false});
    while (s->pieces.count > 0 && s->status == ISOCAST_OK && !s->solution->more_roots) {
        bool may_prove = s->effort.left >= s->proofs_end && isocast_pieces_have_room(&s->pieces);
        isocast_piece next = isocast_pieces_take(&s->pieces);
        if (!may_prove) {
            sample_rest(s, next.from, high);
            return;
        }
        visit(s, &next);
        if (isocast_effort_is_spent(&s->effort)) {
            stay_uncertain(&s->roots, next.from);
            return;
        }
    }
    if (s->solution->more_roots) {
        s->solution->complete_to =
            fmin(s->solution->complete_to, s->solution->roots[ISOCAST_ROOTS_MAX - 1]);
    }
}

static void decide(search *s) {
    isocast_solution *solution = s->solution;
    if (solution->root_count > 0) {
        solution->N = solution->roots[0];
        bool several = solution->root_count > 1 || solution->more_roots;
        solution->status = several ? ISOCAST_ROW_SEVERAL : ISOCAST_ROW_OK;
        solution->sum_error = s->found_by_bands ? 0 : balance_at(s, solution->N).sum_error;
        if (solution->sum_error > ISOCAST_SUM_ERROR_MAX) {
            solution->status = ISOCAST_ROW_NOT_CONVERGED;
        }
    } else if (!isnan(solution->jump_N)) {
        solution->N = solution->jump_N;
        solution->status = ISOCAST_ROW_NOT_CONVERGED;
    } else if (solution->gave_up || solution->sum_error > ISOCAST_SUM_ERROR_MAX) {
        solution->status = ISOCAST_ROW_NOT_CONVERGED;
    } else {
        solution->status = s->has_E ? ISOCAST_ROW_UNREACHABLE : ISOCAST_ROW_NOT_CONVERGED;
    }
}

/* All roots by bands, or that there is none; false where they do not know. */
static bool find_by_bands(search *s, double low, double high) {
    isocast_solution *solution = s->solution;
    isocast_reach_roots roots;
    bool known = false;
    if (s->reach == NULL || s->status != ISOCAST_OK || isocast_effort_is_spent(&s->effort)) {
        return false;
    }
    s->status = isocast_reach_roots_find(s->reach, s->output_count, s->weight, low, high,
                                         &s->effort, &roots, &known);
    if (s->status != ISOCAST_OK || !known) {
        return false;
    }
    for (size_t k = 0; k < roots.count; k++) {
        solution->roots[k] = solution->root_to[k] = roots.N[k];
    }
    solution->root_count = roots.count;
    solution->more_roots = roots.more;
    solution->jump_N = roots.jump_N;
    if (roots.more) {
        solution->complete_to = solution->roots[ISOCAST_ROOTS_MAX - 1];
    }
    return true;
}

enum { SAMPLES = 641, CLOSER_MAX = 60 };

/* Points in rising N, evenly in ln N. */
typedef struct samples {
    size_t count;
    double N[SAMPLES];
    isocast_balance at[SAMPLES];
} samples;

/* The largest (sign -1) or smallest (sign 1) E of samples. Where it is higher or lower than at both
 * its neighbours it is followed by the golden section between them. */
static void find_extreme(search *s, const samples *all, double sign, double *N, double *E) {
    static const double golden = 0.6180339887498949;
    static const double near = 1e-9;
    size_t best = all->count;
    for (size_t k = 0; k < all->count; k++) {
        bool any = best < all->count;
        if (isfinite(all->at[k].E) && (!any || sign * all->at[k].E < sign * all->at[best].E)) {
            best = k;
        }
    }
    if (best == all->count) {
        return;
    }
    *N = all->N[best];
    *E = all->at[best].E;
    bool is_inside = best > 0 && best + 1 < all->count && sign * all->at[best - 1].E > sign * *E &&
                     sign * all->at[best + 1].E > sign * *E;
    double low = is_inside ? log(all->N[best - 1]) : 0;
    double high = is_inside ? log(all->N[best + 1]) : 0;
    for (int i = 0; i < CLOSER_MAX && high - low > near && s->status == ISOCAST_OK; i++) {
        const double x[2] = {high - golden * (high - low), low + golden * (high - low)};
        const double between[2] = {exp(x[0]), exp(x[1])};
        isocast_balance at[2] = {{.E = NAN}, {.E = NAN}};
        evaluate_working(s, 2, between, at);
        size_t better = sign * at[0].E < sign * at[1].E || isnan(at[1].E) ? 0 : 1;
        *(better == 0 ? &high : &low) = x[1 - better];
        if (sign * at[better].E < sign * *E) {
            *N = between[better];
            *E = at[better].E;
        }
    }
}

/* Sets the solution's largest and smallest E between low and high, and where. */
static void find_extremes(search *s, double low, double high) {
    isocast_solution *solution = s->solution;
    samples all = {.count = low < high ? SAMPLES : 1};
    double step = log(high / low) / (SAMPLES - 1);
    for (size_t k = 0; k < all.count; k++) {
        all.N[k] = fmin(low * exp(step * (double)k), high);
    }
    all.N[all.count - 1] = all.count > 1 ? high : low;
    evaluate_working(s, all.count, all.N, all.at);
    if (s->status != ISOCAST_OK) {
        return;
    }
    find_extreme(s, &all, 1, &solution->least_N, &solution->least_E);
    find_extreme(s, &all, -1, &solution->best_N, &solution->best_E);
    /* Where E saturates, rounding decides which point is the largest: as good as the last is the
     * end. */
    double last = all.at[all.count - 1].E;
    solution->best_at_end = last >= solution->best_E * (1 - 1e-9);
    if (solution->best_at_end) {
        solution->best_E = last;
        solution->best_N = all.N[all.count - 1];
    }
}

/* Where the range of N ends; *every_N where E is the target at all that were looked at. */
static void find_end(search *s, double low, double high, bool *every_N) {
    isocast_effort rest = isocast_effort_lend(&s->effort, 1 - survey_share);
    range_end end = survey_range(s, isocast_condition_has_sums(s->condition), low, high);
    isocast_effort_return(&s->effort, &rest);
    *every_N = end.all_on_target;
    s->solution->N_end = s->solution->complete_to = end.N;
    s->solution->sum_error = end.sum_error > 0 ? end.sum_error : s->solution->sum_error;
}

static void solve_between(search *s, double low, double high) {
    isocast_solution *solution = s->solution;
    bool every_N;
    s->asks_bands = s->reach != NULL;
    find_end(s, low, high, &every_N);
    if (s->reach != NULL && !every_N) {
        double left = s->effort.left;
        s->found_by_bands = find_by_bands(s, low, solution->N_end);
        /* What bands have taken is no part of what proofs may take. */
        s->proofs_end -= left - s->effort.left;
        s->further_end -= left - s->effort.left;
    }
    s->asks_bands = s->found_by_bands;
    if (s->reach != NULL && !s->found_by_bands && isocast_condition_has_sums(s->condition)) {
        /* What follows takes its sums from the condition. */
        find_end(s, low, high, &every_N);
    }
    if (every_N && !isnan(balance_at(s, low).residual)) {
        solution->status = ISOCAST_ROW_OK;
        solution->every_N = true;
        solution->N = low;
        solution->root_count = 1;
        solution->roots[0] = low;
        solution->root_to[0] = solution->N_end;
        return;
    }
    if (!s->found_by_bands) {
        find_roots(s, low, solution->N_end);
        settle_doubt(&s->roots, INFINITY);
    }
    if (solution->root_count == 0 && s->status == ISOCAST_OK) {
        find_extremes(s, low, solution->N_end);
    }
}

/* The program of W and T, bound to the condition; its columns are to be freed. For metrics of W
 * alone, and where it can: else NULL. Errors: NO_MEMORY. */
static isocast_status bind_reach(search *s, const isocast_solve_request *request,
                                 isocast_column **columns) {
    const isocast_model *model = request->model;
    const isocast_system *system = request->system;
    if (isocast_metric_row_of(request->metric)->numerator != ISOCAST_NUMERATOR_WORK) {
        return ISOCAST_OK;
    }
    *columns = calloc(isocast_model_column_count(model), sizeof **columns);
    if (*columns == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = isocast_reach_create(isocast_model_times(model), 0, &s->reach);
    if (status == ISOCAST_OK && s->reach != NULL) {
        isocast_metric_point point = {.C = system->size, .R_f = system->reference_factor};
        s->output_count = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
        s->weight = 1 / (request->target * isocast_metric_size_of(request->metric, &point));
        isocast_model_columns(model, system, request->other_sizes, request->parameters, *columns);
        isocast_reach_bind(s->reach, *columns, &system->table);
    }
    return status;
}

isocast_status isocast_solve(const isocast_solve_request *request, isocast_solution *out) {
    if (!isfinite(request->target) || request->target <= 0) {
        return ISOCAST_ARGUMENT;
    }
    const isocast_size *size = &isocast_model_algorithm(request->model)->sizes[0];
    double low = fmax(fmax(size->min, 1), request->from);
    double high = fmax(low, fmin(size->max, largest_N));
    isocast_solution solution = {.status = ISOCAST_ROW_NOT_CONVERGED,
                                 .N = NAN,
                                 .complete_to = NAN,
                                 .complete = true,
                                 .N_end = NAN,
                                 .best_E = NAN,
                                 .best_N = NAN,
                                 .least_E = NAN,
                                 .least_N = NAN,
                                 .jump_N = NAN};
    isocast_numerics_prepare();
    isocast_effort own = isocast_effort_of(1);
    isocast_effort *account = request->effort != NULL ? request->effort : &own;
    search s = {.request = request,
                .solution = &solution,
                .roots = {&solution, NAN},
                .effort = isocast_effort_lend(account, search_share)};
    s.status = isocast_pieces_create(&s.pieces);
    s.proofs_end = s.effort.left * (1 - proofs_share);
    s.further_end = s.effort.left * (1 - further_share);
    if (s.status == ISOCAST_OK) {
        s.status = isocast_condition_create(request->model, request->metric, request->system,
                                            request->other_sizes, request->parameters,
                                            request->target, &s.effort, &s.condition);
    }
    isocast_column *columns = NULL;
    if (s.status == ISOCAST_OK && request->by_bands) {
        s.status = bind_reach(&s, request, &columns);
    }
    if (s.status == ISOCAST_OK) {
        solve_between(&s, low, high);
        solution.gave_up = isocast_effort_is_spent(&s.effort);
        isocast_effort rest = isocast_effort_lend(account, 1);
        isocast_effort_return(&s.effort, &rest);
        if (!solution.every_N) {
            decide(&s);
        }
    }
    isocast_effort_return(account, &s.effort);
    isocast_condition_free(s.condition);
    isocast_reach_free(s.reach);
    free(columns);
    isocast_pieces_free(&s.pieces);
    if (s.status == ISOCAST_OK) {
        *out = solution;
    }
    return s.status;
}
