#include <math.h>
#include <stdlib.h>

#include "model/solve/sensitivity.h"
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

static isocast_status algorithm_of(const campaign_recheck_point *point,
                                   isocast_diagnostics *diagnostics, isocast_algorithm **out) {
    isocast_buffer text = {0};
    write_algorithm(point, &text);
    isocast_status status =
        text.failed
            ? ISOCAST_NO_MEMORY
            : isocast_algorithm_read_text("point", text.text, text.length, diagnostics, out);
    isocast_buffer_free(&text);
    return status;
}

/* The system that the point names; else p processes on the machine's nodes, class after class. */
static isocast_status system_of(const isocast_machine *machine, const campaign_recheck_point *point,
                                isocast_diagnostics *diagnostics, isocast_system **out) {
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
    isocast_status status =
        text.failed ? ISOCAST_NO_MEMORY
                    : isocast_system_named(machine, NULL, "processes", text.text, diagnostics, out);
    isocast_buffer_free(&text);
    return status;
}

/* T and its sd relative to it. */
static isocast_status evaluate(const isocast_model *model, const isocast_system *system,
                               campaign_recheck_point *point) {
    const isocast_machine *machine = isocast_model_machine(model);
    double *gradient = malloc((machine->parameter_count + 1) * sizeof *gradient);
    isocast_status status =
        gradient == NULL ? ISOCAST_NO_MEMORY
                         : isocast_time_gradient(model, system, 1, &point->predicted, gradient);
    if (status == ISOCAST_OK && point->predicted > 0) {
        point->sigma = sqrt(fmax(isocast_machine_variance(machine, gradient), 0));
    }
    free(gradient);
    return status;
}

static isocast_status predict(const isocast_machine *machine, campaign_recheck_point *point) {
    point->predicted = NAN;
    point->sigma = 0;
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_algorithm *algorithm = NULL;
    isocast_system *system = NULL;
    isocast_status status = algorithm_of(point, &diagnostics, &algorithm);
    if (status == ISOCAST_OK) {
        status = system_of(machine, point, &diagnostics, &system);
    }
    if (status == ISOCAST_OK) {
        status = isocast_model_create(algorithm, machine, &diagnostics, &model);
    }
    if (status == ISOCAST_OK) {
        status = evaluate(model, system, point);
    }
    isocast_model_free(model);
    isocast_system_free(system);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

isocast_status campaign_recheck_predict(const isocast_machine *machine,
                                        campaign_recheck_point *points, size_t count) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = predict(machine, &points[i]);
    }
    return status;
}
