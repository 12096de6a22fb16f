#include "block_range.h"

#include <math.h>
#include <stdlib.h>

/* What a run of a block costs, and an instruction on ranges, about. */
enum { RUN_STEPS = 100, CODE_STEPS = 40 };

/* Sums over more terms are not looked into. */
static const double terms_most = 1e15;

static bool is_number(const isocast_dual *a) {
    return a->value.low == a->value.high && a->slope.low == 0 && a->slope.high == 0;
}

static isocast_dual operate(const isocast_instruction *instruction, const isocast_dual *registers) {
    const isocast_dual *a = &registers[instruction->operand[0]];
    const isocast_dual *b = &registers[instruction->operand[1]];
    const isocast_dual *c = &registers[instruction->operand[2]];
    if (is_number(a) && is_number(b) && is_number(c)) {
        return isocast_dual_constant(
            isocast_opcode_fold(instruction->opcode, a->value.low, b->value.low, c->value.low));
    }
    return isocast_dual_operate(instruction->opcode, instruction->block != 0, a, b, c);
}

/* What a block's register 0 and columns are. */
typedef struct setting {
    const isocast_dual *outer; /* registers of the block around */
    isocast_dual running;
    size_t class_index;
} setting;

/* Runs a block once; *out is its result. */
static isocast_status run_block(isocast_block_ranges *ranges, const isocast_block *block,
                                const setting *at, isocast_dual *out) {
    ranges->effort->left -= RUN_STEPS + CODE_STEPS * (double)block->code_count;
    if (ranges->budget == 0 || isocast_effort_is_spent(ranges->effort)) {
        *out = isocast_dual_all();
        return ISOCAST_OK;
    }
    ranges->budget--;
    isocast_dual *registers = calloc(block->register_count + 1, sizeof *registers);
    if (registers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        registers[block->constants[i].target] = isocast_dual_constant(block->constants[i].value);
    }
    for (size_t i = 0; i < block->import_count; i++) {
        registers[block->imports[i].target] = at->outer[block->imports[i].outer];
    }
    for (size_t i = 0; i < block->column_count; i++) {
        registers[block->columns[i].target] =
            isocast_dual_constant(ranges->classes->rows[block->columns[i].column][at->class_index]);
    }
    if (block->has_running) {
        registers[0] = at->running;
    }
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < block->code_count && status == ISOCAST_OK; i++) {
        const isocast_instruction *instruction = &block->code[i];
        isocast_dual *result = &registers[instruction->result];
        if (instruction->opcode >= ISOCAST_OP_SUM) {
            status = isocast_block_range_reduce(ranges, instruction, registers, result);
        } else {
            *result = operate(instruction, registers);
        }
    }
    *out = registers[block->result];
    free(registers);
    return status;
}

static isocast_dual add(isocast_dual a, isocast_dual b) {
    return isocast_dual_operate(ISOCAST_OP_ADD, false, &a, &b, NULL);
}

static isocast_dual times(isocast_dual a, isocast_range count) {
    return (isocast_dual){isocast_range_multiply(a.value, count),
                          isocast_range_multiply(a.slope, count)};
}

/* A sum's block over the terms number `first` to `last`. */
static isocast_status run_terms(isocast_block_ranges *ranges, const isocast_block *block,
                                const isocast_dual *registers, const isocast_dual *from,
                                double first, double last, isocast_dual *out) {
    setting at = {.outer = registers, .running = *from};
    at.running.value = isocast_range_add(from->value, (isocast_range){first, last});
    return run_block(ranges, block, &at, out);
}

/* The terms that are there at every N of the piece, in panels that get shorter towards both ends:
 * that is where formulas of message sizes bend. */
static isocast_status add_panels(isocast_block_ranges *ranges, const isocast_block *block,
                                 const isocast_dual *registers, const isocast_dual *from,
                                 double count, isocast_dual *sum) {
    double begin = 0;
    isocast_status status = ISOCAST_OK;
    while (begin < count && status == ISOCAST_OK) {
        double length = fmax(1, floor(fmin(begin, count - begin) / 2));
        isocast_dual term;
        status = run_terms(ranges, block, registers, from, begin, begin + length - 1, &term);
        if (status == ISOCAST_OK) {
            *sum = add(*sum, times(term, isocast_range_of(length)));
        }
        begin += length;
    }
    return status;
}

static isocast_status reduce_sum(isocast_block_ranges *ranges,
                                 const isocast_instruction *instruction,
                                 const isocast_dual *registers, isocast_dual *out) {
    const isocast_block *block = &ranges->program->blocks[instruction->block];
    const isocast_dual *from = &registers[instruction->operand[0]];
    const isocast_dual *to = &registers[instruction->operand[1]];
    isocast_dual span = isocast_dual_operate(ISOCAST_OP_SUBTRACT, false, to, from, NULL);
    *out = isocast_dual_all();
    if (!isocast_range_is_bounded(span.value) || span.value.high > terms_most) {
        return ISOCAST_OK;
    }
    if (span.value.high <= -1) {
        *out = isocast_dual_constant(0);
        return ISOCAST_OK;
    }
    double sure = fmax(0, floor(span.value.low) + 1);
    isocast_dual sum = isocast_dual_constant(0);
    isocast_status status = add_panels(ranges, block, registers, from, sure, &sum);
    if (status != ISOCAST_OK) {
        return status;
    }
    /* The terms that come or go within the piece, and the one that is there in part. */
    isocast_dual last = isocast_dual_all();
    status = run_terms(ranges, block, registers, from, sure, floor(span.value.high) + 1, &last);
    isocast_range most = {fmax(0, span.value.low + 1 - sure), span.value.high + 1 - sure};
    isocast_dual tail = {isocast_range_multiply(last.value, most),
                         isocast_range_multiply(last.slope, (isocast_range){0, most.high})};
    isocast_range moved = isocast_range_multiply(last.value, span.slope);
    if (span.value.low < -1) {
        moved = isocast_range_hull(moved, isocast_range_of(0));
    }
    tail.slope = isocast_range_add(tail.slope, moved);
    *out = add(sum, tail);
    return status;
}

static isocast_status reduce_classes(isocast_block_ranges *ranges,
                                     const isocast_instruction *instruction,
                                     const isocast_dual *registers, isocast_dual *out) {
    const isocast_block *block = &ranges->program->blocks[instruction->block];
    isocast_opcode combine = instruction->opcode == ISOCAST_OP_SUM_CLASS   ? ISOCAST_OP_ADD
                             : instruction->opcode == ISOCAST_OP_MAX_CLASS ? ISOCAST_OP_MAX
                                                                           : ISOCAST_OP_MIN;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < ranges->classes->count && status == ISOCAST_OK; i++) {
        setting at = {.outer = registers, .class_index = i};
        isocast_dual term;
        status = run_block(ranges, block, &at, &term);
        if (status == ISOCAST_OK) {
            *out = i == 0 ? term : isocast_dual_operate(combine, false, out, &term, NULL);
        }
    }
    return status;
}

isocast_status isocast_block_range_reduce(isocast_block_ranges *ranges,
                                          const isocast_instruction *instruction,
                                          const isocast_dual *registers, isocast_dual *out) {
    return instruction->opcode == ISOCAST_OP_SUM
               ? reduce_sum(ranges, instruction, registers, out)
               : reduce_classes(ranges, instruction, registers, out);
}
