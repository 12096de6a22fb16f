#include "enclosure_form.h"

#include <math.h>

#include "enclosure_register.h"
#include "form_sum.h"

enum { STEPS_MAX = 64 /* a staircase with more steps in a piece is not split at one of them */ };

static void outer_form(const void *context, unsigned reg, isocast_form *out) {
    isocast_enclosure_form(context, reg, out);
}

/* factor * (1^degree + ... + n^degree - constant) added to *out. */
static bool add_power_sum(isocast_enclosure *e, const isocast_form *n, size_t degree,
                          const isocast_form *factor, double before_first, isocast_form *out) {
    isocast_form sum;
    isocast_form first;
    isocast_form start;
    isocast_form_constant(&start, before_first);
    if (!isocast_form_power_sum(n, degree, &sum) ||
        !isocast_form_power_sum(&start, degree, &first) || !isocast_form_add(&sum, &first, -1, 1)) {
        return false;
    }
    if (degree > 0) {
        isocast_form_ranges ranges = isocast_enclosure_factors(e);
        isocast_dual rest = isocast_form_power_rest(n, &ranges, degree);
        uint16_t atom = isocast_enclosure_add_atom(e, &rest);
        if (atom == ISOCAST_FORM_NO_ATOM) {
            return false;
        }
        isocast_form_atom(&first, atom);
        isocast_form_divide(&first, 1, 1 - (double)degree);
        if (!isocast_form_add(&sum, &first, 1, 1)) {
            return false;
        }
    }
    return isocast_form_multiply(&sum, factor, &first) && isocast_form_add(out, &first, 1, 1);
}

bool isocast_enclosure_sum(isocast_enclosure *e, const isocast_instruction *instruction,
                           isocast_form *out) {
    if (instruction->opcode != ISOCAST_OP_SUM) {
        return false;
    }
    isocast_form from;
    isocast_form to;
    double first;
    isocast_enclosure_form(e, instruction->operand[0], &from);
    isocast_enclosure_form(e, instruction->operand[1], &to);
    if (!isocast_form_is_constant(&from, &first) || first != floor(first) ||
        !(isocast_enclosure_bound(e, &to).value.low >= fmax(first, 0) - 1)) {
        return false;
    }
    isocast_form_polynomial term;
    bool is_polynomial;
    isocast_status status = isocast_form_sum_term(isocast_enclosure_block(e, instruction),
                                                  outer_form, e, &term, &is_polynomial);
    if (status != ISOCAST_OK) {
        e->status = status;
        return false;
    }
    isocast_form_constant(out, 0);
    for (size_t k = 0; is_polynomial && k < term.count; k++) {
        is_polynomial = add_power_sum(e, &to, k, &term.factor[k], first - 1, out);
    }
    return is_polynomial;
}

/* a + sign b; false where it has too many terms. */
static bool combine(const isocast_enclosure *e, const isocast_instruction *instruction, double sign,
                    isocast_form *out) {
    isocast_form second;
    isocast_enclosure_form(e, instruction->operand[0], out);
    isocast_enclosure_form(e, instruction->operand[1], &second);
    return isocast_form_add(out, &second, sign, 1);
}

static bool divide(isocast_enclosure *e, const isocast_instruction *instruction,
                   isocast_form *out) {
    isocast_form divisor;
    double factor;
    double exponent;
    isocast_enclosure_form(e, instruction->operand[1], &divisor);
    isocast_enclosure_form(e, instruction->operand[0], out);
    if (isocast_form_is_power(&divisor, &factor, &exponent)) {
        isocast_form_divide(out, factor, exponent);
        return true;
    }
    isocast_dual one = isocast_dual_constant(1);
    isocast_dual inverse = isocast_dual_operate(
        ISOCAST_OP_DIVIDE, false, &one, isocast_enclosure_dual(e, instruction->operand[1]), NULL);
    isocast_enclosure_narrow(e, 1 / isocast_enclosure_end(e, instruction->operand[1], 0),
                             1 / isocast_enclosure_end(e, instruction->operand[1], 1), &inverse);
    uint16_t atom = isocast_enclosure_add_atom(e, &inverse);
    isocast_form dividend;
    isocast_enclosure_form(e, instruction->operand[0], &dividend);
    isocast_form_atom(&divisor, atom);
    return atom != ISOCAST_FORM_NO_ATOM && isocast_form_multiply(&dividend, &divisor, out);
}

/* (c N^a)^exponent. */
static bool raise(const isocast_enclosure *e, const isocast_instruction *instruction,
                  double exponent, isocast_form *out) {
    double factor;
    double power;
    isocast_enclosure_form(e, instruction->operand[0], out);
    if (!isocast_form_is_power(out, &factor, &power)) {
        return false;
    }
    isocast_form_power_of_N(out, power * exponent);
    out->terms[0].factor = pow(factor, exponent);
    out->terms[0].magnitude = out->terms[0].factor;
    return true;
}

