#include "reach.h"

#include <math.h>
#include <stdlib.h>

#include "block.h"
#include "reach_state.h"

enum {
    DEPTH_MAX = 8000, /* instructions that wait for each other: as deep are calls nested */
    STEPS_A_BAND = 12,
    TERMS_MAX = 256,   /* of a sum that is added up one by one */
    LEFT_OUT_SHARE = 4 /* the part of a trace that it may have left out */
};

/* Powers of N up to here are numbers, and a good way beyond. */
static const double plain_most = 1e9;

static const isocast_band *value_of(isocast_reach *r, unsigned reg);
static void replay(isocast_reach *r);

/* How many instructions of a block wait for each other at most, with those of the sums in it; 0
 * without memory. */
static size_t depth_of(const isocast_program *program, const isocast_block *block) {
    size_t *depths = calloc(block->register_count + 1, sizeof *depths);
    size_t deepest = 1;
    for (size_t i = 0; depths != NULL && deepest > 0 && i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        size_t below = 0;
        for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
            size_t own = depths[code->operand[k]];
            below = own > below ? own : below;
        }
        if (code->opcode >= ISOCAST_OP_SUM) {
            const isocast_block *inner = &program->blocks[code->block];
            for (size_t k = 0; k < inner->import_count; k++) {
                size_t own = depths[inner->imports[k].outer];
                below = own > below ? own : below;
            }
            size_t inside = depth_of(program, inner);
            below += inside;
            deepest = inside > 0 ? deepest : 0;
        }
        depths[code->result] = below + 1;
        deepest = deepest > 0 && below + 1 > deepest ? below + 1 : deepest;
    }
    deepest = depths != NULL ? deepest : 0;
    free(depths);
    return deepest;
}

