#include "linear.h"

#include <stdlib.h>

#include "block.h"

static isocast_dependence larger(isocast_dependence a, isocast_dependence b) {
    return a > b ? a : b;
}

/* Of a pointwise instruction, by those of its operands. */
static isocast_dependence of_value(isocast_opcode opcode, const isocast_dependence operands[3]) {
    size_t count = isocast_opcode_operands(opcode);
    isocast_dependence most = ISOCAST_DEPENDENCE_NONE;
    for (size_t k = 0; k < count && k < 3; k++) {
        most = larger(most, operands[k]);
    }
    if (most != ISOCAST_DEPENDENCE_LINEAR) {
        return most;
    }
    bool first_is_fixed = operands[0] == ISOCAST_DEPENDENCE_NONE;
    bool second_is_fixed = operands[1] == ISOCAST_DEPENDENCE_NONE;
    isocast_opcode_family family = isocast_opcode_family_of(opcode);
    bool stays = family == ISOCAST_FAMILY_SUM ||
                 (family == ISOCAST_FAMILY_PRODUCT && (first_is_fixed || second_is_fixed)) ||
                 (family == ISOCAST_FAMILY_QUOTIENT && second_is_fixed) ||
                 (family == ISOCAST_FAMILY_SELECT && first_is_fixed);
    return stays ? ISOCAST_DEPENDENCE_LINEAR : ISOCAST_DEPENDENCE_OTHER;
}

typedef struct following {
    const isocast_program *program;
    const bool *marked; /* inputs */
    bool ends_move;     /* an end of a sum that was met depends on them */
} following;

static isocast_status follow_block(following *f, size_t index, const isocast_dependence *outer,
                                   isocast_dependence *registers);

/* Of a sum, or of what is taken over the node classes: by its term, whose ends are fixed. */
static isocast_status of_reduction(following *f, const isocast_instruction *code,
                                   const isocast_dependence *registers, isocast_dependence *out) {
    const isocast_block *inside = &f->program->blocks[code->block];
    isocast_dependence *terms = calloc((size_t)inside->register_count + 1, sizeof *terms);
    if (terms == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = follow_block(f, code->block, registers, terms);
    isocast_dependence term = terms[inside->result];
    free(terms);
    if (status != ISOCAST_OK) {
        return status;
    }
    bool has_ends = code->opcode == ISOCAST_OP_SUM;
    bool moves = has_ends && (registers[code->operand[0]] != ISOCAST_DEPENDENCE_NONE ||
                              registers[code->operand[1]] != ISOCAST_DEPENDENCE_NONE);
    f->ends_move = f->ends_move || moves;
    bool adds = has_ends || code->opcode == ISOCAST_OP_SUM_CLASS;
    bool stays = term == ISOCAST_DEPENDENCE_NONE || (adds && term == ISOCAST_DEPENDENCE_LINEAR);
    *out = stays && !moves ? term : ISOCAST_DEPENDENCE_OTHER;
    return ISOCAST_OK;
}

/* Fills the registers of a block, which are 0 (NONE) at the beginning. A block inside
 * takes what it imports from `outer`; NULL for block 0. */
static isocast_status follow_block(following *f, size_t index, const isocast_dependence *outer,
                                   isocast_dependence *registers) {
    const isocast_block *block = &f->program->blocks[index];
    for (size_t i = 0; outer == NULL && i < block->column_count; i++) {
        registers[block->columns[i].target] = f->marked[block->columns[i].column]
                                                  ? ISOCAST_DEPENDENCE_LINEAR
                                                  : ISOCAST_DEPENDENCE_NONE;
    }
    for (size_t i = 0; outer != NULL && i < block->import_count; i++) {
        registers[block->imports[i].target] = outer[block->imports[i].outer];
    }
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < block->code_count && status == ISOCAST_OK; i++) {
        const isocast_instruction *code = &block->code[i];
        if (code->opcode >= ISOCAST_OP_SUM) {
            status = of_reduction(f, code, registers, &registers[code->result]);
            continue;
        }
        const isocast_dependence operands[3] = {
            registers[code->operand[0]], registers[code->operand[1]], registers[code->operand[2]]};
        registers[code->result] = of_value(code->opcode, operands);
    }
    return status;
}

isocast_status isocast_program_dependence(const isocast_program *program, const bool *marked,
                                          isocast_dependence *out, bool *ends_move) {
    following f = {.program = program, .marked = marked};
    isocast_dependence *registers =
        calloc((size_t)program->blocks[0].register_count + 1, sizeof *registers);
    isocast_status status =
        registers != NULL ? follow_block(&f, 0, NULL, registers) : ISOCAST_NO_MEMORY;
    for (size_t o = 0; out != NULL && o < program->output_count && status == ISOCAST_OK; o++) {
        out[o] = registers[program->outputs[o]];
    }
    if (ends_move != NULL && status == ISOCAST_OK) {
        *ends_move = f.ends_move;
    }
    free(registers);
    return status;
}
