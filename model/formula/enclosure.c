#include "enclosure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block_range.h"
#include "form.h"
#include "model/base/pool.h"
#include "pieces.h"
#include "program.h"

enum { ENDS = 2 };

/* The factor of forms that is ln N; those that instructions add come after it. */
enum { ATOM_LN_N = 1 };

/* What is known of a register. */
enum { KNOWN_NOTHING, KNOWN_CONSTANT, KNOWN_FORM, KNOWN_DUAL };

/* Where a formula switches in the piece: at `instruction`, where its test changes. */
typedef struct switch_place {
    const isocast_instruction *instruction; /* NULL: none is known */
    double threshold;                       /* of a staircase: it is below this on one side only */
    double steps;                           /* of it in the piece */
} switch_place;

typedef struct isocast_enclosure isocast_enclosure; /* which enclosure.h gives as well */

struct isocast_enclosure {
    const isocast_program *program;
    const isocast_block *block; /* block 0 */
    isocast_pool pool;          /* of the arrays, but `forms` */
    isocast_column *columns;
    const isocast_class_table *classes;
    isocast_program_points points; /* both ends of the piece */
    double N[ENDS];
    double *registers; /* [register_count][ENDS], computed */
    double *scratch;   /* [register_count], of one point */
    unsigned char *needed;
    unsigned char *known; /* [register_count] */
    bool *varies;         /* [register_count] */
    size_t *form_at;      /* [register_count], where in `forms` */
    isocast_dual *duals;  /* [register_count] */
    char *forms;          /* forms cut to their terms, one after another */
    size_t forms_used, forms_capacity;
    isocast_dual *atoms; /* [atom_count], from ATOM_LN_N on */
    size_t atom_count, atom_capacity;
    switch_place place;
    isocast_block_ranges reductions;
    isocast_effort *effort;
    isocast_status status;
};

/* The block of a reduction. */
static inline const isocast_block *block_of(const isocast_enclosure *e,
                                            const isocast_instruction *instruction) {
    return &e->program->blocks[instruction->block];
}

/* The value computed at the lower end (0) or the upper end (1) of the piece. */
static inline double end_value(const isocast_enclosure *e, unsigned reg, size_t end) {
    return e->registers[(size_t)reg * ENDS + end];
}

/* N and the factors of forms in the piece. */
static inline isocast_form_ranges factors_of(const isocast_enclosure *e) {
    return (isocast_form_ranges){{e->N[0], e->N[1]}, e->atoms};
}

/* Narrows bounds by the values computed at both ends of the piece: a value that only rises or only
 * falls lies between them; else the slope bounds how far it gets from them. */
static void narrow(const isocast_enclosure *e, double first, double last, isocast_dual *dual) {
    if (!isfinite(first) || !isfinite(last) || isocast_range_is_empty(dual->value)) {
        return;
    }
    if (dual->slope.low >= 0 || dual->slope.high <= 0) {
        dual->value = (isocast_range){fmin(first, last), fmax(first, last)};
        return;
    }
    if (isocast_range_is_bounded(dual->slope)) {
        double width = log(e->N[1] / e->N[0]);
        isocast_range rise = isocast_range_scale(dual->slope, width);
        isocast_range fall = isocast_range_scale(rise, -1);
        dual->value =
            isocast_range_meet(dual->value, isocast_range_add(isocast_range_of(first), rise));
        dual->value =
            isocast_range_meet(dual->value, isocast_range_add(isocast_range_of(last), fall));
    }
}

static size_t form_size(size_t count) {
    return offsetof(isocast_form, terms) + count * sizeof(isocast_form_term);
}

static void copy_form(isocast_form *to, const isocast_form *from) {
    memcpy(to, from, form_size(from->count));
}

/* The form of a register, which was stored; constants are not stored, but have one, too. */
static const isocast_form *stored_form(const isocast_enclosure *e, unsigned reg) {
    return (const isocast_form *)(const void *)(e->forms + e->form_at[reg]);
}

