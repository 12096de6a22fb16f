/* A straight line between the values of a function g at whole x, (1 - f) g(k) + f g(k + 1) with
 * k = floor(x) and f = x - k, is continuous though k steps. Its slope is that of g between both, as
 * if k moved with x, and what N does elsewhere in g. So each register has two slopes: by N with
 * whole parts standing still, and by whole parts moving as what they are the whole part of. Steps
 * that no such line makes up for are remembered. */
#include "reach.h"

#include "block.h"
#include "reach_state.h"

enum { STEPS_A_SLOPE = 24 };

static const isocast_reach_slope_pair *slope_of(isocast_reach *r, unsigned reg);

static isocast_band operate(const isocast_reach *r, isocast_opcode opcode, const isocast_band *a,
                            const isocast_band *b) {
    return isocast_band_operate(&r->piece, opcode, a, b);
}

static bool is_zero(const isocast_band *a) {
    return a->low == 0 && a->high == 0;
}

/* a b, where a that is 0 counts for nothing. */
static isocast_band times(const isocast_reach *r, const isocast_band *a, const isocast_band *b) {
    return is_zero(a) ? *a : operate(r, ISOCAST_OP_MULTIPLY, a, b);
}

static isocast_band sum_of(const isocast_reach *r, isocast_opcode opcode, const isocast_band *a,
                           const isocast_band *b) {
    return is_zero(b) ? *a : operate(r, opcode, a, b);
}

static isocast_reach_slope_pair no_slope(void) {
    return (isocast_reach_slope_pair){.by_N = isocast_band_constant(0),
                                      .by_steps = isocast_band_constant(0)};
}

static isocast_reach_slope_pair unknown_slope(void) {
    return (isocast_reach_slope_pair){.by_N = isocast_band_unknown(),
                                      .by_steps = isocast_band_unknown(),
                                      .steps = ISOCAST_REACH_STEP_ANY};
}

/* What both can be, where it is not known which of them holds. */
static isocast_reach_slope_pair hull_of(const isocast_reach *r, const isocast_reach_slope_pair *a,
                                        const isocast_reach_slope_pair *b) {
    return (isocast_reach_slope_pair){.by_N = isocast_band_hull(&r->piece, &a->by_N, &b->by_N),
                                      .by_steps =
                                          isocast_band_hull(&r->piece, &a->by_steps, &b->by_steps),
                                      .steps = a->steps | b->steps};
}

/* A slope times the derivative by the operand, `factor`. */
static isocast_reach_slope_pair scaled(const isocast_reach *r, const isocast_reach_slope_pair *a,
                                       const isocast_band *factor) {
    return (isocast_reach_slope_pair){.by_N = times(r, &a->by_N, factor),
                                      .by_steps = times(r, &a->by_steps, factor),
                                      .steps = a->steps};
}

static isocast_reach_slope_pair added(const isocast_reach *r, isocast_opcode opcode,
                                      const isocast_reach_slope_pair *a,
                                      const isocast_reach_slope_pair *b) {
    return (isocast_reach_slope_pair){.by_N = sum_of(r, opcode, &a->by_N, &b->by_N),
                                      .by_steps = sum_of(r, opcode, &a->by_steps, &b->by_steps),
                                      .steps = a->steps | b->steps};
}

/* A whole part: it stands still, or steps. */
static isocast_reach_slope_pair slope_of_step(isocast_reach *r, const isocast_trace_entry *entry,
                                              const isocast_band *result) {
    if (isocast_band_is_constant(result)) {
        return no_slope();
    }
    const isocast_reach_slope_pair *x = slope_of(r, entry->a);
    return (isocast_reach_slope_pair){.by_N = isocast_band_constant(0),
                                      .by_steps = x->by_N,
                                      .steps = x->steps | r->steps_of[entry->result]};
}

static isocast_reach_slope_pair slope_of_extreme(isocast_reach *r, const isocast_trace_entry *entry,
                                                 bool least) {
    isocast_band a = isocast_reach_register(r, entry->a);
    isocast_band b = isocast_reach_register(r, entry->b);
    isocast_band apart = operate(r, ISOCAST_OP_SUBTRACT, &b, &a);
    const isocast_reach_slope_pair *first = slope_of(r, entry->a);
    const isocast_reach_slope_pair *second = slope_of(r, entry->b);
    if (apart.low > 0 || apart.high < 0) {
        return (apart.low > 0) == least ? *first : *second;
    }
    return hull_of(r, first, second);
}

