#include "validation_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/concurrency.h"
#include "model/solve/held.h"
#include "model/solve/solver.h"

/* Sizes that a system needs to have a say in the efficiency, and how much its E must rise over
 * them: one process alone has about E = 1 at every N, and no N can be read from that. */
enum { SIZES_MIN = 3 };
static const double rise_least = 1.05;

/* Efficiencies that are tried on either side of the middle. */
enum { TRIES = 12 };

/* What all tries may take of the effort, and the search of N of what one prediction may. */
static const double tries_share = 0.5;
static const double search_share = 0.8;

/* How near the E of a run must be to the efficiency to show it. */
static const double direct_tolerance = 0.02;

enum { ROUTE_COMPUTED, ROUTE_DIRECT, ROUTE_PREDICTED, ROUTES };

typedef struct comparing {
    isocast_validation *v;
    isocast_trend **trends; /* [system_count]; NULL where a system has too few sizes */
} comparing;

/* Where a prediction passes the efficiency. */
typedef struct passing {
    size_t count;
    double N[ISOCAST_ROOTS_MAX];   /* [count], rising */
    bool rises[ISOCAST_ROOTS_MAX]; /* [count] */
    bool more;
    bool is_short; /* where it or the measured E passes it, not all processes can work */
} passing;

static isocast_status fit_trends(const comparing *c) {
    const isocast_validation *v = c->v;
    double *E = malloc((v->point_count + 1) * sizeof *E);
    isocast_status status = E == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < v->system_count; i++) {
        const isocast_validation_system *system = &v->systems[i];
        for (size_t k = 0; k < system->point_count; k++) {
            const isocast_validation_point *point = &v->points[system->first_point + k];
            E[k] = point->valid && point->E > 0 && isfinite(point->E) ? point->E : NAN;
        }
        status = isocast_run_sizes_fit(&v->sizes, &v->sizes.systems[system->measured], E, 0,
                                       &c->trends[i]);
    }
    free(E);
    return status;
}

/* The efficiencies that a system passes as it rises with N: from the least before the greatest to
 * the greatest. Gives whether it has a say. */
static bool rise_of(const isocast_validation *v, const isocast_validation_system *system,
                    double *least, double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    double least_so_far = INFINITY;
    size_t count = 0;
    for (size_t k = 0; k < system->point_count; k++) {
        const isocast_validation_point *point = &v->points[system->first_point + k];
        if (!point->valid) {
            continue;
        }
        count++;
        least_so_far = fmin(least_so_far, point->E);
        if (point->E > *most) {
            *most = point->E;
            *least = least_so_far;
        }
    }
    return count >= SIZES_MIN && *most > rise_least * *least;
}

/* Whether the prediction rises at a root: E a little to either side of it, nearer than any other
 * root. */
static isocast_status report_direction(const isocast_validation *v,
                                       const isocast_validation_system *of,
                                       const isocast_solution *solution, size_t root,
                                       isocast_effort *effort, bool *rises) {
    double step = 1e-3;
    double here = solution->roots[root];
    if (root > 0) {
        step = fmin(step, log(here / solution->roots[root - 1]) / 2);
    }
    if (root + 1 < solution->root_count) {
        step = fmin(step, log(solution->roots[root + 1] / here) / 2);
    }
    double N[] = {here * exp(-step), here * exp(step)};
    double E[2];
    const isocast_system *system = of->system;
    isocast_model_points at = {
        .count = 2, .N = N, .other_sizes = of->other_sizes, .systems = &system, .effort = effort};
    double sum_error;
    isocast_status status = isocast_held_evaluate(v->model, v->metric, &at, E, NULL, &sum_error);
    *rises = !(E[0] > E[1]);
    return status;
}