isocast_status isocast_reach_create(const isocast_program *program, size_t input,
                                    isocast_reach **out) {
    *out = NULL;
    size_t depth = depth_of(program, &program->blocks[0]);
    if (depth == 0 || depth > DEPTH_MAX) {
        return depth == 0 ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    isocast_reach *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    r->program = program;
    r->input = input;
    r->stamp = 1;
    isocast_status status = isocast_reach_shape_make(r);
    if (status != ISOCAST_OK) {
        isocast_reach_free(r);
        return status;
    }
    *out = r;
    return ISOCAST_OK;
}

void isocast_reach_free(isocast_reach *r) {
    if (r != NULL) {
        isocast_trace_shelf_free(&r->shelf);
        if (r->keeper != NULL) {
            r->free_keeper(r);
        }
        isocast_reach_shape_free(r);
        free(r);
    }
}

/* A trace that has led to little of what was needed is made again. */
static void leave_piece(isocast_reach *r) {
    r->keeps = false;
    if (r->replayed != NULL && LEFT_OUT_SHARE * r->left_out > r->replayed->count) {
        isocast_trace_drop(&r->shelf, r->replayed);
    }
    r->recorded = NULL;
    r->replayed = NULL;
    r->left_out = 0;
}

void isocast_reach_bind(isocast_reach *r, const isocast_column *columns,
                        const isocast_class_table *classes) {
    r->columns = columns;
    r->classes = classes;
    r->condition_stamp = ++r->stamp;
}

void isocast_reach_forget(isocast_reach *r) {
    leave_piece(r);
    r->has_group = false;
    isocast_trace_shelf_clear(&r->shelf);
}

/* r->piece and r->N are set. */
static void enter_piece(isocast_reach *r) {
    leave_piece(r);
    r->piece_stamp = ++r->stamp;
    r->replayed = isocast_trace_find(&r->shelf, r->piece.begin, r->piece.end);
    if (r->replayed != NULL) {
        replay(r);
    } else {
        r->recorded =
            isocast_trace_begin(&r->shelf, r->piece.begin, r->piece.end, r->condition_stamp);
    }
}

void isocast_reach_enter(isocast_reach *r, double begin, double end) {
    r->N = (isocast_band){1, 1, 1};
    isocast_band_piece_set(&r->piece, begin, end);
    enter_piece(r);
}

void isocast_reach_begin(isocast_reach *r, double begin, double end) {
    leave_piece(r);
    r->N = (isocast_band){1, 1, 1};
    isocast_band_piece_set(&r->piece, begin, end);
    r->piece_stamp = ++r->stamp;
}

void isocast_reach_enter_point(isocast_reach *r, double N) {
    if (N > plain_most) {
        isocast_reach_enter(r, N, N);
    } else {
        r->N = isocast_band_constant(N);
        isocast_band_piece_set_number(&r->piece, N);
        enter_piece(r);
    }
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

bool isocast_reach_ends_find(isocast_reach *r, const isocast_instruction *code,
                             isocast_reach_ends *out) {
    const isocast_reach_sum *sum = &r->sums[code->block];
    const isocast_band *from = value_of(r, code->operand[0]);
    *out = (isocast_reach_ends){.from = from->low};
    return isocast_band_is_known(from) && isocast_band_is_constant(from) && sum->usable &&
           find_affine(r, code->operand[1], &out->to_by_N, &out->to_rest) &&
           (!sum->has_offset || find_affine(r, sum->offset, &out->offset_by_N, &out->offset_rest));
}

static isocast_band sum_of(isocast_reach *r, const isocast_instruction *code) {
    isocast_band from = *value_of(r, code->operand[0]);
    isocast_band to = *value_of(r, code->operand[1]);
    if (!isocast_band_is_known(&from) || !isocast_band_is_constant(&from)) {
        return isocast_band_unknown();
    }
    isocast_reach_ends ends;
    if (isocast_reach_ends_find(r, code, &ends)) {
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
    /* At a number the terms of a sum to N are better left to the program, which takes many at a
     * time. */
    bool is_for_program = isocast_band_is_constant(&r->N) && r->origins[0][code->operand[1]].varies;
    return isocast_band_is_known(&to) && isocast_band_is_constant(&to) && !is_for_program
               ? add_one_by_one(r, code, from.low, to.low)
               : isocast_band_unknown();
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

bool isocast_reach_chain_places(isocast_reach *r, const isocast_reach_chain *chain, size_t *first,
                                size_t *last) {
    double low;
    double high;
    isocast_band_outer_range(&r->piece, value_of(r, chain->x), &low, &high);
    *first = place_of(chain, low);
    *last = place_of(chain, high);
    return !isnan(low) && !isnan(high);
}

/* What a chain can be: all of its values that the register leads to. */
static isocast_band chain_of(isocast_reach *r, const isocast_reach_chain *chain) {
    size_t first;
    size_t last;
    if (!isocast_reach_chain_places(r, chain, &first, &last)) {
        return isocast_band_unknown();
    }
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

static isocast_band run(isocast_reach *r, const isocast_trace_entry *entry) {
    const isocast_instruction *code =
        &r->program->blocks[0].code[r->origins[0][entry->result].index];
    switch ((isocast_reach_kind)entry->kind) {
    case ISOCAST_REACH_BLEND:
        return blend_of(r, &r->blends[entry->result]);
    case ISOCAST_REACH_CHAIN:
        return chain_of(r, &r->chains[entry->result]);
    case ISOCAST_REACH_SELECT:
        return select_of(r, code);
    case ISOCAST_REACH_SUM:
        return sum_of(r, code);
    case ISOCAST_REACH_CLASSES:
        return reduce_classes(r, code);
    default:
        break;
    }
    const isocast_band *first = value_of(r, entry->a);
    const isocast_band *second = value_of(r, entry->b);
    if (entry->kind == ISOCAST_REACH_SQUARE && first->low < 0 && first->high > 0) {
        double most = fmax(-first->low, first->high);
        return (isocast_band){2 * first->degree, 0, most * most};
    }
    isocast_band result =
        isocast_band_operate(&r->piece, (isocast_opcode)entry->opcode, first, second);
    return entry->kind == ISOCAST_REACH_FRACTION ? within_one(r, &result) : result;
}

/* A register that is not known yet. */
static isocast_band find_value(isocast_reach *r, unsigned reg) {
    const isocast_origin *origin = &r->origins[0][reg];
    const isocast_block *block = &r->program->blocks[0];
    if (origin->kind == ISOCAST_ORIGIN_CODE) {
        return run(r, &r->entries[reg]);
    }
    if (origin->kind == ISOCAST_ORIGIN_CONSTANT) {
        return isocast_band_constant(block->constants[origin->index].value);
    }
    if (origin->kind == ISOCAST_ORIGIN_COLUMN) {
        unsigned column = block->columns[origin->index].column;
        return column == r->input ? r->N : isocast_band_constant(r->columns[column].values[0]);
    }
    return isocast_band_unknown();
}

/* Writes down what was computed, or read if it does not depend on the input. Where memory is short,
 * there is no trace. */
static void record(isocast_reach *r, unsigned reg) {
    bool fits = true;
    if (r->origins[0][reg].varies) {
        fits = isocast_trace_add(r->recorded, &r->entries[reg]);
    } else if (r->noted[reg] != r->piece_stamp) {
        r->noted[reg] = r->piece_stamp;
        fits = isocast_trace_add_constant(r->recorded, reg);
    }
    if (!fits) {
        isocast_trace_drop(&r->shelf, r->recorded);
        r->recorded = NULL;
    }
}

static const isocast_band *value_of(isocast_reach *r, unsigned reg) {
    bool varies = r->origins[0][reg].varies;
    unsigned long due = varies ? r->piece_stamp : r->condition_stamp;
    if (r->stamps[reg] == due) {
        if (r->recorded != NULL && !varies) {
            record(r, reg);
        }
        return &r->bands[reg];
    }
    r->effort += STEPS_A_BAND;
    isocast_trace *recorded = r->recorded;
    r->recorded = varies ? recorded : NULL;
    isocast_band band = find_value(r, reg);
    r->recorded = varies ? r->recorded : recorded;
    r->bands[reg] = band;
    r->stamps[reg] = due;
    r->left_out += varies;
    if (r->recorded != NULL) {
        record(r, reg);
    }
    return &r->bands[reg];
}

/* Of two numbers; false where one is not known, or the operation is a rare one. */
static bool operate_on_numbers(isocast_opcode opcode, const isocast_band *a, const isocast_band *b,
                               isocast_band *out) {
    double value;
    if (a->low != a->high || b->low != b->high || a->degree != 0 || b->degree != 0 ||
        !isocast_band_compute(opcode, a->low, b->low, &value)) {
        return false;
    }
    *out = (isocast_band){0, value, value};
    return fabs(value) <= ISOCAST_BAND_LARGEST;
}

static inline void run_entry(isocast_reach *r, const isocast_trace_entry *entry, bool is_number) {
    isocast_band *bands = r->bands;
    if (entry->kind == ISOCAST_REACH_PLAIN) {
        const isocast_band *a = &bands[entry->a];
        const isocast_band *b = &bands[entry->b];
        isocast_opcode opcode = (isocast_opcode)entry->opcode;
        isocast_band *result = &bands[entry->result];
        bool done = is_number ? operate_on_numbers(opcode, a, b, result)
                              : isocast_band_operate_quickly(opcode, a, b, result);
        if (!done) {
            *result = isocast_band_operate(&r->piece, opcode, a, b);
        }
    } else if (entry->kind == ISOCAST_REACH_INPUT) {
        bands[entry->result] = r->N;
    } else {
        bands[entry->result] = run(r, entry);
    }
    r->stamps[entry->result] = r->piece_stamp;
}

void isocast_reach_run_entry(isocast_reach *r, const isocast_trace_entry *entry) {
    run_entry(r, entry, false);
}

/* Computes what the trace of the piece has. */
static void replay(isocast_reach *r) {
    isocast_trace *trace = r->replayed;
    for (size_t k = 0; trace->condition != r->condition_stamp && k < trace->constant_count; k++) {
        value_of(r, trace->constants[k]);
    }
    trace->condition = r->condition_stamp;
    bool is_number = isocast_band_is_constant(&r->N);
    for (size_t k = 0; k < trace->count; k++) {
        run_entry(r, &trace->entries[k], is_number);
    }
    r->effort += STEPS_A_BAND * (double)trace->count;
}

isocast_band isocast_reach_output(isocast_reach *r, size_t output) {
    return *value_of(r, r->program->outputs[output]);
}

isocast_band isocast_reach_register(isocast_reach *r, unsigned reg) {
    return *value_of(r, reg);
}
