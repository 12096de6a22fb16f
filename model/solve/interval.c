#include "interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "displaced.h"
#include "model/spec/marked_speed.h"
#include "row_draws.h"
#include "sensitivity.h"

enum { DRAWS = ISOCAST_UNCERTAINTY_DRAWS, BLOCK = 1000, CHORDS = 3 };

/* Roots of draws are closed in on to this share of the interval's reach. */
static const double root_tolerance = 1e-4;

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

/* What N really changes by, ln, one reach of the errors to either side: one step of Newton from
 * where first order has it. */
static isocast_status find_ends_of_N(const isocast_interval_request *request,
                                     const isocast_prediction_row *row, const double *direction,
                                     double slope, double reach, double sigma, double *ends) {
    double z = reach / sigma;
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? -1 : 1;
        double N = row->N * exp(sign * reach);
        isocast_metric_point at = isocast_displaced_unknown(request->system);
        double target = NAN;
        isocast_status status =
            isocast_displaced_evaluate(request, request->system, 1, &N, direction, sign * z, &at);
        if (status == ISOCAST_OK) {
            status = isocast_displaced_targets(request, 1, direction, sign * z, row->held, &target);
        }
        if (status != ISOCAST_OK) {
            return status;
        }
        ends[side] =
            sign * reach - (log(isocast_metric_held(request->metric, &at)) - target) / slope;
    }
    return ISOCAST_OK;
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
    isocast_status status = isocast_row_draws_find(request, row, slope, reach,
                                                   root_tolerance * reach, draws, draws + DRAWS);
    if (status == ISOCAST_OK) {
        isocast_displaced_interval(request->uncertainty, draws, draws + 2 * (size_t)DRAWS, &low,
                                   &high);
    }
    if (status != ISOCAST_OK) {
        free(draws);
        return status == ISOCAST_NUMERIC ? ISOCAST_OK : status;
    }
    if (isnan(low)) {
        row->moves.too_few = draws;
        return ISOCAST_OK;
    }
    row->N_low = low;
    row->N_high = high;
    row->interval_is_rough = false;
    row->moves.draws = draws;
    return ISOCAST_OK;
}

/* d ln held/d ln N over the whole reach: near a place where formulas switch or step, the derivative
 * speaks of its next neighbourhood alone. */
