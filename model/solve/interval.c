#include "interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "held.h"

/* Relative step of the central differences: near the cube root of the rounding error, as their
 * error is the step squared plus the rounding error over the step. */
static const double relative_step = 1e-5;

bool isocast_interval_has_errors(const isocast_machine *machine) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        if (machine->parameters[i].standard_error > 0) {
            return true;
        }
    }
    return machine->covariance != NULL;
}

static double covariance(const isocast_machine *machine, size_t i, size_t j) {
    if (machine->covariance != NULL) {
        return machine->covariance[i * machine->parameter_count + j];
    }
    double error = machine->parameters[i].standard_error;
    return i == j && error > 0 ? error * error : 0;
}

/* What is held at rows of parameters, and last, at N a step lower and higher; shape [2 n + 2]. */
typedef struct stencil {
    size_t parameter_count;
    size_t count;       /* 2 parameter_count + 2 */
    double *N;          /* [count] */
    double *parameters; /* [count][parameter_count] */
    double *E;          /* [count] */
} stencil;

static bool stencil_create(const isocast_machine *machine, stencil *s) {
    size_t n = machine->parameter_count;
    s->parameter_count = n;
    s->count = 2 * n + 2;
    s->N = malloc(s->count * (n + 2) * sizeof *s->N);
    if (s->N == NULL) {
        return false;
    }
    s->E = s->N + s->count;
    s->parameters = s->E + s->count;
    for (size_t k = 0; k < s->count; k++) {
        for (size_t i = 0; i < n; i++) {
            s->parameters[k * n + i] = machine->parameters[i].value;
        }
    }
    return true;
}

/* The change made to parameter i: a share of its value, or of its error where it is 0. */
static double step_of(const isocast_parameter *parameter) {
    double scale = fabs(parameter->value);
    if (scale == 0 && parameter->standard_error > 0) {
        scale = parameter->standard_error;
    }
    return relative_step * scale;
}

static isocast_status stencil_evaluate(const isocast_interval_request *request, double N,
                                       const isocast_system *system, stencil *s) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    size_t n = s->parameter_count;
    for (size_t k = 0; k < s->count; k++) {
        s->N[k] = N;
    }
    s->N[2 * n] = N * exp(-relative_step);
    s->N[2 * n + 1] = N * exp(relative_step);
    for (size_t i = 0; i < n; i++) {
        double step = step_of(&machine->parameters[i]);
        s->parameters[(2 * i) * n + i] = machine->parameters[i].value - step;
        s->parameters[(2 * i + 1) * n + i] = machine->parameters[i].value + step;
    }
    isocast_model_points points = {.count = s->count,
                                   .N = s->N,
                                   .other_sizes = request->other_sizes,
                                   .systems = &system,
                                   .parameters = s->parameters,
                                   .parameters_stride = 1,
                                   .effort = request->effort};
    double sum_error;
    return isocast_held_evaluate(request->model, request->metric, &points, s->E, NULL, &sum_error);
}

/* Adds factor * d ln E/d parameter to the gradient, shape [parameter_count]. */
static void add_gradient(const isocast_machine *machine, const stencil *s, double factor,
                         double *gradient) {
    for (size_t i = 0; i < s->parameter_count; i++) {
        double step = step_of(&machine->parameters[i]);
        if (step > 0) {
            gradient[i] += factor * log(s->E[2 * i + 1] / s->E[2 * i]) / (2 * step);
        }
    }
}

static double variance_of(const isocast_machine *machine, const double *gradient) {
    double variance = 0;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        for (size_t j = 0; j < machine->parameter_count; j++) {
            variance += gradient[i] * covariance(machine, i, j) * gradient[j];
        }
    }
    return variance;
}

isocast_status isocast_interval_of_N(const isocast_interval_request *request, double *low,
                                     double *high) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    if (!isocast_interval_has_errors(machine)) {
        return ISOCAST_OK;
    }
    stencil s;
    double *gradient = calloc(machine->parameter_count, sizeof *gradient);
    if (gradient == NULL || !stencil_create(machine, &s)) {
        free(gradient);
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = stencil_evaluate(request, request->N, request->system, &s);
    double slope = log(s.E[s.count - 1] / s.E[s.count - 2]) / (2 * relative_step);
    add_gradient(machine, &s, 1, gradient);
    if (status == ISOCAST_OK && request->base != NULL) {
        status = stencil_evaluate(request, request->base_N, request->base, &s);
        add_gradient(machine, &s, -1, gradient);
    }
    double sigma = sqrt(variance_of(machine, gradient)) / fabs(slope);
    free(s.N);
    free(gradient);
    if (status == ISOCAST_OK && isfinite(sigma)) {
        double reach = gsl_cdf_ugaussian_Pinv(0.95) * sigma;
        *low = request->N * exp(-reach);
        *high = request->N * exp(reach);
    }
    return status;
}
