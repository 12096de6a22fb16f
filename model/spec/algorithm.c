#include "algorithm.h"

#include <stdlib.h>
#include <string.h>

#include "model/schedule/schedule.h"

const char *isocast_algorithm_part_name(const isocast_algorithm *algorithm, size_t part) {
    return part == 0 ? "computation" : algorithm->overhead[part - 1].name;
}

size_t isocast_requirement_find(const isocast_algorithm *algorithm, const char *name) {
    size_t i = 0;
    while (i < algorithm->requirement_count && strcmp(algorithm->requirements[i].name, name) != 0) {
        i++;
    }
    return i;
}

static void terms_free(isocast_term *terms, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(terms[i].name);
        isocast_formula_free(terms[i].formula);
    }
    free(terms);
}

static void phases_free(isocast_algorithm *algorithm) {
    for (size_t i = 0; i < algorithm->phase_count; i++) {
        free(algorithm->phases[i].column);
        free(algorithm->phases[i].parts);
    }
    free(algorithm->phases);
}

void isocast_algorithm_free(isocast_algorithm *algorithm) {
    if (algorithm == NULL) {
        return;
    }
    for (size_t i = 0; i < algorithm->size_count; i++) {
        free(algorithm->sizes[i].name);
        free(algorithm->sizes[i].description);
    }
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        free(algorithm->requirements[i].name);
    }
    free(algorithm->sizes);
    free(algorithm->requirements);
    free(algorithm->correlations);
    phases_free(algorithm);
    isocast_rule_list_free(algorithm->rule_list, algorithm->rule_count);
    isocast_rules_free(algorithm->rules);
    for (size_t i = 0; i < algorithm->set_source_count; i++) {
        isocast_source_free(algorithm->set_sources[i]);
    }
    free(algorithm->set_sources);
    terms_free(algorithm->overhead, algorithm->overhead_count);
    terms_free(algorithm->uncertain, algorithm->uncertain_count);
    terms_free(algorithm->operations, algorithm->operation_count);
    terms_free(algorithm->definitions, algorithm->definition_count);
    isocast_formula_free(algorithm->work);
    isocast_formula_free(algorithm->sequential);
    isocast_formula_free(algorithm->compute);
    isocast_formula_free(algorithm->memory);
    isocast_formula_free(algorithm->traffic);
    isocast_formula_free(algorithm->concurrency);
    free(algorithm->name);
    free(algorithm->title);
    free(algorithm->source);
    free(algorithm->kernel);
    free(algorithm->held_out);
    isocast_schedule_free(algorithm->program);
    isocast_tree_free(algorithm->tree);
    free(algorithm);
}
