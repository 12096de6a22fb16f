#include "prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "concurrency.h"
#include "conditioning.h"
#include "interval.h"
#include "model/spec/bill.h"
#include "model/spec/rules.h"
#include "prediction_psi.h"
#include "remarks.h"
#include "solver.h"

/* What the search of N may take of a row's effort; the rest is for what holds at N. */
static const double search_share = 0.8;

/* Fills everything that the model says of one system at row->N; `working`: of those of its
 * processes that can work there. */
static isocast_status evaluate_row(const isocast_prediction *prediction,
                                   const isocast_prediction_request *request,
                                   const isocast_system *system, isocast_effort *effort,
                                   bool working, isocast_prediction_row *row) {
    double **terms = calloc(prediction->term_count + 1, sizeof *terms);
    if (terms == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < prediction->term_count; i++) {
        terms[i] = &row->terms[i];
    }
    isocast_model_points points = {.count = 1,
                                   .N = &row->N,
                                   .other_sizes = request->other_sizes,
                                   .systems = &system,
                                   .effort = effort};
    isocast_model_results results = {.W = &row->W,
                                     .T = &row->T,
                                     .T_c = &row->T_c,
                                     .T_o = &row->T_o,
                                     .E = &row->E,
                                     .given_W = &row->given_W,
                                     .given_T = &row->given_T,
                                     .memory = &row->memory,
                                     .concurrency = &row->concurrency,
                                     .terms = terms};
    double p = row->p;
    isocast_status status =
        working ? isocast_concurrency_evaluate(prediction->model, &points, &results, &p)
                : isocast_model_evaluate(prediction->model, &points, &results);
    row->p_working = p > 0 ? p : row->p_working;
    row->S = row->W / row->T;
    row->sum_error = results.sum_error;
    free(terms);
    size_t correction = isocast_model_correction(prediction->model);
    if (status == ISOCAST_OK && correction < prediction->term_count) {
        row->overlap = row->terms[correction];
    }
    /* Of a part of the processes it is another system's. */
    if (status == ISOCAST_OK && correction < prediction->term_count && row->p_working == row->p) {
        status = isocast_model_correction_error(prediction->model, system, row->N,
                                                request->other_sizes, &row->overlap_error);
    }
    return status;
}

/* T(W,1), what a speedup is measured against, and what follows of it. */
static isocast_status evaluate_alone(const isocast_prediction *prediction,
                                     const isocast_prediction_request *request,
                                     const isocast_system *system, isocast_effort *effort,
                                     isocast_prediction_row *row) {
    isocast_model_points points = {.count = 1,
                                   .N = &row->N,
                                   .other_sizes = request->other_sizes,
                                   .systems = &system,
                                   .effort = effort};
    double sum_error;
    isocast_status status =
        isocast_model_time_alone(prediction->model, &points, &row->T_alone, &sum_error);
    if (status == ISOCAST_OK) {
        row->sum_error = fmax(row->sum_error, sum_error);
    }
    return status;
}

/* What the metric says of a row at its N. */
static isocast_status measure_row(const isocast_prediction *prediction,
                                  const isocast_prediction_request *request,
                                  const isocast_system *system, isocast_effort *effort,
                                  isocast_prediction_row *row) {
    const isocast_metric_row *metric = isocast_metric_row_of(prediction->metric);
    isocast_status status = ISOCAST_OK;
    if (metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE) {
        status = evaluate_alone(prediction, request, system, effort, row);
    }
    isocast_metric_point point = isocast_row_point(row);
    row->held = isocast_metric_held(prediction->metric, &point);
    if (metric->reading == ISOCAST_READ_LATENCY) {
        row->latency = isocast_metric_latency(&point);
    }
    return status;
}

static bool is_solved(const isocast_prediction_row *row) {
    return row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL;
}

/* What the model and the metric say of a row at its N. */
static isocast_status look_at(const isocast_prediction *prediction,
                              const isocast_prediction_request *request,
                              const isocast_system *system, isocast_effort *effort,
                              isocast_prediction_row *row) {
    isocast_status status = evaluate_row(prediction, request, system, effort, false, row);
    return status == ISOCAST_OK ? measure_row(prediction, request, system, effort, row) : status;
}

