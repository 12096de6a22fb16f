#include "point_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/pool.h"
#include "model/formula/reach.h"

struct isocast_point_times {
    const isocast_model *model;
    isocast_reach *reach;
    isocast_pool pool;       /* of the arrays */
    isocast_column *columns; /* [isocast_model_column_count()] */
    double *parameters;      /* [parameter_count], a copy */
    size_t parameter_count;
    size_t output_count;          /* W, T_c and the terms of T_o */
    const isocast_system *system; /* that is bound; NULL: none */
    const double *other_sizes;
};

isocast_status isocast_point_times_create(const isocast_model *model, isocast_point_times **out) {
    *out = NULL;
    if (!isocast_program_has_sums(isocast_model_times(model))) {
        return ISOCAST_OK;
    }
    isocast_point_times *times = calloc(1, sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    times->model = model;
    times->parameter_count = isocast_model_machine(model)->parameter_count;
    times->output_count = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
    times->columns =
        isocast_pool_take(&times->pool, isocast_model_column_count(model), sizeof *times->columns);
    times->parameters =
        isocast_pool_take(&times->pool, times->parameter_count, sizeof *times->parameters);
    isocast_status status =
        times->pool.failed ? ISOCAST_NO_MEMORY
                           : isocast_reach_create(isocast_model_times(model), 0, &times->reach);
    if (status != ISOCAST_OK || times->reach == NULL) {
        isocast_point_times_free(times);
        return status;
    }
    *out = times;
    return ISOCAST_OK;
}

void isocast_point_times_free(isocast_point_times *times) {
    if (times != NULL) {
        isocast_reach_free(times->reach);
        isocast_pool_free(&times->pool);
        free(times);
    }
}

void isocast_point_times_bind(isocast_point_times *times, const isocast_system *system,
                              const double *other_sizes, const double *parameters) {
    size_t size = times->parameter_count * sizeof *parameters;
    if (system == times->system && other_sizes == times->other_sizes &&
        memcmp(parameters, times->parameters, size) == 0) {
        return;
    }
    memcpy(times->parameters, parameters, size);
    times->system = system;
    times->other_sizes = other_sizes;
    isocast_model_columns(times->model, system, other_sizes, times->parameters, times->columns);
    isocast_reach_bind(times->reach, times->columns, &system->table);
}

bool isocast_point_times_at(isocast_point_times *times, double N, isocast_effort *effort, double *W,
                            double *T) {
    double sum[2] = {0, 0}; /* W, and T_o on its way to T */
    double T_c = 0;
    bool known = true;
    isocast_reach_enter_point(times->reach, N);
    for (size_t o = 0; o < times->output_count && known; o++) {
        isocast_band band = isocast_reach_output(times->reach, o);
        double value = isocast_band_value(&band, N);
        known = isocast_band_is_known(&band) && isfinite(value);
        if (o == ISOCAST_MODEL_COMPUTE) {
            T_c = value;
        } else {
            sum[o == ISOCAST_MODEL_WORK ? 0 : 1] += value;
        }
    }
    effort->left -= isocast_reach_steps(times->reach);
    *W = sum[0];
    *T = T_c + sum[1];
    return known && *W >= 0 && *T > 0;
}
