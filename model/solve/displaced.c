#include "displaced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/marked_speed.h"
#include "scaled_system.h"

enum { DRAWS = ISOCAST_UNCERTAINTY_DRAWS, GRADIENT_PAYS = 64 /* rows of errors at one N */ };

/* First order is enough where it is off by no more than this share of the interval's reach. */
static const double curvature_allowed = 0.1;

isocast_metric_point isocast_displaced_unknown(const isocast_system *system) {
    return (isocast_metric_point){
        .C = system->size, .R_f = system->reference_factor, .W = NAN, .T = NAN, .T_alone = NAN};
}

/* The system with errors of the sizes, [size_count]; *system itself where none of them counts. */
static isocast_status err_in_sizes(const isocast_interval_request *request,
                                   const isocast_system *system, const double *errors, double scale,
                                   isocast_scaled_system *scaled, const isocast_system **out) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    size_t size_count = isocast_uncertainty_size_count(request->uncertainty);
    bool refers = size_count > machine->class_count && system->reference_set > 0;
    double off = refers ? errors[machine->class_count + system->reference_set - 1] : 0;
    bool any = off != 0;
    for (size_t k = 0; k < machine->class_count; k++) {
        any = any || errors[k] != 0;
    }
    *out = system;
    if (!any || scale == 0) {
        return ISOCAST_OK;
    }
    double *factors = malloc((machine->class_count + 1) * sizeof *factors);
    if (factors == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    const char *program = isocast_model_algorithm(request->model)->kernel;
    for (size_t k = 0; k < machine->class_count; k++) {
        double speed = isocast_marked_speed_of(&machine->classes[k], program);
        factors[k] = errors[k] == 0 ? 1 : 1 + scale * errors[k] / speed;
    }
    isocast_status status = isocast_scaled_system_create(machine, system, factors, scaled);
    free(factors);
    if (status == ISOCAST_OK && off != 0) {
        scaled->system.reference_factor += scale * off;
        isocast_system_size_by(&scaled->system, system->measure);
    }
    *out = status == ISOCAST_OK ? &scaled->system : system;
    return status;
}

/* T(W,1) of `count` points, each on a system of its own, or all on one. */
static isocast_status evaluate_alone(const isocast_interval_request *request,
                                     const isocast_model_points *points, double *alone) {
    double error;
    if (points->systems_stride == 0) {
        return isocast_model_time_alone(request->model, points, alone, &error);
    }
    size_t n = isocast_model_machine(request->model)->parameter_count;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < points->count && status == ISOCAST_OK; k++) {
        isocast_model_points one = *points;
        one.count = 1;
        one.N += k;
        one.systems += k;
        one.systems_stride = 0;
        one.parameters += k * n;
        status = isocast_model_time_alone(request->model, &one, &alone[k], &error);
    }
    return status;
}

/* Whether all points are where less of the program is needed. */
static bool is_narrow(const isocast_interval_request *request, const isocast_model_points *points) {
    bool narrow = request->drawn != NULL && points->systems_stride == 0;
    for (size_t k = 0; k < points->count && narrow; k++) {
        narrow = isocast_drawn_times_is_narrow(request->drawn, points->systems[0],
                                               points->other_sizes, points->N[k]);
    }
    return narrow;
}

/* Evaluates points, each on a system of its own or all on one, by the program. */
static isocast_status evaluate_together(const isocast_interval_request *request,
                                        const isocast_model_points *points,
                                        isocast_metric_point *out) {
    size_t count = points->count;
    double *W = malloc((3 * count + 1) * sizeof *W);
    if (W == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *T = W + count;
    double *alone = T + count;
    isocast_model_results results = {.W = W, .T = T};
    bool is_alone = isocast_metric_takes_time_alone(request->metric);
    isocast_status status =
        is_narrow(request, points)
            ? isocast_drawn_times_evaluate(request->drawn, count, points->N, points->parameters,
                                           points->effort, W, T)
            : isocast_model_evaluate(request->model, points, &results);
    if (status == ISOCAST_OK && is_alone) {
        status = evaluate_alone(request, points, alone);
    }
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        out[k].W = W[k];
        out[k].T = T[k];
        out[k].T_alone = is_alone ? alone[k] : NAN;
    }
    free(W);
    return status;
}

/* Where isocast_displaced_evaluate() puts what it hands on. */
typedef struct workspace {
    double *parameters;             /* [count][parameter_count] */
    isocast_scaled_system *scaled;  /* [count] */
    const isocast_system **systems; /* [count] */
} workspace;

static bool workspace_create(size_t count, size_t parameters, workspace *out) {
    out->parameters = malloc((count * parameters + 1) * sizeof *out->parameters);
    out->scaled = calloc(count + 1, sizeof *out->scaled);
    out->systems = calloc(count + 1, sizeof *out->systems);
    return out->parameters != NULL && out->scaled != NULL && out->systems != NULL;
}

static void workspace_free(workspace *s, size_t count) {
    for (size_t k = 0; s->scaled != NULL && k < count; k++) {
        isocast_scaled_system_clear(&s->scaled[k]);
    }
    free(s->parameters);
    free(s->scaled);
    free(s->systems);
}

