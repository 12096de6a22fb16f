#include "gradient.h"

#include <math.h>
#include <stdlib.h>

#include "block.h"

/* The words that derivatives are written in (opcode.h). */
#define NUMBER(x) (x)
#define NONE 0
#define TIMES(x, y) times(x, y)
#define OVER(x, y) ((x) / (y))
#define LESS_ONE(x) ((x)-1)
#define RAISED(x, y) pow(x, y)
#define LOG(x) log(x)

static double times(double x, double y) {
    return x == 0 ? 0 : x * y;
}

/* The derivatives of a pointwise instruction by its operands. v: the operands' values; shape of
 * both [3]. Where it steps they are 0, where it switches those of the active branch, and NAN where
 * there is no rule. */
static void find_partials(isocast_opcode opcode, const double *v, double r, double *d) {
    double a = v[0];
    double b = v[1];
    d[0] = d[1] = d[2] = 0;
    switch (isocast_opcode_family_of(opcode)) {
    case ISOCAST_FAMILY_SELECT:
        d[a != 0 ? 1 : 2] = 1;
        return;
    case ISOCAST_FAMILY_EXTREME:
        d[(opcode == ISOCAST_OP_MIN ? a < b : a > b) ? 0 : 1] = 1;
        return;
    case ISOCAST_FAMILY_MAGNITUDE:
        d[0] = a < 0 ? -1 : 1;
        return;
    case ISOCAST_FAMILY_TABLE:
        d[0] = opcode == ISOCAST_OP_BINOMIAL_VOLUME ? 0 : NAN;
        return;
    default:
        break;
    }
    switch (opcode) {
#define ISOCAST_OPCODE_PARTIALS(name, operands, family, value, by_a, by_b, bounds)                 \
    case ISOCAST_OP_##name:                                                                        \
        d[0] = by_a;                                                                               \
        d[1] = by_b;                                                                               \
        break;
        ISOCAST_SMOOTH_OPCODES(ISOCAST_OPCODE_PARTIALS)
#undef ISOCAST_OPCODE_PARTIALS
    default:
        break; /* it steps */
    }
}

/* What one more at the end of a sum (`from` to `to`, at a position of the run) adds to it: the term
 * that is added in part, or at a whole number of terms the mean of the last one and the next. 0
 * where the sum is empty on both sides. Errors: NO_MEMORY. */
static isocast_status end_term(const isocast_block_run *run, const isocast_block *block,
                               size_t position, double from, double to, double *out) {
    double whole = floor(to - from);
    double last[2] = {from + whole + 1, from + whole};
    double terms[2] = {0, 0};
    size_t ends = to - from == whole && whole >= 0 ? 2 : 1;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < ends && status == ISOCAST_OK && whole >= -1; i++) {
        status = isocast_block_sum(run, block, position, last[i], last[i], isocast_block_evaluate,
                                   &terms[i]);
    }
    *out = (terms[0] + terms[1]) / (double)ends;
    return status;
}

enum {
    TERMS_AT_ONCE = 32,
    STEPS_BACK = 4 /* that an instruction counts for backwards, against one forwards */
};

/* Where derivatives by inputs and class rows are added up. */
typedef struct gradient_sink {
    double *inputs;     /* [input_count] */
    double *class_rows; /* [ISOCAST_CLASS_ROWS][class_count]; NULL where not wanted */
    size_t class_count;
} gradient_sink;

/* A block that was evaluated, and what each of its values counts: adjoints [register_count][width],
 * zero but for those of the results. */
typedef struct backward {
    const isocast_block_run *run;
    const gradient_sink *sink;
    double *adjoints;
} backward;

static isocast_status run_back(const backward *b);

/* Adds what the imports of a block inside count to the registers at position k of this one. */
static void pass_imports(const backward *b, size_t k, const isocast_block *inside, size_t width,
                         const double *adjoints) {
    for (size_t i = 0; i < inside->import_count; i++) {
        const double *from = adjoints + (size_t)inside->imports[i].target * width;
        double *to = &b->adjoints[(size_t)inside->imports[i].outer * b->run->width + k];
        for (size_t t = 0; t < width; t++) {
            *to += from[t];
        }
    }
}

/* Runs a block of terms forwards, and backwards where its result counts so much, [width]. Its
 * registers and adjoints have room for both. */
static isocast_status run_terms_back(const backward *b, size_t k, const isocast_block_run *inside,
                                     const double *counts, double *from_adjoint) {
    const isocast_block *block = inside->block;
    size_t size = (size_t)block->register_count * inside->width;
    isocast_status status = isocast_block_evaluate(inside);
    if (status != ISOCAST_OK) {
        return status;
    }
    backward terms = {inside, b->sink, inside->registers + size};
    for (size_t i = 0; i < size; i++) {
        terms.adjoints[i] = 0;
    }
    for (size_t t = 0; t < inside->width; t++) {
        terms.adjoints[(size_t)block->result * inside->width + t] = counts[t];
    }
    status = run_back(&terms);
    pass_imports(b, k, block, inside->width, terms.adjoints);
    for (size_t t = 0; block->has_running && t < inside->width; t++) {
        *from_adjoint += terms.adjoints[t];
    }
    return status;
}

