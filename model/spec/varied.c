#include "varied.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"
#include "machine_scope.h"
#include "rules.h"
#include "settable.h"

/* The name of the parameter that stands for a definition that is opened. Names of files have no
 * point but for properties of classes, whose endings are known. */
static const char opened[] = "varied.";

/* A further size; false where the name is none. */
static bool find_size(const isocast_algorithm *a, const char *name, isocast_varied *out) {
    size_t i = 0;
    while (i < a->size_count && strcmp(a->sizes[i].name, name) != 0) {
        i++;
    }
    if (i == a->size_count) {
        return false;
    }
    out->kind = ISOCAST_VARIED_SIZE;
    out->index = i;
    out->least = a->sizes[i].min;
    out->most = a->sizes[i].max;
    return true;
}

static bool find_number(const isocast_platform *platform, const char *name, isocast_varied *out) {
    if (!isocast_platform_number_find(platform, name, &out->number)) {
        return false;
    }
    out->kind = ISOCAST_VARIED_PLATFORM;
    out->dimension = out->number.dimension;
    out->least = 0;
    out->above = true;
    return true;
}

/* In the order in which setting.c looks for a name. */
static bool find(const isocast_algorithm *a, const isocast_machine *m,
                 const isocast_platform *platform, const char *name, isocast_varied *out) {
    if (find_size(a, name, out) || (platform != NULL && find_number(platform, name, out))) {
        return true;
    }
    size_t requirement = isocast_requirement_find(a, name);
    size_t parameter = isocast_machine_parameter(m, name);
    bool time_per_flop = strcmp(name, "t_c") == 0;
    if (requirement < a->requirement_count || parameter < m->parameter_count) {
        out->kind = ISOCAST_VARIED_PARAMETER;
        out->dimension = requirement < a->requirement_count ? a->requirements[requirement].dimension
                                                            : m->parameters[parameter].dimension;
        out->is_time_per_flop = time_per_flop;
        return true;
    }
    if (platform == NULL && isocast_class_property_find(m, name, &out->property)) {
        out->kind = ISOCAST_VARIED_PROPERTY;
        out->dimension = out->property.dimension;
        out->whole = out->property.whole;
        out->least = 0;
        out->above = true;
        out->most = out->whole ? ISOCAST_COUNT_MAX : out->most;
        return true;
    }
    bool defined = isocast_definition_find(a, name) < a->definition_count;
    out->kind = ISOCAST_VARIED_DEFINITION;
    out->any_dimension = !time_per_flop;
    out->dimension = time_per_flop ? isocast_time_per_flop() : isocast_dimension_count;
    out->is_time_per_flop = time_per_flop;
    return defined || time_per_flop;
}

bool isocast_varied_find(isocast_reader *reader, isocast_span span,
                         const isocast_algorithm *algorithm, const isocast_machine *machine,
                         const isocast_platform *platform, isocast_varied *out) {
    char *name = strndup(reader->source->text + span.begin, span.end - span.begin);
    isocast_varied variable = {
        .dimension = isocast_dimension_count, .least = -INFINITY, .most = INFINITY};
    if (name == NULL) {
        isocast_reader_fail(reader);
        return false;
    }
    bool found = find(algorithm, machine, platform, name, &variable);
    if (!found && platform != NULL && strchr(name, '.') != NULL) {
        isocast_platform_number_refuse(reader, span, name, platform);
    } else if (!found) {
        isocast_settable_refuse(reader, span, name, "vary", algorithm, machine);
    } else if (variable.kind == ISOCAST_VARIED_SIZE && variable.index == 0) {
        isocast_reader_refuse(reader, span, "give its values with --at",
                              "'%s' is the size that is looked for", name);
        found = false;
    }
    if (!found) {
        free(name);
        return false;
    }
    *out = variable;
    out->name = name;
    return true;
}

/* A covariance with room for one parameter more, which has no error. */
static double *wider_covariance(const isocast_machine *machine) {
    size_t n = machine->parameter_count;
    double *wider = calloc((n + 1) * (n + 1), sizeof *wider);
    for (size_t i = 0; wider != NULL && i < n; i++) {
        memcpy(wider + i * (n + 1), machine->covariance + i * n, n * sizeof *wider);
    }
    return wider;
}

/* A parameter of that name, which the machine is given where it has none. */
static isocast_status open_parameter(isocast_machine *machine, const char *name,
                                     isocast_dimension dimension, double value, size_t *index) {
    *index = isocast_machine_parameter(machine, name);
    if (*index < machine->parameter_count) {
        return ISOCAST_OK;
    }
    isocast_parameter *parameters =
        realloc(machine->parameters, (machine->parameter_count + 1) * sizeof *parameters);
    machine->parameters = parameters != NULL ? parameters : machine->parameters;
    char *copy = strdup(name);
    double *covariance = machine->covariance != NULL ? wider_covariance(machine) : NULL;
    if (parameters == NULL || copy == NULL || (machine->covariance != NULL && covariance == NULL)) {
        free(copy);
        free(covariance);
        return ISOCAST_NO_MEMORY;
    }
    if (covariance != NULL) {
        free(machine->covariance);
        machine->covariance = covariance;
    }
    parameters[machine->parameter_count++] = (isocast_parameter){copy, value, NAN, dimension};
    return ISOCAST_OK;
}

