/* From the outputs backwards: an instruction is needed where one that is needed reads it. A
 * selection that is decided over the whole piece is the register of its side. */
#include "narrow.h"

#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "model/base/pool.h"

/* Blocks other than 0 share all but their imports with the program that they are of. */
struct isocast_narrow {
    isocast_program program;
    isocast_pool pool; /* what of it is its own */
};

typedef struct narrowing {
    const isocast_program *whole;
    isocast_reach *reach;
    size_t *made;    /* [registers of block 0]: 1 + the instruction that makes it; 0: none does */
    unsigned *place; /* likewise: that it has in the narrow program */
    bool *needed;    /* likewise */
    bool *needed_blocks; /* [block_count], of those that block 0 refers to */
} narrowing;

/* The register that one is, where selections are decided. */
static unsigned resolve(const narrowing *n, unsigned reg) {
    while (n->made[reg] > 0) {
        const isocast_instruction *code = &n->whole->blocks[0].code[n->made[reg] - 1];
        if (code->opcode != ISOCAST_OP_SELECT) {
            return reg;
        }
        isocast_band condition = isocast_reach_register(n->reach, code->operand[0]);
        if (!isocast_band_is_known(&condition)) {
            return reg;
        }
        if (condition.low > 0 || condition.high < 0) {
            reg = code->operand[1];
        } else if (condition.low == 0 && condition.high == 0) {
            reg = code->operand[2];
        } else {
            return reg;
        }
    }
    return reg;
}

static void need(narrowing *n, unsigned outer) {
    unsigned reg = resolve(n, outer);
    if (n->needed[reg]) {
        return;
    }
    n->needed[reg] = true;
    if (n->made[reg] == 0) {
        return;
    }
    const isocast_instruction *code = &n->whole->blocks[0].code[n->made[reg] - 1];
    for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
        need(n, code->operand[k]);
    }
    if (code->opcode >= ISOCAST_OP_SUM) {
        const isocast_block *inside = &n->whole->blocks[code->block];
        n->needed_blocks[code->block] = true;
        for (size_t i = 0; i < inside->import_count; i++) {
            need(n, inside->imports[i].outer);
        }
    }
}

/* The constants and columns of block 0 that are needed, each with its new register. */
static bool take_values(narrowing *n, isocast_pool *pool, isocast_block *out) {
    const isocast_block *block = &n->whole->blocks[0];
    out->constants = isocast_pool_take(pool, block->constant_count, sizeof *out->constants);
    out->columns = isocast_pool_take(pool, block->column_count, sizeof *out->columns);
    if (pool->failed) {
        return false;
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        unsigned reg = block->constants[i].target;
        if (n->needed[reg]) {
            n->place[reg] = out->register_count++;
            out->constants[out->constant_count++] =
                (isocast_block_constant){n->place[reg], block->constants[i].value};
        }
    }
    for (size_t i = 0; i < block->column_count; i++) {
        unsigned reg = block->columns[i].target;
        if (n->needed[reg]) {
            n->place[reg] = out->register_count++;
            out->columns[out->column_count++] =
                (isocast_block_column){n->place[reg], block->columns[i].column};
        }
    }
    return true;
}

static bool take_code(narrowing *n, isocast_pool *pool, isocast_block *out) {
    const isocast_block *block = &n->whole->blocks[0];
    size_t count = 0;
    for (size_t i = 0; i < block->code_count; i++) {
        count += n->needed[block->code[i].result] && n->made[block->code[i].result] == i + 1;
    }
    out->code = isocast_pool_take(pool, count, sizeof *out->code);
    if (out->code == NULL) {
        return false;
    }
    for (size_t i = 0; i < block->code_count; i++) {
        isocast_instruction code = block->code[i];
        if (!n->needed[code.result] || n->made[code.result] != i + 1) {
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            bool is_read = k < isocast_opcode_operands(code.opcode);
            code.operand[k] = is_read ? n->place[resolve(n, code.operand[k])] : 0;
        }
        n->place[code.result] = out->register_count++;
        code.result = n->place[code.result];
        out->code[out->code_count++] = code;
    }
    return true;
}

/* The blocks that block 0 refers to get its new registers; others are as they were. */
static bool take_imports(const narrowing *n, isocast_narrow *out) {
    for (size_t b = 1; b < out->program.block_count; b++) {
        isocast_block *block = &out->program.blocks[b];
        if (!n->needed_blocks[b]) {
            continue;
        }
        const isocast_block_import *imports = n->whole->blocks[b].imports;
        block->imports = isocast_pool_take(&out->pool, block->import_count, sizeof *imports);
        if (block->imports == NULL) {
            return false;
        }
        for (size_t i = 0; i < block->import_count; i++) {
            block->imports[i] =
                (isocast_block_import){imports[i].target, n->place[resolve(n, imports[i].outer)]};
        }
    }
    return true;
}

static isocast_status take_needed(narrowing *n, isocast_narrow *out) {
    const isocast_program *whole = n->whole;
    isocast_program *program = &out->program;
    isocast_pool *pool = &out->pool;
    program->blocks = isocast_pool_take(pool, whole->block_count, sizeof *program->blocks);
    program->outputs = isocast_pool_take(pool, whole->output_count, sizeof *program->outputs);
    if (pool->failed) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t o = 0; o < whole->output_count; o++) {
        need(n, whole->outputs[o]);
    }
    memcpy(program->blocks, whole->blocks, whole->block_count * sizeof *program->blocks);
    program->block_count = whole->block_count;
    program->output_count = whole->output_count;
    program->blocks[0] = (isocast_block){0};
    if (!take_values(n, pool, &program->blocks[0]) || !take_code(n, pool, &program->blocks[0]) ||
        !take_imports(n, out)) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t o = 0; o < whole->output_count; o++) {
        program->outputs[o] = n->place[resolve(n, whole->outputs[o])];
    }
    return ISOCAST_OK;
}

isocast_status isocast_narrow_create(const isocast_program *program, isocast_reach *reach,
                                     isocast_narrow **out) {
    const isocast_block *block = &program->blocks[0];
    size_t registers = block->register_count;
    isocast_narrow *narrow = calloc(1, sizeof *narrow);
    isocast_pool used = {0};
    narrowing n = {.whole = program,
                   .reach = reach,
                   .made = isocast_pool_take(&used, registers, sizeof *n.made),
                   .place = isocast_pool_take(&used, registers, sizeof *n.place),
                   .needed = isocast_pool_take(&used, registers, sizeof *n.needed),
                   .needed_blocks =
                       isocast_pool_take(&used, program->block_count, sizeof *n.needed_blocks)};
    isocast_status status = ISOCAST_NO_MEMORY;
    if (narrow != NULL && !used.failed) {
        for (size_t i = 0; i < block->code_count; i++) {
            n.made[block->code[i].result] = i + 1;
        }
        status = take_needed(&n, narrow);
    }
    isocast_pool_free(&used);
    if (status == ISOCAST_OK) {
        status = isocast_reach_status(reach);
    }
    if (status != ISOCAST_OK) {
        isocast_narrow_free(narrow);
        return status;
    }
    *out = narrow;
    return ISOCAST_OK;
}

void isocast_narrow_free(isocast_narrow *narrow) {
    if (narrow != NULL) {
        isocast_pool_free(&narrow->pool);
        free(narrow);
    }
}

const isocast_program *isocast_narrow_program(const isocast_narrow *narrow) {
    return &narrow->program;
}
