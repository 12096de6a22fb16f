/* Instructions into blocks: registers, constants, folding, one instruction for equal ones. */
#include "emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

enum { TABLE_START = 64 };

/* An instruction made before, or a constant or an import that has a register, to be found again:
 * open addressing on a hash of its fields. */
struct isocast_known_instruction {
    bool used;
    isocast_instruction instruction;
};
typedef struct isocast_known_instruction known_instruction;

isocast_value isocast_value_constant(double number) {
    return (isocast_value){.is_constant = true, .constant = number};
}

/* Makes room for one more element. */
bool isocast_emit_grow(isocast_emitter *e, void **items, size_t count, size_t *capacity,
                       size_t size) {
    bool grown = isocast_array_grow(items, count, capacity, size);
    e->status = grown ? e->status : ISOCAST_NO_MEMORY;
    return grown;
}

static unsigned new_register(isocast_emitter *e, isocast_frame *f) {
    if (f->block.register_count >= ISOCAST_REGISTERS_MAX) {
        e->status = e->status == ISOCAST_OK ? ISOCAST_INVALID : e->status;
        return 0;
    }
    return f->block.register_count++;
}

static size_t hash_of(const isocast_instruction *i) {
    size_t hash = (size_t)i->opcode;
    hash = hash * 1000003 + i->operand[0];
    hash = hash * 1000003 + i->operand[1];
    hash = hash * 1000003 + i->operand[2];
    hash = hash * 1000003 + i->block;
    return hash ^ (hash >> 17);
}

static bool same_instruction(const isocast_instruction *a, const isocast_instruction *b) {
    return a->opcode == b->opcode && a->block == b->block &&
           memcmp(a->operand, b->operand, sizeof a->operand) == 0;
}

static known_instruction *table_slot(known_instruction *table, size_t size,
                                     const isocast_instruction *instruction) {
    size_t at = hash_of(instruction) & (size - 1);
    while (table[at].used && !same_instruction(&table[at].instruction, instruction)) {
        at = (at + 1) & (size - 1);
    }
    return &table[at];
}

static bool table_grow(isocast_emitter *e, isocast_frame *f) {
    if (2 * (f->table_used + 1) <= f->table_size) {
        return true;
    }
    size_t size = f->table_size == 0 ? TABLE_START : 2 * f->table_size;
    known_instruction *table = calloc(size, sizeof *table);
    if (table == NULL) {
        e->status = ISOCAST_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < f->table_size; i++) {
        if (f->table[i].used) {
            *table_slot(table, size, &f->table[i].instruction) = f->table[i];
        }
    }
    free(f->table);
    f->table = table;
    f->table_size = size;
    return true;
}

/* What is found again like an instruction: it has one's fields, and no instruction's opcode. */
enum { A_CONSTANT = -1, AN_IMPORT = -2 };

/* The slot of what is found again, used or not; NULL without memory. */
static known_instruction *slot_of(isocast_emitter *e, isocast_frame *f,
                                  const isocast_instruction *known) {
    return table_grow(e, f) ? table_slot(f->table, f->table_size, known) : NULL;
}

static void take_slot(isocast_frame *f, known_instruction *slot, isocast_instruction known,
                      unsigned result) {
    known.result = result;
    *slot = (known_instruction){true, known};
    f->table_used++;
}

static unsigned constant_register(isocast_emitter *e, isocast_frame *f, double number) {
    isocast_block *block = &f->block;
    isocast_instruction known = {.opcode = (isocast_opcode)A_CONSTANT};
    memcpy(known.operand, &number, sizeof number);
    known_instruction *slot = slot_of(e, f, &known);
    if (slot == NULL || slot->used) {
        return slot == NULL ? 0 : slot->instruction.result;
    }
    if (!isocast_emit_grow(e, (void **)&block->constants, block->constant_count,
                           &block->constant_capacity, sizeof *block->constants)) {
        return 0;
    }
    unsigned target = new_register(e, f);
    take_slot(f, slot, known, target);
    block->constants[block->constant_count++] = (isocast_block_constant){target, number};
    return target;
}

static unsigned column_register(isocast_emitter *e, isocast_frame *f, size_t column) {
    isocast_block *block = &f->block;
    for (size_t i = 0; i < block->column_count; i++) {
        if (block->columns[i].column == column) {
            return block->columns[i].target;
        }
    }
    if (!isocast_emit_grow(e, (void **)&block->columns, block->column_count,
                           &block->column_capacity, sizeof *block->columns)) {
        return 0;
    }
    unsigned target = new_register(e, f);
    block->columns[block->column_count++] = (isocast_block_column){target, (unsigned)column};
    return target;
}

