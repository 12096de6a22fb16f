/* Sums over many integers without visiting each. Where the term's steps come again after n terms,
 * every n-th term is taken together; the range is cut where a comparison switches (sum_plan.h). The
 * rest is cut into panels; on a panel the term is interpolated by a polynomial of degree 7 and
 * tested at other integers. Where it fits, the polynomial is added up in closed form; where not,
 * the panel is halved, and a short one is added up term by term. A term that is piecewise
 * polynomial is thus summed exactly at O(pieces log n) evaluations: the pieces' borders end in
 * short panels.
 *
 * What cannot be seen: a feature that is neither a step of a linear argument nor a switch at one,
 * lies entirely between the integers that are tried, of a width under about a fifteenth of the
 * panel, and leaves no trace at its ends. */
#include <math.h>
#include <stdlib.h>

#include "model/base/order.h"
#include "sum_plan.h"

enum {
    NODES = 8, /* a polynomial of degree 7 */
    TESTS = 9, /* other places in a panel where it must hold */
    TRIED = NODES + TESTS,
    DIRECT_TERMS = 48, /* panels of so many terms are added up directly */
    WIDTH = DIRECT_TERMS,
    STACK_DOUBLES = 2048,
    EVALUATIONS_MAX = 200000,
    STEPS_MIN = 40, /* that a term counts for */
    DEPTH_MAX = 64
};

/* Relative to the largest term of the panel: what rounding leaves of an exact fit. */
static const double fit_tolerance = 1e-13;
/* A misfit up to this is rounding and not counted as an error. */
static const double rounding = 3e-14;
/* A panel whose error is below this share of the whole sum is good enough. */
static const double share_tolerance = 1e-15;

typedef struct summation {
    const isocast_block_run *outer;
    const isocast_block *block;
    isocast_block_evaluator evaluate;
    size_t position;
    double from;
    double stride; /* between the terms that are added up together */
    double *registers;
    double total; /* compensated [Neumaier 1974] */
    double compensation;
    double error;     /* estimate, absolute */
    double magnitude; /* sum of |term|, as far as it is known */
    size_t evaluations;
} summation;

static void add(summation *s, double value) {
    double sum = s->total + value;
    if (isfinite(sum)) {
        s->compensation +=
            fabs(s->total) >= fabs(value) ? (s->total - sum) + value : (value - sum) + s->total;
    }
    s->total = sum;
}

/* Whether so many more terms are within the budget. */
static bool spend(const summation *s, size_t count) {
    isocast_sum_budget *budget = s->outer->budget;
    if (budget->spent) {
        return false;
    }
    budget->terms -= (double)count;
    size_t steps = s->block->code_count;
    budget->effort->left -= (double)count * (double)(steps > STEPS_MIN ? steps : STEPS_MIN);
    budget->spent = budget->terms < 0 || isocast_effort_is_spent(budget->effort);
    return !budget->spent;
}

/* Terms number index[0..count-1], count <= WIDTH; NaN where the budget is spent. */
static isocast_status evaluate_terms(summation *s, size_t count, const double *index,
                                     double *terms) {
    if (!spend(s, count)) {
        for (size_t k = 0; k < count; k++) {
            terms[k] = NAN;
        }
        *s->outer->sum_error = INFINITY;
        return ISOCAST_OK;
    }
    double running[WIDTH];
    for (size_t k = 0; k < count; k++) {
        running[k] = s->from + index[k] * s->stride;
    }
    isocast_block_run run = isocast_block_inside(s->outer, s->block, s->position);
    run.width = count;
    run.registers = s->registers;
    run.running = running;
    isocast_status status = s->evaluate(&run);
    const double *values = s->registers + (size_t)s->block->result * count;
    for (size_t k = 0; k < count; k++) {
        terms[k] = values[k];
    }
    s->evaluations += count;
    return status;
}

