#include "run_columns.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that differ by less are one number written twice. */
static const double same_value = 1e-9;

static size_t find_other(const isocast_runs *runs, const char *name) {
    size_t k = 0;
    while (k < runs->other_count && strcmp(runs->other_names[k], name) != 0) {
        k++;
    }
    return k;
}

static isocast_status refuse_size(const isocast_runs *runs, const isocast_algorithm *algorithm,
                                  const char *name, isocast_diagnostics *diagnostics) {
    isocast_buffer hint = {0};
    isocast_buffer_printf(&hint,
                          "add a column %s, or give the one value that all rows have by --set "
                          "%s=NUMBER",
                          name, name);
    isocast_diagnostics_rely(diagnostics, &hint);
    isocast_diagnostics_add(
        diagnostics, ISOCAST_ERROR, runs->source,
        isocast_source_line(runs->source, runs->header_begin), hint.text != NULL ? hint.text : "",
        "there is no column '%s', which is a size of %s", name, algorithm->name);
    isocast_buffer_free(&hint);
    return ISOCAST_INVALID;
}

isocast_status isocast_run_columns_find(const isocast_runs *runs,
                                        const isocast_algorithm *algorithm,
                                        isocast_diagnostics *diagnostics,
                                        isocast_run_columns *out) {
    isocast_run_columns columns = {runs, algorithm,
                                   calloc(algorithm->size_count, sizeof *columns.of_size)};
    isocast_status status = columns.of_size == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    bool takes_N = false;
    for (size_t i = 0; status == ISOCAST_OK && i < algorithm->size_count; i++) {
        const char *name = algorithm->sizes[i].name;
        size_t column = find_other(runs, name);
        bool none = column == runs->other_count;
        bool is_N = none && isnan(algorithm->sizes[i].fallback);
        bool allowed = !is_N || i == 0 || (strcmp(name, "N") == 0 && !takes_N);
        takes_N = takes_N || is_N;
        columns.of_size[i] = column;
        status = allowed ? status : refuse_size(runs, algorithm, name, diagnostics);
    }
    if (status != ISOCAST_OK) {
        isocast_run_columns_free(&columns);
        return status;
    }
    *out = columns;
    return ISOCAST_OK;
}

void isocast_run_columns_free(isocast_run_columns *columns) {
    free(columns->of_size);
    *columns = (isocast_run_columns){0};
}

double isocast_run_columns_size(const isocast_run_columns *columns, const isocast_run *run,
                                size_t size) {
    size_t column = columns->of_size[size];
    double fallback = columns->algorithm->sizes[size].fallback;
    return column < columns->runs->other_count ? run->others[column]
           : isnan(fallback)                   ? run->N
                                               : fallback;
}

bool isocast_run_columns_agree(const isocast_run_columns *columns, const isocast_run *run,
                               const char **name, double *defined, double *found) {
    const isocast_algorithm *algorithm = columns->algorithm;
    for (size_t i = 0; i < algorithm->definition_count; i++) {
        const isocast_formula_node *root = algorithm->definitions[i].formula->root;
        bool is_count =
            root->kind == ISOCAST_FORMULA_NUMBER && isocast_dimension_is_count(root->dimension);
        size_t column =
            is_count ? find_other(columns->runs, algorithm->definitions[i].name) : SIZE_MAX;
        double value = column < columns->runs->other_count ? run->others[column] : NAN;
        if (!isnan(value) && fabs(value - root->value) > same_value * fabs(root->value)) {
            *name = algorithm->definitions[i].name;
            *defined = root->value;
            *found = value;
            return false;
        }
    }
    return true;
}
