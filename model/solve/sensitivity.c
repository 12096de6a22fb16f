#include "sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "model/formula/gradient.h"
#include "model/spec/machine_scope.h"
#include "model/spec/one_class.h"

/* The gradients of one program on one system. */
typedef struct gradients {
    double *inputs;  /* [input_count] */
    double *weights; /* [gradient_count][output_count] */
    double *values;  /* [output_count] */
    double *found;   /* [gradient_count][input_count] */
    double *classes; /* [gradient_count][ISOCAST_CLASS_ROWS][system->count] */
    const isocast_system *system;
    size_t input_count;
    double *memory;
} gradients;

static isocast_status gradients_create(const isocast_sensitivity_request *request,
                                       const isocast_system *system, size_t outputs, size_t count,
                                       gradients *g) {
    size_t inputs = isocast_model_column_count(request->model);
    isocast_column *columns = calloc(inputs, sizeof *columns);
    size_t class_numbers = ISOCAST_CLASS_ROWS * system->count;
    g->memory = calloc((inputs + outputs) * (1 + count) + class_numbers * count, sizeof *g->memory);
    if (columns == NULL || g->memory == NULL) {
        free(columns);
        free(g->memory);
        return ISOCAST_NO_MEMORY;
    }
    g->input_count = inputs;
    g->inputs = g->memory;
    g->found = g->inputs + inputs;
    g->values = g->found + count * inputs;
    g->weights = g->values + outputs;
    g->classes = g->weights + count * outputs;
    g->system = system;
    isocast_model_columns(request->model, system, request->other_sizes, NULL, columns);
    g->inputs[0] = request->N;
    for (size_t i = 1; i < inputs; i++) {
        g->inputs[i] = columns[i].values[0];
    }
    free(columns);
    return ISOCAST_OK;
}

/* d quantity/d marked speed of a processor of a class: as the class's own row, and in C and C_j. */
static double by_speed(const isocast_sensitivity_request *request, const gradients *g, size_t index,
                       size_t class_index) {
    const isocast_system *system = g->system;
    size_t first = isocast_model_algorithm(request->model)->size_count;
    const double *inputs = g->found + index * g->input_count + first;
    const double *own =
        g->classes + (index * ISOCAST_CLASS_ROWS + ISOCAST_CLASS_MARKED_SPEED) * system->count;
    double by_C = inputs[ISOCAST_COLUMN_C];
    double sum = 0;
    for (size_t i = 0; i < system->count; i++) {
        if (system->classes[i] == class_index) {
            double processes = system->table.rows[ISOCAST_CLASS_PROCESSES][i];
            sum += own[i] + (by_C == 0 ? 0 : by_C * processes);
        }
    }
    return system->classes[0] == class_index ? sum + inputs[ISOCAST_COLUMN_C_j] : sum;
}

/* d quantity/d ln p: more processes of all classes alike, on as many more nodes. */
static double by_processes(const isocast_sensitivity_request *request, const gradients *g,
                           size_t index) {
    const isocast_system *system = g->system;
    const double *inputs =
        g->found + index * g->input_count + isocast_model_algorithm(request->model)->size_count;
    const double *own =
        g->classes + (index * ISOCAST_CLASS_ROWS + ISOCAST_CLASS_PROCESSES) * system->count;
    double sum = inputs[ISOCAST_COLUMN_p] * system->p + inputs[ISOCAST_COLUMN_C] * system->C;
    sum += system->nodes > 1 ? inputs[ISOCAST_COLUMN_nodes] * system->nodes : 0;
    for (size_t i = 0; i < system->count; i++) {
        sum += own[i] * system->table.rows[ISOCAST_CLASS_PROCESSES][i];
    }
    return sum;
}

/* The change of a quantity from its gradient, number `index` of those found. */
static void take_change(const isocast_sensitivity_request *request, const gradients *g,
                        size_t index, double value, isocast_change *out) {
    size_t parameters = isocast_model_machine(request->model)->parameter_count;
    const double *found = g->found + index * g->input_count;
    const double *by_parameters = found + (g->input_count - parameters);
    out->by_N = found[0] * request->N / value;
    out->by_p = by_processes(request, g, index) / value;
    for (size_t i = 0; i < parameters; i++) {
        out->by_parameters[i] = by_parameters[i] == 0 ? 0 : by_parameters[i] / value;
    }
    size_t classes = isocast_model_machine(request->model)->class_count;
    for (size_t k = 0; k < classes; k++) {
        double change = by_speed(request, g, index, k);
        out->by_parameters[parameters + k] = change == 0 ? 0 : change / value;
    }
}

