#include "interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/marked_speed.h"
#include "scaled_system.h"
#include "sensitivity.h"

enum { DRAWS = ISOCAST_UNCERTAINTY_DRAWS, BLOCK = 250, STEPS_MAX = 12, CHORDS = 3 };

/* First order is enough where it is off by no more than this share of the interval's reach. */
static const double curvature_allowed = 0.1;
/* A reach of ln N below this is known by the solver's own accuracy only. */
static const double reach_seen = 1e-6;
/* Roots of draws are closed in on to this share of the interval's reach. */
static const double root_tolerance = 1e-3;

static const isocast_machine *machine_of(const isocast_interval_request *request) {
    return isocast_model_machine(request->model);
}

static size_t count_of_numbers(const isocast_interval_request *request) {
    return isocast_uncertainty_count(request->uncertainty);
}

static bool is_of_time_alone(const isocast_interval_request *request) {
    return isocast_metric_row_of(request->metric)->numerator == ISOCAST_NUMERATOR_TIME_ALONE;
}

static isocast_metric_point nothing_known(const isocast_system *system) {
    return (isocast_metric_point){
        .C = system->size, .R_f = system->reference_factor, .W = NAN, .T = NAN, .T_alone = NAN};
}

/* What psi is read off, ln: its value on one system over that on another is psi. NAN for a metric
 * without psi. */
static double ln_read(isocast_metric metric, const isocast_metric_point *at) {
    switch (isocast_metric_row_of(metric)->reading) {
    case ISOCAST_READ_WORK:
        return log(at->W / isocast_metric_size_of(metric, at));
    case ISOCAST_READ_TIME:
        return log(at->T);
    case ISOCAST_READ_LATENCY:
        return log(isocast_metric_latency(at));
    default:
        return NAN;
    }
}

static double ln_held(isocast_metric metric, const isocast_metric_point *at) {
    return log(isocast_metric_held(metric, at));
}

/* The change of what psi is read off, into `out`. */
static void change_of_read(const isocast_sensitivity *s, isocast_metric metric, double R_f,
                           size_t n, isocast_change *out) {
    isocast_metric_reading reading = isocast_metric_row_of(metric)->reading;
    double alone = s->alone / R_f;
    double by_T = reading == ISOCAST_READ_TIME      ? 1
                  : reading == ISOCAST_READ_LATENCY ? s->T / (s->T - alone)
                                                    : 0;
    double by_alone = reading == ISOCAST_READ_LATENCY ? alone / (s->T - alone) : 0;
    double by_W = reading == ISOCAST_READ_WORK ? 1 : 0;
    out->by_N = by_W * s->of_W.by_N + by_T * s->of_T.by_N - by_alone * s->of_alone.by_N;
    for (size_t i = 0; i < n; i++) {
        out->by_parameters[i] = by_W * s->of_W.by_parameters[i] + by_T * s->of_T.by_parameters[i] -
                                by_alone * s->of_alone.by_parameters[i];
    }
}

/* The system with errors of its marked speeds, [class_count]; *system itself where there are none.
 */
