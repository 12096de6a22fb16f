#include "dual.h"

#include "band.h"

isocast_dual isocast_dual_constant(double value) {
    return (isocast_dual){isocast_range_of(value), {0, 0}};
}

isocast_dual isocast_dual_empty(void) {
    return (isocast_dual){isocast_range_none(), isocast_range_all()};
}

isocast_dual isocast_dual_all(void) {
    return (isocast_dual){isocast_range_all(), isocast_range_all()};
}

static bool is_single(const isocast_dual *a) {
    return isocast_range_is_single(a->value);
}

static isocast_dual hull(const isocast_dual *a, const isocast_dual *b) {
    return (isocast_dual){isocast_range_hull(a->value, b->value),
                          isocast_range_hull(a->slope, b->slope)};
}

static isocast_dual choose(bool continuous, const isocast_dual *condition, const isocast_dual *b,
                           const isocast_dual *c) {
    if (is_single(condition)) {
        return condition->value.low != 0 ? *b : *c;
    }
    isocast_dual result = hull(b, c);
    result.slope = continuous ? result.slope : isocast_range_all();
    return result;
}

static isocast_range opposite(isocast_range a) {
    return isocast_range_operate(ISOCAST_OP_NEGATE, a, a);
}

static isocast_band band_of(isocast_range a) {
    return (isocast_band){0, a.low, a.high};
}

/* By the derivatives of its row, where the value is `r`. */
static isocast_range smooth_slope(isocast_opcode opcode, const isocast_dual *a,
                                  const isocast_dual *b, isocast_range r) {
    if (opcode == ISOCAST_OP_DIVIDE) {
        /* (a' - r b')/b is narrower than a'/b - r b'/b. */
        isocast_range move = isocast_range_multiply(r, b->slope);
        move = isocast_range_operate(ISOCAST_OP_SUBTRACT, a->slope, move);
        return isocast_range_surely_holds(b->value)
                   ? isocast_range_operate(ISOCAST_OP_DIVIDE, move, b->value)
                   : isocast_range_all();
    }
    if (isocast_opcode_family_of(opcode) == ISOCAST_FAMILY_SUM) {
        return isocast_range_operate(opcode, a->slope, b->slope);
    }
    if (opcode == ISOCAST_OP_MULTIPLY) {
        return isocast_range_add(isocast_range_multiply(a->slope, b->value),
                                 isocast_range_multiply(a->value, b->slope));
    }
    static const isocast_band_piece number = {.begin = 1, .end = 1};
    isocast_band operands[2] = {band_of(a->value), band_of(b->value)};
    isocast_band result = band_of(r);
    isocast_band by[2];
    isocast_band_derive(&number, opcode, operands, &result, by);
    isocast_range slope = {0, 0};
    for (size_t k = 0; k < isocast_opcode_operands(opcode); k++) {
        isocast_range factor = isocast_band_is_known(&by[k])
                                   ? (isocast_range){by[k].low, by[k].high}
                                   : isocast_range_all();
        slope = isocast_range_add(slope, isocast_range_multiply(factor, (k == 0 ? a : b)->slope));
    }
    return slope;
}

static isocast_dual extreme(isocast_opcode opcode, const isocast_dual *a, const isocast_dual *b) {
    bool least = opcode == ISOCAST_OP_MIN;
    if (a->value.high <= b->value.low) {
        return least ? *a : *b;
    }
    if (b->value.high <= a->value.low) {
        return least ? *b : *a;
    }
    return (isocast_dual){isocast_range_operate(opcode, a->value, b->value),
                          isocast_range_hull(a->slope, b->slope)};
}

/* What becomes of an operand without a finite value: some instructions make one of what is not
 * finite, as exp(-inf) and 1^nan. */
static isocast_dual operate_on_empty(isocast_opcode opcode, const isocast_dual *a,
                                     const isocast_dual *b, const isocast_dual *c) {
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SELECT:
        return is_single(a) ? (a->value.low != 0 ? *b : *c) : isocast_dual_all();
    case ISOCAST_FAMILY_QUOTIENT:
        return isocast_range_is_empty(b->value) ? isocast_dual_all() : isocast_dual_empty();
    case ISOCAST_FAMILY_EXTREME:
    case ISOCAST_FAMILY_POWER:
    case ISOCAST_FAMILY_EXPONENTIAL:
    case ISOCAST_FAMILY_TABLE:
    case ISOCAST_FAMILY_COMPARISON:
    case ISOCAST_FAMILY_LOGICAL:
        return isocast_dual_all();
    default:
        return isocast_dual_empty();
    }
}

isocast_dual isocast_dual_operate(isocast_opcode opcode, bool continuous, const isocast_dual *a,
                                  const isocast_dual *b, const isocast_dual *c) {
    size_t count = isocast_opcode_operands(opcode);
    b = count > 1 ? b : a;
    c = count > 2 ? c : a;
    if (isocast_range_is_empty(a->value) || isocast_range_is_empty(b->value) ||
        isocast_range_is_empty(c->value)) {
        return operate_on_empty(opcode, a, b, c);
    }
    isocast_dual result = {.slope = isocast_range_all()};
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SELECT:
        return choose(continuous, a, b, c);
    case ISOCAST_FAMILY_EXTREME:
        return extreme(opcode, a, b);
    case ISOCAST_FAMILY_TABLE:
        return is_single(a) && is_single(b) ? isocast_dual_constant(isocast_opcode_fold(
                                                  opcode, a->value.low, b->value.low, 0))
                                            : isocast_dual_all();
    case ISOCAST_FAMILY_REDUCTION:
        return isocast_dual_all();
    default:
        break;
    }
    result.value = isocast_range_operate(opcode, a->value, b->value);
    if (isocast_range_is_empty(result.value)) {
        return isocast_dual_empty();
    }
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_COMPARISON:
    case ISOCAST_FAMILY_LOGICAL:
    case ISOCAST_FAMILY_STAIRS:
        result.slope = is_single(&result) ? isocast_range_of(0) : result.slope;
        break;
    case ISOCAST_FAMILY_MAGNITUDE:
        result.slope = a->value.low >= 0    ? a->slope
                       : a->value.high <= 0 ? opposite(a->slope)
                                            : isocast_range_hull(a->slope, opposite(a->slope));
        break;
    default:
        result.slope = smooth_slope(opcode, a, b, result.value);
        break;
    }
    return result;
}
