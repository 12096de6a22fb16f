#include "variation.h"

#include <math.h>
#include <stdlib.h>

#include "held.h"
#include "scaled_system.h"
#include "solver.h"

isocast_status isocast_variation_start(isocast_variation *q, const isocast_prediction *prediction,
                                       const isocast_prediction_request *request, size_t row) {
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    q->prediction = prediction;
    q->request = request;
    q->row = &prediction->rows[row];
    q->system = request->systems[row];
    q->parameters =
        malloc((machine->parameter_count + machine->class_count + 1) * sizeof *q->parameters);
    if (q->parameters == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    q->speed_factors = q->parameters + machine->parameter_count;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        q->parameters[i] = machine->parameters[i].value;
    }
    for (size_t i = 0; i < machine->class_count; i++) {
        q->speed_factors[i] = 1;
    }
    if (!(q->row->p_working < q->row->p)) {
        return ISOCAST_OK;
    }
    double p;
    isocast_status status = isocast_concurrency_working_part(
        prediction->model, q->system, request->other_sizes, q->row->N, q->account, &q->part, &p);
    q->system = status == ISOCAST_OK && p > 0 ? &q->part.system : q->system;
    return status;
}

void isocast_variation_clear(isocast_variation *q) {
    free(q->parameters);
    q->parameters = NULL;
}

static isocast_status scale_system(const isocast_variation *q, const isocast_system *system,
                                   isocast_scaled_system *out) {
    return isocast_scaled_system_create(isocast_model_machine(q->prediction->model), system,
                                        q->speed_factors, out);
}

isocast_status isocast_variation_evaluate(isocast_variation *q, const isocast_system *system,
                                          double N, double *T, double *held) {
    isocast_model_points points = {.count = 1,
                                   .N = &N,
                                   .other_sizes = q->request->other_sizes,
                                   .systems = &system,
                                   .parameters = q->parameters,
                                   .effort = &q->effort};
    double sum_error = 0;
    isocast_status status = isocast_held_evaluate(q->prediction->model, q->prediction->metric,
                                                  &points, held, T, &sum_error);
    if (sum_error > ISOCAST_SUM_ERROR_MAX) {
        *T = *held = NAN;
    }
    return status;
}

/* The value to hold: the base's with the varied machine, or the number that was given. */
static isocast_status target_of(isocast_variation *q, double *target) {
    const isocast_system *base = q->request->base;
    if (base == NULL) {
        *target = q->prediction->target;
        return ISOCAST_OK;
    }
    isocast_scaled_system scaled;
    double T;
    isocast_status status = scale_system(q, base, &scaled);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = isocast_variation_evaluate(q, &scaled.system, q->request->N, &T, target);
    isocast_scaled_system_clear(&scaled);
    return status;
}

/* The root that the row's own moves to; with several, a smaller one may have come up. */
static double nearest_root(const isocast_solution *solution, double N) {
    double nearest = solution->N;
    for (size_t i = 0; i < solution->root_count; i++) {
        if (fabs(log(solution->roots[i] / N)) < fabs(log(nearest / N))) {
            nearest = solution->roots[i];
        }
    }
    return nearest;
}

static isocast_status solve(isocast_variation *q, const isocast_system *system, double *N) {
    double target;
    isocast_status status = target_of(q, &target);
    if (status != ISOCAST_OK || !isfinite(target) || target <= 0) {
        return status;
    }
    isocast_solution solution;
    isocast_effort search = isocast_effort_lend(&q->effort, 0.5);
    const isocast_solve_request wanted = {.model = q->prediction->model,
                                          .metric = q->prediction->metric,
                                          .system = system,
                                          .other_sizes = q->request->other_sizes,
                                          .parameters = q->parameters,
                                          .target = target,
                                          .effort = &search};
    status = isocast_solve(&wanted, &solution);
    isocast_effort_return(&q->effort, &search);
    if (status == ISOCAST_OK) {
        q->has_none = solution.status == ISOCAST_ROW_UNREACHABLE && solution.complete;
        /* Where the concurrency rules, N' is a matter of p alone. */
        bool is_raised = !isnan(q->row->N_efficiency);
        double root = nearest_root(&solution, is_raised ? q->row->N_efficiency : q->row->N);
        *N = is_raised ? fmax(root, q->row->N) : root;
    }
    return status;
}

isocast_status isocast_variation_outcome(isocast_variation *q, double *outcome) {
    isocast_scaled_system scaled;
    *outcome = NAN;
    q->has_none = false;
    isocast_status status = scale_system(q, q->system, &scaled);
    if (status != ISOCAST_OK) {
        return status;
    }
    double held;
    status = q->prediction->fixed_size
                 ? isocast_variation_evaluate(q, &scaled.system, q->row->N, outcome, &held)
                 : solve(q, &scaled.system, outcome);
    isocast_scaled_system_clear(&scaled);
    return status;
}
