#include "form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A factor that is smaller than this share of what was added up to it is 0: rounding. */
static const double rounding_share = 1e-15;

void isocast_form_constant(isocast_form *form, double value) {
    form->count = value == 0 ? 0 : 1;
    form->terms[0] = (isocast_form_term){.factor = value, .magnitude = fabs(value)};
}

void isocast_form_power_of_N(isocast_form *form, double exponent) {
    form->count = 1;
    form->terms[0] = (isocast_form_term){.factor = 1, .magnitude = 1, .exponent = exponent};
}

void isocast_form_atom(isocast_form *form, uint16_t atom) {
    form->count = 1;
    form->terms[0] = (isocast_form_term){.factor = 1, .magnitude = 1};
    form->terms[0].atoms[ISOCAST_FORM_ATOMS - 1] = atom;
}

static bool has_atoms(const isocast_form_term *term) {
    return term->atoms[ISOCAST_FORM_ATOMS - 1] != ISOCAST_FORM_NO_ATOM;
}

bool isocast_form_is_constant(const isocast_form *form, double *value) {
    *value = form->count == 0 ? 0 : form->terms[0].factor;
    return form->count == 0 ||
           (form->count == 1 && form->terms[0].exponent == 0 && !has_atoms(&form->terms[0]));
}

bool isocast_form_is_power(const isocast_form *form, double *factor, double *exponent) {
    if (form->count != 1 || has_atoms(&form->terms[0])) {
        return false;
    }
    *factor = form->terms[0].factor;
    *exponent = form->terms[0].exponent;
    return *factor > 0;
}

static bool same_factors(const isocast_form_term *a, const isocast_form_term *b) {
    return a->exponent == b->exponent && memcmp(a->atoms, b->atoms, sizeof a->atoms) == 0;
}

static void remove_term(isocast_form *form, size_t k) {
    form->terms[k] = form->terms[--form->count];
}

static bool add_term(isocast_form *form, const isocast_form_term *term) {
    for (size_t k = 0; k < form->count; k++) {
        if (same_factors(&form->terms[k], term)) {
            form->terms[k].factor += term->factor;
            form->terms[k].magnitude += term->magnitude;
            if (fabs(form->terms[k].factor) <= rounding_share * form->terms[k].magnitude) {
                remove_term(form, k);
            }
            return true;
        }
    }
    if (form->count == ISOCAST_FORM_TERMS) {
        return false;
    }
    form->terms[form->count++] = *term;
    return true;
}

bool isocast_form_add(isocast_form *form, const isocast_form *other, double multiplier,
                      double divisor) {
    if (multiplier == 0) {
        return true;
    }
    for (size_t k = 0; k < other->count; k++) {
        isocast_form_term term = other->terms[k];
        term.factor = term.factor * multiplier / divisor;
        term.magnitude = fabs(term.magnitude * multiplier / divisor);
        if (!add_term(form, &term)) {
            return false;
        }
    }
    return true;
}

/* The atoms of both in rising order; false where there are too many. */
static bool merge_atoms(const uint16_t *a, const uint16_t *b, uint16_t *out) {
    size_t i = ISOCAST_FORM_ATOMS;
    size_t j = ISOCAST_FORM_ATOMS;
    for (size_t k = ISOCAST_FORM_ATOMS; k-- > 0;) {
        uint16_t from_a = i > 0 ? a[i - 1] : ISOCAST_FORM_NO_ATOM;
        uint16_t from_b = j > 0 ? b[j - 1] : ISOCAST_FORM_NO_ATOM;
        if (from_a >= from_b) {
            out[k] = from_a;
            i -= i > 0 ? 1 : 0;
        } else {
            out[k] = from_b;
            j--;
        }
    }
    return (i == 0 || a[i - 1] == ISOCAST_FORM_NO_ATOM) &&
           (j == 0 || b[j - 1] == ISOCAST_FORM_NO_ATOM);
}

bool isocast_form_multiply(const isocast_form *a, const isocast_form *b, isocast_form *out) {
    out->count = 0;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            isocast_form_term term = {.factor = a->terms[i].factor * b->terms[j].factor,
                                      .magnitude = a->terms[i].magnitude * b->terms[j].magnitude,
                                      .exponent = a->terms[i].exponent + b->terms[j].exponent};
            if (!merge_atoms(a->terms[i].atoms, b->terms[j].atoms, term.atoms) ||
                !add_term(out, &term)) {
                return false;
            }
        }
    }
    return true;
}

void isocast_form_divide(isocast_form *form, double factor, double exponent) {
    for (size_t k = 0; k < form->count; k++) {
        form->terms[k].factor /= factor;
        form->terms[k].magnitude = fabs(form->terms[k].magnitude / factor);
        form->terms[k].exponent -= exponent;
    }
}

/* N^exponent times the atoms, without the factor. */
static isocast_dual bound_factors(const isocast_form_term *term, const isocast_form_ranges *ranges,
                                  double exponent) {
    isocast_range power = isocast_range_power(ranges->N, exponent);
    isocast_dual product = {power, isocast_range_scale(power, exponent)};
    for (size_t k = ISOCAST_FORM_ATOMS; k-- > 0 && term->atoms[k] != ISOCAST_FORM_NO_ATOM;) {
        product = isocast_dual_operate(ISOCAST_OP_MULTIPLY, false, &product,
                                       &ranges->atoms[term->atoms[k]], NULL);
    }
    return product;
}

