#include "fit_builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Makes room for one more parameter. Gives its index, or -1 where memory is short. */
long fit_add_parameter(fit *f, const char *name, const char *unit, double value, size_t group) {
    fit_parameter *parameters =
        realloc(f->parameters, (f->parameter_count + 1) * sizeof *parameters);
    if (parameters == NULL) {
        return -1;
    }
    f->parameters = parameters;
    fit_parameter *parameter = &f->parameters[f->parameter_count];
    *parameter = (fit_parameter){.unit = unit, .value = value, .group = group};
    snprintf(parameter->name, sizeof parameter->name, "%s", name);
    return (long)f->parameter_count++;
}

bool fit_add_covariance(fit_covariances *c, size_t row, size_t column, double value) {
    fit_covariance *items = realloc(c->items, (c->count + 1) * sizeof *items);
    if (items == NULL) {
        return false;
    }
    c->items = items;
    c->items[c->count++] = (fit_covariance){row, column, value};
    return true;
}

isocast_status fit_fill_covariance(fit *f, const fit_covariances *c) {
    size_t n = f->parameter_count;
    f->covariance = calloc(n * n + 1, sizeof *f->covariance);
    if (f->covariance == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t k = 0; k < c->count; k++) {
        f->covariance[c->items[k].row * n + c->items[k].column] = c->items[k].value;
    }
    for (size_t i = 0; i < n; i++) {
        f->parameters[i].error = sqrt(f->covariance[i * n + i]);
    }
    return ISOCAST_OK;
}

fit_operation *fit_new_operation(fit *f, const char *name, bool is_kernel) {
    fit_operation *operations =
        realloc(f->operations, (f->operation_count + 1) * sizeof *operations);
    if (operations == NULL) {
        return NULL;
    }
    f->operations = operations;
    fit_operation *operation = &f->operations[f->operation_count];
    *operation = (fit_operation){.is_kernel = is_kernel, .misfit = NAN, .drift = NAN};
    snprintf(operation->name, sizeof operation->name, "%s", name);
    return operation;
}

void fit_note_range(fit_operation *operation, const fit_summary *items, size_t count) {
    operation->points = count;
    operation->p_min = operation->p_max = items[0].p;
    operation->m_min = operation->m_max = items[0].m;
    for (size_t k = 1; k < count; k++) {
        operation->p_min = fmin(operation->p_min, items[k].p);
        operation->p_max = fmax(operation->p_max, items[k].p);
        operation->m_min = fmin(operation->m_min, items[k].m);
        operation->m_max = fmax(operation->m_max, items[k].m);
    }
    bool found = false;
    for (size_t k = 0; k < count; k++) {
        if (items[k].p != operation->p_max) {
            continue;
        }
        fit_end end = {items[k].m, items[k].seconds};
        operation->ends[0] = !found || end.m < operation->ends[0].m ? end : operation->ends[0];
        operation->ends[1] = !found || end.m > operation->ends[1].m ? end : operation->ends[1];
        found = true;
    }
}
