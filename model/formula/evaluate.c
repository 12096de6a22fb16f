#include <math.h>
#include <stdlib.h>

#include "block.h"
#include "model/base/binomial.h"
#include "model/base/process_grid.h"

/* Points evaluated together: enough to hide the dispatch, few enough to stay in cache. */
enum { CHUNK_POINTS = 128, STACK_DOUBLES = 1024 };

static const isocast_class_table *class_table_at(const isocast_block_run *run, size_t position) {
    size_t point = run->one_point ? run->first : run->first + position;
    return run->points->classes[point * run->points->classes_stride];
}

static double combine(isocast_opcode opcode, double a, double b) {
    switch (opcode) {
    case ISOCAST_OP_MAX_CLASS:
        return isnan(b) || b > a ? b : a;
    case ISOCAST_OP_MIN_CLASS:
        return isnan(b) || b < a ? b : a;
    default:
        return a + b;
    }
}

/* Evaluates the term over the node classes of one point, a few at a time. */
static isocast_status reduce_classes(const isocast_block_run *outer,
                                     const isocast_instruction *instruction, size_t position,
                                     double *out) {
    enum { CLASSES_AT_ONCE = 16 };
    const isocast_block *block = &outer->program->blocks[instruction->block];
    const isocast_class_table *classes = class_table_at(outer, position);
    double stack[STACK_DOUBLES];
    size_t needed = (size_t)block->register_count * CLASSES_AT_ONCE;
    double *registers = needed <= STACK_DOUBLES ? stack : malloc(needed * sizeof *registers);
    if (registers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double total = instruction->opcode == ISOCAST_OP_SUM_CLASS ? 0 : NAN;
    isocast_status status = ISOCAST_OK;
    for (size_t first = 0; first < classes->count && status == ISOCAST_OK;
         first += CLASSES_AT_ONCE) {
        size_t left = classes->count - first;
        isocast_block_run run = isocast_block_inside(outer, block, position);
        run.width = left < CLASSES_AT_ONCE ? left : CLASSES_AT_ONCE;
        run.registers = registers;
        run.classes = classes;
        run.class_first = first;
        status = isocast_block_evaluate(&run);
        const double *terms = registers + (size_t)block->result * run.width;
        for (size_t k = 0; k < run.width; k++) {
            bool is_first = first + k == 0 && instruction->opcode != ISOCAST_OP_SUM_CLASS;
            total = is_first ? terms[k] : combine(instruction->opcode, total, terms[k]);
        }
    }
    if (registers != stack) {
        free(registers);
    }
    *out = total;
    return status;
}

static isocast_status run_reduction(const isocast_block_run *run,
                                    const isocast_instruction *instruction) {
    double *result = run->registers + (size_t)instruction->result * run->width;
    const double *from = run->registers + (size_t)instruction->operand[0] * run->width;
    const double *to = run->registers + (size_t)instruction->operand[1] * run->width;
    for (size_t k = 0; k < run->width; k++) {
        if (run->outer == NULL) {
            run->budget->terms = ISOCAST_SUM_TERMS_MAX;
        }
        isocast_status status =
            instruction->opcode == ISOCAST_OP_SUM
                ? isocast_block_sum(run, &run->program->blocks[instruction->block], k, from[k],
                                    to[k], isocast_block_evaluate, &result[k])
                : reduce_classes(run, instruction, k, &result[k]);
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    return ISOCAST_OK;
}

static void fill(double *target, size_t width, double value) {
    for (size_t k = 0; k < width; k++) {
        target[k] = value;
    }
}

static void load_columns(const isocast_block_run *run) {
    const isocast_block *block = run->block;
    size_t width = run->width;
    for (size_t i = 0; i < block->column_count; i++) {
        double *target = run->registers + (size_t)block->columns[i].target * width;
        unsigned column = block->columns[i].column;
        if (run->classes != NULL) {
            const double *row = run->classes->rows[column] + run->class_first;
            for (size_t k = 0; k < width; k++) {
                target[k] = row[k];
            }
            continue;
        }
        isocast_column input = run->points->inputs[column];
        const double *values = input.values + run->first * input.stride;
        for (size_t k = 0; k < width; k++) {
            target[k] = values[k * input.stride];
        }
    }
}

static void load_registers(const isocast_block_run *run) {
    const isocast_block *block = run->block;
    size_t width = run->width;
    for (size_t i = 0; i < block->constant_count; i++) {
        fill(run->registers + (size_t)block->constants[i].target * width, width,
             block->constants[i].value);
    }
    for (size_t i = 0; run->outer != NULL && i < block->import_count; i++) {
        fill(run->registers + (size_t)block->imports[i].target * width, width,
             run->outer[block->imports[i].outer * run->outer_stride]);
    }
    if (block->has_running && run->running != NULL) {
        for (size_t k = 0; k < width; k++) {
            run->registers[k] = run->running[k];
        }
    }
    load_columns(run);
}

/* The pointwise instructions from number `first` on up to the next that is none, on one point:
 * gives that one's number. */
static size_t run_on_one(const isocast_block *block, size_t first, double *registers) {
    size_t i = first;
    for (; i < block->code_count; i++) {
        const isocast_instruction *instruction = &block->code[i];
        double a = registers[instruction->operand[0]];
        double b = registers[instruction->operand[1]];
        double c = registers[instruction->operand[2]];
        double *result = &registers[instruction->result];
        switch (instruction->opcode) {
#define ISOCAST_OPCODE_ONE(name, operands, family, value, by_a, by_b, bounds)                      \
    case ISOCAST_OP_##name:                                                                        \
        *result = value;                                                                           \
        break;
            ISOCAST_OPCODE_LIST(ISOCAST_OPCODE_ONE)
#undef ISOCAST_OPCODE_ONE
        default:
            return i;
        }
    }
    return i;
}

isocast_status isocast_block_evaluate(const isocast_block_run *run) {
    load_registers(run);
    const isocast_block *block = run->block;
    size_t width = run->width;
    if (width == 1) {
        isocast_status status = ISOCAST_OK;
        for (size_t i = run_on_one(block, 0, run->registers);
             i < block->code_count && status == ISOCAST_OK;
             i = run_on_one(block, i + 1, run->registers)) {
            status = run_reduction(run, &block->code[i]);
        }
        return status;
    }
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *instruction = &block->code[i];
        if (instruction->opcode >= ISOCAST_OP_SUM) {
            isocast_status status = run_reduction(run, instruction);
            if (status != ISOCAST_OK) {
                return status;
            }
            continue;
        }
        isocast_opcode_run(instruction->opcode, width,
                           run->registers + (size_t)instruction->operand[0] * width,
                           run->registers + (size_t)instruction->operand[1] * width,
                           run->registers + (size_t)instruction->operand[2] * width,
                           run->registers + (size_t)instruction->result * width);
    }
    return ISOCAST_OK;
}

isocast_status isocast_program_evaluate(const isocast_program *program,
                                        const isocast_program_points *points,
                                        double *const *results, double *sum_error) {
    const isocast_block *block = &program->blocks[0];
    size_t chunk = points->count < CHUNK_POINTS ? points->count : CHUNK_POINTS;
    double stack[STACK_DOUBLES];
    size_t needed = (size_t)block->register_count * chunk;
    double *registers = needed <= STACK_DOUBLES ? stack : malloc(needed * sizeof *registers);
    if (registers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double error = 0;
    isocast_effort own = isocast_effort_of(0);
    isocast_sum_budget budget = {.effort = points->effort != NULL ? points->effort : &own};
    budget.effort->left -= (double)points->count * (double)block->code_count;
    isocast_status status = ISOCAST_OK;
    for (size_t first = 0; first < points->count && status == ISOCAST_OK; first += chunk) {
        size_t left = points->count - first;
        isocast_block_run run = {.program = program,
                                 .block = block,
                                 .width = left < chunk ? left : chunk,
                                 .registers = registers,
                                 .points = points,
                                 .first = first,
                                 .sum_error = &error,
                                 .budget = &budget};
        status = isocast_block_evaluate(&run);
        for (size_t o = 0; o < program->output_count; o++) {
            const double *values = registers + (size_t)program->outputs[o] * run.width;
            for (size_t k = 0; k < run.width; k++) {
                results[o][first + k] = values[k];
            }
        }
    }
    if (registers != stack) {
        free(registers);
    }
    if (status == ISOCAST_OK && sum_error != NULL) {
        *sum_error = error;
    }
    return status;
}
