#include "condition.h"

#include <math.h>
#include <stdlib.h>

#include "model/formula/block.h"

enum { CHUNK_POINTS = 32 };

/* Relative rounding error of a formula of a few dozen operations. */
static const double rounding = 2e-15;

struct isocast_condition {
    const isocast_program *program;
    const isocast_class_table *table;
    isocast_column *columns; /* [column_count] */
    size_t column_count;
    size_t output_count;
    double *values;   /* [output_count][CHUNK_POINTS] */
    double **outputs; /* [output_count] */
    double C;         /* flop/s */
    double target;
    isocast_effort *effort;
    isocast_enclosure *enclosure;
};

isocast_status isocast_condition_create(const isocast_model *model, const isocast_system *system,
                                        const double *other_sizes, const double *parameters,
                                        double target, isocast_effort *effort,
                                        isocast_condition **out) {
    isocast_condition *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    c->program = isocast_model_times(model);
    c->table = &system->table;
    c->C = system->C;
    c->target = target;
    c->effort = effort;
    c->column_count = isocast_model_column_count(model);
    c->output_count = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
    c->columns = calloc(c->column_count, sizeof *c->columns);
    c->values = malloc(c->output_count * CHUNK_POINTS * sizeof *c->values);
    c->outputs = malloc(c->output_count * sizeof(double *));
    isocast_status status = c->columns == NULL || c->values == NULL || c->outputs == NULL
                                ? ISOCAST_NO_MEMORY
                                : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        isocast_model_columns(model, system, other_sizes, parameters, c->columns);
        for (size_t o = 0; o < c->output_count; o++) {
            c->outputs[o] = c->values + o * CHUNK_POINTS;
        }
        status = isocast_enclosure_create(c->program, c->columns, c->column_count, 0, &c->table,
                                          effort, &c->enclosure);
    }
    if (status != ISOCAST_OK) {
        isocast_condition_free(c);
        return status;
    }
    *out = c;
    return ISOCAST_OK;
}

void isocast_condition_free(isocast_condition *c) {
    if (c != NULL) {
        isocast_enclosure_free(c->enclosure);
        free(c->columns);
        free(c->values);
        free(c->outputs);
        free(c);
    }
}

/* W/(E C) - T as W (1 - E)/(E C) + (W/C - T_c) - T_o: where T_c is W/C, as with balanced work,
 * nothing cancels however near E is to 1. */
static isocast_balance balance_at(const isocast_condition *c, size_t k) {
    double W = c->outputs[ISOCAST_MODEL_WORK][k];
    double T_c = c->outputs[ISOCAST_MODEL_COMPUTE][k];
    double T_o = 0;
    double size = 0;
    for (size_t o = ISOCAST_MODEL_TERMS; o < c->output_count; o++) {
        T_o += c->outputs[o][k];
        size += fabs(c->outputs[o][k]);
    }
    double T = T_c + T_o;
    double ideal = W / c->C;
    double due = W * (1 - c->target) / (c->target * c->C);
    double difference = due + (ideal - T_c) - T_o;
    double scale = fabs(due + ideal) + fabs(T);
    size += fabs(due) + (ideal == T_c ? 0 : ideal + fabs(T_c));
    bool sound = isfinite(T) && isfinite(W) && T > 0 && W >= 0;
    return (isocast_balance){.E = sound ? W / (T * c->C) : NAN,
                             .residual = sound ? difference / T : NAN,
                             .value = isfinite(scale) ? difference / scale : NAN,
                             .noise = rounding * size / scale};
}

isocast_status isocast_condition_evaluate(isocast_condition *c, size_t count, const double *N,
                                          isocast_balance *out) {
    isocast_status status = ISOCAST_OK;
    for (size_t first = 0; first < count && status == ISOCAST_OK; first += CHUNK_POINTS) {
        size_t width = count - first < CHUNK_POINTS ? count - first : CHUNK_POINTS;
        double sum_error = 0;
        c->columns[0] = (isocast_column){N + first, 1};
        isocast_program_points points = {.count = width,
                                         .inputs = c->columns,
                                         .classes = &c->table,
                                         .classes_stride = 0,
                                         .effort = c->effort};
        status = isocast_program_evaluate(c->program, &points, c->outputs, &sum_error);
        for (size_t k = 0; k < width; k++) {
            out[first + k] = balance_at(c, k);
            out[first + k].sum_error = sum_error;
        }
    }
    return status;
}

isocast_enclosure *isocast_condition_enclosure(isocast_condition *c) {
    return c->enclosure;
}

bool isocast_condition_has_sums(const isocast_condition *c) {
    const isocast_block *block = &c->program->blocks[0];
    for (size_t i = 0; i < block->code_count; i++) {
        if (block->code[i].opcode == ISOCAST_OP_SUM) {
            return true;
        }
    }
    return false;
}

isocast_status isocast_condition_enclose(isocast_condition *c, double low, double high,
                                         isocast_form *balance, bool *known) {
    isocast_status status = isocast_enclosure_enter(c->enclosure, low, high);
    if (status != ISOCAST_OK) {
        return status;
    }
    const isocast_form *work = isocast_enclosure_output(c->enclosure, ISOCAST_MODEL_WORK);
    const isocast_form *compute = isocast_enclosure_output(c->enclosure, ISOCAST_MODEL_COMPUTE);
    isocast_form_constant(balance, 0);
    *known = isocast_form_add(balance, work, 1, c->C) &&
             isocast_form_add(balance, compute, -1, 1) &&
             isocast_form_add(balance, work, 1 - c->target, c->target * c->C);
    for (size_t o = ISOCAST_MODEL_TERMS; o < c->output_count && *known; o++) {
        *known = isocast_form_add(balance, isocast_enclosure_output(c->enclosure, o), -1, 1);
    }
    return ISOCAST_OK;
}