static isocast_status find_chord(const isocast_interval_request *request,
                                 const isocast_prediction_row *row, double reach, double *slope) {
    size_t n = isocast_uncertainty_count(request->uncertainty);
    double *nothing = calloc(2 * n + 1, sizeof *nothing);
    if (nothing == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    const double N[2] = {row->N * exp(-reach), row->N * exp(reach)};
    isocast_metric_point at[2];
    isocast_status status =
        isocast_displaced_evaluate(request, request->system, 2, N, nothing, 0, at);
    free(nothing);
    if (status == ISOCAST_OK) {
        *slope = (log(isocast_metric_held(request->metric, &at[1])) -
                  log(isocast_metric_held(request->metric, &at[0]))) /
                 (2 * reach);
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
    if (*reach <= ISOCAST_REACH_SEEN) {
        return ISOCAST_OK;
    }
    double ends[2];
    isocast_status status = find_ends_of_N(request, row, direction, slope, *reach, sigma, ends);
    *curved = status == ISOCAST_OK && isocast_displaced_is_curved(ends, *reach);
    return status;
}

/* The interval of N: to first order with the derivative, with the slope over its reach where the
 * former is too rough, and by draws where both are. */
static isocast_status find_N(const isocast_interval_request *request, double slope,
                             isocast_prediction_row *row) {
    size_t n = isocast_uncertainty_count(request->uncertainty);
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
    if (status == ISOCAST_OK && curved && isocast_row_draws_are_affordable(request, spent, 6)) {
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
    size_t n = isocast_uncertainty_count(request->uncertainty);
    const double *errors;
    const double *normal;
    isocast_status status = isocast_uncertainty_draw(request->uncertainty, &errors, &normal);
    isocast_metric_point *points = malloc(BLOCK * sizeof *points);
    double *draws = malloc(2 * (size_t)DRAWS * sizeof *draws);
    status = points == NULL || draws == NULL ? ISOCAST_NO_MEMORY : status;
    const isocast_metric_point here = {.C = row->size, .W = row->W, .T = row->T};
    for (size_t first = 0; first < DRAWS && status == ISOCAST_OK; first += BLOCK) {
        size_t count = DRAWS - first < BLOCK ? DRAWS - first : BLOCK;
        status = isocast_displaced_evaluate_at(request, request->system, count, row->N,
                                               errors + first * n, 1, points);
        for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
            double noise = r->noise * normal[first + k];
            draws[first + k] = log(r->value) + ln_of_run(r, &points[k]) - ln_of_run(r, &here) +
                               (r->is_E ? -noise : noise);
        }
    }
    if (status == ISOCAST_OK) {
        isocast_displaced_interval(request->uncertainty, draws, draws + DRAWS, low, high);
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
    double *direction =
        calloc(isocast_uncertainty_count(request->uncertainty) + 1, sizeof *direction);
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
            isocast_metric_point at = isocast_displaced_unknown(request->system);
            double sign = side == 0 ? -1 : 1;
            status = isocast_displaced_evaluate(request, request->system, 1, &row->N, direction,
                                                sign * z, &at);
            /* What first order has right, and what it has wrong. */
            ends[side] = sign * reach +
                         (ln_of_run(r, &at) - ln_of_run(r, &here) - sign * z * sqrt(variance));
        }
        if (status == ISOCAST_OK && isocast_displaced_is_curved(ends, reach) &&
            isocast_row_draws_are_affordable(request, left - request->effort->left, 1)) {
            status = run_by_draws(request, row, r, low, high);
        }
    }
    free(direction);
    return status;
}

/* Of d ln E/d number, [number_count]: by C, or by R_f C_j. */
static void subtract_size(const isocast_machine *machine, const isocast_system *system,
                          double *of_E) {
    double *by_sizes = of_E + machine->parameter_count;
    if (system->measure == ISOCAST_SIZE_BY_SUM || system->reference_set == 0) {
        for (size_t i = 0; i < system->count; i++) {
            by_sizes[system->classes[i]] -=
                system->table.rows[ISOCAST_CLASS_PROCESSES][i] / system->C;
        }
    } else {
        by_sizes[system->classes[0]] -= 1 / system->C_j;
        by_sizes[machine->class_count + system->reference_set - 1] -= 1 / system->reference_factor;
    }
}

/* T and E of a run at the row's N. */
static isocast_status find_times(const isocast_interval_request *request,
                                 const isocast_sensitivity *s, isocast_prediction_row *row) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    const isocast_system *system = request->system;
    size_t n = isocast_uncertainty_count(request->uncertainty);
    double *of_E = calloc(n + 1, sizeof *of_E);
    if (of_E == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        of_E[i] = s->of_W.by_parameters[i] - s->of_T.by_parameters[i];
    }
    subtract_size(machine, system, of_E);
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

/* Marked speeds and R_f change the size of the system, too, which what is held and what psi is read
 * off are divided by; the latency alone has it in one of its two terms. */
static isocast_status add_size_changes(const isocast_interval_request *request,
                                       const isocast_sensitivity *s, isocast_prediction_row *row) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    size_t n = machine->parameter_count;
    size_t size_count = isocast_uncertainty_size_count(request->uncertainty);
    double *changes = calloc(size_count + 1, sizeof *changes);
    isocast_status status =
        changes == NULL ? ISOCAST_NO_MEMORY : isocast_displaced_size_changes(request, changes);
    isocast_metric_reading reading = isocast_metric_row_of(request->metric)->reading;
    double alone = s->alone / row->R_f;
    double share = reading == ISOCAST_READ_WORK      ? -1
                   : reading == ISOCAST_READ_LATENCY ? alone / (s->T - alone)
                                                     : 0;
    for (size_t k = 0; k < size_count && status == ISOCAST_OK; k++) {
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
    size_t n = isocast_uncertainty_count(request->uncertainty);
    double *numbers = calloc(3 * n + 1, sizeof *numbers);
    if (numbers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_row_moves_free(&row->moves);
    row->moves = (isocast_row_moves){
        .of_N = numbers, .of_read = numbers + n, .of_held = numbers + 2 * n, .held_by_N = NAN};
    row->moves.ln_read = log(isocast_metric_read(
        request->metric,
        &(isocast_metric_point){
            .C = row->size, .R_f = row->R_f, .W = row->W, .T = row->T, .T_alone = row->T_alone}));
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

/* Gives changes by all numbers room of their own, [3][number_count], with those by misfits. Errors:
 * NO_MEMORY. */
static isocast_status take_misfits(const isocast_interval_request *request,
                                   isocast_sensitivity *s) {
    const isocast_misfits *misfits = isocast_uncertainty_misfits(request->uncertainty);
    size_t n = isocast_uncertainty_count(request->uncertainty);
    double *numbers = calloc(3 * n + 1, sizeof *numbers);
    if (numbers == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_change *changes[] = {&s->of_W, &s->of_T, &s->of_alone};
    const double processes[] = {request->system->p, request->system->p, 1};
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        double *own = numbers + k * n;
        memcpy(own, changes[k]->by_parameters, misfits->first * sizeof *own);
        isocast_misfits_complete(misfits, processes[k], own);
        changes[k]->by_parameters = own;
    }
    free(s->numbers);
    s->numbers = numbers;
    return ISOCAST_OK;
}

/* By all numbers, those of misfits, too. Errors: NO_MEMORY; nothing is to be freed then. */
static isocast_status find_sensitivity(const isocast_interval_request *request, double N,
                                       isocast_sensitivity *out) {
    const isocast_sensitivity_request wanted = {
        .model = request->model,
        .system = request->system,
        .N = N,
        .other_sizes = request->other_sizes,
        .alone = isocast_metric_takes_time_alone(request->metric),
        .effort = request->effort};
    isocast_status status = isocast_sensitivity_find(&wanted, out);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = take_misfits(request, out);
    if (status != ISOCAST_OK) {
        isocast_sensitivity_free(out);
    }
    return status;
}

isocast_status isocast_interval_time_moves(const isocast_interval_request *request, double N,
                                           double *by_numbers, double *noise) {
    isocast_sensitivity s;
    isocast_status status = find_sensitivity(request, N, &s);
    if (status != ISOCAST_OK) {
        return status;
    }
    memcpy(by_numbers, s.of_T.by_parameters,
           isocast_uncertainty_count(request->uncertainty) * sizeof *by_numbers);
    *noise = sqrt(isocast_uncertainty_of_runs(request->uncertainty, by_numbers));
    isocast_sensitivity_free(&s);
    return ISOCAST_OK;
}

/* The share of T that depends on numbers whose errors are known. T itself is looked at: in E the
 * marked speeds are in C, too, and cancel where T_c is W/C. */
static double covered_share(const isocast_interval_request *request, const isocast_sensitivity *s) {
    const isocast_machine *machine = isocast_model_machine(request->model);
    const char *program = isocast_model_algorithm(request->model)->kernel;
    double covered = 0;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        const isocast_parameter *parameter = &machine->parameters[i];
        if (parameter->standard_error > 0) {
            covered += fabs(s->of_T.by_parameters[i] * parameter->value);
        }
    }
    const double *by_speed = s->of_T.by_parameters + machine->parameter_count;
    for (size_t k = 0; k < machine->class_count; k++) {
        if (isocast_uncertainty_of_size(request->uncertainty, k) > 0) {
            covered += fabs(by_speed[k] * isocast_marked_speed_of(&machine->classes[k], program));
        }
    }
    return covered;
}

isocast_status isocast_interval_of_row(const isocast_interval_request *request, bool solved,
                                       isocast_prediction_row *row) {
    if (request->uncertainty == NULL) {
        return ISOCAST_OK;
    }
    bool base_unknown = request->base_row != NULL && request->base_row->moves.of_held == NULL;
    isocast_sensitivity s;
    isocast_status status = find_sensitivity(request, row->N, &s);
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
        for (size_t i = 0; i < isocast_uncertainty_count(request->uncertainty); i++) {
            row->moves.of_read[i] += read_by_N * row->moves.of_N[i];
        }
    }
    if (status == ISOCAST_OK) {
        row->covered = covered_share(request, &s);
        status = find_times(request, &s, row);
    }
    isocast_sensitivity_free(&s);
    return status;
}
