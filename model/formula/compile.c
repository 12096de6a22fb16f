/* Checked formulas to programs: what each name and function comes to, as values of the emitter. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "function.h"
#include "uses.h"

/* m, p, and how many processes are on a node: NaN where the call does not say it. */
enum { CALL_ARGUMENTS = 3 };

/* A call with its arguments. A value inside a block is the same only in that same block. */
typedef struct compiled_call {
    const isocast_formula *body;
    isocast_value arguments[CALL_ARGUMENTS];
    unsigned blocks[CALL_ARGUMENTS]; /* index of the block that each argument is in */
} compiled_call;

/* Start from {0}. */
typedef struct compiled_calls {
    compiled_call *calls;  /* [count] */
    isocast_value *values; /* [count], what each came to */
    size_t count, call_capacity, value_capacity;
    size_t *table; /* [table_size], index + 1; 0: free */
    size_t table_size;
} compiled_calls;

enum { TABLE_START = 64 };

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static compiled_call call_of(const isocast_emitter *e, const isocast_formula *body,
                             const isocast_value arguments[CALL_ARGUMENTS]) {
    compiled_call call = {.body = body};
    for (size_t i = 0; i < CALL_ARGUMENTS; i++) {
        isocast_value v = arguments[i];
        call.arguments[i] = v;
        call.blocks[i] = v.is_constant ? 0 : e->frames[v.level].index;
    }
    return call;
}

static bool same_value(isocast_value a, isocast_value b) {
    return a.is_constant ? b.is_constant && bits_of(a.constant) == bits_of(b.constant)
                         : !b.is_constant && a.level == b.level && a.reg == b.reg;
}

static bool same_call(const compiled_call *a, const compiled_call *b) {
    for (size_t i = 0; i < CALL_ARGUMENTS; i++) {
        if (a->blocks[i] != b->blocks[i] || !same_value(a->arguments[i], b->arguments[i])) {
            return false;
        }
    }
    return a->body == b->body;
}

static uint64_t mix(uint64_t hash, uint64_t bits) {
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29);
}

static size_t hash_of(const compiled_call *call) {
    uint64_t hash = mix(0, (uintptr_t)call->body);
    for (size_t i = 0; i < CALL_ARGUMENTS; i++) {
        isocast_value v = call->arguments[i];
        hash = v.is_constant ? mix(hash, bits_of(v.constant))
                             : mix(mix(hash, ((uint64_t)v.level << 32) | v.reg), call->blocks[i]);
    }
    return (size_t)hash;
}

static size_t slot_of(const compiled_calls *calls, const compiled_call *call) {
    size_t at = hash_of(call) & (calls->table_size - 1);
    while (calls->table[at] != 0 && !same_call(&calls->calls[calls->table[at] - 1], call)) {
        at = (at + 1) & (calls->table_size - 1);
    }
    return at;
}

/* Whether the call was compiled; *out gets its value. */
static bool find_call(const compiled_calls *calls, const compiled_call *call, isocast_value *out) {
    size_t slot = calls->table_size > 0 ? calls->table[slot_of(calls, call)] : 0;
    if (slot != 0) {
        *out = calls->values[slot - 1];
    }
    return slot != 0;
}

static bool table_grow(compiled_calls *calls) {
    if (2 * (calls->count + 1) <= calls->table_size) {
        return true;
    }
    size_t size = calls->table_size == 0 ? TABLE_START : 2 * calls->table_size;
    size_t *table = calloc(size, sizeof *table);
    if (table == NULL) {
        return false;
    }
    free(calls->table);
    calls->table = table;
    calls->table_size = size;
    for (size_t i = 0; i < calls->count; i++) {
        calls->table[slot_of(calls, &calls->calls[i])] = i + 1;
    }
    return true;
}

