#include "expand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/process_grid.h"
#include "model/formula/formula.h"
#include "model/formula/function.h"
#include "series.h"
#include "series_function.h"

enum { SIZE_FIRST = 64 };

typedef struct isocast_formula_memo_item {
    const isocast_formula *formula;
    isocast_series value;
} memo_item;

static memo_item *slot_of(const isocast_formula_memo *memo, const isocast_formula *formula) {
    size_t mask = memo->size - 1;
    size_t at = ((uintptr_t)formula / sizeof *formula * 2654435761U) & mask;
    while (memo->items[at].formula != NULL && memo->items[at].formula != formula) {
        at = (at + 1) & mask;
    }
    return &memo->items[at];
}

static bool find_memo(const isocast_formula_memo *memo, const isocast_formula *formula,
                      isocast_series *out) {
    if (memo->size == 0 || slot_of(memo, formula)->formula == NULL) {
        return false;
    }
    *out = slot_of(memo, formula)->value;
    return true;
}

static bool grow(isocast_formula_memo *memo) {
    if (2 * (memo->count + 1) <= memo->size) {
        return true;
    }
    isocast_formula_memo grown = {.size = memo->size == 0 ? SIZE_FIRST : 2 * memo->size};
    grown.items = calloc(grown.size, sizeof *grown.items);
    if (grown.items == NULL) {
        return false;
    }
    for (size_t i = 0; i < memo->size; i++) {
        if (memo->items[i].formula != NULL) {
            *slot_of(&grown, memo->items[i].formula) = memo->items[i];
        }
    }
    grown.count = memo->count;
    free(memo->items);
    *memo = grown;
    return true;
}

/* Keeps a formula that is not there yet. False without memory. */
static bool add_memo(isocast_formula_memo *memo, const isocast_formula *formula,
                     isocast_series value) {
    if (!grow(memo)) {
        return false;
    }
    *slot_of(memo, formula) = (memo_item){formula, value};
    memo->count++;
    return true;
}

static void free_memo(isocast_formula_memo *memo) {
    free(memo->items);
    *memo = (isocast_formula_memo){0};
}

enum {
    DEPTH_MAX = 1500,      /* of expressions inside expressions, over all formulas */
    TERMS_ONE_BY_ONE = 256 /* sums of so many terms are added up directly */
};

typedef struct running {
    const char *name;
    isocast_series value;
    bool is_symbol; /* the value is the monomial number `symbol` */
    size_t symbol;
    isocast_series within; /* where it is a symbol: its range, as a series with bounds */
    const struct running *outer;
} running;

/* Where names are looked up. */
typedef struct place {
    const isocast_scope *scope;
    const running *running;
    size_t symbols; /* running variables that are monomials */
    bool has_arguments;
    bool elsewhere;              /* in an operation that is reported where its processes are */
    isocast_series arguments[2]; /* m and p inside an operation */
    size_t class_index;          /* class_count: in no class */
} place;

static isocast_series expand(isocast_expansion *e, const place *at,
                             const isocast_formula_node *node);

static isocast_series fail(isocast_expansion *e, const char *reason) {
    isocast_series_fail(e->room, ISOCAST_SERIES_OUTSIDE, reason);
    return isocast_series_zero();
}

void isocast_expansion_free(isocast_expansion *e) {
    free_memo(&e->memo);
}

/* A name's formula sees nothing of the sums around. */
static isocast_series expand_named(isocast_expansion *e, const isocast_symbol *symbol) {
    if (symbol->formula == NULL) {
        return fail(e, "a name has no formula");
    }
    isocast_series value;
    if (find_memo(&e->memo, symbol->formula, &value)) {
        return value;
    }
    place inside = {.scope = symbol->scope, .class_index = e->class_count};
    value = expand(e, &inside, symbol->formula->root);
    if (!isocast_series_failed(e->room) && !add_memo(&e->memo, symbol->formula, value)) {
        isocast_series_fail(e->room, ISOCAST_SERIES_NO_MEMORY, NULL);
    }
    return value;
}

