#include "costs.h"

#include <math.h>
#include <stdlib.h>

/* A number of the system that grows with p: its share of p. On a path that stays it is itself. */
static isocast_series in_proportion(isocast_costs *costs, double value) {
    isocast_series_room *room = &costs->room;
    if (room->path.fixed) {
        return isocast_series_number(room, value);
    }
    const isocast_monomial p = {.p = 1};
    return isocast_series_multiply(room, isocast_series_monomial(room, &p),
                                   isocast_series_number(room, value / costs->request->system->p));
}

/* Nodes fill up before there are several. */
static void fill_placement(isocast_costs *costs, isocast_series *columns) {
    const isocast_system *system = costs->request->system;
    double p_node = system->p_node;
    double nodes = system->nodes;
    if (!costs->room.path.fixed && nodes <= 1) {
        p_node = costs->request->machine->classes[system->classes[0]].processors;
        nodes = system->p / p_node;
    }
    columns[ISOCAST_COLUMN_nodes] = in_proportion(costs, nodes);
    columns[ISOCAST_COLUMN_p_node] = isocast_series_number(&costs->room, p_node);
}

static void fill_columns(isocast_costs *costs) {
    const isocast_costs_request *request = costs->request;
    const isocast_system *system = request->system;
    isocast_series_room *room = &costs->room;
    size_t sizes = request->algorithm->size_count;
    const isocast_monomial N = {.N = 1};
    costs->columns[0] = isocast_series_monomial(room, &N);
    for (size_t k = 1; k < sizes; k++) {
        costs->columns[k] = isocast_series_number(room, request->other_sizes[k - 1]);
    }
    isocast_series *columns = costs->columns + sizes;
    columns[ISOCAST_COLUMN_p] = in_proportion(costs, system->p);
    columns[ISOCAST_COLUMN_C] = in_proportion(costs, system->C);
    columns[ISOCAST_COLUMN_C_j] = isocast_series_number(room, system->C_j);
    fill_placement(costs, columns);
    for (size_t k = 0; k < request->machine->parameter_count; k++) {
        columns[ISOCAST_SYSTEM_COLUMNS + k] =
            isocast_series_number(room, request->machine->parameters[k].value);
    }
}

static void fill_classes(isocast_costs *costs) {
    const isocast_class_table *table = &costs->request->system->table;
    costs->expansion.class_count = table->count;
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        isocast_series *values = costs->classes + row * table->count;
        for (size_t k = 0; k < table->count; k++) {
            double value = table->rows[row][k];
            /* What the file does not say is some number. */
            values[k] = row == ISOCAST_CLASS_PROCESSES ? in_proportion(costs, value)
                        : isnan(value) ? isocast_series_between(&costs->room, 0, INFINITY)
                                       : isocast_series_number(&costs->room, value);
        }
        costs->expansion.classes[row] = values;
    }
}

isocast_status isocast_costs_create(const isocast_costs_request *request, const isocast_path *path,
                                    isocast_costs *out) {
    *out = (isocast_costs){.request = request, .room = {.path = *path}};
    size_t columns =
        request->algorithm->size_count + ISOCAST_SYSTEM_COLUMNS + request->machine->parameter_count;
    size_t classes = request->system->table.count * ISOCAST_CLASS_ROWS;
    out->columns = calloc(columns, sizeof *out->columns);
    out->classes = calloc(classes + 1, sizeof *out->classes);
    if (out->columns == NULL || out->classes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    fill_columns(out);
    fill_classes(out);
    out->expansion.scope = isocast_binding_scope(request->names);
    out->expansion.columns = out->columns;
    return out->room.problem == ISOCAST_SERIES_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

void isocast_costs_free(isocast_costs *costs) {
    isocast_expansion_free(&costs->expansion);
    isocast_series_room_free(&costs->room);
    free(costs->columns);
    free(costs->classes);
}

static isocast_series expanded(isocast_costs *costs, const isocast_formula *formula) {
    costs->expansion.room = &costs->room;
    return isocast_formula_expand(&costs->expansion, formula, costs->expansion.scope);
}

isocast_series isocast_costs_processes(isocast_costs *costs) {
    return costs->columns[costs->request->algorithm->size_count + ISOCAST_COLUMN_p];
}

static isocast_series over_processes(isocast_costs *costs, const isocast_formula *formula) {
    return isocast_series_multiply(&costs->room, isocast_costs_processes(costs),
                                   expanded(costs, formula));
}

isocast_series isocast_costs_work(isocast_costs *costs) {
    return expanded(costs, costs->request->algorithm->work);
}

isocast_series isocast_costs_memory(isocast_costs *costs) {
    return expanded(costs, costs->request->algorithm->memory);
}

isocast_series isocast_costs_compute(isocast_costs *costs) {
    return over_processes(costs, isocast_binding_compute(costs->request->names));
}

isocast_series isocast_costs_concurrency(isocast_costs *costs) {
    return expanded(costs, costs->request->algorithm->concurrency);
}

isocast_series isocast_costs_term(isocast_costs *costs, size_t term) {
    return over_processes(costs, costs->request->algorithm->overhead[term].formula);
}

isocast_series isocast_costs_time(isocast_costs *costs) {
    isocast_series sum = isocast_costs_compute(costs);
    for (size_t k = 0; k < costs->request->algorithm->overhead_count; k++) {
        sum = isocast_series_add(&costs->room, sum, isocast_costs_term(costs, k), 1);
    }
    return sum;
}

double isocast_costs_speed(const isocast_costs *costs) {
    return costs->request->system->C / costs->request->system->p;
}
