#include "held.h"

#include <math.h>
#include <stdlib.h>

isocast_status isocast_held_evaluate(const isocast_model *model, isocast_metric metric,
                                     const isocast_model_points *points, double *held, double *T,
                                     double *sum_error) {
    const isocast_system *system = points->systems[0];
    double *times = malloc(3 * points->count * sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *W = times + points->count;
    double *alone = W + points->count;
    isocast_model_results results = {.W = W, .T = times};
    isocast_status status = isocast_model_evaluate(model, points, &results);
    double error = results.sum_error;
    bool is_alone = isocast_metric_takes_time_alone(metric);
    if (status == ISOCAST_OK && is_alone) {
        double alone_error;
        status = isocast_model_time_alone(model, points, alone, &alone_error);
        error = fmax(error, alone_error);
    }
    for (size_t k = 0; status == ISOCAST_OK && k < points->count; k++) {
        isocast_metric_point at = {.C = system->size,
                                   .R_f = system->reference_factor,
                                   .W = W[k],
                                   .T = times[k],
                                   .T_alone = is_alone ? alone[k] : NAN};
        held[k] = isocast_metric_held(metric, &at);
        if (T != NULL) {
            T[k] = times[k];
        }
    }
    *sum_error = error;
    free(times);
    return status;
}