/* Notes that a term counts in the sum, where that is wanted. */
static isocast_status trace_term(const summation *s, double index, double weight) {
    isocast_sum_trace *trace = s->outer->trace;
    if (trace == NULL) {
        return ISOCAST_OK;
    }
    if (trace->count == trace->capacity) {
        size_t room = 2 * trace->capacity + DIRECT_TERMS;
        double *running = realloc(trace->running, room * sizeof *running);
        trace->running = running != NULL ? running : trace->running;
        double *weights = realloc(trace->weights, room * sizeof *weights);
        trace->weights = weights != NULL ? weights : trace->weights;
        if (running == NULL || weights == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        trace->capacity = room;
    }
    trace->running[trace->count] = s->from + index * s->stride;
    trace->weights[trace->count++] = weight;
    return ISOCAST_OK;
}

static isocast_status add_directly(summation *s, double begin, double length) {
    size_t count = (size_t)length;
    double index[WIDTH];
    double terms[WIDTH];
    for (size_t k = 0; k < count; k++) {
        index[k] = begin + (double)k;
    }
    isocast_status status = evaluate_terms(s, count, index, terms);
    for (size_t k = 0; k < count; k++) {
        add(s, terms[k]);
    }
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        status = trace_term(s, index[k], 1);
    }
    return status;
}

/* Where the polynomial goes through (first NODES) and where it is tested, as shares of the panel.
 * The nodes crowd towards the ends as Chebyshev's do; the tests lie between them at no regular
 * distance. */
static const double places[TRIED] = {0,       0.050,  0.188,  0.388,  0.612,  0.812,
                                     0.950,   1,      0.0171, 0.1123, 0.2871, 0.3307,
                                     0.49713, 0.5591, 0.7129, 0.8917, 0.9829};

/* Coefficients of the polynomial through (u[j], value[j]), lowest power first: divided differences,
 * then Horner's scheme outwards [Bjorck, Pereyra 1970]. */
static void interpolate(const double *u, const double *value, double *coefficients) {
    double difference[NODES];
    for (int j = 0; j < NODES; j++) {
        difference[j] = value[j];
    }
    for (int order = 1; order < NODES; order++) {
        for (int j = NODES - 1; j >= order; j--) {
            difference[j] = (difference[j] - difference[j - 1]) / (u[j] - u[j - order]);
        }
    }
    for (int j = 0; j < NODES; j++) {
        coefficients[j] = 0;
    }
    for (int j = NODES - 1; j >= 0; j--) {
        for (int k = NODES - 1; k > 0; k--) {
            coefficients[k] = coefficients[k - 1] - u[j] * coefficients[k];
        }
        coefficients[0] = difference[j] - u[j] * coefficients[0];
    }
}

static double polynomial(const double *coefficients, double u) {
    double value = 0;
    for (int k = NODES - 1; k >= 0; k--) {
        value = value * u + coefficients[k];
    }
    return value;
}

/* The polynomial's n-th derivative at 1 minus that at -1. */
static double derivative_difference(const double *coefficients, int order) {
    double difference = 0;
    for (int k = order + 1; k < NODES; k++) {
        double factor = 1;
        for (int i = 0; i < order; i++) {
            factor *= k - i;
        }
        difference += (k - order) % 2 == 1 ? 2 * factor * coefficients[k] : 0;
    }
    return difference;
}

/* Sum over the integers of a panel of `length` terms, which lie at the middles of equal parts of
 * [-1, 1]: the midpoint form of the Euler-Maclaurin formula, exact for degree 7. */
static double sum_polynomial(const double *coefficients, double length) {
    double h = 2 / length;
    double integral = 0;
    for (int k = 0; k < NODES; k += 2) {
        integral += 2 * coefficients[k] / (k + 1);
    }
    double h2 = h * h;
    double corrected = integral - h2 / 24 * derivative_difference(coefficients, 1) +
                       7 * h2 * h2 / 5760 * derivative_difference(coefficients, 3) -
                       31 * h2 * h2 * h2 / 967680 * derivative_difference(coefficients, 5);
    return corrected / h;
}

/* The numbers of the terms that are tried in a panel of `length` terms, and their places in [-1,
 * 1]; shapes [TRIED]. */
static void place_terms(double begin, double length, double *index, double *u) {
    for (int j = 0; j < TRIED; j++) {
        double offset = round(places[j] * (length - 1));
        index[j] = begin + offset;
        u[j] = (2 * offset + 1) / length - 1;
    }
}

