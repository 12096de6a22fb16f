#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/model.h"
#include "model/spec/algorithm_load.h"
#include "recheck.h"

/* Relative step of the differences. */
static const double step = 1e-4;

/* An algorithm that does nothing but the point once: its only term is the operation's time, or its
 * computation one flop of the kernel at the working set. */
static void write_algorithm(const campaign_recheck_point *point, isocast_buffer *out) {
    isocast_buffer_puts(out, "algorithm: point\nsize: {N: {min: 1}}\nwork: N\n");
    if (point->is_kernel) {
        isocast_buffer_printf(out, "compute: (1 flop)*t_c\nmemory: %.17g B\nkernel: %s\n", point->m,
                              point->name);
    } else if (point->m > 0) {
        isocast_buffer_printf(out, "compute: 0 s\noverhead: {all: %s(%.17g B)}\n", point->name,
                              point->m);
    } else {
        isocast_buffer_printf(out, "compute: 0 s\noverhead: {all: %s()}\n", point->name);
    }
}

static isocast_algorithm *algorithm_of(const campaign_recheck_point *point) {
    isocast_buffer text = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    write_algorithm(point, &text);
    if (!text.failed &&
        isocast_source_take("point", text.text, text.length, &diagnostics, &source) == ISOCAST_OK) {
        (void)isocast_algorithm_read(source, &diagnostics, &algorithm);
    }
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&diagnostics);
    return algorithm;
}

/* p processes on the machine's nodes, class after class: what an operation takes depends on p
 * alone. */
static isocast_system *system_of(const isocast_machine *machine, double p) {
    isocast_buffer text = {0};
    double left = p;
    for (size_t i = 0; i < machine->class_count && left > 0; i++) {
        const isocast_node_class *class = &machine->classes[i];
        bool last = i + 1 == machine->class_count;
        double taken = last ? left : fmin(left, class->count * class->processors);
        isocast_buffer_printf(&text, "%s%s:%.0f", text.length > 0 ? "+" : "", class->name, taken);
        left -= taken;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_system **systems = NULL;
    isocast_system *system = NULL;
    size_t count = 0;
    if (!text.failed && isocast_systems_parse(machine, NULL, "processes", text.text, &diagnostics,
                                              &systems, &count) == ISOCAST_OK) {
        system = systems[0];
        free(systems);
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
    return system;
}

static double covariance(const isocast_machine *machine, size_t i, size_t j) {
    if (machine->covariance != NULL) {
        return machine->covariance[i * machine->parameter_count + j];
    }
    double error = machine->parameters[i].standard_error;
    return i == j && error > 0 ? error * error : 0;
}

/* T and its sd relative to it, from T at the parameters as they are, [0], and with each a step
 * larger; shape of T: [parameter_count + 1]. */
static void take_times(const isocast_machine *machine, const double *T,
                       campaign_recheck_point *point) {
    size_t n = machine->parameter_count;
    double variance = 0;
    point->predicted = T[0];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double steps =
                step * machine->parameters[i].value * step * machine->parameters[j].value;
            double both = (T[i + 1] - T[0]) * (T[j + 1] - T[0]);
            variance += both != 0 && steps != 0 ? both * covariance(machine, i, j) / steps : 0;
        }
    }
    point->sigma = variance > 0 && T[0] > 0 ? sqrt(variance) / T[0] : 0;
}

static bool evaluate(const isocast_model *model, const isocast_system *system,
                     campaign_recheck_point *point) {
    const isocast_machine *machine = isocast_model_machine(model);
    size_t n = machine->parameter_count;
    double *rows = malloc((n + 1) * (n + 2) * sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    double *N = rows + (n + 1) * n;
    double *T = N + n + 1;
    for (size_t k = 0; k <= n; k++) {
        N[k] = 1;
        for (size_t i = 0; i < n; i++) {
            rows[k * n + i] = machine->parameters[i].value * (i + 1 == k ? 1 + step : 1);
        }
    }
    isocast_model_points points = {
        .count = n + 1, .N = N, .systems = &system, .parameters = rows, .parameters_stride = 1};
    isocast_model_results results = {.T = T};
    bool good = isocast_model_evaluate(model, &points, &results) == ISOCAST_OK;
    if (good) {
        take_times(machine, T, point);
    }
    free(rows);
    return good;
}

static bool predict(const isocast_machine *machine, campaign_recheck_point *point) {
    point->predicted = NAN;
    point->sigma = 0;
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_algorithm *algorithm = algorithm_of(point);
    isocast_system *system = system_of(machine, point->p);
    bool good = algorithm != NULL && system != NULL &&
                isocast_model_create(algorithm, machine, &diagnostics, &model) == ISOCAST_OK &&
                evaluate(model, system, point);
    isocast_model_free(model);
    if (system != NULL) {
        isocast_system_free(system);
    }
    if (algorithm != NULL) {
        isocast_algorithm_free(algorithm);
    }
    isocast_diagnostics_clear(&diagnostics);
    return good;
}

bool campaign_recheck_predict(const isocast_machine *machine, campaign_recheck_point *points,
                              size_t count) {
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = predict(machine, &points[i]);
    }
    return good;
}
