#include "drawn_times.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/pool.h"
#include "model/formula/block.h"
#include "model/formula/linear.h"
#include "model/formula/narrow.h"
#include "solution.h"

enum { STEPS_A_CODE = 6, STEPS_A_DRAW = 40 };

struct isocast_drawn_times {
    const isocast_model *model;
    const isocast_uncertainty *uncertainty;
    size_t input_count;
    size_t first;            /* input of the machine's parameter 0 */
    size_t output_count;     /* W, T_c and the terms of T_o */
    isocast_pool pool;       /* of the arrays */
    isocast_column *columns; /* [input_count] */
    double *inputs;          /* [input_count] */
    double *weights;         /* [output_count], 1 for what T is the sum of */
    double *values;          /* [output_count] */
    double *gradient;        /* [input_count] */
    double *by_numbers;      /* [number_count] of the uncertainty: the gradient */
    bool *marked;            /* [input_count], that have an error or move with one */
    isocast_reach *reach;    /* NULL: the program has none */
    isocast_narrow *narrow;  /* the program for what follows; NULL: none */
    const isocast_system *system;
    const double *other_sizes;
    double low, high; /* of N */
};

/* Whether T with errors is what one gradient states. Errors: NO_MEMORY. */
static isocast_status look_at_formulas(const isocast_drawn_times *times,
                                       const isocast_uncertainty *u, bool *linear) {
    isocast_dependence *found = calloc(times->output_count + 1, sizeof *found);
    if (found == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status =
        isocast_program_dependence(isocast_model_times(times->model), times->marked, found, NULL);
    *linear = found[ISOCAST_MODEL_WORK] == ISOCAST_DEPENDENCE_NONE;
    for (size_t o = 0; o < times->output_count; o++) {
        *linear = *linear && found[o] != ISOCAST_DEPENDENCE_OTHER;
    }
    for (size_t k = 0; k < isocast_uncertainty_size_count(u); k++) {
        *linear = *linear && isocast_uncertainty_of_size(u, k) == 0;
    }
    free(found);
    return status;
}

static isocast_drawn_times *allocate(const isocast_model *model, const isocast_uncertainty *u) {
    isocast_drawn_times *times = calloc(1, sizeof *times);
    if (times == NULL) {
        return NULL;
    }
    times->model = model;
    times->uncertainty = u;
    times->input_count = isocast_model_column_count(model);
    times->first = times->input_count - isocast_model_machine(model)->parameter_count;
    times->output_count = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
    isocast_pool *pool = &times->pool;
    times->columns = isocast_pool_take(pool, times->input_count, sizeof *times->columns);
    times->inputs = isocast_pool_take(pool, times->input_count, sizeof *times->inputs);
    times->gradient = isocast_pool_take(pool, times->input_count, sizeof *times->gradient);
    times->by_numbers =
        isocast_pool_take(pool, isocast_uncertainty_count(u), sizeof *times->by_numbers);
    times->marked = isocast_pool_take(pool, times->input_count, sizeof *times->marked);
    times->weights = isocast_pool_take(pool, times->output_count, sizeof *times->weights);
    times->values = isocast_pool_take(pool, times->output_count, sizeof *times->values);
    if (pool->failed) {
        isocast_drawn_times_free(times);
        return NULL;
    }
    return times;
}

isocast_status isocast_drawn_times_create(const isocast_model *model, const isocast_uncertainty *u,
                                          isocast_drawn_times **out) {
    const isocast_machine *machine = isocast_model_machine(model);
    isocast_drawn_times *times = allocate(model, u);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    const isocast_misfits *misfits = isocast_uncertainty_misfits(u);
    for (size_t i = 0; i < machine->parameter_count; i++) {
        times->marked[times->first + i] =
            isocast_machine_covariance(machine, i, i) > 0 || isocast_misfits_move(misfits, i);
    }
    for (size_t o = ISOCAST_MODEL_COMPUTE; o < times->output_count; o++) {
        times->weights[o] = 1;
    }
    bool linear = false;
    isocast_status status = look_at_formulas(times, u, &linear);
    if (status == ISOCAST_OK && linear) {
        status = isocast_reach_create(isocast_model_times(model), 0, &times->reach);
    }
    if (status != ISOCAST_OK || !linear) {
        isocast_drawn_times_free(times);
        times = NULL;
    }
    if (status == ISOCAST_OK) {
        *out = times;
    }
    return status;
}

void isocast_drawn_times_free(isocast_drawn_times *times) {
    if (times != NULL) {
        isocast_narrow_free(times->narrow);
        isocast_reach_free(times->reach);
        isocast_pool_free(&times->pool);
        free(times);
    }
}

isocast_status isocast_drawn_times_narrow(isocast_drawn_times *times, const isocast_system *system,
                                          const double *other_sizes, double low, double high) {
    isocast_narrow_free(times->narrow);
    times->narrow = NULL;
    if (times->reach == NULL || !(low > 0) || !(high >= low)) {
        return ISOCAST_OK;
    }
    isocast_model_columns(times->model, system, other_sizes, NULL, times->columns);
    isocast_reach_bind(times->reach, times->columns, &system->table);
    isocast_reach_enter(times->reach, low, high);
    times->system = system;
    times->other_sizes = other_sizes;
    times->low = low;
    times->high = high;
    return isocast_narrow_create(isocast_model_times(times->model), times->reach, &times->narrow);
}

bool isocast_drawn_times_is_narrow(const isocast_drawn_times *times, const isocast_system *system,
                                   const double *other_sizes, double N) {
    return times->narrow != NULL && system == times->system && other_sizes == times->other_sizes &&
           N >= times->low && N <= times->high;
}

isocast_status isocast_drawn_times_evaluate(isocast_drawn_times *times, size_t count,
                                            const double *N, const double *parameters,
                                            isocast_effort *effort, double *W, double *T) {
    size_t outputs = times->output_count;
    size_t stride = times->input_count - times->first;
    double *values = malloc((outputs * count + 1) * sizeof *values);
    double **results = malloc((outputs + 1) * sizeof *results);
    if (values == NULL || results == NULL) {
        free(values);
        free(results);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t o = 0; o < outputs; o++) {
        results[o] = values + o * count;
    }
    isocast_model_columns(times->model, times->system, times->other_sizes, NULL, times->columns);
    times->columns[0] = (isocast_column){N, 1};
    for (size_t i = 0; i < stride; i++) {
        times->columns[times->first + i] = (isocast_column){parameters + i, stride};
    }
    const isocast_class_table *classes = &times->system->table;
    const isocast_program_points points = {
        .count = count, .inputs = times->columns, .classes = &classes, .effort = effort};
    isocast_status status =
        isocast_program_evaluate(isocast_narrow_program(times->narrow), &points, results, NULL);
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        double T_o = 0;
        for (size_t o = ISOCAST_MODEL_TERMS; o < outputs; o++) {
            T_o += results[o][k];
        }
        T[k] = results[ISOCAST_MODEL_COMPUTE][k] + T_o;
        W[k] = results[ISOCAST_MODEL_WORK][k];
        bool sound = isfinite(T[k]) && isfinite(W[k]) && T[k] > 0 && W[k] >= 0;
        T[k] = sound ? T[k] : NAN;
        W[k] = sound ? W[k] : NAN;
    }
    free(values);
    free(results);
    return status;
}

