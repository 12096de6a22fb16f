#include "validation.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prediction.h"
#include "trend.h"

enum { SIZES_LEAST = 3 }; /* that a system needs for its N to be read off */

static bool is_of_algorithm(const isocast_model *model, const isocast_run *run) {
    return run->algorithm == NULL || run->algorithm[0] == '\0' ||
           strcmp(run->algorithm, isocast_model_algorithm(model)->name) == 0;
}

static size_t find_system(const isocast_validation *v, const char *name) {
    size_t i = 0;
    while (i < v->system_count && strcmp(v->systems[i].system->name, name) != 0) {
        i++;
    }
    return i;
}

static isocast_status add_system(isocast_validation *v, const isocast_run *run, const char *label,
                                 isocast_diagnostics *diagnostics) {
    isocast_source *name = NULL;
    isocast_status status = isocast_source_create(label, run->system, strlen(run->system), &name);
    isocast_system *system = NULL;
    if (status == ISOCAST_OK) {
        status = isocast_system_parse(isocast_model_machine(v->model), name,
                                      (isocast_span){0, name->length}, diagnostics, &system);
    }
    isocast_source_free(name);
    if (status == ISOCAST_OK) {
        v->systems[v->system_count++] = (isocast_validation_system){.system = system,
                                                                    .N = NAN,
                                                                    .N_low = NAN,
                                                                    .N_high = NAN,
                                                                    .N_predicted = NAN,
                                                                    .N_error = NAN,
                                                                    .psi = NAN,
                                                                    .psi_predicted = NAN,
                                                                    .psi_error = NAN};
    }
    return status;
}

static int by_processes(const void *left, const void *right) {
    const isocast_validation_system *a = left;
    const isocast_validation_system *b = right;
    if (a->system->p != b->system->p) {
        return a->system->p < b->system->p ? -1 : 1;
    }
    return (a->system->C > b->system->C) - (a->system->C < b->system->C);
}

/* Every system once, from small to large: psi is from one to the next. */
static isocast_status collect_systems(isocast_validation *v, const isocast_runs *runs,
                                      const char *label, isocast_diagnostics *diagnostics) {
    for (size_t i = 0; i < runs->count; i++) {
        const isocast_run *run = &runs->rows[i];
        if (is_of_algorithm(v->model, run) && find_system(v, run->system) == v->system_count) {
            isocast_status status = add_system(v, run, label, diagnostics);
            if (status != ISOCAST_OK) {
                return status;
            }
        }
    }
    qsort(v->systems, v->system_count, sizeof *v->systems, by_processes);
    return ISOCAST_OK;
}

/* Every (system, N) once. */
static void collect_points(isocast_validation *v, const isocast_runs *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        const isocast_run *run = &runs->rows[i];
        if (!is_of_algorithm(v->model, run)) {
            continue;
        }
        size_t system = find_system(v, run->system);
        v->systems[system].oversubscribed |= run->oversubscribed;
        bool known = false;
        for (size_t k = 0; k < v->point_count && !known; k++) {
            known = v->points[k].system == system && v->points[k].N == run->N;
        }
        if (!known) {
            v->points[v->point_count++] = (isocast_validation_point){.system = system, .N = run->N};
        }
    }
}

static isocast_status collect(isocast_validation *v, const isocast_runs *runs, const char *label,
                              isocast_diagnostics *diagnostics) {
    isocast_status status = collect_systems(v, runs, label, diagnostics);
    if (status != ISOCAST_OK) {
        return status;
    }
    collect_points(v, runs);
    if (v->point_count > 0) {
        return ISOCAST_OK;
    }
    isocast_diagnostics_add_file(
        diagnostics, ISOCAST_ERROR, label, "the column 'algorithm' tells which rows are meant",
        "holds no runs of algorithm '%s'", isocast_model_algorithm(v->model)->name);
    return ISOCAST_INVALID;
}

