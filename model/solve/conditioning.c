#include "conditioning.h"

#include <math.h>

#include "held.h"
#include "sensitivity.h"

/* How far in N, relative, the slope over steps is taken to either side. */
static const double reach = 0.05;
/* The slope over the reach counts where it is less than this share of the derivative. */
static const double stepped = 0.5;

/* d ln held/d ln N at N. */
static isocast_status find_derivative(const isocast_conditioning_request *request, double *out) {
    isocast_sensitivity_request wanted = {.model = request->model,
                                          .system = request->system,
                                          .N = request->N,
                                          .other_sizes = request->other_sizes,
                                          .alone = isocast_metric_takes_time_alone(request->metric),
                                          .effort = request->effort};
    isocast_sensitivity s;
    isocast_status status = isocast_sensitivity_find(&wanted, &s);
    if (status == ISOCAST_OK) {
        isocast_change held;
        isocast_sensitivity_of_held(&s, request->metric, 0, &held);
        *out = held.by_N;
        isocast_sensitivity_free(&s);
    }
    return status;
}

/* The same over so much of N to either side; NAN where that leaves the range of N. *passes: E is
 * above its value at N at one end, and below it at the other. */
static isocast_status find_slope(const isocast_conditioning_request *request, double over,
                                 double *out, bool *passes) {
    const isocast_size *size = &isocast_model_algorithm(request->model)->sizes[0];
    const double N[3] = {request->N / (1 + over), request->N, request->N * (1 + over)};
    *out = NAN;
    *passes = false;
    if (!(N[0] >= size->min && N[2] <= size->max)) {
        return ISOCAST_OK;
    }
    isocast_model_points points = {.count = 3,
                                   .N = N,
                                   .other_sizes = request->other_sizes,
                                   .systems = &request->system,
                                   .effort = request->effort};
    double held[3];
    double sum_error;
    isocast_status status =
        isocast_held_evaluate(request->model, request->metric, &points, held, NULL, &sum_error);
    if (status == ISOCAST_OK) {
        *out = log(held[2] / held[0]) / log(N[2] / N[0]);
        *passes = (held[0] <= held[1]) == (held[1] <= held[2]);
    }
    return status;
}

/* Whether E comes back to the target again and again within the reach, or jumps over it: a bump has
 * two roots. */
static bool has_teeth(const isocast_conditioning_request *request) {
    const isocast_solution *solution = request->solution;
    double far = log1p(reach);
    size_t near = 0;
    for (size_t k = 0; k < solution->root_count; k++) {
        near += fabs(log(solution->roots[k] / request->N)) <= far;
    }
    return near > 2 || fabs(log(solution->jump_N / request->N)) <= far;
}

isocast_status isocast_conditioning_find(const isocast_conditioning_request *request, double *out) {
    double derivative = NAN;
    double slopes[2] = {NAN, NAN};
    bool passes[2] = {false, false};
    isocast_status status = find_derivative(request, &derivative);
    for (size_t k = 0; k < 2 && status == ISOCAST_OK; k++) {
        status = find_slope(request, k == 0 ? reach : reach / 2, &slopes[k], &passes[k]);
    }
    if (status == ISOCAST_OK) {
        double most = stepped * fabs(derivative);
        /* Fine steps show over any reach; a curve looks straight over a smaller one. */
        bool is_fine = passes[0] && passes[1] && fabs(slopes[1]) < most;
        bool steps = fabs(slopes[0]) < most && (is_fine || has_teeth(request));
        *out = 1 / fabs(steps ? slopes[0] : derivative);
    }
    return status;
}
