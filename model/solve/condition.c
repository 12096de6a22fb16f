#include "condition.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/pool.h"
#include "model/formula/block.h"
#include "model/formula/linear.h"
#include "model/spec/one_class.h"

enum { CHUNK_POINTS = 32 };

/* Relative rounding error of a formula of a few dozen operations. */
static const double rounding = 2e-15;

/* T(W,1): the computation on process 0 alone. */
typedef struct alone_side {
    isocast_one_class alone;
    const isocast_class_table *table;
    isocast_column *columns; /* [column_count] */
    double values[CHUNK_POINTS];
    isocast_enclosure *enclosure;
} alone_side;

struct isocast_condition {
    const isocast_program *program;
    const isocast_program *computation;
    const isocast_class_table *table;
    isocast_pool pool;       /* of the arrays */
    isocast_column *columns; /* [column_count] */
    bool *marked;            /* [column_count], N alone */
    size_t column_count;
    size_t output_count;
    double *values;   /* [output_count][CHUNK_POINTS] */
    double **outputs; /* [output_count] */
    /* T(W,1) where the metric holds that; its columns are NULL elsewhere. */
    alone_side single;
    /* What the numerator is divided by to give T_c where the work is balanced: C of W, C/C_j of
     * T(W,1). */
    double natural;
    double size;  /* of the metric: C in flop/s, or R_f */
    double share; /* target size/natural: the target as the share of natural speed */
    isocast_effort *effort;
    isocast_enclosure *enclosure;
    bool sums_to_N; /* N moves the ends of sums */
};

static bool holds_time_alone(const isocast_condition *c) {
    return c->single.columns != NULL;
}

/* The side of T(W,1): the same machine and sizes, one process. */
static isocast_status create_single(const isocast_model *model, const isocast_system *system,
                                    const double *other_sizes, const double *parameters,
                                    isocast_condition *c) {
    alone_side *s = &c->single;
    s->columns = isocast_pool_take(&c->pool, c->column_count, sizeof *s->columns);
    if (s->columns == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_one_class_alone(isocast_model_machine(model), system, &s->alone);
    s->table = &s->alone.system.table;
    isocast_model_columns(model, &s->alone.system, other_sizes, parameters, s->columns);
    return isocast_enclosure_create(c->computation, s->columns, c->column_count, 0, s->table,
                                    c->effort, &s->enclosure);
}

static isocast_status create_sides(const isocast_model *model, isocast_metric metric,
                                   const isocast_system *system, const double *other_sizes,
                                   const double *parameters, isocast_condition *c) {
    if (c->pool.failed) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_model_columns(model, system, other_sizes, parameters, c->columns);
    for (size_t o = 0; o < c->output_count; o++) {
        c->outputs[o] = c->values + o * CHUNK_POINTS;
    }
    isocast_status status = isocast_enclosure_create(c->program, c->columns, c->column_count, 0,
                                                     c->table, c->effort, &c->enclosure);
    if (status == ISOCAST_OK) {
        c->marked[0] = true;
        status = isocast_program_dependence(c->program, c->marked, NULL, &c->sums_to_N);
    }
    bool alone = isocast_metric_takes_time_alone(metric);
    return status == ISOCAST_OK && alone ? create_single(model, system, other_sizes, parameters, c)
                                         : status;
}

isocast_status isocast_condition_create(const isocast_model *model, isocast_metric metric,
                                        const isocast_system *system, const double *other_sizes,
                                        const double *parameters, double target,
                                        isocast_effort *effort, isocast_condition **out) {
    isocast_condition *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    isocast_metric_point point = {.C = system->size, .R_f = system->reference_factor};
    c->program = isocast_model_times(model);
    c->computation = isocast_model_computation(model);
    c->table = &system->table;
    c->natural = row->numerator == ISOCAST_NUMERATOR_WORK ? system->C : system->C / system->C_j;
    c->size = isocast_metric_size_of(metric, &point);
    c->share = target * (c->size / c->natural);
    c->effort = effort;
    c->column_count = isocast_model_column_count(model);
    c->output_count = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
    c->columns = isocast_pool_take(&c->pool, c->column_count, sizeof *c->columns);
    c->marked = isocast_pool_take(&c->pool, c->column_count, sizeof *c->marked);
    c->values = isocast_pool_take(&c->pool, c->output_count * CHUNK_POINTS, sizeof *c->values);
    c->outputs = isocast_pool_take(&c->pool, c->output_count, sizeof *c->outputs);
    isocast_status status = create_sides(model, metric, system, other_sizes, parameters, c);
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
        isocast_enclosure_free(c->single.enclosure);
        isocast_pool_free(&c->pool);
        free(c);
    }
}

/* Written for W and C: W/(E C) - T as W (1 - E)/(E C) + (W/C - T_c) - T_o: where T_c is W/C, as
 * with balanced work, nothing cancels however near E is to 1. */
