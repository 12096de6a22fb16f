#include "batch_fast.h"

#include <math.h>
#include <stdlib.h>

#include "concurrency.h"
#include "model/base/pool.h"
#include "model/formula/powers.h"
#include "model/formula/reach.h"
#include "model/spec/rules.h"
#include "power_roots.h"
#include "reach_roots.h"

enum { BLOCK = ISOCAST_BATCH_BLOCK, LANES = ISOCAST_POWER_LANES, OUTPUTS_MAX = 64 };

/* A root beyond this N, or a formula of higher powers on the way, is left to the reference path:
 * all values up to here, and a good way beyond, are numbers. */
static const double largest_N = 1e14;
static const double largest_exponent = 16;
/* Where size.max does not end the range, as in solver.c. */
static const double end_of_N = 1e300;

struct isocast_batch_fast {
    const isocast_batch_request *request;
    const isocast_model *model;
    isocast_powers *times; /* W, T_c and the terms of T_o; NULL where they are no such sums */
    isocast_power_basis basis;
    /* [output][power]: where the power of an output stands in the basis. */
    unsigned char (*places)[ISOCAST_POWERS_MAX];
    size_t column_count;
    double low, high;    /* of N */
    size_t output_count; /* W, T_c and the terms of T_o */
};

struct isocast_batch_desk {
    isocast_pool pool;       /* of the arrays */
    isocast_column *columns; /* [column_count] */
    const isocast_class_table *tables[BLOCK];
    double system[ISOCAST_SYSTEM_COLUMNS][BLOCK];
    double size[BLOCK];    /* of the systems, as the metric has it */
    double natural[BLOCK]; /* C, flop/s */
    double *values;        /* [value_count][BLOCK] */
    double **outputs;      /* [value_count], of any of the programs */
    double N[BLOCK];
    size_t root_count[BLOCK];
    isocast_batch_note note[BLOCK];
    bool falls[BLOCK];         /* to the root E falls, or that it rises is not known */
    double W[BLOCK];           /* flop, at N */
    isocast_reach *reach;      /* NULL where the program has none */
    isocast_column *condition; /* [column_count], of one */
};

/* The exponents of all outputs, rising, each once; false where there are too many. */
static bool gather_exponents(const isocast_powers *times, double *exponents, size_t *count) {
    *count = 0;
    for (size_t o = 0; o < times->output_count; o++) {
        const isocast_power_sum *sum = &times->outputs[o];
        for (size_t k = 0; k < sum->count; k++) {
            size_t at = 0;
            while (at < *count && exponents[at] < sum->exponents[k]) {
                at++;
            }
            if (at < *count && exponents[at] == sum->exponents[k]) {
                continue;
            }
            if (*count == ISOCAST_POWER_TERMS) {
                return false;
            }
            for (size_t i = *count; i > at; i--) {
                exponents[i] = exponents[i - 1];
            }
            exponents[at] = sum->exponents[k];
            ++*count;
        }
    }
    return true;
}

/* Finds the basis, and each power's place in it. Errors: NO_MEMORY. */
static isocast_status place_powers(isocast_batch_fast *p, bool *fits) {
    double exponents[ISOCAST_POWER_TERMS];
    size_t count;
    *fits = p->times->largest_exponent <= largest_exponent &&
            gather_exponents(p->times, exponents, &count) &&
            isocast_power_basis_make(exponents, count, &p->basis);
    if (!*fits) {
        return ISOCAST_OK;
    }
    p->places = calloc(p->times->output_count, sizeof *p->places);
    if (p->places == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t o = 0; o < p->times->output_count; o++) {
        const isocast_power_sum *sum = &p->times->outputs[o];
        for (size_t k = 0; k < sum->count; k++) {
            unsigned char at = 0;
            while (at < count && exponents[at] != sum->exponents[k]) {
                at++;
            }
            p->places[o][k] = at;
        }
    }
    return ISOCAST_OK;
}

