#include "band.h"

#include <math.h>
#include <string.h>

/* Of a bound that decides on which side of a number a value is, relative. */
static const double rounding = 2e-15;

static void find_powers(double N, double powers[ISOCAST_BAND_POWERS]) {
    double root = 1 / sqrt(N);
    double power = 1;
    for (int k = 0; k < ISOCAST_BAND_POWERS; k++) {
        powers[k] = power;
        power = k % 2 == 1 ? powers[k - 1] / N : power * root;
    }
}

void isocast_band_piece_set(isocast_band_piece *piece, double begin, double end) {
    piece->begin = begin;
    piece->end = end;
    find_powers(begin, piece->at_begin);
    if (begin == end) {
        memcpy(piece->at_end, piece->at_begin, sizeof piece->at_end);
    } else {
        find_powers(end, piece->at_end);
    }
}

void isocast_band_piece_set_number(isocast_band_piece *piece, double N) {
    piece->begin = piece->end = N;
    for (int k = 0; k < ISOCAST_BAND_POWERS; k++) {
        piece->at_begin[k] = piece->at_end[k] = NAN;
    }
}

isocast_band isocast_band_constant(double value) {
    return (isocast_band){0, value, value};
}

isocast_band isocast_band_unknown(void) {
    return (isocast_band){0, NAN, NAN};
}

bool isocast_band_is_known(const isocast_band *a) {
    return a->low >= -ISOCAST_BAND_LARGEST && a->high <= ISOCAST_BAND_LARGEST;
}

bool isocast_band_is_constant(const isocast_band *a) {
    return a->degree == 0 && a->low == a->high;
}

/* N^-drop at both ends of the piece, drop >= 0. */
static void powers_of(const isocast_band_piece *piece, double drop, double *at_begin,
                      double *at_end) {
    double twice = 2 * drop;
    if (twice < ISOCAST_BAND_POWERS && twice == floor(twice)) {
        *at_begin = piece->at_begin[(int)twice];
        *at_end = piece->at_end[(int)twice];
    } else {
        *at_begin = pow(piece->begin, -drop);
        *at_end = pow(piece->end, -drop);
    }
}

/* The same values written with a higher degree. */
static isocast_band raised(const isocast_band_piece *piece, const isocast_band *a, double degree) {
    if (a->degree == degree) {
        return *a;
    }
    double at_begin;
    double at_end;
    powers_of(piece, degree - a->degree, &at_begin, &at_end);
    return (isocast_band){degree, a->low * (a->low >= 0 ? at_end : at_begin),
                          a->high * (a->high >= 0 ? at_begin : at_end)};
}

static bool is_zero(const isocast_band *a) {
    return a->low == 0 && a->high == 0;
}

void isocast_band_range(const isocast_band_piece *piece, const isocast_band *a, double *low,
                        double *high) {
    if (a->degree == 0) {
        *low = a->low;
        *high = a->high;
        return;
    }
    double at_begin;
    double at_end;
    powers_of(piece, fabs(a->degree), &at_begin, &at_end);
    double least = a->degree < 0 ? at_end : 1 / at_begin;
    double most = a->degree < 0 ? at_begin : 1 / at_end;
    *low = a->low * (a->low >= 0 ? least : most);
    *high = a->high * (a->high >= 0 ? most : least);
}

void isocast_band_outer_range(const isocast_band_piece *piece, const isocast_band *a, double *low,
                              double *high) {
    isocast_band_range(piece, a, low, high);
    if (!isocast_band_is_constant(a)) {
        *low -= rounding * fabs(*low);
        *high += rounding * fabs(*high);
    }
}

double isocast_band_value(const isocast_band *a, double N) {
    double middle = a->low / 2 + a->high / 2;
    return a->degree == 0 ? middle : middle * pow(N, a->degree);
}

isocast_band isocast_band_hull(const isocast_band_piece *piece, const isocast_band *a,
                               const isocast_band *b) {
    double degree = fmax(a->degree, b->degree);
    isocast_band x = raised(piece, a, degree);
    isocast_band y = raised(piece, b, degree);
    if (!isocast_band_is_known(&x) || !isocast_band_is_known(&y)) {
        return isocast_band_unknown();
    }
    return (isocast_band){degree, fmin(x.low, y.low), fmax(x.high, y.high)};
}

isocast_band isocast_band_blend(const isocast_band_piece *piece, double least, double most,
                                const isocast_band *a, const isocast_band *b) {
    double degree = fmax(a->degree, b->degree);
    isocast_band x = raised(piece, a, degree);
    isocast_band y = raised(piece, b, degree);
    if (!isocast_band_is_known(&x) || !isocast_band_is_known(&y)) {
        return isocast_band_unknown();
    }
    return (isocast_band){
        degree, fmin((1 - least) * x.low + least * y.low, (1 - most) * x.low + most * y.low),
        fmax((1 - least) * x.high + least * y.high, (1 - most) * x.high + most * y.high)};
}

static isocast_band negated(const isocast_band *a) {
    return (isocast_band){a->degree, -a->high, -a->low};
}

