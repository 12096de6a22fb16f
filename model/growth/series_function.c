#include "series_function.h"

#include <math.h>

#include "model/base/binomial.h"
#include "path.h"

enum { WHOLE_POWER_MAX = 12, WHOLE_POWER_TERMS = 12 };

/* A number so near to a whole one is that one: it was computed. */
static const double whole_tolerance = 1e-9;

/* A series as head*(1 + ratio), head = [low, high] monomial, with a ratio that goes to 0. */
typedef struct parts {
    isocast_series_lead lead;
    isocast_series ratio;
} parts;

static isocast_series one(isocast_series_room *room) {
    return isocast_series_number(room, 1);
}

static bool split(isocast_series_room *room, isocast_series a, parts *out) {
    a = isocast_series_close(room, a);
    out->ratio = isocast_series_zero();
    if (!isocast_series_find_lead(room, a, &out->lead)) {
        return false;
    }
    if (a.count <= 1 || out->lead.sign == 0) {
        return true;
    }
    const isocast_monomial none = {0};
    isocast_monomial inverse = isocast_monomial_multiply(&none, &out->lead.monomial, -1);
    for (size_t k = 0; k < a.count; k++) {
        if (!isocast_series_is_leading(room, &a.terms[k], &out->lead)) {
            isocast_series term = {1, &a.terms[k]};
            out->ratio = isocast_series_add(room, out->ratio, term, 1);
        }
    }
    isocast_series head =
        isocast_series_multiply(room, isocast_series_monomial(room, &inverse),
                                isocast_series_away(room, 1 / out->lead.high, 1 / out->lead.low));
    out->ratio = isocast_series_multiply(room, out->ratio, head);
    return !isocast_series_failed(room);
}

/* Between -factor |a| and factor |a|, term by term. */
static isocast_series within(isocast_series_room *room, isocast_series a, double factor) {
    isocast_series both = isocast_series_between(room, -factor, factor);
    isocast_series sum = isocast_series_zero();
    for (size_t k = 0; k < a.count; k++) {
        isocast_series term = {1, &a.terms[k]};
        sum = isocast_series_add(room, sum, isocast_series_multiply(room, term, both), 1);
    }
    return sum;
}

static bool is_exact(const isocast_series_term *term) {
    return term->low == term->high;
}

static bool is_bracket(isocast_series a) {
    for (size_t k = 0; k < a.count; k++) {
        if (!is_exact(&a.terms[k])) {
            return true;
        }
    }
    return false;
}

/* How many powers of a ratio are worth their terms. */
static int series_length(isocast_series ratio) {
    return ratio.count <= 2 ? 5 : ratio.count <= 4 ? 3 : ratio.count <= 12 ? 2 : 1;
}

/* c0 + c1 e + c2 e^2 + ... with the rest bounded by twice its first term: e goes to 0. */
static isocast_series exact_power_series(isocast_series_room *room, isocast_series exact,
                                         int length, const double *coefficients) {
    isocast_series sum = isocast_series_number(room, coefficients[0]);
    isocast_series power = exact;
    for (int k = 1; k < length && exact.count > 0; k++) {
        sum = isocast_series_add(room, sum, power, coefficients[k]);
        power = isocast_series_multiply(room, power, exact);
    }
    double rest = 2 * fabs(coefficients[length]);
    return rest > 0 && exact.count > 0 ? isocast_series_add(room, sum, within(room, power, rest), 1)
                                       : sum;
}

/* f(r) = c0 + c1 r + c2 r^2 + ... with r that goes to 0. Of r = e + b, where e has the terms that
 * are known exactly, it is f(e) + (c1 + o(1)) b: that keeps what is known of the sign of b, and
 * what is exact of e. */
static isocast_series power_series(isocast_series_room *room, isocast_series ratio,
                                   const double *coefficients) {
    static const double near = 1e-6;
    isocast_series exact = isocast_series_zero();
    isocast_series bracket = isocast_series_zero();
    for (size_t k = 0; k < ratio.count; k++) {
        isocast_series term = {1, &ratio.terms[k]};
        isocast_series *part = is_exact(&ratio.terms[k]) ? &exact : &bracket;
        *part = isocast_series_add(room, *part, term, 1);
    }
    int length = series_length(exact);
    if (length == 1) {
        bracket = ratio;
        exact = isocast_series_zero();
    }
    isocast_series slope =
        isocast_series_between(room, coefficients[1] - near, coefficients[1] + near);
    isocast_series sum =
        isocast_series_add(room, exact_power_series(room, exact, length, coefficients),
                           isocast_series_multiply(room, bracket, slope), 1);
    return isocast_series_shorten(room, sum);
}