/* A panel's closed form is linear in the terms that the polynomial goes through: each has a weight.
 */
static isocast_status trace_panel(const summation *s, double begin, double length) {
    double index[TRIED];
    double u[TRIED];
    place_terms(begin, length, index, u);
    isocast_status status = ISOCAST_OK;
    for (int j = 0; j < NODES && s->outer->trace != NULL && status == ISOCAST_OK; j++) {
        double unit[NODES] = {0};
        double coefficients[NODES];
        unit[j] = 1;
        interpolate(u, unit, coefficients);
        status = trace_term(s, index[j], sum_polynomial(coefficients, length));
    }
    return status;
}

/* Fits a panel. *sum gets the closed form, *error the largest misfit, *largest and
 * *smallest the terms of the largest and the smallest magnitude tried. */
static isocast_status fit_panel(summation *s, double begin, double length, double *sum,
                                double *error, double *largest, double *smallest) {
    double index[TRIED];
    double u[TRIED];
    double terms[TRIED];
    place_terms(begin, length, index, u);
    isocast_status status = evaluate_terms(s, TRIED, index, terms);
    double coefficients[NODES];
    interpolate(u, terms, coefficients);
    *error = 0;
    *largest = 0;
    *smallest = INFINITY;
    for (int j = 0; j < TRIED; j++) {
        double misfit = fabs(terms[j] - polynomial(coefficients, u[j]));
        *error = misfit <= *error ? *error : misfit;
        *largest = fmax(*largest, fabs(terms[j]));
        *smallest = fmin(*smallest, fabs(terms[j]));
    }
    *sum = sum_polynomial(coefficients, length);
    return status;
}

/* Adds the terms number `first` to `first + count - 1`. */
static isocast_status add_panels(summation *s, double first, double count) {
    struct {
        double begin;
        double length;
    } stack[DEPTH_MAX];
    size_t depth = 0;
    stack[depth].begin = first;
    stack[depth++].length = count;
    while (depth > 0) {
        double begin = stack[--depth].begin;
        double length = stack[depth].length;
        isocast_status status;
        if (length <= DIRECT_TERMS) {
            status = add_directly(s, begin, length);
        } else {
            double sum;
            double error;
            double largest;
            double smallest;
            status = fit_panel(s, begin, length, &sum, &error, &largest, &smallest);
            /* At least so much is in the sum; an estimate from the largest term would let errors of
             * a steep term pass. */
            s->magnitude = fmax(s->magnitude, fmax(smallest * length, fabs(s->total)));
            bool spent = s->evaluations >= EVALUATIONS_MAX || depth + 2 > DEPTH_MAX;
            bool exact = error <= fit_tolerance * largest ||
                         error * length <= share_tolerance * s->magnitude;
            if (exact || spent || !isfinite(sum)) {
                add(s, sum);
                s->error += error <= rounding * largest ? 0 : error * length;
                status = status == ISOCAST_OK ? trace_panel(s, begin, length) : status;
            } else {
                double half = floor(length / 2);
                stack[depth].begin = begin + half;
                stack[depth++].length = length - half;
                stack[depth].begin = begin;
                stack[depth++].length = half;
            }
        }
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    return ISOCAST_OK;
}

/* Terms that are waiting to be computed together, each with its weight. */
typedef struct weighted {
    double index[WIDTH];
    double weights[WIDTH];
    size_t count;
} weighted;

static isocast_status add_weighted(summation *s, weighted *w) {
    double terms[WIDTH];
    isocast_status status =
        w->count > 0 ? evaluate_terms(s, w->count, w->index, terms) : ISOCAST_OK;
    for (size_t k = 0; k < w->count && status == ISOCAST_OK; k++) {
        add(s, w->weights[k] * terms[k]);
        status = trace_term(s, w->index[k], w->weights[k]);
    }
    w->count = 0;
    return status;
}

/* Where each piece of a plan ends. */
static double end_of(const isocast_sum_plan *plan, size_t k, double begin, double count) {
    return k < plan->cut_count ? fmin(count, fmax(begin, ceil(plan->cuts[k]))) : count;
}

/* Adds terms that are a polynomial of degree 3 at most between two cuts: the mean of so many terms
 * is that of two at the distance of their places' standard deviation from the middle, as odd powers
 * cancel; of a straight line it is the middle itself. */
static isocast_status add_polynomials(summation *s, const isocast_sum_plan *plan, double count) {
    weighted w = {.count = 0};
    double begin = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k <= plan->cut_count && status == ISOCAST_OK; k++) {
        double end = end_of(plan, k, begin, count);
        double length = end - begin;
        if (!(length > 0)) {
            continue;
        }
        double middle = begin + (length - 1) / 2;
        size_t points = plan->degree <= 1 || length == 1 ? 1 : 2;
        double away = points == 1 ? 0 : sqrt((length * length - 1) / 12);
        if (w.count + points > WIDTH) {
            status = add_weighted(s, &w);
        }
        for (size_t i = 0; i < points; i++) {
            w.index[w.count] = middle + (i == 0 ? -away : away);
            w.weights[w.count++] = length / (double)points;
        }
        begin = end;
    }
    return status == ISOCAST_OK ? add_weighted(s, &w) : status;
}