/* A definition that is a plain number becomes a size: the rules of `valid` look at sizes. */
static isocast_status open_as_size(isocast_varied *variable, isocast_algorithm *a) {
    isocast_size *sizes = realloc(a->sizes, (a->size_count + 1) * sizeof *sizes);
    a->sizes = sizes != NULL ? sizes : a->sizes;
    char *name = strdup(variable->name);
    if (sizes == NULL || name == NULL) {
        free(name);
        return ISOCAST_NO_MEMORY;
    }
    isocast_definition_remove(a, isocast_definition_find(a, name));
    sizes[a->size_count] = (isocast_size){.name = name, .min = -INFINITY, .max = INFINITY};
    variable->kind = ISOCAST_VARIED_SIZE;
    variable->index = a->size_count++;
    return ISOCAST_OK;
}

/* A definition with a unit is a parameter of the machine under a name of its own. */
static isocast_status open_as_parameter(isocast_varied *variable, isocast_algorithm *algorithm,
                                        isocast_machine *machine,
                                        isocast_diagnostics *diagnostics) {
    isocast_buffer name = {0};
    isocast_buffer_printf(&name, "%s%s", opened, variable->name);
    isocast_formula *ignored = NULL;
    isocast_status status =
        name.failed ? ISOCAST_NO_MEMORY
                    : open_parameter(machine, name.text, variable->dimension, 0, &variable->index);
    if (status == ISOCAST_OK) {
        status = isocast_definition_put(algorithm, variable->name, variable->name, name.text,
                                        diagnostics, &ignored);
    }
    isocast_buffer_free(&name);
    variable->kind = ISOCAST_VARIED_PARAMETER;
    variable->of_definition = true;
    return status;
}

/* On another machine than that on which the definition was opened. */
static isocast_status open_again(isocast_varied *variable, isocast_machine *machine) {
    isocast_buffer name = {0};
    isocast_buffer_printf(&name, "%s%s", opened, variable->name);
    isocast_status status =
        name.failed ? ISOCAST_NO_MEMORY
                    : open_parameter(machine, name.text, variable->dimension, 0, &variable->index);
    isocast_buffer_free(&name);
    return status;
}

static isocast_status open_definition(isocast_varied *variable, isocast_algorithm *algorithm,
                                      isocast_machine *machine, isocast_diagnostics *diagnostics) {
    bool defined = isocast_definition_find(algorithm, variable->name) < algorithm->definition_count;
    return defined && isocast_dimension_is_count(variable->dimension)
               ? open_as_size(variable, algorithm)
               : open_as_parameter(variable, algorithm, machine, diagnostics);
}

/* Rules are formulas of sizes and definitions: a parameter of the machine is not known there. */
static isocast_status compile_rules(const isocast_varied *variable, isocast_algorithm *algorithm,
                                    isocast_diagnostics *diagnostics) {
    isocast_diagnostics of_rules = {0};
    isocast_status status = isocast_rules_compile(algorithm, &of_rules);
    if (status == ISOCAST_INVALID) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, "--vary",
                                     "give it values without a unit, or one value with --set",
                                     "'%s' cannot vary with a unit: a rule of '%s' looks at it",
                                     variable->name, algorithm->name);
    }
    isocast_diagnostics_clear(&of_rules);
    return status;
}

/* Values that are given count in place of one from runs. */
static void forget_fit(isocast_algorithm *algorithm, const char *name) {
    size_t i = isocast_requirement_find(algorithm, name);
    if (i < algorithm->requirement_count) {
        isocast_requirement *requirement = &algorithm->requirements[i];
        requirement->fitted = requirement->open = false;
        requirement->error = NAN;
    }
}

isocast_status isocast_varied_open(isocast_varied *variable, isocast_algorithm *algorithm,
                                   isocast_machine *machine, isocast_diagnostics *diagnostics) {
    isocast_status status = ISOCAST_OK;
    switch (variable->kind) {
    case ISOCAST_VARIED_SIZE:
    case ISOCAST_VARIED_PLATFORM:
        break;
    case ISOCAST_VARIED_PARAMETER:
        if (variable->of_definition) {
            return open_again(variable, machine);
        }
        algorithm->time_per_flop_given |= variable->is_time_per_flop;
        forget_fit(algorithm, variable->name);
        status = open_parameter(machine, variable->name, variable->dimension, 0, &variable->index);
        break;
    case ISOCAST_VARIED_PROPERTY:
        status = open_parameter(machine, variable->name, variable->dimension,
                                isocast_class_property_of(machine, &variable->property),
                                &variable->index);
        break;
    case ISOCAST_VARIED_DEFINITION:
        status = open_definition(variable, algorithm, machine, diagnostics);
        break;
    }
    return status == ISOCAST_OK ? compile_rules(variable, algorithm, diagnostics) : status;
}
