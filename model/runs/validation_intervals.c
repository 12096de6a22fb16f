#include "validation_intervals.h"

#include <math.h>
#include <stdlib.h>

#include "model/solve/prediction.h"
#include "validation_sizes.h"

/* Both searches find the same root within this, relative. */
static const double same_root = 1e-6;

static bool is_same(const isocast_prediction_row *row, const isocast_validation_system *system) {
    return fabs(row->N / system->N_predicted - 1) <= same_root;
}

static void take_row(const isocast_prediction_row *row, isocast_validation_system *system) {
    system->N_predicted_low = row->N_low;
    system->N_predicted_high = row->N_high;
    system->condition = row->condition;
}

/* That of a run's N is what its E is off the wanted one, which the curve of E turns into N. */
static double reading_error_of(const isocast_validation *v,
                               const isocast_validation_system *system) {
    if (!isnan(system->N)) {
        bool is_open = isnan(system->N_low) || isnan(system->N_high);
        return is_open ? NAN : fmax(system->N_high / system->N - 1, 1 - system->N_low / system->N);
    }
    double error = NAN;
    for (size_t k = 0; k < system->point_count; k++) {
        const isocast_validation_point *point = &v->points[system->first_point + k];
        if (point->N == system->N_direct) {
            error = fabs(point->E / v->efficiency - 1) * system->condition;
        }
    }
    return error;
}

/* What the errors of N on both systems make of psi; they are independent of each other. */
static isocast_status find_psi_reading_error(const isocast_validation *v,
                                             const isocast_validation_system *before,
                                             isocast_validation_system *system) {
    double shift[2] = {NAN, NAN};
    isocast_status status =
        isocast_validation_psi_shift(v, before, before->N_reading_error, &shift[0]);
    if (status == ISOCAST_OK) {
        status = isocast_validation_psi_shift(v, system, system->N_reading_error, &shift[1]);
    }
    system->psi_reading_error = expm1(hypot(shift[0], shift[1]));
    return status;
}

/* The systems from `begin` to before `end`, which have the same further sizes. */
static isocast_status fill_group(isocast_validation *v, size_t begin, size_t end) {
    const isocast_system **systems = calloc(end - begin + 1, sizeof *systems);
    if (systems == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = begin; i < end; i++) {
        systems[i - begin] = v->systems[i].system;
    }
    isocast_prediction_request request = {.N = NAN,
                                          .other_sizes = v->systems[begin].other_sizes,
                                          .efficiency = v->efficiency,
                                          .systems = systems,
                                          .system_count = end - begin,
                                          .metric = v->metric};
    isocast_prediction *prediction = NULL;
    isocast_status status = isocast_predict(v->model, &request, &prediction);
    for (size_t i = begin; status == ISOCAST_OK && i < end; i++) {
        const isocast_prediction_row *row = &prediction->rows[i - begin];
        if (!is_same(row, &v->systems[i])) {
            continue;
        }
        take_row(row, &v->systems[i]);
        if (i > begin && is_same(row - 1, &v->systems[i - 1])) {
            v->systems[i].psi_predicted_low = row->psi_low;
            v->systems[i].psi_predicted_high = row->psi_high;
        }
    }
    isocast_prediction_free(prediction);
    free(systems);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

isocast_status isocast_validation_fill_intervals(isocast_validation *validation) {
    isocast_status status = ISOCAST_OK;
    for (size_t begin = 0; begin < validation->system_count && status == ISOCAST_OK;) {
        size_t end = begin + 1;
        while (end < validation->system_count &&
               validation->systems[end].group == validation->systems[begin].group) {
            end++;
        }
        status = fill_group(validation, begin, end);
        begin = end;
    }
    for (size_t i = 0; i < validation->system_count && status == ISOCAST_OK; i++) {
        isocast_validation_system *system = &validation->systems[i];
        system->N_reading_error = reading_error_of(validation, system);
        if (i > 0 && system[-1].group == system->group && isfinite(system->psi_error)) {
            status = find_psi_reading_error(validation, system - 1, system);
        }
    }
    return status;
}
