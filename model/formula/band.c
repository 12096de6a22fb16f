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

static isocast_band multiplied(const isocast_band *a, const isocast_band *b) {
    double degree = a->degree + b->degree;
    if (a->low >= 0 && b->low >= 0) {
        return (isocast_band){degree, a->low * b->low, a->high * b->high};
    }
    double corners[4] = {a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high};
    double low = corners[0];
    double high = corners[0];
    for (int k = 1; k < 4; k++) {
        low = corners[k] < low ? corners[k] : low;
        high = corners[k] > high ? corners[k] : high;
    }
    bool known = isocast_band_is_known(a) && isocast_band_is_known(b);
    return known ? (isocast_band){degree, low, high} : isocast_band_unknown();
}

static isocast_band divided(const isocast_band *a, const isocast_band *b) {
    if (!(b->low > 0 || b->high < 0)) {
        return isocast_band_unknown();
    }
    isocast_band inverse = {-b->degree, 1 / b->high, 1 / b->low};
    return multiplied(a, &inverse);
}

static isocast_band truth(bool surely, bool never) {
    return (isocast_band){0, surely ? 1 : 0, never ? 0 : 1};
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
    switch (opcode) {
    case ISOCAST_OP_LESS:
        return truth(apart.low > 0, apart.high <= 0);
    case ISOCAST_OP_LESS_EQUAL:
        return truth(apart.low >= 0, apart.high < 0);
    case ISOCAST_OP_GREATER:
        return truth(apart.high < 0, apart.low >= 0);
    case ISOCAST_OP_GREATER_EQUAL:
        return truth(apart.high <= 0, apart.low > 0);
    case ISOCAST_OP_EQUAL:
        return truth(is_zero(&apart), apart.low > 0 || apart.high < 0);
    default:
        return truth(apart.low > 0 || apart.high < 0, is_zero(&apart));
    }
}

static bool surely_holds(const isocast_band *a) {
    return a->low > 0 || a->high < 0;
}

static isocast_band logical(isocast_opcode opcode, const isocast_band *a, const isocast_band *b) {
    bool first = surely_holds(a);
    bool not_first = is_zero(a);
    bool second = surely_holds(b);
    bool not_second = is_zero(b);
    return opcode == ISOCAST_OP_AND ? truth(first && second, not_first || not_second)
                                    : truth(first || second, not_first && not_second);
}

static isocast_band extreme(const isocast_band_piece *piece, bool least, const isocast_band *a,
                            const isocast_band *b) {
    isocast_band minus = negated(a);
    isocast_band apart = added(piece, b, &minus);
    if (apart.low >= 0) {
        return least ? *a : *b;
    }
    if (apart.high <= 0) {
        return least ? *b : *a;
    }
    double degree = fmax(a->degree, b->degree);
    isocast_band x = raised(piece, a, degree);
    isocast_band y = raised(piece, b, degree);
    if (!isocast_band_is_known(&x) || !isocast_band_is_known(&y)) {
        return isocast_band_unknown();
    }
    return least ? (isocast_band){degree, fmin(x.low, y.low), fmin(x.high, y.high)}
                 : (isocast_band){degree, fmax(x.low, y.low), fmax(x.high, y.high)};
}

/* floor, ceil and round: the value, and at most `down` less or `up` more. */
static isocast_band stepped(const isocast_band_piece *piece, double (*step)(double), double down,
                            double up, const isocast_band *a) {
    double low;
    double high;
    isocast_band_outer_range(piece, a, &low, &high);
    if (step(low) == step(high)) {
        return isocast_band_constant(step(low));
    }
    if (a->degree < 0) {
        return (isocast_band){0, step(low), step(high)};
    }
    double at_begin;
    double at_end;
    powers_of(piece, a->degree, &at_begin, &at_end);
    isocast_band result = {a->degree, a->low - down * at_begin, a->high + up * at_begin};
    if (low >= 0 && result.low < 0) {
        result.low = 0;
    }
    return result;
}

static isocast_band rooted(double (*root)(double), double share, const isocast_band *a) {
    return a->low >= 0 ? (isocast_band){a->degree * share, root(a->low), root(a->high)}
                       : isocast_band_unknown();
}

