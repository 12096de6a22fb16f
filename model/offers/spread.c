#include "spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixes.h"
#include "model/solve/interval.h"

/* The normal distribution's 95 % quantile: 5 % lie beyond either end of a 90 % interval. */
static const double quantile = 1.6448536269514722;
/* Relative change of a parameter to either side. */
static const double step = 1e-3;

/* ln T with each parameter that has an error changed to either side; shape of T: [2 * count], where
 * `varied` (shape [count]) are these parameters. */
static isocast_status vary(const isocast_offers_request *request, const isocast_offer *offer,
                           const isocast_system *system, const size_t *varied, size_t count,
                           isocast_effort *effort, double *T) {
    const isocast_machine *machine = isocast_model_machine(offer->model);
    size_t n = machine->parameter_count;
    double *rows = malloc(2 * count * n * sizeof *rows);
    double *N = malloc(2 * count * sizeof *N);
    isocast_status status = rows == NULL || N == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; status == ISOCAST_OK && k < 2 * count; k++) {
        memcpy(rows + k * n, isocast_model_parameters(offer->model), n * sizeof *rows);
        rows[k * n + varied[k / 2]] *= k % 2 == 0 ? 1 - step : 1 + step;
        N[k] = request->N;
    }
    if (status == ISOCAST_OK) {
        const isocast_model_points points = {.count = 2 * count,
                                             .N = N,
                                             .other_sizes = request->other_sizes,
                                             .systems = &system,
                                             .parameters = rows,
                                             .parameters_stride = 1,
                                             .effort = effort};
        isocast_model_results results = {.T = T};
        status = isocast_model_evaluate(offer->model, &points, &results);
    }
    free(rows);
    free(N);
    return status;
}

/* s of ln T, from the derivatives. NAN where one is not known. */
static double spread_of(const isocast_machine *machine, const size_t *varied, size_t count,
                        const double *T) {
    size_t n = machine->parameter_count;
    double variance = 0;
    for (size_t i = 0; i < count; i++) {
        double slope_i = log(T[2 * i + 1] / T[2 * i]) / (2 * step);
        double value_i = machine->parameters[varied[i]].value;
        for (size_t k = 0; k < count; k++) {
            double slope_k = log(T[2 * k + 1] / T[2 * k]) / (2 * step);
            double value_k = machine->parameters[varied[k]].value;
            double error = machine->parameters[varied[i]].standard_error;
            double covariance = machine->covariance != NULL
                                    ? machine->covariance[varied[i] * n + varied[k]]
                                : i == k ? error * error
                                         : 0;
            variance += slope_i / value_i * slope_k / value_k * covariance;
        }
    }
    return variance >= 0 ? sqrt(variance) : NAN;
}

static isocast_status spread_T(const isocast_offers_request *request, const isocast_offer *offer,
                               const isocast_system *system, double at, isocast_effort *effort,
                               double *low, double *high) {
    const isocast_machine *machine = isocast_model_machine(offer->model);
    size_t *varied = calloc(machine->parameter_count + 1, sizeof *varied);
    double *T = calloc(2 * machine->parameter_count + 1, sizeof *T);
    size_t count = 0;
    isocast_status status = varied == NULL || T == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < machine->parameter_count; i++) {
        const isocast_parameter *parameter = &machine->parameters[i];
        if (parameter->standard_error > 0 && parameter->value != 0) {
            varied[count++] = i;
        }
    }
    if (status == ISOCAST_OK && count > 0) {
        status = vary(request, offer, system, varied, count, effort, T);
    }
    if (status == ISOCAST_OK && count > 0 && !isocast_effort_is_spent(effort)) {
        double s = spread_of(machine, varied, count, T);
        *low = at * exp(-quantile * s);
        *high = at * exp(quantile * s);
    }
    free(varied);
    free(T);
    return status;
}

isocast_status isocast_mix_spread(const isocast_offers_request *request,
                                  const isocast_offer *offer, const isocast_mix *mix,
                                  const double *nodes, isocast_effort *effort, double *low,
                                  double *high) {
    *low = *high = NAN;
    if (!isocast_interval_has_errors(isocast_model_machine(offer->model))) {
        return ISOCAST_OK;
    }
    isocast_system *system = NULL;
    isocast_status status = isocast_mix_system(offer, nodes, &system);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (request->goal == ISOCAST_OFFER_PROBLEM) {
        isocast_interval_request interval = {.model = offer->model,
                                             .system = system,
                                             .N = mix->N,
                                             .base_N = NAN,
                                             .other_sizes = request->other_sizes,
                                             .effort = effort};
        status = isocast_interval_of_N(&interval, low, high);
    } else {
        status = spread_T(request, offer, system, mix->T, effort, low, high);
    }
    isocast_system_free(system);
    return status;
}