/* The register of a block that stands for a register of the block around it. */
static unsigned import_register(isocast_emitter *e, isocast_frame *f, unsigned outer) {
    isocast_block *block = &f->block;
    isocast_instruction known = {.opcode = (isocast_opcode)AN_IMPORT, .operand = {outer}};
    known_instruction *slot = slot_of(e, f, &known);
    if (slot == NULL || slot->used) {
        return slot == NULL ? 0 : slot->instruction.result;
    }
    if (!isocast_emit_grow(e, (void **)&block->imports, block->import_count,
                           &block->import_capacity, sizeof *block->imports)) {
        return 0;
    }
    unsigned target = new_register(e, f);
    take_slot(f, slot, known, target);
    block->imports[block->import_count++] = (isocast_block_import){target, outer};
    return target;
}

/* The register of block `level` that holds a isocast_value made at its own or an outer level. */
static unsigned register_at(isocast_emitter *e, isocast_value v, unsigned level) {
    if (v.is_constant) {
        return constant_register(e, &e->frames[level], v.constant);
    }
    unsigned at = v.reg;
    for (unsigned inner = v.level + 1; inner <= level; inner++) {
        at = import_register(e, &e->frames[inner], at);
    }
    return at;
}

/* The register with the instruction's result at a level; an equal one is not made twice. */
static isocast_value emit(isocast_emitter *e, unsigned level, isocast_instruction instruction) {
    isocast_frame *f = &e->frames[level];
    known_instruction *slot = e->status == ISOCAST_OK ? slot_of(e, f, &instruction) : NULL;
    if (slot == NULL) {
        return isocast_value_constant(NAN);
    }
    if (!slot->used) {
        isocast_block *block = &f->block;
        if (!isocast_emit_grow(e, (void **)&block->code, block->code_count, &block->code_capacity,
                               sizeof *block->code)) {
            return isocast_value_constant(NAN);
        }
        if (++e->instruction_count > ISOCAST_INSTRUCTIONS_MAX) {
            e->status = ISOCAST_INVALID;
            return isocast_value_constant(NAN);
        }
        instruction.result = new_register(e, f);
        block->code[block->code_count++] = instruction;
        take_slot(f, slot, instruction, instruction.result);
    }
    return (isocast_value){.level = level, .reg = slot->instruction.result};
}

static unsigned level_of(isocast_value v) {
    return v.is_constant ? 0 : v.level;
}

/* An instruction on values; constants are folded by the evaluator's own code, unless the result is
 * not a number: then it is left to the evaluation, which shows where it happens. */