/* Keeps a copy. Without memory, the enclosure's status states it. */
static void store(isocast_enclosure *e, unsigned reg, const isocast_form *form) {
    size_t size = form_size(form->count);
    /* Room for a whole form is kept behind the last, so that each can be read as one. */
    if (e->forms_used + size + sizeof *form > e->forms_capacity) {
        size_t capacity = 2 * (e->forms_capacity + sizeof *form + size);
        char *grown = realloc(e->forms, capacity);
        if (grown == NULL) {
            e->status = ISOCAST_NO_MEMORY;
            return;
        }
        e->forms = grown;
        e->forms_capacity = capacity;
    }
    memcpy(e->forms + e->forms_used, form, size);
    e->form_at[reg] = e->forms_used;
    e->forms_used += size;
    e->known[reg] = KNOWN_FORM;
}

static void form_of(const isocast_enclosure *e, unsigned reg, isocast_form *out) {
    if (e->known[reg] == KNOWN_CONSTANT) {
        isocast_form_constant(out, end_value(e, reg, 0));
    } else {
        copy_form(out, stored_form(e, reg));
    }
}

/* What a form can be in the piece. */
static isocast_dual bound_of(const isocast_enclosure *e, const isocast_form *form) {
    isocast_form_ranges ranges = factors_of(e);
    return isocast_form_bound(form, &ranges, 0);
}

/* What a register can be in the piece; belongs to the enclosure. */
static const isocast_dual *dual_of(isocast_enclosure *e, unsigned reg) {
    if (e->known[reg] == KNOWN_CONSTANT) {
        double value = end_value(e, reg, 0);
        e->duals[reg] = isnan(value) ? isocast_dual_empty() : isocast_dual_constant(value);
    } else if (e->known[reg] == KNOWN_FORM) {
        isocast_dual dual = bound_of(e, stored_form(e, reg));
        narrow(e, end_value(e, reg, 0), end_value(e, reg, 1), &dual);
        e->duals[reg] = dual;
        e->known[reg] = KNOWN_DUAL;
    }
    return &e->duals[reg];
}

/* A new factor of forms with these bounds; ISOCAST_FORM_NO_ATOM where there are too many, which no
 * program of a few hundred instructions has. */
static uint16_t add_atom(isocast_enclosure *e, const isocast_dual *dual) {
    if (e->atom_count >= e->atom_capacity || e->atom_count > UINT16_MAX) {
        return ISOCAST_FORM_NO_ATOM;
    }
    e->atoms[e->atom_count] = *dual;
    return (uint16_t)e->atom_count++;
}

/* Where a formula switches inside a piece: its test alone is evaluated, and bisected. */

/* Marks the instructions that the switch's test needs; false where one of them is a sum. */
static bool mark_needed(isocast_enclosure *e) {
    const isocast_instruction *last = e->place.instruction;
    memset(e->needed, 0, e->block->register_count);
    for (size_t k = 0; k < isocast_opcode_operands(last->opcode); k++) {
        e->needed[last->operand[k]] = 1;
    }
    e->needed[last->result] = 1;
    for (const isocast_instruction *i = last; i-- > e->block->code;) {
        if (!e->needed[i->result] || !e->varies[i->result]) {
            continue;
        }
        if (i->opcode >= ISOCAST_OP_SUM) {
            return false;
        }
        for (size_t k = 0; k < isocast_opcode_operands(i->opcode); k++) {
            e->needed[i->operand[k]] = 1;
        }
    }
    return true;
}

/* Whether the switch's test holds at N. */
static bool test_at(isocast_enclosure *e, double N) {
    const isocast_instruction *last = e->place.instruction;
    for (size_t i = 0; i < e->block->column_count; i++) {
        unsigned target = e->block->columns[i].target;
        e->scratch[target] = e->varies[target] ? N : e->scratch[target];
    }
    for (const isocast_instruction *i = e->block->code; i <= last; i++) {
        if (e->needed[i->result] && e->varies[i->result]) {
            e->scratch[i->result] =
                isocast_opcode_fold(i->opcode, e->scratch[i->operand[0]], e->scratch[i->operand[1]],
                                    e->scratch[i->operand[2]]);
        }
    }
    double value = e->scratch[last->result];
    switch (isocast_opcode_family_of(last->opcode)) {
    case ISOCAST_FAMILY_STAIRS:
        return value < e->place.threshold;
    case ISOCAST_FAMILY_EXTREME:
        return e->scratch[last->operand[0]] < e->scratch[last->operand[1]];
    case ISOCAST_FAMILY_MAGNITUDE:
        return e->scratch[last->operand[0]] < 0;
    default:
        return value != 0;
    }
}

