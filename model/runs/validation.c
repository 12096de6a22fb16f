#include "validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/prediction.h"
#include "model/spec/rules.h"
#include "validation_result.h"

/* Both searches find the same root within this, relative. */
static const double same_root = 1e-6;

static bool is_same(const isocast_prediction_row *row, const isocast_validation_system *system) {
    return fabs(row->N / system->N_predicted - 1) <= same_root;
}

static void take_row(const isocast_prediction_row *row, isocast_validation_system *system) {
    system->N_predicted_low = row->N_low;
    system->N_predicted_high = row->N_high;
    system->condition = row->condition;
}

/* That of a run's N is what its E is off the wanted one, which the curve of E turns into N. */
static double reading_error_of(const isocast_validation *v,
                               const isocast_validation_system *system) {
    if (!isnan(system->N)) {
        bool is_open = isnan(system->N_low) || isnan(system->N_high);
        return is_open ? NAN : fmax(system->N_high / system->N - 1, 1 - system->N_low / system->N);
    }
    double error = NAN;
    for (size_t k = 0; k < system->point_count; k++) {
        const isocast_validation_point *point = &v->points[system->first_point + k];
        if (point->N == system->N_direct) {
            error = fabs(point->E / v->efficiency - 1) * system->condition;
        }
    }
    return error;
}

/* What the errors of N on both systems make of psi; they are independent of each other. */
static isocast_status find_psi_reading_error(const isocast_validation *v,
                                             const isocast_validation_system *before,
                                             isocast_validation_system *system) {
    double shift[2] = {NAN, NAN};
    isocast_status status =
        isocast_validation_psi_shift(v, before, before->N_reading_error, &shift[0]);
    if (status == ISOCAST_OK) {
        status = isocast_validation_psi_shift(v, system, system->N_reading_error, &shift[1]);
    }
    system->psi_reading_error = expm1(hypot(shift[0], shift[1]));
    return status;
}

/* The systems from `begin` to before `end`, which have the same further sizes. */
static isocast_status fill_group(isocast_validation *v, size_t begin, size_t end) {
    const isocast_system **systems = calloc(end - begin + 1, sizeof *systems);
    if (systems == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = begin; i < end; i++) {
        systems[i - begin] = v->systems[i].system;
    }
    isocast_prediction_request request = {.N = NAN,
                                          .other_sizes = v->systems[begin].other_sizes,
                                          .efficiency = v->efficiency,
                                          .systems = systems,
                                          .system_count = end - begin,
                                          .metric = v->metric};
    isocast_prediction *prediction = NULL;
    isocast_status status = isocast_predict(v->model, &request, &prediction);
    for (size_t i = begin; status == ISOCAST_OK && i < end; i++) {
        const isocast_prediction_row *row = &prediction->rows[i - begin];
        if (!is_same(row, &v->systems[i])) {
            continue;
        }
        take_row(row, &v->systems[i]);
        if (i > begin && is_same(row - 1, &v->systems[i - 1])) {
            v->systems[i].psi_predicted_low = row->psi_low;
            v->systems[i].psi_predicted_high = row->psi_high;
        }
    }
    isocast_prediction_free(prediction);
    free(systems);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* Fills N_predicted_low to psi_predicted_high and condition of all systems whose N_predicted is
 * known, at the level ISOCAST_LEVEL, and the own errors of what is measured. They stay NAN where
 * the machine file has no errors, or N_predicted is not the smallest N that is predicted. Errors:
 * NO_MEMORY. */
static isocast_status fill_intervals(isocast_validation *validation) {
    isocast_status status = ISOCAST_OK;
    for (size_t begin = 0; begin < validation->system_count && status == ISOCAST_OK;) {
        size_t end = begin + 1;
        while (end < validation->system_count &&
               validation->systems[end].group == validation->systems[begin].group) {
            end++;
        }
        status = fill_group(validation, begin, end);
        begin = end;
    }
    for (size_t i = 0; i < validation->system_count && status == ISOCAST_OK; i++) {
        isocast_validation_system *system = &validation->systems[i];
        system->N_reading_error = reading_error_of(validation, system);
        if (i > 0 && system[-1].group == system->group && isfinite(system->psi_error)) {
            status = find_psi_reading_error(validation, system - 1, system);
        }
    }
    return status;
}

static const isocast_error_summary no_errors = {
    .mean = NAN, .max = NAN, .bias = NAN, .mean_beyond = NAN, .least = NAN, .most = NAN};

/* What all points may take of the effort together. */
static const double points_share = 0.4;

/* Whether the runs of a system, where they say p, have as many processes as the system. Speaks of
 * the first one that has not. */
static bool processes_agree(const isocast_validation *v, const isocast_runs *runs,
                            const isocast_run_system *measured, const isocast_system *system,
                            isocast_diagnostics *diagnostics) {
    for (size_t i = 0; i < measured->run_count; i++) {
        const isocast_run *run = v->sizes.order[measured->first_run + i];
        if (!isnan(run->p) && run->p != system->p) {
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, runs->source, run->places.p,
                                    "correct the system, or p",
                                    "this run has p = %g, and its system '%s' has %g process%s",
                                    run->p, system->name, system->p, system->p == 1 ? "" : "es");
            return false;
        }
    }
    return true;
}