/* Whether fewer processes can work than there are; the roots of E take all to work. */
static isocast_status report_short(const isocast_validation *v, const isocast_validation_system *of,
                                   double N, isocast_effort *effort, bool *is_short) {
    double concurrency = NAN;
    isocast_status status =
        isocast_model_algorithm(v->model)->concurrency != NULL
            ? isocast_concurrency_at(v->model, of->system, of->other_sizes, N, effort, &concurrency)
            : ISOCAST_OK;
    *is_short = isocast_concurrency_is_short(concurrency, of->system->p);
    return status;
}

static isocast_status predict(const isocast_validation *v, size_t index, double efficiency,
                              isocast_effort *effort, passing *out) {
    const isocast_validation_system *of = &v->systems[index];
    isocast_solution solution;
    isocast_effort search = isocast_effort_lend(effort, search_share);
    const isocast_solve_request wanted = {.model = v->model,
                                          .metric = v->metric,
                                          .system = of->system,
                                          .other_sizes = of->other_sizes,
                                          .target = efficiency,
                                          .effort = &search};
    isocast_status status = isocast_solve(&wanted, &solution);
    isocast_effort_return(effort, &search);
    *out = (passing){0};
    if (status != ISOCAST_OK ||
        (solution.status != ISOCAST_ROW_OK && solution.status != ISOCAST_ROW_SEVERAL)) {
        return status;
    }
    if (solution.root_count == 0) {
        solution.roots[solution.root_count++] = solution.N;
    }
    out->more = solution.more_roots;
    for (size_t i = 0; status == ISOCAST_OK && i < solution.root_count; i++) {
        bool is_short = false;
        status = report_short(v, of, solution.roots[i], effort, &is_short);
        out->is_short = out->is_short || is_short;
        if (status == ISOCAST_OK && !is_short) {
            out->N[out->count] = solution.roots[i];
            status = report_direction(v, of, &solution, i, effort, &out->rises[out->count++]);
        }
    }
    return status;
}

/* How many of the systems that have a say pass an efficiency once, rising, in the runs as in the
 * prediction. */
static isocast_status count_passing(const comparing *c, const bool *has_say, double efficiency,
                                    isocast_effort *effort, size_t *count) {
    isocast_status status = ISOCAST_OK;
    *count = 0;
    for (size_t i = 0; status == ISOCAST_OK && i < c->v->system_count; i++) {
        if (!has_say[i] || c->trends[i] == NULL) {
            continue;
        }
        isocast_reading reading;
        passing predicted = {0};
        status = isocast_trend_read(c->trends[i], efficiency, &reading);
        bool once = status == ISOCAST_OK && reading.status == ISOCAST_READING_OK &&
                    reading.crossings[0].rises;
        if (once) {
            isocast_effort lent = isocast_effort_lend(effort, 1 / (double)(c->v->system_count - i));
            status = predict(c->v, i, efficiency, &lent, &predicted);
            isocast_effort_return(effort, &lent);
        }
        *count += once && predicted.count == 1 && !predicted.more && predicted.rises[0];
    }
    return status;
}

/* The efficiency to compare at: from the middle of the range that all have passed outwards, the
 * first that all pass once, or else the one that the most do. */
static isocast_status choose_efficiency(const comparing *c, bool *has_say) {
    double low = -INFINITY;
    double high = INFINITY;
    size_t systems = 0;
    for (size_t i = 0; i < c->v->system_count; i++) {
        double least;
        double most;
        has_say[i] = rise_of(c->v, &c->v->systems[i], &least, &most);
        if (has_say[i]) {
            low = fmax(low, least);
            high = fmin(high, most);
            systems++;
        }
    }
    if (systems == 0 || !(low < high)) {
        return ISOCAST_OK;
    }
    isocast_status status = ISOCAST_OK;
    size_t best = 0;
    isocast_effort left = isocast_effort_lend(c->v->effort, tries_share);
    for (int i = 0; status == ISOCAST_OK && i <= 2 * TRIES && best < systems; i++) {
        int steps = i % 2 == 0 ? i / 2 : -(i + 1) / 2;
        double E = (low + high) / 2 + (high - low) / 2 * steps / (TRIES + 1);
        size_t count;
        isocast_effort lent = isocast_effort_lend(&left, 1 / (double)(2 * TRIES + 1 - i));
        status = count_passing(c, has_say, E, &lent, &count);
        isocast_effort_return(&left, &lent);
        if (i == 0 || count > best) {
            best = count;
            c->v->efficiency = E;
        }
    }
    isocast_effort_return(c->v->effort, &left);
    return status;
}

