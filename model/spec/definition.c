#include "definition.h"

#include <stdlib.h>
#include <string.h>

size_t isocast_definition_find(const isocast_algorithm *algorithm, const char *name) {
    size_t at = 0;
    while (at < algorithm->definition_count && strcmp(algorithm->definitions[at].name, name) != 0) {
        at++;
    }
    return at;
}

isocast_status isocast_definition_parse(isocast_algorithm *algorithm, const char *label,
                                        const char *text, isocast_names declared,
                                        isocast_diagnostics *diagnostics, isocast_formula **out) {
    isocast_algorithm *a = algorithm;
    size_t length = strlen(text);
    isocast_source *source = NULL;
    isocast_source **sources =
        realloc(a->set_sources, (a->set_source_count + 1) * sizeof(isocast_source *));
    a->set_sources = sources != NULL ? sources : a->set_sources;
    isocast_status status =
        sources == NULL ? ISOCAST_NO_MEMORY : isocast_source_create(label, text, length, &source);
    if (status == ISOCAST_OK) {
        sources[a->set_source_count++] = source;
        status =
            isocast_formula_parse(source, (isocast_span){0, length}, declared, diagnostics, out);
    }
    return status;
}

isocast_status isocast_definition_put(isocast_algorithm *algorithm, const char *name,
                                      const char *label, const char *text,
                                      isocast_diagnostics *diagnostics, isocast_formula **out) {
    isocast_algorithm *a = algorithm;
    char *copy = strdup(name);
    size_t at = isocast_definition_find(a, name);
    bool is_new = at == a->definition_count;
    /* One that is there stays in its place, as an algorithm with a correction has the same list. */
    isocast_term *terms =
        is_new ? realloc(a->definitions, (at + 1) * sizeof *terms) : a->definitions;
    a->definitions = terms != NULL ? terms : a->definitions;
    isocast_formula *formula = NULL;
    isocast_status status =
        copy == NULL || terms == NULL
            ? ISOCAST_NO_MEMORY
            : isocast_definition_parse(a, label, text, (isocast_names){0}, diagnostics, &formula);
    if (status != ISOCAST_OK) {
        free(copy);
        return status;
    }
    if (!is_new) {
        isocast_formula_free(a->definitions[at].formula);
        free(a->definitions[at].name);
    }
    a->definition_count += is_new;
    a->definitions[at] = (isocast_term){copy, formula};
    *out = formula;
    return ISOCAST_OK;
}

void isocast_definition_remove(isocast_algorithm *algorithm, size_t index) {
    isocast_term *term = &algorithm->definitions[index];
    isocast_formula_free(term->formula);
    free(term->name);
    algorithm->definition_count--;
    memmove(term, term + 1, (algorithm->definition_count - index) * sizeof *term);
}
