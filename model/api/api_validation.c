#include <isocast/runs.h>
#include <math.h>

#include "api.h"
#include "model/runs/validation.h"

static isocast_status validate(const isocast_model *model, const isocast_runs *runs,
                               const char *algorithm, double efficiency,
                               isocast_diagnostics *diagnostics, isocast_validation **out) {
    if (!runs->has_times) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, runs->source->name,
                                     "add a column T, in seconds",
                                     "has no times to compare with: there is no column T");
        return ISOCAST_INVALID;
    }
    return isocast_validate(model, runs, algorithm, ISOCAST_METRIC_ISOSPEED_E,
                            efficiency != 0 ? efficiency : NAN, diagnostics, out);
}

isocast_status isocast_model_validate(const isocast_model *model, const isocast_runs *runs,
                                      const char *algorithm, double efficiency,
                                      isocast_diagnostics *diagnostics, isocast_validation **out) {
    if (model == NULL || runs == NULL || out == NULL || !isfinite(efficiency) || efficiency < 0) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    isocast_status status = validate(model, runs, algorithm, efficiency, call.diagnostics, out);
    return isocast_api_leave(&call, status);
}

double isocast_validation_efficiency(const isocast_validation *validation) {
    return validation->efficiency;
}

size_t isocast_validation_point_count(const isocast_validation *validation) {
    return validation->point_count;
}

static const isocast_validation_point *point_at(const isocast_validation *validation,
                                                size_t point) {
    return point < validation->point_count ? &validation->points[point] : NULL;
}

const char *isocast_validation_point_system(const isocast_validation *validation, size_t point) {
    const isocast_validation_point *p = point_at(validation, point);
    return p != NULL ? validation->systems[p->system].label : NULL;
}

/* What is measured, what is predicted, and the error of that. */
enum { MEASURED, PREDICTED, ERROR, SIDES };
enum { QUANTITIES = ISOCAST_QUANTITY_CONDITION + 1 };

#define POINT(member) ISOCAST_API_PLACE(isocast_validation_point, member)
static const size_t point_places[SIDES][QUANTITIES] = {
    [MEASURED] = {[ISOCAST_QUANTITY_N] = POINT(N),
                  [ISOCAST_QUANTITY_T] = POINT(T),
                  [ISOCAST_QUANTITY_E] = POINT(E)},
    [PREDICTED] =
        {[ISOCAST_QUANTITY_T] = POINT(T_predicted), [ISOCAST_QUANTITY_E] = POINT(E_predicted)},
    [ERROR] = {[ISOCAST_QUANTITY_T] = POINT(T_error), [ISOCAST_QUANTITY_E] = POINT(E_error)}};

#define SYSTEM(member) ISOCAST_API_PLACE(isocast_validation_system, member)
static const size_t system_places[SIDES][QUANTITIES] = {
    [MEASURED] = {[ISOCAST_QUANTITY_N] = SYSTEM(N), [ISOCAST_QUANTITY_PSI] = SYSTEM(psi)},
    [PREDICTED] = {[ISOCAST_QUANTITY_N] = SYSTEM(N_predicted),
                   [ISOCAST_QUANTITY_PSI] = SYSTEM(psi_predicted)},
    [ERROR] = {[ISOCAST_QUANTITY_N] = SYSTEM(N_error), [ISOCAST_QUANTITY_PSI] = SYSTEM(psi_error)}};

static double number_of(const void *record, const size_t *places, isocast_quantity quantity) {
    return isocast_api_number(record, places, QUANTITIES, quantity);
}

double isocast_validation_point_measured(const isocast_validation *validation, size_t point,
                                         isocast_quantity quantity) {
    return number_of(point_at(validation, point), point_places[MEASURED], quantity);
}

double isocast_validation_point_predicted(const isocast_validation *validation, size_t point,
                                          isocast_quantity quantity) {
    return number_of(point_at(validation, point), point_places[PREDICTED], quantity);
}

double isocast_validation_point_error(const isocast_validation *validation, size_t point,
                                      isocast_quantity quantity) {
    return number_of(point_at(validation, point), point_places[ERROR], quantity);
}

size_t isocast_validation_system_count(const isocast_validation *validation) {
    return validation->system_count;
}

static const isocast_validation_system *system_at(const isocast_validation *validation,
                                                  size_t system) {
    return system < validation->system_count ? &validation->systems[system] : NULL;
}

const char *isocast_validation_system_name(const isocast_validation *validation, size_t system) {
    const isocast_validation_system *s = system_at(validation, system);
    return s != NULL ? s->label : NULL;
}

double isocast_validation_system_measured(const isocast_validation *validation, size_t system,
                                          isocast_quantity quantity) {
    return number_of(system_at(validation, system), system_places[MEASURED], quantity);
}

double isocast_validation_system_predicted(const isocast_validation *validation, size_t system,
                                           isocast_quantity quantity) {
    return number_of(system_at(validation, system), system_places[PREDICTED], quantity);
}

double isocast_validation_system_error(const isocast_validation *validation, size_t system,
                                       isocast_quantity quantity) {
    return number_of(system_at(validation, system), system_places[ERROR], quantity);
}

static const isocast_error_summary *summary_of(const isocast_validation *validation,
                                               isocast_quantity quantity) {
    static const isocast_error_summary nothing = {.mean = NAN, .max = NAN, .bias = NAN};
    switch ((int)quantity) {
    case ISOCAST_QUANTITY_T:
        return &validation->T;
    case ISOCAST_QUANTITY_E:
        return &validation->E;
    case ISOCAST_QUANTITY_N:
        return &validation->N;
    case ISOCAST_QUANTITY_PSI:
        return &validation->psi;
    default:
        return &nothing;
    }
}

double isocast_validation_mean_error(const isocast_validation *validation,
                                     isocast_quantity quantity) {
    return summary_of(validation, quantity)->mean;
}

double isocast_validation_max_error(const isocast_validation *validation,
                                    isocast_quantity quantity) {
    return summary_of(validation, quantity)->max;
}

double isocast_validation_bias(const isocast_validation *validation, isocast_quantity quantity) {
    return summary_of(validation, quantity)->bias;
}

size_t isocast_validation_error_count(const isocast_validation *validation,
                                      isocast_quantity quantity) {
    return summary_of(validation, quantity)->n;
}