static isocast_status find_times(const isocast_sensitivity_request *request,
                                 isocast_sensitivity *s) {
    enum { WORK, TIME, GRADIENTS };
    const isocast_model *model = request->model;
    size_t outputs = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
    gradients g;
    isocast_status status = gradients_create(request, request->system, outputs, GRADIENTS, &g);
    if (status != ISOCAST_OK) {
        return status;
    }
    g.weights[WORK * outputs + ISOCAST_MODEL_WORK] = 1;
    for (size_t o = ISOCAST_MODEL_COMPUTE; o < outputs; o++) {
        g.weights[TIME * outputs + o] = 1;
    }
    isocast_gradient_request wanted = {.inputs = g.inputs,
                                       .input_count = g.input_count,
                                       .classes = &request->system->table,
                                       .effort = request->effort,
                                       .weights = g.weights,
                                       .gradient_count = GRADIENTS};
    status = isocast_program_gradient(isocast_model_times(model), &wanted, g.values, g.found,
                                      g.classes, NULL);
    s->W = g.values[ISOCAST_MODEL_WORK];
    for (size_t o = ISOCAST_MODEL_COMPUTE; o < outputs; o++) {
        s->T += g.values[o];
    }
    take_change(request, &g, WORK, s->W, &s->of_W);
    take_change(request, &g, TIME, s->T, &s->of_T);
    free(g.memory);
    return status;
}

static isocast_status find_alone(const isocast_sensitivity_request *request,
                                 isocast_sensitivity *s) {
    isocast_one_class alone;
    isocast_one_class_alone(isocast_model_machine(request->model), request->system, &alone);
    gradients g;
    isocast_status status = gradients_create(request, &alone.system, 1, 1, &g);
    if (status != ISOCAST_OK) {
        return status;
    }
    g.weights[0] = 1;
    isocast_gradient_request wanted = {.inputs = g.inputs,
                                       .input_count = g.input_count,
                                       .classes = &alone.system.table,
                                       .effort = request->effort,
                                       .weights = g.weights,
                                       .gradient_count = 1};
    status = isocast_program_gradient(isocast_model_computation(request->model), &wanted, g.values,
                                      g.found, g.classes, NULL);
    s->alone = g.values[0];
    take_change(request, &g, 0, s->alone, &s->of_alone);
    free(g.memory);
    return status;
}

isocast_status isocast_sensitivity_find(const isocast_sensitivity_request *request,
                                        isocast_sensitivity *out) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    size_t n = machine->parameter_count + machine->class_count + machine->reference.count;
    isocast_sensitivity s = {.numbers = calloc(3 * n + 1, sizeof *s.numbers)};
    if (s.numbers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    s.of_W.by_parameters = s.numbers;
    s.of_T.by_parameters = s.numbers + n;
    s.of_alone.by_parameters = s.numbers + 2 * n;
    isocast_status status = find_times(request, &s);
    if (status == ISOCAST_OK && request->alone) {
        status = find_alone(request, &s);
    }
    if (status != ISOCAST_OK) {
        free(s.numbers);
        return status;
    }
    *out = s;
    return ISOCAST_OK;
}

void isocast_sensitivity_free(isocast_sensitivity *s) {
    free(s->numbers);
    *s = (isocast_sensitivity){0};
}

void isocast_sensitivity_of_held(const isocast_sensitivity *s, isocast_metric metric, size_t count,
                                 isocast_change *out) {
    bool work = isocast_metric_row_of(metric)->numerator == ISOCAST_NUMERATOR_WORK;
    const isocast_change *numerator = work ? &s->of_W : &s->of_alone;
    out->by_N = numerator->by_N - s->of_T.by_N;
    for (size_t i = 0; i < count; i++) {
        out->by_parameters[i] = numerator->by_parameters[i] - s->of_T.by_parameters[i];
    }
}

isocast_status isocast_time_gradient(const isocast_model *model, const isocast_system *system,
                                     double N, double *T, double *gradient) {
    isocast_effort effort = isocast_effort_of(1);
    const isocast_sensitivity_request request = {
        .model = model, .system = system, .N = N, .effort = &effort};
    isocast_sensitivity found;
    isocast_status status = isocast_sensitivity_find(&request, &found);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < isocast_model_machine(model)->parameter_count; i++) {
        double by_parameter = found.of_T.by_parameters[i];
        gradient[i] = isfinite(by_parameter) ? by_parameter : 0;
    }
    *T = found.T;
    isocast_sensitivity_free(&found);
    return ISOCAST_OK;
}
