#include "outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/boundary.h"
#include "model/solve/solver.h"
#include "offer.h"

/* N is looked for up to here where the size has no maximum. */
static const double N_most = 1e15;

/* The largest N up to *N at which a quantity is at most a level, into *N. */
static isocast_status bound_by(const isocast_offers_request *request, const isocast_model *model,
                               const isocast_system *system, isocast_bounded quantity, double level,
                               isocast_run_limit by, isocast_effort *effort, double *N,
                               isocast_run_limit *limit) {
    double low = isocast_model_algorithm(model)->sizes[0].min;
    const isocast_boundary_request bounded = {.model = model,
                                              .system = system,
                                              .other_sizes = request->other_sizes,
                                              .quantity = quantity,
                                              .kind = ISOCAST_BOUNDARY_LAST_AT_MOST,
                                              .level = level,
                                              .high = *N};
    isocast_boundary bound;
    isocast_status status = isocast_boundary_find(&bounded, effort, &bound);
    if (status == ISOCAST_OK && !(bound.N >= *N)) {
        *N = isnan(bound.N) ? low : bound.N;
        *limit = by;
    }
    return status;
}

static isocast_status efficiency_at(const isocast_offers_request *request,
                                    const isocast_model *model, const isocast_system *system,
                                    isocast_effort *effort, double N, double *E) {
    isocast_model_results results = {.E = E};
    return isocast_model_evaluate_at(model, system, request->other_sizes, N, effort, &results);
}

/* Where E is below the limit at *N: the last N before at which it is not. Between two roots E is on
 * one side of the limit, so that this is a root. */
static isocast_status bound_by_efficiency(const isocast_offers_request *request,
                                          const isocast_model *model, const isocast_system *system,
                                          isocast_effort *effort, double *N,
                                          isocast_run_limit *limit) {
    double E;
    isocast_status status = efficiency_at(request, model, system, effort, *N, &E);
    if (status != ISOCAST_OK || !(E < request->efficiency)) {
        return status;
    }
    isocast_solution solution;
    const isocast_solve_request wanted = {.model = model,
                                          .metric = ISOCAST_METRIC_ISOSPEED_E,
                                          .system = system,
                                          .other_sizes = request->other_sizes,
                                          .target = request->efficiency,
                                          .by_bands = true,
                                          .effort = effort};
    status = isocast_solve(&wanted, &solution);
    double last = NAN;
    for (size_t i = 0; status == ISOCAST_OK && i < solution.root_count; i++) {
        last = solution.roots[i] <= *N ? solution.roots[i] : last;
    }
    if (!isnan(last)) {
        *N = last;
        *limit = ISOCAST_RUN_BY_EFFICIENCY;
    }
    return status;
}

/* Looks on systems of `model`, whose parameters may be other ones than the machine's. *N is the
 * smallest size allowed where even that is too large, so that it is seen what is exceeded. `effort`
 * takes what it costs. Errors: NO_MEMORY. */
static isocast_status find_largest_run(const isocast_offers_request *request,
                                       const isocast_model *model, const isocast_system *system,
                                       isocast_effort *effort, double *N,
                                       isocast_run_limit *limit) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    double memory = isocast_system_memory(system);
    double found = fmin(algorithm->sizes[0].max, N_most);
    isocast_run_limit by = ISOCAST_RUN_BY_SIZE;
    isocast_status status = ISOCAST_OK;
    if (algorithm->memory != NULL && isfinite(memory)) {
        status = bound_by(request, model, system, ISOCAST_BOUNDED_MEMORY, memory,
                          ISOCAST_RUN_BY_MEMORY, effort, &found, &by);
    }
    if (status == ISOCAST_OK && !isnan(request->deadline)) {
        status = bound_by(request, model, system, ISOCAST_BOUNDED_TIME, request->deadline,
                          ISOCAST_RUN_BY_DEADLINE, effort, &found, &by);
    }
    if (status == ISOCAST_OK && !isnan(request->efficiency)) {
        status = bound_by_efficiency(request, model, system, effort, &found, &by);
    }
    if (status == ISOCAST_OK) {
        *N = found;
        *limit = by;
    }
    return status;
}

/* Mixes that are evaluated together: what their systems and results take stays small. */
enum { CHUNK = 4 * ISOCAST_BATCH_BLOCK };

/* N of the largest run is where E or T comes to its limit, up to the accuracy of a root. */
static const double root_accuracy = 1e-9;

