#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/time_gradient.h"
#include "model/spec/algorithm_load.h"
#include "recheck.h"

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

/* The system that the point names; else p processes on the machine's nodes, class after class. */
static isocast_system *system_of(const isocast_machine *machine,
                                 const campaign_recheck_point *point) {
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, point->system != NULL ? point->system : "");
    double left = point->system != NULL ? 0 : point->p;
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

/* T and its sd relative to it. */
static bool evaluate(const isocast_model *model, const isocast_system *system,
                     campaign_recheck_point *point) {
    const isocast_machine *machine = isocast_model_machine(model);
    double *gradient = malloc((machine->parameter_count + 1) * sizeof *gradient);
    bool good = gradient != NULL &&
                isocast_time_gradient(model, system, 1, &point->predicted, gradient) == ISOCAST_OK;
    if (good && point->predicted > 0) {
        point->sigma = sqrt(fmax(isocast_machine_variance(machine, gradient), 0));
    }
    free(gradient);
    return good;
}

static bool predict(const isocast_machine *machine, campaign_recheck_point *point) {
    point->predicted = NAN;
    point->sigma = 0;
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_algorithm *algorithm = algorithm_of(point);
    isocast_system *system = system_of(machine, point);
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