isocast_status isocast_batch_fast_create(const isocast_batch_request *request,
                                         isocast_batch_fast **out) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(request->model);
    bool of_work = isocast_metric_row_of(request->metric)->numerator == ISOCAST_NUMERATOR_WORK;
    *out = NULL;
    if (request->targets == NULL || !of_work || request->by_reference) {
        return ISOCAST_OK;
    }
    isocast_batch_fast *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    p->request = request;
    p->model = request->model;
    p->column_count = isocast_model_column_count(p->model);
    p->low = fmax(algorithm->sizes[0].min, 1);
    p->high = fmax(p->low, fmin(algorithm->sizes[0].max, end_of_N));
    p->output_count = ISOCAST_MODEL_TERMS + algorithm->overhead_count;
    isocast_status status = isocast_powers_create(isocast_model_times(p->model), 0, &p->times);
    bool fits = false;
    if (status == ISOCAST_OK && p->times != NULL && p->low < fmin(p->high, largest_N)) {
        status = place_powers(p, &fits);
    }
    if (!fits) {
        isocast_powers_free(p->times);
        p->times = NULL;
    }
    if (status != ISOCAST_OK) {
        isocast_batch_fast_free(p);
        return status;
    }
    *out = p;
    return ISOCAST_OK;
}

void isocast_batch_fast_free(isocast_batch_fast *p) {
    if (p != NULL) {
        isocast_powers_free(p->times);
        free(p->places);
        free(p);
    }
}

static size_t value_count(const isocast_batch_fast *p) {
    size_t count = p->times != NULL ? p->times->coefficient_count : 0;
    count = count < p->output_count ? p->output_count : count;
    return count < ISOCAST_MODEL_BOUNDS ? ISOCAST_MODEL_BOUNDS : count;
}

isocast_batch_desk *isocast_batch_desk_create(const isocast_batch_fast *p) {
    isocast_batch_desk *desk = calloc(1, sizeof *desk);
    if (desk == NULL) {
        return NULL;
    }
    size_t count = value_count(p);
    isocast_pool *pool = &desk->pool;
    desk->columns = isocast_pool_take(pool, p->column_count, sizeof *desk->columns);
    desk->condition = isocast_pool_take(pool, p->column_count, sizeof *desk->condition);
    desk->values = isocast_pool_take(pool, count * BLOCK, sizeof *desk->values);
    desk->outputs = isocast_pool_take(pool, count, sizeof *desk->outputs);
    if (pool->failed ||
        isocast_reach_create(isocast_model_times(p->model), 0, &desk->reach) != ISOCAST_OK) {
        isocast_batch_desk_free(desk);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        desk->outputs[i] = desk->values + i * BLOCK;
    }
    return desk;
}

void isocast_batch_desk_free(isocast_batch_desk *desk) {
    if (desk != NULL) {
        isocast_reach_free(desk->reach);
        isocast_pool_free(&desk->pool);
        free(desk);
    }
}

/* The inputs of the block's conditions. */
static isocast_program_points lay_out(const isocast_batch_fast *p, isocast_batch_desk *desk,
                                      size_t first, size_t count, isocast_effort *effort) {
    const isocast_batch_request *request = p->request;
    size_t sizes = isocast_model_algorithm(p->model)->size_count;
    const double *other_sizes = request->other_sizes;
    if (other_sizes != NULL) {
        other_sizes += first * request->other_sizes_stride * (sizes - 1);
    }
    size_t width = request->systems_stride == 0 ? 1 : count;
    for (size_t k = 0; k < width; k++) {
        const isocast_system *system = request->systems[(first + k) * request->systems_stride];
        isocast_metric_point point = {.C = system->size, .R_f = system->reference_factor};
        for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
            desk->system[i][k] = *isocast_system_column(system, i);
        }
        desk->tables[k] = &system->table;
        desk->natural[k] = system->C;
        desk->size[k] = isocast_metric_size_of(request->metric, &point);
    }
    for (size_t k = width; k < count; k++) {
        desk->natural[k] = desk->natural[0];
        desk->size[k] = desk->size[0];
    }
    size_t stride = request->systems_stride == 0 ? 0 : 1;
    isocast_model_columns(p->model, request->systems[first * stride], other_sizes, NULL,
                          desk->columns);
    for (size_t i = 1; i < sizes; i++) {
        desk->columns[i].stride = request->other_sizes_stride * (sizes - 1);
    }
    for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
        desk->columns[sizes + i] = (isocast_column){desk->system[i], stride};
    }
    for (size_t i = 0; i < request->parameter_count; i++) {
        const isocast_batch_parameter *varied = &request->parameters[i];
        desk->columns[sizes + ISOCAST_SYSTEM_COLUMNS + varied->parameter] =
            (isocast_column){varied->values + first, 1};
    }
    desk->columns[0] = (isocast_column){desk->N, 1};
    return (isocast_program_points){.count = count,
                                    .inputs = desk->columns,
                                    .classes = desk->tables,
                                    .classes_stride = stride,
                                    .effort = effort};
}