static isocast_reach_slope_pair slope_of_magnitude(isocast_reach *r,
                                                   const isocast_trace_entry *entry) {
    isocast_band a = isocast_reach_register(r, entry->a);
    isocast_reach_slope_pair none = no_slope();
    const isocast_reach_slope_pair *same = slope_of(r, entry->a);
    isocast_reach_slope_pair opposite = added(r, ISOCAST_OP_SUBTRACT, &none, same);
    if (a.low >= 0 || a.high <= 0) {
        return a.low >= 0 ? *same : opposite;
    }
    return hull_of(r, same, &opposite);
}

/* By the derivatives of the instruction's row. */
static isocast_reach_slope_pair slope_of_smooth(isocast_reach *r, const isocast_trace_entry *entry,
                                                const isocast_band *result) {
    isocast_opcode opcode = (isocast_opcode)entry->opcode;
    isocast_band operands[2] = {isocast_reach_register(r, entry->a),
                                isocast_reach_register(r, entry->b)};
    isocast_band by[2];
    isocast_band_derive(&r->piece, opcode, operands, result, by);
    isocast_reach_slope_pair first = scaled(r, slope_of(r, entry->a), &by[0]);
    if (isocast_opcode_operands(opcode) < 2) {
        return first;
    }
    isocast_reach_slope_pair second = scaled(r, slope_of(r, entry->b), &by[1]);
    return added(r, ISOCAST_OP_ADD, &first, &second);
}

static isocast_reach_slope_pair slope_of_plain(isocast_reach *r, const isocast_trace_entry *entry,
                                               const isocast_band *result) {
    isocast_opcode opcode = (isocast_opcode)entry->opcode;
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SUM:
        if (opcode == ISOCAST_OP_NEGATE) {
            return slope_of_smooth(r, entry, result);
        }
        return added(r, opcode, slope_of(r, entry->a), slope_of(r, entry->b));
    case ISOCAST_FAMILY_QUOTIENT: {
        /* (a' - (a/b) b')/b is narrower than a'/b - (a/b) b'/b. */
        isocast_band one = isocast_band_constant(1);
        isocast_band b = isocast_reach_register(r, entry->b);
        isocast_band inverse = operate(r, ISOCAST_OP_DIVIDE, &one, &b);
        isocast_reach_slope_pair second = scaled(r, slope_of(r, entry->b), result);
        isocast_reach_slope_pair first =
            added(r, ISOCAST_OP_SUBTRACT, slope_of(r, entry->a), &second);
        return scaled(r, &first, &inverse);
    }
    case ISOCAST_FAMILY_PRODUCT:
    case ISOCAST_FAMILY_POWER:
    case ISOCAST_FAMILY_ROOT:
    case ISOCAST_FAMILY_EXPONENTIAL:
    case ISOCAST_FAMILY_LOGARITHM:
        return slope_of_smooth(r, entry, result);
    case ISOCAST_FAMILY_EXTREME:
        return slope_of_extreme(r, entry, opcode == ISOCAST_OP_MIN);
    case ISOCAST_FAMILY_MAGNITUDE:
        return slope_of_magnitude(r, entry);
    case ISOCAST_FAMILY_STAIRS:
        return slope_of_step(r, entry, result);
    default:
        return unknown_slope();
    }
}

/* (1 - f) a + f b, where f steps with a and b: the line between neighbouring whole numbers. All
 * other steps stay what they are, and so does not what moves by them. */
static isocast_reach_slope_pair slope_of_line(isocast_reach *r, const isocast_reach_blend *blend,
                                              const isocast_band *share) {
    const isocast_reach_slope_pair *first = slope_of(r, blend->first);
    const isocast_reach_slope_pair *second = slope_of(r, blend->second);
    isocast_reach_slope_pair both = hull_of(r, first, second);
    if ((both.steps & ~r->steps_of[blend->whole]) != 0) {
        return unknown_slope();
    }
    double low;
    double high;
    isocast_band_range(&r->piece, share, &low, &high);
    isocast_reach_slope_pair slope = no_slope();
    slope.by_N = isocast_band_blend(&r->piece, low, high, &first->by_N, &second->by_N);
    slope.by_N = operate(r, ISOCAST_OP_ADD, &slope.by_N, &both.by_steps);
    return slope;
}

static isocast_reach_slope_pair slope_of_blend(isocast_reach *r, const isocast_reach_blend *blend) {
    isocast_band share = isocast_reach_register(r, blend->share);
    if (blend->is_line) {
        isocast_band whole = isocast_reach_register(r, blend->whole);
        if (!isocast_band_is_constant(&whole)) {
            return slope_of_line(r, blend, &share);
        }
    }
    isocast_reach_slope_pair of_share = *slope_of(r, blend->share);
    const isocast_reach_slope_pair *first = slope_of(r, blend->first);
    const isocast_reach_slope_pair *second = slope_of(r, blend->second);
    isocast_band a = isocast_reach_register(r, blend->first);
    isocast_band b = isocast_reach_register(r, blend->second);
    isocast_band one = isocast_band_constant(1);
    isocast_band rest = operate(r, ISOCAST_OP_SUBTRACT, &one, &share);
    isocast_band apart = operate(r, ISOCAST_OP_SUBTRACT, &b, &a);
    isocast_reach_slope_pair moved = scaled(r, &of_share, &apart);
    isocast_reach_slope_pair of_first = scaled(r, first, &rest);
    isocast_reach_slope_pair of_second = scaled(r, second, &share);
    moved = added(r, ISOCAST_OP_ADD, &moved, &of_first);
    return added(r, ISOCAST_OP_ADD, &moved, &of_second);
}