static isocast_status add_system(isocast_validation *v, const isocast_runs *runs, size_t index,
                                 isocast_diagnostics *diagnostics) {
    const isocast_run_system *measured = &v->sizes.systems[index];
    const isocast_run *run = v->sizes.order[measured->first_run];
    isocast_system *system = NULL;
    isocast_status status = isocast_system_parse(
        isocast_model_machine(v->model), isocast_model_algorithm(v->model)->kernel, runs->source,
        run->places.system, diagnostics, &system);
    if (status == ISOCAST_OK && !processes_agree(v, runs, measured, system, diagnostics)) {
        isocast_system_free(system);
        return ISOCAST_INVALID;
    }
    if (status == ISOCAST_OK) {
        v->systems[v->system_count++] =
            (isocast_validation_system){.system = system,
                                        .label = measured->label,
                                        .other_sizes = measured->others,
                                        .oversubscribed = measured->oversubscribed,
                                        .measured = index,
                                        .point_count = measured->size_count,
                                        .N = NAN,
                                        .N_low = NAN,
                                        .N_high = NAN,
                                        .N_direct = NAN,
                                        .N_predicted = NAN,
                                        .N_predicted_low = NAN,
                                        .N_predicted_high = NAN,
                                        .condition = NAN,
                                        .N_error = NAN,
                                        .psi = NAN,
                                        .psi_direct = NAN,
                                        .psi_predicted = NAN,
                                        .psi_predicted_low = NAN,
                                        .psi_predicted_high = NAN,
                                        .N_reading_error = NAN,
                                        .psi_error = NAN,
                                        .psi_reading_error = NAN};
    }
    return status;
}

static int by_processes(const void *left, const void *right) {
    const isocast_validation_system *a = left;
    const isocast_validation_system *b = right;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    if (a->system->p != b->system->p) {
        return a->system->p < b->system->p ? -1 : 1;
    }
    if (a->system->C != b->system->C) {
        return a->system->C < b->system->C ? -1 : 1;
    }
    return (a->measured > b->measured) - (a->measured < b->measured);
}

/* Every system once, from small to large: psi is from one to the next. All that are not known are
 * reported. */
static isocast_status collect_systems(isocast_validation *v, const isocast_runs *runs,
                                      isocast_diagnostics *diagnostics) {
    isocast_status worst = ISOCAST_OK;
    for (size_t i = 0; i < v->sizes.system_count && worst != ISOCAST_NO_MEMORY; i++) {
        isocast_status status = add_system(v, runs, i, diagnostics);
        worst = status != ISOCAST_OK ? status : worst;
    }
    for (size_t i = 0; i < v->system_count; i++) {
        const isocast_run_system *measured = &v->sizes.systems[v->systems[i].measured];
        size_t group = 0;
        while (!isocast_run_sizes_alike(&v->sizes, measured, &v->sizes.systems[group])) {
            group++;
        }
        v->systems[i].group = group;
    }
    qsort(v->systems, v->system_count, sizeof *v->systems, by_processes);
    return worst;
}

/* Whether the algorithm's formulas hold for N on the system. */
static isocast_status point_counts(const isocast_validation *v,
                                   const isocast_validation_system *system, double N,
                                   bool *counts) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(v->model);
    const isocast_rules_point point = {N, system->other_sizes, system->system->p};
    const char *of_system = NULL;
    const char *of_N = NULL;
    isocast_status status = isocast_rules_broken(algorithm, false, &point, &of_system);
    if (status == ISOCAST_OK) {
        status = isocast_rules_broken(algorithm, true, &point, &of_N);
    }
    *counts =
        isocast_valid_holds(isocast_model_valid(v->model), N) && of_system == NULL && of_N == NULL;
    return status;
}

/* The points, in the order of the systems. */
static isocast_status collect_points(isocast_validation *v) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < v->system_count; i++) {
        isocast_validation_system *system = &v->systems[i];
        const isocast_run_size *sizes =
            v->sizes.sizes + v->sizes.systems[system->measured].first_size;
        system->first_point = v->point_count;
        for (size_t k = 0; k < system->point_count; k++) {
            bool counts = false;
            isocast_status one = point_counts(v, system, sizes[k].N, &counts);
            status = one != ISOCAST_OK ? one : status;
            v->valid_count += counts;
            v->points[v->point_count++] = (isocast_validation_point){.system = i,
                                                                     .N = sizes[k].N,
                                                                     .valid = counts,
                                                                     .first_run = sizes[k].first,
                                                                     .repetitions = sizes[k].count,
                                                                     .T = sizes[k].T,
                                                                     .T_min = sizes[k].T_min,
                                                                     .T_max = sizes[k].T_max,
                                                                     .spread = sizes[k].spread};
        }
    }
    return status;
}