isocast_variation isocast_variation_none(void) {
    return (isocast_variation){
        .parameter = (size_t)-1, .value = NAN, .class_index = (size_t)-1, .speed_factor = 1};
}

bool isocast_offer_goal_is_size(isocast_offer_goal goal) {
    return goal == ISOCAST_OFFER_PROBLEM || goal == ISOCAST_OFFER_RUN;
}

void isocast_mix_rate(const isocast_offers_request *request, isocast_mix *mix) {
    mix->cost = mix->bill.rate * mix->T;
    mix->energy = mix->bill.power * mix->T;
    bool solved = mix->status == ISOCAST_ROW_OK || mix->status == ISOCAST_ROW_SEVERAL;
    double rounding = request->goal == ISOCAST_OFFER_RUN ? root_accuracy : 0;
    bool allowed = solved && !mix->idle && isfinite(mix->T) && mix->spent <= request->budget &&
                   (isnan(request->deadline) || mix->T <= request->deadline * (1 + rounding));
    bool held = request->goal == ISOCAST_OFFER_PROBLEM || isnan(request->efficiency) ||
                mix->E >= request->efficiency * (1 - rounding);
    double value = NAN;
    switch (request->goal) {
    case ISOCAST_OFFER_PROBLEM:
    case ISOCAST_OFFER_RUN:
        value = -mix->N;
        break;
    case ISOCAST_OFFER_TIME:
        value = mix->T;
        break;
    case ISOCAST_OFFER_COST:
        value = mix->cost;
        break;
    case ISOCAST_OFFER_ENERGY:
        value = mix->energy;
        break;
    case ISOCAST_OFFER_PROCESSES:
        value = isnan(request->efficiency) ? mix->spent * mix->T : -mix->p;
        break;
    }
    mix->value = allowed && held ? value : NAN;
}

bool isocast_mix_is_better(const isocast_mix *a, const isocast_mix *b) {
    if (isnan(a->value) || isnan(b->value)) {
        return !isnan(a->value);
    }
    if (a->value != b->value) {
        return a->value < b->value;
    }
    return a->spent != b->spent ? a->spent < b->spent : a->bill.nodes < b->bill.nodes;
}

/* The systems of a chunk and what the batch fills. */
typedef struct chunk {
    isocast_system *systems[CHUNK];
    size_t mix[CHUNK]; /* which mix a system belongs to */
    size_t count;
    double given[CHUNK]; /* N, where the goal looks for the largest run */
    isocast_run_limit limit[CHUNK];
    double N[CHUNK], W[CHUNK], T[CHUNK], E[CHUNK], varied[CHUNK];
    isocast_row_status status[CHUNK];
    isocast_batch_note note[CHUNK];
} chunk;

/* The marked speed of a class, changed in a system of our own. */
static isocast_status vary_speed(const isocast_offer *offer, const isocast_variation *varied,
                                 isocast_system *system) {
    /* The table's rows are parts of what the system owns. */
    double *speeds = system->rows + (system->table.rows[ISOCAST_CLASS_MARKED_SPEED] - system->rows);
    system->C = 0;
    for (size_t i = 0; i < system->count; i++) {
        speeds[i] *= system->classes[i] == varied->class_index ? varied->speed_factor : 1;
        system->C += system->table.rows[ISOCAST_CLASS_PROCESSES][i] * speeds[i];
    }
    system->C_j = speeds[0];
    return isocast_system_refer(isocast_model_machine(offer->model), system);
}

static isocast_status add_system(const isocast_offer *offer, const isocast_variation *varied,
                                 const isocast_mixes *mixes, size_t index, chunk *c) {
    isocast_mix *mix = &mixes->items[index];
    isocast_system *system = NULL;
    isocast_status status = isocast_mix_system(offer, isocast_mixes_nodes(mixes, index), &system);
    if (status == ISOCAST_INVALID) {
        mix->status = ISOCAST_ROW_NOT_VALID;
        return ISOCAST_OK;
    }
    if (status == ISOCAST_OK && varied != NULL && varied->class_index != (size_t)-1) {
        status = vary_speed(offer, varied, system);
    }
    if (status != ISOCAST_OK) {
        isocast_system_free(system);
        return status;
    }
    mix->C = system->C;
    c->systems[c->count] = system;
    c->mix[c->count++] = index;
    return ISOCAST_OK;
}

