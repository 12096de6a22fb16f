#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "path.h"

const double isocast_leading_balanced = 1e-9;

bool isocast_term_is_away(const isocast_series_term *term) {
    return term->low > 0 || term->high < 0 || (term->away && (term->low >= 0 || term->high <= 0));
}

/* 0 times a bound that is infinite is 0: the coefficient is a number on each path. */
static double product(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static void begin(isocast_leading *o) {
    o->count = 0;
    o->exact = true;
    o->low = o->high = o->magnitude = 0;
    o->above = o->below = true;
    o->away = o->above_low = false;
}

static void add_leading(isocast_leading *o, const isocast_series_term *term,
                        const isocast_monomial *first, double x_low, double x_high) {
    double exponent = term->monomial.log_N - first->log_N;
    double at_low = exponent == 0 ? 1 : pow(x_low, exponent);
    double at_high = exponent == 0 ? 1 : pow(x_high, exponent);
    double least = fmin(at_low, at_high);
    double most = fmax(at_low, at_high);
    o->low += term->low == 0 ? 0 : product(term->low, term->low > 0 ? least : most);
    o->high += term->high == 0 ? 0 : product(term->high, term->high > 0 ? most : least);
    o->magnitude += fmax(fabs(product(term->low, most)), fabs(product(term->high, most)));
    o->exact = o->exact && term->low == term->high;
    o->above = o->above && term->low >= 0;
    o->below = o->below && term->high <= 0;
    o->away = o->away || isocast_term_is_away(term);
    o->terms[o->count++] = (isocast_root_term){term->low, exponent};
}

/* Terms of one power of N, over the first ones'. Those of another power come with a power of s,
 * which is any number above 0. */
static void add_power(isocast_leading *o, const isocast_leading *power, bool is_first) {
    double slack = power->count > 1 ? isocast_leading_balanced * power->magnitude : 0;
    double low = power->low - slack;
    double high = power->high + slack;
    o->above = o->above && (power->above || low >= 0);
    o->below = o->below && (power->below || high <= 0);
    o->away = o->away || low > 0 || high < 0 || (power->away && (power->above || power->below));
    o->above_low = o->above_low || (!is_first && low > 0);
    o->low += is_first ? low : low < 0 ? -INFINITY : 0;
    o->high += is_first ? high : high > 0 ? INFINITY : 0;
    o->magnitude += power->magnitude;
    o->exact = false;
    o->count++;
}

static bool same_power(const isocast_series_term *a, const isocast_series_term *b) {
    return isocast_exponents_equal(a->monomial.N - b->monomial.N, 0);
}

/* The terms of the power of N that number `of` has, where it is the first of them; else none. */
static void gather_power(const isocast_path *path, const isocast_series_term *const *terms,
                         size_t count, size_t of, isocast_leading *out) {
    double x_low;
    double x_high;
    isocast_path_x(path, &x_low, &x_high);
    begin(out);
    for (size_t k = 0; k < of; k++) {
        if (same_power(terms[k], terms[of])) {
            return;
        }
    }
    for (size_t k = of; k < count; k++) {
        if (same_power(terms[k], terms[of])) {
            add_leading(out, terms[k], &terms[0]->monomial, x_low, x_high);
        }
    }
}

void isocast_leading_gather(const isocast_path *path, const isocast_series_term *const *terms,
                            size_t count, isocast_leading *out) {
    bool one_power = !isocast_path_is_even(path);
    double x_low;
    double x_high;
    isocast_path_x(path, &x_low, &x_high);
    begin(out);
    if (!one_power) {
        one_power = true;
        for (size_t k = 1; k < count; k++) {
            one_power = one_power && same_power(terms[k], terms[0]);
        }
    }
    for (size_t k = 0; k < count && one_power; k++) {
        add_leading(out, terms[k], &terms[0]->monomial, x_low, x_high);
    }
    for (size_t k = 0; k < count && !one_power; k++) {
        isocast_leading power;
        gather_power(path, terms, count, k, &power);
        if (power.count > 0) {
            add_power(out, &power, k == 0);
        }
    }
}

enum { CHUNK_BYTES = 64 * 1024 };

/* What rounding leaves of numbers that cancel. */
static const double cancelled = 1e-13;
/* Terms that one room may look at: a second or so. */
static const double steps_most = 3e7;

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t bytes[];
} chunk;

