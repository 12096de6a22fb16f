#include "isoefficiency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula/slope.h"

/* Inputs of a system at N, and their slopes by ln N or by ln p. */
typedef struct slopes {
    double *inputs;  /* [column_count] */
    double *moves;   /* [column_count] */
    double *values;  /* [output_count] */
    double *by;      /* [output_count] */
    double *classes; /* [ISOCAST_CLASS_ROWS][class_count] */
} slopes;

static void slopes_free(slopes *s) {
    free(s->inputs);
    free(s->moves);
    free(s->values);
    free(s->by);
    free(s->classes);
}

static isocast_status slopes_create(const isocast_model *model, const isocast_system *system,
                                    slopes *out) {
    size_t columns = isocast_model_column_count(model);
    size_t outputs = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
    *out = (slopes){.inputs = calloc(columns, sizeof(double)),
                    .moves = calloc(columns, sizeof(double)),
                    .values = calloc(outputs, sizeof(double)),
                    .by = calloc(outputs, sizeof(double)),
                    .classes = calloc(ISOCAST_CLASS_ROWS * system->count + 1, sizeof(double))};
    bool good = out->inputs != NULL && out->moves != NULL && out->values != NULL &&
                out->by != NULL && out->classes != NULL;
    return good ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* d ln(p T - W/C_1) and d ln W by ln N (p stays), or by ln p (N stays, and the mix of the system).
 */
static isocast_status find_slopes(const isocast_model *model, const isocast_system *system,
                                  const double *other_sizes, double N, bool by_p,
                                  double *of_overhead, double *of_work) {
    slopes s;
    isocast_status status = slopes_create(model, system, &s);
    size_t columns = isocast_model_column_count(model);
    isocast_column *given = calloc(columns, sizeof *given);
    if (status != ISOCAST_OK || given == NULL) {
        free(given);
        slopes_free(&s);
        return ISOCAST_NO_MEMORY;
    }
    given[0] = (isocast_column){&N, 0};
    isocast_model_columns(model, system, other_sizes, NULL, given);
    for (size_t i = 0; i < columns; i++) {
        s.inputs[i] = *given[i].values;
    }
    free(given);
    size_t first = isocast_model_algorithm(model)->size_count;
    isocast_class_table moves = {.count = system->count};
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        moves.rows[row] = s.classes + row * system->count;
    }
    if (by_p) {
        s.moves[first + ISOCAST_COLUMN_p] = system->p;
        s.moves[first + ISOCAST_COLUMN_C] = system->C;
        s.moves[first + ISOCAST_COLUMN_nodes] = system->nodes > 1 ? system->nodes : 0;
        memcpy(s.classes + (size_t)ISOCAST_CLASS_PROCESSES * system->count,
               system->table.rows[ISOCAST_CLASS_PROCESSES], system->count * sizeof(double));
    } else {
        s.moves[0] = N;
    }
    isocast_slope_point point = {
        .inputs = s.inputs, .slopes = s.moves, .classes = &system->table, .class_slopes = &moves};
    status = isocast_program_slopes(isocast_model_times(model), &point, columns, s.values, s.by);
    double T = s.values[ISOCAST_MODEL_COMPUTE];
    double T_by = s.by[ISOCAST_MODEL_COMPUTE];
    for (size_t k = 0; k < isocast_model_algorithm(model)->overhead_count; k++) {
        T += s.values[ISOCAST_MODEL_TERMS + k];
        T_by += s.by[ISOCAST_MODEL_TERMS + k];
    }
    double C_1 = system->C / system->p;
    double overhead = system->p * T - s.values[ISOCAST_MODEL_WORK] / C_1;
    double moved = system->p * (T_by + (by_p ? T : 0)) - s.by[ISOCAST_MODEL_WORK] / C_1;
    *of_overhead = moved / overhead;
    *of_work = s.by[ISOCAST_MODEL_WORK] / s.values[ISOCAST_MODEL_WORK];
    slopes_free(&s);
    return status;
}

/* g(p) of theory: along W/K = T_o(W, p)/C_1. */
static isocast_status local_exponent(const isocast_model *model, const isocast_system *system,
                                     const double *other_sizes, double N, double *exponent) {
    double by_N;
    double work_by_N;
    double by_p;
    double work_by_p;
    isocast_status status = find_slopes(model, system, other_sizes, N, false, &by_N, &work_by_N);
    if (status == ISOCAST_OK) {
        status = find_slopes(model, system, other_sizes, N, true, &by_p, &work_by_p);
    }
    if (status == ISOCAST_OK) {
        /* Work may hang on p, too: d ln N/d ln p = (t_p - w_p)/(w_N - t_N), and W follows both. */
        double N_by_p = (by_p - work_by_p) / (work_by_N - by_N);
        double value = work_by_p + work_by_N * N_by_p;
        *exponent = isfinite(value) ? value : NAN;
    }
    return status;
}

