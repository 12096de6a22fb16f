/* Goes through the instructions once. A register either depends on N, and is known as a sum of
 * powers of it, or it does not, and is a value of the program of the coefficients; the emitter
 * folds there and finds equal instructions again. */
#include "powers.h"

#include <math.h>
#include <stdlib.h>

#include "emit.h"

typedef enum term_kind {
    TERM_UNKNOWN, /* neither of the two */
    TERM_OUTER,   /* does not depend on N */
    TERM_POWERS
} term_kind;

/* What a register is. One that does not depend on N is its first coefficient. */
typedef struct term {
    term_kind kind;
    size_t count;
    double exponents[ISOCAST_POWERS_MAX]; /* rising */
    isocast_value coefficients[ISOCAST_POWERS_MAX];
} term;

typedef struct expansion {
    const isocast_program *program;
    size_t input;
    isocast_emitter emitter;
    term *terms; /* [registers of block 0] */
    double largest_exponent;
} expansion;

static isocast_value multiply(expansion *x, isocast_value a, isocast_value b) {
    return isocast_emit_simplified(&x->emitter, ISOCAST_OP_MULTIPLY, a, b);
}

static isocast_value negate(expansion *x, isocast_value a) {
    return isocast_emit_operation(&x->emitter, ISOCAST_OP_NEGATE, 1, &a);
}

static void set_outer(term *t, isocast_value value) {
    t->kind = TERM_OUTER;
    t->count = 1;
    t->exponents[0] = 0;
    t->coefficients[0] = value;
}

/* Adds coefficient N^exponent; false where there are too many powers. */
static bool add_power(expansion *x, term *t, double exponent, isocast_value coefficient) {
    size_t at = 0;
    while (at < t->count && t->exponents[at] < exponent) {
        at++;
    }
    x->largest_exponent = fmax(x->largest_exponent, fabs(exponent));
    if (at < t->count && t->exponents[at] == exponent) {
        t->coefficients[at] =
            isocast_emit_simplified(&x->emitter, ISOCAST_OP_ADD, t->coefficients[at], coefficient);
        return true;
    }
    if (t->count == ISOCAST_POWERS_MAX) {
        return false;
    }
    for (size_t k = t->count; k > at; k--) {
        t->exponents[k] = t->exponents[k - 1];
        t->coefficients[k] = t->coefficients[k - 1];
    }
    t->exponents[at] = exponent;
    t->coefficients[at] = coefficient;
    t->count++;
    return true;
}

static bool add_terms(expansion *x, const term *a, const term *b, bool subtract, term *out) {
    *out = *a;
    out->kind = TERM_POWERS;
    for (size_t k = 0; k < b->count; k++) {
        isocast_value c = subtract ? negate(x, b->coefficients[k]) : b->coefficients[k];
        if (!add_power(x, out, b->exponents[k], c)) {
            return false;
        }
    }
    return true;
}

static bool multiply_terms(expansion *x, const term *a, const term *b, term *out) {
    *out = (term){.kind = TERM_POWERS};
    for (size_t i = 0; i < a->count; i++) {
        for (size_t k = 0; k < b->count; k++) {
            if (!add_power(x, out, a->exponents[i] + b->exponents[k],
                           multiply(x, a->coefficients[i], b->coefficients[k]))) {
                return false;
            }
        }
    }
    return true;
}

/* By one power only. */
static bool divide_terms(expansion *x, const term *a, const term *b, term *out) {
    if (b->count != 1) {
        return false;
    }
    *out = (term){.kind = TERM_POWERS};
    for (size_t i = 0; i < a->count; i++) {
        isocast_value c = isocast_emit_simplified(&x->emitter, ISOCAST_OP_DIVIDE,
                                                  a->coefficients[i], b->coefficients[0]);
        if (!add_power(x, out, a->exponents[i] - b->exponents[0], c)) {
            return false;
        }
    }
    return true;
}

