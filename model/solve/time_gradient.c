#include "time_gradient.h"

#include <math.h>
#include <stdlib.h>

/* Relative step of the differences. */
static const double step = 1e-4;

isocast_status isocast_time_gradient(const isocast_model *model, const isocast_system *system,
                                     double N, double *T, double *gradient) {
    const isocast_machine *machine = isocast_model_machine(model);
    size_t n = machine->parameter_count;
    double *rows = malloc((n + 1) * (n + 2) * sizeof *rows);
    if (rows == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *N_of = rows + (n + 1) * n;
    double *T_of = N_of + n + 1;
    /* Row 0 has the parameters as they are, row i + 1 the one numbered i a step larger. */
    for (size_t k = 0; k <= n; k++) {
        N_of[k] = N;
        for (size_t i = 0; i < n; i++) {
            rows[k * n + i] = machine->parameters[i].value * (i + 1 == k ? 1 + step : 1);
        }
    }
    isocast_model_points points = {
        .count = n + 1, .N = N_of, .systems = &system, .parameters = rows, .parameters_stride = 1};
    isocast_model_results results = {.T = T_of};
    isocast_status status = isocast_model_evaluate(model, &points, &results);
    for (size_t i = 0; status == ISOCAST_OK && i < n; i++) {
        double change = step * machine->parameters[i].value;
        double slope = (T_of[i + 1] / T_of[0] - 1) / change;
        gradient[i] = isfinite(slope) ? slope : 0;
    }
    *T = status == ISOCAST_OK ? T_of[0] : *T;
    free(rows);
    return status;
}