/* Where fewer processes can work at the N that what is held needs, or would need: N is raised. */
static isocast_status raise_row(const isocast_prediction *prediction,
                                const isocast_prediction_request *request,
                                const isocast_system *system, isocast_effort *effort,
                                isocast_prediction_row *row) {
    const isocast_raise *raise = &row->raise;
    if (raise->outcome == ISOCAST_RAISE_NONE && isnan(row->N)) {
        row->status = ISOCAST_ROW_BEYOND_CONCURRENCY;
    }
    if (raise->outcome != ISOCAST_RAISE_DONE && raise->outcome != ISOCAST_RAISE_LATER) {
        return ISOCAST_OK;
    }
    row->N = raise->N;
    row->N_efficiency = raise->N_efficiency;
    if (raise->is_jump) {
        row->status = ISOCAST_ROW_NOT_CONVERGED;
        row->solution.jump_N = raise->N;
    } else if (raise->outcome == ISOCAST_RAISE_DONE) {
        row->status = ISOCAST_ROW_OK;
        row->N_low = fmax(row->N_low, isnan(row->N_low) ? NAN : row->N);
        row->N_high = fmax(row->N_high, isnan(row->N_high) ? NAN : row->N);
    }
    return look_at(prediction, request, system, effort, row);
}

/* Formulas take all processes to work: where some cannot, what they say of times is not so. */
static void forget_times(const isocast_prediction *prediction, isocast_prediction_row *row) {
    row->T = row->T_c = row->T_o = row->E = row->S = row->speedup = NAN;
    row->held = row->latency = NAN;
    row->N_low = row->N_high = row->condition = NAN;
    row->T_low = row->T_high = row->E_low = row->E_high = NAN;
    for (size_t i = 0; i < prediction->term_count; i++) {
        row->terms[i] = NAN;
    }
}

/* The bounds that hold whatever the efficiency: memory and the degree of concurrency [GGKK 5.4.5].
 */
static void apply_bounds(const isocast_prediction *prediction, isocast_prediction_row *row) {
    bool solved = is_solved(row);
    bool is_short = isocast_row_is_beyond_concurrency(row);
    if (solved && row->sum_error > ISOCAST_SUM_ERROR_MAX) {
        row->status = ISOCAST_ROW_NOT_CONVERGED;
    } else if (solved && row->memory > row->memory_limit) {
        row->status = ISOCAST_ROW_BEYOND_MEMORY;
    } else if (is_short && (solved || row->N == row->solution.jump_N)) {
        row->status = ISOCAST_ROW_BEYOND_CONCURRENCY;
    }
    if (is_short) {
        forget_times(prediction, row);
    }
}

static isocast_status start_row(const isocast_prediction *prediction, const isocast_system *system,
                                isocast_prediction_row *row) {
    *row = isocast_prediction_row_unknown();
    row->valid_N = (isocast_valid_pair){NAN, NAN};
    row->solution.jump_N = NAN;
    row->solution.complete = true;
    row->system = strdup(system->name);
    row->terms = malloc((prediction->term_count + 1) * sizeof *row->terms);
    if (row->system == NULL || row->terms == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < prediction->term_count; i++) {
        row->terms[i] = NAN;
    }
    row->p = system->p;
    row->p_working = system->p;
    row->C = system->C;
    row->size = system->size;
    row->reference_origin = system->reference_origin;
    row->R_f = system->reference_factor;
    row->memory_limit = isocast_system_memory(system);
    return ISOCAST_OK;
}

/* Whether the system keeps the algorithm's rules; else the row is NOT_VALID. */
static isocast_status check_system(const isocast_prediction *prediction,
                                   const isocast_prediction_request *request,
                                   isocast_prediction_row *row, bool *valid) {
    const isocast_rules_point point = {NAN, request->other_sizes, row->p};
    const char *broken;
    isocast_status status =
        isocast_rules_broken(isocast_model_algorithm(prediction->model), false, &point, &broken);
    *valid = status == ISOCAST_OK && broken == NULL;
    row->status = *valid ? row->status : ISOCAST_ROW_NOT_VALID;
    return status;
}

/* What is known of the errors of a row; `effort` may be spent on it. The formulas are those of all
 * of its processes: where only some work, nothing is reported. */
static isocast_status find_intervals(const isocast_prediction *prediction,
                                     const isocast_prediction_request *request,
                                     const isocast_system *system, isocast_effort *effort,
                                     bool solved, isocast_prediction_row *row) {
    isocast_interval_request interval =
        isocast_prediction_interval(prediction, request, system, effort, solved);
    return row->p_working == row->p && !request->numbers_only
               ? isocast_interval_of_row(&interval, solved, row)
               : ISOCAST_OK;
}

static isocast_status fixed_row(isocast_prediction *prediction,
                                const isocast_prediction_request *request,
                                const isocast_system *system, isocast_effort *effort,
                                isocast_prediction_row *row) {
    row->N = request->N;
    isocast_status status = evaluate_row(prediction, request, system, effort, true, row);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = measure_row(prediction, request, system, effort, row);
    if (status == ISOCAST_OK && isnan(row->T_alone)) {
        status = evaluate_alone(prediction, request, system, effort, row);
    }
    row->speedup = row->T_alone / row->T;
    row->status = isfinite(row->T) ? ISOCAST_ROW_OK : ISOCAST_ROW_NOT_CONVERGED;
    return status == ISOCAST_OK ? find_intervals(prediction, request, system, effort, false, row)
                                : status;
}