void isocast_series_room_free(isocast_series_room *room) {
    for (chunk *c = room->chunks; c != NULL;) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
    room->chunks = NULL;
}

bool isocast_series_failed(const isocast_series_room *room) {
    return room->problem != ISOCAST_SERIES_KNOWN;
}

void isocast_series_fail(isocast_series_room *room, isocast_series_problem problem,
                         const char *reason) {
    if (room->problem == ISOCAST_SERIES_KNOWN) {
        room->problem = problem;
        room->reason = reason;
    }
}

bool isocast_series_recover(isocast_series_room *room) {
    if (room->problem == ISOCAST_SERIES_SPLIT || room->problem == ISOCAST_SERIES_NO_MEMORY ||
        room->steps > steps_most) {
        return false;
    }
    room->problem = ISOCAST_SERIES_KNOWN;
    room->reason = NULL;
    return true;
}

static isocast_series_term *take(isocast_series_room *room, size_t count) {
    size_t needed = (count + 1) * sizeof(isocast_series_term);
    needed = (needed + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    chunk *c = room->chunks;
    if (c == NULL || c->size - c->used < needed) {
        size_t size = needed > CHUNK_BYTES ? needed : CHUNK_BYTES;
        chunk *fresh = malloc(sizeof *fresh + size);
        if (fresh == NULL) {
            isocast_series_fail(room, ISOCAST_SERIES_NO_MEMORY, NULL);
            return NULL;
        }
        *fresh = (chunk){.next = c, .size = size};
        room->chunks = c = fresh;
    }
    isocast_series_term *terms = (isocast_series_term *)((char *)c->bytes + c->used);
    c->used += needed;
    return terms;
}

isocast_series isocast_series_zero(void) {
    return (isocast_series){0};
}

static isocast_series one_term(isocast_series_room *room, isocast_series_term term) {
    if (isocast_series_failed(room) || (term.low == 0 && term.high == 0)) {
        return isocast_series_zero();
    }
    if (isnan(term.low) || isnan(term.high) || (term.low == term.high && isinf(term.low))) {
        isocast_series_fail(room, ISOCAST_SERIES_OUTSIDE, "a number is not finite");
        return isocast_series_zero();
    }
    isocast_series_term *terms = take(room, 1);
    if (terms == NULL) {
        return isocast_series_zero();
    }
    terms[0] = term;
    return (isocast_series){1, terms};
}

isocast_series isocast_series_number(isocast_series_room *room, double value) {
    return isocast_series_between(room, value, value);
}

isocast_series isocast_series_between(isocast_series_room *room, double low, double high) {
    double size = fmax(fabs(low), fabs(high));
    return one_term(room, (isocast_series_term){.low = low, .high = high, .magnitude = size});
}

isocast_series isocast_series_away(isocast_series_room *room, double low, double high) {
    double size = fmax(fabs(low), fabs(high));
    return one_term(
        room, (isocast_series_term){.low = low, .high = high, .magnitude = size, .away = true});
}

isocast_series isocast_series_monomial(isocast_series_room *room, const isocast_monomial *m) {
    return one_term(room,
                    (isocast_series_term){.monomial = *m, .low = 1, .high = 1, .magnitude = 1});
}

/* Terms while they are added up. */
typedef struct sum {
    isocast_series_room *room;
    isocast_series_term terms[ISOCAST_SERIES_TERMS];
    size_t count;
} sum;

static bool is_exact(const isocast_series_term *term) {
    return term->low == term->high;
}

static bool are_on_one_side(const isocast_series_term *a, const isocast_series_term *b) {
    return (a->low >= 0 && b->low >= 0) || (a->high <= 0 && b->high <= 0);
}

static void add_term(sum *s, const isocast_series_term *term) {
    isocast_series_room *room = s->room;
    room->steps += 1 + (double)s->count;
    if (room->steps > steps_most) {
        isocast_series_fail(room, ISOCAST_SERIES_OUTSIDE, "the formulas are too long to expand");
    }
    for (size_t k = 0; k < s->count; k++) {
        isocast_series_term *old = &s->terms[k];
        if (isocast_monomial_equal(&old->monomial, &term->monomial)) {
            bool exact = is_exact(old) && is_exact(term);
            old->away = are_on_one_side(old, term) &&
                        (isocast_term_is_away(old) || isocast_term_is_away(term));
            old->low += term->low;
            old->high = exact ? old->low : old->high + term->high;
            old->magnitude += term->magnitude;
            if (exact && fabs(old->low) <= cancelled * old->magnitude) {
                /* It stays as nothing, so that what is added later cancels to the same measure. */
                old->low = old->high = 0;
            }
            if (!exact) {
                double nothing = isfinite(old->magnitude) ? cancelled * old->magnitude : 0;
                old->low = fabs(old->low) <= nothing ? 0 : old->low;
                old->high = fabs(old->high) <= nothing ? 0 : old->high;
            }
            return;
        }
    }
    if (s->count == ISOCAST_SERIES_TERMS) {
        isocast_series_fail(room, ISOCAST_SERIES_OUTSIDE, "the formulas are too long to expand");
        return;
    }
    s->terms[s->count++] = *term;
}

static isocast_series finish(sum *s) {
    isocast_series_room *room = s->room;
    isocast_series_term *terms = isocast_series_failed(room) ? NULL : take(room, s->count);
    size_t count = 0;
    for (size_t k = 0; terms != NULL && k < s->count; k++) {
        const isocast_series_term *term = &s->terms[k];
        if (isnan(term->low) || isnan(term->high) || (isinf(term->low) && is_exact(term))) {
            isocast_series_fail(room, ISOCAST_SERIES_OUTSIDE, "a number is not finite");
            return isocast_series_zero();
        }
        if (term->low != 0 || term->high != 0) {
            terms[count++] = *term;
        }
    }
    return terms == NULL ? isocast_series_zero() : (isocast_series){count, terms};
}

static void scale(isocast_series_term *term, double factor) {
    double low = factor < 0 ? term->high * factor : term->low * factor;
    double high = factor < 0 ? term->low * factor : term->high * factor;
    term->low = low;
    term->high = high;
    term->magnitude *= fabs(factor);
}

isocast_series isocast_series_add(isocast_series_room *room, isocast_series a, isocast_series b,
                                  double factor) {
    if (factor == 0 || b.count == 0 || isocast_series_failed(room)) {
        return a;
    }
    sum s;
    s.room = room;
    s.count = 0;
    for (size_t k = 0; k < a.count; k++) {
        add_term(&s, &a.terms[k]);
    }
    for (size_t k = 0; k < b.count; k++) {
        isocast_series_term term = b.terms[k];
        scale(&term, factor);
        add_term(&s, &term);
    }
    return finish(&s);
}

static isocast_series_term multiply_terms(const isocast_series_term *a,
                                          const isocast_series_term *b) {
    const double corners[] = {product(a->low, b->low), product(a->low, b->high),
                              product(a->high, b->low), product(a->high, b->high)};
    isocast_series_term term = {.monomial =
                                    isocast_monomial_multiply(&a->monomial, &b->monomial, 1),
                                .low = corners[0],
                                .high = corners[0],
                                .away = isocast_term_is_away(a) && isocast_term_is_away(b),
                                .magnitude = a->magnitude * b->magnitude};
    for (size_t k = 1; k < 4; k++) {
        term.low = fmin(term.low, corners[k]);
        term.high = fmax(term.high, corners[k]);
    }
    return term;
}

/* Whether a term is known to be smaller than another one by more than any number. */
static bool is_smaller(const isocast_series_room *room, const isocast_series_term *a,
                       const isocast_series_term *b) {
    int order = 0;
    double split;
    return isfinite(a->low) && isfinite(a->high) && a->monomial.rest == 0 &&
           b->monomial.rest == 0 &&
           isocast_monomial_compare(&room->path, &a->monomial, &b->monomial, &order, &split) ==
               ISOCAST_COMPARED &&
           order < 0;
}

isocast_series isocast_series_shorten(isocast_series_room *room, isocast_series a) {
    static const double near = 1e-6;
    isocast_series_term *kept = take(room, a.count);
    size_t count = 0;
    for (size_t k = 0; kept != NULL && k < a.count; k++) {
        bool lost = false;
        for (size_t i = 0; i < a.count && !lost; i++) {
            const isocast_series_term *open = &a.terms[i];
            lost = open->low < 0 && open->high > 0 && is_smaller(room, &a.terms[k], open);
        }
        room->steps += (double)a.count;
        if (!lost) {
            kept[count] = a.terms[k];
            bool open = kept[count].low < 0 && kept[count].high > 0;
            kept[count].low -= open ? near * fabs(kept[count].low) : 0;
            kept[count].high += open ? near * fabs(kept[count].high) : 0;
            count++;
        }
    }
    return (isocast_series){count, kept};
}

enum { LONG_PRODUCT = 32 };

isocast_series isocast_series_multiply(isocast_series_room *room, isocast_series a,
                                       isocast_series b) {
    if (isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    sum s;
    s.room = room;
    s.count = 0;
    for (size_t i = 0; i < a.count && !isocast_series_failed(room); i++) {
        for (size_t k = 0; k < b.count; k++) {
            isocast_series_term term = multiply_terms(&a.terms[i], &b.terms[k]);
            add_term(&s, &term);
        }
    }
    isocast_series result = finish(&s);
    return result.count > LONG_PRODUCT ? isocast_series_shorten(room, result) : result;
}

static const isocast_series_term *find_term(isocast_series a, const isocast_monomial *m) {
    for (size_t k = 0; k < a.count; k++) {
        if (isocast_monomial_equal(&a.terms[k].monomial, m)) {
            return &a.terms[k];
        }
    }
    return NULL;
}

static void widen(sum *s, isocast_series a, isocast_series b, bool both) {
    for (size_t k = 0; k < a.count; k++) {
        isocast_series_term term = a.terms[k];
        const isocast_series_term *other = find_term(b, &term.monomial);
        s->room->steps += (double)b.count;
        if (other != NULL && !both) {
            continue;
        }
        term.away = other != NULL && are_on_one_side(&term, other) && isocast_term_is_away(&term) &&
                    isocast_term_is_away(other);
        term.low = fmin(term.low, other != NULL ? other->low : 0);
        term.high = fmax(term.high, other != NULL ? other->high : 0);
        add_term(s, &term);
    }
}

isocast_series isocast_series_hull(isocast_series_room *room, isocast_series a, isocast_series b) {
    if (isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    sum s;
    s.room = room;
    s.count = 0;
    widen(&s, a, b, true);
    widen(&s, b, a, false);
    return finish(&s);
}

isocast_series isocast_series_bound(isocast_series_room *room, isocast_series a, bool upper) {
    if (isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    sum s;
    s.room = room;
    s.count = 0;
    for (size_t k = 0; k < a.count; k++) {
        isocast_series_term term = a.terms[k];
        term.low = term.high = upper ? term.high : term.low;
        term.away = false;
        if (isinf(term.low)) {
            isocast_series_fail(room, ISOCAST_SERIES_OUTSIDE, "no bound of a term is known");
        }
        add_term(&s, &term);
    }
    return finish(&s);
}

bool isocast_series_has_running(isocast_series a) {
    for (size_t k = 0; k < a.count; k++) {
        if (isocast_monomial_has_running(&a.terms[k].monomial)) {
            return true;
        }
    }
    return false;
}

bool isocast_series_is_number(isocast_series a, double *value) {
    const isocast_monomial one = {0};
    bool is_number = a.count == 0 || (a.count == 1 && is_exact(&a.terms[0]) &&
                                      isocast_monomial_equal(&a.terms[0].monomial, &one));
    if (is_number) {
        *value = a.count == 0 ? 0 : a.terms[0].low;
    }
    return is_number;
}

/* Compares two monomials; false where that failed. */
static bool compare(isocast_series_room *room, const isocast_monomial *a, const isocast_monomial *b,
                    int *order) {
    double split = NAN;
    room->steps += 1;
    switch (isocast_monomial_compare(&room->path, a, b, order, &split)) {
    case ISOCAST_COMPARED:
        return true;
    case ISOCAST_COMPARE_SPLIT:
        room->split = split;
        isocast_series_fail(room, ISOCAST_SERIES_SPLIT, NULL);
        return false;
    case ISOCAST_COMPARE_RUNNING:
        break;
    }
    isocast_series_fail(room, ISOCAST_SERIES_RUNNING, "a sum's terms change their order");
    return false;
}

bool isocast_series_is_leading(isocast_series_room *room, const isocast_series_term *term,
                               const isocast_series_lead *lead) {
    int order = -1;
    return compare(room, &term->monomial, &lead->monomial, &order) && order == 0;
}

/* The sign of terms that cancel at some x. */
static bool decide_sign(isocast_series_room *room, const isocast_leading *o, double x_low,
                        double x_high, isocast_series_lead *lead) {
    if (!o->exact || o->count == 1 || o->count > ISOCAST_ROOTS_TERMS) {
        return true;
    }
    if (x_low == x_high) {
        lead->is_balanced = fabs(o->low) <= isocast_leading_balanced * o->magnitude;
        lead->sign = lead->is_balanced ? 0 : o->low > 0 ? 1 : -1;
        return true;
    }
    double root;
    if (isocast_roots_first(o->terms, o->count, x_low, x_high, &root)) {
        room->split = root;
        isocast_series_fail(room, ISOCAST_SERIES_SPLIT, NULL);
        return false;
    }
    double inside = isinf(x_high) ? x_low + 1 : x_low + (x_high - x_low) / 2;
    double value = isocast_roots_value(o->terms, o->count, log(inside));
    lead->sign = value > 0 ? 1 : value < 0 ? -1 : 0;
    return true;
}

static bool has_rest(isocast_series a) {
    for (size_t k = 0; k < a.count; k++) {
        if (!isocast_exponents_equal(a.terms[k].monomial.rest, 0)) {
            return true;
        }
    }
    return false;
}

isocast_series isocast_series_close(isocast_series_room *room, isocast_series a) {
    isocast_rest rest;
    if (isocast_series_failed(room) || !has_rest(a) || !isocast_path_rest(&room->path, &rest)) {
        return a;
    }
    sum s;
    s.room = room;
    s.count = 0;
    for (size_t k = 0; k < a.count && !isocast_series_failed(room); k++) {
        isocast_series_term term = a.terms[k];
        double exponent = round(term.monomial.rest);
        if (exponent < 0 || !isocast_exponents_equal(exponent, term.monomial.rest)) {
            isocast_series_fail(room, ISOCAST_SERIES_OUTSIDE, "a logarithm of N/p^x is divided by");
            break;
        }
        isocast_series_term bound = {.low = rest.low, .high = rest.high};
        term.away = term.away && exponent == 0;
        bound.magnitude = fmax(fabs(rest.low), fabs(rest.high));
        bound.monomial = rest.scale;
        term.monomial.rest = 0;
        for (double i = 0; i < exponent; i++) {
            term = multiply_terms(&term, &bound);
        }
        add_term(&s, &term);
    }
    return finish(&s);
}

bool isocast_series_find_lead(isocast_series_room *room, isocast_series a,
                              isocast_series_lead *lead) {
    a = isocast_series_close(room, a);
    *lead = (isocast_series_lead){.is_zero = a.count == 0};
    if (isocast_series_failed(room) || a.count == 0) {
        return !isocast_series_failed(room);
    }
    size_t best = 0;
    bool even = isocast_path_is_even(&room->path);
    for (size_t k = 1; k < a.count; k++) {
        const isocast_monomial *m = &a.terms[k].monomial;
        const isocast_monomial *first = &a.terms[best].monomial;
        int order;
        if (!compare(room, m, first, &order)) {
            return false;
        }
        /* Of one order: a number, rather than N/p. */
        bool simpler = even && order == 0 && fabs(m->N) < fabs(first->N);
        best = order > 0 || simpler ? k : best;
    }
    lead->monomial = a.terms[best].monomial;
    const isocast_series_term *leading[ISOCAST_SERIES_TERMS];
    size_t count = 0;
    leading[count++] = &a.terms[best];
    for (size_t k = 0; k < a.count; k++) {
        int order;
        if (!compare(room, &a.terms[k].monomial, &lead->monomial, &order)) {
            return false;
        }
        if (order == 0 && k != best) {
            leading[count++] = &a.terms[k];
        }
    }
    isocast_leading o;
    isocast_leading_gather(&room->path, leading, count, &o);
    double x_low;
    double x_high;
    isocast_path_x(&room->path, &x_low, &x_high);
    lead->low = o.low;
    lead->high = o.high;
    lead->above_low = o.above_low;
    lead->sign = o.low > 0 || (o.away && o.above) ? 1 : o.high < 0 || (o.away && o.below) ? -1 : 0;
    if (o.count > 1 && lead->low == lead->high) {
        /* Their ratio goes to x, and is not x. */
        double slack = isocast_leading_balanced * o.magnitude;
        lead->low -= slack;
        lead->high += slack;
    }
    bool known = lead->sign != 0 && (x_low != x_high || !o.exact);
    return known ? true : decide_sign(room, &o, x_low, x_high, lead);
}

/* 1 where no term of the lead's order can be below 0, -1 where none can be above it; *rest gets the
 * terms behind them. */
static int side_of_lead(isocast_series_room *room, isocast_series a,
                        const isocast_series_lead *lead, isocast_series *rest) {
    isocast_series_term *terms = take(room, a.count);
    size_t count = 0;
    bool above = true;
    bool below = true;
    for (size_t k = 0; terms != NULL && k < a.count && !isocast_series_failed(room); k++) {
        if (isocast_series_is_leading(room, &a.terms[k], lead)) {
            above = above && a.terms[k].low >= 0;
            below = below && a.terms[k].high <= 0;
        } else if (!isocast_series_failed(room)) {
            terms[count++] = a.terms[k];
        }
    }
    *rest = (isocast_series){count, terms};
    return isocast_series_failed(room) ? 0 : above ? 1 : below ? -1 : 0;
}

bool isocast_series_find_sign(isocast_series_room *room, isocast_series a,
                              isocast_series_lead *lead) {
    int side = 0;
    isocast_series_lead first;
    a = isocast_series_close(room, a);
    isocast_series rest = a;
    isocast_series_lead next = {0};
    if (!isocast_series_find_lead(room, a, &first)) {
        *lead = first;
        return false;
    }
    next = first;
    while (next.sign == 0 && rest.count > 0) {
        int of_these = side_of_lead(room, rest, &next, &rest);
        if (of_these == 0 || (side != 0 && of_these != side)) {
            break;
        }
        side = of_these;
        if (!isocast_series_find_lead(room, rest, &next)) {
            break;
        }
    }
    *lead = first;
    if (first.sign == 0 && !isocast_series_failed(room) && next.sign == side) {
        lead->sign = side;
    }
    return !isocast_series_failed(room);
}
