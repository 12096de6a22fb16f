#include "reach.h"

#include <math.h>
#include <stdlib.h>

#include "block.h"
#include "reach_state.h"
#include "reach_sum.h"

enum {
    CODE_MAX = 8000, /* instructions of block 0: they may be nested as deeply */
    STEPS_A_BAND = 12,
    TERMS_MAX = 256 /* of a sum that is added up one by one */
};

/* Powers of N up to here are numbers, and a good way beyond. */
static const double plain_most = 1e9;

static const isocast_band *value_of(isocast_reach *r, unsigned reg);

/* Where each register of a block comes from. */
static isocast_origin *trace_origins(const isocast_block *block) {
    isocast_origin *origins = calloc(block->register_count + 1, sizeof *origins);
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

/* Which registers of block 0 hang on the input. */
static void trace_input(isocast_reach *r) {
    const isocast_block *block = &r->program->blocks[0];
    isocast_origin *origins = r->origins[0];
    for (size_t i = 0; i < block->column_count; i++) {
        origins[block->columns[i].target].varies = block->columns[i].column == r->input;
    }
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        bool varies = false;
        for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
            varies = varies || origins[code->operand[k]].varies;
        }
        if (code->opcode >= ISOCAST_OP_SUM) {
            const isocast_block *inner = &r->program->blocks[code->block];
            for (size_t k = 0; k < inner->import_count; k++) {
                varies = varies || origins[inner->imports[k].outer].varies;
            }
        }
        origins[code->result].varies = varies;
    }
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
            *out = (isocast_reach_blend){with_share->operand[share], with_rest->operand[1 - rest],
                                         with_share->operand[1 - share], true};
            return true;
        }
    }
    return false;
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
    out->below = code->operand[out->goes_up ? 1 : 2];
    out->above = code->operand[out->goes_up ? 2 : 1];
    return r->origins[0][out->x].varies &&
           (out->goes_up || opcode == ISOCAST_OP_GREATER || opcode == ISOCAST_OP_GREATER_EQUAL);
}

/* Follows the chain that begins at a register and writes it down; false without memory. */
static bool find_chain(isocast_reach *r, unsigned reg) {
    isocast_reach_chain *chain = &r->chains[reg];
    chain_link last = {0};
    chain_link link;
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
    chain->bounds = malloc(length * sizeof *chain->bounds);
    chain->is_below = malloc(length * sizeof *chain->is_below);
    chain->values = malloc((length + 1) * sizeof *chain->values);
    if (chain->bounds == NULL || chain->is_below == NULL || chain->values == NULL) {
        return false;
    }
    chain->x = last.x;
    bool up = last.goes_up;
    at = reg;
    for (size_t k = 0; k < length && is_link(r, at, &link); k++) {
        chain->bounds[up ? k : length - 1 - k] = link.bound;
        chain->is_below[up ? k : length - 1 - k] = link.is_below;
        chain->values[up ? k : length - k] = up ? link.below : link.above;
        at = up ? link.above : link.below;
    }
    chain->values[up ? length : 0] = at;
    chain->count = length;
    return true;
}