bool isocast_enclosure_switch(isocast_enclosure *e, double switch_at[2]) {
    if (e->place.instruction == NULL || !mark_needed(e)) {
        return false;
    }
    for (size_t r = 0; r < e->block->register_count; r++) {
        e->scratch[r] = e->registers[r * ENDS];
    }
    double low = e->N[0];
    double high = e->N[1];
    bool at_low = test_at(e, low);
    if (test_at(e, high) == at_low) {
        return false;
    }
    for (;;) {
        double middle = isocast_middle(low, high);
        if (middle <= low || middle >= high) {
            break;
        }
        if (test_at(e, middle) == at_low) {
            low = middle;
        } else {
            high = middle;
        }
    }
    switch_at[0] = low;
    switch_at[1] = high;
    return true;
}

enum { STEPS_MAX = 64 /* a staircase with more steps in a piece is not split at one of them */ };

static void outer_form(const void *context, unsigned reg, isocast_form *out) {
    form_of(context, reg, out);
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
        isocast_form_ranges ranges = factors_of(e);
        isocast_dual rest = isocast_form_power_rest(n, &ranges, degree);
        uint16_t atom = add_atom(e, &rest);
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

/* The result of a sum from a whole number on, over a polynomial in the running variable; false for
 * other reductions, and where the enclosure's status states a failure. */
static bool sum_form(isocast_enclosure *e, const isocast_instruction *instruction,
                     isocast_form *out) {
    if (instruction->opcode != ISOCAST_OP_SUM) {
        return false;
    }
    isocast_form from;
    isocast_form to;
    double first;
    form_of(e, instruction->operand[0], &from);
    form_of(e, instruction->operand[1], &to);
    if (!isocast_form_is_constant(&from, &first) || first != floor(first) ||
        !(bound_of(e, &to).value.low >= fmax(first, 0) - 1)) {
        return false;
    }
    isocast_form_polynomial term;
    bool is_polynomial;
    isocast_status status =
        isocast_form_sum_term(block_of(e, instruction), outer_form, e, &term, &is_polynomial);
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
    form_of(e, instruction->operand[0], out);
    form_of(e, instruction->operand[1], &second);
    return isocast_form_add(out, &second, sign, 1);
}

static bool divide(isocast_enclosure *e, const isocast_instruction *instruction,
                   isocast_form *out) {
    isocast_form divisor;
    double factor;
    double exponent;
    form_of(e, instruction->operand[1], &divisor);
    form_of(e, instruction->operand[0], out);
    if (isocast_form_is_power(&divisor, &factor, &exponent)) {
        isocast_form_divide(out, factor, exponent);
        return true;
    }
    isocast_dual one = isocast_dual_constant(1);
    isocast_dual inverse = isocast_dual_operate(ISOCAST_OP_DIVIDE, false, &one,
                                                dual_of(e, instruction->operand[1]), NULL);
    narrow(e, 1 / end_value(e, instruction->operand[1], 0),
           1 / end_value(e, instruction->operand[1], 1), &inverse);
    uint16_t atom = add_atom(e, &inverse);
    isocast_form dividend;
    form_of(e, instruction->operand[0], &dividend);
    isocast_form_atom(&divisor, atom);
    return atom != ISOCAST_FORM_NO_ATOM && isocast_form_multiply(&dividend, &divisor, out);
}

/* (c N^a)^exponent. */
static bool raise(const isocast_enclosure *e, const isocast_instruction *instruction,
                  double exponent, isocast_form *out) {
    double factor;
    double power;
    form_of(e, instruction->operand[0], out);
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
    form_of(e, instruction->operand[0], &argument);
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
        dual = bound_of(e, &form);
    } else {
        dual = isocast_dual_operate(ISOCAST_OP_SUBTRACT, false, dual_of(e, a), dual_of(e, b), NULL);
    }
    narrow(e, end_value(e, a, 0) - end_value(e, b, 0), end_value(e, a, 1) - end_value(e, b, 1),
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
    if (end_value(e, instruction->result, 0) != end_value(e, instruction->result, 1)) {
        suggest(e, instruction, 1, 0);
    }
    return false;
}

/* Of conditions, whose switches are known where they are compared. */
static bool decide(isocast_enclosure *e, const isocast_instruction *instruction,
                   isocast_form *out) {
    const isocast_dual *a = dual_of(e, instruction->operand[0]);
    const isocast_dual *b = dual_of(e, instruction->operand[1]);
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
    form_of(e, instruction->operand[0], out);
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
        form_of(e, instruction->operand[by_sign.high <= 0 ? 0 : 1], out);
        return true;
    }
    suggest(e, instruction, 1, 0);
    return false;
}

