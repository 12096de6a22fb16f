#include "curve.h"

#include <math.h>
#include <stdlib.h>

#include "solution.h"

/* Near the largest number: where the size's max does not end the range. */
static const double largest_N = 1e300;

struct isocast_curve {
    const isocast_model *model;
    const isocast_system *system;
    const double *other_sizes;
    const isocast_class_table *table;
    isocast_curve_kind kind;
    isocast_effort *effort;
    isocast_column *columns; /* [isocast_model_column_count()] */
    isocast_enclosure *enclosure;
};

static bool is_of_times(isocast_curve_kind kind) {
    return kind == ISOCAST_CURVE_WORK || kind == ISOCAST_CURVE_TIME;
}

isocast_status isocast_curve_create(const isocast_model *model, const isocast_system *system,
                                    const double *other_sizes, isocast_curve_kind kind,
                                    isocast_effort *effort, isocast_curve **out) {
    isocast_curve *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t columns = isocast_model_column_count(model);
    c->model = model;
    c->system = system;
    c->other_sizes = other_sizes;
    c->table = &system->table;
    c->kind = kind;
    c->effort = effort;
    c->columns = calloc(columns, sizeof *c->columns);
    isocast_status status = c->columns == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        const isocast_program *program =
            is_of_times(kind) ? isocast_model_times(model) : isocast_model_bounds(model);
        isocast_model_columns(model, system, other_sizes, NULL, c->columns);
        status = isocast_enclosure_create(program, c->columns, columns, 0, &c->table, effort,
                                          &c->enclosure);
    }
    if (status != ISOCAST_OK) {
        isocast_curve_free(c);
        return status;
    }
    *out = c;
    return ISOCAST_OK;
}

void isocast_curve_free(isocast_curve *c) {
    if (c != NULL) {
        isocast_enclosure_free(c->enclosure);
        free(c->columns);
        free(c);
    }
}

void isocast_curve_range(const isocast_curve *c, double *low, double *high) {
    const isocast_size *size = &isocast_model_algorithm(c->model)->sizes[0];
    *low = fmax(size->min, 1);
    *high = fmax(*low, fmin(size->max, largest_N));
}

isocast_effort *isocast_curve_effort(isocast_curve *c) {
    return c->effort;
}

isocast_enclosure *isocast_curve_enclosure(isocast_curve *c) {
    return c->enclosure;
}

isocast_status isocast_curve_value(isocast_curve *c, double N, double *value) {
    isocast_model_points points = {.count = 1,
                                   .N = &N,
                                   .other_sizes = c->other_sizes,
                                   .systems = &c->system,
                                   .effort = c->effort};
    double found = NAN;
    isocast_model_results results = {.given_W = c->kind == ISOCAST_CURVE_WORK ? &found : NULL,
                                     .T = c->kind == ISOCAST_CURVE_TIME ? &found : NULL,
                                     .memory = c->kind == ISOCAST_CURVE_MEMORY ? &found : NULL,
                                     .concurrency =
                                         c->kind == ISOCAST_CURVE_CONCURRENCY ? &found : NULL};
    isocast_status status = isocast_model_evaluate(c->model, &points, &results);
    if (status == ISOCAST_OK) {
        bool known = !is_of_times(c->kind) || results.sum_error <= ISOCAST_SUM_ERROR_MAX;
        *value = known ? found : NAN;
    }
    return status;
}

static size_t first_output(isocast_curve_kind kind) {
    switch (kind) {
    case ISOCAST_CURVE_WORK:
        return ISOCAST_MODEL_WORK;
    case ISOCAST_CURVE_TIME:
        return ISOCAST_MODEL_COMPUTE;
    case ISOCAST_CURVE_MEMORY:
        return ISOCAST_MODEL_MEMORY;
    case ISOCAST_CURVE_CONCURRENCY:
        break;
    }
    return ISOCAST_MODEL_CONCURRENCY;
}

isocast_status isocast_curve_enclose(isocast_curve *c, double level, double low, double high,
                                     isocast_form *difference, bool *known) {
    isocast_status status = isocast_enclosure_enter(c->enclosure, low, high);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_form due;
    isocast_form_constant(&due, level);
    isocast_form_constant(difference, 0);
    *known = isocast_form_add(difference, &due, -1, 1) &&
             isocast_form_add(difference,
                              isocast_enclosure_output(c->enclosure, first_output(c->kind)), 1, 1);
    size_t terms = isocast_model_algorithm(c->model)->overhead_count;
    for (size_t i = 0; c->kind == ISOCAST_CURVE_TIME && i < terms && *known; i++) {
        *known = isocast_form_add(
            difference, isocast_enclosure_output(c->enclosure, ISOCAST_MODEL_TERMS + i), 1, 1);
    }
    return ISOCAST_OK;
}