/* What an error of what is held counts in N, where that is what N comes from. */
static isocast_status find_conditioning(const isocast_prediction *prediction,
                                        const isocast_prediction_request *request,
                                        const isocast_system *system, isocast_effort *effort,
                                        isocast_prediction_row *row) {
    isocast_conditioning_request wanted = {.model = prediction->model,
                                           .metric = prediction->metric,
                                           .system = system,
                                           .other_sizes = request->other_sizes,
                                           .N = row->N,
                                           .solution = &row->solution,
                                           .effort = effort};
    bool has_none = request->numbers_only || !isnan(row->N_efficiency) || row->solution.every_N;
    return has_none ? ISOCAST_OK : isocast_conditioning_find(&wanted, &row->condition);
}

static isocast_status solved_row(isocast_prediction *prediction,
                                 const isocast_prediction_request *request,
                                 const isocast_system *system, isocast_effort *effort,
                                 isocast_prediction_row *row) {
    isocast_effort search = isocast_effort_lend(effort, search_share);
    isocast_solve_request wanted = {.model = prediction->model,
                                    .metric = prediction->metric,
                                    .system = system,
                                    .other_sizes = request->other_sizes,
                                    .target = prediction->target,
                                    .by_bands = !request->by_reference,
                                    .effort = &search};
    isocast_status status = isocast_solve(&wanted, &row->solution);
    if (status == ISOCAST_OK && isocast_model_algorithm(prediction->model)->concurrency != NULL) {
        isocast_effort_return(effort, &search);
        search = isocast_effort_lend(effort, search_share);
        status = isocast_raise_find(&wanted, &row->solution, &row->raise);
    }
    isocast_effort_return(effort, &search);
    if (status != ISOCAST_OK) {
        return status;
    }
    row->status = row->solution.status;
    row->sum_error = row->solution.sum_error;
    double N = row->N = row->solution.N;
    if (!isnan(N)) {
        status = look_at(prediction, request, system, effort, row);
        if (status == ISOCAST_OK) {
            status = find_intervals(prediction, request, system, effort, true, row);
        }
        row->interval_left_out =
            isnan(row->N_low) && isocast_effort_is_spent(effort) && prediction->uncertainty != NULL;
    }
    if (status == ISOCAST_OK) {
        status = raise_row(prediction, request, system, effort, row);
    }
    if (status != ISOCAST_OK || isnan(row->N)) {
        return status;
    }
    /* Where N was raised, it is a matter of the processes and moves with no parameter. */
    if (row->N != N) {
        status = find_intervals(prediction, request, system, effort, false, row);
    }
    return status == ISOCAST_OK ? find_conditioning(prediction, request, system, effort, row)
                                : status;
}

/* An equal share for the next of so many rows, and for what comes after them. */
static isocast_effort lend_to_row(isocast_effort *effort, size_t rows_left) {
    return isocast_effort_lend(effort, 1 / (double)(rows_left + 1));
}

/* What the nodes of the system cost, and a run on them. */
static isocast_status bill_row(const isocast_prediction *prediction, const isocast_system *system,
                               isocast_prediction_row *row) {
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    row->nodes = system->nodes;
    if (!isocast_machine_has_bill(machine)) {
        return ISOCAST_OK;
    }
    isocast_bill bill;
    isocast_status status = isocast_bill_of_system(machine, system, &bill);
    if (status == ISOCAST_OK) {
        row->price = bill.price;
        row->power = bill.power;
        row->energy = bill.power * row->T;
        row->cost = bill.rate * row->T;
    }
    return status;
}

/* What is spoken of a row beside its numbers. */
static isocast_status remark_row(const isocast_prediction *prediction,
                                 const isocast_prediction_request *request,
                                 const isocast_system *system, isocast_prediction_row *row) {
    if (request->numbers_only) {
        return ISOCAST_OK;
    }
    isocast_status status = bill_row(prediction, system, row);
    return status == ISOCAST_OK ? isocast_row_remark(prediction, system, request->other_sizes, row)
                                : status;
}

static isocast_status predict_base(isocast_prediction *prediction,
                                   const isocast_prediction_request *request,
                                   isocast_effort *effort) {
    isocast_prediction_row *base = &prediction->base;
    isocast_status status = start_row(prediction, request->base, base);
    if (status != ISOCAST_OK) {
        return status;
    }
    prediction->has_base = true;
    base->N = request->N;
    bool valid = false;
    status = check_system(prediction, request, base, &valid);
    if (status != ISOCAST_OK || !valid) {
        return status != ISOCAST_OK ? status : ISOCAST_DOMAIN;
    }
    isocast_effort lent = lend_to_row(effort, request->system_count + 1);
    status = evaluate_row(prediction, request, request->base, &lent, true, base);
    if (status == ISOCAST_OK) {
        status = measure_row(prediction, request, request->base, &lent, base);
    }
    if (status == ISOCAST_OK) {
        status = find_intervals(prediction, request, request->base, &lent, false, base);
    }
    isocast_effort_return(effort, &lent);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (!isfinite(base->held) || base->held <= 0 || isocast_row_is_beyond_concurrency(base)) {
        return ISOCAST_DOMAIN;
    }
    prediction->target = base->held;
    prediction->sum_error = base->sum_error;
    apply_bounds(prediction, base);
    return remark_row(prediction, request, request->base, base);
}