static isocast_series expand_name(isocast_expansion *e, const place *at,
                                  const isocast_formula_node *node) {
    for (const running *r = at->running; r != NULL; r = r->outer) {
        if (strcmp(r->name, node->name) == 0) {
            return r->value;
        }
    }
    const isocast_symbol *symbol = isocast_scope_find(at->scope, node->name);
    if (symbol == NULL) {
        return fail(e, "a name is not known");
    }
    switch (symbol->kind) {
    case ISOCAST_SYMBOL_INPUT:
        return e->columns[symbol->index];
    case ISOCAST_SYMBOL_NODES:
    case ISOCAST_SYMBOL_NODE_SHARE:
        return at->elsewhere ? fail(e, "an operation is called for processes at other places")
                             : e->columns[symbol->index];
    case ISOCAST_SYMBOL_CONSTANT:
        return isocast_series_number(e->room, symbol->value);
    case ISOCAST_SYMBOL_ARGUMENT:
        return at->has_arguments && symbol->index < 2 ? at->arguments[symbol->index]
                                                      : fail(e, "a name is not known");
    case ISOCAST_SYMBOL_CLASS:
        return at->class_index < e->class_count ? e->classes[symbol->index][at->class_index]
                                                : fail(e, "a node class is not known");
    case ISOCAST_SYMBOL_FORMULA:
        return expand_named(e, symbol);
    case ISOCAST_SYMBOL_OPERATION:
        break;
    }
    return fail(e, "an operation has no arguments");
}

static isocast_series system_processes(isocast_expansion *e, const place *at) {
    if (at->has_arguments) {
        return at->arguments[1];
    }
    const isocast_symbol *p = isocast_scope_find(e->scope, "p");
    return p != NULL && p->kind == ISOCAST_SYMBOL_INPUT
               ? e->columns[p->index]
               : fail(e, "the number of processes is not known");
}

static isocast_series expand_operation(isocast_expansion *e, const place *at,
                                       const isocast_formula_node *node) {
    const isocast_symbol *symbol = isocast_scope_find(at->scope, node->name);
    if (symbol == NULL || symbol->kind != ISOCAST_SYMBOL_OPERATION || symbol->formula == NULL) {
        return fail(e, "an operation has no formula");
    }
    place inside = {.scope = symbol->scope, .has_arguments = true, .class_index = e->class_count};
    inside.arguments[0] =
        node->count > 0 ? expand(e, at, node->arguments[0]) : isocast_series_zero();
    inside.arguments[1] =
        node->count > 1 ? expand(e, at, node->arguments[1]) : system_processes(e, at);
    inside.symbols = at->symbols;
    inside.elsewhere = at->elsewhere || node->count > 2;
    return expand(e, &inside, symbol->formula->root);
}

static isocast_series term_at(isocast_expansion *e, const place *at,
                              const isocast_formula_node *node, running *i) {
    place inside = *at;
    i->name = node->arguments[0]->name;
    i->outer = at->running;
    inside.running = i;
    inside.symbols += i->is_symbol ? 1 : 0;
    return expand(e, &inside, node->arguments[3]);
}

static isocast_series sum_one_by_one(isocast_expansion *e, const place *at,
                                     const isocast_formula_node *node, isocast_series from,
                                     double count) {
    isocast_series sum = isocast_series_zero();
    for (double k = 0; k < count && !isocast_series_failed(e->room); k++) {
        running i = {.value =
                         isocast_series_add(e->room, from, isocast_series_number(e->room, k), 1)};
        sum = isocast_series_add(e->room, sum, term_at(e, at, node, &i), 1);
    }
    return sum;
}

/* A range that grows, times a share between two, without what is smaller in it: so that near 0 it
 * is not below 0. */
static isocast_series share_of(isocast_series_room *room, const isocast_series_lead *span,
                               double low, double high) {
    static const double slack = 0.01;
    return isocast_series_multiply(room, isocast_series_monomial(room, &span->monomial),
                                   isocast_series_between(room, low * (1 - slack) * span->low,
                                                          high * (1 + slack) * span->high));
}

