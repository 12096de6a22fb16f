#include "machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

isocast_node_share isocast_node_class_share(const isocast_node_class *class, double processes) {
    double parts = fmax(processes, class->sockets);
    return (isocast_node_share){
        .memory = class->memory / processes,
        .bandwidth = class->memory_bandwidth / parts,
        .cache = isnan(class->cache) ? 0 : class->cache * class->sockets / parts};
}

double isocast_node_class_fill(const isocast_node_class *class, double processes) {
    return fmin(ceil(processes), class->processors);
}

size_t isocast_machine_parameter(const isocast_machine *machine, const char *name) {
    size_t i = 0;
    while (i < machine->parameter_count && strcmp(machine->parameters[i].name, name) != 0) {
        i++;
    }
    return i;
}

double isocast_machine_covariance(const isocast_machine *machine, size_t i, size_t j) {
    if (machine->covariance != NULL) {
        return machine->covariance[i * machine->parameter_count + j];
    }
    double error = machine->parameters[i].standard_error;
    return i == j && error > 0 ? error * error : 0;
}

double isocast_machine_variance(const isocast_machine *machine, const double *gradient) {
    double variance = 0;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        for (size_t j = 0; j < machine->parameter_count; j++) {
            variance += gradient[i] * isocast_machine_covariance(machine, i, j) * gradient[j];
        }
    }
    return variance;
}

const isocast_algorithm_misfit *isocast_machine_misfit_of(const isocast_machine *machine,
                                                          const char *algorithm) {
    for (size_t i = 0; i < machine->algorithm_count; i++) {
        if (strcmp(machine->algorithms[i].algorithm, algorithm) == 0) {
            return &machine->algorithms[i];
        }
    }
    return NULL;
}

bool isocast_restriction_allows(const isocast_restriction *restriction, const char *algorithm) {
    for (size_t i = 0; i < restriction->algorithm_count; i++) {
        if (strcmp(restriction->algorithms[i], algorithm) == 0) {
            return true;
        }
    }
    return false;
}

static void operations_free(isocast_operation *operations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(operations[i].name);
        isocast_formula_free(operations[i].formula);
    }
    free(operations);
}

static void restrictions_free(isocast_machine *machine) {
    for (size_t i = 0; i < machine->restriction_count; i++) {
        isocast_restriction *restriction = &machine->restrictions[i];
        for (size_t k = 0; k < restriction->algorithm_count; k++) {
            free(restriction->algorithms[k]);
        }
        free(restriction->algorithms);
        free(restriction->operations);
        free(restriction->reason);
    }
    free(machine->restrictions);
}

static void classes_free(isocast_machine *machine) {
    for (size_t i = 0; i < machine->class_count; i++) {
        isocast_node_class *class = &machine->classes[i];
        for (size_t k = 0; k < class->speed_count; k++) {
            free(class->speeds[k].program);
        }
        free(class->speeds);
        free(class->name);
    }
    free(machine->classes);
}

static void reference_free(isocast_reference *reference) {
    for (size_t i = 0; i < reference->count; i++) {
        free(reference->sets[i].placement);
    }
    free(reference->sets);
    free(reference->program);
}

void isocast_machine_free(isocast_machine *machine) {
    if (machine == NULL) {
        return;
    }
    operations_free(machine->operations, machine->operation_count);
    operations_free(machine->compute, machine->compute_count);
    restrictions_free(machine);
    for (size_t i = 0; i < machine->algorithm_count; i++) {
        free(machine->algorithms[i].algorithm);
    }
    free(machine->algorithms);
    reference_free(&machine->reference);
    isocast_purchase_clear(&machine->purchase);
    classes_free(machine);
    for (size_t i = 0; i < machine->benchmark_count; i++) {
        free(machine->benchmarks[i].program);
        free(machine->benchmarks[i].text);
    }
    for (size_t i = 0; i < machine->system_count; i++) {
        free(machine->systems[i].name);
        free(machine->systems[i].text);
    }
    for (size_t i = 0; i < machine->parameter_count; i++) {
        free(machine->parameters[i].name);
    }
    free(machine->benchmarks);
    free(machine->systems);
    free(machine->parameters);
    free(machine->covariance);
    free(machine->schedule);
    free(machine->name);
    free(machine->source);
    free(machine->benchmark);
    isocast_tree_free(machine->tree);
    free(machine);
}