enum { COEFFICIENTS = 6 };

/* Whether both are above 0 and of one order. */
static bool are_above_0(isocast_series_room *room, isocast_series a, isocast_series b) {
    isocast_series_lead first;
    isocast_series_lead second;
    isocast_series_term unit = {.low = 1, .high = 1};
    if (!isocast_series_find_lead(room, a, &first) || !isocast_series_find_lead(room, b, &second)) {
        return false;
    }
    unit.monomial = second.monomial;
    return first.sign > 0 && second.sign > 0 && isocast_series_is_leading(room, &unit, &first);
}

/* A value between two others. Where the smaller one is above 0 it is that and more, up to twice the
 * largest terms of the other one: so that it stays above 0. */
static isocast_series part_way(isocast_series_room *room, isocast_series a, isocast_series b) {
    if (isocast_path_is_even(&room->path) && are_above_0(room, a, b)) {
        return isocast_series_multiply(room, a, isocast_series_away(room, 0, INFINITY));
    }
    isocast_series_order order = isocast_series_compare(room, a, b);
    isocast_series least = order == ISOCAST_SERIES_ABOVE ? b : a;
    isocast_series most = order == ISOCAST_SERIES_ABOVE ? a : b;
    isocast_series_lead lead;
    bool above =
        order != ISOCAST_SERIES_UNSURE &&
        isocast_series_compare(room, least, isocast_series_zero()) == ISOCAST_SERIES_ABOVE &&
        isocast_series_find_lead(room, most, &lead) && isfinite(lead.high);
    if (!above || isocast_series_failed(room)) {
        return isocast_series_hull(room, a, b);
    }
    isocast_series more =
        isocast_series_multiply(room, isocast_series_monomial(room, &lead.monomial),
                                isocast_series_between(room, 0, 2 * lead.high));
    return isocast_series_add(room, least, more, 1);
}

/* A function that only rises (falls), of a value whose leading terms may vanish: between those of
 * its bounds. */
typedef isocast_series (*function_of_one)(isocast_series_room *room, isocast_series a,
                                          double argument);
static isocast_series between_bounds(isocast_series_room *room, isocast_series a,
                                     function_of_one function, double argument) {
    isocast_series low = function(room, isocast_series_bound(room, a, false), argument);
    isocast_series high = function(room, isocast_series_bound(room, a, true), argument);
    return part_way(room, low, high);
}

static isocast_series fail(isocast_series_room *room, const char *reason) {
    isocast_series_fail(room, ISOCAST_SERIES_OUTSIDE, reason);
    return isocast_series_zero();
}

static bool is_bounded(isocast_series a) {
    for (size_t k = 0; k < a.count; k++) {
        if (isinf(a.terms[k].low) || isinf(a.terms[k].high)) {
            return false;
        }
    }
    return true;
}

static bool is_whole(double value) {
    return fabs(value - round(value)) <= whole_tolerance;
}

static isocast_series whole_power(isocast_series_room *room, isocast_series a, int exponent) {
    isocast_series result = one(room);
    for (int k = 0; k < exponent; k++) {
        result = isocast_series_multiply(room, result, a);
    }
    return result;
}

