#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/kernel_time.h"
#include "model/spec/one_class.h"
#include "model/spec/operation_calls.h"
#include "model/spec/requirement.h"

/* Points are evaluated in chunks, so that scratch is bounded and a few points need no heap. */
enum { CHUNK_POINTS = 256, STACK_DOUBLES = 2048, STACK_ARRAYS = 64 };

struct isocast_model {
    const isocast_algorithm *algorithm;
    isocast_algorithm *corrected; /* the same where it has a correction; else NULL */
    size_t own_requirements;      /* of the algorithm without it */
    isocast_machine *completed;   /* with what runs said (requirement.h); else NULL */
    const isocast_machine *machine;
    isocast_binding *names;
    isocast_program *times;        /* W, T_c, overhead terms */
    isocast_program *computation;  /* T_c */
    isocast_program *bounds;       /* alpha, memory, concurrency */
    isocast_program *uncertain;    /* by what T may be longer; NULL where nothing is known to be */
    isocast_operation_calls calls; /* what T leads to */
    isocast_program *called; /* conditions and processes of the calls; NULL where there are none */
    size_t column_count;     /* sizes, system, parameters */
    double *parameters;      /* [parameter_count] */
    bool borrows;            /* all but the parameters belongs to another model */
};

const isocast_algorithm *isocast_model_algorithm(const isocast_model *model) {
    return model->algorithm;
}

const isocast_machine *isocast_model_machine(const isocast_model *model) {
    return model->machine;
}

const isocast_binding *isocast_model_binding(const isocast_model *model) {
    return model->names;
}

const isocast_program *isocast_model_times(const isocast_model *model) {
    return model->times;
}

const isocast_program *isocast_model_bounds(const isocast_model *model) {
    return model->bounds;
}

const isocast_program *isocast_model_computation(const isocast_model *model) {
    return model->computation;
}

size_t isocast_model_column_count(const isocast_model *model) {
    return model->column_count;
}

void isocast_model_columns(const isocast_model *model, const isocast_system *system,
                           const double *other_sizes, const double *parameters,
                           isocast_column *columns) {
    size_t sizes = model->algorithm->size_count;
    for (size_t i = 1; i < sizes; i++) {
        columns[i] = (isocast_column){&other_sizes[i - 1], 0};
    }
    for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
        columns[sizes + i] = (isocast_column){isocast_system_column(system, i), 0};
    }
    const double *values = parameters != NULL ? parameters : model->parameters;
    for (size_t i = 0; i < model->machine->parameter_count; i++) {
        columns[sizes + ISOCAST_SYSTEM_COLUMNS + i] = (isocast_column){&values[i], 0};
    }
}