/* Keeps a call that is not there yet. False without memory. */
static bool add_call(compiled_calls *calls, compiled_call call, isocast_value value) {
    if (!table_grow(calls)) {
        return false;
    }
    /* The table has room for half its size. */
    size_t capacity = calls->table_size / 2;
    if (calls->count == calls->call_capacity) {
        compiled_call *grown = realloc(calls->calls, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        calls->calls = grown;
        calls->call_capacity = capacity;
    }
    if (calls->count == calls->value_capacity) {
        isocast_value *grown = realloc(calls->values, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        calls->values = grown;
        calls->value_capacity = capacity;
    }
    calls->calls[calls->count] = call;
    calls->values[calls->count] = value;
    calls->table[slot_of(calls, &call)] = ++calls->count;
    return true;
}

static void free_calls(compiled_calls *calls) {
    free(calls->calls);
    free(calls->values);
    free(calls->table);
    *calls = (compiled_calls){0};
}

/* What a FORMULA symbol came to. */
typedef struct known_formula {
    bool compiled;
    isocast_value value;
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
    isocast_value arguments[CALL_ARGUMENTS]; /* inside an operation */
    unsigned class_level;                    /* of the class reduction around; 0 for none */
} context;

typedef struct compiler {
    isocast_emitter emitter;
    const isocast_scope *scope;
    isocast_diagnostics *diagnostics;
    bool reported;           /* why the status is INVALID */
    isocast_uses uses;       /* formulas behind names and calls */
    known_formula *formulas; /* [formula_capacity], by their index among those */
    size_t formula_capacity;
    compiled_calls calls;
    size_t factors;  /* the column of the first factor of a movable program; 0: it has none */
    bool in_movable; /* inside of an operation's formula, which is moved as a whole */
    size_t nodes;    /* expressions that were looked at, again for each call of an operation */
    size_t depth;    /* of the expression that is looked at */
} compiler;

static isocast_value compile_node(compiler *c, const context *at, const isocast_formula_node *node);

static isocast_value fail(compiler *c, const context *at, const isocast_formula_node *node,
                          const char *hint, const char *message) {
    if (c->emitter.status == ISOCAST_OK) {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, at->formula->source, node->span,
                                hint, "%s", message);
        c->emitter.status = ISOCAST_INVALID;
        c->reported = true;
    }
    return isocast_value_constant(NAN);
}

static isocast_value compile_formula(compiler *c, const isocast_symbol *symbol) {
    size_t item = isocast_uses_find(&c->uses, symbol->formula);
    if (c->formulas[item].compiled) {
        return c->formulas[item].value;
    }
    /* A name's formula sees nothing of the sums around, so it is compiled outside of them. */
    isocast_frame pending[ISOCAST_BLOCK_DEPTH_MAX];
    unsigned depth = isocast_emit_suspend(&c->emitter, pending);
    context inside = {.scope = symbol->scope, .formula = symbol->formula};
    isocast_value v = compile_node(c, &inside, symbol->formula->root);
    if (c->factors > 0 && symbol->scope != c->scope && strcmp(symbol->name, "t_c") == 0) {
        v = isocast_emit_binary(
            &c->emitter, ISOCAST_OP_MULTIPLY, v,
            isocast_emit_column(&c->emitter, 0, c->factors + ISOCAST_FACTOR_FLOP));
    }
    isocast_emit_resume(&c->emitter, depth, pending);
    c->formulas[item] = (known_formula){true, v};
    return v;
}

/* Compiles the formulas behind the names that a formula uses, the used ones first, so that no chain
 * of names becomes one of calls here. */
static void compile_used(compiler *c, const isocast_formula *formula) {
    size_t first = c->uses.ordered;
    isocast_status status =
        isocast_uses_follow(&c->uses, formula, c->scope, "a formula", c->diagnostics);
    known_formula *formulas = c->formulas;
    if (status == ISOCAST_OK && c->formula_capacity < c->uses.count) {
        formulas = realloc(formulas, 2 * c->uses.count * sizeof *formulas);
        status = formulas == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    if (status != ISOCAST_OK) {
        c->emitter.status = status;
        c->reported = status == ISOCAST_INVALID;
        return;
    }
    if (c->formula_capacity < c->uses.count) {
        size_t grown = 2 * c->uses.count - c->formula_capacity;
        memset(formulas + c->formula_capacity, 0, grown * sizeof *formulas);
        c->formula_capacity += grown;
        c->formulas = formulas;
    }
    for (size_t i = first; i < c->uses.ordered; i++) {
        const isocast_symbol *symbol = c->uses.items[c->uses.order[i]].symbol;
        if (symbol != NULL && symbol->kind == ISOCAST_SYMBOL_FORMULA) {
            compile_formula(c, symbol);
        }
    }
}

/* nodes or p_node: what the call says, else the system's. */
static isocast_value compile_place(compiler *c, const context *at, const isocast_symbol *symbol) {
    isocast_value share = at->arguments[2];
    if (!at->has_arguments || (share.is_constant && isnan(share.constant))) {
        return isocast_emit_column(&c->emitter, 0, symbol->index);
    }
    if (symbol->kind == ISOCAST_SYMBOL_NODE_SHARE) {
        return share;
    }
    isocast_value filled =
        isocast_emit_binary(&c->emitter, ISOCAST_OP_DIVIDE, at->arguments[1], share);
    isocast_value range = isocast_emit_operation(&c->emitter, ISOCAST_OP_CEIL, 1, &filled);
    return isocast_emit_binary(&c->emitter, ISOCAST_OP_MIN, at->arguments[1], range);
}

static isocast_value compile_name(compiler *c, const context *at,
                                  const isocast_formula_node *node) {
    for (const running *r = at->running; r != NULL; r = r->outer) {
        if (strcmp(r->name, node->name) == 0) {
            return (isocast_value){.level = r->level, .reg = 0};
        }
    }
    const isocast_symbol *symbol = isocast_scope_find(at->scope, node->name);
    if (symbol == NULL) {
        return fail(c, at, node, NULL, "this name is not known here");
    }
    switch (symbol->kind) {
    case ISOCAST_SYMBOL_INPUT:
        return isocast_emit_column(&c->emitter, 0, symbol->index);
    case ISOCAST_SYMBOL_CONSTANT:
        return isocast_value_constant(symbol->value);
    case ISOCAST_SYMBOL_ARGUMENT:
        return at->has_arguments
                   ? at->arguments[symbol->index]
                   : fail(c, at, node, NULL, "this name is known inside operations only");
    case ISOCAST_SYMBOL_NODES:
    case ISOCAST_SYMBOL_NODE_SHARE:
        return compile_place(c, at, symbol);
    case ISOCAST_SYMBOL_CLASS:
        return isocast_emit_column(&c->emitter, at->class_level, symbol->index);
    case ISOCAST_SYMBOL_FORMULA:
        return symbol->formula != NULL ? compile_formula(c, symbol)
                                       : fail(c, at, node, NULL, "this name has no value yet");
    case ISOCAST_SYMBOL_OPERATION:
        break;
    }
    return fail(c, at, node, NULL, "an operation is called with brackets");
}

static isocast_value system_processes(compiler *c, const context *at,
                                      const isocast_formula_node *node) {
    if (at->has_arguments) {
        return at->arguments[1];
    }
    const isocast_symbol *p = isocast_scope_find(c->scope, "p");
    return p != NULL && p->kind == ISOCAST_SYMBOL_INPUT
               ? isocast_emit_column(&c->emitter, 0, p->index)
               : fail(c, at, node, NULL, "the number of processes is not known here");
}

/* How many processes of a call are on a node: as it says, else as the call around says; NaN
 * where none says it. */
static isocast_value node_share(compiler *c, const context *at, const isocast_formula_node *node) {
    if (node->count > 2) {
        return compile_node(c, at, node->arguments[2]);
    }
    return at->has_arguments ? at->arguments[2] : isocast_value_constant(NAN);
}

/* What an operation comes to. */
static isocast_value compile_body(compiler *c, const isocast_symbol *symbol,
                                  const context *inside) {
    compiled_call call = call_of(&c->emitter, symbol->formula, inside->arguments);
    isocast_value value;
    if (c->emitter.status != ISOCAST_OK || find_call(&c->calls, &call, &value)) {
        return c->emitter.status == ISOCAST_OK ? value : isocast_value_constant(NAN);
    }
    value = compile_node(c, inside, symbol->formula->root);
    if (c->emitter.status == ISOCAST_OK && !add_call(&c->calls, call, value)) {
        c->emitter.status = ISOCAST_NO_MEMORY;
    }
    return value;
}

/* An operation of a movable program: the time of an empty message, times a factor, and the rest
 * over another. What it calls is a part of it. */
static isocast_value compile_moved(compiler *c, const isocast_symbol *symbol,
                                   const context *inside) {
    isocast_emitter *e = &c->emitter;
    context empty_message = *inside;
    empty_message.arguments[0] = isocast_value_constant(0);
    c->in_movable = true;
    isocast_value whole = compile_body(c, symbol, inside);
    isocast_value empty = compile_body(c, symbol, &empty_message);
    c->in_movable = false;
    isocast_value latency =
        isocast_emit_binary(e, ISOCAST_OP_MULTIPLY, empty,
                            isocast_emit_column(e, 0, c->factors + ISOCAST_FACTOR_LATENCY));
    if (same_value(whole, empty)) {
        return latency;
    }
    isocast_value rest = isocast_emit_binary(
        e, ISOCAST_OP_DIVIDE, isocast_emit_binary(e, ISOCAST_OP_SUBTRACT, whole, empty),
        isocast_emit_column(e, 0, c->factors + ISOCAST_FACTOR_BANDWIDTH));
    return isocast_emit_binary(e, ISOCAST_OP_ADD, latency, rest);
}

static isocast_value compile_operation(compiler *c, const context *at,
                                       const isocast_formula_node *node) {
    const isocast_symbol *symbol = isocast_scope_find(at->scope, node->name);
    if (symbol == NULL || symbol->kind != ISOCAST_SYMBOL_OPERATION || symbol->formula == NULL) {
        return fail(c, at, node, NULL, "this operation has no formula");
    }
    context inside = {.scope = symbol->scope, .formula = symbol->formula, .has_arguments = true};
    inside.arguments[0] =
        node->count > 0 ? compile_node(c, at, node->arguments[0]) : isocast_value_constant(0);
    inside.arguments[1] =
        node->count > 1 ? compile_node(c, at, node->arguments[1]) : system_processes(c, at, node);
    inside.arguments[2] = node_share(c, at, node);
    return c->factors > 0 && !c->in_movable ? compile_moved(c, symbol, &inside)
                                            : compile_body(c, symbol, &inside);
}

static bool open_block(compiler *c, const context *at, const isocast_formula_node *node,
                       bool has_running) {
    if (c->emitter.depth == ISOCAST_BLOCK_DEPTH_MAX) {
        fail(c, at, node, NULL, "sums are nested too deeply (at most 16)");
        return false;
    }
    return isocast_emit_open(&c->emitter, has_running);
}

static isocast_value compile_sum(compiler *c, const context *at, const isocast_formula_node *node) {
    isocast_value bounds[] = {compile_node(c, at, node->arguments[1]),
                              compile_node(c, at, node->arguments[2])};
    if (!open_block(c, at, node, true)) {
        return isocast_value_constant(NAN);
    }
    running inner = {node->arguments[0]->name, c->emitter.depth, at->running};
    context inside = *at;
    inside.running = &inner;
    isocast_value term = compile_node(c, &inside, node->arguments[3]);
    return isocast_emit_close(&c->emitter, ISOCAST_OP_SUM, term, 2, bounds);
}

static isocast_value compile_classes(compiler *c, const context *at,
                                     const isocast_formula_node *node, isocast_opcode opcode) {
    if (!open_block(c, at, node, false)) {
        return isocast_value_constant(NAN);
    }
    context inside = *at;
    inside.class_level = c->emitter.depth;
    isocast_value term = compile_node(c, &inside, node->arguments[0]);
    return isocast_emit_close(&c->emitter, opcode, term, 0, NULL);
}

/* Straight lines between points, constant outside, as selections: the isocast_value is that of the
 * last piece that x has reached. */
static isocast_value compile_interpolate(compiler *c, const context *at,
                                         const isocast_formula_node *node) {
    isocast_value x = compile_node(c, at, node->arguments[0]);
    isocast_value x_left = compile_node(c, at, node->arguments[1]);
    isocast_value y_left = compile_node(c, at, node->arguments[2]);
    isocast_value result = y_left;
    for (size_t i = 3; i + 1 < node->count; i += 2) {
        isocast_value x_right = compile_node(c, at, node->arguments[i]);
        isocast_value y_right = compile_node(c, at, node->arguments[i + 1]);
        isocast_value share = isocast_emit_binary(
            &c->emitter, ISOCAST_OP_DIVIDE,
            isocast_emit_binary(&c->emitter, ISOCAST_OP_SUBTRACT, x, x_left),
            isocast_emit_binary(&c->emitter, ISOCAST_OP_SUBTRACT, x_right, x_left));
        isocast_value line = isocast_emit_simplified(
            &c->emitter, ISOCAST_OP_ADD, y_left,
            isocast_emit_binary(
                &c->emitter, ISOCAST_OP_MULTIPLY, share,
                isocast_emit_binary(&c->emitter, ISOCAST_OP_SUBTRACT, y_right, y_left)));
        isocast_value reached[] = {isocast_emit_binary(&c->emitter, ISOCAST_OP_GREATER, x, x_left),
                                   line, result};
        result = isocast_emit_join(&c->emitter, reached);
        x_left = x_right;
        y_left = y_right;
    }
    isocast_value beyond[] = {isocast_emit_binary(&c->emitter, ISOCAST_OP_GREATER_EQUAL, x, x_left),
                              y_left, result};
    return isocast_emit_join(&c->emitter, beyond);
}

static isocast_value compile_pointwise(compiler *c, const context *at,
                                       const isocast_formula_node *node, isocast_opcode opcode) {
    isocast_value operands[3];
    for (size_t i = 0; i < node->count && i < 3; i++) {
        operands[i] = compile_node(c, at, node->arguments[i]);
    }
    return isocast_emit_operation(&c->emitter, opcode, node->count, operands);
}

/* mod(a, b) is a - b floor(a/b), so that it has the sign of b, and whatever is known of floor() is
 * known of it: its steps in sums, and that its teeth cancel in proofs. */
static isocast_value compile_mod(compiler *c, const context *at, const isocast_formula_node *node) {
    isocast_value a = compile_node(c, at, node->arguments[0]);
    isocast_value b = compile_node(c, at, node->arguments[1]);
    isocast_value quotient = isocast_emit_simplified(&c->emitter, ISOCAST_OP_DIVIDE, a, b);
    isocast_value whole = isocast_emit_operation(&c->emitter, ISOCAST_OP_FLOOR, 1, &quotient);
    return isocast_emit_simplified(
        &c->emitter, ISOCAST_OP_SUBTRACT, a,
        isocast_emit_simplified(&c->emitter, ISOCAST_OP_MULTIPLY, b, whole));
}

/* min and max take any number: pair by pair. */
static isocast_value compile_extreme(compiler *c, const context *at,
                                     const isocast_formula_node *node, isocast_opcode opcode) {
    isocast_value result = compile_node(c, at, node->arguments[0]);
    for (size_t i = 1; i < node->count; i++) {
        result = isocast_emit_binary(&c->emitter, opcode, result,
                                     compile_node(c, at, node->arguments[i]));
    }
    return result;
}

static isocast_value compile_call(compiler *c, const context *at,
                                  const isocast_formula_node *node) {
    const isocast_function *function = isocast_function_find(node->name);
    if (function == NULL) {
        return compile_operation(c, at, node);
    }
    switch (function->rule) {
    case ISOCAST_RULE_INTERPOLATE:
        return compile_interpolate(c, at, node);
    case ISOCAST_RULE_SUM:
        return compile_sum(c, at, node);
    case ISOCAST_RULE_CLASSES:
        return compile_classes(c, at, node, function->opcode);
    default:
        return function->id == ISOCAST_FUNCTION_MOD ? compile_mod(c, at, node)
               : function->most == 0                ? compile_extreme(c, at, node, function->opcode)
                                     : compile_pointwise(c, at, node, function->opcode);
    }
}

static isocast_value compile_binary(compiler *c, const context *at,
                                    const isocast_formula_node *node, isocast_opcode opcode) {
    isocast_value left = compile_node(c, at, node->arguments[0]);
    return isocast_emit_simplified(&c->emitter, opcode, left,
                                   compile_node(c, at, node->arguments[1]));
}

static isocast_value compile_kind(compiler *c, const context *at,
                                  const isocast_formula_node *node) {
    switch (node->kind) {
    case ISOCAST_FORMULA_NUMBER:
        return isocast_value_constant(node->value);
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
        isocast_value base = compile_node(c, at, node->arguments[0]);
        return isocast_emit_power(&c->emitter, base, compile_node(c, at, node->arguments[1]));
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
    case ISOCAST_FORMULA_AND:
        return compile_pointwise(c, at, node, ISOCAST_OP_AND);
    case ISOCAST_FORMULA_OR:
        return compile_pointwise(c, at, node, ISOCAST_OP_OR);
    case ISOCAST_FORMULA_NOT:
        return compile_pointwise(c, at, node, ISOCAST_OP_NOT);
    }
    return fail(c, at, node, NULL, "this expression has no code");
}

static isocast_value compile_node(compiler *c, const context *at,
                                  const isocast_formula_node *node) {
    if (c->emitter.status != ISOCAST_OK) {
        return isocast_value_constant(NAN);
    }
    if (++c->nodes > ISOCAST_EXPANSION_MAX) {
        return fail(c, at, node, "let the operations call others with fewer different arguments",
                    "operations that call each other become too long here (at most 2000000 "
                    "operators and names, counted again for each message size and number of "
                    "processes)");
    }
    if (c->depth == ISOCAST_CALL_DEPTH_MAX) {
        return fail(c, at, node, "let fewer operations call each other",
                    "operations that call each other are nested too deeply (at most 6000 levels "
                    "of operators and calls)");
    }
    c->depth++;
    isocast_value value = compile_kind(c, at, node);
    c->depth--;
    return value;
}

static isocast_status compile_outputs(compiler *c, const isocast_formula *const *formulas,
                                      size_t outputs) {
    isocast_program *program = c->emitter.program;
    program->blocks = calloc(1, sizeof *program->blocks);
    program->outputs = calloc(outputs + 1, sizeof *program->outputs);
    if (program->blocks == NULL || program->outputs == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    program->block_count = 1;
    program->output_count = outputs;
    for (size_t i = 0; i < outputs && c->emitter.status == ISOCAST_OK; i++) {
        context at = {.scope = c->scope, .formula = formulas[i]};
        compile_used(c, formulas[i]);
        isocast_value v = compile_node(c, &at, formulas[i]->root);
        program->outputs[i] = isocast_emit_output(&c->emitter, v);
        if (c->emitter.status == ISOCAST_INVALID && !c->reported) {
            isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, formulas[i]->source,
                                    formulas[i]->span, "use fewer nested definitions",
                                    "the formula needs too many operations (at most %d)",
                                    ISOCAST_INSTRUCTIONS_MAX);
        }
    }
    return c->emitter.status;
}

isocast_status isocast_program_compile(const isocast_formula *const *formulas, size_t outputs,
                                       const isocast_scope *scope, isocast_diagnostics *diagnostics,
                                       isocast_program **out) {
    return isocast_program_compile_movable(formulas, outputs, scope, 0, diagnostics, out);
}

isocast_status isocast_program_compile_movable(const isocast_formula *const *formulas,
                                               size_t outputs, const isocast_scope *scope,
                                               size_t factors, isocast_diagnostics *diagnostics,
                                               isocast_program **out) {
    compiler *c = calloc(1, sizeof *c);
    isocast_program *program = calloc(1, sizeof *program);
    if (c == NULL || program == NULL) {
        free(c);
        free(program);
        return ISOCAST_NO_MEMORY;
    }
    c->emitter.program = program;
    c->scope = scope;
    c->factors = factors;
    c->diagnostics = diagnostics;
    isocast_status status = compile_outputs(c, formulas, outputs);
    if (status == ISOCAST_OK) {
        isocast_emit_finish(&c->emitter);
        *out = program;
    } else {
        isocast_emit_discard(&c->emitter);
        isocast_program_free(program);
    }
    isocast_uses_free(&c->uses);
    free_calls(&c->calls);
    free(c->formulas);
    free(c);
    return status;
}

bool isocast_program_has_sums(const isocast_program *program) {
    const isocast_block *block = &program->blocks[0];
    for (size_t i = 0; i < block->code_count; i++) {
        if (block->code[i].opcode == ISOCAST_OP_SUM) {
            return true;
        }
    }
    return false;
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
