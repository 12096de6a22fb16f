#include "range.h"

#include <math.h>

/* Every computed end is moved outwards by this share of itself: more than the rounding of the few
 * operations that give it. */
static const double outwards = 8e-16;

isocast_range isocast_range_all(void) {
    return (isocast_range){-INFINITY, INFINITY};
}

isocast_range isocast_range_of(double value) {
    return isnan(value) ? isocast_range_all() : (isocast_range){value, value};
}

isocast_range isocast_range_none(void) {
    return (isocast_range){INFINITY, -INFINITY};
}

bool isocast_range_is_empty(isocast_range a) {
    return a.low > a.high;
}

bool isocast_range_is_bounded(isocast_range a) {
    return isfinite(a.low) && isfinite(a.high);
}

bool isocast_range_is_single(isocast_range a) {
    return a.low == a.high;
}

static isocast_range widened(double low, double high) {
    if (isnan(low) || isnan(high)) {
        return isocast_range_all();
    }
    return (isocast_range){low - (isfinite(low) ? outwards * fabs(low) : 0),
                           high + (isfinite(high) ? outwards * fabs(high) : 0)};
}

isocast_range isocast_range_add(isocast_range a, isocast_range b) {
    return widened(a.low + b.low, a.high + b.high);
}

/* 0 times an end that is not bounded is 0: the end stands for numbers, however large. */
static double times(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

isocast_range isocast_range_multiply(isocast_range a, isocast_range b) {
    if (a.low >= 0 && b.low >= 0) {
        return widened(times(a.low, b.low), times(a.high, b.high));
    }
    double p = times(a.low, b.low);
    double q = times(a.low, b.high);
    double r = times(a.high, b.low);
    double s = times(a.high, b.high);
    return widened(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

isocast_range isocast_range_scale(isocast_range a, double factor) {
    return factor >= 0 ? widened(times(a.low, factor), times(a.high, factor))
                       : widened(times(a.high, factor), times(a.low, factor));
}

bool isocast_range_surely_holds(isocast_range a) {
    return a.low > 0 || a.high < 0;
}

bool isocast_range_surely_fails(isocast_range a) {
    return a.low == 0 && a.high == 0;
}

isocast_range isocast_range_hull(isocast_range a, isocast_range b) {
    return (isocast_range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

isocast_range isocast_range_meet(isocast_range a, isocast_range b) {
    isocast_range both = {fmax(a.low, b.low), fmin(a.high, b.high)};
    return isocast_range_is_empty(both) ? a : both;
}

isocast_range isocast_range_power(isocast_range a, double exponent) {
    if (exponent == 0) {
        return isocast_range_of(1);
    }
    if (exponent == 1) {
        return a;
    }
    bool whole = exponent == floor(exponent);
    if (a.low < 0 && !whole) {
        if (a.high < 0) {
            return isocast_range_none();
        }
        a.low = 0;
    }
    double low = pow(a.low, exponent);
    double high = pow(a.high, exponent);
    if (a.low >= 0) {
        return exponent > 0 ? widened(low, high) : widened(high, low);
    }
    if (exponent < 0 && a.high >= 0) {
        return isocast_range_all();
    }
    bool even = fmod(exponent, 2) == 0;
    if (even && a.high > 0) {
        return widened(0, fmax(low, high));
    }
    return widened(fmin(low, high), fmax(low, high));
}

static isocast_range reciprocal(isocast_range a) {
    if (a.low > 0 || a.high < 0) {
        return widened(1 / a.high, 1 / a.low);
    }
    if (a.low == 0 && a.high == 0) {
        return isocast_range_all();
    }
    if (a.low == 0) {
        return widened(1 / a.high, INFINITY);
    }
    return a.high == 0 ? widened(-INFINITY, 1 / a.low) : isocast_range_all();
}

/* What follows are the rules that opcode.h's rows name. */

static isocast_range unbounded(isocast_range a, isocast_range b) {
    (void)a;
    (void)b;
    return isocast_range_all();
}

static isocast_range opposite(isocast_range a, isocast_range b) {
    (void)b;
    return (isocast_range){-a.high, -a.low};
}

static isocast_range sum(isocast_range a, isocast_range b) {
    return isocast_range_add(a, b);
}

static isocast_range difference(isocast_range a, isocast_range b) {
    return isocast_range_add(a, opposite(b, b));
}

static isocast_range product(isocast_range a, isocast_range b) {
    return isocast_range_multiply(a, b);
}

static isocast_range quotient(isocast_range a, isocast_range b) {
    return b.low == 0 && b.high == 0 ? isocast_range_none()
                                     : isocast_range_multiply(a, reciprocal(b));
}

static isocast_range exponential(isocast_range a, isocast_range b) {
    (void)b;
    return widened(exp(a.low), exp(a.high));
}

static isocast_range logarithm_to(isocast_range a, double base) {
    return a.high <= 0 ? isocast_range_none()
                       : widened(a.low > 0 ? log(a.low) / base : -INFINITY, log(a.high) / base);
}

static isocast_range logarithm(isocast_range a, isocast_range b) {
    (void)b;
    return logarithm_to(a, 1);
}

static isocast_range logarithm_2(isocast_range a, isocast_range b) {
    (void)b;
    return logarithm_to(a, ISOCAST_LN_2);
}

static isocast_range logarithm_10(isocast_range a, isocast_range b) {
    (void)b;
    return logarithm_to(a, ISOCAST_LN_10);
}

static isocast_range power(isocast_range a, isocast_range b) {
    if (isocast_range_is_single(b)) {
        return isocast_range_power(a, b.low);
    }
    return a.low > 0 ? exponential(isocast_range_multiply(b, logarithm_to(a, 1)), b)
                     : isocast_range_all();
}

static isocast_range square_root(isocast_range a, isocast_range b) {
    (void)b;
    return a.high < 0 ? isocast_range_none() : widened(sqrt(fmax(a.low, 0)), sqrt(a.high));
}

static isocast_range cube_root(isocast_range a, isocast_range b) {
    (void)b;
    /* Twice, as the library's cube root is known to a few roundings only. */
    isocast_range value = widened(cbrt(a.low), cbrt(a.high));
    return widened(value.low, value.high);
}

/* A staircase: a number where both ends are on one step. */
static isocast_range steps(double low, double high) {
    return low == high ? isocast_range_of(low) : widened(low, high);
}

static isocast_range rounded_up(isocast_range a, isocast_range b) {
    (void)b;
    return steps(ceil(a.low), ceil(a.high));
}

static isocast_range rounded_down(isocast_range a, isocast_range b) {
    (void)b;
    return steps(floor(a.low), floor(a.high));
}

static isocast_range rounded(isocast_range a, isocast_range b) {
    (void)b;
    return steps(round(a.low), round(a.high));
}

static isocast_range truth(bool surely, bool surely_not) {
    return (isocast_range){surely ? 1 : 0, surely_not ? 0 : 1};
}

static isocast_range less(isocast_range a, isocast_range b) {
    return truth(a.high < b.low, a.low >= b.high);
}

static isocast_range less_equal(isocast_range a, isocast_range b) {
    return truth(a.high <= b.low, a.low > b.high);
}

static isocast_range greater(isocast_range a, isocast_range b) {
    return less(b, a);
}

static isocast_range greater_equal(isocast_range a, isocast_range b) {
    return less_equal(b, a);
}

static isocast_range equal(isocast_range a, isocast_range b) {
    bool both_single = isocast_range_is_single(a) && isocast_range_is_single(b);
    return truth(both_single && a.low == b.low, a.high < b.low || b.high < a.low);
}

static isocast_range none_holds(isocast_range a, isocast_range b) {
    (void)b;
    return truth(isocast_range_surely_fails(a), isocast_range_surely_holds(a));
}

static isocast_range not_equal(isocast_range a, isocast_range b) {
    isocast_range same = equal(a, b);
    return none_holds(same, same);
}

static isocast_range both_hold(isocast_range a, isocast_range b) {
    return truth(isocast_range_surely_holds(a) && isocast_range_surely_holds(b),
                 isocast_range_surely_fails(a) || isocast_range_surely_fails(b));
}

static isocast_range one_holds(isocast_range a, isocast_range b) {
    return truth(isocast_range_surely_holds(a) || isocast_range_surely_holds(b),
                 isocast_range_surely_fails(a) && isocast_range_surely_fails(b));
}

static isocast_range lesser(isocast_range a, isocast_range b) {
    return (isocast_range){fmin(a.low, b.low), fmin(a.high, b.high)};
}

static isocast_range larger(isocast_range a, isocast_range b) {
    return (isocast_range){fmax(a.low, b.low), fmax(a.high, b.high)};
}

static isocast_range magnitude(isocast_range a, isocast_range b) {
    (void)b;
    double low = fmax(a.low, -a.high);
    return (isocast_range){fmax(low, 0), fmax(-a.low, a.high)};
}

isocast_range isocast_range_operate(isocast_opcode opcode, isocast_range a, isocast_range b) {
    static isocast_range (*const rules[])(isocast_range, isocast_range) = {
#define ISOCAST_OPCODE_BOUNDS(name, operands, family, value, by_a, by_b, bounds)                   \
    [ISOCAST_OP_##name] = (bounds),
        ISOCAST_OPCODE_LIST(ISOCAST_OPCODE_BOUNDS)
#undef ISOCAST_OPCODE_BOUNDS
    };
    return rules[opcode](a, b);
}