/* The terms of three parts of the range, each with bounds: near the ends what they grow with may
 * vanish, in the middle it does not. */
static isocast_series sum_by_parts(isocast_expansion *e, const place *at,
                                   const isocast_formula_node *node, isocast_series from,
                                   isocast_series to) {
    static const struct {
        bool from_end;
        double low, high; /* shares of the range */
    } parts[] = {{false, 0, 0.25}, {false, 0.25, 0.75}, {true, 0, 0.25}};
    isocast_series_room *room = e->room;
    isocast_series span = isocast_series_add(room, to, from, -1);
    isocast_series sum = isocast_series_zero();
    isocast_series_lead lead;
    if (!isocast_series_find_lead(room, span, &lead)) {
        return sum;
    }
    if (lead.sign <= 0) {
        return fail(e, "the range of a sum is not known");
    }
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        isocast_series shift = share_of(room, &lead, parts[k].low, parts[k].high);
        running i = {.value = isocast_series_add(room, parts[k].from_end ? to : from, shift,
                                                 parts[k].from_end ? -1 : 1)};
        isocast_series count = isocast_series_multiply(
            room, span, isocast_series_number(room, parts[k].high - parts[k].low));
        count = isocast_series_add(room, count, isocast_series_between(room, -1, 1), 1);
        isocast_series term = term_at(e, at, node, &i);
        sum = isocast_series_add(room, sum, isocast_series_multiply(room, count, term), 1);
    }
    return sum;
}

/* Whether there are terms at all: 1, 0, or -1 where that depends on a running variable around. */
static int has_terms(isocast_expansion *e, isocast_series count) {
    isocast_series_lead lead;
    if (!isocast_series_find_lead(e->room, count, &lead)) {
        return -1;
    }
    return lead.is_zero || lead.sign > 0 ? 1 : lead.sign < 0 ? 0 : -1;
}

/* A running variable lies between the bounds of its sum, and so what depends on it between others.
 */
static int has_terms_within(isocast_expansion *e, const place *at, isocast_series count) {
    isocast_series within = count;
    for (const running *r = at->running; r != NULL; r = r->outer) {
        if (r->is_symbol) {
            within = isocast_series_substitute(e->room, within, r->symbol, r->within);
        }
    }
    if (within.count == count.count && !isocast_series_has_running(count)) {
        return has_terms(e, count);
    }
    int at_least = has_terms(e, isocast_series_bound(e->room, within, false));
    int at_most = has_terms(e, isocast_series_bound(e->room, within, true));
    return at_least == 1 ? 1 : at_most == 0 ? 0 : -1;
}

/* The sum where it has terms. */
static isocast_series sum_of_terms(isocast_expansion *e, const place *at,
                                   const isocast_formula_node *node, isocast_series from,
                                   isocast_series to) {
    isocast_series_room *room = e->room;
    isocast_series span = isocast_series_add(room, to, from, -1);
    if (at->symbols < ISOCAST_MONOMIAL_SUMS) {
        isocast_monomial symbol = {0};
        symbol.i[at->symbols] = 1;
        running i = {.value = isocast_series_monomial(room, &symbol),
                     .is_symbol = true,
                     .symbol = at->symbols,
                     .within = isocast_series_add(
                         room, from,
                         isocast_series_multiply(room, span, isocast_series_between(room, 0, 1)),
                         1)};
        isocast_series term = term_at(e, at, node, &i);
        isocast_series sum = isocast_series_sum(room, term, at->symbols, from, to);
        if (!isocast_series_failed(room) || !isocast_series_recover(room)) {
            return sum;
        }
    }
    return isocast_series_has_running(span)
               ? fail(e, "a sum inside a sum has terms that follow no known rule")
               : sum_by_parts(e, at, node, from, to);
}