/* The slopes that are not 0, in the order of the numbers, on p processes. Errors: NO_MEMORY. */
static isocast_status take_slopes(isocast_drawn_times *times, double p,
                                  isocast_drawn_point *point) {
    const isocast_misfits *misfits = isocast_uncertainty_misfits(times->uncertainty);
    size_t parameters = times->input_count - times->first;
    size_t numbers = isocast_uncertainty_count(times->uncertainty);
    double *slopes = times->by_numbers;
    for (size_t i = 0; i < parameters; i++) {
        slopes[i] = times->marked[times->first + i] ? times->gradient[times->first + i] : 0;
    }
    isocast_misfits_complete(misfits, p, slopes);
    size_t count = 0;
    for (size_t i = 0; i < numbers; i++) {
        count += slopes[i] != 0;
    }
    point->numbers = malloc((count + 1) * sizeof *point->numbers);
    point->slopes = malloc((count + 1) * sizeof *point->slopes);
    if (point->numbers == NULL || point->slopes == NULL) {
        isocast_drawn_point_free(point);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < numbers; i++) {
        if (slopes[i] != 0) {
            point->numbers[point->count] = i;
            point->slopes[point->count++] = slopes[i];
        }
    }
    return ISOCAST_OK;
}

isocast_status isocast_drawn_times_at(isocast_drawn_times *times, const isocast_system *system,
                                      const double *other_sizes, double N, isocast_effort *effort,
                                      isocast_drawn_point *out) {
    isocast_model_columns(times->model, system, other_sizes, NULL, times->columns);
    times->inputs[0] = N;
    for (size_t i = 1; i < times->input_count; i++) {
        times->inputs[i] = times->columns[i].values[0];
    }
    const isocast_gradient_request wanted = {.inputs = times->inputs,
                                             .input_count = times->input_count,
                                             .classes = &system->table,
                                             .effort = effort,
                                             .weights = times->weights,
                                             .gradient_count = 1};
    double sum_error = 0;
    const isocast_program *program = isocast_drawn_times_is_narrow(times, system, other_sizes, N)
                                         ? isocast_narrow_program(times->narrow)
                                         : isocast_model_times(times->model);
    isocast_status status = isocast_program_gradient(program, &wanted, times->values,
                                                     times->gradient, NULL, &sum_error);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_drawn_point point = {.N = N, .W = times->values[ISOCAST_MODEL_WORK]};
    double T_o = 0;
    for (size_t o = ISOCAST_MODEL_TERMS; o < times->output_count; o++) {
        T_o += times->values[o];
    }
    point.T_0 = times->values[ISOCAST_MODEL_COMPUTE] + T_o;
    bool sound = point.W >= 0 && isfinite(point.W) && isfinite(point.T_0) &&
                 sum_error <= ISOCAST_SUM_ERROR_MAX;
    point.W = sound ? point.W : NAN;
    status = take_slopes(times, system->p, &point);
    if (status == ISOCAST_OK) {
        *out = point;
    }
    return status;
}