/* The terms that a sum is made of, some at a time. */
static isocast_status run_traced(const backward *b, const isocast_block *block, size_t k,
                                 const isocast_sum_trace *trace, double counts,
                                 double *from_adjoint) {
    const isocast_block_run *run = b->run;
    size_t most = trace->count < TERMS_AT_ONCE ? trace->count : TERMS_AT_ONCE;
    double *registers = malloc((2 * (size_t)block->register_count * most + 1) * sizeof(double));
    isocast_status status = registers == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t first = 0; first < trace->count && status == ISOCAST_OK; first += TERMS_AT_ONCE) {
        size_t left = trace->count - first;
        isocast_block_run inside = isocast_block_inside(run, block, k);
        inside.width = left < TERMS_AT_ONCE ? left : TERMS_AT_ONCE;
        inside.registers = registers;
        inside.running = trace->running + first;
        double weights[TERMS_AT_ONCE];
        for (size_t t = 0; t < inside.width; t++) {
            weights[t] = counts * trace->weights[first + t];
        }
        run->budget->effort->left -=
            (double)(STEPS_BACK + 1) * (double)inside.width * (double)block->code_count;
        status = run_terms_back(b, k, &inside, weights, from_adjoint);
    }
    free(registers);
    return status;
}

/* The running variable of all terms moves with `from`, and its end with `to` - `from`. */
static isocast_status back_through_sum(const backward *b, const isocast_instruction *instruction,
                                       size_t k, double counts) {
    const isocast_block_run *run = b->run;
    const isocast_block *block = &run->program->blocks[instruction->block];
    size_t from_at = (size_t)instruction->operand[0] * run->width + k;
    size_t to_at = (size_t)instruction->operand[1] * run->width + k;
    double from = run->registers[from_at];
    double to = run->registers[to_at];
    isocast_sum_trace trace = {0};
    isocast_block_run traced = *run;
    traced.trace = &trace;
    double sum = 0;
    double end = 0;
    double from_adjoint = 0;
    isocast_status status =
        isocast_block_sum(&traced, block, k, from, to, isocast_block_evaluate, &sum);
    if (status == ISOCAST_OK && isfinite(sum)) {
        status = run_traced(b, block, k, &trace, counts, &from_adjoint);
    }
    if (status == ISOCAST_OK) {
        status = end_term(run, block, k, from, to, &end);
    }
    double lost = isfinite(sum) ? 0 : NAN;
    b->adjoints[from_at] += from_adjoint - counts * end + lost;
    b->adjoints[to_at] += counts * end + lost;
    free(trace.running);
    free(trace.weights);
    return status;
}

