#include "reach_state.h"

#include <stdlib.h>

/* Where each register of a block comes from. */
static isocast_origin *trace_origins(isocast_pool *pool, const isocast_block *block) {
    isocast_origin *origins = isocast_pool_take(pool, block->register_count, sizeof *origins);
    if (origins == NULL) {
        return NULL;
    }
    if (block->has_running) {
        origins[0].kind = ISOCAST_ORIGIN_RUNNING;
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        origins[block->constants[i].target] = (isocast_origin){ISOCAST_ORIGIN_CONSTANT, i, false};
    }
    for (size_t i = 0; i < block->column_count; i++) {
        origins[block->columns[i].target] = (isocast_origin){ISOCAST_ORIGIN_COLUMN, i, false};
    }
    for (size_t i = 0; i < block->import_count; i++) {
        origins[block->imports[i].target] = (isocast_origin){ISOCAST_ORIGIN_IMPORT, i, false};
    }
    for (size_t i = 0; i < block->code_count; i++) {
        origins[block->code[i].result] = (isocast_origin){ISOCAST_ORIGIN_CODE, i, false};
    }
    return origins;
}

/* Which registers of block 0 depend on the input. False without memory. */
static bool trace_input(isocast_reach *r) {
    const isocast_block *block = &r->program->blocks[0];
    bool *varies = calloc(block->register_count + 1, sizeof *varies);
    if (varies == NULL) {
        return false;
    }
    for (size_t i = 0; i < block->column_count; i++) {
        varies[block->columns[i].target] = block->columns[i].column == r->input;
    }
    isocast_program_spread(r->program, varies);
    for (size_t k = 0; k < block->register_count; k++) {
        r->origins[0][k].varies = varies[k];
    }
    free(varies);
    return true;
}

static const isocast_instruction *instruction_of(const isocast_reach *r, unsigned reg) {
    const isocast_origin *origin = &r->origins[0][reg];
    return origin->kind == ISOCAST_ORIGIN_CODE ? &r->program->blocks[0].code[origin->index] : NULL;
}

static bool is_constant_one(const isocast_reach *r, unsigned reg) {
    const isocast_origin *origin = &r->origins[0][reg];
    return origin->kind == ISOCAST_ORIGIN_CONSTANT &&
           r->program->blocks[0].constants[origin->index].value == 1;
}

/* Whether a register is 1 - share. */
static bool is_rest_of(const isocast_reach *r, unsigned reg, unsigned share) {
    const isocast_instruction *code = instruction_of(r, reg);
    return code != NULL && code->opcode == ISOCAST_OP_SUBTRACT && code->operand[1] == share &&
           is_constant_one(r, code->operand[0]);
}

/* (1 - f) a + f b, in any order of its factors; *share gets the register of f. */
static bool find_blend(const isocast_reach *r, const isocast_instruction *code,
                       isocast_reach_blend *out) {
    const isocast_instruction *sides[2] = {instruction_of(r, code->operand[0]),
                                           instruction_of(r, code->operand[1])};
    if (code->opcode != ISOCAST_OP_ADD || sides[0] == NULL || sides[1] == NULL ||
        sides[0]->opcode != ISOCAST_OP_MULTIPLY || sides[1]->opcode != ISOCAST_OP_MULTIPLY) {
        return false;
    }
    for (size_t turn = 0; turn < 8; turn++) {
        const isocast_instruction *with_rest = sides[turn & 1];
        const isocast_instruction *with_share = sides[1 - (turn & 1)];
        size_t rest = (turn >> 1) & 1;
        size_t share = (turn >> 2) & 1;
        if (is_rest_of(r, with_rest->operand[rest], with_share->operand[share])) {
            *out = (isocast_reach_blend){.share = with_share->operand[share],
                                         .first = with_rest->operand[1 - rest],
                                         .second = with_share->operand[1 - share],
                                         .is_known = true};
            return true;
        }
    }
    return false;
}

/* Whether an instruction takes the whole part of a register, *x. */
static bool is_whole_part(const isocast_instruction *code, unsigned *x) {
    *x = code->operand[0];
    return code->opcode == ISOCAST_OP_FLOOR || code->opcode == ISOCAST_OP_CEIL;
}

/* Gives whole parts their bits: floor(x) and ceil(x) step at the same N. What has no bit left may
 * be any jump. */