static isocast_band added(const isocast_band_piece *piece, const isocast_band *a,
                          const isocast_band *b) {
    if (is_zero(a)) {
        return *b;
    }
    if (is_zero(b)) {
        return *a;
    }
    double degree = a->degree > b->degree ? a->degree : b->degree;
    isocast_band x = raised(piece, a, degree);
    isocast_band y = raised(piece, b, degree);
    return (isocast_band){degree, x.low + y.low, x.high + y.high};
}

static isocast_range coefficient(const isocast_band *a) {
    return (isocast_range){a->low, a->high};
}

/* N^degree times what is between two bounds, of which there may be none. */
static isocast_band times_power(double degree, isocast_range bounds) {
    return isocast_range_is_empty(bounds) ? isocast_band_unknown()
                                          : (isocast_band){degree, bounds.low, bounds.high};
}

/* The values themselves, whatever N is. */
static isocast_band value_band(const isocast_band_piece *piece, isocast_opcode opcode,
                               const isocast_band *a, const isocast_band *b) {
    isocast_range x;
    isocast_range y;
    isocast_band_range(piece, a, &x.low, &x.high);
    isocast_band_range(piece, b, &y.low, &y.high);
    return times_power(0, isocast_range_operate(opcode, x, y));
}

/* The larger of the magnitudes of the bounds, written with another degree. */
static double larger_bound(const isocast_band_piece *piece, const isocast_band *a, double degree) {
    if (is_zero(a)) {
        return 0;
    }
    isocast_band x = raised(piece, a, degree);
    return fmax(fabs(x.low), fabs(x.high));
}

/* Compared by the bounds of b - a, which are wider by rounding: at the N at which a formula
 * switches, nothing is decided but by numbers. */
static isocast_band compared(const isocast_band_piece *piece, isocast_opcode opcode,
                             const isocast_band *a, const isocast_band *b) {
    isocast_band minus = negated(a);
    isocast_band apart = added(piece, b, &minus);
    if (!is_zero(&apart)) {
        double margin = rounding * (larger_bound(piece, a, apart.degree) +
                                    larger_bound(piece, b, apart.degree));
        apart.low -= margin;
        apart.high += margin;
    }
    return times_power(0,
                       isocast_range_operate(opcode, (isocast_range){0, 0}, coefficient(&apart)));
}

static isocast_band extreme(const isocast_band_piece *piece, isocast_opcode opcode,
                            const isocast_band *a, const isocast_band *b) {
    bool least = opcode == ISOCAST_OP_MIN;
    isocast_band minus = negated(a);
    isocast_band apart = added(piece, b, &minus);
    if (apart.low >= 0 || apart.high <= 0) {
        return (apart.low >= 0) == least ? *a : *b;
    }
    double degree = fmax(a->degree, b->degree);
    isocast_band x = raised(piece, a, degree);
    isocast_band y = raised(piece, b, degree);
    return isocast_band_is_known(&x) && isocast_band_is_known(&y)
               ? times_power(degree,
                             isocast_range_operate(opcode, coefficient(&x), coefficient(&y)))
               : isocast_band_unknown();
}

/* A whole number near the value: at most `down` less or `up` more. */
static isocast_band stepped(const isocast_band_piece *piece, isocast_opcode opcode,
                            const isocast_band *a) {
    double down = opcode == ISOCAST_OP_CEIL ? 0 : opcode == ISOCAST_OP_FLOOR ? 1 : 0.5;
    isocast_range value;
    isocast_band_outer_range(piece, a, &value.low, &value.high);
    isocast_range steps = isocast_range_operate(opcode, value, value);
    if (isocast_range_is_single(steps) || a->degree < 0) {
        return times_power(0, steps);
    }
    double at_begin;
    double at_end;
    powers_of(piece, a->degree, &at_begin, &at_end);
    isocast_band result = {a->degree, a->low - down * at_begin, a->high + (1 - down) * at_begin};
    if (value.low >= 0 && result.low < 0) {
        result.low = 0;
    }
    return result;
}

/* log(N^degree u) = degree log(N) + log(u), so that no power overflows. */
static isocast_band logarithm(const isocast_band_piece *piece, isocast_opcode opcode,
                              const isocast_band *a) {
    isocast_range N = {piece->begin, piece->end};
    isocast_range u = coefficient(a);
    N = isocast_range_scale(isocast_range_operate(opcode, N, N), a->degree);
    return a->low > 0 ? times_power(0, isocast_range_add(N, isocast_range_operate(opcode, u, u)))
                      : isocast_band_unknown();
}

/* Where the whole piece has values. */
static isocast_band powered(const isocast_band_piece *piece, const isocast_band *a,
                            const isocast_band *b) {
    if (!isocast_band_is_constant(b)) {
        return a->low > 0 ? value_band(piece, ISOCAST_OP_POWER, a, b) : isocast_band_unknown();
    }
    return a->low >= 0 || b->low == floor(b->low)
               ? times_power(a->degree * b->low, isocast_range_power(coefficient(a), b->low))
               : isocast_band_unknown();
}