/* A run beside the crossing, or anywhere where there is none, that shows the efficiency; the one
 * whose E is nearest. */
static double direct_size(const isocast_validation *v, const isocast_validation_system *system,
                          const isocast_crossing *crossing) {
    double nearest = direct_tolerance;
    double N = NAN;
    for (size_t k = 0; k < system->point_count; k++) {
        const isocast_validation_point *point = &v->points[system->first_point + k];
        double off = fabs(point->E / v->efficiency - 1);
        bool beside =
            crossing == NULL || (point->N >= crossing->least && point->N <= crossing->most);
        if (point->valid && beside && off <= nearest) {
            nearest = off;
            N = point->N;
        }
    }
    return N;
}

/* The root that is nearest in ln N to a crossing, of those in the same direction; count: none. */
static size_t nearest_root(const passing *predicted, double N, bool rises) {
    size_t best = predicted->count;
    for (size_t i = 0; i < predicted->count; i++) {
        if (predicted->rises[i] == rises &&
            (best == predicted->count ||
             fabs(log(predicted->N[i] / N)) < fabs(log(predicted->N[best] / N)))) {
            best = i;
        }
    }
    return best;
}

/* Whether no other crossing in the same direction is nearer to the root. */
static bool is_nearest_crossing(const isocast_reading *reading, size_t crossing, double root) {
    for (size_t i = 0; i < reading->count; i++) {
        if (reading->crossings[i].rises == reading->crossings[crossing].rises &&
            fabs(log(reading->crossings[i].N / root)) <
                fabs(log(reading->crossings[crossing].N / root))) {
            return false;
        }
    }
    return true;
}

/* The smallest crossing that has a root of its own, those where E rises first; gives whether there
 * is one. */
static bool find_pair(const isocast_reading *reading, const passing *predicted, size_t *crossing,
                      size_t *root) {
    for (int falling = 0; falling <= 1; falling++) {
        for (size_t i = 0; i < reading->count; i++) {
            const isocast_crossing *at = &reading->crossings[i];
            size_t nearest = nearest_root(predicted, at->N, at->rises);
            if (at->rises != falling && nearest < predicted->count &&
                is_nearest_crossing(reading, i, predicted->N[nearest])) {
                *crossing = i;
                *root = nearest;
                return true;
            }
        }
    }
    return false;
}

static void take_computed(isocast_validation_system *system, const isocast_crossing *crossing) {
    system->N = crossing->N;
    system->N_low = crossing->low;
    system->N_high = crossing->high;
}