isocast_dual isocast_form_bound(const isocast_form *form, const isocast_form_ranges *ranges,
                                double exponent) {
    isocast_dual sum = isocast_dual_constant(0);
    for (size_t k = 0; k < form->count; k++) {
        const isocast_form_term *term = &form->terms[k];
        double slack = term->magnitude == fabs(term->factor) ? 0 : rounding_share * term->magnitude;
        isocast_dual factor = {{term->factor - slack, term->factor + slack}, {0, 0}};
        isocast_dual product = bound_factors(term, ranges, term->exponent - exponent);
        product = isocast_dual_operate(ISOCAST_OP_MULTIPLY, false, &factor, &product, NULL);
        sum = isocast_dual_operate(ISOCAST_OP_ADD, false, &sum, &product, NULL);
    }
    return sum;
}

void isocast_form_shift_atoms(isocast_form *form, uint16_t first, uint16_t shift) {
    for (size_t k = 0; k < form->count; k++) {
        for (size_t i = 0; i < ISOCAST_FORM_ATOMS; i++) {
            uint16_t *atom = &form->terms[k].atoms[i];
            if (*atom != ISOCAST_FORM_NO_ATOM && *atom >= first) {
                *atom = (uint16_t)(*atom + shift);
            }
        }
    }
}

typedef isocast_form_polynomial polynomial;

static void set_constant(polynomial *p, double value) {
    p->count = 1;
    isocast_form_constant(&p->factor[0], value);
}

/* p += sign q */
static bool add_polynomials(polynomial *p, const polynomial *q, double sign) {
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

static bool multiply_polynomials(const polynomial *p, const polynomial *q, polynomial *out) {
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

static bool divide_polynomial(polynomial *p, const polynomial *q) {
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
static bool raise_polynomial(const polynomial *p, const polynomial *exponent, polynomial *out) {
    double value;
    bool is_zero = exponent->count == 1 && isocast_form_is_constant(&exponent->factor[0], &value) &&
                   value == 0;
    if (is_zero && p->count > 1) {
        set_constant(out, 1);
    }
    return is_zero && p->count > 1;
}

static bool operate_on_polynomials(isocast_opcode opcode, const polynomial *a, const polynomial *b,
                                   polynomial *out) {
    switch (opcode) {
    case ISOCAST_OP_NEGATE:
        set_constant(out, 0);
        return add_polynomials(out, a, -1);
    case ISOCAST_OP_ADD:
        *out = *a;
        return add_polynomials(out, b, 1);
    case ISOCAST_OP_SUBTRACT:
        *out = *a;
        return add_polynomials(out, b, -1);
    case ISOCAST_OP_MULTIPLY:
        return multiply_polynomials(a, b, out);
    case ISOCAST_OP_DIVIDE:
        *out = *a;
        return divide_polynomial(out, b);
    case ISOCAST_OP_POWER:
        return raise_polynomial(a, b, out);
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
        known = operate_on_polynomials(code->opcode, &registers[code->operand[0]],
                                       &registers[code->operand[1]], &registers[code->result]);
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

enum { EXPONENTS_MAX = 8 /* powers of N by which a form is divided, to bound it */ };

/* What a bound costs, about, for each term of the form. */
static const double bound_steps = 50;

static bool excludes_zero(isocast_range value) {
    return value.low > 0 || value.high < 0;
}

/* Distinct exponents of N in a form, and 0. */
static size_t list_exponents(const isocast_form *form, double *exponents) {
    size_t count = 1;
    exponents[0] = 0;
    for (size_t k = 0; k < form->count && count < EXPONENTS_MAX; k++) {
        bool is_new = true;
        for (size_t i = 0; i < count; i++) {
            is_new = is_new && exponents[i] != form->terms[k].exponent;
        }
        if (is_new) {
            exponents[count++] = form->terms[k].exponent;
        }
    }
    return count;
}

/* A form divided by a power of N has the same zeros; divided by the right one its bounds are
 * narrow, and it only rises or only falls, over many decades. */
isocast_form_verdict isocast_form_judge(const isocast_form *form, const isocast_form_ranges *ranges,
                                        isocast_effort *effort) {
    double exponents[EXPONENTS_MAX];
    size_t count = list_exponents(form, exponents);
    isocast_form_verdict verdict = {0};
    for (size_t i = 0; i < count; i++) {
        effort->left -= bound_steps * (double)(form->count + 1);
        isocast_dual bound = isocast_form_bound(form, ranges, exponents[i]);
        if (isocast_range_is_empty(bound.value) || excludes_zero(bound.value)) {
            verdict.has_no_zero = true;
            verdict.sign = bound.value.low > 0 ? 1 : bound.value.high < 0 ? -1 : 0;
            return verdict;
        }
        verdict.has_one_zero_at_most = verdict.has_one_zero_at_most || excludes_zero(bound.slope);
    }
    return verdict;
}