static isocast_reach_slope_pair slope_of_chain(isocast_reach *r, const isocast_reach_chain *chain) {
    size_t first;
    size_t last;
    if (!isocast_reach_chain_places(r, chain, &first, &last)) {
        return unknown_slope();
    }
    isocast_reach_slope_pair slope = *slope_of(r, chain->values[first]);
    for (size_t k = first + 1; k <= last; k++) {
        slope = hull_of(r, &slope, slope_of(r, chain->values[k]));
    }
    if (first < last) {
        slope.steps |= slope_of(r, chain->x)->steps;
        slope.steps |= chain->is_continuous ? 0 : ISOCAST_REACH_STEP_ANY;
    }
    return slope;
}

static isocast_reach_slope_pair slope_of_select(isocast_reach *r, const isocast_instruction *code) {
    isocast_band condition = isocast_reach_register(r, code->operand[0]);
    if (!isocast_band_is_known(&condition)) {
        return unknown_slope();
    }
    if (condition.low > 0 || condition.high < 0) {
        return *slope_of(r, code->operand[1]);
    }
    if (is_zero(&condition)) {
        return *slope_of(r, code->operand[2]);
    }
    const isocast_trace_entry *entry = &r->entries[code->operand[0]];
    if (code->block != ISOCAST_SELECT_CONTINUOUS || entry->kind != ISOCAST_REACH_PLAIN ||
        entry->opcode < ISOCAST_OP_LESS || entry->opcode > ISOCAST_OP_GREATER_EQUAL) {
        return unknown_slope();
    }
    isocast_reach_slope_pair slope =
        hull_of(r, slope_of(r, code->operand[1]), slope_of(r, code->operand[2]));
    slope.steps |= slope_of(r, entry->a)->steps | slope_of(r, entry->b)->steps;
    return slope;
}

static isocast_reach_slope_pair slope_of_sum(isocast_reach *r, const isocast_instruction *code) {
    isocast_reach_ends ends;
    isocast_reach_slope_pair slope = no_slope();
    if (!isocast_reach_ends_find(r, code, &ends)) {
        return unknown_slope();
    }
    slope.by_N = isocast_reach_sum_slope(r, code->block, &ends);
    return slope;
}

static isocast_reach_slope_pair find_slope(isocast_reach *r, unsigned reg) {
    const isocast_trace_entry *entry = &r->entries[reg];
    const isocast_origin *origin = &r->origins[0][reg];
    isocast_band result = isocast_reach_register(r, reg);
    isocast_reach_slope_pair slope = no_slope();
    if (!origin->varies) {
        return slope;
    }
    if (!isocast_band_is_known(&result)) {
        return unknown_slope();
    }
    if (entry->kind == ISOCAST_REACH_INPUT) {
        slope.by_N = r->N;
        return slope;
    }
    const isocast_instruction *code = &r->program->blocks[0].code[origin->index];
    switch ((isocast_reach_kind)entry->kind) {
    case ISOCAST_REACH_BLEND:
        return slope_of_blend(r, &r->blends[reg]);
    case ISOCAST_REACH_CHAIN:
        return slope_of_chain(r, &r->chains[reg]);
    case ISOCAST_REACH_SELECT:
        return slope_of_select(r, code);
    case ISOCAST_REACH_SUM:
        return slope_of_sum(r, code);
    case ISOCAST_REACH_CLASSES:
        return unknown_slope();
    default:
        return slope_of_plain(r, entry, &result);
    }
}

static const isocast_reach_slope_pair *slope_of(isocast_reach *r, unsigned reg) {
    isocast_reach_slope_pair *slope = &r->slopes[reg];
    if (slope->stamp != r->piece_stamp) {
        r->effort += STEPS_A_SLOPE;
        isocast_reach_slope_pair found = find_slope(r, reg);
        *slope = found;
        slope->stamp = r->piece_stamp;
    }
    return slope;
}

isocast_band isocast_reach_slope(isocast_reach *r, size_t output) {
    const isocast_reach_slope_pair *slope = slope_of(r, r->program->outputs[output]);
    return slope->steps == 0 ? slope->by_N : isocast_band_unknown();
}