static bool take_magnitude(isocast_enclosure *e, const isocast_instruction *instruction,
                           isocast_form *out) {
    const isocast_dual *argument = dual_of(e, instruction->operand[0]);
    if (argument->value.low < 0 && argument->value.high > 0) {
        suggest(e, instruction, 1, 0);
        return false;
    }
    isocast_form form;
    form_of(e, instruction->operand[0], &form);
    isocast_form_constant(out, 0);
    return isocast_form_add(out, &form, argument->value.low >= 0 ? 1 : -1, 1);
}

static bool select_form(const isocast_enclosure *e, const isocast_instruction *instruction,
                        isocast_form *out) {
    isocast_form condition;
    double value;
    form_of(e, instruction->operand[0], &condition);
    if (!isocast_form_is_constant(&condition, &value)) {
        return false;
    }
    form_of(e, instruction->operand[value != 0 ? 1 : 2], out);
    return true;
}

/* A staircase is its argument and what is cut off or added: a factor of its own, so that it cancels
 * where the argument is taken from it. */
static bool take_stairs(isocast_enclosure *e, const isocast_instruction *instruction,
                        isocast_form *out) {
    double down = instruction->opcode == ISOCAST_OP_CEIL    ? 0
                  : instruction->opcode == ISOCAST_OP_FLOOR ? 1
                                                            : 0.5;
    const isocast_dual *argument = dual_of(e, instruction->operand[0]);
    if (isocast_range_is_bounded(argument->value)) {
        double low = isocast_opcode_fold(instruction->opcode, argument->value.low, 0, 0);
        double high = isocast_opcode_fold(instruction->opcode, argument->value.high, 0, 0);
        if (low == high) {
            isocast_form_constant(out, low);
            return true;
        }
        double first = end_value(e, instruction->result, 0);
        double last = end_value(e, instruction->result, 1);
        if (first != last && fabs(last - first) <= STEPS_MAX) {
            double half = last > first ? ceil((last - first) / 2) : -floor((first - last) / 2);
            suggest(e, instruction, fabs(last - first), first + half);
        }
    }
    isocast_dual rest = {{-down, 1 - down}, isocast_range_all()};
    uint16_t atom = add_atom(e, &rest);
    isocast_form fraction;
    isocast_form_atom(&fraction, atom);
    form_of(e, instruction->operand[0], out);
    return atom != ISOCAST_FORM_NO_ATOM && isocast_form_add(out, &fraction, 1, 1);
}

/* The result of an instruction that is no reduction; false where it has no form but itself. *out is
 * scratch then. */