void isocast_drawn_point_free(isocast_drawn_point *point) {
    free(point->numbers);
    free(point->slopes);
    *point = (isocast_drawn_point){.W = NAN};
}

double isocast_drawn_time(const isocast_drawn_point *point, const double *errors) {
    double T = point->T_0;
    for (size_t i = 0; i < point->count; i++) {
        T += point->slopes[i] * errors[point->numbers[i]];
    }
    return T;
}

void isocast_drawn_times_of(const isocast_drawn_point *point, const double *errors, size_t draws,
                            const size_t *which, size_t count, double *T) {
    for (size_t k = 0; k < count; k++) {
        T[k] = point->T_0;
    }
    for (size_t i = 0; i < point->count; i++) {
        const double *own = errors + point->numbers[i] * draws;
        double slope = point->slopes[i];
        for (size_t k = 0; k < count; k++) {
            T[k] += slope * own[which[k]];
        }
    }
}

double isocast_drawn_times_steps(const isocast_drawn_times *times, size_t draws) {
    const isocast_program *program = isocast_model_times(times->model);
    double codes = 0;
    for (size_t b = 0; b < program->block_count; b++) {
        codes += (double)program->blocks[b].code_count;
    }
    return STEPS_A_CODE * codes + STEPS_A_DRAW * (double)draws;
}