/* Of a prediction, relative; NAN where it is too large for a mean of such errors, or has none. */
static double relative_error(double predicted, double measured) {
    static const double most = 1e290;
    double error = predicted / measured - 1;
    return fabs(error) < most ? error : NAN;
}

static isocast_status predict_point(const isocast_validation *v, isocast_effort *effort,
                                    double *terms, isocast_validation_point *point) {
    size_t term_count = isocast_model_algorithm(v->model)->overhead_count;
    double **term_places = calloc(term_count + 1, sizeof(double *));
    if (term_places == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < term_count; i++) {
        term_places[i] = &terms[i];
    }
    const isocast_validation_system *of = &v->systems[point->system];
    const isocast_system *system = of->system;
    double W;
    double T_c;
    isocast_model_results results = {
        .W = &W, .T = &point->T_predicted, .T_c = &T_c, .terms = term_places};
    isocast_status status =
        isocast_validation_times(v, of, point->N, effort, &results, &point->E_predicted);
    free(term_places);
    point->T_error = relative_error(point->T_predicted, point->T);
    const isocast_metric_point measured = {
        .C = system->C,
        .R_f = system->reference_factor,
        .W = W,
        .T = point->T,
        .T_alone =
            of->single != NULL ? isocast_run_sizes_time_at(&v->sizes, of->single, point->N) : NAN};
    point->E = isocast_metric_held(v->metric, &measured);
    point->E_error = relative_error(point->E_predicted, point->E);
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

/* own: of what is measured; NAN: not known. */
static void add_error(isocast_error_summary *summary, double error, double own) {
    if (isfinite(error)) {
        double n = (double)summary->n;
        double beyond = fmax(fabs(error) - (isnan(own) ? 0 : own), 0);
        summary->mean_beyond = n == 0 ? beyond : (summary->mean_beyond * n + beyond) / (n + 1);
        summary->mean = n == 0 ? fabs(error) : (summary->mean * n + fabs(error)) / (n + 1);
        summary->bias = n == 0 ? error : (summary->bias * n + error) / (n + 1);
        summary->max = fmax(summary->max, fabs(error));
        summary->least = fmin(summary->least, error);
        summary->most = fmax(summary->most, error);
        summary->n++;
    }
}

static isocast_status compare_points(isocast_validation *v) {
    double *terms = malloc((isocast_model_algorithm(v->model)->overhead_count + 1) * sizeof *terms);
    isocast_status status = terms == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    isocast_effort left = isocast_effort_lend(v->effort, points_share);
    for (size_t i = 0; status == ISOCAST_OK && i < v->point_count; i++) {
        isocast_effort lent = isocast_effort_lend(&left, 1 / (double)(v->point_count - i));
        status = predict_point(v, &lent, terms, &v->points[i]);
        isocast_effort_return(&left, &lent);
        if (v->points[i].valid) {
            add_error(&v->T, v->points[i].T_error, NAN);
            add_error(&v->E, v->points[i].E_error, NAN);
        }
    }
    isocast_effort_return(v->effort, &left);
    free(terms);
    return status;
}

/* The runs on one process, whose time is T(W,1). */
static isocast_status find_single(isocast_validation *v, const isocast_runs *runs,
                                  isocast_diagnostics *diagnostics) {
    const isocast_metric_row *metric = isocast_metric_row_of(v->metric);
    bool missing = false;
    for (size_t i = 0; i < v->system_count; i++) {
        isocast_validation_system *system = &v->systems[i];
        for (size_t k = 0; k < v->system_count && system->single == NULL; k++) {
            const isocast_validation_system *other = &v->systems[k];
            bool alone = other->system->p == 1 && other->group == system->group;
            system->single = alone ? &v->sizes.systems[other->measured] : NULL;
        }
        missing = missing || system->single == NULL;
    }
    if (missing && metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE) {
        isocast_diagnostics_add_file(
            diagnostics, ISOCAST_ERROR, runs->source->name, "measure the sizes on one process, too",
            "has no run on one process, and %s is %s", metric->symbol, metric->formula);
        return ISOCAST_INVALID;
    }
    return ISOCAST_OK;
}

static isocast_status fill_times(isocast_validation *v, const isocast_runs *runs,
                                 isocast_diagnostics *diagnostics) {
    v->systems = calloc(v->sizes.system_count + 1, sizeof *v->systems);
    v->points = calloc(v->sizes.size_count + 1, sizeof *v->points);
    v->effort = malloc(sizeof *v->effort);
    isocast_status status = v->systems == NULL || v->points == NULL || v->effort == NULL
                                ? ISOCAST_NO_MEMORY
                                : collect_systems(v, runs, diagnostics);
    if (status == ISOCAST_OK) {
        status = find_single(v, runs, diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = collect_points(v);
    }
    if (status == ISOCAST_OK) {
        *v->effort = isocast_effort_of(v->point_count + v->system_count);
        status = compare_points(v);
    }
    return status;
}

static isocast_status fill_sizes(isocast_validation *v, double efficiency) {
    isocast_status status = isocast_validation_compare_sizes(v, efficiency);
    if (status == ISOCAST_OK && !isnan(v->efficiency)) {
        status = fill_intervals(v);
    }
    const isocast_validation *const own[] = {v};
    v->N = isocast_validation_sum(own, 1, ISOCAST_VALIDATION_N);
    v->psi = isocast_validation_sum(own, 1, ISOCAST_VALIDATION_PSI);
    return status;
}

isocast_status isocast_validate_times(const isocast_model *model, const isocast_runs *runs,
                                      const char *algorithm, isocast_metric metric,
                                      isocast_diagnostics *diagnostics, isocast_validation **out) {
    const isocast_algorithm *predicted = isocast_model_algorithm(model);
    isocast_validation *v = calloc(1, sizeof *v);
    if (v == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    v->model = model;
    v->metric = metric;
    v->efficiency = NAN;
    v->T = v->E = v->N = v->psi = no_errors;
    isocast_status status =
        isocast_run_sizes_collect(runs, predicted, algorithm, true, diagnostics, &v->sizes);
    if (status == ISOCAST_OK && v->sizes.size_count > ISOCAST_VALIDATION_POINTS_MAX) {
        const isocast_run_size *first = &v->sizes.sizes[ISOCAST_VALIDATION_POINTS_MAX];
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, runs->source,
                                v->sizes.order[first->first]->places.N, "compare fewer sizes",
                                "the runs have too many sizes to compare (at most %d, those of "
                                "each system)",
                                ISOCAST_VALIDATION_POINTS_MAX);
        status = ISOCAST_INVALID;
    }
    if (status == ISOCAST_OK) {
        status = fill_times(v, runs, diagnostics);
    }
    if (status != ISOCAST_OK) {
        isocast_validation_free(v);
        return status;
    }
    *out = v;
    return ISOCAST_OK;
}

isocast_status isocast_validate(const isocast_model *model, const isocast_runs *runs,
                                const char *algorithm, isocast_metric metric, double efficiency,
                                isocast_diagnostics *diagnostics, isocast_validation **out) {
    isocast_validation *v = NULL;
    isocast_status status = isocast_validate_times(model, runs, algorithm, metric, diagnostics, &v);
    if (status == ISOCAST_OK) {
        status = fill_sizes(v, efficiency);
    }
    if (status != ISOCAST_OK) {
        isocast_validation_free(v);
        return status;
    }
    *out = v;
    return ISOCAST_OK;
}

bool isocast_validation_has_simulated_runs(const isocast_validation *validation) {
    const isocast_machine *machine = isocast_model_machine(validation->model);
    for (size_t i = 0; i < validation->sizes.run_count; i++) {
        const char *name = validation->sizes.order[i]->machine;
        if (name == NULL || strcmp(name, machine->name) != 0) {
            return false;
        }
    }
    return machine->simulated;
}

isocast_error_summary isocast_validation_sum(const isocast_validation *const *validations,
                                             size_t count, isocast_validation_kind kind) {
    if (kind == ISOCAST_VALIDATION_T || kind == ISOCAST_VALIDATION_E) {
        return kind == ISOCAST_VALIDATION_T ? validations[0]->T : validations[0]->E;
    }
    isocast_error_summary sum = no_errors;
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < validations[k]->system_count; i++) {
            const isocast_validation_system *system = &validations[k]->systems[i];
            if (kind == ISOCAST_VALIDATION_N) {
                add_error(&sum, system->N_error, system->N_reading_error);
            } else {
                add_error(&sum, system->psi_error, system->psi_reading_error);
            }
        }
    }
    return sum;
}

void isocast_validation_free(isocast_validation *validation) {
    if (validation != NULL) {
        for (size_t i = 0; i < validation->system_count; i++) {
            isocast_system_free(validation->systems[i].system);
        }
        isocast_run_sizes_free(&validation->sizes);
        free(validation->systems);
        free(validation->points);
        free(validation->effort);
        free(validation);
    }
}