/* Sets what there is of the three routes; only the same solution is set beside another. */
static void pair(const isocast_validation *v, isocast_validation_system *system,
                 const isocast_reading *reading, const passing *predicted) {
    size_t crossing;
    size_t root;
    system->crossings = reading->count;
    system->roots = predicted->count;
    if (find_pair(reading, predicted, &crossing, &root)) {
        take_computed(system, &reading->crossings[crossing]);
        system->N_direct = direct_size(v, system, &reading->crossings[crossing]);
        system->N_predicted = predicted->N[root];
        system->N_error = system->N_predicted / system->N - 1;
        system->pairing = ISOCAST_PAIRING_OK;
    } else if (reading->count > 0) {
        take_computed(system, &reading->crossings[0]);
        system->N_direct = direct_size(v, system, &reading->crossings[0]);
        system->pairing =
            predicted->count > 0 ? ISOCAST_PAIRING_OTHER_BRANCH : ISOCAST_PAIRING_NOT_PREDICTED;
    } else {
        system->N_direct = direct_size(v, system, NULL);
        system->N_predicted = predicted->count > 0 ? predicted->N[0] : NAN;
        system->pairing =
            predicted->count > 0 ? ISOCAST_PAIRING_NOT_MEASURED : ISOCAST_PAIRING_NOT_PREDICTED;
        /* One size says nothing of a direction, and must not: the prediction has one solution. */
        if (!isnan(system->N_direct) && predicted->count == 1 && !predicted->more) {
            system->N_error = system->N_predicted / system->N_direct - 1;
            system->pairing = ISOCAST_PAIRING_OK;
        }
    }
    bool paired = system->pairing == ISOCAST_PAIRING_OK;
    system->pairing =
        !paired && predicted->is_short ? ISOCAST_PAIRING_CONCURRENCY : system->pairing;
}

/* The measured time at an N that gives the efficiency: that of the run, or what it follows from. */
static double time_at(const isocast_validation *v, const isocast_validation_system *system,
                      size_t route, const isocast_metric_point *at) {
    if (route == ROUTE_DIRECT) {
        const isocast_run_system *measured = &v->sizes.systems[system->measured];
        return isocast_run_sizes_time_at(&v->sizes, measured, system->N_direct);
    }
    bool alone = isocast_metric_takes_time_alone(v->metric);
    return (alone ? at->T_alone : at->W) / (isocast_metric_size_of(v->metric, at) * v->efficiency);
}

/* What psi is read off by a route at its N. */
static isocast_status read_route(const isocast_validation *v,
                                 const isocast_validation_system *system, size_t route, double N,
                                 isocast_effort *effort, isocast_metric_point *out) {
    const isocast_system *systems[] = {system->system};
    isocast_metric_point at = {.C = system->system->C,
                               .R_f = system->system->reference_factor,
                               .W = NAN,
                               .T = NAN,
                               .T_alone = NAN};
    isocast_model_points points = {.count = 1,
                                   .N = &N,
                                   .other_sizes = system->other_sizes,
                                   .systems = systems,
                                   .effort = effort};
    isocast_model_results results = {.W = &at.W, .T = &at.T};
    isocast_status status = isocast_model_evaluate(v->model, &points, &results);
    bool alone = isocast_metric_takes_time_alone(v->metric);
    if (status == ISOCAST_OK && route == ROUTE_PREDICTED && alone) {
        double error;
        status = isocast_model_time_alone(v->model, &points, &at.T_alone, &error);
    } else if (status == ISOCAST_OK && route != ROUTE_PREDICTED) {
        at.T_alone = alone ? isocast_run_sizes_time_at(&v->sizes, system->single, N) : NAN;
        at.T = time_at(v, system, route, &at);
    }
    *out = at;
    return status;
}

isocast_status isocast_validation_psi_shift(const isocast_validation *validation,
                                            const isocast_validation_system *system, double error,
                                            double *shift) {
    double N = isnan(system->N) ? system->N_direct : system->N;
    /* An N that may be less than nothing is as far off downwards as upwards. */
    const double at[] = {N, N * (1 + error), error < 1 ? N * (1 - error) : N / (1 + error)};
    double read[3] = {NAN, NAN, NAN};
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < 3 && status == ISOCAST_OK; k++) {
        isocast_metric_point point;
        status = read_route(validation, system, ROUTE_COMPUTED, at[k], validation->effort, &point);
        read[k] = isocast_metric_read(validation->metric, &point);
    }
    double up = fabs(log(read[1] / read[0]));
    double down = fabs(log(read[2] / read[0]));
    *shift = isnan(up) || isnan(down) ? NAN : fmax(up, down);
    return status;
}