static void mark_steps(isocast_reach *r) {
    const isocast_block *block = &r->program->blocks[0];
    isocast_reach_steps_mask next = ISOCAST_REACH_STEP_ANY << 1;
    for (size_t i = 0; i < block->code_count; i++) {
        unsigned x;
        isocast_reach_steps_mask *bit = &r->steps_of[block->code[i].result];
        *bit = ISOCAST_REACH_STEP_ANY;
        if (!is_whole_part(&block->code[i], &x) || !r->origins[0][x].varies) {
            continue;
        }
        for (size_t k = 0; k < i && *bit == ISOCAST_REACH_STEP_ANY; k++) {
            unsigned other;
            if (is_whole_part(&block->code[k], &other) && other == x) {
                *bit = r->steps_of[block->code[k].result];
            }
        }
        if (*bit == ISOCAST_REACH_STEP_ANY && next != 0) {
            *bit = next;
            next <<= 1;
        }
    }
}

/* Whether a register is floor(x) + 1, or ceil(x), which is that between whole numbers. */
static bool is_next_whole(const isocast_reach *r, unsigned reg, unsigned whole) {
    const isocast_instruction *code = instruction_of(r, reg);
    const isocast_instruction *below = instruction_of(r, whole);
    if (code == NULL) {
        return false;
    }
    if (code->opcode == ISOCAST_OP_CEIL) {
        return code->operand[0] == below->operand[0];
    }
    return code->opcode == ISOCAST_OP_ADD &&
           ((code->operand[0] == whole && is_constant_one(r, code->operand[1])) ||
            (code->operand[1] == whole && is_constant_one(r, code->operand[0])));
}

/* A comparison of what two registers are made of. */
typedef struct likeness {
    const isocast_reach *r;
    unsigned whole;
    bool *moves;       /* [registers]: depends on `whole` */
    unsigned *partner; /* [registers]: the register that leads it on, where that is known; else 0 */
    int looks;
} likeness;

enum { LOOKS_MAX = 4000 };

static bool leads_on(likeness *l, unsigned a, unsigned b);

static bool operands_lead_on(likeness *l, const isocast_instruction *a,
                             const isocast_instruction *b) {
    size_t count = isocast_opcode_operands(a->opcode);
    size_t alike = 0;
    while (alike < count && leads_on(l, a->operand[alike], b->operand[alike])) {
        alike++;
    }
    bool may_turn = a->opcode == ISOCAST_OP_ADD || a->opcode == ISOCAST_OP_MULTIPLY;
    return alike == count || (may_turn && leads_on(l, a->operand[0], b->operand[1]) &&
                              leads_on(l, a->operand[1], b->operand[0]));
}

/* Whether `b` is what `a` is with the next whole number in the place of this one. */
static bool leads_on(likeness *l, unsigned a, unsigned b) {
    if (!l->moves[a]) {
        return a == b;
    }
    if (a == l->whole) {
        return is_next_whole(l->r, b, l->whole);
    }
    if (l->partner[a] == b && b != 0) {
        return true;
    }
    const isocast_instruction *first = instruction_of(l->r, a);
    const isocast_instruction *second = instruction_of(l->r, b);
    if (second == NULL || first->opcode != second->opcode || first->opcode >= ISOCAST_OP_SUM ||
        ++l->looks > LOOKS_MAX || !operands_lead_on(l, first, second)) {
        return false;
    }
    l->partner[a] = b;
    return true;
}

/* A blend that is the straight line between the values of a function at whole numbers. False
 * without memory. */
static bool find_line(const isocast_reach *r, isocast_reach_blend *blend) {
    const isocast_instruction *share = blend->is_known ? instruction_of(r, blend->share) : NULL;
    const isocast_instruction *whole = share != NULL && share->opcode == ISOCAST_OP_SUBTRACT
                                           ? instruction_of(r, share->operand[1])
                                           : NULL;
    if (whole == NULL || whole->opcode != ISOCAST_OP_FLOOR ||
        whole->operand[0] != share->operand[0] ||
        r->steps_of[whole->result] == ISOCAST_REACH_STEP_ANY) {
        return true;
    }
    size_t registers = r->program->blocks[0].register_count + 1;
    likeness l = {.r = r, .whole = whole->result};
    l.moves = calloc(registers, sizeof *l.moves);
    l.partner = calloc(registers, sizeof *l.partner);
    bool enough = l.moves != NULL && l.partner != NULL;
    if (enough) {
        l.moves[l.whole] = true;
        isocast_program_spread(r->program, l.moves);
        blend->whole = l.whole;
        blend->is_line = leads_on(&l, blend->first, blend->second);
    }
    free(l.moves);
    free(l.partner);
    return enough;
}