static isocast_balance balance_at(const isocast_condition *c, size_t k) {
    double numerator =
        holds_time_alone(c) ? c->single.values[k] : c->outputs[ISOCAST_MODEL_WORK][k];
    double T_c = c->outputs[ISOCAST_MODEL_COMPUTE][k];
    double T_o = 0;
    double size = 0;
    for (size_t o = ISOCAST_MODEL_TERMS; o < c->output_count; o++) {
        T_o += c->outputs[o][k];
        size += fabs(c->outputs[o][k]);
    }
    double T = T_c + T_o;
    double ideal = numerator / c->natural;
    double due = numerator * (1 - c->share) / (c->share * c->natural);
    double difference = due + (ideal - T_c) - T_o;
    double scale = fabs(due + ideal) + fabs(T);
    size += fabs(due) + (ideal == T_c ? 0 : ideal + fabs(T_c));
    bool sound = isfinite(T) && isfinite(numerator) && T > 0 && numerator >= 0;
    return (isocast_balance){.E = sound ? numerator / (T * c->size) : NAN,
                             .residual = sound ? difference / T : NAN,
                             .value = isfinite(scale) ? difference / scale : NAN,
                             .noise = rounding * size / scale};
}

/* T(W,1) at so many points, with the largest error of any sum in it. */
static isocast_status evaluate_single(isocast_condition *c, size_t width, const double *N,
                                      double *sum_error) {
    if (!holds_time_alone(c)) {
        return ISOCAST_OK;
    }
    double error = 0;
    double *values = c->single.values;
    c->single.columns[0] = (isocast_column){N, 1};
    isocast_program_points points = {.count = width,
                                     .inputs = c->single.columns,
                                     .classes = &c->single.table,
                                     .classes_stride = 0,
                                     .effort = c->effort};
    isocast_status status = isocast_program_evaluate(c->computation, &points, &values, &error);
    *sum_error = fmax(*sum_error, error);
    return status;
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
        if (status == ISOCAST_OK) {
            status = evaluate_single(c, width, N + first, &sum_error);
        }
        for (size_t k = 0; k < width; k++) {
            out[first + k] = balance_at(c, k);
            out[first + k].sum_error = sum_error;
        }
    }
    return status;
}

isocast_form_ranges isocast_condition_ranges(const isocast_condition *c) {
    return isocast_enclosure_ranges(c->enclosure);
}

bool isocast_condition_switch(isocast_condition *c, double switch_at[2]) {
    return isocast_enclosure_switch(c->enclosure, switch_at) ||
           (holds_time_alone(c) && isocast_enclosure_switch(c->single.enclosure, switch_at));
}

/* The computation is a part of the program. */
bool isocast_condition_has_sums(const isocast_condition *c) {
    return isocast_program_has_sums(c->program);
}

bool isocast_condition_sums_to_N(const isocast_condition *c) {
    return c->sums_to_N;
}

/* The numerator over the piece that the enclosure was entered on. */
static isocast_status enclose_numerator(isocast_condition *c, double low, double high,
                                        isocast_form *out, bool *known) {
    isocast_form_constant(out, 0);
    if (!holds_time_alone(c)) {
        const isocast_form *work = isocast_enclosure_output(c->enclosure, ISOCAST_MODEL_WORK);
        *known = isocast_form_add(out, work, 1, 1);
        return ISOCAST_OK;
    }
    isocast_status status = isocast_enclosure_enter(c->single.enclosure, low, high);
    if (status != ISOCAST_OK) {
        return status;
    }
    *known = isocast_form_add(out, isocast_enclosure_output(c->single.enclosure, 0), 1, 1);
    return *known ? isocast_enclosure_adopt(c->enclosure, c->single.enclosure, out, known)
                  : ISOCAST_OK;
}

isocast_status isocast_condition_enclose(isocast_condition *c, double low, double high,
                                         isocast_form *balance, bool *known) {
    isocast_status status = isocast_enclosure_enter(c->enclosure, low, high);
    isocast_form numerator;
    if (status == ISOCAST_OK) {
        status = enclose_numerator(c, low, high, &numerator, known);
    }
    if (status != ISOCAST_OK || !*known) {
        return status;
    }
    const isocast_form *compute = isocast_enclosure_output(c->enclosure, ISOCAST_MODEL_COMPUTE);
    isocast_form_constant(balance, 0);
    *known = isocast_form_add(balance, &numerator, 1, c->natural) &&
             isocast_form_add(balance, compute, -1, 1) &&
             isocast_form_add(balance, &numerator, 1 - c->share, c->share * c->natural);
    for (size_t o = ISOCAST_MODEL_TERMS; o < c->output_count && *known; o++) {
        *known = isocast_form_add(balance, isocast_enclosure_output(c->enclosure, o), -1, 1);
    }
    return ISOCAST_OK;
}