static isocast_band operate(const isocast_band_piece *piece, isocast_opcode opcode,
                            const isocast_band *a, const isocast_band *b) {
    isocast_band minus;
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SUM:
        minus = negated(opcode == ISOCAST_OP_NEGATE ? a : b);
        return opcode == ISOCAST_OP_NEGATE ? minus
                                           : added(piece, a, opcode == ISOCAST_OP_ADD ? b : &minus);
    case ISOCAST_FAMILY_PRODUCT:
        return times_power(a->degree + b->degree,
                           isocast_range_multiply(coefficient(a), coefficient(b)));
    case ISOCAST_FAMILY_QUOTIENT:
        return times_power(a->degree - b->degree,
                           isocast_range_operate(opcode, coefficient(a), coefficient(b)));
    case ISOCAST_FAMILY_POWER:
        return powered(piece, a, b);
    case ISOCAST_FAMILY_COMPARISON:
        return compared(piece, opcode, a, b);
    case ISOCAST_FAMILY_LOGICAL:
        return times_power(0, isocast_range_operate(opcode, coefficient(a), coefficient(b)));
    case ISOCAST_FAMILY_EXTREME:
        return extreme(piece, opcode, a, b);
    case ISOCAST_FAMILY_MAGNITUDE:
        return times_power(a->degree,
                           isocast_range_operate(opcode, coefficient(a), coefficient(a)));
    case ISOCAST_FAMILY_STAIRS:
        return stepped(piece, opcode, a);
    case ISOCAST_FAMILY_ROOT:
        return a->low >= 0
                   ? times_power(a->degree / (opcode == ISOCAST_OP_SQRT ? 2 : 3),
                                 isocast_range_operate(opcode, coefficient(a), coefficient(a)))
                   : isocast_band_unknown();
    case ISOCAST_FAMILY_EXPONENTIAL:
        return value_band(piece, opcode, a, a);
    case ISOCAST_FAMILY_LOGARITHM:
        return logarithm(piece, opcode, a);
    default:
        return isocast_band_unknown();
    }
}

static isocast_band operate_on_numbers(isocast_opcode opcode, double a, double b) {
    double value;
    if (!isocast_band_compute(opcode, a, b, &value)) {
        value = isocast_opcode_fold(opcode, a, b, 0);
    }
    return fabs(value) <= ISOCAST_BAND_LARGEST ? isocast_band_constant(value)
                                               : isocast_band_unknown();
}

isocast_band isocast_band_operate(const isocast_band_piece *piece, isocast_opcode opcode,
                                  const isocast_band *a, const isocast_band *b) {
    if (a->degree == 0 && b->degree == 0 && a->low == a->high && b->low == b->high) {
        return operate_on_numbers(opcode, a->low, b->low);
    }
    isocast_band quick;
    if (isocast_band_operate_quickly(opcode, a, b, &quick)) {
        return quick;
    }
    if (!isocast_band_is_known(a) || !isocast_band_is_known(b)) {
        return isocast_band_unknown();
    }
    isocast_band result = operate(piece, opcode, a, b);
    return isocast_band_is_known(&result) ? result : isocast_band_unknown();
}

/* The words that derivatives are written in (opcode.h). */
#define NUMBER(x) isocast_band_constant(x)
#define NONE NUMBER(0)
#define TIMES(x, y) times(piece, x, y)
#define OVER(x, y) apply(piece, ISOCAST_OP_DIVIDE, x, y)
#define LESS_ONE(x) apply(piece, ISOCAST_OP_SUBTRACT, x, NUMBER(1))
#define RAISED(x, y) apply(piece, ISOCAST_OP_POWER, x, y)
#define LOG(x) apply(piece, ISOCAST_OP_LOG, x, x)

static isocast_band apply(const isocast_band_piece *piece, isocast_opcode opcode, isocast_band x,
                          isocast_band y) {
    return isocast_band_operate(piece, opcode, &x, &y);
}

static isocast_band times(const isocast_band_piece *piece, isocast_band x, isocast_band y) {
    return is_zero(&x) ? x : apply(piece, ISOCAST_OP_MULTIPLY, x, y);
}

void isocast_band_derive(const isocast_band_piece *piece, isocast_opcode opcode,
                         const isocast_band operands[2], const isocast_band *value,
                         isocast_band by[2]) {
    isocast_band a = operands[0];
    isocast_band b = operands[1];
    isocast_band r = *value;
    switch (opcode) {
#define ISOCAST_OPCODE_DERIVE(name, count, family, of_numbers, by_a, by_b, bounds)                 \
    case ISOCAST_OP_##name:                                                                        \
        by[0] = by_a;                                                                              \
        by[1] = by_b;                                                                              \
        break;
        ISOCAST_SMOOTH_OPCODES(ISOCAST_OPCODE_DERIVE)
#undef ISOCAST_OPCODE_DERIVE
    default:
        by[0] = by[1] = isocast_band_unknown();
        break;
    }
}