/* The number that a register is compared with; false where it is no constant. */
static bool find_bound(const isocast_reach *r, unsigned reg, double *out) {
    const isocast_origin *origin = &r->origins[0][reg];
    if (origin->kind == ISOCAST_ORIGIN_CONSTANT) {
        *out = r->program->blocks[0].constants[origin->index].value;
    }
    return origin->kind == ISOCAST_ORIGIN_CONSTANT;
}

/* A selection by x < bound (*below gets the register where it holds), x <= bound, or the opposite.
 */
typedef struct chain_link {
    unsigned x, below, above; /* registers */
    double bound;
    bool goes_up;  /* asks whether x is below */
    bool is_below; /* the bound itself is */
    bool is_continuous;
} chain_link;

static bool is_link(const isocast_reach *r, unsigned reg, chain_link *out) {
    const isocast_instruction *code = instruction_of(r, reg);
    const isocast_instruction *condition = code != NULL && code->opcode == ISOCAST_OP_SELECT
                                               ? instruction_of(r, code->operand[0])
                                               : NULL;
    if (condition == NULL || !find_bound(r, condition->operand[1], &out->bound)) {
        return false;
    }
    isocast_opcode opcode = condition->opcode;
    out->x = condition->operand[0];
    out->goes_up = opcode == ISOCAST_OP_LESS || opcode == ISOCAST_OP_LESS_EQUAL;
    out->is_below = opcode == ISOCAST_OP_LESS_EQUAL || opcode == ISOCAST_OP_GREATER;
    out->is_continuous = code->block == ISOCAST_SELECT_CONTINUOUS;
    out->below = code->operand[out->goes_up ? 1 : 2];
    out->above = code->operand[out->goes_up ? 2 : 1];
    return r->origins[0][out->x].varies &&
           (out->goes_up || opcode == ISOCAST_OP_GREATER || opcode == ISOCAST_OP_GREATER_EQUAL);
}

/* Follows the chain that begins at a register and writes it down; false without memory. */
static bool find_chain(isocast_reach *r, unsigned reg) {
    isocast_reach_chain *chain = &r->chains[reg];
    chain_link last = {0};
    chain_link link = {0};
    size_t length = 0;
    unsigned at = reg;
    for (; is_link(r, at, &link); length++) {
        bool goes_on = link.x == last.x && link.goes_up == last.goes_up &&
                       (link.goes_up ? link.bound > last.bound : link.bound < last.bound);
        if (length > 0 && !goes_on) {
            break;
        }
        last = link;
        at = link.goes_up ? link.above : link.below;
    }
    if (length < 3) {
        return true;
    }
    chain->bounds = isocast_pool_take(&r->pool, length, sizeof *chain->bounds);
    chain->is_below = isocast_pool_take(&r->pool, length, sizeof *chain->is_below);
    chain->values = isocast_pool_take(&r->pool, length, sizeof *chain->values);
    if (r->pool.failed) {
        return false;
    }
    chain->x = last.x;
    chain->is_continuous = true;
    bool up = last.goes_up;
    at = reg;
    for (size_t k = 0; k < length && is_link(r, at, &link); k++) {
        chain->bounds[up ? k : length - 1 - k] = link.bound;
        chain->is_below[up ? k : length - 1 - k] = link.is_below;
        chain->values[up ? k : length - k] = up ? link.below : link.above;
        chain->is_continuous = chain->is_continuous && link.is_continuous;
        at = up ? link.above : link.below;
    }
    chain->values[up ? length : 0] = at;
    chain->count = length;
    return true;
}

/* x - floor(x) and ceil(x) - x, which lie between 0 and 1. */
static bool is_fraction(const isocast_reach *r, const isocast_instruction *code) {
    const isocast_instruction *first = instruction_of(r, code->operand[0]);
    const isocast_instruction *second = instruction_of(r, code->operand[1]);
    return (second != NULL && second->opcode == ISOCAST_OP_FLOOR &&
            second->operand[0] == code->operand[0]) ||
           (first != NULL && first->opcode == ISOCAST_OP_CEIL &&
            first->operand[0] == code->operand[1]);
}

