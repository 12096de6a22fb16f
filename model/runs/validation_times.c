#include "validation_result.h"

#include <math.h>

#include "model/solve/concurrency.h"
#include "model/solve/solution.h"

static void forget(double *result) {
    if (result != NULL) {
        *result = NAN;
    }
}

/* Where a sum is not known, or which processes work. */
static void forget_results(const isocast_validation *v, isocast_model_results *results) {
    forget(results->W);
    forget(results->T);
    forget(results->T_c);
    size_t terms = isocast_model_algorithm(v->model)->overhead_count;
    for (size_t i = 0; results->terms != NULL && i < terms; i++) {
        forget(results->terms[i]);
    }
}

isocast_status isocast_validation_times(const isocast_validation *validation,
                                        const isocast_validation_system *of, double N,
                                        isocast_effort *effort, isocast_model_results *results,
                                        double *held) {
    const isocast_system *system = of->system;
    isocast_metric_point point = {
        .C = system->size, .R_f = system->reference_factor, .T_alone = NAN};
    isocast_model_points at = {
        .count = 1, .N = &N, .other_sizes = of->other_sizes, .systems = &system, .effort = effort};
    results->W = results->W != NULL ? results->W : &point.W;
    results->T = results->T != NULL ? results->T : &point.T;
    double p;
    isocast_status status = isocast_concurrency_evaluate(validation->model, &at, results, &p);
    double error = results->sum_error;
    bool is_alone = isocast_metric_takes_time_alone(validation->metric);
    if (status == ISOCAST_OK && held != NULL && is_alone) {
        double alone_error = 0;
        status = isocast_model_time_alone(validation->model, &at, &point.T_alone, &alone_error);
        error = fmax(error, alone_error);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    if (error > ISOCAST_SUM_ERROR_MAX || p == 0) {
        forget_results(validation, results);
    }
    point.W = *results->W;
    point.T = *results->T;
    if (held != NULL) {
        *held = isocast_metric_held(validation->metric, &point);
    }
    return ISOCAST_OK;
}
