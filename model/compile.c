/* Checked formulas to blocks. An expression becomes a value: a constant, or a register of the block
 * at some level (0: per point; deeper: inside sums and class reductions). It is put at the
 * outermost level where all it needs is known, so what does not depend on a sum's variable leaves
 * the sum by itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "function.h"

enum { TABLE_START = 64, INSTRUCTIONS_MOST = 100000 };

typedef struct value {
    bool is_constant;
    double constant;
    unsigned level;
    unsigned reg;
} value;

/* An instruction made before, to be found again: open addressing on a hash of its fields. */
typedef struct known_instruction {
    bool used;
    isocast_instruction instruction;
} known_instruction;

/* A block on its way, with what finds its registers again. */
typedef struct frame {
    isocast_block block;
    unsigned index; /* among the program's blocks */
    known_instruction *table;
    size_t table_size;
    size_t table_used;
    bool is_class; /* of a class reduction: columns are rows of the class table */
} frame;

/* What a FORMULA symbol came to. */
typedef struct known_formula {
    const isocast_formula *formula;
    value value;
} known_formula;

typedef struct running {
    const char *name;
    unsigned level;
    const struct running *outer;
} running;

/* Where names are looked up. */
typedef struct context {
    const isocast_scope *scope;
    const isocast_formula *formula; /* for diagnostics */
    const running *running;
    bool has_arguments;
    value arguments[2];   /* m and p inside an operation */
    unsigned class_level; /* of the class reduction around; 0 for none */
} context;

typedef struct compiler {
    isocast_program *program;
    const isocast_scope *scope;
    isocast_diagnostics *diagnostics;
    bool told; /* why the status is INVALID */
    isocast_status status;
    frame frames[ISOCAST_BLOCK_DEPTH_MOST + 1]; /* [depth + 1], by level */
    unsigned depth;
    known_formula *formulas; /* [formula_count] */
    size_t formula_count, formula_capacity;
    size_t instruction_count;
} compiler;

static value compile_node(compiler *c, const context *at, const isocast_formula_node *node);

static value constant_of(double number) {
    return (value){.is_constant = true, .constant = number};
}

/* Makes room for one more element. */
static bool grow(compiler *c, void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return true;
    }
    size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(*items, wanted * size);
    if (grown == NULL) {
        c->status = ISOCAST_NO_MEMORY;
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

static value fail(compiler *c, const context *at, const isocast_formula_node *node,
                  const char *message) {
    if (c->status == ISOCAST_OK) {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, at->formula->source, node->span,
                                NULL, "%s", message);
        c->status = ISOCAST_INVALID;
        c->told = true;
    }
    return constant_of(NAN);
}

static unsigned new_register(compiler *c, frame *f) {
    if (f->block.register_count >= ISOCAST_REGISTERS_MOST) {
        c->status = c->status == ISOCAST_OK ? ISOCAST_INVALID : c->status;
        return 0;
    }
    return f->block.register_count++;
}

static unsigned constant_register(compiler *c, frame *f, double number) {
    isocast_block *block = &f->block;
    for (size_t i = 0; i < block->constant_count; i++) {
        double known = block->constants[i].value;
        if (known == number && signbit(known) == signbit(number)) {
            return block->constants[i].target;
        }
    }
    if (!grow(c, (void **)&block->constants, block->constant_count, &block->constant_capacity,
              sizeof *block->constants)) {
        return 0;
    }
    unsigned target = new_register(c, f);
    block->constants[block->constant_count++] = (isocast_block_constant){target, number};
    return target;
}

static unsigned column_register(compiler *c, frame *f, size_t column) {
    isocast_block *block = &f->block;
    for (size_t i = 0; i < block->column_count; i++) {
        if (block->columns[i].column == column) {
            return block->columns[i].target;
        }
    }
    if (!grow(c, (void **)&block->columns, block->column_count, &block->column_capacity,
              sizeof *block->columns)) {
        return 0;
    }
    unsigned target = new_register(c, f);
    block->columns[block->column_count++] = (isocast_block_column){target, (unsigned)column};
    return target;
}

