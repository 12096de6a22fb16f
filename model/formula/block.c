#include "block.h"

isocast_block_run isocast_block_inside(const isocast_block_run *outer, const isocast_block *block,
                                       size_t position) {
    return (isocast_block_run){.program = outer->program,
                               .block = block,
                               .points = outer->points,
                               .first = outer->one_point ? outer->first : outer->first + position,
                               .one_point = true,
                               .outer = outer->registers + position,
                               .outer_stride = outer->width,
                               .sum_error = outer->sum_error,
                               .terms = outer->terms,
                               .budget = outer->budget};
}

size_t isocast_block_best_class(isocast_opcode opcode, const double *terms, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        bool better =
            opcode == ISOCAST_OP_MAX_CLASS ? terms[i] > terms[best] : terms[i] < terms[best];
        best = better ? i : best;
    }
    return best;
}

void isocast_program_spread(const isocast_program *program, bool *marks) {
    const isocast_block *block = &program->blocks[0];
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        bool *mark = &marks[code->result];
        for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
            *mark = *mark || marks[code->operand[k]];
        }
        const isocast_block *inside =
            code->opcode >= ISOCAST_OP_SUM ? &program->blocks[code->block] : NULL;
        for (size_t k = 0; inside != NULL && k < inside->import_count; k++) {
            *mark = *mark || marks[inside->imports[k].outer];
        }
    }
}
