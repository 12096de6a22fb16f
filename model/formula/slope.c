#include "slope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "derivative.h"

/* What the terms of a sum need to know of what stands around it. It travels with the run as its
 * budget, which is the first member. */
typedef struct slope_frame {
    isocast_sum_budget budget;
    const isocast_slope_point *point;
    const double *outer; /* slope of register r of the enclosing block at outer[r * outer_stride] */
    size_t outer_stride;
    double from_slope; /* of the running variable */
} slope_frame;

/* Slopes of a block's registers, [register_count][width], of which the values are known. */
typedef struct slope_run {
    const isocast_block_run *run;
    const slope_frame *frame;
    double *slopes;
} slope_run;

static isocast_status run_slopes(const slope_run *s);

/* The slope of a pointwise instruction: operands v with slopes d. One that does not move adds
 * nothing, also where the derivative by it has no value. */
static double slope_of(isocast_opcode opcode, const double *v, const double *d, double value) {
    double partials[3];
    isocast_opcode_partials(opcode, v, value, partials);
    double slope = 0;
    for (size_t j = 0; j < 3; j++) {
        slope += d[j] == 0 ? 0 : partials[j] * d[j];
    }
    return slope;
}

static bool has_value(const isocast_instruction *instruction) {
    return instruction->opcode < ISOCAST_OP_SUM;
}

/* Evaluates a block of a sum and puts the slopes of its terms where the sum looks for values: the
 * block it is given is a copy whose result is one register more. */
