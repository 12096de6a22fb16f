#include "form_sum.h"

#include <math.h>
#include <stdlib.h>

typedef isocast_form_polynomial polynomial;

static void set_constant(polynomial *p, double value) {
    p->count = 1;
    isocast_form_constant(&p->factor[0], value);
}

/* p += sign q */
static bool add(polynomial *p, const polynomial *q, double sign) {
    for (size_t k = 0; k < q->count; k++) {
        if (k == p->count) {
            isocast_form_constant(&p->factor[p->count++], 0);
        }
        if (!isocast_form_add(&p->factor[k], &q->factor[k], sign, 1)) {
            return false;
        }
    }
    return true;
}

static bool multiply(const polynomial *p, const polynomial *q, polynomial *out) {
    out->count = p->count + q->count - 1;
    if (out->count > ISOCAST_FORM_SUM_DEGREE + 1) {
        return false;
    }
    for (size_t k = 0; k < out->count; k++) {
        isocast_form_constant(&out->factor[k], 0);
    }
    for (size_t i = 0; i < p->count; i++) {
        for (size_t j = 0; j < q->count; j++) {
            isocast_form product;
            if (!isocast_form_multiply(&p->factor[i], &q->factor[j], &product) ||
                !isocast_form_add(&out->factor[i + j], &product, 1, 1)) {
                return false;
            }
        }
    }
    return true;
}

static bool divide(polynomial *p, const polynomial *q) {
    double factor;
    double exponent;
    if (q->count != 1 || !isocast_form_is_power(&q->factor[0], &factor, &exponent)) {
        return false;
    }
    for (size_t k = 0; k < p->count; k++) {
        isocast_form_divide(&p->factor[k], factor, exponent);
    }
    return true;
}

/* Small whole exponents; the compiler has made multiplications of the others. */
static bool raise(const polynomial *p, const polynomial *exponent, polynomial *out) {
    double value;
    bool is_zero = exponent->count == 1 && isocast_form_is_constant(&exponent->factor[0], &value) &&
                   value == 0;
    if (is_zero && p->count > 1) {
        set_constant(out, 1);
    }
    return is_zero && p->count > 1;
}

static bool operate(isocast_opcode opcode, const polynomial *a, const polynomial *b,
                    polynomial *out) {
    switch (opcode) {
    case ISOCAST_OP_NEGATE:
        set_constant(out, 0);
        return add(out, a, -1);
    case ISOCAST_OP_ADD:
        *out = *a;
        return add(out, b, 1);
    case ISOCAST_OP_SUBTRACT:
        *out = *a;
        return add(out, b, -1);
    case ISOCAST_OP_MULTIPLY:
        return multiply(a, b, out);
    case ISOCAST_OP_DIVIDE:
        *out = *a;
        return divide(out, b);
    case ISOCAST_OP_POWER:
        return raise(a, b, out);
    default:
        return false;
    }
}

isocast_status isocast_form_sum_term(const isocast_block *block, isocast_form_of_register *outer,
                                     const void *context, isocast_form_polynomial *out,
                                     bool *is_polynomial) {
    enum { REGISTERS_MAX = 64 }; /* a longer term is hardly a polynomial, and costs memory */
    *is_polynomial = false;
    if (block->register_count > REGISTERS_MAX || block->column_count > 0) {
        return ISOCAST_OK;
    }
    polynomial *registers = calloc(block->register_count + 1, sizeof *registers);
    if (registers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        set_constant(&registers[block->constants[i].target], block->constants[i].value);
    }
    for (size_t i = 0; i < block->import_count; i++) {
        polynomial *target = &registers[block->imports[i].target];
        target->count = 1;
        outer(context, block->imports[i].outer, &target->factor[0]);
    }
    if (block->has_running) {
        set_constant(&registers[0], 0);
        registers[0].count = 2;
        isocast_form_constant(&registers[0].factor[1], 1);
    }
    bool known = true;
    for (size_t i = 0; i < block->code_count && known; i++) {
        const isocast_instruction *code = &block->code[i];
        known = operate(code->opcode, &registers[code->operand[0]], &registers[code->operand[1]],
                        &registers[code->result]);
    }
    if (known) {
        *out = registers[block->result];
        *is_polynomial = true;
    }
    free(registers);
    return ISOCAST_OK;
}

bool isocast_form_power_sum(const isocast_form *n, size_t degree, isocast_form *out) {
    /* By power of n, from 1 on [Faulhaber]. */
    static const double factors[ISOCAST_FORM_SUM_DEGREE + 1][ISOCAST_FORM_SUM_DEGREE + 1] = {
        {1}, {0.5, 0.5}, {1.0 / 6, 0.5, 1.0 / 3}, {0, 0.25, 0.5, 0.25}};
    isocast_form power;
    isocast_form_constant(&power, 1);
    isocast_form_constant(out, 0);
    for (size_t k = 0; k <= degree; k++) {
        isocast_form next;
        if (!isocast_form_multiply(&power, n, &next) ||
            !isocast_form_add(out, &next, factors[degree][k], 1)) {
            return false;
        }
        power = next;
    }
    return true;
}

/* With n = m + f, m whole, the sum rises by (m + 1)^k a unit of n and the polynomial by its
 * derivative at n. These differ by at most k/2 (n + 1)^(k - 1), and sum and polynomial agree at
 * whole numbers, so they are never further apart than half of that. */
isocast_dual isocast_form_power_rest(const isocast_form *n, const isocast_form_ranges *ranges,
                                     size_t degree) {
    if (degree == 0) {
        return isocast_dual_constant(0);
    }
    double k = (double)degree;
    isocast_dual scaled = isocast_form_bound(n, ranges, 1);
    isocast_dual plain = isocast_form_bound(n, ranges, 0);
    double ratio = fmax(fabs(scaled.value.low), fabs(scaled.value.high)) + 1 / ranges->N.low;
    double steepest = k / 2 * pow(ratio, k - 1);
    double most = steepest / 2;
    double slope = fmax(fabs(plain.slope.low), fabs(plain.slope.high));
    double change = steepest * slope + (k - 1) * most;
    return (isocast_dual){{-most, most}, {-change, change}};
}