static isocast_status back_through_classes(const backward *b,
                                           const isocast_instruction *instruction, size_t k,
                                           double counts) {
    const isocast_block_run *run = b->run;
    const isocast_block *block = &run->program->blocks[instruction->block];
    const isocast_class_table *classes = run->points->classes[0];
    size_t width = classes->count;
    double *registers = malloc((2 * (size_t)block->register_count + 1) * width * sizeof(double));
    if (registers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *weights = registers + 2 * (size_t)block->register_count * width;
    isocast_block_run inside = isocast_block_inside(run, block, k);
    inside.width = width;
    inside.registers = registers;
    inside.classes = classes;
    run->budget->effort->left -= (double)STEPS_BACK * (double)width * (double)block->code_count;
    isocast_status status = isocast_block_evaluate(&inside);
    size_t best = isocast_block_best_class(instruction->opcode,
                                           registers + (size_t)block->result * width, width);
    for (size_t i = 0; i < width; i++) {
        weights[i] = instruction->opcode == ISOCAST_OP_SUM_CLASS || i == best ? counts : 0;
    }
    double unused = 0;
    if (status == ISOCAST_OK) {
        status = run_terms_back(b, k, &inside, weights, &unused);
    }
    free(registers);
    return status;
}

static void back_through_value(const backward *b, const isocast_instruction *instruction, size_t k,
                               double counts) {
    size_t width = b->run->width;
    size_t operands = isocast_opcode_operands(instruction->opcode);
    double v[3] = {0};
    double partials[3];
    for (size_t j = 0; j < operands; j++) {
        v[j] = b->run->registers[(size_t)instruction->operand[j] * width + k];
    }
    double value = b->run->registers[(size_t)instruction->result * width + k];
    find_partials(instruction->opcode, v, value, partials);
    for (size_t j = 0; j < operands; j++) {
        if (partials[j] != 0) {
            b->adjoints[(size_t)instruction->operand[j] * width + k] += counts * partials[j];
        }
    }
}

/* What the columns of a block count is what is wanted. */
static void collect_columns(const backward *b) {
    const isocast_block *block = b->run->block;
    size_t width = b->run->width;
    for (size_t i = 0; i < block->column_count; i++) {
        const double *adjoints = b->adjoints + (size_t)block->columns[i].target * width;
        unsigned column = block->columns[i].column;
        for (size_t k = 0; k < width; k++) {
            if (b->run->classes == NULL) {
                b->sink->inputs[column] += adjoints[k];
            } else if (b->sink->class_rows != NULL) {
                b->sink->class_rows[column * b->sink->class_count + k] += adjoints[k];
            }
        }
    }
}

static isocast_status run_back(const backward *b) {
    const isocast_block_run *run = b->run;
    isocast_status status = ISOCAST_OK;
    for (size_t i = run->block->code_count; i-- > 0;) {
        const isocast_instruction *instruction = &run->block->code[i];
        if (run->width == 1 && b->adjoints[instruction->result] == 0) {
            /* Most are of ranges that the point is not in. */
            continue;
        }
        const double *results = b->adjoints + (size_t)instruction->result * run->width;
        for (size_t k = 0; k < run->width && status == ISOCAST_OK; k++) {
            double counts = results[k];
            if (counts == 0) {
                continue;
            }
            if (instruction->opcode < ISOCAST_OP_SUM) {
                back_through_value(b, instruction, k, counts);
            } else if (instruction->opcode == ISOCAST_OP_SUM) {
                status = back_through_sum(b, instruction, k, counts);
            } else {
                status = back_through_classes(b, instruction, k, counts);
            }
        }
    }
    collect_columns(b);
    return status;
}

/* One gradient of a program whose values are known; `adjoints` is [register_count]. */
static isocast_status run_program_back(const isocast_block_run *run, const double *weights,
                                       const gradient_sink *sink, double *adjoints) {
    const isocast_block *block = run->block;
    for (size_t i = 0; i < block->register_count; i++) {
        adjoints[i] = 0;
    }
    for (size_t o = 0; o < run->program->output_count; o++) {
        adjoints[run->program->outputs[o]] += weights[o];
    }
    run->budget->terms = ISOCAST_SUM_TERMS_MAX;
    run->budget->effort->left -= STEPS_BACK * (double)block->code_count;
    return run_back(&(backward){run, sink, adjoints});
}

static void clear(double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        values[i] = 0;
    }
}

/* All gradients of a run that is set up. */
static isocast_status run_all(const isocast_block_run *run, const isocast_gradient_request *request,
                              double *gradients, double *class_gradients) {
    size_t class_count = request->classes != NULL ? request->classes->count : 0;
    size_t class_size = ISOCAST_CLASS_ROWS * class_count;
    size_t outputs = run->program->output_count;
    clear(gradients, request->gradient_count * request->input_count);
    if (class_gradients != NULL) {
        clear(class_gradients, request->gradient_count * class_size);
    }
    isocast_status status = isocast_block_evaluate(run);
    for (size_t g = 0; g < request->gradient_count && status == ISOCAST_OK; g++) {
        gradient_sink sink = {.inputs = gradients + g * request->input_count,
                              .class_rows =
                                  class_gradients != NULL ? class_gradients + g * class_size : NULL,
                              .class_count = class_count};
        status = run_program_back(run, request->weights + g * outputs, &sink,
                                  run->registers + run->block->register_count);
    }
    return status;
}

isocast_status isocast_program_gradient(const isocast_program *program,
                                        const isocast_gradient_request *request, double *values,
                                        double *gradients, double *class_gradients,
                                        double *sum_error) {
    const isocast_block *block = &program->blocks[0];
    double *registers = malloc((2 * (size_t)block->register_count + 1) * sizeof *registers);
    isocast_column *columns = malloc((request->input_count + 1) * sizeof *columns);
    isocast_status status = registers == NULL || columns == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; columns != NULL && i < request->input_count; i++) {
        columns[i] = (isocast_column){&request->inputs[i], 0};
    }
    double error = 0;
    isocast_effort own = isocast_effort_of(0);
    isocast_sum_budget budget = {.terms = ISOCAST_SUM_TERMS_MAX,
                                 .effort = request->effort != NULL ? request->effort : &own};
    isocast_program_points points = {.count = 1, .inputs = columns, .classes = &request->classes};
    isocast_block_run run = {.program = program,
                             .block = block,
                             .width = 1,
                             .registers = registers,
                             .points = &points,
                             .sum_error = &error,
                             .budget = &budget};
    budget.effort->left -= (double)block->code_count;
    if (status == ISOCAST_OK) {
        status = run_all(&run, request, gradients, class_gradients);
    }
    for (size_t o = 0; status == ISOCAST_OK && o < program->output_count; o++) {
        values[o] = registers[program->outputs[o]];
    }
    if (status == ISOCAST_OK && sum_error != NULL) {
        *sum_error = error;
    }
    free(columns);
    free(registers);
    return status;
}