/* The register of a block that stands for a register of the block around it. */
static unsigned import_register(compiler *c, frame *f, unsigned outer) {
    isocast_block *block = &f->block;
    for (size_t i = 0; i < block->import_count; i++) {
        if (block->imports[i].outer == outer) {
            return block->imports[i].target;
        }
    }
    if (!grow(c, (void **)&block->imports, block->import_count, &block->import_capacity,
              sizeof *block->imports)) {
        return 0;
    }
    unsigned target = new_register(c, f);
    block->imports[block->import_count++] = (isocast_block_import){target, outer};
    return target;
}

/* The register of block `level` that holds a value made at its own or an outer level. */
static unsigned register_at(compiler *c, value v, unsigned level) {
    if (v.is_constant) {
        return constant_register(c, &c->frames[level], v.constant);
    }
    unsigned at = v.reg;
    for (unsigned inner = v.level + 1; inner <= level; inner++) {
        at = import_register(c, &c->frames[inner], at);
    }
    return at;
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

static bool table_grow(compiler *c, frame *f) {
    if (2 * (f->table_used + 1) <= f->table_size) {
        return true;
    }
    size_t size = f->table_size == 0 ? TABLE_START : 2 * f->table_size;
    known_instruction *table = calloc(size, sizeof *table);
    if (table == NULL) {
        c->status = ISOCAST_NO_MEMORY;
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

/* The register with the instruction's result at a level; an equal one is not made twice. */
static value emit(compiler *c, unsigned level, isocast_instruction instruction) {
    frame *f = &c->frames[level];
    if (c->status != ISOCAST_OK || !table_grow(c, f)) {
        return constant_of(NAN);
    }
    known_instruction *slot = table_slot(f->table, f->table_size, &instruction);
    if (!slot->used) {
        isocast_block *block = &f->block;
        if (!grow(c, (void **)&block->code, block->code_count, &block->code_capacity,
                  sizeof *block->code)) {
            return constant_of(NAN);
        }
        if (++c->instruction_count > INSTRUCTIONS_MOST) {
            c->status = ISOCAST_INVALID;
            return constant_of(NAN);
        }
        instruction.result = new_register(c, f);
        block->code[block->code_count++] = instruction;
        *slot = (known_instruction){true, instruction};
        f->table_used++;
    }
    return (value){.level = level, .reg = slot->instruction.result};
}

static unsigned level_of(value v) {
    return v.is_constant ? 0 : v.level;
}

/* An instruction on values; constants are folded by the evaluator's own code, unless the result is
 * not a number: then it is left to the evaluation, which tells where it happens. */
static value operate(compiler *c, isocast_opcode opcode, size_t count, const value *operands) {
    unsigned level = 0;
    bool constant = true;
    double numbers[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        level = level_of(operands[i]) > level ? level_of(operands[i]) : level;
        constant = constant && operands[i].is_constant;
        numbers[i] = operands[i].constant;
    }
    if (constant) {
        double result = isocast_opcode_fold(opcode, numbers[0], numbers[1], numbers[2]);
        if (isfinite(result)) {
            return constant_of(result);
        }
    }
    isocast_instruction instruction = {.opcode = opcode};
    for (size_t i = 0; i < 3; i++) {
        instruction.operand[i] = register_at(c, operands[i < count ? i : 0], level);
    }
    return emit(c, level, instruction);
}

static value operate_2(compiler *c, isocast_opcode opcode, value a, value b) {
    value operands[] = {a, b};
    return operate(c, opcode, 2, operands);
}

static bool is_constant(value v, double number) {
    return v.is_constant && v.constant == number;
}

/* Multiplication by 1, addition of 0 and the like leave no instruction. */
static value simplify(compiler *c, isocast_opcode opcode, value a, value b) {
    switch (opcode) {
    case ISOCAST_OP_ADD:
        if (is_constant(a, 0)) {
            return b;
        }
        return is_constant(b, 0) ? a : operate_2(c, opcode, a, b);
    case ISOCAST_OP_SUBTRACT:
        return is_constant(b, 0) ? a : operate_2(c, opcode, a, b);
    case ISOCAST_OP_MULTIPLY:
        if (is_constant(a, 1)) {
            return b;
        }
        return is_constant(b, 1) ? a : operate_2(c, opcode, a, b);
    case ISOCAST_OP_DIVIDE:
        return is_constant(b, 1) ? a : operate_2(c, opcode, a, b);
    default:
        return operate_2(c, opcode, a, b);
    }
}

/* Small whole exponents become multiplications, 1/2 a square root. */
static value power(compiler *c, value base, value exponent) {
    double n = exponent.is_constant ? exponent.constant : NAN;
    if (n == 0.5) {
        return operate(c, ISOCAST_OP_SQRT, 1, &base);
    }
    if (!(n >= 1 && n <= 16 && n == floor(n))) {
        return operate_2(c, ISOCAST_OP_POWER, base, exponent);
    }
    value result = constant_of(1);
    value square = base;
    for (unsigned left = (unsigned)n; left > 0; left /= 2) {
        if (left % 2 == 1) {
            result = simplify(c, ISOCAST_OP_MULTIPLY, result, square);
        }
        if (left > 1) {
            square = operate_2(c, ISOCAST_OP_MULTIPLY, square, square);
        }
    }
    return result;
}

static value input_value(compiler *c, size_t column) {
    return (value){.level = 0, .reg = column_register(c, &c->frames[0], column)};
}

static void frame_free(frame *f) {
    free(f->block.code);
    free(f->block.constants);
    free(f->block.columns);
    free(f->block.imports);
    free(f->table);
    *f = (frame){0};
}

static value compile_formula(compiler *c, const isocast_symbol *symbol) {
    for (size_t i = 0; i < c->formula_count; i++) {
        if (c->formulas[i].formula == symbol->formula) {
            return c->formulas[i].value;
        }
    }
    /* A name's formula sees nothing of the sums around, so it is compiled outside of them. */
    frame pending[ISOCAST_BLOCK_DEPTH_MOST];
    unsigned depth = c->depth;
    memcpy(pending, &c->frames[1], depth * sizeof *pending);
    c->depth = 0;
    context inside = {.scope = symbol->scope, .formula = symbol->formula};
    value v = compile_node(c, &inside, symbol->formula->root);
    while (c->depth > 0) {
        frame_free(&c->frames[c->depth--]);
    }
    memcpy(&c->frames[1], pending, depth * sizeof *pending);
    c->depth = depth;
    if (grow(c, (void **)&c->formulas, c->formula_count, &c->formula_capacity,
             sizeof *c->formulas)) {
        c->formulas[c->formula_count++] = (known_formula){symbol->formula, v};
    }
    return v;
}

static value compile_name(compiler *c, const context *at, const isocast_formula_node *node) {
    for (const running *r = at->running; r != NULL; r = r->outer) {
        if (strcmp(r->name, node->name) == 0) {
            return (value){.level = r->level, .reg = 0};
        }
    }
    const isocast_symbol *symbol = isocast_scope_find(at->scope, node->name);
    if (symbol == NULL) {
        return fail(c, at, node, "this name is not known here");
    }
    switch (symbol->kind) {
    case ISOCAST_SYMBOL_INPUT:
        return input_value(c, symbol->index);
    case ISOCAST_SYMBOL_CONSTANT:
        return constant_of(symbol->value);
    case ISOCAST_SYMBOL_ARGUMENT:
        return at->has_arguments ? at->arguments[symbol->index]
                                 : fail(c, at, node, "this name is known inside operations only");
    case ISOCAST_SYMBOL_CLASS:
        return (value){.level = at->class_level,
                       .reg = column_register(c, &c->frames[at->class_level], symbol->index)};
    case ISOCAST_SYMBOL_FORMULA:
        return symbol->formula != NULL ? compile_formula(c, symbol)
                                       : fail(c, at, node, "this name has no value yet");
    case ISOCAST_SYMBOL_OPERATION:
        break;
    }
    return fail(c, at, node, "an operation is called with brackets");
}

static value system_processes(compiler *c, const context *at, const isocast_formula_node *node) {
    if (at->has_arguments) {
        return at->arguments[1];
    }
    const isocast_symbol *p = isocast_scope_find(c->scope, "p");
    return p != NULL && p->kind == ISOCAST_SYMBOL_INPUT
               ? input_value(c, p->index)
               : fail(c, at, node, "the number of processes is not known here");
}

static value compile_operation(compiler *c, const context *at, const isocast_formula_node *node) {
    const isocast_symbol *symbol = isocast_scope_find(at->scope, node->name);
    if (symbol == NULL || symbol->kind != ISOCAST_SYMBOL_OPERATION || symbol->formula == NULL) {
        return fail(c, at, node, "this operation has no formula");
    }
    context inside = {.scope = symbol->scope, .formula = symbol->formula, .has_arguments = true};
    inside.arguments[0] =
        node->count > 0 ? compile_node(c, at, node->arguments[0]) : constant_of(0);
    inside.arguments[1] =
        node->count > 1 ? compile_node(c, at, node->arguments[1]) : system_processes(c, at, node);
    return compile_node(c, &inside, symbol->formula->root);
}

/* Opens a block one level deeper. */
static frame *push_frame(compiler *c, const context *at, const isocast_formula_node *node) {
    if (c->depth == ISOCAST_BLOCK_DEPTH_MOST) {
        fail(c, at, node, "sums are nested too deeply (at most 16)");
        return NULL;
    }
    isocast_block *blocks =
        realloc(c->program->blocks, (c->program->block_count + 1) * sizeof(isocast_block));
    if (blocks == NULL) {
        c->status = ISOCAST_NO_MEMORY;
        return NULL;
    }
    c->program->blocks = blocks;
    frame *f = &c->frames[++c->depth];
    *f = (frame){.index = (unsigned)c->program->block_count};
    c->program->blocks[c->program->block_count++] = (isocast_block){0};
    return f;
}

/* Closes the innermost block: it becomes the program's. */
static unsigned pop_frame(compiler *c, value term) {
    frame *f = &c->frames[c->depth];
    f->block.result = register_at(c, term, c->depth);
    unsigned index = f->index;
    c->program->blocks[index] = f->block;
    free(f->table);
    *f = (frame){0};
    c->depth--;
    return index;
}

static value compile_sum(compiler *c, const context *at, const isocast_formula_node *node) {
    value from = compile_node(c, at, node->arguments[1]);
    value to = compile_node(c, at, node->arguments[2]);
    frame *f = push_frame(c, at, node);
    if (f == NULL) {
        return constant_of(NAN);
    }
    f->block.has_running = true;
    f->block.register_count = 1;
    running inner = {node->arguments[0]->name, c->depth, at->running};
    context inside = *at;
    inside.running = &inner;
    value term = compile_node(c, &inside, node->arguments[3]);
    unsigned outside = c->depth - 1;
    unsigned block = pop_frame(c, term);
    isocast_instruction instruction = {.opcode = ISOCAST_OP_SUM, .block = block};
    instruction.operand[0] = register_at(c, from, outside);
    instruction.operand[1] = register_at(c, to, outside);
    return emit(c, outside, instruction);
}

static value compile_classes(compiler *c, const context *at, const isocast_formula_node *node,
                             isocast_opcode opcode) {
    frame *f = push_frame(c, at, node);
    if (f == NULL) {
        return constant_of(NAN);
    }
    f->is_class = true;
    context inside = *at;
    inside.class_level = c->depth;
    value term = compile_node(c, &inside, node->arguments[0]);
    unsigned outside = c->depth - 1;
    unsigned block = pop_frame(c, term);
    return emit(c, outside, (isocast_instruction){.opcode = opcode, .block = block});
}

/* Straight lines between points, constant outside, as selections: the value is that of the last
 * piece that x has reached. */
static value compile_interpolate(compiler *c, const context *at, const isocast_formula_node *node) {
    value x = compile_node(c, at, node->arguments[0]);
    value x_left = compile_node(c, at, node->arguments[1]);
    value y_left = compile_node(c, at, node->arguments[2]);
    value result = y_left;
    for (size_t i = 3; i + 1 < node->count; i += 2) {
        value x_right = compile_node(c, at, node->arguments[i]);
        value y_right = compile_node(c, at, node->arguments[i + 1]);
        value share = operate_2(c, ISOCAST_OP_DIVIDE, operate_2(c, ISOCAST_OP_SUBTRACT, x, x_left),
                                operate_2(c, ISOCAST_OP_SUBTRACT, x_right, x_left));
        value line = simplify(c, ISOCAST_OP_ADD, y_left,
                              operate_2(c, ISOCAST_OP_MULTIPLY, share,
                                        operate_2(c, ISOCAST_OP_SUBTRACT, y_right, y_left)));
        value reached[] = {operate_2(c, ISOCAST_OP_GREATER, x, x_left), line, result};
        result = operate(c, ISOCAST_OP_SELECT, 3, reached);
        x_left = x_right;
        y_left = y_right;
    }
    value beyond[] = {operate_2(c, ISOCAST_OP_GREATER_EQUAL, x, x_left), y_left, result};
    return operate(c, ISOCAST_OP_SELECT, 3, beyond);
}

static value compile_pointwise(compiler *c, const context *at, const isocast_formula_node *node,
                               isocast_opcode opcode) {
    value operands[3];
    for (size_t i = 0; i < node->count && i < 3; i++) {
        operands[i] = compile_node(c, at, node->arguments[i]);
    }
    return operate(c, opcode, node->count, operands);
}

/* min and max take any number: pair by pair. */
static value compile_extreme(compiler *c, const context *at, const isocast_formula_node *node,
                             isocast_opcode opcode) {
    value result = compile_node(c, at, node->arguments[0]);
    for (size_t i = 1; i < node->count; i++) {
        result = operate_2(c, opcode, result, compile_node(c, at, node->arguments[i]));
    }
    return result;
}

static value compile_call(compiler *c, const context *at, const isocast_formula_node *node) {
    const isocast_function *function = isocast_function_find(node->name);
    if (function == NULL) {
        return compile_operation(c, at, node);
    }
    switch (function->id) {
    case ISOCAST_FUNCTION_IF:
        return compile_pointwise(c, at, node, ISOCAST_OP_SELECT);
    case ISOCAST_FUNCTION_MIN:
        return compile_extreme(c, at, node, ISOCAST_OP_MIN);
    case ISOCAST_FUNCTION_MAX:
        return compile_extreme(c, at, node, ISOCAST_OP_MAX);
    case ISOCAST_FUNCTION_ABS:
        return compile_pointwise(c, at, node, ISOCAST_OP_ABS);
    case ISOCAST_FUNCTION_CEIL:
        return compile_pointwise(c, at, node, ISOCAST_OP_CEIL);
    case ISOCAST_FUNCTION_FLOOR:
        return compile_pointwise(c, at, node, ISOCAST_OP_FLOOR);
    case ISOCAST_FUNCTION_ROUND:
        return compile_pointwise(c, at, node, ISOCAST_OP_ROUND);
    case ISOCAST_FUNCTION_SQRT:
        return compile_pointwise(c, at, node, ISOCAST_OP_SQRT);
    case ISOCAST_FUNCTION_EXP:
        return compile_pointwise(c, at, node, ISOCAST_OP_EXP);
    case ISOCAST_FUNCTION_LOG:
        return compile_pointwise(c, at, node, ISOCAST_OP_LOG);
    case ISOCAST_FUNCTION_LOG2:
        return compile_pointwise(c, at, node, ISOCAST_OP_LOG2);
    case ISOCAST_FUNCTION_LOG10:
        return compile_pointwise(c, at, node, ISOCAST_OP_LOG10);
    case ISOCAST_FUNCTION_INTERPOLATE:
        return compile_interpolate(c, at, node);
    case ISOCAST_FUNCTION_SUM:
        return compile_sum(c, at, node);
    case ISOCAST_FUNCTION_SUM_CLASS:
        return compile_classes(c, at, node, ISOCAST_OP_SUM_CLASS);
    case ISOCAST_FUNCTION_MAX_CLASS:
        return compile_classes(c, at, node, ISOCAST_OP_MAX_CLASS);
    case ISOCAST_FUNCTION_MIN_CLASS:
        return compile_classes(c, at, node, ISOCAST_OP_MIN_CLASS);
    case ISOCAST_FUNCTION_COUNT:
        break;
    }
    return fail(c, at, node, "this function has no code");
}

static value compile_binary(compiler *c, const context *at, const isocast_formula_node *node,
                            isocast_opcode opcode) {
    value left = compile_node(c, at, node->arguments[0]);
    return simplify(c, opcode, left, compile_node(c, at, node->arguments[1]));
}

static value compile_node(compiler *c, const context *at, const isocast_formula_node *node) {
    if (c->status != ISOCAST_OK) {
        return constant_of(NAN);
    }
    switch (node->kind) {
    case ISOCAST_FORMULA_NUMBER:
        return constant_of(node->value);
    case ISOCAST_FORMULA_NAME:
        return compile_name(c, at, node);
    case ISOCAST_FORMULA_CALL:
        return compile_call(c, at, node);
    case ISOCAST_FORMULA_NEGATE:
        return compile_pointwise(c, at, node, ISOCAST_OP_NEGATE);
    case ISOCAST_FORMULA_ADD:
        return compile_binary(c, at, node, ISOCAST_OP_ADD);
    case ISOCAST_FORMULA_SUBTRACT:
        return compile_binary(c, at, node, ISOCAST_OP_SUBTRACT);
    case ISOCAST_FORMULA_MULTIPLY:
        return compile_binary(c, at, node, ISOCAST_OP_MULTIPLY);
    case ISOCAST_FORMULA_DIVIDE:
        return compile_binary(c, at, node, ISOCAST_OP_DIVIDE);
    case ISOCAST_FORMULA_POWER: {
        value base = compile_node(c, at, node->arguments[0]);
        return power(c, base, compile_node(c, at, node->arguments[1]));
    }
    case ISOCAST_FORMULA_LESS:
        return compile_pointwise(c, at, node, ISOCAST_OP_LESS);
    case ISOCAST_FORMULA_LESS_EQUAL:
        return compile_pointwise(c, at, node, ISOCAST_OP_LESS_EQUAL);
    case ISOCAST_FORMULA_GREATER:
        return compile_pointwise(c, at, node, ISOCAST_OP_GREATER);
    case ISOCAST_FORMULA_GREATER_EQUAL:
        return compile_pointwise(c, at, node, ISOCAST_OP_GREATER_EQUAL);
    case ISOCAST_FORMULA_EQUAL:
        return compile_pointwise(c, at, node, ISOCAST_OP_EQUAL);
    case ISOCAST_FORMULA_NOT_EQUAL:
        return compile_pointwise(c, at, node, ISOCAST_OP_NOT_EQUAL);
    }
    return fail(c, at, node, "this expression has no code");
}

static isocast_status compile_outputs(compiler *c, const isocast_formula *const *formulas,
                                      size_t outputs) {
    isocast_program *program = c->program;
    program->blocks = calloc(1, sizeof *program->blocks);
    program->outputs = calloc(outputs + 1, sizeof *program->outputs);
    if (program->blocks == NULL || program->outputs == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    program->block_count = 1;
    program->output_count = outputs;
    for (size_t i = 0; i < outputs && c->status == ISOCAST_OK; i++) {
        context at = {.scope = c->scope, .formula = formulas[i]};
        value v = compile_node(c, &at, formulas[i]->root);
        program->outputs[i] = register_at(c, v, 0);
        if (c->status == ISOCAST_INVALID && !c->told) {
            isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, formulas[i]->source,
                                    formulas[i]->span, "use fewer nested definitions",
                                    "the formula needs too many operations (at most %d)",
                                    INSTRUCTIONS_MOST);
        }
    }
    return c->status;
}

isocast_status isocast_program_compile(const isocast_formula *const *formulas, size_t outputs,
                                       const isocast_scope *scope, isocast_diagnostics *diagnostics,
                                       isocast_program **out) {
    compiler *c = calloc(1, sizeof *c);
    isocast_program *program = calloc(1, sizeof *program);
    if (c == NULL || program == NULL) {
        free(c);
        free(program);
        return ISOCAST_NO_MEMORY;
    }
    c->program = program;
    c->scope = scope;
    c->diagnostics = diagnostics;
    isocast_status status = compile_outputs(c, formulas, outputs);
    if (status == ISOCAST_OK) {
        program->blocks[0] = c->frames[0].block;
        free(c->frames[0].table);
        *out = program;
    } else {
        for (size_t level = 0; level <= c->depth; level++) {
            frame_free(&c->frames[level]);
        }
        isocast_program_free(program);
    }
    free(c->formulas);
    free(c);
    return status;
}

void isocast_program_free(isocast_program *program) {
    if (program != NULL) {
        for (size_t i = 0; i < program->block_count; i++) {
            free(program->blocks[i].code);
            free(program->blocks[i].constants);
            free(program->blocks[i].columns);
            free(program->blocks[i].imports);
        }
        free(program->blocks);
        free(program->outputs);
        free(program);
    }
}

size_t isocast_program_length(const isocast_program *program) {
    size_t length = 0;
    for (size_t i = 0; i < program->block_count; i++) {
        length += program->blocks[i].code_count;
    }
    return length;
}