static isocast_status prepare(isocast_reach *r) {
    const isocast_program *program = r->program;
    size_t registers = program->blocks[0].register_count + 1;
    size_t most = 0;
    r->origins = calloc(program->block_count, sizeof *r->origins);
    r->sums = calloc(program->block_count, sizeof *r->sums);
    r->bands = malloc(registers * sizeof *r->bands);
    r->stamps = calloc(registers, sizeof *r->stamps);
    r->blends = calloc(registers, sizeof *r->blends);
    r->chains = calloc(registers, sizeof *r->chains);
    if (r->origins == NULL || r->sums == NULL || r->bands == NULL || r->stamps == NULL ||
        r->blends == NULL || r->chains == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t b = 0; b < program->block_count; b++) {
        r->origins[b] = trace_origins(&program->blocks[b]);
        if (r->origins[b] == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        most = program->blocks[b].register_count > most ? program->blocks[b].register_count : most;
    }
    r->inner = malloc((most + 1) * sizeof *r->inner);
    r->steps = calloc(most + 1, sizeof *r->steps);
    if (r->inner == NULL || r->steps == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    trace_input(r);
    const isocast_block *block = &program->blocks[0];
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        find_blend(r, code, &r->blends[code->result]);
        if (code->opcode == ISOCAST_OP_SELECT && !find_chain(r, code->result)) {
            return ISOCAST_NO_MEMORY;
        }
        if (code->opcode == ISOCAST_OP_SUM) {
            isocast_reach_sum_shape(r, code->block);
        }
    }
    return ISOCAST_OK;
}

isocast_status isocast_reach_create(const isocast_program *program, size_t input,
                                    isocast_reach **out) {
    *out = NULL;
    if (program->blocks[0].code_count > CODE_MAX) {
        return ISOCAST_OK;
    }
    isocast_reach *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    r->program = program;
    r->input = input;
    r->stamp = 1;
    isocast_status status = prepare(r);
    if (status != ISOCAST_OK) {
        isocast_reach_free(r);
        return status;
    }
    *out = r;
    return ISOCAST_OK;
}

void isocast_reach_free(isocast_reach *r) {
    if (r != NULL) {
        for (size_t b = 0; b < r->program->block_count; b++) {
            if (r->origins != NULL) {
                free(r->origins[b]);
            }
            if (r->sums != NULL) {
                free(r->sums[b].function.pieces);
            }
        }
        free(r->origins);
        free(r->sums);
        free(r->bands);
        free(r->stamps);
        for (size_t k = 0; r->chains != NULL && k < r->program->blocks[0].register_count; k++) {
            free(r->chains[k].bounds);
            free(r->chains[k].is_below);
            free(r->chains[k].values);
        }
        free(r->chains);
        free(r->blends);
        free(r->inner);
        free(r->steps);
        free(r);
    }
}

void isocast_reach_bind(isocast_reach *r, const isocast_column *columns,
                        const isocast_class_table *classes) {
    r->columns = columns;
    r->classes = classes;
    r->condition_stamp = ++r->stamp;
}

void isocast_reach_enter(isocast_reach *r, double begin, double end) {
    isocast_band_piece_set(&r->piece, begin, end);
    r->leaves_sums = false;
    r->N = (isocast_band){1, 1, 1};
    r->piece_stamp = ++r->stamp;
}

void isocast_reach_enter_point(isocast_reach *r, double N, bool leaves_sums) {
    isocast_reach_enter(r, N, N);
    r->leaves_sums = leaves_sums;
    r->N = N <= plain_most ? isocast_band_constant(N) : r->N;
}

const isocast_band_piece *isocast_reach_piece(const isocast_reach *r) {
    return &r->piece;
}

double isocast_reach_steps(isocast_reach *r) {
    double steps = r->effort;
    r->effort = 0;
    return steps;
}

isocast_status isocast_reach_status(const isocast_reach *r) {
    return r->status;
}

/* The term of a reduction, all of its block: for one node class, or one value of the running
 * variable. */
static isocast_band term_of(isocast_reach *r, const isocast_block *block, size_t class,
                            double running) {
    isocast_band *bands = r->inner;
    if (block->has_running) {
        bands[0] = isocast_band_constant(running);
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        bands[block->constants[i].target] = isocast_band_constant(block->constants[i].value);
    }
    for (size_t i = 0; i < block->column_count; i++) {
        bands[block->columns[i].target] =
            isocast_band_constant(r->classes->rows[block->columns[i].column][class]);
    }
    for (size_t i = 0; i < block->import_count; i++) {
        /* Known already: the caller has asked for them. */
        bands[block->imports[i].target] = r->bands[block->imports[i].outer];
    }
    r->effort += STEPS_A_BAND * (double)block->code_count;
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        const isocast_band *a = &bands[code->operand[0]];
        const isocast_band *b = &bands[code->operand[1]];
        const isocast_band *c = &bands[code->operand[2]];
        if (code->opcode >= ISOCAST_OP_SUM) {
            bands[code->result] = isocast_band_unknown();
        } else if (code->opcode == ISOCAST_OP_SELECT) {
            bool holds = a->low > 0 || a->high < 0;
            bool fails = a->low == 0 && a->high == 0;
            bands[code->result] = holds ? *b : fails ? *c : isocast_band_hull(&r->piece, b, c);
        } else {
            bands[code->result] = isocast_band_operate(&r->piece, code->opcode, a, b);
        }
    }
    return bands[block->result];
}

static isocast_band combine(isocast_reach *r, isocast_opcode opcode, bool is_first,
                            const isocast_band *total, const isocast_band *term) {
    if (is_first) {
        return *term;
    }
    isocast_opcode by = opcode == ISOCAST_OP_MAX_CLASS   ? ISOCAST_OP_MAX
                        : opcode == ISOCAST_OP_MIN_CLASS ? ISOCAST_OP_MIN
                                                         : ISOCAST_OP_ADD;
    return isocast_band_operate(&r->piece, by, total, term);
}

static isocast_band reduce_classes(isocast_reach *r, const isocast_instruction *code) {
    const isocast_block *block = &r->program->blocks[code->block];
    for (size_t i = 0; i < block->import_count; i++) {
        value_of(r, block->imports[i].outer);
    }
    isocast_band total = isocast_band_constant(0);
    for (size_t k = 0; k < r->classes->count; k++) {
        isocast_band term = term_of(r, block, k, 0);
        total = combine(r, code->opcode, k == 0, &total, &term);
    }
    return total;
}