/* Adds every n-th term, n the period, from each of the first n on, cut where the plan says. */
static isocast_status add_planned(summation *s, const isocast_sum_plan *plan, double count) {
    double from = s->from;
    isocast_status status = ISOCAST_OK;
    s->stride = plan->period;
    for (double offset = 0; offset < plan->period && offset < count; offset++) {
        double terms = floor((count - 1 - offset) / plan->period) + 1;
        double begin = 0;
        s->from = from + offset;
        for (size_t k = 0; k <= plan->cut_count && status == ISOCAST_OK; k++) {
            double end = terms;
            if (k < plan->cut_count) {
                end = fmin(terms, fmax(begin, ceil((plan->cuts[k] - offset) / plan->period)));
            }
            if (end > begin) {
                status = add_panels(s, begin, end - begin);
            }
            begin = end;
        }
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    s->from = from;
    s->stride = 1;
    return status;
}

ISOCAST_ORDER_BY(compare_cuts, double, *x)

/* One look at all pieces of a plan, each at its first and its last term; *more says whether borders
 * were found, *room whether there was room for them. */
static isocast_status cut_pieces(summation *s, const isocast_sum_pieces *pieces, double count,
                                 isocast_sum_plan *plan, bool *more, bool *room) {
    double index[WIDTH];
    double lengths[WIDTH / 2];
    double terms[WIDTH];
    size_t waiting = 0;
    size_t known = plan->cut_count;
    size_t cuts = known;
    double begin = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k <= known && status == ISOCAST_OK && *room; k++) {
        double end = end_of(plan, k, begin, count);
        if (end - begin > 1) {
            index[2 * waiting] = begin;
            index[2 * waiting + 1] = end - 1;
            lengths[waiting++] = end - begin;
        }
        begin = end;
        if (waiting < WIDTH / 2 && (k < known || waiting == 0)) {
            continue;
        }
        status = evaluate_terms(s, 2 * waiting, index, terms);
        for (size_t i = 0; i < waiting && *room; i++) {
            *room = isocast_sum_pieces_cut(pieces, index[2 * i], lengths[i], s->registers + 2 * i,
                                           2 * waiting, plan->cuts, &cuts);
        }
        waiting = 0;
    }
    *more = cuts > known;
    plan->cut_count = cuts;
    qsort(plan->cuts, cuts, sizeof *plan->cuts, compare_cuts);
    return status;
}

/* Looks for the borders of pieces on which the term is a polynomial, where the plan knows of none:
 * a comparison of straight lines in pieces has its border where others have theirs already. A look
 * that finds nothing new proves that there is nothing. */
