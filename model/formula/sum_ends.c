#include "sum_ends.h"

#include <stdlib.h>

#include "block.h"

typedef struct search {
    const isocast_program *program;
    size_t input;
    bool found;
    isocast_status status;
} search;

/* Marks the registers of a block that hang on the input, and looks at the sums there. `outer`:
 * those of the enclosing block; NULL for block 0. *result: whether the block's own result does. */
static void follow(search *s, const isocast_block *block, const bool *outer, bool *result) {
    bool *uses = calloc(block->register_count + 1, sizeof *uses);
    *result = false;
    if (uses == NULL) {
        s->status = ISOCAST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; outer == NULL && i < block->column_count; i++) {
        uses[block->columns[i].target] = block->columns[i].column == s->input;
    }
    for (size_t i = 0; outer != NULL && i < block->import_count; i++) {
        uses[block->imports[i].target] = outer[block->imports[i].outer];
    }
    for (size_t i = 0; i < block->code_count && s->status == ISOCAST_OK; i++) {
        const isocast_instruction *instruction = &block->code[i];
        bool any = false;
        for (size_t k = 0; k < isocast_opcode_operands(instruction->opcode); k++) {
            any = any || uses[instruction->operand[k]];
        }
        if (instruction->opcode >= ISOCAST_OP_SUM) {
            bool term;
            s->found = s->found || (instruction->opcode == ISOCAST_OP_SUM && any);
            follow(s, &s->program->blocks[instruction->block], uses, &term);
            any = any || term;
        }
        uses[instruction->result] = any;
    }
    *result = block->result < block->register_count && uses[block->result];
    free(uses);
}

isocast_status isocast_program_sum_ends_use(const isocast_program *program, size_t input,
                                            bool *out) {
    search s = {.program = program, .input = input, .status = ISOCAST_OK};
    bool ignored;
    follow(&s, &program->blocks[0], NULL, &ignored);
    if (s.status == ISOCAST_OK) {
        *out = s.found;
    }
    return s.status;
}
