#include "series_sum.h"

#include <math.h>

#include "series_function.h"

enum { DEGREE_MAX = 9 };

/* B+_j, the Bernoulli numbers of Faulhaber's formula. */
static const double bernoulli[DEGREE_MAX + 1] = {1, 0.5,      1.0 / 6, 0,         -1.0 / 30,
                                                 0, 1.0 / 42, 0,       -1.0 / 30, 0};

static isocast_series give_up(isocast_series_room *room) {
    isocast_series_fail(room, ISOCAST_SERIES_RUNNING, "a sum's terms follow no known rule");
    return isocast_series_zero();
}

static isocast_series whole_power(isocast_series_room *room, isocast_series a, size_t exponent) {
    return isocast_series_power(room, a, (double)exponent);
}

/* 1^g + ... + n^g [Faulhaber]. */
static isocast_series powers_to(isocast_series_room *room, isocast_series n, size_t g) {
    isocast_series sum = isocast_series_zero();
    double choose = 1; /* of g + 1 over j */
    for (size_t j = 0; j <= g; j++) {
        double factor = choose * bernoulli[j] / (double)(g + 1);
        sum = isocast_series_add(room, sum, whole_power(room, n, g + 1 - j), factor);
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
    isocast_series slack = isocast_series_multiply(room, whole_power(room, to, g - 1),
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