/* A sum with few terms whatever N is. */
static isocast_band add_one_by_one(isocast_reach *r, const isocast_instruction *code, double from,
                                   double to) {
    const isocast_block *block = &r->program->blocks[code->block];
    double span = to - from;
    double count = floor(span) + 1;
    if (!(count <= TERMS_MAX)) {
        return isocast_band_unknown();
    }
    for (size_t i = 0; i < block->import_count; i++) {
        value_of(r, block->imports[i].outer);
    }
    isocast_band total = isocast_band_constant(0);
    for (double k = 0; k < count; k++) {
        isocast_band term = term_of(r, block, 0, from + k);
        total = isocast_band_operate(&r->piece, ISOCAST_OP_ADD, &total, &term);
    }
    if (count >= 0 && span > floor(span)) {
        isocast_band share = isocast_band_constant(span - floor(span));
        isocast_band term = term_of(r, block, 0, from + count);
        term = isocast_band_operate(&r->piece, ISOCAST_OP_MULTIPLY, &term, &share);
        total = isocast_band_operate(&r->piece, ISOCAST_OP_ADD, &total, &term);
    }
    return total;
}

/* An affine function of N: *by_N N + *rest. */
static bool find_affine(isocast_reach *r, unsigned reg, double *by_N, double *rest) {
    const isocast_origin *origin = &r->origins[0][reg];
    if (!origin->varies) {
        const isocast_band *band = value_of(r, reg);
        *by_N = 0;
        *rest = band->low;
        return isocast_band_is_known(band);
    }
    if (origin->kind == ISOCAST_ORIGIN_COLUMN) {
        *by_N = 1;
        *rest = 0;
        return true;
    }
    const isocast_instruction *code = &r->program->blocks[0].code[origin->index];
    double factor[2] = {0, 0};
    double offset[2] = {0, 0};
    for (size_t k = 0; k < isocast_opcode_operands(code->opcode) && k < 2; k++) {
        if (code->opcode >= ISOCAST_OP_LESS ||
            !find_affine(r, code->operand[k], &factor[k], &offset[k])) {
            return false;
        }
    }
    switch (code->opcode) {
    case ISOCAST_OP_NEGATE:
        *by_N = -factor[0];
        *rest = -offset[0];
        return true;
    case ISOCAST_OP_ADD:
        *by_N = factor[0] + factor[1];
        *rest = offset[0] + offset[1];
        return true;
    case ISOCAST_OP_SUBTRACT:
        *by_N = factor[0] - factor[1];
        *rest = offset[0] - offset[1];
        return true;
    case ISOCAST_OP_MULTIPLY:
        *by_N = factor[0] * offset[1] + factor[1] * offset[0];
        *rest = offset[0] * offset[1];
        return factor[0] == 0 || factor[1] == 0;
    case ISOCAST_OP_DIVIDE:
        *by_N = factor[0] / offset[1];
        *rest = offset[0] / offset[1];
        return factor[1] == 0 && offset[1] != 0;
    default:
        return false;
    }
}