/* The logarithm of c N^a is ln c + a ln N. */
static bool take_logarithm(const isocast_enclosure *e, const isocast_instruction *instruction,
                           isocast_form *out) {
    double base = instruction->opcode == ISOCAST_OP_LOG2    ? log(2)
                  : instruction->opcode == ISOCAST_OP_LOG10 ? log(10)
                                                            : 1;
    isocast_form argument;
    double factor;
    double power;
    isocast_enclosure_form(e, instruction->operand[0], &argument);
    if (!isocast_form_is_power(&argument, &factor, &power)) {
        return false;
    }
    isocast_form logarithm;
    isocast_form_constant(out, log(factor) / base);
    isocast_form_atom(&logarithm, ATOM_LN_N);
    return isocast_form_add(out, &logarithm, power, base);
}

static void suggest(isocast_enclosure *e, const isocast_instruction *instruction, double steps,
                    double threshold) {
    if (e->place.instruction == NULL || steps < e->place.steps) {
        e->place = (switch_place){instruction, threshold, steps};
    }
}

/* a - b over the piece. */
static isocast_dual difference(isocast_enclosure *e, const isocast_instruction *instruction) {
    isocast_form form;
    unsigned a = instruction->operand[0];
    unsigned b = instruction->operand[1];
    isocast_dual dual;
    if (combine(e, instruction, -1, &form)) {
        dual = isocast_enclosure_bound(e, &form);
    } else {
        dual = isocast_dual_operate(ISOCAST_OP_SUBTRACT, false, isocast_enclosure_dual(e, a),
                                    isocast_enclosure_dual(e, b), NULL);
    }
    isocast_enclosure_narrow(e, isocast_enclosure_end(e, a, 0) - isocast_enclosure_end(e, b, 0),
                             isocast_enclosure_end(e, a, 1) - isocast_enclosure_end(e, b, 1),
                             &dual);
    return dual;
}

static bool compare(isocast_enclosure *e, const isocast_instruction *instruction,
                    isocast_form *out) {
    isocast_dual apart = difference(e, instruction);
    isocast_dual zero = isocast_dual_constant(0);
    isocast_dual truth = isocast_dual_operate(instruction->opcode, false, &apart, &zero, NULL);
    if (truth.value.low == truth.value.high) {
        isocast_form_constant(out, truth.value.low);
        return true;
    }
    if (isocast_enclosure_end(e, instruction->result, 0) !=
        isocast_enclosure_end(e, instruction->result, 1)) {
        suggest(e, instruction, 1, 0);
    }
    return false;
}

/* Of conditions, whose switches are known where they are compared. */
static bool decide(isocast_enclosure *e, const isocast_instruction *instruction,
                   isocast_form *out) {
    const isocast_dual *a = isocast_enclosure_dual(e, instruction->operand[0]);
    const isocast_dual *b = isocast_enclosure_dual(e, instruction->operand[1]);
    isocast_dual truth = isocast_dual_operate(instruction->opcode, false, a, b, NULL);
    bool decided = truth.value.low == truth.value.high;
    if (decided) {
        isocast_form_constant(out, truth.value.low);
    }
    return decided;
}

/* The cube root of c N^a, where its exponent is exact. */
static bool take_cube_root(const isocast_enclosure *e, const isocast_instruction *instruction,
                           isocast_form *out) {
    double factor;
    double power;
    isocast_enclosure_form(e, instruction->operand[0], out);
    if (!isocast_form_is_power(out, &factor, &power) || fmod(power, 3) != 0) {
        return false;
    }
    isocast_form_power_of_N(out, power / 3);
    out->terms[0].factor = cbrt(factor);
    out->terms[0].magnitude = out->terms[0].factor;
    return true;
}

/* The lesser (sign 1) or the greater (-1) of two. */
static bool choose_extreme(isocast_enclosure *e, const isocast_instruction *instruction,
                           double sign, isocast_form *out) {
    isocast_dual apart = difference(e, instruction);
    isocast_range by_sign = isocast_range_scale(apart.value, sign);
    if (isocast_range_is_empty(apart.value)) {
        return false;
    }
    if (by_sign.high <= 0 || by_sign.low >= 0) {
        isocast_enclosure_form(e, instruction->operand[by_sign.high <= 0 ? 0 : 1], out);
        return true;
    }
    suggest(e, instruction, 1, 0);
    return false;
}

