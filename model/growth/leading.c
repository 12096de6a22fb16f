#include "leading.h"

#include <math.h>

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

static void add_term(isocast_leading *o, const isocast_series_term *term,
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
            add_term(out, terms[k], &terms[0]->monomial, x_low, x_high);
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
        add_term(out, terms[k], &terms[0]->monomial, x_low, x_high);
    }
    for (size_t k = 0; k < count && !one_power; k++) {
        isocast_leading power;
        gather_power(path, terms, count, k, &power);
        if (power.count > 0) {
            add_power(out, &power, k == 0);
        }
    }
}