/* A function that only rises. */
static isocast_band mapped(const isocast_band_piece *piece, double (*function)(double),
                           const isocast_band *a) {
    double low;
    double high;
    isocast_band_range(piece, a, &low, &high);
    return (isocast_band){0, function(low), function(high)};
}

/* log(N^degree u) = degree log(N) + log(u), so that no power overflows. */
static isocast_band logarithm(const isocast_band_piece *piece, double (*function)(double),
                              const isocast_band *a) {
    if (!(a->low > 0)) {
        return isocast_band_unknown();
    }
    double first = a->degree * function(piece->begin);
    double last = a->degree * function(piece->end);
    return (isocast_band){0, fmin(first, last) + function(a->low),
                          fmax(first, last) + function(a->high)};
}

static isocast_band powered(const isocast_band_piece *piece, const isocast_band *a,
                            const isocast_band *b) {
    if (isocast_band_is_constant(b) && a->low > 0) {
        double first = pow(a->low, b->low);
        double last = pow(a->high, b->low);
        return (isocast_band){a->degree * b->low, fmin(first, last), fmax(first, last)};
    }
    double low;
    double high;
    isocast_band_range(piece, b, &low, &high);
    if (isocast_band_is_constant(a) && a->low > 0) {
        double first = pow(a->low, low);
        double last = pow(a->low, high);
        return (isocast_band){0, fmin(first, last), fmax(first, last)};
    }
    if (isocast_band_is_constant(a) && isocast_band_is_constant(b)) {
        return isocast_band_constant(pow(a->low, b->low));
    }
    return isocast_band_unknown();
}

static isocast_band magnitude(const isocast_band *a) {
    if (a->low >= 0) {
        return *a;
    }
    return a->high <= 0 ? negated(a) : (isocast_band){a->degree, 0, fmax(-a->low, a->high)};
}

static isocast_band operate(const isocast_band_piece *piece, isocast_opcode opcode,
                            const isocast_band *a, const isocast_band *b) {
    isocast_band minus;
    switch (opcode) {
    case ISOCAST_OP_NEGATE:
        return negated(a);
    case ISOCAST_OP_ADD:
        return added(piece, a, b);
    case ISOCAST_OP_SUBTRACT:
        minus = negated(b);
        return added(piece, a, &minus);
    case ISOCAST_OP_MULTIPLY:
        return multiplied(a, b);
    case ISOCAST_OP_DIVIDE:
        return divided(a, b);
    case ISOCAST_OP_POWER:
        return powered(piece, a, b);
    case ISOCAST_OP_LESS:
    case ISOCAST_OP_LESS_EQUAL:
    case ISOCAST_OP_GREATER:
    case ISOCAST_OP_GREATER_EQUAL:
    case ISOCAST_OP_EQUAL:
    case ISOCAST_OP_NOT_EQUAL:
        return compared(piece, opcode, a, b);
    case ISOCAST_OP_AND:
    case ISOCAST_OP_OR:
        return logical(opcode, a, b);
    case ISOCAST_OP_NOT:
        return truth(is_zero(a), surely_holds(a));
    case ISOCAST_OP_MIN:
    case ISOCAST_OP_MAX:
        return extreme(piece, opcode == ISOCAST_OP_MIN, a, b);
    case ISOCAST_OP_ABS:
        return magnitude(a);
    case ISOCAST_OP_FLOOR:
        return stepped(piece, floor, 1, 0, a);
    case ISOCAST_OP_CEIL:
        return stepped(piece, ceil, 0, 1, a);
    case ISOCAST_OP_ROUND:
        return stepped(piece, round, 0.5, 0.5, a);
    case ISOCAST_OP_SQRT:
        return rooted(sqrt, 1.0 / 2, a);
    case ISOCAST_OP_CBRT:
        return rooted(cbrt, 1.0 / 3, a);
    case ISOCAST_OP_EXP:
        return mapped(piece, exp, a);
    case ISOCAST_OP_LOG:
        return logarithm(piece, log, a);
    case ISOCAST_OP_LOG2:
        return logarithm(piece, log2, a);
    case ISOCAST_OP_LOG10:
        return logarithm(piece, log10, a);
    default:
        return isocast_band_unknown();
    }
}

static isocast_band operate_on_numbers(isocast_opcode opcode, double a, double b) {
    double value;
    if (!isocast_band_reckon(opcode, a, b, &value)) {
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