/* The model with another value of a parameter; free it. */
static isocast_status vary_parameter(const isocast_offer *offer, const isocast_variation *varied,
                                     isocast_model **out) {
    size_t n = isocast_model_machine(offer->model)->parameter_count;
    double *parameters = malloc((n + 1) * sizeof *parameters);
    if (parameters == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memcpy(parameters, isocast_model_parameters(offer->model), n * sizeof *parameters);
    parameters[varied->parameter] = varied->value;
    isocast_status status = isocast_model_with_parameters(offer->model, parameters, out);
    free(parameters);
    return status;
}

/* The largest N that each system can run. */
static isocast_status find_runs(const isocast_offers_request *request, const isocast_offer *offer,
                                const isocast_variation *varied, isocast_effort *effort, chunk *c) {
    const isocast_model *model = offer->model;
    isocast_model *other = NULL;
    isocast_status status = ISOCAST_OK;
    if (varied != NULL && varied->parameter != (size_t)-1) {
        status = vary_parameter(offer, varied, &other);
        model = status == ISOCAST_OK ? other : model;
    }
    for (size_t i = 0; i < c->count && status == ISOCAST_OK; i++) {
        status =
            find_largest_run(request, model, c->systems[i], effort, &c->given[i], &c->limit[i]);
    }
    isocast_model_free(other);
    return status;
}

static isocast_status solve(const isocast_offers_request *request, const isocast_offer *offer,
                            const isocast_variation *varied, isocast_effort *effort, chunk *c) {
    bool solves = request->goal == ISOCAST_OFFER_PROBLEM;
    bool runs = request->goal == ISOCAST_OFFER_RUN;
    bool by_parameter = varied != NULL && varied->parameter != (size_t)-1;
    isocast_status status = runs ? find_runs(request, offer, varied, effort, c) : ISOCAST_OK;
    if (status != ISOCAST_OK) {
        return status;
    }
    for (size_t i = 0; by_parameter && i < c->count; i++) {
        c->varied[i] = varied->value;
    }
    const isocast_batch_parameter parameter = {by_parameter ? varied->parameter : 0, c->varied};
    const isocast_batch_request batch = {.model = offer->model,
                                         .count = c->count,
                                         .systems = (const isocast_system *const *)c->systems,
                                         .systems_stride = 1,
                                         .targets = solves ? &request->efficiency : NULL,
                                         .N = solves ? NULL
                                              : runs ? c->given
                                                     : &request->N,
                                         .N_stride = runs,
                                         .other_sizes = request->other_sizes,
                                         .parameters = by_parameter ? &parameter : NULL,
                                         .parameter_count = by_parameter,
                                         .threads = request->threads,
                                         .effort = effort};
    const isocast_batch_results results = {
        .N = c->N, .W = c->W, .T = c->T, .E = c->E, .status = c->status, .note = c->note};
    return c->count > 0 ? isocast_batch_solve(&batch, &results) : ISOCAST_OK;
}

static isocast_status evaluate_chunk(const isocast_offers_request *request,
                                     const isocast_offer *offer, const isocast_variation *varied,
                                     isocast_effort *effort, isocast_mixes *mixes, size_t first,
                                     size_t last, chunk *c) {
    c->count = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t i = first; i < last && status == ISOCAST_OK; i++) {
        status = add_system(offer, varied, mixes, i, c);
    }
    if (status == ISOCAST_OK) {
        status = solve(request, offer, varied, effort, c);
    }
    for (size_t k = 0; k < c->count; k++) {
        isocast_mix *mix = &mixes->items[c->mix[k]];
        if (status == ISOCAST_OK) {
            mix->N = c->N[k];
            mix->W = c->W[k];
            mix->T = c->T[k];
            mix->E = c->E[k];
            mix->status = c->status[k];
            mix->limit = c->limit[k];
            mix->idle = c->note[k] == ISOCAST_BATCH_FEWER;
            isocast_mix_rate(request, mix);
        }
        isocast_system_free(c->systems[k]);
    }
    return status;
}

isocast_status isocast_mixes_evaluate(const isocast_offers_request *request,
                                      const isocast_offer *offer, const isocast_variation *varied,
                                      isocast_effort *effort, isocast_mixes *mixes, size_t first,
                                      size_t last) {
    chunk *c = malloc(sizeof *c);
    isocast_status status = c == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t from = first; status == ISOCAST_OK && from < last; from += CHUNK) {
        size_t to = last - from < CHUNK ? last : from + CHUNK;
        status = evaluate_chunk(request, offer, varied, effort, mixes, from, to, c);
    }
    free(c);
    return status;
}