static isocast_value operation(isocast_emitter *e, isocast_instruction instruction, size_t count,
                               const isocast_value *operands) {
    unsigned level = 0;
    bool constant = true;
    double numbers[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        level = level_of(operands[i]) > level ? level_of(operands[i]) : level;
        constant = constant && operands[i].is_constant;
        numbers[i] = operands[i].constant;
    }
    if (constant) {
        double result = isocast_opcode_fold(instruction.opcode, numbers[0], numbers[1], numbers[2]);
        if (isfinite(result)) {
            return isocast_value_constant(result);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        instruction.operand[i] = register_at(e, operands[i < count ? i : 0], level);
    }
    return emit(e, level, instruction);
}

isocast_value isocast_emit_operation(isocast_emitter *e, isocast_opcode opcode, size_t count,
                                     const isocast_value *operands) {
    return operation(e, (isocast_instruction){.opcode = opcode}, count, operands);
}

isocast_value isocast_emit_join(isocast_emitter *e, const isocast_value operands[3]) {
    return operation(
        e, (isocast_instruction){.opcode = ISOCAST_OP_SELECT, .block = ISOCAST_SELECT_CONTINUOUS},
        3, operands);
}

isocast_value isocast_emit_binary(isocast_emitter *e, isocast_opcode opcode, isocast_value a,
                                  isocast_value b) {
    isocast_value operands[] = {a, b};
    return isocast_emit_operation(e, opcode, 2, operands);
}

static bool is_constant(isocast_value v, double number) {
    return v.is_constant && v.constant == number;
}

/* Multiplication by 1, addition of 0 and the like leave no instruction. */
isocast_value isocast_emit_simplified(isocast_emitter *e, isocast_opcode opcode, isocast_value a,
                                      isocast_value b) {
    switch (opcode) {
    case ISOCAST_OP_ADD:
        if (is_constant(a, 0)) {
            return b;
        }
        return is_constant(b, 0) ? a : isocast_emit_binary(e, opcode, a, b);
    case ISOCAST_OP_SUBTRACT:
        return is_constant(b, 0) ? a : isocast_emit_binary(e, opcode, a, b);
    case ISOCAST_OP_MULTIPLY:
        if (is_constant(a, 1)) {
            return b;
        }
        return is_constant(b, 1) ? a : isocast_emit_binary(e, opcode, a, b);
    case ISOCAST_OP_DIVIDE:
        return is_constant(b, 1) ? a : isocast_emit_binary(e, opcode, a, b);
    default:
        return isocast_emit_binary(e, opcode, a, b);
    }
}

/* Small whole exponents become multiplications, 1/2 a square root. */
isocast_value isocast_emit_power(isocast_emitter *e, isocast_value base, isocast_value exponent) {
    double n = exponent.is_constant ? exponent.constant : NAN;
    if (n == 0.5) {
        return isocast_emit_operation(e, ISOCAST_OP_SQRT, 1, &base);
    }
    if (!(n >= 1 && n <= 16 && n == floor(n))) {
        return isocast_emit_binary(e, ISOCAST_OP_POWER, base, exponent);
    }
    isocast_value result = isocast_value_constant(1);
    isocast_value square = base;
    for (unsigned left = (unsigned)n; left > 0; left /= 2) {
        if (left % 2 == 1) {
            result = isocast_emit_simplified(e, ISOCAST_OP_MULTIPLY, result, square);
        }
        if (left > 1) {
            square = isocast_emit_binary(e, ISOCAST_OP_MULTIPLY, square, square);
        }
    }
    return result;
}

isocast_value isocast_emit_column(isocast_emitter *e, unsigned level, size_t column) {
    return (isocast_value){.level = level, .reg = column_register(e, &e->frames[level], column)};
}

static void frame_free(isocast_frame *f) {
    free(f->block.code);
    free(f->block.constants);
    free(f->block.columns);
    free(f->block.imports);
    free(f->table);
    *f = (isocast_frame){0};
}

bool isocast_emit_open(isocast_emitter *e, bool has_running) {
    isocast_program *program = e->program;
    isocast_block *blocks =
        realloc(program->blocks, (program->block_count + 1) * sizeof(isocast_block));
    if (blocks == NULL) {
        e->status = ISOCAST_NO_MEMORY;
        return false;
    }
    program->blocks = blocks;
    isocast_frame *f = &e->frames[++e->depth];
    *f = (isocast_frame){.index = (unsigned)program->block_count};
    f->block.has_running = has_running;
    f->block.register_count = has_running ? 1 : 0;
    program->blocks[program->block_count++] = (isocast_block){0};
    return true;
}

isocast_value isocast_emit_close(isocast_emitter *e, isocast_opcode opcode, isocast_value term,
                                 size_t count, const isocast_value *bounds) {
    isocast_frame *f = &e->frames[e->depth];
    f->block.result = register_at(e, term, e->depth);
    isocast_instruction instruction = {.opcode = opcode, .block = f->index};
    e->program->blocks[f->index] = f->block;
    free(f->table);
    *f = (isocast_frame){0};
    e->depth--;
    for (size_t i = 0; i < count; i++) {
        instruction.operand[i] = register_at(e, bounds[i], e->depth);
    }
    return emit(e, e->depth, instruction);
}

unsigned isocast_emit_suspend(isocast_emitter *e, isocast_frame *pending) {
    unsigned depth = e->depth;
    memcpy(pending, &e->frames[1], depth * sizeof *pending);
    e->depth = 0;
    return depth;
}

void isocast_emit_resume(isocast_emitter *e, unsigned depth, const isocast_frame *pending) {
    while (e->depth > 0) {
        frame_free(&e->frames[e->depth--]);
    }
    memcpy(&e->frames[1], pending, depth * sizeof *pending);
    e->depth = depth;
}

unsigned isocast_emit_output(isocast_emitter *e, isocast_value v) {
    return register_at(e, v, 0);
}

void isocast_emit_finish(isocast_emitter *e) {
    e->program->blocks[0] = e->frames[0].block;
    free(e->frames[0].table);
    e->frames[0] = (isocast_frame){0};
}

void isocast_emit_discard(isocast_emitter *e) {
    for (size_t level = 0; level <= e->depth; level++) {
        frame_free(&e->frames[level]);
    }
}
