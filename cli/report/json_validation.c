#include <math.h>

#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "model/runs/validation_times.h"
#include "report_validation.h"

/* Points of the predicted curves, evenly spaced in ln N a little beyond the sizes measured. */
enum { CURVE_POINTS = 81 };
static const double curve_margin = 1.15;

static json_t *json_errors(const isocast_error_summary *summary) {
    json_t *object = json_object();
    cli_json_set(&object, "mean", cli_json_number(summary->mean));
    cli_json_set(&object, "max", cli_json_number(summary->max));
    cli_json_set(&object, "bias", cli_json_number(summary->bias));
    cli_json_set(&object, "mean_beyond", cli_json_number(summary->mean_beyond));
    cli_json_set(&object, "n", cli_json_number((double)summary->n));
    return object;
}

/* The further sizes of an algorithm that has some. */
static void add_other_sizes(const isocast_validation *v, const isocast_validation_system *system,
                            json_t **object) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(v->model);
    if (algorithm->size_count > 1) {
        cli_json_set(object, "other_sizes", cli_json_other_sizes(algorithm, system->other_sizes));
    }
}

static json_t *json_point(const isocast_validation *v, size_t index) {
    const isocast_validation_point *point = &v->points[index];
    const isocast_algorithm *algorithm = isocast_model_algorithm(v->model);
    const isocast_validation_system *system = &v->systems[point->system];
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(system->label));
    cli_json_set(&object, "p", cli_json_number(system->system->p));
    cli_json_set(&object, "C", cli_json_number(system->system->C));
    add_other_sizes(v, system, &object);
    cli_json_set(&object, "N", cli_json_number(point->N));
    cli_json_set(&object, "valid", json_boolean(point->valid));
    cli_json_set(&object, "runs", cli_json_number((double)point->repetitions));
    cli_json_set(&object, "oversubscribed", json_boolean(system->oversubscribed));
    cli_json_set(&object, "T", cli_json_number(point->T));
    cli_json_set(&object, "T_min", cli_json_number(point->T_min));
    cli_json_set(&object, "T_max", cli_json_number(point->T_max));
    cli_json_set(&object, "spread", cli_json_number(point->spread));
    cli_json_set(&object, "T_predicted", cli_json_number(point->T_predicted));
    cli_json_set(&object, "T_error", cli_json_number(point->T_error));
    cli_json_set(&object, "E", cli_json_number(point->E));
    cli_json_set(&object, "E_predicted", cli_json_number(point->E_predicted));
    cli_json_set(&object, "E_error", cli_json_number(point->E_error));
    cli_json_set(&object, "largest_overhead",
                 cli_json_string(point->largest_term < algorithm->overhead_count
                                     ? algorithm->overhead[point->largest_term].name
                                     : NULL));
    cli_json_set(&object, "its_share", cli_json_number(point->largest_share));
    return object;
}

static json_t *json_system(const isocast_validation *v, const isocast_validation_system *system) {
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(system->label));
    add_other_sizes(v, system, &object);
    cli_json_set(&object, "N", cli_json_number(system->N));
    cli_json_set(&object, "N_low", cli_json_number(system->N_low));
    cli_json_set(&object, "N_high", cli_json_number(system->N_high));
    cli_json_set(&object, "N_reading_error", cli_json_number(system->N_reading_error));
    cli_json_set(&object, "N_direct", cli_json_number(system->N_direct));
    cli_json_set(&object, "N_predicted", cli_json_number(system->N_predicted));
    cli_json_set(&object, "N_predicted_low", cli_json_number(system->N_predicted_low));
    cli_json_set(&object, "N_predicted_high", cli_json_number(system->N_predicted_high));
    cli_json_set(&object, "condition", cli_json_number(system->condition));
    cli_json_set(&object, "N_error", cli_json_number(system->N_error));
    cli_json_set(&object, "compared", json_boolean(system->pairing == ISOCAST_PAIRING_OK));
    cli_json_set(&object, "crossings", cli_json_number((double)system->crossings));
    cli_json_set(&object, "roots", cli_json_number((double)system->roots));
    cli_json_set(&object, "psi", cli_json_number(system->psi));
    cli_json_set(&object, "psi_direct", cli_json_number(system->psi_direct));
    cli_json_set(&object, "psi_predicted", cli_json_number(system->psi_predicted));
    cli_json_set(&object, "psi_predicted_low", cli_json_number(system->psi_predicted_low));
    cli_json_set(&object, "psi_predicted_high", cli_json_number(system->psi_predicted_high));
    cli_json_set(&object, "psi_error", cli_json_number(system->psi_error));
    cli_json_set(&object, "psi_reading_error", cli_json_number(system->psi_reading_error));
    return object;
}

