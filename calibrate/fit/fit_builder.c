#include "fit_builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
