#include "time_gradient.h"

#include <math.h>

#include "sensitivity.h"

isocast_status isocast_time_gradient(const isocast_model *model, const isocast_system *system,
                                     double N, double *T, double *gradient) {
    isocast_effort effort = isocast_effort_of(1);
    const isocast_sensitivity_request request = {
        .model = model, .system = system, .N = N, .effort = &effort};
    isocast_sensitivity found;
    isocast_status status = isocast_sensitivity_find(&request, &found);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < isocast_model_machine(model)->parameter_count; i++) {
        double by_parameter = found.of_T.by_parameters[i];
        gradient[i] = isfinite(by_parameter) ? by_parameter : 0;
    }
    *T = found.T;
    isocast_sensitivity_free(&found);
    return ISOCAST_OK;
}