static bool take_magnitude(isocast_enclosure *e, const isocast_instruction *instruction,
                           isocast_form *out) {
    const isocast_dual *argument = isocast_enclosure_dual(e, instruction->operand[0]);
    if (argument->value.low < 0 && argument->value.high > 0) {
        suggest(e, instruction, 1, 0);
        return false;
    }
    isocast_form form;
    isocast_enclosure_form(e, instruction->operand[0], &form);
    isocast_form_constant(out, 0);
    return isocast_form_add(out, &form, argument->value.low >= 0 ? 1 : -1, 1);
}

static bool select_form(const isocast_enclosure *e, const isocast_instruction *instruction,
                        isocast_form *out) {
    isocast_form condition;
    double value;
    isocast_enclosure_form(e, instruction->operand[0], &condition);
    if (!isocast_form_is_constant(&condition, &value)) {
        return false;
    }
    isocast_enclosure_form(e, instruction->operand[value != 0 ? 1 : 2], out);
    return true;
}

/* A staircase is its argument and what is cut off or added: a factor of its own, so that it cancels
 * where the argument is taken from it. */
static bool take_stairs(isocast_enclosure *e, const isocast_instruction *instruction,
                        isocast_form *out) {
    double down = instruction->opcode == ISOCAST_OP_CEIL    ? 0
                  : instruction->opcode == ISOCAST_OP_FLOOR ? 1
                                                            : 0.5;
    const isocast_dual *argument = isocast_enclosure_dual(e, instruction->operand[0]);
    if (isocast_range_is_bounded(argument->value)) {
        double low = isocast_opcode_fold(instruction->opcode, argument->value.low, 0, 0);
        double high = isocast_opcode_fold(instruction->opcode, argument->value.high, 0, 0);
        if (low == high) {
            isocast_form_constant(out, low);
            return true;
        }
        double first = isocast_enclosure_end(e, instruction->result, 0);
        double last = isocast_enclosure_end(e, instruction->result, 1);
        if (first != last && fabs(last - first) <= STEPS_MAX) {
            double half = last > first ? ceil((last - first) / 2) : -floor((first - last) / 2);
            suggest(e, instruction, fabs(last - first), first + half);
        }
    }
    isocast_dual rest = {{-down, 1 - down}, isocast_range_all()};
    uint16_t atom = isocast_enclosure_add_atom(e, &rest);
    isocast_form fraction;
    isocast_form_atom(&fraction, atom);
    isocast_enclosure_form(e, instruction->operand[0], out);
    return atom != ISOCAST_FORM_NO_ATOM && isocast_form_add(out, &fraction, 1, 1);
}

bool isocast_enclosure_operate(isocast_enclosure *e, const isocast_instruction *instruction,
                               isocast_form *out) {
    isocast_opcode opcode = instruction->opcode;
    isocast_form second;
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SUM:
        if (opcode != ISOCAST_OP_NEGATE) {
            return combine(e, instruction, opcode == ISOCAST_OP_ADD ? 1 : -1, out);
        }
        isocast_enclosure_form(e, instruction->operand[0], &second);
        isocast_form_constant(out, 0);
        return isocast_form_add(out, &second, -1, 1);
    case ISOCAST_FAMILY_PRODUCT: {
        isocast_form first;
        isocast_enclosure_form(e, instruction->operand[0], &first);
        isocast_enclosure_form(e, instruction->operand[1], &second);
        return isocast_form_multiply(&first, &second, out);
    }
    case ISOCAST_FAMILY_QUOTIENT:
        return divide(e, instruction, out);
    case ISOCAST_FAMILY_POWER: {
        double exponent;
        isocast_enclosure_form(e, instruction->operand[1], &second);
        return isocast_form_is_constant(&second, &exponent) && raise(e, instruction, exponent, out);
    }
    case ISOCAST_FAMILY_ROOT:
        return opcode == ISOCAST_OP_SQRT ? raise(e, instruction, 0.5, out)
                                         : take_cube_root(e, instruction, out);
    case ISOCAST_FAMILY_LOGARITHM:
        return take_logarithm(e, instruction, out);
    case ISOCAST_FAMILY_COMPARISON:
        return compare(e, instruction, out);
    case ISOCAST_FAMILY_LOGICAL:
        return decide(e, instruction, out);
    case ISOCAST_FAMILY_SELECT:
        return select_form(e, instruction, out);
    case ISOCAST_FAMILY_EXTREME:
        return choose_extreme(e, instruction, opcode == ISOCAST_OP_MIN ? 1 : -1, out);
    case ISOCAST_FAMILY_MAGNITUDE:
        return take_magnitude(e, instruction, out);
    case ISOCAST_FAMILY_STAIRS:
        return take_stairs(e, instruction, out);
    default:
        return false;
    }
}