/* The balance W/(share natural) - T of some lanes as a sum of powers, and W. */
typedef struct balance {
    isocast_power_lanes coefficients[ISOCAST_POWER_TERMS];
    isocast_power_lanes sizes[ISOCAST_POWER_TERMS];
    double roots[LANES];
    bool known[LANES];
} balance;

static void add_up(const isocast_batch_fast *p, const isocast_batch_desk *desk, size_t first,
                   size_t begin, size_t width, balance *b) {
    const isocast_batch_request *request = p->request;
    double weight[LANES];
    for (size_t l = 0; l < width; l++) {
        double target = request->targets[(first + begin + l) * request->targets_stride];
        /* W/(target size); the product is what condition.c makes of share and natural speed. */
        weight[l] = 1 / (target * desk->size[begin + l]);
    }
    for (size_t k = 0; k < p->basis.count; k++) {
        for (size_t l = 0; l < LANES; l++) {
            b->coefficients[k][l] = 0;
            b->sizes[k][l] = 0;
        }
    }
    for (size_t o = 0; o < p->times->output_count; o++) {
        const isocast_power_sum *sum = &p->times->outputs[o];
        for (size_t k = 0; k < sum->count; k++) {
            const double *value = desk->outputs[sum->coefficients[k]] + begin;
            double *coefficient = b->coefficients[p->places[o][k]];
            double *size = b->sizes[p->places[o][k]];
            for (size_t l = 0; l < width; l++) {
                double part = o == ISOCAST_MODEL_WORK ? weight[l] * value[l] : -value[l];
                coefficient[l] += part;
                size[l] += fabs(part);
            }
        }
    }
}

/* N^exponent for some lanes. */
static void raise(const double *N, double exponent, size_t width, double *power) {
    bool is_count = exponent >= 0 && exponent <= largest_exponent && exponent == floor(exponent);
    for (size_t l = 0; l < width; l++) {
        power[l] = is_count ? 1 : pow(N[l], exponent);
    }
    for (unsigned k = 0; is_count && k < (unsigned)exponent; k++) {
        for (size_t l = 0; l < width; l++) {
            power[l] *= N[l];
        }
    }
}

/* W at the roots. */
static void work_at_roots(const isocast_batch_fast *p, isocast_batch_desk *desk, size_t begin,
                          size_t width) {
    const isocast_power_sum *sum = &p->times->outputs[ISOCAST_MODEL_WORK];
    const double *N = desk->N + begin;
    double *W = desk->W + begin;
    double power[LANES];
    for (size_t l = 0; l < width; l++) {
        W[l] = 0;
    }
    for (size_t k = 0; k < sum->count; k++) {
        const double *coefficient = desk->outputs[sum->coefficients[k]] + begin;
        raise(N, sum->exponents[k], width, power);
        for (size_t l = 0; l < width; l++) {
            W[l] += coefficient[l] * power[l];
        }
    }
}

/* Whether the balance is above 0 before its only root: it has the sign of the lowest power. */
static bool falls_to_root(const isocast_batch_fast *p, const balance *b, size_t lane) {
    size_t k = 0;
    while (k + 1 < p->basis.count && b->coefficients[k][lane] == 0) {
        k++;
    }
    return !(b->coefficients[k][lane] < 0);
}

/* The roots of the block's conditions. Where W is above 0 there, so is T, which is W times what the
 * condition says. */