/* Puts the points of valid sizes first, in their order. */
static void part_valid(isocast_validation *v) {
    const isocast_valid *valid = isocast_model_valid(v->model);
    for (size_t i = 0; i < v->point_count; i++) {
        if (isocast_valid_holds(valid, v->points[i].N)) {
            isocast_validation_point moved = v->points[i];
            v->points[i] = v->points[v->valid_count];
            v->points[v->valid_count++] = moved;
        }
    }
}

static int by_system_and_size(const void *left, const void *right) {
    const isocast_validation_point *a = left;
    const isocast_validation_point *b = right;
    if (a->system != b->system) {
        return a->system < b->system ? -1 : 1;
    }
    return (a->N > b->N) - (a->N < b->N);
}

/* Median, extremes and spread of one point's repetitions; `times` is scratch. */
static void measure_point(const isocast_validation *v, const isocast_runs *runs, double *times,
                          isocast_validation_point *point) {
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const isocast_run *run = &runs->rows[i];
        if (run->N == point->N && is_of_algorithm(v->model, run) &&
            find_system(v, run->system) == point->system) {
            times[count++] = run->T;
        }
    }
    gsl_sort(times, 1, count);
    point->repetitions = count;
    point->T = gsl_stats_median_from_sorted_data(times, 1, count);
    point->T_min = times[0];
    point->T_max = times[count - 1];
    for (size_t k = 0; k < count; k++) {
        times[k] = fabs(times[k] - point->T);
    }
    gsl_sort(times, 1, count);
    point->spread = count > 1 ? gsl_stats_median_from_sorted_data(times, 1, count) / point->T : NAN;
}

static isocast_status predict_point(const isocast_validation *v, double *terms,
                                    isocast_validation_point *point) {
    size_t term_count = isocast_model_algorithm(v->model)->overhead_count;
    double **term_places = calloc(term_count + 1, sizeof(double *));
    if (term_places == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < term_count; i++) {
        term_places[i] = &terms[i];
    }
    const isocast_system *system = v->systems[point->system].system;
    double W;
    double T_c;
    isocast_model_points at = {.count = 1, .N = &point->N, .systems = &system};
    isocast_model_results results = {.W = &W,
                                     .T = &point->T_predicted,
                                     .T_c = &T_c,
                                     .E = &point->E_predicted,
                                     .terms = term_places};
    isocast_status status = isocast_model_evaluate(v->model, &at, &results);
    free(term_places);
    point->T_error = point->T_predicted / point->T - 1;
    point->E = W / (point->T * system->C);
    point->E_error = point->E_predicted / point->E - 1;
    point->compute_share = T_c / point->T_predicted;
    point->largest_term = term_count;
    point->largest_share = NAN;
    for (size_t i = 0; i < term_count; i++) {
        double share = terms[i] / point->T_predicted;
        if (share > 0 && !(share <= point->largest_share)) {
            point->largest_share = share;
            point->largest_term = i;
        }
    }
    return status;
}

static void add_error(isocast_error_summary *summary, double error) {
    if (!isnan(error)) {
        double n = (double)summary->n;
        summary->mean = summary->n == 0 ? fabs(error) : (summary->mean * n + fabs(error)) / (n + 1);
        summary->bias = summary->n == 0 ? error : (summary->bias * n + error) / (n + 1);
        summary->max = fmax(summary->max, fabs(error));
        summary->n++;
    }
}

/* Points of one system at valid sizes: the first and one past the last. */
static void range_of(const isocast_validation *v, size_t system, size_t *first, size_t *end) {
    *first = 0;
    while (*first < v->valid_count && v->points[*first].system != system) {
        (*first)++;
    }
    *end = *first;
    while (*end < v->valid_count && v->points[*end].system == system) {
        (*end)++;
    }
}

/* The efficiencies that a system passes as it rises with N: from the least before the greatest to
 * the greatest. */
static void rise_of(const isocast_validation *v, size_t first, size_t end, double *least,
                    double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    double least_so_far = INFINITY;
    for (size_t k = first; k < end; k++) {
        least_so_far = fmin(least_so_far, v->points[k].E);
        if (v->points[k].E > *most) {
            *most = v->points[k].E;
            *least = least_so_far;
        }
    }
}