static isocast_series expand_sum(isocast_expansion *e, const place *at,
                                 const isocast_formula_node *node) {
    isocast_series_room *room = e->room;
    isocast_series from = expand(e, at, node->arguments[1]);
    isocast_series to = expand(e, at, node->arguments[2]);
    isocast_series span = isocast_series_add(room, to, from, -1);
    isocast_series count = isocast_series_add(room, span, isocast_series_number(room, 1), 1);
    double number;
    if (isocast_series_is_number(count, &number) && number <= TERMS_ONE_BY_ONE) {
        if (number != floor(number)) {
            return fail(e, "a sum ends between two whole numbers");
        }
        return sum_one_by_one(e, at, node, from, number);
    }
    int terms = has_terms_within(e, at, count);
    if (terms == 0 || isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    isocast_series sum = sum_of_terms(e, at, node, from, to);
    return terms > 0 ? sum : isocast_series_hull(room, sum, isocast_series_zero());
}
/* A comparison, or a number that is 0 or not. */
static isocast_series_order truth_of(isocast_expansion *e, const place *at,
                                     const isocast_formula_node *node) {
    isocast_series value = expand(e, at, node);
    if (isocast_series_failed(e->room)) {
        return ISOCAST_SERIES_UNSURE;
    }
    isocast_series_order order = isocast_series_compare(e->room, value, isocast_series_zero());
    return order == ISOCAST_SERIES_BELOW ? ISOCAST_SERIES_ABOVE : order;
}

/* 1 or 0 for what holds or does not, 0 to 1 where that is not known. */
static isocast_series truth_value(isocast_expansion *e, isocast_series_order truth) {
    return truth == ISOCAST_SERIES_UNSURE
               ? isocast_series_between(e->room, 0, 1)
               : isocast_series_number(e->room, truth == ISOCAST_SERIES_ABOVE ? 1 : 0);
}

/* "and" is settled by a part that does not hold, "or" by one that does. */
static isocast_series expand_logical(isocast_expansion *e, const place *at,
                                     const isocast_formula_node *node) {
    isocast_series_order settles =
        node->kind == ISOCAST_FORMULA_AND ? ISOCAST_SERIES_SAME : ISOCAST_SERIES_ABOVE;
    isocast_series_order truth = ISOCAST_SERIES_UNSURE;
    bool unsure = false;
    for (size_t k = 0; k < node->count && !isocast_series_failed(e->room); k++) {
        truth = truth_of(e, at, node->arguments[k]);
        if (truth == settles) {
            return truth_value(e, truth);
        }
        unsure = unsure || truth == ISOCAST_SERIES_UNSURE;
    }
    return truth_value(e, unsure ? ISOCAST_SERIES_UNSURE : truth);
}

static isocast_series expand_not(isocast_expansion *e, const place *at,
                                 const isocast_formula_node *node) {
    isocast_series_order truth = truth_of(e, at, node->arguments[0]);
    return truth_value(e, truth == ISOCAST_SERIES_SAME    ? ISOCAST_SERIES_ABOVE
                          : truth == ISOCAST_SERIES_ABOVE ? ISOCAST_SERIES_SAME
                                                          : truth);
}

static isocast_series expand_if(isocast_expansion *e, const place *at,
                                const isocast_formula_node *node) {
    isocast_series_order truth = truth_of(e, at, node->arguments[0]);
    if (isocast_series_failed(e->room)) {
        return isocast_series_zero();
    }
    if (truth != ISOCAST_SERIES_UNSURE) {
        return expand(e, at, node->arguments[truth == ISOCAST_SERIES_ABOVE ? 1 : 2]);
    }
    isocast_series then = expand(e, at, node->arguments[1]);
    return isocast_series_either(e->room, then, expand(e, at, node->arguments[2]));
}

static isocast_series logical(isocast_expansion *e, isocast_series_order order, bool below,
                              bool same, bool above) {
    switch (order) {
    case ISOCAST_SERIES_BELOW:
        return isocast_series_number(e->room, below ? 1 : 0);
    case ISOCAST_SERIES_SAME:
        return isocast_series_number(e->room, same ? 1 : 0);
    case ISOCAST_SERIES_ABOVE:
        return isocast_series_number(e->room, above ? 1 : 0);
    case ISOCAST_SERIES_UNSURE:
        break;
    }
    return isocast_series_between(e->room, 0, 1);
}

/* Straight lines between points, constant outside. */
static isocast_series expand_interpolate(isocast_expansion *e, const place *at,
                                         const isocast_formula_node *node) {
    isocast_series_room *room = e->room;
    isocast_series x = expand(e, at, node->arguments[0]);
    isocast_series x_left = expand(e, at, node->arguments[1]);
    isocast_series y_left = expand(e, at, node->arguments[2]);
    if (isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    isocast_series_order first = isocast_series_compare(room, x, x_left);
    if (first == ISOCAST_SERIES_BELOW || first == ISOCAST_SERIES_SAME) {
        return y_left;
    }
    bool unsure = first == ISOCAST_SERIES_UNSURE;
    isocast_series hull = y_left;
    for (size_t k = 3; k + 1 < node->count && !isocast_series_failed(room); k += 2) {
        isocast_series x_right = expand(e, at, node->arguments[k]);
        isocast_series y_right = expand(e, at, node->arguments[k + 1]);
        isocast_series_order order = isocast_series_compare(room, x, x_right);
        if (order == ISOCAST_SERIES_ABOVE && !unsure) {
            hull = y_right;
        } else if (order == ISOCAST_SERIES_ABOVE || order == ISOCAST_SERIES_UNSURE) {
            hull = isocast_series_hull(room, hull, isocast_series_hull(room, y_left, y_right));
            unsure = true;
        } else if (unsure) {
            return isocast_series_hull(room, hull, isocast_series_hull(room, y_left, y_right));
        } else {
            isocast_series share =
                isocast_series_divide(room, isocast_series_add(room, x, x_left, -1),
                                      isocast_series_add(room, x_right, x_left, -1));
            return isocast_series_add(
                room, y_left,
                isocast_series_multiply(room, share, isocast_series_add(room, y_right, y_left, -1)),
                1);
        }
        x_left = x_right;
        y_left = y_right;
    }
    return hull;
}

static isocast_series expand_classes(isocast_expansion *e, const place *at,
                                     const isocast_formula_node *node, isocast_function_id id) {
    isocast_series result = isocast_series_zero();
    for (size_t k = 0; k < e->class_count && !isocast_series_failed(e->room); k++) {
        place inside = *at;
        inside.class_index = k;
        isocast_series term = expand(e, &inside, node->arguments[0]);
        result = k == 0                             ? term
                 : id == ISOCAST_FUNCTION_MAX_CLASS ? isocast_series_larger(e->room, result, term)
                 : id == ISOCAST_FUNCTION_MIN_CLASS ? isocast_series_smaller(e->room, result, term)
                                                    : isocast_series_add(e->room, result, term, 1);
    }
    return result;
}

static isocast_series expand_log(isocast_expansion *e, const place *at,
                                 const isocast_formula_node *node, double base) {
    isocast_series log = isocast_series_log(e->room, expand(e, at, node->arguments[0]));
    return base == 0 ? log
                     : isocast_series_multiply(e->room, log,
                                               isocast_series_number(e->room, 1 / log1p(base - 1)));
}

static isocast_series expand_extreme(isocast_expansion *e, const place *at,
                                     const isocast_formula_node *node, bool largest) {
    isocast_series result = expand(e, at, node->arguments[0]);
    for (size_t k = 1; k < node->count && !isocast_series_failed(e->room); k++) {
        isocast_series next = expand(e, at, node->arguments[k]);
        result = largest ? isocast_series_larger(e->room, result, next)
                         : isocast_series_smaller(e->room, result, next);
    }
    return result;
}

/* What a leaves when it is divided by b: a - b floor(a/b). */
static isocast_series expand_mod(isocast_expansion *e, const place *at,
                                 const isocast_formula_node *node) {
    isocast_series a = expand(e, at, node->arguments[0]);
    isocast_series b = expand(e, at, node->arguments[1]);
    isocast_series times =
        isocast_series_round(e->room, isocast_series_divide(e->room, a, b), ISOCAST_SERIES_FLOOR);
    return isocast_series_add(e->room, a, isocast_series_multiply(e->room, b, times), -1);
}

/* The rows of a square grid: those of other p depend on the divisors of p, and have no order. */
static isocast_series expand_grid_rows(isocast_expansion *e, isocast_series p) {
    double number;
    if (isocast_series_is_number(p, &number)) {
        return isocast_series_number(e->room, isocast_grid_rows(number));
    }
    e->room->squares = true;
    return isocast_series_power(e->room, p, 0.5);
}

/* The depth of a cubic grid, likewise. */
static isocast_series expand_grid_layers(isocast_expansion *e, isocast_series p) {
    double number;
    if (isocast_series_is_number(p, &number)) {
        return isocast_series_number(e->room, isocast_grid_layers(number));
    }
    e->room->cubes = true;
    return isocast_series_power(e->room, p, 1.0 / 3);
}

/* The divisors of p have no order: what is said holds where x divides p. */
static isocast_series expand_divisor(isocast_expansion *e, isocast_series p, isocast_series x) {
    double number;
    double most;
    if (isocast_series_is_number(p, &number) && isocast_series_is_number(x, &most)) {
        return isocast_series_number(e->room, isocast_grid_divisor(number, most));
    }
    e->room->divisors = true;
    return x;
}

static isocast_series expand_call(isocast_expansion *e, const place *at,
                                  const isocast_formula_node *node) {
    const isocast_function *function = isocast_function_find(node->name);
    if (function == NULL) {
        return expand_operation(e, at, node);
    }
    isocast_series_room *room = e->room;
    switch (function->id) {
    case ISOCAST_FUNCTION_IF:
        return expand_if(e, at, node);
    case ISOCAST_FUNCTION_MIN:
        return expand_extreme(e, at, node, false);
    case ISOCAST_FUNCTION_MAX:
        return expand_extreme(e, at, node, true);
    case ISOCAST_FUNCTION_ABS:
        return isocast_series_abs(room, expand(e, at, node->arguments[0]));
    case ISOCAST_FUNCTION_CEIL:
        return isocast_series_round(room, expand(e, at, node->arguments[0]), ISOCAST_SERIES_CEIL);
    case ISOCAST_FUNCTION_FLOOR:
        return isocast_series_round(room, expand(e, at, node->arguments[0]), ISOCAST_SERIES_FLOOR);
    case ISOCAST_FUNCTION_ROUND:
        return isocast_series_round(room, expand(e, at, node->arguments[0]), ISOCAST_SERIES_ROUND);
    case ISOCAST_FUNCTION_SQRT:
        return isocast_series_power(room, expand(e, at, node->arguments[0]), 0.5);
    case ISOCAST_FUNCTION_CBRT:
        return isocast_series_power(room, expand(e, at, node->arguments[0]), 1.0 / 3);
    case ISOCAST_FUNCTION_MOD:
        return expand_mod(e, at, node);
    case ISOCAST_FUNCTION_EXP:
        return isocast_series_exp(room, expand(e, at, node->arguments[0]));
    case ISOCAST_FUNCTION_LOG:
        return expand_log(e, at, node, 0);
    case ISOCAST_FUNCTION_LOG2:
        return expand_log(e, at, node, 2);
    case ISOCAST_FUNCTION_LOG10:
        return expand_log(e, at, node, 10);
    case ISOCAST_FUNCTION_BINOMIAL_VOLUME:
        return isocast_series_binomial_volume(room, expand(e, at, node->arguments[0]));
    case ISOCAST_FUNCTION_GRID_ROWS:
        return expand_grid_rows(e, expand(e, at, node->arguments[0]));
    case ISOCAST_FUNCTION_GRID_LAYERS:
        return expand_grid_layers(e, expand(e, at, node->arguments[0]));
    case ISOCAST_FUNCTION_DIVISOR:
        return expand_divisor(e, expand(e, at, node->arguments[0]),
                              expand(e, at, node->arguments[1]));
    case ISOCAST_FUNCTION_INTERPOLATE:
        return expand_interpolate(e, at, node);
    case ISOCAST_FUNCTION_SUM:
        return expand_sum(e, at, node);
    case ISOCAST_FUNCTION_SUM_CLASS:
    case ISOCAST_FUNCTION_MAX_CLASS:
    case ISOCAST_FUNCTION_MIN_CLASS:
        return expand_classes(e, at, node, function->id);
    default:
        return fail(e, "a function has no rule for growth");
    }
}

static isocast_series expand_power(isocast_expansion *e, isocast_series base,
                                   isocast_series exponent) {
    double number;
    if (isocast_series_is_number(exponent, &number)) {
        return isocast_series_power(e->room, base, number);
    }
    return isocast_series_exp(
        e->room, isocast_series_multiply(e->room, exponent, isocast_series_log(e->room, base)));
}

static isocast_series expand_binary(isocast_expansion *e, const place *at,
                                    const isocast_formula_node *node) {
    isocast_series a = expand(e, at, node->arguments[0]);
    isocast_series b = expand(e, at, node->arguments[1]);
    if (isocast_series_failed(e->room)) {
        return isocast_series_zero();
    }
    switch (node->kind) {
    case ISOCAST_FORMULA_ADD:
        return isocast_series_add(e->room, a, b, 1);
    case ISOCAST_FORMULA_SUBTRACT:
        return isocast_series_add(e->room, a, b, -1);
    case ISOCAST_FORMULA_MULTIPLY:
        return isocast_series_multiply(e->room, a, b);
    case ISOCAST_FORMULA_DIVIDE:
        return isocast_series_divide(e->room, a, b);
    case ISOCAST_FORMULA_POWER:
        return expand_power(e, a, b);
    case ISOCAST_FORMULA_LESS:
        return logical(e, isocast_series_compare(e->room, a, b), true, false, false);
    case ISOCAST_FORMULA_LESS_EQUAL:
        return logical(e, isocast_series_compare(e->room, a, b), true, true, false);
    case ISOCAST_FORMULA_GREATER:
        return logical(e, isocast_series_compare(e->room, a, b), false, false, true);
    case ISOCAST_FORMULA_GREATER_EQUAL:
        return logical(e, isocast_series_compare(e->room, a, b), false, true, true);
    case ISOCAST_FORMULA_EQUAL:
        return logical(e, isocast_series_compare(e->room, a, b), false, true, false);
    case ISOCAST_FORMULA_NOT_EQUAL:
        return logical(e, isocast_series_compare(e->room, a, b), true, false, true);
    default:
        return fail(e, "an operator has no rule for growth");
    }
}

static isocast_series expand_kind(isocast_expansion *e, const place *at,
                                  const isocast_formula_node *node) {
    switch (node->kind) {
    case ISOCAST_FORMULA_NUMBER:
        return isocast_series_number(e->room, node->value);
    case ISOCAST_FORMULA_NAME:
        return expand_name(e, at, node);
    case ISOCAST_FORMULA_CALL:
        return expand_call(e, at, node);
    case ISOCAST_FORMULA_NEGATE:
        return isocast_series_add(e->room, isocast_series_zero(), expand(e, at, node->arguments[0]),
                                  -1);
    case ISOCAST_FORMULA_AND:
    case ISOCAST_FORMULA_OR:
        return expand_logical(e, at, node);
    case ISOCAST_FORMULA_NOT:
        return expand_not(e, at, node);
    default:
        return node->count == 2 ? expand_binary(e, at, node)
                                : fail(e, "an operator has no rule for growth");
    }
}

static isocast_series expand(isocast_expansion *e, const place *at,
                             const isocast_formula_node *node) {
    if (isocast_series_failed(e->room)) {
        return isocast_series_zero();
    }
    if (e->depth == DEPTH_MAX) {
        return fail(e, "the formulas are nested too deeply");
    }
    e->depth++;
    e->room->steps++;
    isocast_series value = expand_kind(e, at, node);
    e->depth--;
    return value;
}

isocast_series isocast_formula_expand(isocast_expansion *e, const isocast_formula *formula,
                                      const isocast_scope *scope) {
    place at = {.scope = scope, .class_index = e->class_count};
    return expand(e, &at, formula->root);
}