static isocast_status fill_row(const isocast_prediction *prediction,
                               const isocast_prediction_request *request, size_t k,
                               isocast_isoefficiency_row *out) {
    const isocast_prediction_row *row = &prediction->rows[k];
    out->terms = malloc((prediction->term_count + 1) * sizeof *out->terms);
    if (out->terms == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    out->ideal = row->W * row->p / row->C;
    out->cost = row->p * row->T;
    out->overhead = out->cost - out->ideal;
    out->idle = row->p * row->T_c - out->ideal;
    for (size_t i = 0; i < prediction->term_count; i++) {
        out->terms[i] = row->p * row->terms[i];
    }
    /* What rounding leaves of p T_c - W/C_1 is nothing. */
    static const double rounding = 1e-14;
    out->idle = fabs(out->idle) <= rounding * out->ideal ? 0 : out->idle;
    out->exponent = NAN;
    /* Where the concurrency rules, E is not the one to hold. */
    static const double as_good = 1e-6;
    bool is_held = fabs(row->E / prediction->target - 1) <= as_good;
    return !is_held ? ISOCAST_OK
                    : local_exponent(prediction->model, request->systems[k], request->other_sizes,
                                     row->N, &out->exponent);
}

/* Part number k: a term, the computation, a bound. */
static const isocast_growth_part *part_of(const isocast_growth *growth, size_t k) {
    return k < growth->term_count ? &growth->terms[k] : &growth->idle;
}

/* Processor-time of part number k on a row. */
static double time_of(const isocast_isoefficiency *e, size_t row, size_t k) {
    return k < e->growth->term_count ? e->rows[row].terms[k] : e->rows[row].idle;
}

/* Whether part number k is named rather than another one that rules, too. */
static bool is_named_before(const isocast_isoefficiency *e, size_t k, size_t other) {
    isocast_growth_verdict whole = e->growth->whole.verdict;
    bool own = part_of(e->growth, k)->verdict == whole;
    bool others = part_of(e->growth, other)->verdict == whole;
    size_t last = e->prediction->row_count - 1;
    return own != others ? own : time_of(e, last, k) > time_of(e, last, other);
}

/* The part whose order is that of the whole, or that holds E nowhere, where the whole does not; of
 * several with the verdict of the whole the one that is the largest on the last system. */
static size_t find_ruler(const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    size_t best = ISOCAST_NO_RULER;
    bool by_concurrency =
        growth->has_concurrency && isocast_growth_part_rules(growth, &growth->concurrency);
    if (by_concurrency && growth->whole.verdict != ISOCAST_GROWTH_PROVED) {
        return growth->term_count + 1;
    }
    for (size_t k = 0; k <= growth->term_count; k++) {
        if (isocast_growth_part_rules(growth, part_of(growth, k)) &&
            (best == ISOCAST_NO_RULER || is_named_before(e, k, best))) {
            best = k;
        }
    }
    bool by_bound = by_concurrency || isocast_growth_part_rules(growth, &growth->processes);
    return best == ISOCAST_NO_RULER && by_bound ? growth->term_count + 1 : best;
}

/* The largest part of the overhead on a row is the ruling one. */
static bool rules_on(const isocast_isoefficiency *e, size_t row) {
    for (size_t k = 0; k <= e->growth->term_count; k++) {
        if (!(time_of(e, row, e->ruler) >= time_of(e, row, k))) {
            return false;
        }
    }
    return true;
}

/* The smallest p from which on the ruling part is the largest on all rows. */
static void find_rules_from(isocast_isoefficiency *e) {
    const isocast_prediction_row *rows = e->prediction->rows;
    e->rules_from_p = NAN;
    e->rules_on_all = false;
    if (e->ruler > e->growth->term_count) {
        return;
    }
    double not_on = -INFINITY; /* the largest p where it is not */
    for (size_t k = 0; k < e->prediction->row_count; k++) {
        not_on = rules_on(e, k) ? not_on : fmax(not_on, rows[k].p);
    }
    for (size_t k = 0; k < e->prediction->row_count; k++) {
        if (rows[k].p > not_on) {
            e->rules_from_p = fmin(e->rules_from_p, rows[k].p);
        }
    }
    e->rules_on_all = isinf(not_on);
}

isocast_status isocast_isoefficiency_find(const isocast_prediction *prediction,
                                          const isocast_prediction_request *request,
                                          isocast_isoefficiency **out) {
    if (prediction->fixed_size || prediction->row_count == 0 ||
        prediction->metric != ISOCAST_METRIC_ISOSPEED_E) {
        return ISOCAST_ARGUMENT;
    }
    isocast_isoefficiency *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    e->prediction = prediction;
    e->rows = calloc(prediction->row_count, sizeof *e->rows);
    isocast_status status = e->rows == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; k < prediction->row_count && status == ISOCAST_OK; k++) {
        status = fill_row(prediction, request, k, &e->rows[k]);
    }
    isocast_costs_request costs = {.algorithm = isocast_model_algorithm(prediction->model),
                                   .machine = isocast_model_machine(prediction->model),
                                   .names = isocast_model_binding(prediction->model),
                                   .system = request->systems[prediction->row_count - 1],
                                   .other_sizes = request->other_sizes};
    if (status == ISOCAST_OK) {
        status = isocast_growth_find(&costs, prediction->target, &e->growth);
    }
    if (status != ISOCAST_OK) {
        isocast_isoefficiency_free(e);
        return status;
    }
    e->ruler = find_ruler(e);
    find_rules_from(e);
    *out = e;
    return ISOCAST_OK;
}

void isocast_isoefficiency_free(isocast_isoefficiency *e) {
    if (e != NULL) {
        for (size_t k = 0; e->rows != NULL && k < e->prediction->row_count; k++) {
            free(e->rows[k].terms);
        }
        free(e->rows);
        isocast_growth_free(e->growth);
        isocast_prediction_free(e->owned);
        free(e);
    }
}
