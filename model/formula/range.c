#include "range.h"

#include <math.h>
#include <stddef.h>

#include "model/base/binomial.h"
#include "model/base/process_grid.h"

/* Every computed end is moved outwards by this share of itself: more than the rounding of the few
 * operations that give it. */
static const double outwards = 8e-16;

isocast_range isocast_range_all(void) {
    return (isocast_range){-INFINITY, INFINITY};
}

isocast_range isocast_range_of(double value) {
    return isnan(value) ? isocast_range_all() : (isocast_range){value, value};
}

static isocast_range empty(void) {
    return (isocast_range){INFINITY, -INFINITY};
}

bool isocast_range_is_empty(isocast_range a) {
    return a.low > a.high;
}

bool isocast_range_is_bounded(isocast_range a) {
    return isfinite(a.low) && isfinite(a.high);
}

static bool is_single(isocast_range a) {
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

static isocast_range negated(isocast_range a) {
    return (isocast_range){-a.high, -a.low};
}

/* 0 times an end that is not bounded is 0: the end stands for numbers, however large. */
static double product(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

isocast_range isocast_range_multiply(isocast_range a, isocast_range b) {
    if (a.low >= 0 && b.low >= 0) {
        return widened(product(a.low, b.low), product(a.high, b.high));
    }
    double p = product(a.low, b.low);
    double q = product(a.low, b.high);
    double r = product(a.high, b.low);
    double s = product(a.high, b.high);
    return widened(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

isocast_range isocast_range_scale(isocast_range a, double factor) {
    return factor >= 0 ? widened(product(a.low, factor), product(a.high, factor))
                       : widened(product(a.high, factor), product(a.low, factor));
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
            return empty();
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

isocast_dual isocast_dual_constant(double value) {
    return (isocast_dual){isocast_range_of(value), {0, 0}};
}

isocast_dual isocast_dual_empty(void) {
    return (isocast_dual){empty(), isocast_range_all()};
}

isocast_dual isocast_dual_all(void) {
    return (isocast_dual){isocast_range_all(), isocast_range_all()};
}

static bool is_flat(const isocast_dual *a) {
    return a->slope.low == 0 && a->slope.high == 0;
}

static isocast_dual multiply(const isocast_dual *a, const isocast_dual *b) {
    return (isocast_dual){isocast_range_multiply(a->value, b->value),
                          isocast_range_add(isocast_range_multiply(a->slope, b->value),
                                            isocast_range_multiply(a->value, b->slope))};
}

static isocast_dual divide(const isocast_dual *a, const isocast_dual *b) {
    if (b->value.low == 0 && b->value.high == 0) {
        return isocast_dual_empty();
    }
    isocast_range inverse = reciprocal(b->value);
    isocast_dual result = {isocast_range_multiply(a->value, inverse), isocast_range_all()};
    if (b->value.low > 0 || b->value.high < 0) {
        isocast_range numerator =
            isocast_range_add(a->slope, negated(isocast_range_multiply(result.value, b->slope)));
        result.slope = isocast_range_multiply(numerator, inverse);
    }
    return result;
}

/* f(a) for a rising f, whose derivative lies in `derivative`. */
static isocast_dual rising(const isocast_dual *a, double low, double high,
                           isocast_range derivative) {
    return (isocast_dual){widened(low, high), isocast_range_multiply(derivative, a->slope)};
}

static isocast_dual raise(const isocast_dual *a, const isocast_dual *b) {
    if (is_single(b->value) && is_flat(b)) {
        double exponent = b->value.low;
        isocast_dual result = {isocast_range_power(a->value, exponent), isocast_range_all()};
        bool inside = a->value.low > 0 || exponent == floor(exponent);
        if (inside) {
            isocast_range derivative =
                isocast_range_scale(isocast_range_power(a->value, exponent - 1), exponent);
            result.slope = isocast_range_multiply(derivative, a->slope);
        }
        return result;
    }
    if (!(a->value.low > 0)) {
        return isocast_dual_all();
    }
    isocast_dual logarithm = isocast_dual_operate(ISOCAST_OP_LOG, false, a, NULL, NULL);
    isocast_dual exponent = multiply(b, &logarithm);
    return isocast_dual_operate(ISOCAST_OP_EXP, false, &exponent, NULL, NULL);
}

static isocast_dual logarithm(const isocast_dual *a, double base) {
    if (a->value.high <= 0) {
        return isocast_dual_empty();
    }
    double low = a->value.low > 0 ? log(a->value.low) : -INFINITY;
    isocast_dual result =
        rising(a, low / base, log(a->value.high) / base,
               isocast_range_scale(
                   reciprocal((isocast_range){fmax(a->value.low, 0), a->value.high}), 1 / base));
    if (!(a->value.low > 0)) {
        result.slope = isocast_range_all();
    }
    return result;
}

static isocast_dual square_root(const isocast_dual *a) {
    if (a->value.high < 0) {
        return isocast_dual_empty();
    }
    double low = sqrt(fmax(a->value.low, 0));
    double high = sqrt(a->value.high);
    isocast_dual result = {widened(low, high), isocast_range_all()};
    if (a->value.low > 0) {
        result.slope = isocast_range_multiply(
            isocast_range_scale(reciprocal((isocast_range){low, high}), 0.5), a->slope);
    }
    return result;
}

/* The cube root rises everywhere; its slope is not bounded at 0. */
static isocast_dual cube_root(const isocast_dual *a) {
    double low = cbrt(a->value.low);
    double high = cbrt(a->value.high);
    /* Twice, as the library's cube root is known to a few roundings only. */
    isocast_range value = widened(low, high);
    isocast_dual result = {widened(value.low, value.high), isocast_range_all()};
    if (a->value.low > 0 || a->value.high < 0) {
        isocast_range square = isocast_range_multiply(result.value, result.value);
        result.slope =
            isocast_range_multiply(isocast_range_scale(reciprocal(square), 1.0 / 3), a->slope);
    }
    return result;
}

/* A staircase of the argument: constant where both ends are on one step. */
static isocast_dual staircase(double low, double high) {
    if (low == high) {
        return isocast_dual_constant(low);
    }
    return (isocast_dual){widened(low, high), isocast_range_all()};
}

static isocast_dual truth(bool surely, bool surely_not) {
    if (surely || surely_not) {
        return isocast_dual_constant(surely ? 1 : 0);
    }
    return (isocast_dual){{0, 1}, isocast_range_all()};
}

static isocast_dual compare(isocast_opcode opcode, isocast_range a, isocast_range b) {
    bool apart = a.high < b.low || b.high < a.low;
    bool same = is_single(a) && is_single(b) && a.low == b.low;
    switch (opcode) {
    case ISOCAST_OP_LESS:
        return truth(a.high < b.low, a.low >= b.high);
    case ISOCAST_OP_LESS_EQUAL:
        return truth(a.high <= b.low, a.low > b.high);
    case ISOCAST_OP_GREATER:
        return truth(a.low > b.high, a.high <= b.low);
    case ISOCAST_OP_GREATER_EQUAL:
        return truth(a.low >= b.high, a.high < b.low);
    case ISOCAST_OP_EQUAL:
        return truth(same, apart);
    default:
        return truth(apart, same);
    }
}

static bool surely_holds(isocast_range a) {
    return a.low > 0 || a.high < 0;
}

static bool surely_fails(isocast_range a) {
    return a.low == 0 && a.high == 0;
}

static isocast_dual both_hold(isocast_range a, isocast_range b) {
    return truth(surely_holds(a) && surely_holds(b), surely_fails(a) || surely_fails(b));
}

static isocast_dual one_holds(isocast_range a, isocast_range b) {
    return truth(surely_holds(a) || surely_holds(b), surely_fails(a) && surely_fails(b));
}

static isocast_dual hull(const isocast_dual *a, const isocast_dual *b) {
    return (isocast_dual){isocast_range_hull(a->value, b->value),
                          isocast_range_hull(a->slope, b->slope)};
}

static isocast_dual choose(bool continuous, const isocast_dual *condition, const isocast_dual *b,
                           const isocast_dual *c) {
    if (is_single(condition->value)) {
        return condition->value.low != 0 ? *b : *c;
    }
    isocast_dual result = hull(b, c);
    result.slope = continuous ? result.slope : isocast_range_all();
    return result;
}

static isocast_dual lesser(const isocast_dual *a, const isocast_dual *b) {
    if (a->value.high <= b->value.low) {
        return *a;
    }
    if (b->value.high <= a->value.low) {
        return *b;
    }
    isocast_dual result = hull(a, b);
    result.value.high = fmin(a->value.high, b->value.high);
    return result;
}

static isocast_dual negate(const isocast_dual *a) {
    return (isocast_dual){negated(a->value), negated(a->slope)};
}

static isocast_dual greater(const isocast_dual *a, const isocast_dual *b) {
    isocast_dual a_negated = negate(a);
    isocast_dual b_negated = negate(b);
    isocast_dual result = lesser(&a_negated, &b_negated);
    return negate(&result);
}

static isocast_dual magnitude(const isocast_dual *a) {
    if (a->value.low >= 0) {
        return *a;
    }
    isocast_dual other = negate(a);
    return greater(a, &other);
}

static isocast_dual exponential(const isocast_dual *a) {
    isocast_range value = widened(exp(a->value.low), exp(a->value.high));
    return (isocast_dual){value, isocast_range_multiply(value, a->slope)};
}

/* What is finite for some operand that is not: exp(-inf), 1^nan. */
static bool takes_empty(isocast_opcode opcode) {
    return opcode == ISOCAST_OP_SELECT || opcode == ISOCAST_OP_MIN || opcode == ISOCAST_OP_MAX ||
           opcode == ISOCAST_OP_POWER || opcode == ISOCAST_OP_EXP ||
           opcode == ISOCAST_OP_BINOMIAL_VOLUME || opcode == ISOCAST_OP_GRID_ROWS ||
           opcode == ISOCAST_OP_GRID_LAYERS || opcode == ISOCAST_OP_DIVISOR ||
           (opcode >= ISOCAST_OP_LESS && opcode <= ISOCAST_OP_NOT);
}

/* What becomes of an operand without a finite value. */
static isocast_dual operate_on_empty(isocast_opcode opcode, const isocast_dual *a,
                                     const isocast_dual *b, const isocast_dual *c) {
    bool divides = opcode == ISOCAST_OP_DIVIDE && isocast_range_is_empty(b->value);
    if (!takes_empty(opcode) && !divides) {
        return isocast_dual_empty();
    }
    if (opcode == ISOCAST_OP_SELECT && is_single(a->value)) {
        return a->value.low != 0 ? *b : *c;
    }
    return isocast_dual_all();
}

isocast_dual isocast_dual_operate(isocast_opcode opcode, bool continuous, const isocast_dual *a,
                                  const isocast_dual *b, const isocast_dual *c) {
    if (isocast_range_is_empty(a->value) || (b != NULL && isocast_range_is_empty(b->value)) ||
        (c != NULL && isocast_range_is_empty(c->value))) {
        return operate_on_empty(opcode, a, b, c);
    }
    switch (opcode) {
    case ISOCAST_OP_NEGATE:
        return negate(a);
    case ISOCAST_OP_ADD:
        return (isocast_dual){isocast_range_add(a->value, b->value),
                              isocast_range_add(a->slope, b->slope)};
    case ISOCAST_OP_SUBTRACT:
        return (isocast_dual){isocast_range_add(a->value, negated(b->value)),
                              isocast_range_add(a->slope, negated(b->slope))};
    case ISOCAST_OP_MULTIPLY:
        return multiply(a, b);
    case ISOCAST_OP_DIVIDE:
        return divide(a, b);
    case ISOCAST_OP_POWER:
        return raise(a, b);
    case ISOCAST_OP_LESS:
    case ISOCAST_OP_LESS_EQUAL:
    case ISOCAST_OP_GREATER:
    case ISOCAST_OP_GREATER_EQUAL:
    case ISOCAST_OP_EQUAL:
    case ISOCAST_OP_NOT_EQUAL:
        return compare(opcode, a->value, b->value);
    case ISOCAST_OP_AND:
        return both_hold(a->value, b->value);
    case ISOCAST_OP_OR:
        return one_holds(a->value, b->value);
    case ISOCAST_OP_NOT:
        return truth(surely_fails(a->value), surely_holds(a->value));
    case ISOCAST_OP_SELECT:
        return choose(continuous, a, b, c);
    case ISOCAST_OP_MIN:
        return lesser(a, b);
    case ISOCAST_OP_MAX:
        return greater(a, b);
    case ISOCAST_OP_ABS:
        return magnitude(a);
    case ISOCAST_OP_CEIL:
        return staircase(ceil(a->value.low), ceil(a->value.high));
    case ISOCAST_OP_FLOOR:
        return staircase(floor(a->value.low), floor(a->value.high));
    case ISOCAST_OP_ROUND:
        return staircase(round(a->value.low), round(a->value.high));
    case ISOCAST_OP_SQRT:
        return square_root(a);
    case ISOCAST_OP_CBRT:
        return cube_root(a);
    case ISOCAST_OP_EXP:
        return exponential(a);
    case ISOCAST_OP_LOG:
        return logarithm(a, 1);
    case ISOCAST_OP_LOG2:
        return logarithm(a, log(2));
    case ISOCAST_OP_LOG10:
        return logarithm(a, log(10));
    case ISOCAST_OP_BINOMIAL_VOLUME:
        return is_single(a->value) ? isocast_dual_constant(isocast_binomial_volume(a->value.low))
                                   : isocast_dual_all();
    case ISOCAST_OP_GRID_ROWS:
        return is_single(a->value) ? isocast_dual_constant(isocast_grid_rows(a->value.low))
                                   : isocast_dual_all();
    case ISOCAST_OP_GRID_LAYERS:
        return is_single(a->value) ? isocast_dual_constant(isocast_grid_layers(a->value.low))
                                   : isocast_dual_all();
    case ISOCAST_OP_DIVISOR:
        return is_single(a->value) && is_single(b->value)
                   ? isocast_dual_constant(isocast_grid_divisor(a->value.low, b->value.low))
                   : isocast_dual_all();
    default:
        return isocast_dual_all();
    }
}