isocast_status isocast_model_enclosure(const isocast_model *model, const isocast_program *program,
                                       const isocast_system *system, const double *other_sizes,
                                       isocast_effort *effort, isocast_enclosure **out) {
    isocast_column *columns = calloc(model->column_count, sizeof *columns);
    if (columns == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_model_columns(model, system, other_sizes, NULL, columns);
    isocast_status status = isocast_enclosure_create(program, columns, model->column_count, 0,
                                                     &system->table, effort, out);
    free(columns);
    return status;
}

bool isocast_model_uses(const isocast_model *model, size_t operation) {
    for (size_t i = 0; i < model->calls.call_count; i++) {
        if (model->calls.calls[i].operation == operation) {
            return true;
        }
    }
    return false;
}

bool isocast_model_misuses(const isocast_model *model, size_t restriction, size_t operation) {
    const isocast_restriction *r = &model->machine->restrictions[restriction];
    return isocast_model_uses(model, r->operations[operation]) &&
           !isocast_restriction_allows(r, model->algorithm->name);
}

const isocast_valid *isocast_model_valid(const isocast_model *model) {
    static const isocast_valid every_size = {.factor_count = 0};
    return model->machine->simulated ? &every_size : &model->algorithm->sizes[0].valid;
}

/* W, T_c and the terms; gives their number. */
static size_t list_times(const isocast_model *model, const isocast_formula **formulas) {
    formulas[ISOCAST_MODEL_WORK] = model->algorithm->work;
    formulas[ISOCAST_MODEL_COMPUTE] = isocast_binding_compute(model->names);
    for (size_t i = 0; i < model->algorithm->overhead_count; i++) {
        formulas[ISOCAST_MODEL_TERMS + i] = model->algorithm->overhead[i].formula;
    }
    return ISOCAST_MODEL_TERMS + model->algorithm->overhead_count;
}

static isocast_status compile_times(isocast_model *model, isocast_diagnostics *diagnostics) {
    size_t outputs = ISOCAST_MODEL_TERMS + model->algorithm->overhead_count;
    const isocast_formula **formulas = malloc(outputs * sizeof(const isocast_formula *));
    if (formulas == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    list_times(model, formulas);
    isocast_status status = isocast_program_compile(
        formulas, outputs, isocast_binding_scope(model->names), diagnostics, &model->times);
    free(formulas);
    return status;
}

static isocast_status compile_computation(isocast_model *model, isocast_diagnostics *diagnostics) {
    const isocast_formula *compute = isocast_binding_compute(model->names);
    return isocast_program_compile(&compute, 1, isocast_binding_scope(model->names), diagnostics,
                                   &model->computation);
}

static isocast_status compile_bounds(isocast_model *model, isocast_diagnostics *diagnostics) {
    const isocast_formula *alpha = isocast_binding_sequential(model->names);
    const isocast_formula *memory = model->algorithm->memory;
    const isocast_formula *concurrency = model->algorithm->concurrency;
    /* A missing bound is compiled as alpha, whose value is then left aside. */
    const isocast_formula *formulas[ISOCAST_MODEL_BOUNDS] = {
        [ISOCAST_MODEL_ALPHA] = alpha,
        [ISOCAST_MODEL_MEMORY] = memory != NULL ? memory : alpha,
        [ISOCAST_MODEL_CONCURRENCY] = concurrency != NULL ? concurrency : alpha};
    return isocast_program_compile(formulas, ISOCAST_MODEL_BOUNDS,
                                   isocast_binding_scope(model->names), diagnostics,
                                   &model->bounds);
}

isocast_status isocast_model_movable(const isocast_model *model, isocast_diagnostics *diagnostics,
                                     isocast_program **out) {
    const isocast_algorithm *a = model->algorithm;
    const isocast_formula **formulas =
        malloc((ISOCAST_MODEL_TERMS + a->overhead_count + 2) * sizeof(const isocast_formula *));
    if (formulas == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t outputs = list_times(model, formulas);
    if (a->memory != NULL) {
        formulas[outputs++] = a->memory;
    }
    if (a->concurrency != NULL) {
        formulas[outputs++] = a->concurrency;
    }
    isocast_status status =
        isocast_program_compile_movable(formulas, outputs, isocast_binding_scope(model->names),
                                        model->column_count, diagnostics, out);
    free(formulas);
    return status;
}

static isocast_status compile_uncertain(isocast_model *model, isocast_diagnostics *diagnostics) {
    size_t count = model->algorithm->uncertain_count;
    const isocast_formula **formulas = malloc((count + 1) * sizeof(const isocast_formula *));
    if (formulas == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        formulas[i] = model->algorithm->uncertain[i].formula;
    }
    isocast_status status =
        count > 0 ? isocast_program_compile(formulas, count, isocast_binding_scope(model->names),
                                            diagnostics, &model->uncertain)
                  : ISOCAST_OK;
    free(formulas);
    return status;
}

/* The conditions under which operations are called, and on how many processes. */
static isocast_status compile_calls(isocast_model *model, isocast_diagnostics *diagnostics) {
    isocast_operation_calls *calls = &model->calls;
    isocast_status status =
        isocast_operation_calls_find(model->names, model->algorithm, model->machine, calls);
    if (status != ISOCAST_OK || calls->formula_count == 0) {
        return status;
    }
    const isocast_formula **formulas =
        malloc(calls->formula_count * sizeof(const isocast_formula *));
    if (formulas == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < calls->formula_count; i++) {
        formulas[i] = &calls->formulas[i];
    }
    status =
        isocast_program_compile(formulas, calls->formula_count, isocast_binding_scope(model->names),
                                diagnostics, &model->called);
    free(formulas);
    return status;
}

isocast_status isocast_model_create(const isocast_algorithm *algorithm,
                                    const isocast_machine *machine,
                                    isocast_diagnostics *diagnostics, isocast_model **out) {
    return isocast_model_create_corrected(algorithm, machine, NULL, diagnostics, out);
}

isocast_status isocast_model_create_corrected(const isocast_algorithm *algorithm,
                                              const isocast_machine *machine,
                                              const isocast_correction *correction,
                                              isocast_diagnostics *diagnostics,
                                              isocast_model **out) {
    isocast_model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    if (isocast_machine_complete(machine, algorithm, &model->completed) != ISOCAST_OK) {
        free(model);
        return ISOCAST_NO_MEMORY;
    }
    machine = model->completed != NULL ? model->completed : machine;
    model->machine = machine;
    model->own_requirements = algorithm->requirement_count;
    model->column_count = algorithm->size_count + ISOCAST_SYSTEM_COLUMNS + machine->parameter_count;
    model->parameters = malloc((machine->parameter_count + 1) * sizeof *model->parameters);
    isocast_status status = model->parameters == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && correction != NULL) {
        status = isocast_corrected_create(algorithm, machine, correction, diagnostics,
                                          &model->corrected);
    }
    model->algorithm = model->corrected != NULL ? model->corrected : algorithm;
    if (status == ISOCAST_OK) {
        status = isocast_binding_create(model->algorithm, machine, diagnostics, &model->names);
    }
    for (size_t i = 0; model->parameters != NULL && i < machine->parameter_count; i++) {
        model->parameters[i] = machine->parameters[i].value;
    }
    if (status == ISOCAST_OK) {
        status = isocast_binding_check(model->names, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = compile_times(model, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = compile_computation(model, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = compile_bounds(model, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = compile_uncertain(model, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = compile_calls(model, diagnostics);
    }
    if (status != ISOCAST_OK) {
        isocast_model_free(model);
        return status;
    }
    isocast_kernel_time_report(algorithm, machine, diagnostics);
    isocast_requirements_report(algorithm, diagnostics);
    *out = model;
    return ISOCAST_OK;
}

isocast_status isocast_model_with_parameters(const isocast_model *model, const double *parameters,
                                             isocast_model **out) {
    size_t size = (model->machine->parameter_count + 1) * sizeof *parameters;
    isocast_model *varied = malloc(sizeof *varied);
    double *values = malloc(size);
    if (varied == NULL || values == NULL) {
        free(varied);
        free(values);
        return ISOCAST_NO_MEMORY;
    }
    memcpy(values, parameters, size - sizeof *parameters);
    *varied = *model;
    varied->parameters = values;
    varied->borrows = true;
    *out = varied;
    return ISOCAST_OK;
}

size_t isocast_model_correction(const isocast_model *model) {
    return model->algorithm->overhead_count - (model->corrected != NULL);
}

const double *isocast_model_parameters(const isocast_model *model) {
    return model->parameters;
}

void isocast_model_free(isocast_model *model) {
    if (model != NULL && model->borrows) {
        free(model->parameters);
        free(model);
    } else if (model != NULL) {
        isocast_program_free(model->times);
        isocast_program_free(model->computation);
        isocast_program_free(model->bounds);
        isocast_program_free(model->uncertain);
        isocast_program_free(model->called);
        isocast_operation_calls_free(&model->calls);
        isocast_binding_free(model->names);
        isocast_corrected_free(model->corrected);
        isocast_machine_completed_free(model->completed);
        free(model->parameters);
        free(model);
    }
}

/* The inputs of one chunk. Systems that differ from point to point are gathered. */
typedef struct chunk {
    size_t first;
    size_t count;
    isocast_column *columns; /* [column_count] */
    double gathered[ISOCAST_SYSTEM_COLUMNS][CHUNK_POINTS];
    const isocast_class_table *tables[CHUNK_POINTS];
    size_t tables_stride;
} chunk;

static const isocast_system *system_at(const isocast_model_points *points, size_t k) {
    return points->systems[k * points->systems_stride];
}

static void fill_systems(const isocast_model *model, const isocast_model_points *points, chunk *c) {
    size_t width = points->systems_stride == 0 ? 1 : c->count;
    for (size_t k = 0; k < width; k++) {
        const isocast_system *system = system_at(points, c->first + k);
        for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
            c->gathered[i][k] = *isocast_system_column(system, i);
        }
        c->tables[k] = &system->table;
    }
    c->tables_stride = points->systems_stride == 0 ? 0 : 1;
    for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
        c->columns[model->algorithm->size_count + i] =
            (isocast_column){c->gathered[i], c->tables_stride};
    }
}

static void fill_columns(const isocast_model *model, const isocast_model_points *points, chunk *c) {
    c->columns[0] = (isocast_column){points->N + c->first, 1};
    for (size_t i = 1; i < model->algorithm->size_count; i++) {
        c->columns[i] = (isocast_column){&points->other_sizes[i - 1], 0};
    }
    fill_systems(model, points, c);
    size_t first = model->algorithm->size_count + ISOCAST_SYSTEM_COLUMNS;
    size_t parameters = model->machine->parameter_count;
    for (size_t i = 0; i < parameters; i++) {
        if (points->parameters == NULL) {
            c->columns[first + i] = (isocast_column){&model->parameters[i], 0};
        } else {
            size_t stride = points->parameters_stride == 0 ? 0 : parameters;
            c->columns[first + i] =
                (isocast_column){points->parameters + c->first * stride + i, stride};
        }
    }
}

/* Where a wanted result of point k goes. */
static void put(double *results, size_t k, double value) {
    if (results != NULL) {
        results[k] = value;
    }
}

static void finish_times(const isocast_model *model, const isocast_model_points *points,
                         const chunk *c, double *const *outputs, isocast_model_results *results) {
    for (size_t k = 0; k < c->count; k++) {
        size_t at = c->first + k;
        double W = outputs[ISOCAST_MODEL_WORK][k];
        double T_c = outputs[ISOCAST_MODEL_COMPUTE][k];
        double T_o = 0;
        for (size_t i = 0; i < model->algorithm->overhead_count; i++) {
            double term = outputs[ISOCAST_MODEL_TERMS + i][k];
            T_o += term;
            if (results->terms != NULL) {
                results->terms[i][at] = isfinite(term) ? term : NAN;
            }
        }
        double T = T_c + T_o;
        bool sound = isfinite(T) && isfinite(W) && T > 0 && W >= 0;
        put(results->given_W, at, W);
        put(results->given_T, at, T);
        put(results->W, at, sound ? W : NAN);
        put(results->T, at, sound ? T : NAN);
        put(results->T_c, at, sound ? T_c : NAN);
        put(results->T_o, at, sound ? T_o : NAN);
        put(results->E, at, sound ? W / (T * system_at(points, at)->size) : NAN);
    }
}

/* A chunk whose columns are filled, as a program takes it. */
static isocast_program_points points_of(const chunk *c, isocast_effort *effort) {
    return (isocast_program_points){.count = c->count,
                                    .inputs = c->columns,
                                    .classes = c->tables,
                                    .classes_stride = c->tables_stride,
                                    .effort = effort};
}

static void finish_bounds(const isocast_model *model, const chunk *c, double *const *outputs,
                          isocast_model_results *results) {
    for (size_t k = 0; k < c->count; k++) {
        size_t at = c->first + k;
        put(results->alpha, at, outputs[ISOCAST_MODEL_ALPHA][k]);
        put(results->memory, at,
            model->algorithm->memory != NULL ? outputs[ISOCAST_MODEL_MEMORY][k] : NAN);
        put(results->concurrency, at,
            model->algorithm->concurrency != NULL ? outputs[ISOCAST_MODEL_CONCURRENCY][k] : NAN);
    }
}

static isocast_status evaluate_chunk(const isocast_model *model, const isocast_model_points *points,
                                     chunk *c, double *const *outputs,
                                     isocast_model_results *results) {
    fill_columns(model, points, c);
    isocast_program_points at = points_of(c, points->effort);
    double error = 0;
    isocast_status status = isocast_program_evaluate(model->times, &at, outputs, &error);
    if (status != ISOCAST_OK) {
        return status;
    }
    results->sum_error = fmax(results->sum_error, error);
    finish_times(model, points, c, outputs, results);
    if (results->memory != NULL || results->concurrency != NULL || results->alpha != NULL) {
        status = isocast_program_evaluate(model->bounds, &at, outputs, &error);
        if (status == ISOCAST_OK) {
            finish_bounds(model, c, outputs, results);
        }
    }
    return status;
}

isocast_status isocast_model_evaluate(const isocast_model *model,
                                      const isocast_model_points *points,
                                      isocast_model_results *results) {
    size_t outputs = ISOCAST_MODEL_TERMS + model->algorithm->overhead_count;
    outputs = outputs < ISOCAST_MODEL_BOUNDS ? ISOCAST_MODEL_BOUNDS : outputs;
    size_t width = points->count < CHUNK_POINTS ? points->count : CHUNK_POINTS;
    double stack_values[STACK_DOUBLES];
    double *stack_arrays[STACK_ARRAYS];
    isocast_column stack_columns[STACK_ARRAYS];
    bool small = outputs * width <= STACK_DOUBLES && outputs <= STACK_ARRAYS &&
                 model->column_count <= STACK_ARRAYS;
    double *values = small ? stack_values : malloc(outputs * width * sizeof *values);
    double **arrays = small ? stack_arrays : malloc(outputs * sizeof(double *));
    /* Field by field: its arrays are filled as far as they are used. */
    chunk c;
    c.columns = small ? stack_columns : malloc(model->column_count * sizeof(isocast_column));
    isocast_status status =
        values == NULL || arrays == NULL || c.columns == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    results->sum_error = 0;
    for (size_t i = 0; status == ISOCAST_OK && i < outputs; i++) {
        arrays[i] = values + i * width;
    }
    for (size_t first = 0; status == ISOCAST_OK && first < points->count; first += width) {
        c.first = first;
        c.count = points->count - first < width ? points->count - first : width;
        status = evaluate_chunk(model, points, &c, arrays, results);
    }
    if (!small) {
        free(values);
        free(arrays);
        free(c.columns);
    }
    return status;
}

isocast_status isocast_model_evaluate_at(const isocast_model *model, const isocast_system *system,
                                         const double *other_sizes, double N,
                                         isocast_effort *effort, isocast_model_results *results) {
    isocast_model_points points = {
        .count = 1, .N = &N, .other_sizes = other_sizes, .systems = &system, .effort = effort};
    return isocast_model_evaluate(model, &points, results);
}

isocast_status isocast_model_correction_error(const isocast_model *model,
                                              const isocast_system *system, double N,
                                              const double *other_sizes, double *out) {
    size_t count = model->machine->parameter_count;
    size_t terms = model->algorithm->overhead_count;
    size_t at = isocast_model_correction(model);
    double *values = malloc((2 * count + 2 * terms + 1) * sizeof *values);
    double **rows = malloc((terms + 1) * sizeof *rows);
    isocast_status status = values == NULL || rows == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    *out = NAN;
    if (status == ISOCAST_OK && at < terms) {
        for (size_t i = 0; i < count; i++) {
            const isocast_parameter *p = &model->machine->parameters[i];
            bool its = false;
            for (size_t k = model->own_requirements; k < model->algorithm->requirement_count; k++) {
                its = its || strcmp(model->algorithm->requirements[k].name, p->name) == 0;
            }
            values[i] = model->parameters[i];
            values[count + i] =
                model->parameters[i] + (its && p->standard_error > 0 ? p->standard_error : 0);
        }
        for (size_t k = 0; k < terms; k++) {
            rows[k] = values + 2 * count + 2 * k;
        }
        const double both[] = {N, N};
        const isocast_model_points points = {.count = 2,
                                             .N = both,
                                             .other_sizes = other_sizes,
                                             .systems = &system,
                                             .parameters = values,
                                             .parameters_stride = 1};
        isocast_model_results results = {.terms = rows};
        status = isocast_model_evaluate(model, &points, &results);
        *out = fabs(rows[at][1] - rows[at][0]);
    }
    free(values);
    free(rows);
    return status;
}

/* T_c of one chunk by the program of the computation. */
static isocast_status evaluate_computation(const isocast_model *model,
                                           const isocast_model_points *points, chunk *c,
                                           double *T_c, double *sum_error) {
    fill_columns(model, points, c);
    isocast_program_points at = points_of(c, points->effort);
    double error = 0;
    isocast_status status = isocast_program_evaluate(model->computation, &at, &T_c, &error);
    *sum_error = fmax(*sum_error, error);
    for (size_t k = 0; status == ISOCAST_OK && k < c->count; k++) {
        T_c[k] = isfinite(T_c[k]) && T_c[k] >= 0 ? T_c[k] : NAN;
    }
    return status;
}

isocast_status isocast_model_time_alone(const isocast_model *model,
                                        const isocast_model_points *points, double *T_alone,
                                        double *sum_error) {
    isocast_one_class alone;
    isocast_one_class_alone(model->machine, points->systems[0], &alone);
    const isocast_system *system = &alone.system;
    isocast_model_points alone_points = *points;
    alone_points.systems = &system;
    alone_points.systems_stride = 0;
    chunk c;
    c.columns = malloc(model->column_count * sizeof(isocast_column));
    isocast_status status = c.columns == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    *sum_error = 0;
    for (size_t first = 0; status == ISOCAST_OK && first < points->count; first += CHUNK_POINTS) {
        c.first = first;
        c.count = points->count - first < CHUNK_POINTS ? points->count - first : CHUNK_POINTS;
        status = evaluate_computation(model, &alone_points, &c, T_alone + first, sum_error);
    }
    free(c.columns);
    return status;
}

/* The values of a program's outputs at one point; shape [count]. */
static isocast_status evaluate_one(const isocast_model *model, const isocast_program *program,
                                   const isocast_model_points *points, size_t count,
                                   double *values) {
    chunk c = {.count = 1, .columns = malloc(model->column_count * sizeof(isocast_column))};
    double **places = malloc((count + 1) * sizeof *places);
    isocast_status status = ISOCAST_NO_MEMORY;
    if (c.columns != NULL && places != NULL) {
        for (size_t i = 0; i < count; i++) {
            places[i] = &values[i];
        }
        fill_columns(model, points, &c);
        isocast_program_points at = points_of(&c, points->effort);
        status = isocast_program_evaluate(program, &at, places, NULL);
    }
    free(c.columns);
    free(places);
    return status;
}

isocast_status isocast_model_uncertain(const isocast_model *model, const isocast_system *system,
                                       double N, const double *other_sizes, double *out) {
    isocast_model_points points = {
        .count = 1, .N = &N, .other_sizes = other_sizes, .systems = &system};
    return model->uncertain == NULL ? ISOCAST_OK
                                    : evaluate_one(model, model->uncertain, &points,
                                                   model->algorithm->uncertain_count, out);
}

/* Whether conditions of a call, the first of so many, are met; one without a value is. */
static bool are_met(const isocast_operation_calls *calls, size_t first, size_t count,
                    const double *values) {
    for (size_t i = 0; i < count; i++) {
        const isocast_operation_call_guard *guard = &calls->guards[first + i];
        double value = values[guard->output];
        if (!isnan(value) && (value != 0) != guard->holds) {
            return false;
        }
    }
    return true;
}

/* What a call says; elsewhere as in the system. */
static double said(const double *values, size_t index, double of_system) {
    return index == ISOCAST_OPERATION_CALLS_SYSTEM ? of_system : values[index];
}

isocast_status isocast_model_called(const isocast_model *model, const isocast_system *system,
                                    double N, const double *other_sizes, isocast_called **out,
                                    size_t *count) {
    const isocast_operation_calls *calls = &model->calls;
    double *values = malloc((calls->formula_count + 1) * sizeof *values);
    isocast_called *called = malloc((calls->call_count + 1) * sizeof *called);
    isocast_model_points points = {
        .count = 1, .N = &N, .other_sizes = other_sizes, .systems = &system};
    isocast_status status = values == NULL || called == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK && model->called != NULL) {
        status = evaluate_one(model, model->called, &points, calls->formula_count, values);
    }
    size_t found = 0;
    for (size_t i = 0; status == ISOCAST_OK && i < calls->call_count; i++) {
        const isocast_operation_call *call = &calls->calls[i];
        if (are_met(calls, call->first_guard, call->guard_count, values)) {
            called[found++] =
                (isocast_called){call->operation, said(values, call->processes, system->p),
                                 said(values, call->share, system->p_node)};
        }
    }
    free(values);
    if (status != ISOCAST_OK) {
        free(called);
        return status;
    }
    *out = called;
    *count = found;
    return ISOCAST_OK;
}

isocast_status isocast_model_negative(const isocast_model *model, const isocast_system *system,
                                      double N, const double *other_sizes, isocast_negative *out) {
    static const double rounding = 1e-6;
    const isocast_operation_calls *calls = &model->calls;
    double *values = malloc((calls->formula_count + 1) * sizeof *values);
    isocast_model_points points = {
        .count = 1, .N = &N, .other_sizes = other_sizes, .systems = &system};
    isocast_status status = values != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK && model->called != NULL) {
        status = evaluate_one(model, model->called, &points, calls->formula_count, values);
    }
    isocast_negative found = {.formula = NULL};
    for (size_t i = 0; status == ISOCAST_OK && i < calls->number_count && !found.formula; i++) {
        const isocast_operation_number *number = &calls->numbers[i];
        double value = values[number->output];
        if (value < -rounding && are_met(calls, number->first_guard, number->guard_count, values)) {
            found = (isocast_negative){&calls->formulas[number->output], number->is_count, value};
        }
    }
    free(values);
    *out = found;
    return status;
}

isocast_status isocast_model_measured_processes(const isocast_model *model,
                                                const isocast_system *system, double N,
                                                const double *other_sizes, double *p_max) {
    isocast_called *called = NULL;
    size_t count = 0;
    isocast_status status = isocast_model_called(model, system, N, other_sizes, &called, &count);
    double least = NAN;
    for (size_t i = 0; status == ISOCAST_OK && i < count; i++) {
        double most = model->machine->operations[called[i].operation].p_max;
        least = called[i].processes > most ? fmin(least, most) : least;
    }
    free(called);
    if (status == ISOCAST_OK) {
        *p_max = least;
    }
    return status;
}