/* The predicted T and E of one system over the sizes measured on it. */
static json_t *json_curve(const isocast_validation *v, size_t index) {
    const isocast_validation_system *measured = &v->systems[index];
    double least = v->points[measured->first_point].N;
    double most = v->points[measured->first_point + measured->point_count - 1].N;
    double first = log(fmax(isocast_model_algorithm(v->model)->sizes[0].min, least / curve_margin));
    double step = (log(most * curve_margin) - first) / (CURVE_POINTS - 1);
    double N[CURVE_POINTS];
    double T[CURVE_POINTS];
    double E[CURVE_POINTS];
    for (int k = 0; k < CURVE_POINTS; k++) {
        N[k] = exp(first + step * k);
    }
    isocast_effort left = isocast_effort_lend(v->effort, 1 / (double)(v->system_count - index + 1));
    for (int k = 0; k < CURVE_POINTS; k++) {
        isocast_model_results results = {.T = &T[k]};
        if (isocast_validation_times(v, measured, N[k], &left, &results, &E[k]) != ISOCAST_OK) {
            return NULL;
        }
    }
    isocast_effort_return(v->effort, &left);
    json_t *arrays[3] = {json_array(), json_array(), json_array()};
    for (int k = 0; k < CURVE_POINTS; k++) {
        cli_json_append(&arrays[0], cli_json_number(N[k]));
        cli_json_append(&arrays[1], cli_json_number(T[k]));
        cli_json_append(&arrays[2], cli_json_number(E[k]));
    }
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(measured->label));
    cli_json_set(&object, "N", arrays[0]);
    cli_json_set(&object, "T", arrays[1]);
    cli_json_set(&object, "E", arrays[2]);
    return object;
}

/* The systems at one value of what is held. */
static json_t *json_systems(const isocast_validation *v) {
    json_t *systems = json_array();
    for (size_t i = 0; i < v->system_count; i++) {
        cli_json_append(&systems, json_system(v, &v->systems[i]));
    }
    return systems;
}

/* The same at each value. */
static json_t *json_targets(const cli_validations *validations) {
    json_t *targets = json_array();
    for (size_t k = 0; k < validations->count; k++) {
        const isocast_validation *v = validations->items[k];
        json_t *object = json_object();
        cli_json_set(&object, "efficiency", cli_json_number(v->efficiency));
        cli_json_set(&object, "systems", json_systems(v));
        cli_json_append(&targets, object);
    }
    return targets;
}

json_t *cli_json_validation(const cli_validations *validations, json_t *provenance) {
    const isocast_validation *validation = validations->items[0];
    isocast_error_summary of_N =
        isocast_validation_sum(validations->items, validations->count, ISOCAST_VALIDATION_N);
    isocast_error_summary of_psi =
        isocast_validation_sum(validations->items, validations->count, ISOCAST_VALIDATION_PSI);
    json_t *errors = json_object();
    cli_json_set(&errors, "T", json_errors(&validation->T));
    cli_json_set(&errors, "E", json_errors(&validation->E));
    cli_json_set(&errors, "N", json_errors(&of_N));
    cli_json_set(&errors, "psi", json_errors(&of_psi));
    json_t *rows = json_array();
    for (size_t i = 0; i < validation->point_count; i++) {
        cli_json_append(&rows, json_point(validation, i));
    }
    json_t *curves = json_array();
    for (size_t i = 0; i < validation->system_count; i++) {
        cli_json_append(&curves, json_curve(validation, i));
    }
    json_t *object = json_object();
    cli_json_set(&object, "schema", cli_json_string("isocast.validation/1"));
    cli_json_set(&object, "algorithm",
                 cli_json_string(isocast_model_algorithm(validation->model)->name));
    cli_json_set(&object, "machine",
                 cli_json_string(isocast_model_machine(validation->model)->name));
    cli_json_set(&object, "runs", cli_json_string(validations->runs_name));
    cli_json_set(&object, "runs_simulated",
                 json_boolean(isocast_validation_has_simulated_runs(validation)));
    cli_json_set(&object, "metric", cli_json_string(isocast_metric_name(validation->metric)));
    cli_json_set(&object, "efficiency", cli_json_number(validation->efficiency));
    cli_json_set(&object, "errors", errors);
    cli_json_set(&object, "rows", rows);
    cli_json_set(&object, "systems", json_systems(validation));
    cli_json_set(&object, "targets", json_targets(validations));
    cli_json_set(&object, "curves", curves);
    cli_json_set(&object, "provenance", provenance);
    return object;
}