/* One power to a constant exponent: (c N^e)^n = c^n N^(e n), as N is above 0. */
static bool raise_term(expansion *x, const term *base, const term *exponent, term *out) {
    if (base->count != 1 || exponent->kind != TERM_OUTER ||
        !exponent->coefficients[0].is_constant) {
        return false;
    }
    *out = (term){.kind = TERM_POWERS};
    isocast_value c = isocast_emit_binary(&x->emitter, ISOCAST_OP_POWER, base->coefficients[0],
                                          exponent->coefficients[0]);
    return add_power(x, out, base->exponents[0] * exponent->coefficients[0].constant, c);
}

/* A function of one power that is the function of its coefficient times N^(e share). */
static bool root_of_term(expansion *x, isocast_opcode opcode, double share, const term *a,
                         term *out) {
    if (a->count != 1) {
        return false;
    }
    *out = (term){.kind = TERM_POWERS};
    isocast_value c = isocast_emit_operation(&x->emitter, opcode, 1, a->coefficients);
    return add_power(x, out, a->exponents[0] * share, c);
}

/* The coefficient of a power; 0 where it has none. */
static isocast_value coefficient_of(const term *t, double exponent) {
    for (size_t k = 0; k < t->count; k++) {
        if (t->exponents[k] == exponent) {
            return t->coefficients[k];
        }
    }
    return isocast_value_constant(0);
}

/* A selection that N does not decide selects every coefficient. */
static bool select_terms(expansion *x, const term *condition, const term *a, const term *b,
                         term *out) {
    if (condition->kind != TERM_OUTER) {
        return false;
    }
    *out = (term){.kind = TERM_POWERS};
    const term *sides[2] = {a, b};
    for (size_t s = 0; s < 2; s++) {
        for (size_t k = 0; k < sides[s]->count; k++) {
            double exponent = sides[s]->exponents[k];
            bool is_known = false;
            for (size_t i = 0; i < out->count; i++) {
                is_known = is_known || out->exponents[i] == exponent;
            }
            isocast_value operands[] = {condition->coefficients[0], coefficient_of(a, exponent),
                                        coefficient_of(b, exponent)};
            if (!is_known &&
                !add_power(x, out, exponent,
                           isocast_emit_operation(&x->emitter, ISOCAST_OP_SELECT, 3, operands))) {
                return false;
            }
        }
    }
    return true;
}

/* A register that depends on N by its operands. */
static bool expand_pointwise(expansion *x, const isocast_instruction *code, term *out) {
    const term *a = &x->terms[code->operand[0]];
    const term *b = &x->terms[code->operand[1]];
    const term *c = &x->terms[code->operand[2]];
    static const term nothing = {.kind = TERM_POWERS};
    switch (code->opcode) {
    case ISOCAST_OP_NEGATE:
        return add_terms(x, &nothing, a, true, out);
    case ISOCAST_OP_ADD:
    case ISOCAST_OP_SUBTRACT:
        return add_terms(x, a, b, code->opcode == ISOCAST_OP_SUBTRACT, out);
    case ISOCAST_OP_MULTIPLY:
        return multiply_terms(x, a, b, out);
    case ISOCAST_OP_DIVIDE:
        return divide_terms(x, a, b, out);
    case ISOCAST_OP_POWER:
        return raise_term(x, a, b, out);
    case ISOCAST_OP_SQRT:
        return root_of_term(x, code->opcode, 1.0 / 2, a, out);
    case ISOCAST_OP_CBRT:
        return root_of_term(x, code->opcode, 1.0 / 3, a, out);
    case ISOCAST_OP_ABS:
        return root_of_term(x, code->opcode, 1, a, out);
    case ISOCAST_OP_SELECT:
        return select_terms(x, a, b, c, out);
    default:
        return false;
    }
}

static isocast_value emit_again(isocast_emitter *e, const isocast_instruction *code,
                                const isocast_value *operands) {
    return code->opcode == ISOCAST_OP_SELECT && code->block == ISOCAST_SELECT_CONTINUOUS
               ? isocast_emit_join(e, operands)
               : isocast_emit_operation(e, code->opcode, isocast_opcode_operands(code->opcode),
                                        operands);
}