static isocast_status err_in_speeds(const isocast_interval_request *request,
                                    const isocast_system *system, const double *errors,
                                    double scale, isocast_scaled_system *scaled,
                                    const isocast_system **out) {
    const isocast_machine *machine = machine_of(request);
    bool any = false;
    for (size_t k = 0; k < machine->class_count; k++) {
        any = any || errors[k] != 0;
    }
    *out = system;
    if (!any || scale == 0) {
        return ISOCAST_OK;
    }
    double *factors = malloc(machine->class_count * sizeof *factors);
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
    size_t n = machine_of(request)->parameter_count;
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

/* Evaluates points, each on a system of its own or all on one, by the program. */
static isocast_status evaluate_together(const isocast_interval_request *request,
                                        const isocast_model_points *points,
                                        isocast_metric_point *out) {
    size_t count = points->count;
    double *W = malloc(3 * count * sizeof *W);
    if (W == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *T = W + count;
    double *alone = T + count;
    isocast_model_results results = {.W = W, .T = T};
    isocast_status status = isocast_model_evaluate(request->model, points, &results);
    bool is_alone = is_of_time_alone(request);
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

/* Where evaluate() puts what it hands on. */
typedef struct workspace {
    double *parameters;             /* [count][parameter_count] */
    isocast_scaled_system *scaled;  /* [count] */
    const isocast_system **systems; /* [count] */
} workspace;

static bool workspace_create(size_t count, size_t parameters, workspace *out) {
    out->parameters = malloc((count * parameters + 1) * sizeof *out->parameters);
    out->scaled = calloc(count, sizeof *out->scaled);
    out->systems = calloc(count, sizeof *out->systems);
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

/* Evaluates a system at `count` N, each with its errors of the numbers, [count][number_count];
 * `scale` is what they are multiplied by. */
static isocast_status evaluate(const isocast_interval_request *request,
                               const isocast_system *system, size_t count, const double *N,
                               const double *errors, double scale, isocast_metric_point *out) {
    const isocast_machine *machine = machine_of(request);
    size_t n = machine->parameter_count;
    size_t all = count_of_numbers(request);
    workspace s;
    bool own_systems = false;
    isocast_status status = workspace_create(count, n, &s) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        for (size_t i = 0; i < n; i++) {
            s.parameters[k * n + i] = machine->parameters[i].value + scale * errors[k * all + i];
        }
        status = err_in_speeds(request, system, errors + k * all + n, scale, &s.scaled[k],
                               &s.systems[k]);
        out[k] = nothing_known(s.systems[k]);
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

/* d ln/d marked speed of each class, [class_count], of the size that the metric divides by: as it
 * changes within a standard error to either side. */
static isocast_status find_size_changes(const isocast_interval_request *request, double *changes) {
    const isocast_machine *machine = machine_of(request);
    double *errors = calloc(machine->class_count + 1, sizeof *errors);
    isocast_status status = errors == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; k < machine->class_count && status == ISOCAST_OK; k++) {
        double error = isocast_uncertainty_of_speed(request->uncertainty, k);
        double ln_size[2] = {0, 0};
        for (int side = 0; side < 2 && error > 0 && status == ISOCAST_OK; side++) {
            isocast_scaled_system scaled = {.speeds = NULL};
            const isocast_system *system;
            errors[k] = error;
            status = err_in_speeds(request, request->system, errors, side == 0 ? -1 : 1, &scaled,
                                   &system);
            if (status == ISOCAST_OK) {
                isocast_metric_point at = nothing_known(system);
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

/* ln of what is to be held with each row of errors: the base's value with them, or the target,
 * which they do not move. */
static isocast_status find_targets(const isocast_interval_request *request, size_t count,
                                   const double *errors, double scale, double target, double *out) {
    for (size_t k = 0; k < count; k++) {
        out[k] = log(target);
    }
    if (request->base == NULL || request->base_row == NULL) {
        return ISOCAST_OK;
    }
    double *N = malloc(count * sizeof *N);
    isocast_metric_point *points = malloc(count * sizeof *points);
    isocast_status status = N == NULL || points == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        N[k] = request->base_row->N;
    }
    if (status == ISOCAST_OK) {
        status = evaluate(request, request->base, count, N, errors, scale, points);
    }
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        out[k] = ln_held(request->metric, &points[k]);
    }
    free(N);
    free(points);
    return status;
}

/* How far a linear rule is off where the parameters are one reach off in the direction that
 * matters, as a share of the reach: `ends` are what the rule's quantity really changes by. */
static bool is_curved(const double *ends, double reach) {
    double off = fmax(fabs(ends[0] + reach), fabs(ends[1] - reach));
    return reach > reach_seen && !(off <= curvature_allowed * reach);
}

/* What N really changes by, ln, one reach of the errors to either side: one step of Newton from
 * where first order has it. */
static isocast_status find_ends_of_N(const isocast_interval_request *request,
                                     const isocast_prediction_row *row, const double *direction,
                                     double slope, double reach, double sigma, double *ends) {
    double z = reach / sigma;
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? -1 : 1;
        double N = row->N * exp(sign * reach);
        isocast_metric_point at = nothing_known(request->system);
        double target = NAN;
        isocast_status status = evaluate(request, request->system, 1, &N, direction, sign * z, &at);
        if (status == ISOCAST_OK) {
            status = find_targets(request, 1, direction, sign * z, row->held, &target);
        }
        if (status != ISOCAST_OK) {
            return status;
        }
        ends[side] = sign * reach - (ln_held(request->metric, &at) - target) / slope;
    }
    return ISOCAST_OK;
}

/* The draws of a block, whose roots are looked for together. */
typedef struct block {
    const double *errors;  /* [end][n] */
    size_t begin, end;     /* of what is looked for at the moment */
    double x[BLOCK];       /* ln N; NAN: given up */
    double slope[BLOCK];   /* d ln held/d ln N */
    double off[BLOCK];     /* ln held - ln target at x */
    double targets[BLOCK]; /* ln */
    isocast_metric_point at[BLOCK];
} block;

/* What is off at the present x; out of the range of N nothing is known. */
static isocast_status look_at_block(const isocast_interval_request *request, block *b) {
    const isocast_size *size = &isocast_model_algorithm(request->model)->sizes[0];
    size_t n = count_of_numbers(request);
    double N[BLOCK] = {0};
    for (size_t k = b->begin; k < b->end; k++) {
        N[k] = exp(b->x[k]);
        bool inside = N[k] >= size->min && N[k] <= size->max;
        N[k] = inside ? N[k] : size->min;
        b->x[k] = inside ? b->x[k] : NAN;
    }
    isocast_status status = evaluate(request, request->system, b->end - b->begin, N + b->begin,
                                     b->errors + b->begin * n, 1, b->at + b->begin);
    for (size_t k = b->begin; k < b->end && status == ISOCAST_OK; k++) {
        b->off[k] = isnan(b->x[k]) ? NAN : ln_held(request->metric, &b->at[k]) - b->targets[k];
    }
    return status;
}

/* The roots that the row's own moves to with each of the draws: from where first order has them, by
 * the secant rule. */
static isocast_status solve_together(const isocast_interval_request *request, double tolerance,
                                     block *b) {
    isocast_status status = look_at_block(request, b);
    for (int step = 0; step < STEPS_MAX && status == ISOCAST_OK; step++) {
        double before_x[BLOCK] = {0};
        double before_off[BLOCK] = {0};
        bool done = true;
        for (size_t k = b->begin; k < b->end; k++) {
            before_x[k] = b->x[k];
            before_off[k] = b->off[k];
            double move = -b->off[k] / b->slope[k];
            if (!(fabs(move) <= tolerance)) {
                done = false;
                b->x[k] += fmax(-1, fmin(1, move));
            }
        }
        if (done) {
            return ISOCAST_OK;
        }
        status = look_at_block(request, b);
        for (size_t k = b->begin; k < b->end && status == ISOCAST_OK; k++) {
            double change = b->x[k] - before_x[k];
            double slope = (b->off[k] - before_off[k]) / change;
            b->slope[k] = change != 0 && slope != 0 && isfinite(slope) ? slope : b->slope[k];
        }
    }
    for (size_t k = b->begin; k < b->end; k++) {
        b->x[k] = fabs(b->off[k] / b->slope[k]) <= tolerance ? b->x[k] : NAN;
    }
    return status;
}

/* What it takes to look at the first draw of a block, in steps. Errors: NO_MEMORY. */
static isocast_status steps_of_draw(const isocast_interval_request *request, block *b,
                                    double *steps) {
    double left = request->effort->left;
    b->begin = 0;
    b->end = 1;
    isocast_status status = look_at_block(request, b);
    *steps = left - request->effort->left;
    return status;
}

/* The draws of a block: together by the program, which runs for all of them at once, where that
 * takes less; else one after the other, so that what does not hang on N is known for all N of a
 * draw. */
static isocast_status solve_block(const isocast_interval_request *request, double tolerance,
                                  size_t count, block *b) {
    isocast_interval_request by_program = *request;
    by_program.times = NULL;
    double alone = INFINITY;
    double together = 0;
    isocast_status status = ISOCAST_OK;
    if (request->times != NULL && count > 1) {
        status = steps_of_draw(request, b, &alone);
        status = status == ISOCAST_OK ? steps_of_draw(&by_program, b, &together) : status;
    }
    bool is_together = request->times == NULL || (count > 1 && together <= alone);
    size_t width = is_together ? count : 1;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k += width) {
        b->begin = k;
        b->end = k + width;
        status = solve_together(is_together ? &by_program : request, tolerance, b);
    }
    return status;
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] != 0 ? a[i] * b[i] : 0;
    }
    return sum;
}

/* ln N and ln of what psi is read off for every draw. */
static isocast_status draw_N(const isocast_interval_request *request,
                             const isocast_prediction_row *row, double slope, double reach,
                             double *N_draws, double *read_draws) {
    size_t n = count_of_numbers(request);
    const double *errors;
    const double *normal;
    isocast_status status = isocast_uncertainty_draw(request->uncertainty, &errors, &normal);
    block *b = calloc(1, sizeof *b);
    status = b == NULL ? ISOCAST_NO_MEMORY : status;
    for (size_t first = 0; first < DRAWS && status == ISOCAST_OK; first += BLOCK) {
        b->errors = errors + first * n;
        size_t count = DRAWS - first < BLOCK ? DRAWS - first : BLOCK;
        for (size_t k = 0; k < count; k++) {
            double linear = dot(row->moves.of_N, b->errors + k * n, n);
            b->x[k] = log(row->N) + fmax(-2 * reach, fmin(2 * reach, linear));
            b->slope[k] = slope;
        }
        status = find_targets(request, count, b->errors, 1, row->held, b->targets);
        if (status == ISOCAST_OK) {
            status = solve_block(request, root_tolerance * reach, count, b);
        }
        for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
            N_draws[first + k] = b->x[k];
            read_draws[first + k] = isnan(b->x[k]) ? NAN : ln_read(request->metric, &b->at[k]);
        }
    }
    free(b);
    return status;
}

/* Whether drawing, which takes so many evaluations of each draw, is within what is left; `spent` is
 * what two of them took. */
static bool is_affordable(const isocast_interval_request *request, double spent,
                          double evaluations) {
    return spent / 2 * DRAWS * evaluations <= request->effort->left / 2;
}

static void interval_of_draws(const isocast_uncertainty *u, const double *draws, double *scratch,
                              double *low, double *high) {
    memcpy(scratch, draws, DRAWS * sizeof *draws);
    double a;
    double b;
    if (isocast_uncertainty_interval(u, scratch, &a, &b)) {
        *low = exp(a);
        *high = exp(b);
    }
}

/* The interval of N where first order is too rough. */
static isocast_status interval_by_draws(const isocast_interval_request *request, double slope,
                                        double reach, isocast_prediction_row *row) {
    double *draws = malloc(3 * (size_t)DRAWS * sizeof *draws);
    if (draws == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double low = NAN;
    double high = NAN;
    isocast_status status = draw_N(request, row, slope, reach, draws, draws + DRAWS);
    if (status == ISOCAST_OK) {
        interval_of_draws(request->uncertainty, draws, draws + 2 * (size_t)DRAWS, &low, &high);
    }
    if (status != ISOCAST_OK || isnan(low)) {
        free(draws);
        return status == ISOCAST_NUMERIC ? ISOCAST_OK : status;
    }
    row->N_low = low;
    row->N_high = high;
    row->interval_is_rough = false;
    row->moves.draws = draws;
    return ISOCAST_OK;
}

/* d ln held/d ln N over the whole reach: near a place where formulas switch or step, the derivative
 * tells of its next neighbourhood alone. */
static isocast_status find_chord(const isocast_interval_request *request,
                                 const isocast_prediction_row *row, double reach, double *slope) {
    size_t n = count_of_numbers(request);
    double *nothing = calloc(2 * n + 1, sizeof *nothing);
    if (nothing == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    const double N[2] = {row->N * exp(-reach), row->N * exp(reach)};
    isocast_metric_point at[2];
    isocast_status status = evaluate(request, request->system, 2, N, nothing, 0, at);
    free(nothing);
    if (status == ISOCAST_OK) {
        *slope =
            (ln_held(request->metric, &at[1]) - ln_held(request->metric, &at[0])) / (2 * reach);
    }
    return status;
}

/* The interval of N to first order, with the slope of what is held; *curved says whether that is
 * too rough. */
static isocast_status find_linear(const isocast_interval_request *request, double slope,
                                  double *direction, isocast_prediction_row *row, double *reach,
                                  bool *curved) {
    const isocast_uncertainty *u = request->uncertainty;
    double sigma = sqrt(isocast_uncertainty_variance(u, row->moves.of_N, direction));
    *reach = isocast_uncertainty_reach(u) * sigma;
    *curved = false;
    if (!isfinite(*reach)) {
        return ISOCAST_OK;
    }
    row->N_low = row->N * exp(-*reach);
    row->N_high = row->N * exp(*reach);
    if (*reach <= reach_seen) {
        return ISOCAST_OK;
    }
    double ends[2];
    isocast_status status = find_ends_of_N(request, row, direction, slope, *reach, sigma, ends);
    *curved = status == ISOCAST_OK && is_curved(ends, *reach);
    return status;
}

/* The interval of N: to first order with the derivative, with the slope over its reach where the
 * former is too rough, and by draws where both are. */
static isocast_status find_N(const isocast_interval_request *request, double slope,
                             isocast_prediction_row *row) {
    size_t n = count_of_numbers(request);
    double *direction = calloc(n + 1, sizeof *direction);
    if (direction == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double reach;
    bool curved;
    double left = request->effort->left;
    isocast_status status = find_linear(request, slope, direction, row, &reach, &curved);
    double spent = left - request->effort->left;
    for (int round = 0; round < CHORDS && curved && status == ISOCAST_OK; round++) {
        double chord;
        status = find_chord(request, row, reach, &chord);
        if (status != ISOCAST_OK || !(chord / slope > 0) || !isfinite(chord)) {
            break;
        }
        for (size_t i = 0; i < n; i++) {
            row->moves.of_N[i] *= slope / chord;
        }
        slope = chord;
        status = find_linear(request, slope, direction, row, &reach, &curved);
    }
    row->interval_is_rough = curved;
    row->moves.held_by_N = slope;
    if (status == ISOCAST_OK && curved && is_affordable(request, spent, 6)) {
        status = interval_by_draws(request, slope, reach, row);
    }
    free(direction);
    return status;
}

/* T or E of a run. */
typedef struct run {
    bool is_E;
    double value;
    const double *gradient; /* d ln/d number, [number_count] */
    double noise;           /* sd of ln T of runs beside what the numbers make of it */
} run;

static double ln_of_run(const run *r, const isocast_metric_point *at) {
    return r->is_E ? log(at->W / (at->T * at->C)) : log(at->T);
}

/* The interval by a draw of the numbers and of the run each. */
static isocast_status run_by_draws(const isocast_interval_request *request,
                                   const isocast_prediction_row *row, const run *r, double *low,
                                   double *high) {
    size_t n = count_of_numbers(request);
    const double *errors;
    const double *normal;
    isocast_status status = isocast_uncertainty_draw(request->uncertainty, &errors, &normal);
    isocast_metric_point *points = malloc(BLOCK * sizeof *points);
    double *draws = malloc(2 * (size_t)DRAWS * sizeof *draws);
    status = points == NULL || draws == NULL ? ISOCAST_NO_MEMORY : status;
    const isocast_metric_point here = {.C = row->size, .W = row->W, .T = row->T};
    double N[BLOCK];
    for (size_t k = 0; k < BLOCK; k++) {
        N[k] = row->N;
    }
    for (size_t first = 0; first < DRAWS && status == ISOCAST_OK; first += BLOCK) {
        size_t count = DRAWS - first < BLOCK ? DRAWS - first : BLOCK;
        status = evaluate(request, request->system, count, N, errors + first * n, 1, points);
        for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
            double noise = r->noise * normal[first + k];
            draws[first + k] = log(r->value) + ln_of_run(r, &points[k]) - ln_of_run(r, &here) +
                               (r->is_E ? -noise : noise);
        }
    }
    if (status == ISOCAST_OK) {
        interval_of_draws(request->uncertainty, draws, draws + DRAWS, low, high);
    }
    free(points);
    free(draws);
    return status == ISOCAST_NUMERIC ? ISOCAST_OK : status;
}

/* The interval to first order, and by draws where that is too rough. */
static isocast_status find_run(const isocast_interval_request *request,
                               const isocast_prediction_row *row, const run *r, double *low,
                               double *high) {
    const isocast_uncertainty *u = request->uncertainty;
    double *direction = calloc(count_of_numbers(request) + 1, sizeof *direction);
    if (direction == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double variance = isocast_uncertainty_variance(u, r->gradient, direction);
    double z = isocast_uncertainty_reach(u);
    double reach = z * sqrt(variance + r->noise * r->noise);
    isocast_status status = ISOCAST_OK;
    if (reach > 0 && isfinite(reach)) {
        *low = r->value * exp(-reach);
        *high = r->value * exp(reach);
        const isocast_metric_point here = {.C = row->size, .W = row->W, .T = row->T};
        double ends[2];
        double left = request->effort->left;
        for (int side = 0; side < 2 && status == ISOCAST_OK; side++) {
            isocast_metric_point at = nothing_known(request->system);
            double sign = side == 0 ? -1 : 1;
            status = evaluate(request, request->system, 1, &row->N, direction, sign * z, &at);
            /* What first order has right, and what it has wrong. */
            ends[side] = sign * reach +
                         (ln_of_run(r, &at) - ln_of_run(r, &here) - sign * z * sqrt(variance));
        }
        if (status == ISOCAST_OK && is_curved(ends, reach) &&
            is_affordable(request, left - request->effort->left, 1)) {
            status = run_by_draws(request, row, r, low, high);
        }
    }
    free(direction);
    return status;
}

/* T and E of a run at the row's N. */
static isocast_status find_times(const isocast_interval_request *request,
                                 const isocast_sensitivity *s, isocast_prediction_row *row) {
    const isocast_machine *machine = machine_of(request);
    const isocast_system *system = request->system;
    size_t n = count_of_numbers(request);
    double *of_E = calloc(n + 1, sizeof *of_E);
    if (of_E == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        of_E[i] = s->of_W.by_parameters[i] - s->of_T.by_parameters[i];
    }
    for (size_t i = 0; i < system->count; i++) {
        of_E[machine->parameter_count + system->classes[i]] -=
            system->table.rows[ISOCAST_CLASS_PROCESSES][i] / system->C;
    }
    double noise = sqrt(isocast_uncertainty_of_runs(request->uncertainty, s->of_T.by_parameters));
    const run T = {.value = row->T, .gradient = s->of_T.by_parameters, .noise = noise};
    const run E = {.is_E = true, .value = row->E, .gradient = of_E, .noise = noise};
    isocast_status status = find_run(request, row, &T, &row->T_low, &row->T_high);
    if (status == ISOCAST_OK) {
        status = find_run(request, row, &E, &row->E_low, &row->E_high);
    }
    free(of_E);
    return status;
}

/* Marked speeds change the size of the system, too, which what is held and what psi is read off are
 * divided by; the latency alone has it in one of its two terms. */
static isocast_status add_size_changes(const isocast_interval_request *request,
                                       const isocast_sensitivity *s, isocast_prediction_row *row) {
    const isocast_machine *machine = machine_of(request);
    size_t n = machine->parameter_count;
    double *changes = calloc(machine->class_count + 1, sizeof *changes);
    isocast_status status =
        changes == NULL ? ISOCAST_NO_MEMORY : find_size_changes(request, changes);
    isocast_metric_reading reading = isocast_metric_row_of(request->metric)->reading;
    double alone = s->alone / row->R_f;
    double share = reading == ISOCAST_READ_WORK      ? -1
                   : reading == ISOCAST_READ_LATENCY ? alone / (s->T - alone)
                                                     : 0;
    for (size_t k = 0; k < machine->class_count && status == ISOCAST_OK; k++) {
        row->moves.of_held[n + k] -= changes[k];
        row->moves.of_read[n + k] += share * changes[k];
    }
    free(changes);
    return status;
}

/* The row's moves: of N, where it was solved for, and with N held of what psi is read off. Gives
 * d ln/d ln N of what is held and of the latter, too. */
static isocast_status find_moves(const isocast_interval_request *request, bool solved,
                                 const isocast_sensitivity *s, double *held_by_N, double *read_by_N,
                                 isocast_prediction_row *row) {
    size_t n = count_of_numbers(request);
    double *numbers = calloc(3 * n + 1, sizeof *numbers);
    if (numbers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_row_moves_free(&row->moves);
    row->moves = (isocast_row_moves){
        .of_N = numbers, .of_read = numbers + n, .of_held = numbers + 2 * n, .held_by_N = NAN};
    row->moves.ln_read = ln_read(
        request->metric,
        &(isocast_metric_point){
            .C = row->size, .R_f = row->R_f, .W = row->W, .T = row->T, .T_alone = row->T_alone});
    isocast_change held = {.by_parameters = row->moves.of_held};
    isocast_change read = {.by_parameters = row->moves.of_read};
    isocast_sensitivity_of_held(s, request->metric, n, &held);
    change_of_read(s, request->metric, row->R_f, n, &read);
    isocast_status status = add_size_changes(request, s, row);
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; i < n && solved; i++) {
        double base = request->base_row != NULL ? request->base_row->moves.of_held[i] : 0;
        double off = row->moves.of_held[i] - base;
        row->moves.of_N[i] = off == 0 ? 0 : -off / held.by_N;
    }
    *held_by_N = held.by_N;
    *read_by_N = read.by_N;
    return ISOCAST_OK;
}

isocast_status isocast_interval_of_row(const isocast_interval_request *request, bool solved,
                                       isocast_prediction_row *row) {
    if (request->uncertainty == NULL) {
        return ISOCAST_OK;
    }
    bool base_unknown = request->base_row != NULL && request->base_row->moves.of_held == NULL;
    isocast_sensitivity_request wanted = {.model = request->model,
                                          .system = request->system,
                                          .N = row->N,
                                          .other_sizes = request->other_sizes,
                                          .alone = is_of_time_alone(request),
                                          .effort = request->effort};
    isocast_sensitivity s;
    isocast_status status = isocast_sensitivity_find(&wanted, &s);
    if (status != ISOCAST_OK) {
        return status;
    }
    double slope = NAN;
    double read_by_N = NAN;
    if (!(solved && base_unknown)) {
        status = find_moves(request, solved, &s, &slope, &read_by_N, row);
    }
    if (status == ISOCAST_OK && solved && !base_unknown) {
        status = find_N(request, slope, row);
        for (size_t i = 0; i < count_of_numbers(request); i++) {
            row->moves.of_read[i] += read_by_N * row->moves.of_N[i];
        }
    }
    if (status == ISOCAST_OK) {
        status = find_times(request, &s, row);
    }
    isocast_sensitivity_free(&s);
    return status;
}

/* ln of what psi is read off with a draw: as it was drawn, or to first order. */
static double drawn_read(const isocast_row_moves *moves, const double *errors, size_t n, size_t d) {
    return moves->draws != NULL ? moves->draws[DRAWS + d]
                                : moves->ln_read + dot(moves->of_read, errors + d * n, n);
}

static isocast_status psi_by_draws(const isocast_interval_row *from, const isocast_interval_row *to,
                                   double psi, double *low, double *high) {
    isocast_uncertainty *uncertainty = from->request.uncertainty;
    size_t n = count_of_numbers(&from->request);
    const isocast_row_moves *before = &from->row->moves;
    const isocast_row_moves *after = &to->row->moves;
    const double *errors;
    const double *normal;
    isocast_status status = isocast_uncertainty_draw(uncertainty, &errors, &normal);
    double *draws = malloc(2 * (size_t)DRAWS * sizeof *draws);
    status = draws == NULL ? ISOCAST_NO_MEMORY : status;
    double at_values = before->ln_read - after->ln_read;
    for (size_t d = 0; d < DRAWS && status == ISOCAST_OK; d++) {
        draws[d] = log(psi) - at_values + drawn_read(before, errors, n, d) -
                   drawn_read(after, errors, n, d);
    }
    if (status == ISOCAST_OK) {
        interval_of_draws(uncertainty, draws, draws + DRAWS, low, high);
    }
    free(draws);
    return status == ISOCAST_NUMERIC ? ISOCAST_OK : status;
}

/* ln of what psi is read off with these errors of the parameters: at the root that they move N to,
 * or at the row's N where that was given. */
static isocast_status read_with(const isocast_interval_row *r, const double *errors, double *out) {
    const isocast_row_moves *moves = &r->row->moves;
    size_t n = count_of_numbers(&r->request);
    block *b = calloc(1, sizeof *b);
    if (b == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double move = dot(moves->of_N, errors, n);
    b->errors = errors;
    b->end = 1;
    b->x[0] = log(r->row->N) + move;
    b->slope[0] = moves->held_by_N;
    isocast_status status = find_targets(&r->request, 1, errors, 1, r->row->held, b->targets);
    if (status == ISOCAST_OK && isnan(moves->held_by_N)) {
        status = look_at_block(&r->request, b);
    } else if (status == ISOCAST_OK) {
        status = solve_block(&r->request, root_tolerance * fmax(fabs(move), reach_seen), 1, b);
    }
    if (status == ISOCAST_OK) {
        *out = isnan(b->x[0]) ? NAN : ln_read(r->request.metric, &b->at[0]);
    }
    free(b);
    return status;
}

/* What psi really changes by, ln, one reach of the errors in its own direction to either side. */
static isocast_status find_ends_of_psi(const isocast_interval_row *from,
                                       const isocast_interval_row *to, const double *direction,
                                       double z, double *ends) {
    size_t n = count_of_numbers(&from->request);
    double *errors = calloc(n + 1, sizeof *errors);
    isocast_status status = errors == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (int side = 0; side < 2 && status == ISOCAST_OK; side++) {
        double before = NAN;
        double after = NAN;
        for (size_t i = 0; i < n; i++) {
            errors[i] = (side == 0 ? -z : z) * direction[i];
        }
        status = read_with(from, errors, &before);
        if (status == ISOCAST_OK) {
            status = read_with(to, errors, &after);
        }
        if (status == ISOCAST_OK) {
            ends[side] = before - after - (from->row->moves.ln_read - to->row->moves.ln_read);
        }
    }
    free(errors);
    return status;
}

/* Draws for a row that was solved for and has none, as far as there are roots. */
static isocast_status draw_row(const isocast_interval_row *r) {
    isocast_row_moves *moves = &r->row->moves;
    if (moves->draws != NULL || isnan(moves->held_by_N)) {
        return ISOCAST_OK;
    }
    double reach = log(r->row->N_high / r->row->N_low) / 2;
    double *draws = malloc(2 * (size_t)DRAWS * sizeof *draws);
    if (draws == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status =
        draw_N(&r->request, r->row, moves->held_by_N, reach, draws, draws + DRAWS);
    if (status == ISOCAST_OK) {
        moves->draws = draws;
    } else {
        free(draws);
    }
    return status == ISOCAST_NUMERIC ? ISOCAST_OK : status;
}

/* To first order; *curved says whether that is too rough and draws can be afforded. */
static isocast_status psi_to_first_order(const isocast_interval_row *from,
                                         const isocast_interval_row *to, double psi, double *low,
                                         double *high, bool *curved) {
    const isocast_uncertainty *u = from->request.uncertainty;
    size_t n = count_of_numbers(&from->request);
    double *difference = calloc(2 * n + 1, sizeof *difference);
    if (difference == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        difference[i] = from->row->moves.of_read[i] - to->row->moves.of_read[i];
    }
    double *direction = difference + n;
    double z = isocast_uncertainty_reach(u);
    double reach = z * sqrt(isocast_uncertainty_variance(u, difference, direction));
    isocast_status status = ISOCAST_OK;
    *curved = false;
    if (isfinite(reach)) {
        *low = psi * exp(-reach);
        *high = psi * exp(reach);
    }
    if (isfinite(reach) && reach > reach_seen) {
        double ends[2];
        double left = to->request.effort->left;
        status = find_ends_of_psi(from, to, direction, z, ends);
        *curved = status == ISOCAST_OK && is_curved(ends, reach) &&
                  is_affordable(&to->request, left - to->request.effort->left, 2);
    }
    free(difference);
    return status;
}

isocast_status isocast_interval_of_psi(const isocast_interval_row *from,
                                       const isocast_interval_row *to, double psi, double *low,
                                       double *high) {
    *low = *high = NAN;
    const isocast_row_moves *before = &from->row->moves;
    const isocast_row_moves *after = &to->row->moves;
    if (from->request.uncertainty == NULL || before->of_read == NULL || after->of_read == NULL ||
        !isfinite(psi)) {
        return ISOCAST_OK;
    }
    bool curved = false;
    isocast_status status = psi_to_first_order(from, to, psi, low, high, &curved);
    if (before->draws != NULL || after->draws != NULL) {
        /* Draws say more, but there may be none of psi. */
        *low = curved ? NAN : *low;
        *high = curved ? NAN : *high;
        curved = true;
    }
    if (status == ISOCAST_OK && curved) {
        status = draw_row(from);
        status = status == ISOCAST_OK ? draw_row(to) : status;
    }
    return status == ISOCAST_OK && curved ? psi_by_draws(from, to, psi, low, high) : status;
}

void isocast_row_moves_free(isocast_row_moves *moves) {
    free(moves->of_N);
    free(moves->draws);
    *moves = (isocast_row_moves){0};
}