static isocast_reach_kind kind_of(const isocast_reach *r, const isocast_instruction *code) {
    if (r->blends[code->result].is_known) {
        return ISOCAST_REACH_BLEND;
    }
    switch (code->opcode) {
    case ISOCAST_OP_SELECT:
        return r->chains[code->result].count > 0 ? ISOCAST_REACH_CHAIN : ISOCAST_REACH_SELECT;
    case ISOCAST_OP_SUM:
        return ISOCAST_REACH_SUM;
    case ISOCAST_OP_SUM_CLASS:
    case ISOCAST_OP_MAX_CLASS:
    case ISOCAST_OP_MIN_CLASS:
        return ISOCAST_REACH_CLASSES;
    case ISOCAST_OP_MULTIPLY:
        return code->operand[0] == code->operand[1] ? ISOCAST_REACH_SQUARE : ISOCAST_REACH_PLAIN;
    case ISOCAST_OP_SUBTRACT:
        return is_fraction(r, code) ? ISOCAST_REACH_FRACTION : ISOCAST_REACH_PLAIN;
    default:
        return ISOCAST_REACH_PLAIN;
    }
}

/* What a register of block 0 is made by. */
static isocast_trace_entry entry_of(const isocast_reach *r, const isocast_instruction *code) {
    unsigned second =
        isocast_opcode_operands(code->opcode) > 1 ? code->operand[1] : code->operand[0];
    return (isocast_trace_entry){.result = code->result,
                                 .a = code->operand[0],
                                 .b = second,
                                 .kind = (unsigned char)kind_of(r, code),
                                 .opcode = (unsigned char)code->opcode};
}

isocast_status isocast_reach_shape_make(isocast_reach *r) {
    const isocast_program *program = r->program;
    size_t registers = program->blocks[0].register_count;
    size_t most = 0;
    isocast_pool *pool = &r->pool;
    r->origins = isocast_pool_take(pool, program->block_count, sizeof *r->origins);
    r->sums = isocast_pool_take(pool, program->block_count, sizeof *r->sums);
    r->bands = isocast_pool_take(pool, registers, sizeof *r->bands);
    r->stamps = isocast_pool_take(pool, registers, sizeof *r->stamps);
    r->slopes = isocast_pool_take(pool, registers, sizeof *r->slopes);
    r->steps_of = isocast_pool_take(pool, registers, sizeof *r->steps_of);
    r->blends = isocast_pool_take(pool, registers, sizeof *r->blends);
    r->chains = isocast_pool_take(pool, registers, sizeof *r->chains);
    r->entries = isocast_pool_take(pool, registers, sizeof *r->entries);
    r->noted = isocast_pool_take(pool, registers, sizeof *r->noted);
    for (size_t b = 0; b < program->block_count && !pool->failed; b++) {
        r->origins[b] = trace_origins(pool, &program->blocks[b]);
        most = program->blocks[b].register_count > most ? program->blocks[b].register_count : most;
    }
    r->inner = isocast_pool_take(pool, most, sizeof *r->inner);
    r->steps = isocast_pool_take(pool, most, sizeof *r->steps);
    if (pool->failed || !trace_input(r)) {
        return ISOCAST_NO_MEMORY;
    }
    mark_steps(r);
    const isocast_block *block = &program->blocks[0];
    for (size_t i = 0; i < block->column_count; i++) {
        unsigned target = block->columns[i].target;
        r->entries[target] = (isocast_trace_entry){.result = target, .kind = ISOCAST_REACH_INPUT};
    }
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        if (find_blend(r, code, &r->blends[code->result]) &&
            !find_line(r, &r->blends[code->result])) {
            return ISOCAST_NO_MEMORY;
        }
        if (code->opcode == ISOCAST_OP_SELECT && !find_chain(r, code->result)) {
            return ISOCAST_NO_MEMORY;
        }
        if (code->opcode == ISOCAST_OP_SUM) {
            isocast_reach_sum_shape(r, code->block);
        }
        r->entries[code->result] = entry_of(r, code);
    }
    return ISOCAST_OK;
}

void isocast_reach_shape_free(isocast_reach *r) {
    for (size_t b = 0; r->sums != NULL && b < r->program->block_count; b++) {
        free(r->sums[b].function.pieces);
    }
    isocast_pool_free(&r->pool);
}
