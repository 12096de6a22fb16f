#include "kernel_time.h"

#include <math.h>
#include <string.h>

#include "algorithm_recorded.h"
#include "definition.h"
#include "marked_speed.h"

/* Whether a formula has a name in it. */
static bool names(const isocast_formula_node *node, const char *name) {
    if (node->kind == ISOCAST_FORMULA_NAME && strcmp(node->name, name) == 0) {
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (names(node->arguments[i], name)) {
            return true;
        }
    }
    return false;
}

static bool any_names(const isocast_term *terms, size_t count, const char *name) {
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = names(terms[i].formula->root, name);
    }
    return found;
}

const isocast_operation *isocast_kernel_time_entry(const isocast_machine *machine,
                                                   const char *kernel) {
    for (size_t i = 0; kernel != NULL && i < machine->compute_count; i++) {
        if (strcmp(machine->compute[i].name, kernel) == 0) {
            return &machine->compute[i];
        }
    }
    return NULL;
}

const isocast_operation *isocast_kernel_time_find(const isocast_algorithm *algorithm,
                                                  const isocast_machine *machine) {
    const isocast_operation *entry = isocast_kernel_time_entry(machine, algorithm->kernel);
    bool known = entry != NULL && (algorithm->memory != NULL || !names(entry->formula->root, "m"));
    return known ? entry : NULL;
}

/* Whether T asks for t_c: the usual computation does, where nothing of it is sequential. */
static bool asks(const isocast_algorithm *a) {
    bool given = a->time_per_flop_given || isocast_definition_find(a, "t_c") < a->definition_count;
    if (a->kernel == NULL || given) {
        return false;
    }
    return (a->compute == NULL && a->sequential == NULL) ||
           (a->compute != NULL && names(a->compute->root, "t_c")) ||
           any_names(a->overhead, a->overhead_count, "t_c") ||
           any_names(a->definitions, a->definition_count, "t_c") ||
           any_names(a->operations, a->operation_count, "t_c");
}

static bool has_parameter(const isocast_machine *machine, const char *name) {
    bool found = false;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        found = found || strcmp(machine->parameters[i].name, name) == 0;
    }
    return found;
}

static bool has_own_speed(const isocast_algorithm *algorithm, const isocast_machine *machine) {
    return isocast_marked_speed_origin_of(machine, algorithm->kernel) ==
           ISOCAST_MARKED_SPEED_OF_PROGRAM;
}

static bool shares_memory(const isocast_machine *machine) {
    bool several = false;
    for (size_t i = 0; i < machine->class_count; i++) {
        several = several || machine->classes[i].processors > 1;
    }
    return several;
}

static bool states_caches(const isocast_machine *machine) {
    bool stated = true;
    for (size_t i = 0; i < machine->class_count; i++) {
        stated = stated && !isnan(machine->classes[i].cache);
    }
    return stated;
}

/* A time by the working set of one process knows its caches, which the traffic does only where the
 * machine states them. */
bool isocast_kernel_time_has_memory(const isocast_algorithm *algorithm,
                                    const isocast_machine *machine) {
    const isocast_operation *entry = isocast_kernel_time_find(algorithm, machine);
    return entry != NULL && asks(algorithm) &&
           (names(entry->formula->root, "p") || !shares_memory(machine) ||
            (names(entry->formula->root, "m") && !states_caches(machine)));
}

bool isocast_kernel_time_lacks_memory(const isocast_algorithm *algorithm,
                                      const isocast_machine *machine) {
    bool timed =
        asks(algorithm) && (has_parameter(machine, "t_c") || has_own_speed(algorithm, machine) ||
                            isocast_kernel_time_entry(machine, algorithm->kernel) != NULL);
    return shares_memory(machine) && !timed;
}

/* What computing takes in place of the kernel's own time. */
static const char *stand_in(const isocast_algorithm *algorithm, const isocast_machine *machine) {
    if (algorithm->compute == NULL) {
        return "its computation takes W/C, by the marked speeds";
    }
    return has_parameter(machine, "t_c") ? "its t_c is the machine's parameter for all programs"
                                         : "its t_c is p/C, by the marked speeds";
}

/* Flops that are nanoseconds of another machine: the marked speed alone makes times of them. */
static void report_unknown_speed(const isocast_algorithm *algorithm, const isocast_machine *machine,
                                 isocast_diagnostics *diagnostics) {
    static const double assumed = 1e9; /* flop/s, where derive is given no speed */
    const isocast_tree_entry *key = isocast_tree_find(&algorithm->tree->root, "recorded");
    isocast_buffer factors = {0};
    for (size_t i = 0; i < machine->class_count; i++) {
        double speed = isocast_marked_speed_of(&machine->classes[i], algorithm->kernel);
        isocast_buffer_printf(&factors, "%s%.3g", i > 0 ? ", " : "", speed / assumed);
    }
    isocast_diagnostics_add(
        diagnostics, ISOCAST_WARNING, algorithm->tree->source, key->value.span,
        "'isocast calibrate --command' measures the time per flop, also on a simulated platform; "
        "or give 'derive' the speed of the recorded processor, in the measure of this machine, by "
        "--marked-speed",
        "a flop of this work is 1 ns of the recorded machine, whose speed is not known: the "
        "computing counts as %s times as fast on '%s', and is wrong by up to as much where it is "
        "not",
        factors.text != NULL ? factors.text : "?", machine->name);
    isocast_buffer_free(&factors);
}

void isocast_kernel_time_report(const isocast_algorithm *algorithm, const isocast_machine *machine,
                                isocast_diagnostics *diagnostics) {
    const isocast_tree_entry *key = isocast_tree_find(&algorithm->tree->root, "kernel");
    bool known = isocast_kernel_time_find(algorithm, machine) != NULL;
    if (key == NULL || known || !asks(algorithm)) {
        return;
    }
    if (isocast_recorded_speed_is_unknown(algorithm)) {
        report_unknown_speed(algorithm, machine, diagnostics);
        return;
    }
    if (machine->simulated || has_own_speed(algorithm, machine)) {
        return;
    }
    const isocast_source *source = algorithm->tree->source;
    if (isocast_kernel_time_entry(machine, algorithm->kernel) != NULL) {
        isocast_diagnostics_add(diagnostics, ISOCAST_WARNING, source, key->value.span,
                                "add the bytes of one process to the algorithm, such as 'memory: "
                                "16 B * N^2/p'",
                                "machine '%s' has the time per flop of kernel '%s' by its working "
                                "set, which the algorithm does not state (no 'memory'): %s",
                                machine->name, algorithm->kernel, stand_in(algorithm, machine));
        return;
    }
    isocast_diagnostics_add(diagnostics, ISOCAST_WARNING, source, key->value.span,
                            "'isocast calibrate --for ALGORITHM' measures it for a kernel of "
                            "isocast, and with --command './PROGRAM {N}' for your own program",
                            "machine '%s' has no time per flop for kernel '%s': %s", machine->name,
                            algorithm->kernel, stand_in(algorithm, machine));
}