static isocast_band sum_of(isocast_reach *r, const isocast_instruction *code) {
    isocast_band from = *value_of(r, code->operand[0]);
    isocast_band to = *value_of(r, code->operand[1]);
    if (!isocast_band_is_known(&from) || !isocast_band_is_constant(&from)) {
        return isocast_band_unknown();
    }
    const isocast_reach_sum *sum = &r->sums[code->block];
    isocast_reach_ends ends = {.from = from.low};
    if (sum->usable && find_affine(r, code->operand[1], &ends.to_by_N, &ends.to_rest) &&
        (!sum->has_offset || find_affine(r, sum->offset, &ends.offset_by_N, &ends.offset_rest))) {
        const isocast_block *block = &r->program->blocks[code->block];
        for (size_t i = 0; i < block->import_count; i++) {
            if (!r->origins[0][block->imports[i].outer].varies) {
                value_of(r, block->imports[i].outer);
            }
        }
        isocast_band band = isocast_reach_sum_band(r, code->block, &ends);
        if (isocast_band_is_known(&band)) {
            return band;
        }
    }
    bool is_for_program = r->leaves_sums && r->origins[0][code->operand[1]].varies;
    return isocast_band_is_known(&to) && isocast_band_is_constant(&to) && !is_for_program
               ? add_one_by_one(r, code, from.low, to.low)
               : isocast_band_unknown();
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

static isocast_band within_one(isocast_reach *r, const isocast_band *band) {
    double low = 0;
    double high = 1;
    if (isocast_band_is_known(band)) {
        isocast_band_range(&r->piece, band, &low, &high);
    }
    low = fmin(fmax(low, 0), 1);
    return (isocast_band){0, low, fmax(low, fmin(high, 1))};
}

static isocast_band blend_of(isocast_reach *r, const isocast_reach_blend *blend) {
    const isocast_band *share = value_of(r, blend->share);
    const isocast_band *first = value_of(r, blend->first);
    const isocast_band *second = value_of(r, blend->second);
    double low;
    double high;
    isocast_band_range(&r->piece, share, &low, &high);
    return isfinite(low) && isfinite(high) ? isocast_band_blend(&r->piece, low, high, first, second)
                                           : isocast_band_unknown();
}

/* How many of the bounds x is above. */
static size_t place_of(const isocast_reach_chain *chain, double x) {
    size_t low = 0;
    size_t high = chain->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (chain->bounds[middle] < x || (chain->bounds[middle] == x && !chain->is_below[middle])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* What a chain can be: all of its values that the register leads to. */
static isocast_band chain_of(isocast_reach *r, const isocast_reach_chain *chain) {
    const isocast_band *x = value_of(r, chain->x);
    double low;
    double high;
    isocast_band_outer_range(&r->piece, x, &low, &high);
    if (isnan(low) || isnan(high)) {
        return isocast_band_unknown();
    }
    size_t first = place_of(chain, low);
    size_t last = place_of(chain, high);
    isocast_band result = *value_of(r, chain->values[first]);
    for (size_t k = first + 1; k <= last; k++) {
        result = isocast_band_hull(&r->piece, &result, value_of(r, chain->values[k]));
    }
    return result;
}

static isocast_band select_of(isocast_reach *r, const isocast_instruction *code) {
    const isocast_band *condition = value_of(r, code->operand[0]);
    if (!isocast_band_is_known(condition)) {
        return isocast_band_unknown();
    }
    if (condition->low > 0 || condition->high < 0) {
        return *value_of(r, code->operand[1]);
    }
    const isocast_band *other = value_of(r, code->operand[2]);
    if (condition->low == 0 && condition->high == 0) {
        return *other;
    }
    return isocast_band_hull(&r->piece, value_of(r, code->operand[1]), other);
}

static isocast_band run(isocast_reach *r, const isocast_instruction *code) {
    if (r->blends[code->result].is_known) {
        return blend_of(r, &r->blends[code->result]);
    }
    switch (code->opcode) {
    case ISOCAST_OP_SELECT:
        return r->chains[code->result].count > 0 ? chain_of(r, &r->chains[code->result])
                                                 : select_of(r, code);
    case ISOCAST_OP_SUM:
        return sum_of(r, code);
    case ISOCAST_OP_SUM_CLASS:
    case ISOCAST_OP_MAX_CLASS:
    case ISOCAST_OP_MIN_CLASS:
        return reduce_classes(r, code);
    default:
        break;
    }
    const isocast_band *first = value_of(r, code->operand[0]);
    const isocast_band *second =
        isocast_opcode_operands(code->opcode) > 1 ? value_of(r, code->operand[1]) : first;
    if (code->opcode == ISOCAST_OP_MULTIPLY && first == second && first->low < 0 &&
        first->high > 0) {
        double most = fmax(-first->low, first->high);
        return (isocast_band){2 * first->degree, 0, most * most};
    }
    isocast_band result = isocast_band_operate(&r->piece, code->opcode, first, second);
    return code->opcode == ISOCAST_OP_SUBTRACT && is_fraction(r, code) ? within_one(r, &result)
                                                                       : result;
}

static const isocast_band *value_of(isocast_reach *r, unsigned reg) {
    const isocast_origin *origin = &r->origins[0][reg];
    unsigned long due = origin->varies ? r->piece_stamp : r->condition_stamp;
    if (r->stamps[reg] == due) {
        return &r->bands[reg];
    }
    const isocast_block *block = &r->program->blocks[0];
    isocast_band band = isocast_band_unknown();
    r->effort += STEPS_A_BAND;
    if (origin->kind == ISOCAST_ORIGIN_CODE) {
        band = run(r, &block->code[origin->index]);
    } else if (origin->kind == ISOCAST_ORIGIN_CONSTANT) {
        band = isocast_band_constant(block->constants[origin->index].value);
    } else if (origin->kind == ISOCAST_ORIGIN_COLUMN) {
        unsigned column = block->columns[origin->index].column;
        band = column == r->input ? r->N : isocast_band_constant(r->columns[column].values[0]);
    }
    r->bands[reg] = band;
    r->stamps[reg] = due;
    return &r->bands[reg];
}

isocast_band isocast_reach_output(isocast_reach *r, size_t output) {
    return *value_of(r, r->program->outputs[output]);
}