static void find_roots(const isocast_batch_fast *p, isocast_batch_desk *desk, size_t first,
                       size_t count, bool *solved) {
    balance b;
    isocast_power_question question = {.basis = &p->basis,
                                       .coefficients = b.coefficients,
                                       .sizes = b.sizes,
                                       .low = p->low,
                                       .high = fmin(p->high, largest_N)};
    for (size_t begin = 0; begin < count; begin += LANES) {
        size_t width = count - begin < LANES ? count - begin : LANES;
        add_up(p, desk, first, begin, width, &b);
        isocast_power_roots_find(&question, b.roots, b.known);
        for (size_t l = 0; l < width; l++) {
            solved[begin + l] = b.known[l];
            desk->N[begin + l] = b.known[l] ? b.roots[l] : p->low;
            desk->root_count[begin + l] = 1;
            desk->note[begin + l] = ISOCAST_BATCH_PLAIN;
            desk->falls[begin + l] = falls_to_root(p, &b, l);
        }
        work_at_roots(p, desk, begin, width);
        for (size_t l = 0; l < width; l++) {
            solved[begin + l] = solved[begin + l] && desk->W[begin + l] > 0;
        }
    }
}

/* All roots of one condition by bands, and the outputs at the first. Errors: NO_MEMORY. */
static isocast_status search_one(const isocast_batch_fast *p, isocast_batch_desk *desk,
                                 size_t first, size_t k, isocast_effort *effort, bool *solved) {
    const isocast_batch_request *request = p->request;
    for (size_t i = 0; i < p->column_count; i++) {
        const isocast_column *column = &desk->columns[i];
        desk->condition[i] = (isocast_column){column->values + k * column->stride, 0};
    }
    isocast_reach_bind(desk->reach, desk->condition,
                       desk->tables[request->systems_stride == 0 ? 0 : k]);
    double target = request->targets[(first + k) * request->targets_stride];
    isocast_reach_roots roots;
    bool known = false;
    isocast_status status =
        isocast_reach_roots_find(desk->reach, p->output_count, 1 / (target * desk->size[k]), p->low,
                                 p->high, effort, &roots, &known);
    double values[OUTPUTS_MAX];
    double T = 0;
    if (status != ISOCAST_OK || !known || roots.count == 0) {
        return status;
    }
    bool has_first = isocast_reach_values(desk->reach, p->output_count, p->low, values);
    for (size_t o = ISOCAST_MODEL_COMPUTE; has_first && o < p->output_count; o++) {
        T += values[o];
    }
    desk->falls[k] = !has_first || !(T > 0) || roots.jump_N <= roots.N[0] ||
                     !(values[ISOCAST_MODEL_WORK] < target * desk->size[k] * T);
    if (!isocast_reach_values(desk->reach, p->output_count, roots.N[0], values)) {
        return ISOCAST_OK;
    }
    for (size_t o = 0; o < p->output_count; o++) {
        desk->outputs[o][k] = values[o];
    }
    desk->N[k] = roots.N[0];
    desk->root_count[k] = roots.count;
    desk->note[k] = isnan(roots.jump_N) ? ISOCAST_BATCH_PLAIN : ISOCAST_BATCH_JUMP;
    *solved = true;
    return ISOCAST_OK;
}

/* Whether two conditions have as many processes in the same places. */
static bool are_alike(const isocast_batch_desk *desk, size_t a, size_t b) {
    return desk->system[ISOCAST_COLUMN_p][a] == desk->system[ISOCAST_COLUMN_p][b] &&
           desk->system[ISOCAST_COLUMN_nodes][a] == desk->system[ISOCAST_COLUMN_nodes][b] &&
           desk->system[ISOCAST_COLUMN_p_node][a] == desk->system[ISOCAST_COLUMN_p_node][b] &&
           desk->system[ISOCAST_COLUMN_p_node_max][a] == desk->system[ISOCAST_COLUMN_p_node_max][b];
}

/* The order in which conditions are searched, [count]: those that are alike, one after the other.
 * `groups` gets for each place in it whether a group begins there. */
