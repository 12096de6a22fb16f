#include "correction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The machine's parameters that the term may have, after the algorithm's own. */
static void add_parameters(isocast_algorithm *corrected, const isocast_machine *machine,
                           const char *prefix) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        char *name = machine->parameters[i].name;
        if (strncmp(name, prefix, strlen(prefix)) == 0) {
            corrected->requirements[corrected->requirement_count++] =
                (isocast_requirement){.name = name, .fallback = NAN, .max = INFINITY};
        }
    }
}

static isocast_status add_term(isocast_algorithm *corrected, const isocast_correction *correction,
                               isocast_diagnostics *diagnostics) {
    size_t length = strlen(correction->formula);
    size_t count = 0;
    const char **names = calloc(corrected->requirement_count + corrected->size_count +
                                    corrected->definition_count + 1,
                                sizeof *names);
    isocast_term term = {.name = strdup(correction->name)};
    isocast_source *source = NULL;
    isocast_status status = ISOCAST_NO_MEMORY;
    if (names != NULL && term.name != NULL) {
        status = isocast_source_create(correction->name, correction->formula, length, &source);
    }
    if (status == ISOCAST_OK) {
        for (size_t i = 0; i < corrected->requirement_count; i++) {
            names[count++] = corrected->requirements[i].name;
        }
        for (size_t i = 0; i < corrected->size_count; i++) {
            names[count++] = corrected->sizes[i].name;
        }
        for (size_t i = 0; i < corrected->definition_count; i++) {
            names[count++] = corrected->definitions[i].name;
        }
        status = isocast_formula_parse(source, (isocast_span){0, length},
                                       (isocast_names){names, count}, diagnostics, &term.formula);
    }
    free(names);
    if (status != ISOCAST_OK) {
        isocast_source_free(source);
        free(term.name);
        return status;
    }
    corrected->overhead[corrected->overhead_count++] = term;
    corrected->set_sources[corrected->set_source_count++] = source;
    return ISOCAST_OK;
}

isocast_status isocast_corrected_create(const isocast_algorithm *algorithm,
                                        const isocast_machine *machine,
                                        const isocast_correction *correction,
                                        isocast_diagnostics *diagnostics, isocast_algorithm **out) {
    size_t terms = algorithm->overhead_count;
    size_t needed = algorithm->requirement_count;
    isocast_algorithm *corrected = malloc(sizeof *corrected);
    if (corrected == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *corrected = *algorithm;
    corrected->set_source_count = 0; /* of its own */
    corrected->overhead = calloc(terms + 1, sizeof *corrected->overhead);
    corrected->requirements =
        calloc(needed + machine->parameter_count + 1, sizeof *corrected->requirements);
    corrected->set_sources = calloc(1, sizeof *corrected->set_sources);
    isocast_status status = ISOCAST_NO_MEMORY;
    if (corrected->overhead != NULL && corrected->requirements != NULL &&
        corrected->set_sources != NULL) {
        for (size_t i = 0; i < terms; i++) {
            corrected->overhead[i] = algorithm->overhead[i];
        }
        for (size_t i = 0; i < needed; i++) {
            corrected->requirements[i] = algorithm->requirements[i];
        }
        add_parameters(corrected, machine, correction->prefix);
        status = add_term(corrected, correction, diagnostics);
    }
    if (status != ISOCAST_OK) {
        isocast_corrected_free(corrected);
        return status;
    }
    *out = corrected;
    return ISOCAST_OK;
}

void isocast_corrected_free(isocast_algorithm *corrected) {
    if (corrected != NULL && corrected->set_source_count > 0) {
        isocast_term *term = &corrected->overhead[corrected->overhead_count - 1];
        free(term->name);
        isocast_formula_free(term->formula);
        isocast_source_free(corrected->set_sources[0]);
    }
    if (corrected != NULL) {
        free(corrected->overhead);
        free(corrected->requirements);
        free(corrected->set_sources);
    }
    free(corrected);
}