static isocast_value reduce_again(expansion *x, const isocast_instruction *code,
                                  const isocast_value *outer);

/* The instructions of a block inside the one that is open, where `known` holds what its registers
 * are so far. */
static isocast_value emit_block(expansion *x, const isocast_block *block, isocast_value *known) {
    for (size_t i = 0; i < block->code_count && x->emitter.status == ISOCAST_OK; i++) {
        const isocast_instruction *code = &block->code[i];
        if (code->opcode >= ISOCAST_OP_SUM) {
            known[code->result] = reduce_again(x, code, known);
            continue;
        }
        isocast_value operands[3];
        for (size_t k = 0; k < 3; k++) {
            operands[k] = known[code->operand[k]];
        }
        known[code->result] = emit_again(&x->emitter, code, operands);
    }
    return known[block->result];
}

/* A reduction around which registers come to `outer`. */
static isocast_value reduce_again(expansion *x, const isocast_instruction *code,
                                  const isocast_value *outer) {
    const isocast_block *block = &x->program->blocks[code->block];
    isocast_value *known = calloc(block->register_count + 1, sizeof *known);
    if (known == NULL || !isocast_emit_open(&x->emitter, block->has_running)) {
        x->emitter.status = ISOCAST_NO_MEMORY;
        free(known);
        return isocast_value_constant(NAN);
    }
    if (block->has_running) {
        known[0] = (isocast_value){.level = x->emitter.depth, .reg = 0};
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        known[block->constants[i].target] = isocast_value_constant(block->constants[i].value);
    }
    for (size_t i = 0; i < block->column_count; i++) {
        known[block->columns[i].target] =
            isocast_emit_column(&x->emitter, x->emitter.depth, block->columns[i].column);
    }
    for (size_t i = 0; i < block->import_count; i++) {
        known[block->imports[i].target] = outer[block->imports[i].outer];
    }
    isocast_value result = emit_block(x, block, known);
    free(known);
    isocast_value bounds[2];
    size_t ends = isocast_opcode_operands(code->opcode);
    for (size_t k = 0; k < ends; k++) {
        bounds[k] = outer[code->operand[k]];
    }
    return isocast_emit_close(&x->emitter, code->opcode, result, ends, bounds);
}

/* Whether all that an instruction of block 0 reads is known, and none of it depends on N. */
static bool is_outer(const expansion *x, const isocast_instruction *code) {
    bool outer = true;
    for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
        outer = outer && x->terms[code->operand[k]].kind == TERM_OUTER;
    }
    if (code->opcode >= ISOCAST_OP_SUM) {
        const isocast_block *block = &x->program->blocks[code->block];
        for (size_t i = 0; i < block->import_count; i++) {
            outer = outer && x->terms[block->imports[i].outer].kind == TERM_OUTER;
        }
    }
    return outer;
}

static isocast_value outer_value(expansion *x, const isocast_instruction *code) {
    isocast_value operands[3];
    for (size_t k = 0; k < 3; k++) {
        operands[k] = x->terms[code->operand[k]].coefficients[0];
    }
    if (code->opcode < ISOCAST_OP_SUM) {
        return emit_again(&x->emitter, code, operands);
    }
    size_t registers = x->program->blocks[0].register_count;
    isocast_value *outer = malloc((registers + 1) * sizeof *outer);
    if (outer == NULL) {
        x->emitter.status = ISOCAST_NO_MEMORY;
        return isocast_value_constant(NAN);
    }
    for (size_t r = 0; r < registers; r++) {
        outer[r] = x->terms[r].coefficients[0];
    }
    isocast_value value = reduce_again(x, code, outer);
    free(outer);
    return value;
}