static isocast_status predict_rows(isocast_prediction *prediction,
                                   const isocast_prediction_request *request,
                                   isocast_effort *effort) {
    for (size_t i = 0; i < request->system_count; i++) {
        const isocast_system *system = request->systems[i];
        isocast_prediction_row *row = &prediction->rows[i];
        isocast_status status = start_row(prediction, system, row);
        prediction->row_count = i + 1;
        isocast_effort lent = lend_to_row(effort, request->system_count - i);
        bool valid = false;
        if (status == ISOCAST_OK) {
            status = check_system(prediction, request, row, &valid);
        }
        if (status == ISOCAST_OK && valid) {
            status = prediction->fixed_size ? fixed_row(prediction, request, system, &lent, row)
                                            : solved_row(prediction, request, system, &lent, row);
        }
        isocast_effort_return(effort, &lent);
        row->N = prediction->fixed_size ? request->N : row->N;
        if (status == ISOCAST_OK) {
            apply_bounds(prediction, row);
            prediction->sum_error = fmax(prediction->sum_error, row->sum_error);
            status = remark_row(prediction, request, system, row);
        }
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    return prediction->fixed_size ? ISOCAST_OK
                                  : isocast_prediction_relate_rows(prediction, request, effort);
}

static bool request_is_valid(const isocast_model *model,
                             const isocast_prediction_request *request) {
    const isocast_size *size = &isocast_model_algorithm(model)->sizes[0];
    if ((unsigned)request->metric >= ISOCAST_METRICS || !(request->level >= 0) ||
        request->level >= 1) {
        return false;
    }
    bool has_N = !isnan(request->N);
    bool has_efficiency = !isnan(request->efficiency);
    if (has_N && !(request->N >= size->min && request->N <= size->max)) {
        return false;
    }
    if (has_efficiency) {
        return request->base == NULL && !has_N && request->efficiency > 0 &&
               isfinite(request->efficiency);
    }
    return has_N;
}

isocast_status isocast_predict(const isocast_model *model,
                               const isocast_prediction_request *request,
                               isocast_prediction **out) {
    if (!request_is_valid(model, request)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_prediction *prediction = calloc(1, sizeof *prediction);
    if (prediction == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    prediction->model = model;
    prediction->metric = request->metric;
    prediction->measure =
        request->system_count > 0 ? request->systems[0]->measure : ISOCAST_SIZE_BY_SUM;
    prediction->term_count = isocast_model_algorithm(model)->overhead_count;
    prediction->fixed_size = request->base == NULL && isnan(request->efficiency);
    prediction->target = request->efficiency;
    prediction->rows = calloc(request->system_count + 1, sizeof *prediction->rows);
    isocast_effort own = isocast_effort_of(request->system_count);
    isocast_effort *effort = request->effort != NULL ? request->effort : &own;
    isocast_status status = prediction->rows == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    prediction->level = request->level == 0 ? ISOCAST_LEVEL : request->level;
    const isocast_machine *machine = isocast_model_machine(model);
    bool references = prediction->measure == ISOCAST_SIZE_BY_REFERENCE ||
                      isocast_metric_row_of(request->metric)->size == ISOCAST_SIZE_REFERENCE_FACTOR;
    if (status == ISOCAST_OK) {
        status = isocast_uncertainty_create(machine, isocast_model_algorithm(model), references,
                                            prediction->level, &prediction->uncertainty);
    }
    if (status == ISOCAST_OK && prediction->uncertainty != NULL && !request->numbers_only &&
        isocast_metric_row_of(request->metric)->numerator == ISOCAST_NUMERATOR_WORK) {
        status = isocast_point_times_create(model, &prediction->times);
        if (status == ISOCAST_OK) {
            status = isocast_drawn_times_create(model, prediction->uncertainty, &prediction->drawn);
        }
    }
    if (status == ISOCAST_OK && request->base != NULL) {
        status = predict_base(prediction, request, effort);
    }
    if (status == ISOCAST_OK) {
        status = predict_rows(prediction, request, effort);
    }
    if (status != ISOCAST_OK) {
        isocast_prediction_free(prediction);
        return status;
    }
    *out = prediction;
    return ISOCAST_OK;
}