static isocast_status find_pieces(summation *s, double count, isocast_sum_plan *plan) {
    enum { LOOKS_MAX = 12 };
    isocast_sum_pieces pieces = {0};
    isocast_status status = isocast_sum_pieces_create(s->block, &pieces);
    int degree = status == ISOCAST_OK ? isocast_sum_pieces_degree(&pieces) : -1;
    isocast_sum_plan *finer = degree >= 0 && degree <= 3 ? malloc(sizeof *finer) : NULL;
    if (finer != NULL) {
        *finer = *plan;
        bool more = true;
        bool room = true;
        for (int look = 0; look < LOOKS_MAX && more && room && status == ISOCAST_OK; look++) {
            status = cut_pieces(s, &pieces, count, finer, &more, &room);
        }
        if (!more && room && status == ISOCAST_OK && !s->outer->budget->spent) {
            *plan = *finer;
            plan->degree = degree;
        }
    }
    free(finer);
    isocast_sum_pieces_free(&pieces);
    return status;
}

static isocast_status add_one_by_one(summation *s, double count) {
    for (double begin = 0; begin < count; begin += DIRECT_TERMS) {
        isocast_status status = add_directly(s, begin, fmin(DIRECT_TERMS, count - begin));
        if (status != ISOCAST_OK || s->outer->budget->spent) {
            return status;
        }
    }
    return ISOCAST_OK;
}

static isocast_status add_terms(summation *s, double count) {
    if (count <= DIRECT_TERMS) {
        return add_directly(s, 0, count);
    }
    double at_first = 0;
    double term;
    isocast_status status = evaluate_terms(s, 1, &at_first, &term);
    if (status != ISOCAST_OK || s->outer->budget->spent) {
        /* No term was evaluated, so that the registers have nothing to plan by. */
        add(s, NAN);
        return status;
    }
    isocast_sum_plan *plan = malloc(sizeof *plan);
    if (plan == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    status = isocast_sum_plan_make(s->outer->program, s->block, s->registers, count, plan);
    if (status == ISOCAST_OK && plan->degree < 0 && !plan->is_hidden && plan->period == 1) {
        status = find_pieces(s, count, plan);
    }
    if (status == ISOCAST_OK && plan->is_hidden && count <= EVALUATIONS_MAX) {
        status = add_one_by_one(s, count);
    } else if (status == ISOCAST_OK && !plan->is_hidden && plan->period == 1 && plan->degree >= 0 &&
               plan->degree <= 3) {
        status = add_polynomials(s, plan, count);
    } else if (status == ISOCAST_OK) {
        /* Steps that are not accounted for may lie between the terms that are tried. */
        s->error = plan->is_hidden ? INFINITY : 0;
        status = add_planned(s, plan, count);
    }
    free(plan);
    return status;
}

/* Adds the part of a term that a `to` between two integers calls for. */
static isocast_status add_fraction(summation *s, double count, double fraction) {
    double term;
    isocast_status status = evaluate_terms(s, 1, &count, &term);
    add(s, fraction * term);
    return status == ISOCAST_OK ? trace_term(s, count, fraction) : status;
}

isocast_status isocast_block_sum(const isocast_block_run *outer, const isocast_block *block,
                                 size_t position, double from, double to,
                                 isocast_block_evaluator evaluate, double *out) {
    double span = to - from;
    if (!isfinite(span) || isnan(from)) {
        *out = NAN;
        return ISOCAST_OK;
    }
    double count = floor(span) + 1;
    double fraction = span - floor(span);
    if (count < 0) {
        *out = 0;
        return ISOCAST_OK;
    }
    double stack[STACK_DOUBLES];
    size_t needed = (size_t)block->register_count * WIDTH;
    summation s = {.outer = outer,
                   .block = block,
                   .evaluate = evaluate,
                   .position = position,
                   .from = from,
                   .stride = 1,
                   .registers = needed <= STACK_DOUBLES ? stack : malloc(needed * sizeof(double))};
    if (s.registers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = count > 0 ? add_terms(&s, count) : ISOCAST_OK;
    if (status == ISOCAST_OK && fraction > 0) {
        status = add_fraction(&s, count, fraction);
    }
    if (s.registers != stack) {
        free(s.registers);
    }
    *out = s.total + s.compensation;
    if (outer->terms != NULL) {
        *outer->terms += s.evaluations;
    }
    if (s.error > 0 && fabs(*out) > 0) {
        *outer->sum_error = fmax(*outer->sum_error, s.error / fabs(*out));
    }
    return status;
}