static bool operate_on_forms(isocast_enclosure *e, const isocast_instruction *instruction,
                             isocast_form *out) {
    isocast_opcode opcode = instruction->opcode;
    isocast_form second;
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SUM:
        if (opcode != ISOCAST_OP_NEGATE) {
            return combine(e, instruction, opcode == ISOCAST_OP_ADD ? 1 : -1, out);
        }
        form_of(e, instruction->operand[0], &second);
        isocast_form_constant(out, 0);
        return isocast_form_add(out, &second, -1, 1);
    case ISOCAST_FAMILY_PRODUCT: {
        isocast_form first;
        form_of(e, instruction->operand[0], &first);
        form_of(e, instruction->operand[1], &second);
        return isocast_form_multiply(&first, &second, out);
    }
    case ISOCAST_FAMILY_QUOTIENT:
        return divide(e, instruction, out);
    case ISOCAST_FAMILY_POWER: {
        double exponent;
        form_of(e, instruction->operand[1], &second);
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

enum {
    REDUCTION_RUNS = 20000, /* of blocks, in one enclosure */
    CODE_STEPS = 80,        /* that an instruction costs on forms and ranges, about */
    PIECE_STEPS = 500       /* that a piece costs beside them */
};

enum { ATOMS_AN_INSTRUCTION = ISOCAST_FORM_SUM_DEGREE + 1 };

static void find_varying(isocast_enclosure *e, size_t input) {
    for (size_t i = 0; i < e->block->column_count; i++) {
        e->varies[e->block->columns[i].target] = e->block->columns[i].column == input;
    }
    isocast_program_spread(e->program, e->varies);
}

static void allocate(isocast_enclosure *e, size_t column_count) {
    size_t registers = e->block->register_count;
    isocast_pool *pool = &e->pool;
    e->atom_capacity = ATOMS_AN_INSTRUCTION * e->block->code_count + ATOM_LN_N + 1;
    e->columns = isocast_pool_take(pool, column_count, sizeof *e->columns);
    e->registers = isocast_pool_take(pool, (registers + 1) * ENDS, sizeof *e->registers);
    e->scratch = isocast_pool_take(pool, registers, sizeof *e->scratch);
    e->needed = isocast_pool_take(pool, registers, sizeof *e->needed);
    e->known = isocast_pool_take(pool, registers, sizeof *e->known);
    e->varies = isocast_pool_take(pool, registers, sizeof *e->varies);
    e->form_at = isocast_pool_take(pool, registers, sizeof *e->form_at);
    e->duals = isocast_pool_take(pool, registers, sizeof *e->duals);
    e->atoms = isocast_pool_take(pool, e->atom_capacity, sizeof *e->atoms);
}

isocast_status isocast_enclosure_create(const isocast_program *program,
                                        const isocast_column *columns, size_t column_count,
                                        size_t input, const isocast_class_table *classes,
                                        isocast_effort *effort, isocast_enclosure **out) {
    isocast_enclosure *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    e->program = program;
    e->block = &program->blocks[0];
    allocate(e, column_count);
    if (e->pool.failed) {
        isocast_enclosure_free(e);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < column_count; i++) {
        e->columns[i] = (isocast_column){columns[i].values, 0};
    }
    e->columns[input] = (isocast_column){e->N, 1};
    e->points = (isocast_program_points){.count = ENDS,
                                         .inputs = e->columns,
                                         .classes = classes != NULL ? &e->classes : NULL,
                                         .classes_stride = 0};
    e->classes = classes;
    e->effort = effort;
    e->reductions.effort = effort;
    e->reductions.program = program;
    e->reductions.classes = classes;
    find_varying(e, input);
    *out = e;
    return ISOCAST_OK;
}

void isocast_enclosure_free(isocast_enclosure *e) {
    if (e != NULL) {
        isocast_pool_free(&e->pool);
        free(e->forms);
        free(e);
    }
}

/* A register that is written as nothing but itself. */
static void store_opaque(isocast_enclosure *e, unsigned reg, const isocast_dual *dual) {
    uint16_t atom = add_atom(e, dual);
    isocast_form form;
    if (atom == ISOCAST_FORM_NO_ATOM) {
        e->status = ISOCAST_NO_MEMORY;
        return;
    }
    isocast_form_atom(&form, atom);
    store(e, reg, &form);
    e->duals[reg] = *dual;
    e->known[reg] = KNOWN_DUAL;
}

static void run_opaque(isocast_enclosure *e, const isocast_instruction *instruction) {
    const isocast_dual *operands[3] = {NULL, NULL, NULL};
    for (size_t k = 0; k < isocast_opcode_operands(instruction->opcode); k++) {
        operands[k] = dual_of(e, instruction->operand[k]);
    }
    isocast_dual dual = isocast_dual_operate(instruction->opcode, instruction->block != 0,
                                             operands[0], operands[1], operands[2]);
    narrow(e, end_value(e, instruction->result, 0), end_value(e, instruction->result, 1), &dual);
    store_opaque(e, instruction->result, &dual);
}

static void run_reduction(isocast_enclosure *e, const isocast_instruction *instruction) {
    const isocast_block *block = block_of(e, instruction);
    isocast_form form;
    if (sum_form(e, instruction, &form)) {
        store(e, instruction->result, &form);
        return;
    }
    for (size_t k = 0; k < isocast_opcode_operands(instruction->opcode); k++) {
        dual_of(e, instruction->operand[k]);
    }
    for (size_t i = 0; i < block->import_count; i++) {
        dual_of(e, block->imports[i].outer);
    }
    isocast_dual dual;
    isocast_status status =
        isocast_block_range_reduce(&e->reductions, instruction, e->duals, &dual);
    if (status != ISOCAST_OK) {
        e->status = status;
        return;
    }
    narrow(e, end_value(e, instruction->result, 0), end_value(e, instruction->result, 1), &dual);
    store_opaque(e, instruction->result, &dual);
}

static void run(isocast_enclosure *e, const isocast_instruction *instruction) {
    isocast_form form;
    if (!e->varies[instruction->result]) {
        e->known[instruction->result] = KNOWN_CONSTANT;
    } else if (instruction->opcode >= ISOCAST_OP_SUM) {
        run_reduction(e, instruction);
    } else if (operate_on_forms(e, instruction, &form)) {
        store(e, instruction->result, &form);
    } else {
        run_opaque(e, instruction);
    }
}

/* Computes every register at both ends of the piece. */
static isocast_status evaluate_ends(isocast_enclosure *e, double low, double high) {
    double error = 0;
    e->N[0] = low;
    e->N[1] = high;
    isocast_sum_budget budget = {.effort = e->effort};
    isocast_block_run run = {.program = e->program,
                             .block = e->block,
                             .width = ENDS,
                             .registers = e->registers,
                             .points = &e->points,
                             .sum_error = &error,
                             .budget = &budget};
    return isocast_block_evaluate(&run);
}

isocast_status isocast_enclosure_enter(isocast_enclosure *e, double low, double high) {
    isocast_status status = evaluate_ends(e, low, high);
    if (status != ISOCAST_OK) {
        return status;
    }
    e->effort->left -= PIECE_STEPS + CODE_STEPS * (double)e->block->code_count;
    e->status = ISOCAST_OK;
    e->forms_used = 0;
    e->place = (switch_place){.instruction = NULL};
    e->reductions.budget = REDUCTION_RUNS;
    e->atoms[ATOM_LN_N] = (isocast_dual){{log(low), log(high)}, {1, 1}};
    e->atom_count = ATOM_LN_N + 1;
    memset(e->known, KNOWN_CONSTANT, e->block->register_count);
    for (size_t i = 0; i < e->block->column_count; i++) {
        unsigned target = e->block->columns[i].target;
        if (e->varies[target]) {
            isocast_form form;
            isocast_form_power_of_N(&form, 1);
            store(e, target, &form);
        }
    }
    for (size_t i = 0; i < e->block->code_count && e->status == ISOCAST_OK; i++) {
        run(e, &e->block->code[i]);
    }
    for (size_t o = 0; o < e->program->output_count && e->status == ISOCAST_OK; o++) {
        unsigned reg = e->program->outputs[o];
        if (e->known[reg] == KNOWN_CONSTANT) {
            isocast_form form;
            isocast_form_constant(&form, end_value(e, reg, 0));
            store(e, reg, &form);
        }
    }
    return e->status;
}

isocast_form_ranges isocast_enclosure_ranges(const isocast_enclosure *e) {
    return factors_of(e);
}

const isocast_form *isocast_enclosure_output(const isocast_enclosure *e, size_t output) {
    return stored_form(e, e->program->outputs[output]);
}

isocast_status isocast_enclosure_adopt(isocast_enclosure *e, const isocast_enclosure *other,
                                       isocast_form *form, bool *known) {
    size_t first = ATOM_LN_N + 1;
    size_t adopted = other->atom_count - first;
    size_t total = e->atom_count + adopted;
    *known = total <= UINT16_MAX;
    if (!*known) {
        return ISOCAST_OK;
    }
    if (total > e->atom_capacity) {
        isocast_dual *grown = realloc(e->atoms, total * sizeof *grown);
        if (grown == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        e->atoms = grown;
        e->atom_capacity = total;
    }
    memcpy(e->atoms + e->atom_count, other->atoms + first, adopted * sizeof *e->atoms);
    /* ln N is the same one in both; the order of the others stays. */
    isocast_form_shift_atoms(form, (uint16_t)first, (uint16_t)(e->atom_count - first));
    e->atom_count = total;
    return ISOCAST_OK;
}