isocast_series isocast_series_power(isocast_series_room *room, isocast_series a, double exponent) {
    bool whole = is_whole(exponent);
    if (isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    if (whole && exponent > -0.5 &&
        (exponent < 1.5 || (exponent <= WHOLE_POWER_MAX && a.count <= WHOLE_POWER_TERMS))) {
        return whole_power(room, a, (int)lround(exponent));
    }
    parts p;
    if (!split(room, a, &p)) {
        return isocast_series_zero();
    }
    if (p.lead.is_zero) {
        return exponent > 0 ? a : fail(room, "a number is divided by 0");
    }
    if (p.lead.sign == 0) {
        a = isocast_series_close(room, a);
        return is_bracket(a) ? between_bounds(room, a, isocast_series_power, exponent)
                             : fail(room, "the sign of a base of a power is not known");
    }
    if (p.lead.sign < 0 && !whole) {
        return fail(room, "a power of a negative number has no value");
    }
    double sign = p.lead.sign < 0 && fmod(round(fabs(exponent)), 2) == 1 ? -1 : 1;
    double ends[] = {sign * pow(fabs(p.lead.low), exponent),
                     sign * pow(fabs(p.lead.high), exponent)};
    const isocast_monomial none = {0};
    isocast_monomial head = isocast_monomial_multiply(&none, &p.lead.monomial, exponent);
    double binomial[COEFFICIENTS] = {1};
    for (int k = 1; k < COEFFICIENTS; k++) {
        binomial[k] = binomial[k - 1] * (exponent - k + 1) / k;
    }
    isocast_series factor = isocast_series_multiply(
        room, isocast_series_monomial(room, &head),
        isocast_series_away(room, fmin(ends[0], ends[1]), fmax(ends[0], ends[1])));
    return isocast_series_multiply(room, factor, power_series(room, p.ratio, binomial));
}

isocast_series isocast_series_divide(isocast_series_room *room, isocast_series a,
                                     isocast_series b) {
    if (a.count == 0 && b.count > 0) {
        return a;
    }
    return isocast_series_multiply(room, a, isocast_series_power(room, b, -1));
}

/* What is known of u; false where it failed. */
static bool find_rest(isocast_series_room *room, isocast_rest *rest) {
    if (!isocast_path_rest(&room->path, rest)) {
        room->split = 0;
        isocast_series_fail(room, ISOCAST_SERIES_SPLIT, NULL);
        return false;
    }
    return true;
}

static isocast_series log_of_N(isocast_series_room *room) {
    static const isocast_monomial log_N = {.log_N = 1};
    static const isocast_monomial log_p = {.log_p = 1};
    static const isocast_monomial log_log = {.log_log = 1};
    static const isocast_monomial u = {.rest = 1};
    const isocast_path *path = &room->path;
    if (path->fixed || path->known == 0 || path->logarithm == ISOCAST_LOGARITHM_KEPT) {
        return isocast_series_monomial(room, &log_N);
    }
    isocast_rest rest;
    if (!find_rest(room, &rest)) {
        return isocast_series_zero();
    }
    isocast_series sum = isocast_series_number(room, rest.sign * isocast_rest_large);
    sum = isocast_series_add(room, sum, isocast_series_monomial(room, &log_p), path->at[0]);
    sum = isocast_series_add(room, sum, isocast_series_monomial(room, &log_log), rest.y);
    return isocast_series_add(room, sum, isocast_series_monomial(room, &u), 1);
}

/* ln of a monomial. */
static isocast_series log_of_monomial(isocast_series_room *room, const isocast_monomial *m) {
    bool has_power = !isocast_exponents_equal(m->p, 0) || !isocast_exponents_equal(m->N, 0) ||
                     isocast_monomial_has_running(m);
    bool has_log = !isocast_exponents_equal(m->log_p, 0) || !isocast_exponents_equal(m->log_N, 0);
    if (!isocast_exponents_equal(m->log_log, 0) || !isocast_exponents_equal(m->log_log_N, 0) ||
        (has_log && !has_power)) {
        return fail(room, "a logarithm is taken of a logarithm");
    }
    isocast_series sum = isocast_series_zero();
    const struct {
        double factor;
        isocast_monomial of;
    } logs[] = {{m->p, {.log_p = 1}},
                {m->log_p, {.log_log = 1}},
                {m->log_N, {.log_log_N = 1}},
                {m->i[0], {.log_i = {1, 0}}},
                {m->i[1], {.log_i = {0, 1}}}};
    for (size_t k = 0; k < sizeof logs / sizeof logs[0]; k++) {
        if (!isocast_exponents_equal(logs[k].factor, 0)) {
            sum = isocast_series_add(room, sum, isocast_series_monomial(room, &logs[k].of),
                                     logs[k].factor);
        }
    }
    for (size_t k = 0; k < ISOCAST_MONOMIAL_SUMS; k++) {
        if (!isocast_exponents_equal(m->log_i[k], 0)) {
            return fail(room, "a logarithm is taken of a logarithm");
        }
    }
    return isocast_exponents_equal(m->N, 0) ? sum
                                            : isocast_series_add(room, sum, log_of_N(room), m->N);
}

static isocast_series log_of(isocast_series_room *room, isocast_series a, double unused) {
    (void)unused;
    return isocast_series_log(room, a);
}

isocast_series isocast_series_log(isocast_series_room *room, isocast_series a) {
    parts p;
    if (!split(room, a, &p)) {
        return isocast_series_zero();
    }
    if (p.lead.sign == 0 && is_bracket(isocast_series_close(room, a))) {
        return between_bounds(room, isocast_series_close(room, a), log_of, 0);
    }
    if (p.lead.sign <= 0) {
        return fail(room, "a logarithm is taken of what is not above 0");
    }
    static const double coefficients[COEFFICIENTS] = {0, 1, -1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5};
    double low = log(p.lead.low);
    double high = log(p.lead.high);
    isocast_series sum = low >= 0 && p.lead.above_low ? isocast_series_away(room, low, high)
                                                      : isocast_series_between(room, low, high);
    sum = isocast_series_add(room, sum, log_of_monomial(room, &p.lead.monomial), 1);
    return isocast_series_add(room, sum, power_series(room, p.ratio, coefficients), 1);
}

isocast_series isocast_series_exp(isocast_series_room *room, isocast_series a) {
    static const isocast_monomial none = {0};
    static const isocast_monomial log_p = {.log_p = 1};
    static const isocast_monomial log_N = {.log_N = 1};
    static const isocast_monomial log_log = {.log_log = 1};
    static const isocast_monomial log_log_N = {.log_log_N = 1};
    static const isocast_monomial u = {.rest = 1};
    static const char reason[] = "an exponent grows, and not as a logarithm does";
    isocast_monomial head = none;
    double low = 0;
    double high = 0;
    isocast_series ratio = isocast_series_zero();
    for (size_t k = 0; k < a.count && !isocast_series_failed(room); k++) {
        const isocast_series_term *term = &a.terms[k];
        if (isocast_monomial_equal(&term->monomial, &none)) {
            low += term->low;
            high += term->high;
        } else if (is_exact(term) && isocast_monomial_equal(&term->monomial, &log_p)) {
            head.p += term->low;
        } else if (is_exact(term) && isocast_monomial_equal(&term->monomial, &log_N)) {
            head.N += term->low;
        } else if (is_exact(term) && isocast_monomial_equal(&term->monomial, &log_log)) {
            head.log_p += term->low;
        } else if (is_exact(term) && isocast_monomial_equal(&term->monomial, &log_log_N)) {
            head.log_N += term->low;
        } else if (is_exact(term) && isocast_monomial_equal(&term->monomial, &u)) {
            isocast_rest rest;
            if (!find_rest(room, &rest)) {
                return isocast_series_zero();
            }
            double constant;
            isocast_monomial of = isocast_rest_exp(&room->path, &rest, term->low, &constant);
            head = isocast_monomial_multiply(&head, &of, 1);
            low += constant;
            high += constant;
        } else {
            isocast_series_lead lead = {.monomial = none};
            isocast_series with_one =
                isocast_series_add(room, one(room), (isocast_series){1, term}, 1);
            if (!isocast_series_find_lead(room, with_one, &lead)) {
                return isocast_series_zero();
            }
            if (!isocast_monomial_equal(&lead.monomial, &none)) {
                return fail(room, reason);
            }
            ratio = isocast_series_add(room, ratio, (isocast_series){1, term}, 1);
        }
    }
    static const double coefficients[COEFFICIENTS] = {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120};
    isocast_series factor =
        isocast_series_multiply(room, isocast_series_monomial(room, &head),
                                isocast_series_between(room, exp(low), exp(high)));
    ratio = isocast_series_close(room, ratio);
    return isocast_series_multiply(room, factor, power_series(room, ratio, coefficients));
}

static double round_number(double value, isocast_series_rounding rounding) {
    if (is_whole(value)) {
        return round(value);
    }
    return rounding == ISOCAST_SERIES_FLOOR  ? floor(value)
           : rounding == ISOCAST_SERIES_CEIL ? ceil(value)
                                             : round(value);
}

/* What rounding adds at least and at most. */
static isocast_series bracket_of(isocast_series_room *room, isocast_series_rounding rounding) {
    return rounding == ISOCAST_SERIES_FLOOR  ? isocast_series_between(room, -1, 0)
           : rounding == ISOCAST_SERIES_CEIL ? isocast_series_between(room, 0, 1)
                                             : isocast_series_between(room, -0.5, 0.5);
}

/* A value that goes to a number. */
static isocast_series round_limit(isocast_series_room *room, isocast_series a, double low,
                                  double high, isocast_series_rounding rounding) {
    static const double beside = 1e-6;
    double least = round_number(low - beside, rounding);
    double most = round_number(high + beside, rounding);
    if (low == high && least != most) {
        double side = round_number(low, rounding);
        switch (isocast_series_compare(room, a, isocast_series_number(room, low))) {
        case ISOCAST_SERIES_BELOW:
            return isocast_series_number(room, least);
        case ISOCAST_SERIES_SAME:
            return isocast_series_number(room, side);
        case ISOCAST_SERIES_ABOVE:
            return isocast_series_number(room, most);
        case ISOCAST_SERIES_UNSURE:
            break;
        }
    }
    return isocast_series_between(room, least, most);
}

isocast_series isocast_series_round(isocast_series_room *room, isocast_series a,
                                    isocast_series_rounding rounding) {
    static const isocast_monomial none = {0};
    double number;
    if (isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    if (isocast_series_is_number(a, &number)) {
        return isocast_series_number(room, round_number(number, rounding));
    }
    isocast_series rounded = isocast_series_add(room, a, bracket_of(room, rounding), 1);
    if (isocast_series_has_running(a)) {
        return rounded;
    }
    isocast_series_lead lead;
    if (!isocast_series_find_lead(room, a, &lead)) {
        return isocast_series_zero();
    }
    if (isocast_monomial_equal(&lead.monomial, &none)) {
        return round_limit(room, a, lead.low, lead.high, rounding);
    }
    /* Against a number: does it grow, or go to 0? */
    isocast_series_lead against;
    isocast_series with_one = isocast_series_add(room, a, one(room), 1);
    if (!isocast_series_find_lead(room, with_one, &against)) {
        return isocast_series_zero();
    }
    return isocast_monomial_equal(&against.monomial, &none) ? round_limit(room, a, 0, 0, rounding)
                                                            : rounded;
}

isocast_series_order isocast_series_compare(isocast_series_room *room, isocast_series a,
                                            isocast_series b) {
    isocast_series_lead lead;
    isocast_series difference = isocast_series_add(room, a, b, -1);
    if (!isocast_series_find_sign(room, difference, &lead)) {
        return ISOCAST_SERIES_UNSURE;
    }
    return lead.is_zero    ? ISOCAST_SERIES_SAME
           : lead.sign > 0 ? ISOCAST_SERIES_ABOVE
           : lead.sign < 0 ? ISOCAST_SERIES_BELOW
                           : ISOCAST_SERIES_UNSURE;
}

/* The larger or the smaller one, each rising with both: of bounds where the terms are not known. */
static isocast_series choose(isocast_series_room *room, isocast_series a, isocast_series b,
                             isocast_series_order where_b) {
    isocast_series_order order = isocast_series_compare(room, a, b);
    if (isocast_series_failed(room)) {
        return isocast_series_zero();
    }
    if (order != ISOCAST_SERIES_UNSURE) {
        return order == where_b ? b : a;
    }
    if (isocast_path_is_even(&room->path) && are_above_0(room, a, b)) {
        /* Of one order, so that it is a times what stays away from 0. */
        bool larger = where_b == ISOCAST_SERIES_BELOW;
        return isocast_series_multiply(
            room, a, isocast_series_away(room, larger ? 1 : 0, larger ? INFINITY : 1));
    }
    if ((!is_bracket(a) && !is_bracket(b)) || !is_bounded(a) || !is_bounded(b)) {
        return isocast_series_hull(room, a, b);
    }
    a = isocast_series_close(room, a);
    b = isocast_series_close(room, b);
    isocast_series low = choose(room, isocast_series_bound(room, a, false),
                                isocast_series_bound(room, b, false), where_b);
    isocast_series high = choose(room, isocast_series_bound(room, a, true),
                                 isocast_series_bound(room, b, true), where_b);
    return isocast_series_hull(room, low, high);
}

isocast_series isocast_series_either(isocast_series_room *room, isocast_series a,
                                     isocast_series b) {
    return isocast_path_is_even(&room->path) ? part_way(room, a, b)
                                             : isocast_series_hull(room, a, b);
}

isocast_series isocast_series_larger(isocast_series_room *room, isocast_series a,
                                     isocast_series b) {
    return choose(room, a, b, ISOCAST_SERIES_BELOW);
}

isocast_series isocast_series_smaller(isocast_series_room *room, isocast_series a,
                                      isocast_series b) {
    return choose(room, a, b, ISOCAST_SERIES_ABOVE);
}

isocast_series isocast_series_abs(isocast_series_room *room, isocast_series a) {
    return isocast_series_larger(room, a, isocast_series_add(room, isocast_series_zero(), a, -1));
}

isocast_series isocast_series_binomial_volume(isocast_series_room *room, isocast_series a) {
    static const double ln_2 = 0.6931471805599453;
    double number;
    if (isocast_series_is_number(a, &number)) {
        return isocast_series_number(room, isocast_binomial_volume(number));
    }
    isocast_series levels = isocast_series_multiply(room, isocast_series_log(room, a),
                                                    isocast_series_number(room, 1 / ln_2));
    isocast_series sum = isocast_series_multiply(
        room, isocast_series_multiply(room, levels, levels), isocast_series_number(room, 0.5));
    sum = isocast_series_add(
        room, sum, isocast_series_multiply(room, levels, isocast_series_between(room, -0.5, 1.5)),
        1);
    return isocast_series_add(room, sum, isocast_series_between(room, 0, 1), 1);
}

enum { DEGREE_MAX = 9 };

/* B+_j, the Bernoulli numbers of Faulhaber's formula. */
static const double bernoulli[DEGREE_MAX + 1] = {1, 0.5,      1.0 / 6, 0,         -1.0 / 30,
                                                 0, 1.0 / 42, 0,       -1.0 / 30, 0};

static isocast_series give_up(isocast_series_room *room) {
    isocast_series_fail(room, ISOCAST_SERIES_RUNNING, "a sum's terms follow no known rule");
    return isocast_series_zero();
}

static isocast_series power_of_symbol(isocast_series_room *room, isocast_series a,
                                      size_t exponent) {
    return isocast_series_power(room, a, (double)exponent);
}

/* 1^g + ... + n^g [Faulhaber]. */
static isocast_series powers_to(isocast_series_room *room, isocast_series n, size_t g) {
    isocast_series sum = isocast_series_zero();
    double choose = 1; /* of g + 1 over j */
    for (size_t j = 0; j <= g; j++) {
        double factor = choose * bernoulli[j] / (double)(g + 1);
        sum = isocast_series_add(room, sum, power_of_symbol(room, n, g + 1 - j), factor);
        choose = choose * (double)(g + 1 - j) / (double)(j + 1);
    }
    return sum;
}

static isocast_series sum_whole_power(isocast_series_room *room, size_t g, isocast_series from,
                                      isocast_series to) {
    isocast_series before = isocast_series_add(room, from, isocast_series_number(room, 1), -1);
    isocast_series sum =
        isocast_series_add(room, powers_to(room, to, g), powers_to(room, before, g), -1);
    if (g == 0) {
        return sum;
    }
    /* Between whole numbers a sum is a straight line, and the polynomial a curve: the difference is
     * at most an eighth of its second derivative. */
    double bend = (double)((g + 1) * g);
    isocast_series slack = isocast_series_multiply(room, power_of_symbol(room, to, g - 1),
                                                   isocast_series_between(room, -bend, bend));
    return isocast_series_add(room, sum, slack, 1);
}

/* x^g ln^h x, h is 0 or 1. */
static isocast_series term_at(isocast_series_room *room, isocast_series x, double g, bool has_log) {
    isocast_series power = isocast_series_power(room, x, g);
    return has_log ? isocast_series_multiply(room, power, isocast_series_log(room, x)) : power;
}

/* Its integral. */
static isocast_series integral_at(isocast_series_room *room, isocast_series x, double g,
                                  bool has_log) {
    double n = g + 1;
    if (isocast_exponents_equal(n, 0)) {
        isocast_series log = isocast_series_log(room, x);
        return has_log ? isocast_series_multiply(room, isocast_series_multiply(room, log, log),
                                                 isocast_series_number(room, 0.5))
                       : log;
    }
    isocast_series power = isocast_series_power(room, x, n);
    isocast_series sum = isocast_series_multiply(
        room, term_at(room, x, g, has_log),
        isocast_series_multiply(room, x, isocast_series_number(room, 1 / n)));
    return has_log ? isocast_series_add(room, sum, power, -1 / (n * n)) : sum;
}

/* A sum of a function that rises and falls once at most differs from its integral by less than
 * twice its values at the ends and its largest one: 1 bounds the latter where it is not at an end.
 */
static isocast_series sum_by_integral(isocast_series_room *room, double g, bool has_log,
                                      isocast_series from, isocast_series to) {
    isocast_series sum = isocast_series_add(room, integral_at(room, to, g, has_log),
                                            integral_at(room, from, g, has_log), -1);
    isocast_series ends =
        isocast_series_add(room, term_at(room, to, g, has_log), term_at(room, from, g, has_log), 1);
    ends = isocast_series_add(room, ends, isocast_series_number(room, 1), 1);
    return isocast_series_add(
        room, sum, isocast_series_multiply(room, ends, isocast_series_between(room, -2, 2)), 1);
}

static isocast_series sum_term(isocast_series_room *room, const isocast_series_term *term,
                               size_t running, isocast_series from, isocast_series to) {
    isocast_series_term factor = *term;
    double g = factor.monomial.i[running];
    double h = factor.monomial.log_i[running];
    factor.monomial.i[running] = factor.monomial.log_i[running] = 0;
    isocast_series sum;
    bool whole = isocast_exponents_equal(g, round(g)) && g > -0.5 && g < DEGREE_MAX;
    if (whole && isocast_exponents_equal(h, 0)) {
        sum = sum_whole_power(room, (size_t)lround(g), from, to);
    } else if ((isocast_exponents_equal(h, 0) || isocast_exponents_equal(h, 1)) &&
               (g > -1 || isocast_exponents_equal(g, -1))) {
        switch (isocast_series_compare(room, from, isocast_series_number(room, 1))) {
        case ISOCAST_SERIES_SAME:
        case ISOCAST_SERIES_ABOVE:
            sum = sum_by_integral(room, g, !isocast_exponents_equal(h, 0), from, to);
            break;
        default:
            return give_up(room);
        }
    } else {
        return give_up(room);
    }
    return isocast_series_multiply(room, (isocast_series){1, &factor}, sum);
}

isocast_series isocast_series_sum(isocast_series_room *room, isocast_series term, size_t running,
                                  isocast_series from, isocast_series to) {
    isocast_series sum = isocast_series_zero();
    for (size_t k = 0; k < term.count && !isocast_series_failed(room); k++) {
        sum = isocast_series_add(room, sum, sum_term(room, &term.terms[k], running, from, to), 1);
    }
    return sum;
}

isocast_series isocast_series_substitute(isocast_series_room *room, isocast_series a,
                                         size_t running, isocast_series value) {
    isocast_series sum = isocast_series_zero();
    for (size_t k = 0; k < a.count && !isocast_series_failed(room); k++) {
        isocast_series_term factor = a.terms[k];
        double g = factor.monomial.i[running];
        if (!isocast_exponents_equal(factor.monomial.log_i[running], 0) || g < -0.5 ||
            !isocast_exponents_equal(g, round(g))) {
            return give_up(room);
        }
        factor.monomial.i[running] = 0;
        isocast_series power = isocast_series_power(room, value, round(g));
        sum = isocast_series_add(
            room, sum, isocast_series_multiply(room, (isocast_series){1, &factor}, power), 1);
    }
    return sum;
}
