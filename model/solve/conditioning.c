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

/* The same over the reach; NAN where that leaves the range of N. */
static isocast_status find_slope(const isocast_conditioning_request *request, double *out) {
    const isocast_size *size = &isocast_model_algorithm(request->model)->sizes[0];
    const double N[2] = {request->N / (1 + reach), request->N * (1 + reach)};
    *out = NAN;
    if (!(N[0] >= size->min && N[1] <= size->max)) {
        return ISOCAST_OK;
    }
    isocast_model_points points = {.count = 2,
                                   .N = N,
                                   .other_sizes = request->other_sizes,
                                   .systems = &request->system,
                                   .effort = request->effort};
    double held[2];
    double sum_error;
    isocast_status status =
        isocast_held_evaluate(request->model, request->metric, &points, held, NULL, &sum_error);
    if (status == ISOCAST_OK) {
        *out = log(held[1] / held[0]) / log(N[1] / N[0]);
    }
    return status;
}

isocast_status isocast_conditioning_find(const isocast_conditioning_request *request, double *out) {
    double derivative = NAN;
    double slope = NAN;
    isocast_status status = find_derivative(request, &derivative);
    if (status == ISOCAST_OK) {
        status = find_slope(request, &slope);
    }
    if (status == ISOCAST_OK) {
        bool steps = fabs(slope) < stepped * fabs(derivative);
        *out = 1 / fabs(steps ? slope : derivative);
    }
    return status;
}