static void expand(expansion *x) {
    const isocast_block *block = &x->program->blocks[0];
    for (size_t i = 0; i < block->constant_count; i++) {
        set_outer(&x->terms[block->constants[i].target],
                  isocast_value_constant(block->constants[i].value));
    }
    for (size_t i = 0; i < block->column_count; i++) {
        term *t = &x->terms[block->columns[i].target];
        if (block->columns[i].column == x->input) {
            *t = (term){.kind = TERM_POWERS};
            add_power(x, t, 1, isocast_value_constant(1));
        } else {
            set_outer(t, isocast_emit_column(&x->emitter, 0, block->columns[i].column));
        }
    }
    for (size_t i = 0; i < block->code_count && x->emitter.status == ISOCAST_OK; i++) {
        const isocast_instruction *code = &block->code[i];
        term result = {.kind = TERM_UNKNOWN};
        if (is_outer(x, code)) {
            set_outer(&result, outer_value(x, code));
        } else if (code->opcode < ISOCAST_OP_SUM) {
            bool known = true;
            for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
                known = known && x->terms[code->operand[k]].kind != TERM_UNKNOWN;
            }
            if (!known || !expand_pointwise(x, code, &result)) {
                result.kind = TERM_UNKNOWN;
            }
        }
        x->terms[code->result] = result;
    }
}

/* The powers of all outputs; false where one is not known. */
static bool list_outputs(expansion *x, isocast_powers *powers) {
    for (size_t o = 0; o < powers->output_count; o++) {
        const term *t = &x->terms[x->program->outputs[o]];
        isocast_power_sum *sum = &powers->outputs[o];
        if (t->kind == TERM_UNKNOWN) {
            return false;
        }
        sum->count = t->count;
        for (size_t k = 0; k < t->count; k++) {
            sum->exponents[k] = t->exponents[k];
            sum->coefficients[k] = powers->coefficient_count;
            x->emitter.program->outputs[powers->coefficient_count++] =
                isocast_emit_output(&x->emitter, t->coefficients[k]);
        }
    }
    return true;
}

static bool allocate(expansion *x, isocast_powers *powers) {
    size_t outputs = x->program->output_count;
    isocast_program *program = calloc(1, sizeof *program);
    powers->coefficients = program;
    powers->output_count = outputs;
    powers->outputs = calloc(outputs + 1, sizeof *powers->outputs);
    x->terms = calloc(x->program->blocks[0].register_count + 1, sizeof *x->terms);
    if (program == NULL || powers->outputs == NULL || x->terms == NULL) {
        return false;
    }
    program->blocks = calloc(1, sizeof *program->blocks);
    program->outputs = calloc(outputs * ISOCAST_POWERS_MAX + 1, sizeof *program->outputs);
    program->block_count = program->blocks != NULL ? 1 : 0;
    x->emitter.program = program;
    return program->blocks != NULL && program->outputs != NULL;
}

isocast_status isocast_powers_create(const isocast_program *program, size_t input,
                                     isocast_powers **out) {
    isocast_powers *powers = calloc(1, sizeof *powers);
    expansion *x = calloc(1, sizeof *x);
    bool ready = powers != NULL && x != NULL;
    if (ready) {
        x->program = program;
        x->input = input;
        ready = allocate(x, powers);
    }
    isocast_status status = ready ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    bool known = false;
    if (ready) {
        expand(x);
        known = x->emitter.status == ISOCAST_OK && list_outputs(x, powers);
        known = known && x->emitter.status == ISOCAST_OK;
        status = x->emitter.status == ISOCAST_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
        powers->largest_exponent = x->largest_exponent;
        if (known) {
            powers->coefficients->output_count = powers->coefficient_count;
            isocast_emit_finish(&x->emitter);
        } else {
            isocast_emit_discard(&x->emitter);
        }
    }
    if (x != NULL) {
        free(x->terms);
        free(x);
    }
    if (!known) {
        isocast_powers_free(powers);
        powers = NULL;
    }
    if (status == ISOCAST_OK) {
        *out = powers;
    }
    return status;
}

void isocast_powers_free(isocast_powers *powers) {
    if (powers != NULL) {
        isocast_program_free(powers->coefficients);
        free(powers->outputs);
        free(powers);
    }
}
