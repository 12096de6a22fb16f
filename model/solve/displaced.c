#include "displaced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw_roots.h"
#include "model/spec/marked_speed.h"
#include "scaled_system.h"

enum {
    DRAWS = ISOCAST_UNCERTAINTY_DRAWS,
    BLOCK = 100,
    STEPS_MAX = 12,
    GRADIENT_PAYS = 64 /* rows of errors at one N */
};

/* First order is enough where it is off by no more than this share of the interval's reach. */
static const double curvature_allowed = 0.1;
/* Roots of draws are closed in on to this share of the interval's reach. */
static const double root_tolerance = 1e-3;

isocast_metric_point isocast_displaced_unknown(const isocast_system *system) {
    return (isocast_metric_point){
        .C = system->size, .R_f = system->reference_factor, .W = NAN, .T = NAN, .T_alone = NAN};
}

/* The system with errors of its marked speeds, [class_count]; *system itself where there are none.
 */
static isocast_status err_in_speeds(const isocast_interval_request *request,
                                    const isocast_system *system, const double *errors,
                                    double scale, isocast_scaled_system *scaled,
                                    const isocast_system **out) {
    const isocast_machine *machine = isocast_model_machine(request->model);
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
    bool is_alone = isocast_metric_takes_time_alone(request->metric);
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
        for (size_t i = 0; i < n; i++) {
            s.parameters[k * n + i] = machine->parameters[i].value + scale * errors[k * all + i];
        }
        status = err_in_speeds(request, system, errors + k * all + n, scale, &s.scaled[k],
                               &s.systems[k]);
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

/* By the gradient at N, which tells W and T with all errors. */
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
    const isocast_machine *machine = isocast_model_machine(request->model);
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
    for (size_t k = 0; k < count; k++) {
        out[k] = log(target);
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
    size_t n = isocast_uncertainty_count(request->uncertainty);
    double N[BLOCK] = {0};
    for (size_t k = b->begin; k < b->end; k++) {
        N[k] = exp(b->x[k]);
        bool inside = N[k] >= size->min && N[k] <= size->max;
        N[k] = inside ? N[k] : size->min;
        b->x[k] = inside ? b->x[k] : NAN;
    }
    isocast_status status =
        isocast_displaced_evaluate(request, request->system, b->end - b->begin, N + b->begin,
                                   b->errors + b->begin * n, 1, b->at + b->begin);
    for (size_t k = b->begin; k < b->end && status == ISOCAST_OK; k++) {
        b->off[k] = isnan(b->x[k])
                        ? NAN
                        : log(isocast_metric_held(request->metric, &b->at[k])) - b->targets[k];
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

double isocast_displaced_change(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] != 0 ? a[i] * b[i] : 0;
    }
    return sum;
}

/* What draws of a row are looked for with, and where they go. */
typedef struct drawing {
    const isocast_interval_request *request;
    const isocast_prediction_row *row;
    double slope, reach;
    const double *errors; /* [DRAWS][n] */
    double *N_draws, *read_draws;
} drawing;

/* ln N where first order has the roots of some draws, each with its row of errors. Errors:
 * NO_MEMORY. */
static isocast_status find_starts(const drawing *d, size_t count, const double *errors,
                                  double *starts) {
    size_t n = isocast_uncertainty_count(d->request->uncertainty);
    const double *moves = d->row->moves.of_N;
    size_t *moving = malloc((n + 1) * sizeof *moving); /* numbers that N moves with */
    if (moving == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t moving_count = 0;
    for (size_t i = 0; i < n; i++) {
        if (moves[i] != 0) {
            moving[moving_count++] = i;
        }
    }
    double ln_N = log(d->row->N);
    for (size_t k = 0; k < count; k++) {
        double linear = 0;
        for (size_t i = 0; i < moving_count; i++) {
            linear += moves[moving[i]] * errors[k * n + moving[i]];
        }
        starts[k] = ln_N + fmax(-2 * d->reach, fmin(2 * d->reach, linear));
    }
    free(moving);
    return ISOCAST_OK;
}

static bool draws_hang_linearly(const isocast_interval_request *request) {
    isocast_metric_reading reading = isocast_metric_row_of(request->metric)->reading;
    return request->drawn != NULL && (reading == ISOCAST_READ_WORK || reading == ISOCAST_READ_TIME);
}

/* All draws together, where T hangs linearly on the numbers; NAN for those whose root is not found
 * near the row's. */
static isocast_status draw_together(const drawing *d) {
    const isocast_interval_request *request = d->request;
    const isocast_size *size = &isocast_model_algorithm(request->model)->sizes[0];
    size_t n = isocast_uncertainty_count(request->uncertainty);
    double *targets = malloc(2 * (size_t)DRAWS * sizeof *targets);
    if (targets == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *starts = targets + DRAWS;
    isocast_metric_point at = isocast_displaced_unknown(request->system);
    isocast_draw_roots_request wanted = {.times = request->drawn,
                                         .system = request->system,
                                         .other_sizes = request->other_sizes,
                                         .low = size->min,
                                         .high = size->max,
                                         .size = isocast_metric_size_of(request->metric, &at),
                                         .number_count = n,
                                         .draws = DRAWS,
                                         .errors = d->errors,
                                         .targets = targets,
                                         .starts = starts,
                                         .centre = log(d->row->N),
                                         .slope = d->slope,
                                         .reach = d->reach,
                                         .tolerance = root_tolerance * d->reach,
                                         .effort = request->effort};
    isocast_status status =
        isocast_displaced_targets(request, DRAWS, d->errors, 1, d->row->held, targets);
    if (status == ISOCAST_OK) {
        status = find_starts(d, DRAWS, d->errors, starts);
    }
    if (status == ISOCAST_OK) {
        status = isocast_draw_roots_find(&wanted, d->N_draws, d->read_draws);
    }
    for (size_t k = 0; k < DRAWS && status == ISOCAST_OK; k++) {
        at.W = exp(d->read_draws[k]);
        at.T = at.W / (exp(targets[k]) * wanted.size);
        d->read_draws[k] = log(isocast_metric_read(request->metric, &at));
    }
    free(targets);
    return status;
}

/* Some draws, which[0] to which[count - 1], each by its own search. */
static isocast_status draw_block(const drawing *d, const size_t *which, size_t count,
                                 double *errors, block *b) {
    const isocast_interval_request *request = d->request;
    size_t n = isocast_uncertainty_count(request->uncertainty);
    b->errors = errors;
    for (size_t k = 0; k < count; k++) {
        memcpy(errors + k * n, d->errors + which[k] * n, n * sizeof *errors);
        b->slope[k] = d->slope;
    }
    isocast_status status =
        isocast_displaced_targets(request, count, b->errors, 1, d->row->held, b->targets);
    if (status == ISOCAST_OK) {
        status = find_starts(d, count, errors, b->x);
    }
    if (status == ISOCAST_OK) {
        status = solve_block(request, root_tolerance * d->reach, count, b);
    }
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        d->N_draws[which[k]] = b->x[k];
        d->read_draws[which[k]] =
            isnan(b->x[k]) ? NAN : log(isocast_metric_read(request->metric, &b->at[k]));
    }
    return status;
}

/* The draws that have no root yet, each by its own search, until so many have none that no interval
 * is known. */
static isocast_status draw_rest(const drawing *d) {
    size_t n = isocast_uncertainty_count(d->request->uncertainty);
    size_t most = isocast_uncertainty_lost_draws(d->request->uncertainty);
    size_t lost = 0;
    block *b = calloc(1, sizeof *b);
    double *errors = malloc(BLOCK * (n + 1) * sizeof *errors);
    isocast_status status = b == NULL || errors == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    size_t which[BLOCK];
    size_t count = 0;
    for (size_t k = 0; k < DRAWS && lost < most && status == ISOCAST_OK; k++) {
        if (isnan(d->N_draws[k])) {
            which[count++] = k;
        }
        if (count == BLOCK || (k + 1 == DRAWS && count > 0)) {
            status = draw_block(d, which, count, errors, b);
            for (size_t i = 0; i < count; i++) {
                lost += isnan(d->N_draws[which[i]]) ? 1 : 0;
            }
            count = 0;
        }
    }
    free(errors);
    free(b);
    return status;
}

isocast_status isocast_displaced_draw(const isocast_interval_request *request,
                                      const isocast_prediction_row *row, double slope, double reach,
                                      double *N_draws, double *read_draws) {
    drawing d = {.request = request,
                 .row = row,
                 .slope = slope,
                 .reach = reach,
                 .N_draws = N_draws,
                 .read_draws = read_draws};
    const double *normal;
    isocast_status status = isocast_uncertainty_draw(request->uncertainty, &d.errors, &normal);
    for (size_t k = 0; k < DRAWS; k++) {
        N_draws[k] = read_draws[k] = NAN;
    }
    if (status == ISOCAST_OK && draws_hang_linearly(request)) {
        status = draw_together(&d);
    }
    return status == ISOCAST_OK ? draw_rest(&d) : status;
}

isocast_status isocast_displaced_read(const isocast_interval_request *request,
                                      const isocast_prediction_row *row, const double *errors,
                                      double *out) {
    const isocast_row_moves *moves = &row->moves;
    size_t n = isocast_uncertainty_count(request->uncertainty);
    block *b = calloc(1, sizeof *b);
    if (b == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double move = isocast_displaced_change(moves->of_N, errors, n);
    b->errors = errors;
    b->end = 1;
    b->x[0] = log(row->N) + move;
    b->slope[0] = moves->held_by_N;
    isocast_status status = isocast_displaced_targets(request, 1, errors, 1, row->held, b->targets);
    if (status == ISOCAST_OK && isnan(moves->held_by_N)) {
        status = look_at_block(request, b);
    } else if (status == ISOCAST_OK) {
        status = solve_block(request, root_tolerance * fmax(fabs(move), ISOCAST_REACH_SEEN), 1, b);
    }
    if (status == ISOCAST_OK) {
        *out = isnan(b->x[0]) ? NAN : log(isocast_metric_read(request->metric, &b->at[0]));
    }
    free(b);
    return status;
}

bool isocast_displaced_is_affordable(const isocast_interval_request *request, double spent,
                                     double evaluations) {
    double steps = draws_hang_linearly(request) ? isocast_draw_roots_steps(request->drawn, DRAWS)
                                                : spent / 2 * DRAWS * evaluations;
    return steps <= request->effort->left / 2;
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