static isocast_status compare_system(const comparing *c, size_t index, isocast_effort *effort,
                                     isocast_metric_point read[ROUTES]) {
    isocast_validation *v = c->v;
    isocast_validation_system *system = &v->systems[index];
    isocast_reading reading = {.status = ISOCAST_READING_ABOVE};
    passing predicted = {0};
    isocast_status status = ISOCAST_OK;
    if (c->trends[index] != NULL) {
        status = isocast_trend_read(c->trends[index], v->efficiency, &reading);
    }
    if (status == ISOCAST_OK) {
        status = predict(v, index, v->efficiency, effort, &predicted);
    }
    for (size_t i = 0; status == ISOCAST_OK && i < reading.count; i++) {
        bool is_short = false;
        status = report_short(v, system, reading.crossings[i].N, effort, &is_short);
        predicted.is_short = predicted.is_short || is_short;
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    pair(v, system, &reading, &predicted);
    const double N[ROUTES] = {[ROUTE_COMPUTED] = system->N,
                              [ROUTE_DIRECT] = system->N_direct,
                              [ROUTE_PREDICTED] = system->N_predicted};
    for (size_t route = 0; route < ROUTES && status == ISOCAST_OK; route++) {
        status = read_route(v, system, route, N[route], effort, &read[route]);
    }
    return status;
}

/* psi from one system to the next by each route, and its error where both have the same solution.
 */
static void relate(isocast_metric metric, const isocast_validation_system *before,
                   const isocast_metric_point read_before[ROUTES],
                   isocast_validation_system *system, const isocast_metric_point read[ROUTES]) {
    double *const psi[ROUTES] = {[ROUTE_COMPUTED] = &system->psi,
                                 [ROUTE_DIRECT] = &system->psi_direct,
                                 [ROUTE_PREDICTED] = &system->psi_predicted};
    for (size_t route = 0; route < ROUTES; route++) {
        *psi[route] = isocast_metric_psi(metric, &read_before[route], &read[route]);
    }
    if (before->pairing == ISOCAST_PAIRING_OK && system->pairing == ISOCAST_PAIRING_OK) {
        double measured = isnan(system->psi) ? system->psi_direct : system->psi;
        system->psi_error = system->psi_predicted / measured - 1;
    }
}

static isocast_status compare_systems(const comparing *c) {
    isocast_metric_point before[ROUTES];
    for (size_t i = 0; i < c->v->system_count; i++) {
        isocast_metric_point read[ROUTES];
        /* An equal share for each, and for what comes after them. */
        isocast_effort lent =
            isocast_effort_lend(c->v->effort, 1 / (double)(c->v->system_count - i + 1));
        isocast_status status = compare_system(c, i, &lent, read);
        isocast_effort_return(c->v->effort, &lent);
        if (status != ISOCAST_OK) {
            return status;
        }
        if (i > 0 && c->v->systems[i - 1].group == c->v->systems[i].group) {
            relate(c->v->metric, &c->v->systems[i - 1], before, &c->v->systems[i], read);
        }
        memcpy(before, read, sizeof read);
    }
    return ISOCAST_OK;
}

isocast_status isocast_validation_compare_sizes(isocast_validation *validation, double efficiency) {
    size_t systems = validation->system_count;
    comparing c = {validation, calloc(systems + 1, sizeof(isocast_trend *))};
    bool *has_say = calloc(systems + 1, sizeof *has_say);
    isocast_status status =
        c.trends == NULL || has_say == NULL ? ISOCAST_NO_MEMORY : fit_trends(&c);
    validation->efficiency = efficiency;
    if (status == ISOCAST_OK && isnan(efficiency)) {
        status = choose_efficiency(&c, has_say);
    }
    if (status == ISOCAST_OK && !isnan(validation->efficiency)) {
        status = compare_systems(&c);
    }
    for (size_t i = 0; c.trends != NULL && i < systems; i++) {
        isocast_trend_free(c.trends[i]);
    }
    free(c.trends);
    free(has_say);
    return status;
}