static void find_order(const isocast_batch_request *request, const isocast_batch_desk *desk,
                       size_t count, unsigned short *order, bool *begins) {
    bool taken[BLOCK] = {false};
    size_t done = 0;
    for (size_t k = 0; k < count; k++) {
        bool is_first = true;
        for (size_t l = k; l < count && !taken[k]; l++) {
            if (l == k || (!taken[l] && (request->systems_stride == 0 || are_alike(desk, k, l)))) {
                begins[done] = is_first;
                order[done++] = (unsigned short)l;
                is_first = false;
                taken[l] = l != k;
            }
        }
    }
}

/* The conditions that are not solved yet, one after the other. */
static isocast_status search_rest(const isocast_batch_fast *p, isocast_batch_desk *desk,
                                  size_t first, size_t count, isocast_effort *effort,
                                  bool *solved) {
    isocast_status status = ISOCAST_OK;
    bool can = desk->reach != NULL && p->output_count <= OUTPUTS_MAX;
    unsigned short order[BLOCK];
    bool begins[BLOCK];
    if (can) {
        find_order(p->request, desk, count, order, begins);
    }
    for (size_t i = 0; can && i < count && status == ISOCAST_OK; i++) {
        size_t k = order[i];
        if (begins[i]) {
            isocast_reach_group(desk->reach);
        }
        if (!solved[k] && !isocast_effort_is_spent(effort)) {
            isocast_effort lent = isocast_effort_lend(effort, 1 / (double)(count - i));
            status = search_one(p, desk, first, k, &lent, &solved[k]);
            isocast_effort_return(effort, &lent);
        }
        desk->N[k] = solved[k] ? desk->N[k] : p->low;
    }
    return status;
}

static void put(double *results, size_t k, double value) {
    if (results != NULL) {
        results[k] = value;
    }
}

static bool wants_times(const isocast_batch_results *results) {
    return results->W != NULL || results->T != NULL || results->T_c != NULL ||
           results->T_o != NULL || results->E != NULL || results->held != NULL ||
           results->terms != NULL;
}

static void put_roots(const isocast_batch_desk *desk, const isocast_batch_results *results,
                      size_t first, size_t count, const bool *solved) {
    for (size_t k = 0; k < count; k++) {
        size_t at = first + k;
        if (!solved[k]) {
            continue;
        }
        put(results->N, at, desk->N[k]);
        put(results->best_E, at, NAN);
        put(results->best_N, at, NAN);
        if (results->root_count != NULL) {
            results->root_count[at] = desk->root_count[k];
        }
        if (results->note != NULL) {
            results->note[at] = desk->note[k];
        }
    }
}

