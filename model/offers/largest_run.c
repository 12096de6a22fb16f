#include "largest_run.h"

#include <math.h>

#include "model/solve/boundary.h"
#include "model/solve/solver.h"

/* N is looked for up to here where the size has no maximum. */
static const double N_most = 1e15;

/* The largest N up to *N at which a quantity is at most a level, into *N. */
static isocast_status bound_by(const isocast_offers_request *request, const isocast_model *model,
                               const isocast_system *system, isocast_curve_kind kind, double level,
                               isocast_run_limit by, isocast_effort *effort, double *N,
                               isocast_run_limit *limit) {
    isocast_curve *curve;
    isocast_status status =
        isocast_curve_create(model, system, request->other_sizes, kind, effort, &curve);
    if (status != ISOCAST_OK) {
        return status;
    }
    double low = isocast_model_algorithm(model)->sizes[0].min;
    isocast_boundary bound;
    status = isocast_boundary_find(curve, ISOCAST_BOUNDARY_LAST_AT_MOST, level, low, *N, &bound);
    isocast_curve_free(curve);
    if (status == ISOCAST_OK && !(bound.N >= *N)) {
        *N = isnan(bound.N) ? low : bound.N;
        *limit = by;
    }
    return status;
}

static isocast_status efficiency_at(const isocast_offers_request *request,
                                    const isocast_model *model, const isocast_system *system,
                                    isocast_effort *effort, double N, double *E) {
    isocast_model_points points = {.count = 1,
                                   .N = &N,
                                   .other_sizes = request->other_sizes,
                                   .systems = &system,
                                   .effort = effort};
    isocast_model_results results = {.E = E};
    return isocast_model_evaluate(model, &points, &results);
}

/* Where E is below the limit at *N: the last N before at which it is not. Between two roots E is on
 * one side of the limit, so that this is a root. */
static isocast_status bound_by_efficiency(const isocast_offers_request *request,
                                          const isocast_model *model, const isocast_system *system,
                                          isocast_effort *effort, double *N,
                                          isocast_run_limit *limit) {
    double E;
    isocast_status status = efficiency_at(request, model, system, effort, *N, &E);
    if (status != ISOCAST_OK || !(E < request->efficiency)) {
        return status;
    }
    isocast_solution solution;
    const isocast_solve_request wanted = {.model = model,
                                          .metric = ISOCAST_METRIC_ISOSPEED_E,
                                          .system = system,
                                          .other_sizes = request->other_sizes,
                                          .target = request->efficiency,
                                          .by_bands = true,
                                          .effort = effort};
    status = isocast_solve(&wanted, &solution);
    double last = NAN;
    for (size_t i = 0; status == ISOCAST_OK && i < solution.root_count; i++) {
        last = solution.roots[i] <= *N ? solution.roots[i] : last;
    }
    if (!isnan(last)) {
        *N = last;
        *limit = ISOCAST_RUN_BY_EFFICIENCY;
    }
    return status;
}

isocast_status isocast_largest_run_find(const isocast_offers_request *request,
                                        const isocast_model *model, const isocast_system *system,
                                        isocast_effort *effort, double *N,
                                        isocast_run_limit *limit) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    double memory = isocast_system_memory(system);
    double found = fmin(algorithm->sizes[0].max, N_most);
    isocast_run_limit by = ISOCAST_RUN_BY_SIZE;
    isocast_status status = ISOCAST_OK;
    if (algorithm->memory != NULL && isfinite(memory)) {
        status = bound_by(request, model, system, ISOCAST_CURVE_MEMORY, memory,
                          ISOCAST_RUN_BY_MEMORY, effort, &found, &by);
    }
    if (status == ISOCAST_OK && !isnan(request->deadline)) {
        status = bound_by(request, model, system, ISOCAST_CURVE_TIME, request->deadline,
                          ISOCAST_RUN_BY_DEADLINE, effort, &found, &by);
    }
    if (status == ISOCAST_OK && !isnan(request->efficiency)) {
        status = bound_by_efficiency(request, model, system, effort, &found, &by);
    }
    if (status == ISOCAST_OK) {
        *N = found;
        *limit = by;
    }
    return status;
}