/* The middle of the efficiencies that every system whose efficiency rises has passed; NAN for none.
 * One process alone has about E = 1 at every N: no N can be read from that. */
static double common_efficiency(const isocast_validation *v) {
    static const double rise_least = 1.05;
    double low = -INFINITY;
    double high = INFINITY;
    size_t systems = 0;
    for (size_t i = 0; i < v->system_count; i++) {
        size_t first;
        size_t end;
        range_of(v, i, &first, &end);
        double least;
        double most;
        rise_of(v, first, end, &least, &most);
        if (end - first >= SIZES_LEAST && most > rise_least * least) {
            low = fmax(low, least);
            high = fmin(high, most);
            systems++;
        }
    }
    return systems > 0 && low < high ? (low + high) / 2 : NAN;
}

static isocast_status read_measured_size(const isocast_validation *v, size_t index) {
    isocast_validation_system *system = &v->systems[index];
    size_t first;
    size_t end;
    range_of(v, index, &first, &end);
    if (end - first < SIZES_LEAST) {
        return ISOCAST_OK;
    }
    double *values = malloc(2 * (end - first) * sizeof *values);
    if (values == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *E = values + (end - first);
    for (size_t k = first; k < end; k++) {
        values[k - first] = v->points[k].N;
        E[k - first] = v->points[k].E;
    }
    isocast_trend *trend = NULL;
    isocast_reading reading = {.N = NAN, .low = NAN, .high = NAN};
    isocast_status status = isocast_trend_fit_monotone(values, E, end - first, &trend);
    if (status == ISOCAST_OK) {
        status = isocast_trend_read(trend, v->efficiency, &reading);
    }
    isocast_trend_free(trend);
    free(values);
    system->N = reading.N;
    system->N_low = reading.low;
    system->N_high = reading.high;
    return status;
}

static isocast_status work_at(const isocast_validation *v, const isocast_system *system, double N,
                              double *W) {
    isocast_model_points at = {.count = 1, .N = &N, .systems = &system};
    isocast_model_results results = {.W = W};
    return isocast_model_evaluate(v->model, &at, &results);
}

/* The measured size whose E is nearest to the efficiency, where it is near enough. */
static double direct_size(const isocast_validation *v, size_t index) {
    static const double tolerance = 0.02;
    double nearest = tolerance;
    double N = NAN;
    size_t first;
    size_t end;
    range_of(v, index, &first, &end);
    for (size_t k = first; k < end; k++) {
        double off = fabs(v->points[k].E / v->efficiency - 1);
        if (off <= nearest) {
            nearest = off;
            N = v->points[k].N;
        }
    }
    return N;
}

enum { ROUTE_COMPUTED, ROUTE_DIRECT, ROUTE_PREDICTED, ROUTES };

static isocast_status compare_system(isocast_validation *v, size_t index, double W[ROUTES]) {
    isocast_validation_system *system = &v->systems[index];
    isocast_solution solution;
    isocast_status status = read_measured_size(v, index);
    if (status == ISOCAST_OK) {
        status = isocast_solve(v->model, system->system, NULL, NULL, v->efficiency, &solution);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    bool solved = solution.status == ISOCAST_ROW_OK || solution.status == ISOCAST_ROW_SEVERAL;
    system->N_predicted = solved ? solution.N : NAN;
    system->N_direct = direct_size(v, index);
    double measured = isnan(system->N_direct) ? system->N : system->N_direct;
    system->N_error = system->N_predicted / measured - 1;
    const double N[ROUTES] = {[ROUTE_COMPUTED] = system->N,
                              [ROUTE_DIRECT] = system->N_direct,
                              [ROUTE_PREDICTED] = system->N_predicted};
    for (size_t route = 0; route < ROUTES && status == ISOCAST_OK; route++) {
        status = work_at(v, system->system, N[route], &W[route]);
    }
    return status;
}

/* N' at the common efficiency by each route, and psi' between neighbours in the list. */
static isocast_status compare_sizes(isocast_validation *v) {
    double W_before[ROUTES] = {NAN, NAN, NAN};
    double C_before = NAN;
    for (size_t i = 0; i < v->system_count; i++) {
        isocast_validation_system *system = &v->systems[i];
        double W[ROUTES] = {NAN, NAN, NAN};
        isocast_status status = compare_system(v, i, W);
        if (status != ISOCAST_OK) {
            return status;
        }
        double *const psi[ROUTES] = {[ROUTE_COMPUTED] = &system->psi,
                                     [ROUTE_DIRECT] = &system->psi_direct,
                                     [ROUTE_PREDICTED] = &system->psi_predicted};
        for (size_t route = 0; route < ROUTES; route++) {
            *psi[route] = isocast_psi(C_before, W_before[route], system->system->C, W[route]);
        }
        double measured = isnan(system->psi_direct) ? system->psi : system->psi_direct;
        system->psi_error = system->psi_predicted / measured - 1;
        C_before = system->system->C;
        memcpy(W_before, W, sizeof W);
        add_error(&v->N, system->N_error);
        add_error(&v->psi, system->psi_error);
    }
    return ISOCAST_OK;
}

static isocast_status fill(isocast_validation *v, const isocast_runs *runs, const char *label,
                           double efficiency, isocast_diagnostics *diagnostics) {
    size_t term_count = isocast_model_algorithm(v->model)->overhead_count;
    double *scratch = malloc((runs->count + term_count + 1) * sizeof *scratch);
    v->systems = calloc(runs->count + 1, sizeof *v->systems);
    v->points = calloc(runs->count + 1, sizeof *v->points);
    isocast_status status = scratch == NULL || v->systems == NULL || v->points == NULL
                                ? ISOCAST_NO_MEMORY
                                : collect(v, runs, label, diagnostics);
    if (status == ISOCAST_OK) {
        part_valid(v);
        qsort(v->points, v->valid_count, sizeof *v->points, by_system_and_size);
        qsort(v->points + v->valid_count, v->point_count - v->valid_count, sizeof *v->points,
              by_system_and_size);
    }
    for (size_t i = 0; status == ISOCAST_OK && i < v->point_count; i++) {
        measure_point(v, runs, scratch, &v->points[i]);
        status = predict_point(v, scratch, &v->points[i]);
        add_error(&v->T, i < v->valid_count ? v->points[i].T_error : NAN);
        add_error(&v->E, i < v->valid_count ? v->points[i].E_error : NAN);
    }
    free(scratch);
    if (status == ISOCAST_OK) {
        v->efficiency = isnan(efficiency) ? common_efficiency(v) : efficiency;
        status = isnan(v->efficiency) ? ISOCAST_OK : compare_sizes(v);
    }
    return status;
}

isocast_status isocast_validate(const isocast_model *model, const isocast_runs *runs,
                                const char *label, double efficiency,
                                isocast_diagnostics *diagnostics, isocast_validation **out) {
    if (isocast_model_algorithm(model)->size_count > 1) {
        isocast_diagnostics_add_file(
            diagnostics, ISOCAST_ERROR, label, "runs give one size, N",
            "cannot be compared: the algorithm has several size parameters");
        return ISOCAST_INVALID;
    }
    isocast_validation *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    v->model = model;
    v->efficiency = NAN;
    isocast_error_summary nothing = {.mean = NAN, .max = NAN, .bias = NAN};
    v->T = v->E = v->N = v->psi = nothing;
    isocast_status status = fill(v, runs, label, efficiency, diagnostics);
    if (status != ISOCAST_OK) {
        isocast_validation_free(v);
        return status;
    }
    *out = v;
    return ISOCAST_OK;
}

void isocast_validation_free(isocast_validation *validation) {
    if (validation != NULL) {
        for (size_t i = 0; i < validation->system_count; i++) {
            isocast_system_free(validation->systems[i].system);
        }
        free(validation->systems);
        free(validation->points);
        free(validation);
    }
}