/* W, T and what follows of them at the roots; what is no work or time is left to the reference. */
static isocast_status put_times(const isocast_batch_fast *p, isocast_batch_desk *desk,
                                const isocast_batch_results *results, size_t first,
                                const isocast_program_points *points, bool *solved) {
    double sum_error = 0;
    isocast_status status = ISOCAST_OK;
    if (p->times != NULL) {
        /* There are no sums to N in it; else bands have given the outputs. */
        status = isocast_program_evaluate(isocast_model_times(p->model), points, desk->outputs,
                                          &sum_error);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    size_t terms = p->output_count - ISOCAST_MODEL_TERMS;
    for (size_t k = 0; k < points->count; k++) {
        size_t at = first + k;
        double W = desk->outputs[ISOCAST_MODEL_WORK][k];
        double T_c = desk->outputs[ISOCAST_MODEL_COMPUTE][k];
        double T_o = 0;
        for (size_t i = 0; i < terms; i++) {
            T_o += desk->outputs[ISOCAST_MODEL_TERMS + i][k];
        }
        double T = T_c + T_o;
        solved[k] = solved[k] && isfinite(T) && T > 0 && W > 0 && isfinite(W) &&
                    sum_error <= ISOCAST_SUM_ERROR_MAX;
        if (!solved[k]) {
            continue;
        }
        for (size_t i = 0; results->terms != NULL && i < terms; i++) {
            results->terms[i][at] = desk->outputs[ISOCAST_MODEL_TERMS + i][k];
        }
        put(results->W, at, W);
        put(results->T, at, T);
        put(results->T_c, at, T_c);
        put(results->T_o, at, T_o);
        put(results->E, at, W / (T * p->request->systems[at * p->request->systems_stride]->size));
        put(results->held, at, W / (T * desk->size[k]));
    }
    return ISOCAST_OK;
}

/* Memory and concurrency, and the statuses by them. N that must be raised is left to the reference,
 * and so is what may have to be: where E is above the target before the root. */
static isocast_status put_bounds(const isocast_batch_fast *p, isocast_batch_desk *desk,
                                 const isocast_batch_results *results, size_t first,
                                 const isocast_program_points *points, bool *solved) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(p->model);
    bool has_memory = algorithm->memory != NULL;
    bool has_concurrency = algorithm->concurrency != NULL;
    isocast_status status = ISOCAST_OK;
    if (has_memory || has_concurrency) {
        status =
            isocast_program_evaluate(isocast_model_bounds(p->model), points, desk->outputs, NULL);
    }
    for (size_t k = 0; status == ISOCAST_OK && k < points->count; k++) {
        size_t at = first + k;
        const isocast_system *system = p->request->systems[at * p->request->systems_stride];
        double memory = has_memory ? desk->outputs[ISOCAST_MODEL_MEMORY][k] : NAN;
        double concurrency = has_concurrency ? desk->outputs[ISOCAST_MODEL_CONCURRENCY][k] : NAN;
        bool is_short = isocast_concurrency_is_short(concurrency, system->p);
        solved[k] = solved[k] && !is_short && !(has_concurrency && desk->falls[k]);
        if (!solved[k]) {
            continue;
        }
        put(results->memory, at, memory);
        put(results->concurrency, at, concurrency);
        if (results->status != NULL) {
            bool beyond = has_memory && memory > isocast_system_memory(system);
            results->status[at] = beyond                    ? ISOCAST_ROW_BEYOND_MEMORY
                                  : desk->root_count[k] > 1 ? ISOCAST_ROW_SEVERAL
                                                            : ISOCAST_ROW_OK;
        }
    }
    return status;
}

/* Systems that break a rule of the algorithm have no N. */
static isocast_status check_rules(const isocast_batch_fast *p, size_t first, size_t count,
                                  bool *solved) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(p->model);
    const isocast_batch_request *request = p->request;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; algorithm->rules != NULL && k < count && status == ISOCAST_OK; k++) {
        size_t row = (first + k) * request->other_sizes_stride * (algorithm->size_count - 1);
        const isocast_rules_point point = {
            NAN, request->other_sizes != NULL ? request->other_sizes + row : NULL,
            request->systems[(first + k) * request->systems_stride]->p};
        const char *broken = NULL;
        status = isocast_rules_broken(algorithm, false, &point, &broken);
        solved[k] = solved[k] && broken == NULL;
    }
    return status;
}

isocast_status isocast_batch_fast_solve(const isocast_batch_fast *p, isocast_batch_desk *desk,
                                        const isocast_batch_results *results, size_t first,
                                        size_t count, isocast_effort *effort, bool *solved) {
    isocast_program_points points = lay_out(p, desk, first, count, effort);
    isocast_status status = ISOCAST_OK;
    if (desk->reach != NULL) {
        /* What a block takes of the effort must not depend on the blocks before it. */
        isocast_reach_forget(desk->reach);
    }
    if (p->times != NULL) {
        double sum_error = 0;
        status =
            isocast_program_evaluate(p->times->coefficients, &points, desk->outputs, &sum_error);
        if (status == ISOCAST_OK && sum_error <= ISOCAST_SUM_ERROR_MAX) {
            find_roots(p, desk, first, count, solved);
        }
    }
    if (status == ISOCAST_OK) {
        status = search_rest(p, desk, first, count, effort, solved);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    status = check_rules(p, first, count, solved);
    if (status == ISOCAST_OK && wants_times(results)) {
        status = put_times(p, desk, results, first, &points, solved);
    }
    if (status == ISOCAST_OK) {
        status = put_bounds(p, desk, results, first, &points, solved);
    }
    put_roots(desk, results, first, count, solved);
    return status;
}