isocast_status isocast_displaced_evaluate(const isocast_interval_request *request,
                                          const isocast_system *system, size_t count,
                                          const double *N, const double *errors, double scale,
                                          isocast_metric_point *out) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    size_t n = machine->parameter_count;
    size_t all = isocast_uncertainty_count(request->uncertainty);
    workspace s;
    bool own_systems = false;
    isocast_status status = workspace_create(count, n, &s) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        isocast_misfits_displace(isocast_uncertainty_misfits(request->uncertainty), system->p,
                                 errors + k * all, scale, s.parameters + k * n);
        status =
            err_in_sizes(request, system, errors + k * all + n, scale, &s.scaled[k], &s.systems[k]);
        out[k] = isocast_displaced_unknown(s.systems[k]);
        own_systems = own_systems || s.systems[k] != system;
    }
    isocast_model_points points = {.count = count,
                                   .N = N,
                                   .other_sizes = request->other_sizes,
                                   .systems = own_systems ? s.systems : &system,
                                   .systems_stride = own_systems,
                                   .parameters = s.parameters,
                                   .parameters_stride = 1,
                                   .effort = request->effort};
    if (status == ISOCAST_OK && request->times == NULL) {
        status = evaluate_together(request, &points, out);
    }
    for (size_t k = 0; request->times != NULL && k < count && status == ISOCAST_OK; k++) {
        const double *own = s.parameters + k * n;
        isocast_point_times_bind(request->times, s.systems[k], request->other_sizes, own);
        if (!isocast_point_times_at(request->times, N[k], request->effort, &out[k].W, &out[k].T)) {
            isocast_model_points one = points;
            one.count = 1;
            one.N = &N[k];
            one.systems = &s.systems[k];
            one.systems_stride = 0;
            one.parameters = own;
            status = evaluate_together(request, &one, &out[k]);
        }
    }
    workspace_free(&s, count);
    return status;
}

/* By the gradient at N, which states W and T with all errors. */
static isocast_status evaluate_by_gradient(const isocast_interval_request *request,
                                           const isocast_system *system, size_t count, double N,
                                           const double *errors, double scale,
                                           isocast_metric_point *out) {
    size_t n = isocast_uncertainty_count(request->uncertainty);
    isocast_drawn_point point;
    isocast_status status = isocast_drawn_times_at(request->drawn, system, request->other_sizes, N,
                                                   request->effort, &point);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < point.count; i++) {
        point.slopes[i] *= scale;
    }
    for (size_t k = 0; k < count; k++) {
        double T = isocast_drawn_time(&point, errors + k * n);
        out[k] = isocast_displaced_unknown(system);
        out[k].W = point.W;
        out[k].T = T > 0 ? T : NAN;
    }
    request->effort->left -= (double)count * (double)point.count;
    isocast_drawn_point_free(&point);
    return ISOCAST_OK;
}

isocast_status isocast_displaced_evaluate_at(const isocast_interval_request *request,
                                             const isocast_system *system, size_t count, double N,
                                             const double *errors, double scale,
                                             isocast_metric_point *out) {
    if (request->drawn != NULL && count >= GRADIENT_PAYS &&
        !isocast_metric_takes_time_alone(request->metric)) {
        return evaluate_by_gradient(request, system, count, N, errors, scale, out);
    }
    double *all = malloc((count + 1) * sizeof *all);
    if (all == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t k = 0; k < count; k++) {
        all[k] = N;
    }
    isocast_status status =
        isocast_displaced_evaluate(request, system, count, all, errors, scale, out);
    free(all);
    return status;
}

isocast_status isocast_displaced_size_changes(const isocast_interval_request *request,
                                              double *changes) {
    size_t size_count = isocast_uncertainty_size_count(request->uncertainty);
    double *errors = calloc(size_count + 1, sizeof *errors);
    isocast_status status = errors == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; k < size_count && status == ISOCAST_OK; k++) {
        double error = isocast_uncertainty_of_size(request->uncertainty, k);
        double ln_size[2] = {0, 0};
        for (int side = 0; side < 2 && error > 0 && status == ISOCAST_OK; side++) {
            isocast_scaled_system scaled = {.speeds = NULL};
            const isocast_system *system;
            errors[k] = error;
            status = err_in_sizes(request, request->system, errors, side == 0 ? -1 : 1, &scaled,
                                  &system);
            if (status == ISOCAST_OK) {
                isocast_metric_point at = isocast_displaced_unknown(system);
                ln_size[side] = log(isocast_metric_size_of(request->metric, &at));
            }
            isocast_scaled_system_clear(&scaled);
        }
        errors[k] = 0;
        changes[k] = error > 0 ? (ln_size[1] - ln_size[0]) / (2 * error) : 0;
    }
    free(errors);
    return status;
}

isocast_status isocast_displaced_targets(const isocast_interval_request *request, size_t count,
                                         const double *errors, double scale, double target,
                                         double *out) {
    double ln_target = log(target);
    for (size_t k = 0; k < count; k++) {
        out[k] = ln_target;
    }
    if (request->base == NULL || request->base_row == NULL) {
        return ISOCAST_OK;
    }
    isocast_metric_point *points = malloc((count + 1) * sizeof *points);
    isocast_status status = points == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        status = isocast_displaced_evaluate_at(request, request->base, count, request->base_row->N,
                                               errors, scale, points);
    }
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        out[k] = log(isocast_metric_held(request->metric, &points[k]));
    }
    free(points);
    return status;
}

bool isocast_displaced_is_curved(const double *ends, double reach) {
    double off = fmax(fabs(ends[0] + reach), fabs(ends[1] - reach));
    return reach > ISOCAST_REACH_SEEN && !(off <= curvature_allowed * reach);
}

double isocast_displaced_change(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] != 0 ? a[i] * b[i] : 0;
    }
    return sum;
}

void isocast_displaced_interval(const isocast_uncertainty *u, const double *draws, double *scratch,
                                double *low, double *high) {
    memcpy(scratch, draws, DRAWS * sizeof *draws);
    double a;
    double b;
    if (isocast_uncertainty_interval(u, scratch, &a, &b)) {
        *low = exp(a);
        *high = exp(b);
    }
}