static isocast_status evaluate_term_slopes(const isocast_block_run *run) {
    const slope_frame *frame = (const slope_frame *)(const void *)run->budget;
    isocast_status status = isocast_block_evaluate(run);
    size_t registers = run->block->register_count;
    double *slopes = calloc(registers * run->width, sizeof *slopes);
    if (slopes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    slope_run s = {run, frame, slopes};
    if (status == ISOCAST_OK) {
        status = run_slopes(&s);
    }
    /* The last register is the copy's result, the one before it names the term's. */
    size_t term = (size_t)run->registers[(registers - 2) * run->width];
    memcpy(run->registers + (registers - 1) * run->width, slopes + term * run->width,
           run->width * sizeof *slopes);
    free(slopes);
    return status;
}

/* The slope of a sum: that of its terms, whose running variable moves with `from`, and the terms
 * that come in at its end. */
static isocast_status slope_of_sum(const slope_run *s, const isocast_instruction *instruction,
                                   size_t k) {
    const isocast_block_run *run = s->run;
    size_t width = run->width;
    const isocast_block *block = &run->program->blocks[instruction->block];
    size_t from_at = instruction->operand[0] * width + k;
    size_t to_at = instruction->operand[1] * width + k;
    double from = run->registers[from_at];
    double to = run->registers[to_at];
    double end_slope = s->slopes[to_at] - s->slopes[from_at];
    double *result = &s->slopes[instruction->result * width + k];
    isocast_block_constant *constants = malloc((block->constant_count + 1) * sizeof *constants);
    if (constants == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < block->constant_count; i++) {
        constants[i] = block->constants[i];
    }
    isocast_block copy = *block;
    copy.constants = constants;
    constants[copy.constant_count++] =
        (isocast_block_constant){block->register_count, (double)block->result};
    copy.register_count = block->register_count + 2;
    copy.result = block->register_count + 1;
    slope_frame frame = {.budget = *run->budget,
                         .point = s->frame->point,
                         .outer = s->slopes + k,
                         .outer_stride = width,
                         .from_slope = s->slopes[from_at]};
    isocast_block_run around = *run;
    around.budget = &frame.budget;
    isocast_status status =
        isocast_block_sum(&around, &copy, k, from, to, evaluate_term_slopes, result);
    double end = 0;
    if (status == ISOCAST_OK && end_slope != 0) {
        status = isocast_block_end_term(&around, block, k, from, to, &end);
    }
    *result += end_slope == 0 ? 0 : end_slope * end;
    *run->budget = frame.budget;
    free(constants);
    return status;
}

static isocast_status slope_of_classes(const slope_run *s, const isocast_instruction *instruction,
                                       size_t k) {
    const isocast_block_run *run = s->run;
    const isocast_block *block = &run->program->blocks[instruction->block];
    const isocast_class_table *classes = s->frame->point->classes;
    size_t width = classes->count;
    double *registers = calloc(2 * (size_t)block->register_count * width, sizeof *registers);
    if (registers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    slope_frame frame = {.budget = *run->budget,
                         .point = s->frame->point,
                         .outer = s->slopes + k,
                         .outer_stride = run->width};
    isocast_block_run inside = isocast_block_inside(run, block, k);
    inside.width = width;
    inside.registers = registers;
    inside.classes = classes;
    inside.budget = &frame.budget;
    slope_run terms = {&inside, &frame, registers + (size_t)block->register_count * width};
    isocast_status status = isocast_block_evaluate(&inside);
    if (status == ISOCAST_OK) {
        status = run_slopes(&terms);
    }
    const double *values = registers + (size_t)block->result * width;
    const double *slopes = terms.slopes + (size_t)block->result * width;
    double *result = &s->slopes[instruction->result * run->width + k];
    *result = 0;
    for (size_t i = 0; i < width; i++) {
        *result += slopes[i];
    }
    if (instruction->opcode != ISOCAST_OP_SUM_CLASS) {
        *result = slopes[isocast_block_best_class(instruction->opcode, values, width)];
    }
    *run->budget = frame.budget;
    free(registers);
    return status;
}

static void load_slopes(const slope_run *s) {
    const isocast_block_run *run = s->run;
    const isocast_block *block = run->block;
    size_t width = run->width;
    for (size_t i = 0; run->outer != NULL && i < block->import_count; i++) {
        for (size_t k = 0; k < width; k++) {
            s->slopes[block->imports[i].target * width + k] =
                s->frame->outer[block->imports[i].outer * s->frame->outer_stride];
        }
    }
    for (size_t k = 0; block->has_running && k < width; k++) {
        s->slopes[k] = s->frame->from_slope;
    }
    for (size_t i = 0; i < block->column_count; i++) {
        double *target = s->slopes + block->columns[i].target * width;
        unsigned column = block->columns[i].column;
        for (size_t k = 0; k < width; k++) {
            target[k] = run->classes != NULL ? s->frame->point->class_slopes->rows[column][k]
                                             : s->frame->point->slopes[column];
        }
    }
}

static isocast_status run_slopes(const slope_run *s) {
    const isocast_block_run *run = s->run;
    size_t width = run->width;
    load_slopes(s);
    for (size_t i = 0; i < run->block->code_count; i++) {
        const isocast_instruction *instruction = &run->block->code[i];
        size_t operands = isocast_opcode_operands(instruction->opcode);
        for (size_t k = 0; k < width; k++) {
            if (!has_value(instruction)) {
                isocast_status status = instruction->opcode == ISOCAST_OP_SUM
                                            ? slope_of_sum(s, instruction, k)
                                            : slope_of_classes(s, instruction, k);
                if (status != ISOCAST_OK) {
                    return status;
                }
                continue;
            }
            double v[3] = {0};
            double d[3] = {0};
            for (size_t j = 0; j < operands; j++) {
                v[j] = run->registers[instruction->operand[j] * width + k];
                d[j] = s->slopes[instruction->operand[j] * width + k];
            }
            size_t result = instruction->result * width + k;
            s->slopes[result] = slope_of(instruction->opcode, v, d, run->registers[result]);
        }
    }
    return ISOCAST_OK;
}

isocast_status isocast_program_slopes(const isocast_program *program,
                                      const isocast_slope_point *point, size_t input_count,
                                      double *values, double *slopes) {
    const isocast_block *block = &program->blocks[0];
    double *registers = calloc(2 * (size_t)block->register_count + 1, sizeof *registers);
    isocast_column *columns = calloc(input_count + 1, sizeof *columns);
    isocast_status status = registers == NULL || columns == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < input_count; i++) {
        columns[i] = (isocast_column){&point->inputs[i], 0};
    }
    double error = 0;
    isocast_effort own = isocast_effort_of(0);
    slope_frame frame = {.budget = {.terms = ISOCAST_SUM_TERMS_MAX,
                                    .effort = point->effort != NULL ? point->effort : &own},
                         .point = point};
    isocast_program_points points = {.count = 1, .inputs = columns, .classes = &point->classes};
    isocast_block_run run = {.program = program,
                             .block = block,
                             .width = 1,
                             .registers = registers,
                             .points = &points,
                             .sum_error = &error,
                             .budget = &frame.budget};
    slope_run s = {&run, &frame, registers + block->register_count};
    if (status == ISOCAST_OK) {
        status = isocast_block_evaluate(&run);
    }
    if (status == ISOCAST_OK) {
        status = run_slopes(&s);
    }
    for (size_t o = 0; status == ISOCAST_OK && o < program->output_count; o++) {
        values[o] = registers[program->outputs[o]];
        slopes[o] = s.slopes[program->outputs[o]];
    }
    free(columns);
    free(registers);
    return status;
}
