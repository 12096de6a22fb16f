#include "isoefficiency.h"

#include <math.h>
#include <stdlib.h>

#include "sensitivity.h"

/* g(p) of theory: along W/K = T_o(W, p)/C_1. */
static isocast_status local_exponent(const isocast_model *model, const isocast_system *system,
                                     const double *other_sizes, double N, double *exponent) {
    const isocast_sensitivity_request wanted = {
        .model = model, .system = system, .N = N, .other_sizes = other_sizes};
    isocast_sensitivity s;
    isocast_status status = isocast_sensitivity_find(&wanted, &s);
    if (status != ISOCAST_OK) {
        return status;
    }
    /* p T - W/C_1, and what of it moves with ln N and with ln p. */
    double ideal = s.W * system->p / system->C;
    double cost = system->p * s.T;
    double by_N = (cost * s.of_T.by_N - ideal * s.of_W.by_N) / (cost - ideal);
    double by_p = (cost * (s.of_T.by_p + 1) - ideal * s.of_W.by_p) / (cost - ideal);
    /* Work may depend on p, too: d ln N/d ln p = (t_p - w_p)/(w_N - t_N), and W follows both. */
    double N_by_p = (by_p - s.of_W.by_p) / (s.of_W.by_N - by_N);
    double value = s.of_W.by_p + s.of_W.by_N * N_by_p;
    *exponent = isfinite(value) ? value : NAN;
    isocast_sensitivity_free(&s);
    return ISOCAST_OK;
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
