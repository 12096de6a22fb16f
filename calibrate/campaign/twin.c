#include "twin.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "model/spec/platform_load.h"
#include "twin_formulas.h"
#include "twin_plan.h"
#include "twin_text.h"

/* What is searched for: logarithms of capacity, latency, and what a node carries, or memory. */
enum { PARAMETERS = 3, EVALUATIONS_MAX = 24 };
/* How often algorithms are chosen and the rest is searched for, each at what the other found. */
enum { ROUNDS = 2 };
static const double first_step = 0.4;
/* Where no message between nodes was measured, nothing is known of the wire. */
static const double first_step_unknown = 1;
static const double step_least = 0.02;
/* An error beyond counts by its first power alone. */
static const double error_large = 0.5;
/* What squared logarithms of the parameters cost, beside squared errors: without it a parameter
 * that no timing tells would wander. */
static const double wandering = 0.002;
/* A search that gains less than this part of the cost found noise. Below a mean squared error of
 * 0.02 there is nothing to search for. */
static const double gain_least = 0.1;
static const double cost_good = 0.0004;
/* Of the budget, for all but the timings on the most processes. */
static const double share_of_search = 0.6;

/* The search on its way. */
typedef struct search {
    const campaign_twin_request *request;
    campaign_twin *twin;
    campaign_twin_plan plan;
    campaign_twin_probe probe;
    double most_on_node; /* processes, of what is fitted */
    double started;      /* s of campaign_clock() */
    isocast_status status;
} search;

/* Errors: ARGUMENT, which is told, where the text is no platform file: a machine file may have what
 * a platform cannot, such as names of classes that are no names of hosts. */
static isocast_status read_platform(const campaign_listener *listener, const isocast_buffer *text,
                                    isocast_platform **out) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        text->failed
            ? ISOCAST_NO_MEMORY
            : isocast_platform_read_text("twin", text->text, text->length, &diagnostics, out);
    if (status == ISOCAST_INVALID && diagnostics.count > 0) {
        const isocast_diagnostic *first = &diagnostics.items[0];
        status = campaign_fail(
            listener, ISOCAST_ARGUMENT, "no platform can be made of this machine: %.*s: %s%s%s",
            (int)first->caret_length, first->source_line + first->caret_column - 1, first->message,
            first->hint != NULL ? "\n    hint: " : "", first->hint != NULL ? first->hint : "");
    }
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

static isocast_network network_of(const campaign_twin *twin) {
    isocast_network network = fit_network_platform(&twin->network, &twin->scales);
    network.collectives = twin->collectives;
    return network;
}

/* Simulates places on the platform that the twin is now. */
static isocast_status simulate(search *s, campaign_twin_place *places, size_t count, bool tells) {
    const isocast_network network = network_of(s->twin);
    isocast_buffer text = {0};
    isocast_platform *platform = NULL;
    twin_text_write(s->request, &network, NULL, &text);
    isocast_status status = read_platform(s->request->listener, &text, &platform);
    isocast_buffer_free(&text);
    if (status == ISOCAST_OK) {
        status = campaign_twin_simulate(&s->probe, platform, places, count, tells);
    }
    isocast_platform_free(platform);
    return status;
}

static double loss_of(double error) {
    double size = fabs(error);
    return size < error_large ? size * size : error_large * (2 * size - error_large);
}

/* Losses of groups of timings, each of which counts alike, however many sizes it has. */
typedef struct losses {
    double sum;
    double groups;
} losses;

static void add_loss(double loss, double counted, losses *out) {
    out->sum += counted > 0 ? loss / counted : 0;
    out->groups += counted > 0;
}

/* Messages between two processes, which the network's model gives as the simulator does. */
static void add_messages(const search *s, losses *out) {
    const fit_network scaled = fit_network_scaled(&s->twin->network, &s->twin->scales);
    double between = 0;
    double within = 0;
    double counted_between = 0;
    double counted_within = 0;
    for (size_t i = 0; i < s->plan.message_count; i++) {
        const fit_message_point *point = &s->plan.messages[i];
        if (!isnan(point->between)) {
            between += loss_of(log(fit_network_between(&scaled, point->m) / point->between));
            counted_between++;
        }
        if (!isnan(point->within)) {
            within += loss_of(log(fit_network_within(&scaled, point->m) / point->within));
            counted_within++;
        }
    }
    add_loss(between, counted_between, out);
    add_loss(within, counted_within, out);
}

/* Each operation on each placement is a group. */
static void add_places(const campaign_twin_place *places, size_t count, losses *out) {
    for (size_t i = 0; i < count; i++) {
        for (size_t first = 0; first < places[i].count;) {
            const campaign_twin_point *points = places[i].points;
            double group = 0;
            double counted = 0;
            size_t k = first;
            for (; k < places[i].count && points[k].operation == points[first].operation; k++) {
                if (!isnan(points[k].simulated)) {
                    group += loss_of(log(points[k].simulated / points[k].measured));
                    counted++;
                }
            }
            add_loss(group, counted, out);
            first = k;
        }
    }
}

/* Where messages within a node were measured alone, those that go on at once tell what they share;
 * else how fast one is. */
static void write_logs(const search *s, double logs[PARAMETERS]) {
    const fit_network_scales *scales = &s->twin->scales;
    logs[0] = log(scales->capacity);
    logs[1] = log(scales->latency);
    logs[2] = isfinite(scales->node) ? log(scales->node / s->most_on_node) : log(scales->memory);
}

static void read_logs(const search *s, const double logs[PARAMETERS], fit_network_scales *out) {
    bool shares = s->twin->network.has_within && s->most_on_node > 1;
    *out = (fit_network_scales){.capacity = exp(logs[0]),
                                .latency = exp(logs[1]),
                                .memory = shares ? 1 : exp(logs[2]),
                                .node = shares && logs[2] < 0 ? s->most_on_node * exp(logs[2])
                                                              : INFINITY};
}

static double try_scales(search *s, bool tells) {
    campaign_twin *twin = s->twin;
    twin->evaluations++;
    campaign_tell_progress(s->request->listener, twin->evaluations,
                           (size_t)ROUNDS * (ISOCAST_COLLECTIVES + EVALUATIONS_MAX),
                           "fitting collectives");
    s->status = simulate(s, s->plan.fitted, s->plan.fitted_count, tells);
    if (s->status != ISOCAST_OK) {
        return INFINITY;
    }
    double logs[PARAMETERS];
    write_logs(s, logs);
    losses all = {0};
    add_places(s->plan.fitted, s->plan.fitted_count, &all);
    if (all.groups == 0) {
        return INFINITY;
    }
    add_messages(s, &all);
    double cost = all.sum / all.groups;
    for (size_t k = 0; k < PARAMETERS; k++) {
        cost += wandering * logs[k] * logs[k];
    }
    return cost;
}

static void set_scales(const search *s, const gsl_vector *at, fit_network_scales *out) {
    double logs[PARAMETERS];
    for (size_t k = 0; k < PARAMETERS; k++) {
        logs[k] = gsl_vector_get(at, k);
    }
    read_logs(s, logs, out);
}

static double cost_at(const gsl_vector *at, void *context) {
    search *s = context;
    /* Where a simulation failed, all that follow do. */
    if (s->status != ISOCAST_OK) {
        return 1e9;
    }
    set_scales(s, at, &s->twin->scales);
    double cost = try_scales(s, false);
    return isfinite(cost) ? cost : 1e9;
}

/* Whether a failure is that of the platform that was tried, or of the time, and not of the search.
 */
static bool may_go_on(isocast_status status) {
    return status == ISOCAST_OK || status == ISOCAST_PROGRAM;
}

/* The library whose choice of algorithms is nearest to the timings. The first must be simulated. */
static isocast_status choose_collectives(search *s, double *least) {
    campaign_twin *twin = s->twin;
    size_t best = ISOCAST_COLLECTIVES_MPICH;
    *least = INFINITY;
    for (size_t i = 0; i < ISOCAST_COLLECTIVES; i++) {
        twin->collectives = (isocast_collectives)i;
        double cost = try_scales(s, i == ISOCAST_COLLECTIVES_MPICH);
        if (!may_go_on(s->status) || (i == 0 && s->status != ISOCAST_OK)) {
            return s->status;
        }
        if (cost < *least) {
            *least = cost;
            best = i;
        }
    }
    twin->collectives = (isocast_collectives)best;
    s->status = ISOCAST_OK;
    return ISOCAST_OK;
}

/* From what the scales are on. The best that was seen stays, also where time ends the search. */
static isocast_status search_scales(search *s, double least) {
    campaign_twin *twin = s->twin;
    const fit_network_scales begin = twin->scales;
    gsl_vector *at = gsl_vector_alloc(PARAMETERS);
    gsl_vector *step = gsl_vector_alloc(PARAMETERS);
    gsl_multimin_fminimizer *minimizer =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, PARAMETERS);
    isocast_status status = ISOCAST_NO_MEMORY;
    fit_network_scales best = begin;
    if (at != NULL && step != NULL && minimizer != NULL) {
        gsl_multimin_function function = {cost_at, PARAMETERS, s};
        double logs[PARAMETERS];
        write_logs(s, logs);
        for (size_t k = 0; k < PARAMETERS; k++) {
            gsl_vector_set(at, k, logs[k]);
        }
        gsl_vector_set_all(step, twin->network.has_between ? first_step : first_step_unknown);
        /* What a node shares begins as all there is. */
        gsl_vector_set(step, 2, -gsl_vector_get(step, 2));
        size_t most = twin->evaluations + EVALUATIONS_MAX;
        bool going = gsl_multimin_fminimizer_set(minimizer, &function, at, step) == 0;
        while (going && s->status == ISOCAST_OK && twin->evaluations < most &&
               gsl_multimin_fminimizer_size(minimizer) > step_least) {
            going = gsl_multimin_fminimizer_iterate(minimizer) == 0;
        }
        if (minimizer->fval < (1 - gain_least) * least) {
            set_scales(s, minimizer->x, &best);
        }
        twin->ended_early = s->status == ISOCAST_PROGRAM;
        status = may_go_on(s->status) ? ISOCAST_OK : s->status;
    }
    gsl_multimin_fminimizer_free(minimizer);
    gsl_vector_free(at);
    gsl_vector_free(step);
    twin->scales = best;
    s->status = ISOCAST_OK;
    return status;
}

static double error_of(double value, double measured) {
    return fabs(value / measured - 1);
}

/* Errors of points, gathered for a median. */
typedef struct errors {
    double *values; /* [count] */
    size_t count;
} errors;

static double median_error(errors *e) {
    return e->count > 0 ? median_of(e->values, e->count) : NAN;
}

/* Adds the errors of an operation, or of all (ISOCAST_KNOWN_OPERATIONS), in places. */
static void add_errors(const campaign_twin_place *places, size_t count, size_t operation,
                       errors *out) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count; k++) {
            const campaign_twin_point *point = &places[i].points[k];
            bool of_it = operation == ISOCAST_KNOWN_OPERATIONS || point->operation == operation;
            if (of_it && !isnan(point->simulated)) {
                out->values[out->count++] = error_of(point->simulated, point->measured);
            }
        }
    }
}

static campaign_twin_row *row_of(campaign_twin *twin, size_t operation) {
    for (size_t i = 0; i < twin->row_count; i++) {
        if (twin->rows[i].operation == operation) {
            return &twin->rows[i];
        }
    }
    twin->rows[twin->row_count] = (campaign_twin_row){
        .operation = operation, .before = NAN, .after = NAN, .twin = NAN, .formulas = NAN};
    return &twin->rows[twin->row_count++];
}

static void make_rows(const campaign_twin_place *places, size_t count, campaign_twin *twin) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count; k++) {
            (void)row_of(twin, places[i].points[k].operation);
        }
    }
}

/* Notes the errors of what is fitted, before or after collectives were. */
static void note_errors(search *s, bool after, double *scratch) {
    campaign_twin *twin = s->twin;
    for (size_t i = 0; i <= twin->row_count; i++) {
        campaign_twin_row *row = i < twin->row_count ? &twin->rows[i] : &twin->all;
        size_t operation = i < twin->row_count ? row->operation : ISOCAST_KNOWN_OPERATIONS;
        errors found = {.values = scratch};
        if (operation == ISOCAST_KNOWN_message) {
            add_errors(s->plan.pairs, s->plan.pair_count, operation, &found);
        } else {
            add_errors(s->plan.fitted, s->plan.fitted_count, operation, &found);
        }
        row->points = found.count;
        *(after ? &row->after : &row->before) = median_error(&found);
    }
}

/* Adds the errors of formulas at the points of an operation on the most processes; times: of all
 * points there. */
static void add_formula_errors(const search *s, size_t operation, const double *times,
                               errors *out) {
    size_t index = 0;
    for (size_t i = 0; i < s->plan.held_count; i++) {
        for (size_t k = 0; k < s->plan.held[i].count; k++, index++) {
            const campaign_twin_point *point = &s->plan.held[i].points[k];
            bool of_it = operation == ISOCAST_KNOWN_OPERATIONS || point->operation == operation;
            if (of_it && times[index] > 0) {
                out->values[out->count++] = error_of(times[index], point->measured);
            }
        }
    }
}

/* times: room for those of all points on the most processes. */
static isocast_status validate(search *s, double *scratch, double *times) {
    campaign_twin *twin = s->twin;
    isocast_status status =
        campaign_twin_formulas_find(s->request->machine, s->request->timings, s->plan.fitted_p,
                                    s->plan.held, s->plan.held_count, times);
    for (size_t i = 0; i <= twin->row_count && status == ISOCAST_OK; i++) {
        bool last = i == twin->row_count;
        campaign_twin_row *row = last ? &twin->all : &twin->rows[i];
        size_t operation = last ? ISOCAST_KNOWN_OPERATIONS : row->operation;
        errors simulated = {.values = scratch};
        add_errors(s->plan.held, s->plan.held_count, operation, &simulated);
        row->held_points = simulated.count;
        row->held_p = s->plan.held_count > 0 ? s->plan.held[s->plan.held_count - 1].p : NAN;
        row->twin = median_error(&simulated);
        errors fitted = {.values = scratch};
        add_formula_errors(s, operation, times, &fitted);
        row->formulas = median_error(&fitted);
    }
    return status;
}

static size_t count_points(const campaign_twin_plan *plan) {
    size_t points = 0;
    for (size_t i = 0; i < plan->pair_count; i++) {
        points += plan->pairs[i].count;
    }
    for (size_t i = 0; i < plan->fitted_count; i++) {
        points += plan->fitted[i].count;
    }
    for (size_t i = 0; i < plan->held_count; i++) {
        points += plan->held[i].count;
    }
    return points;
}

/* No message between two nodes was measured, or nobody knows where its processes were. */
static void tell_no_wire(const search *s) {
    const campaign_listener *listener = s->request->listener;
    for (size_t i = 0; i < s->plan.fitted_count; i++) {
        s->twin->spans_nodes = s->twin->spans_nodes || s->plan.fitted[i].nodes > 1;
    }
    if (s->twin->spans_nodes) {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "no message between two nodes was measured, or the timings do not tell that "
                      "it was: the network is found by collectives alone");
    } else {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "nothing was measured between two nodes: the network is not known, and the "
                      "twin has one node of each class");
    }
}

static isocast_status fit_messages(search *s) {
    const campaign_twin_timings *timings = s->request->timings;
    campaign_twin *twin = s->twin;
    bool told = !isnan(timings->eager_limit);
    isocast_status status =
        fit_network_make(s->plan.messages, s->plan.message_count, timings->sigma,
                         told ? timings->eager_limit : INFINITY, &twin->network);
    if (status == ISOCAST_OK && !told) {
        double limit = fit_network_guess_limit(&twin->network);
        status = fit_network_make(s->plan.messages, s->plan.message_count, timings->sigma, limit,
                                  &twin->network);
    }
    if (status == ISOCAST_ARGUMENT) {
        return campaign_fail(s->request->listener, ISOCAST_ARGUMENT,
                             "the timings have no messages between two processes of several sizes: "
                             "a twin begins with these\n    hint: calibrate T_send and T_recv, or "
                             "import a ping-pong (IMB PingPong, OSU latency) with the others");
    }
    twin->spans_nodes = status == ISOCAST_OK && twin->network.has_between;
    if (status == ISOCAST_OK && !twin->network.has_between) {
        tell_no_wire(s);
    }
    if (status == ISOCAST_OK && !twin->network.has_within &&
        s->request->machine->classes[0].processors > 1) {
        campaign_tell(s->request->listener, CAMPAIGN_WARNING,
                      "no message within a node was measured: there it is taken to be as fast as "
                      "between nodes");
    }
    return status;
}

/* Messages between two processes, simulated, where the twin has such places. */
static isocast_status simulate_pairs(search *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->plan.pair_count; i++) {
        if (s->plan.pairs[i].count > 0) {
            count++;
        }
    }
    campaign_twin_place *first =
        count == 1 && s->plan.pairs[0].count == 0 ? &s->plan.pairs[1] : s->plan.pairs;
    return count > 0 ? simulate(s, first, count, true) : ISOCAST_OK;
}

/* With the scales that were found. Where time ends it, the choice stays. */
static isocast_status choose_again(search *s, double *least) {
    campaign_twin *twin = s->twin;
    const isocast_collectives chosen = twin->collectives;
    isocast_status status = choose_collectives(s, least);
    if (status == ISOCAST_PROGRAM) {
        twin->collectives = chosen;
        twin->ended_early = true;
        s->status = ISOCAST_OK;
    }
    return may_go_on(status) ? ISOCAST_OK : status;
}

static isocast_status fit_collectives(search *s, double *scratch) {
    campaign_twin *twin = s->twin;
    double least = INFINITY;
    if (s->plan.fitted_count == 0) {
        return ISOCAST_OK;
    }
    isocast_status status = choose_collectives(s, &least);
    isocast_collectives chosen = twin->collectives;
    if (status == ISOCAST_OK) {
        twin->collectives = ISOCAST_COLLECTIVES_MPICH;
        status = simulate(s, s->plan.fitted, s->plan.fitted_count, true);
        note_errors(s, false, scratch);
        twin->collectives = chosen;
    }
    bool changed = true;
    for (int round = 0; round < ROUNDS && status == ISOCAST_OK && changed && least > cost_good;
         round++) {
        chosen = twin->collectives;
        status = search_scales(s, least);
        if (status == ISOCAST_OK && !twin->ended_early) {
            status = choose_again(s, &least);
        }
        changed = twin->collectives != chosen;
    }
    twin->searched = status == ISOCAST_OK;
    return status;
}

/* With what was found at last. Time for the search is over, that for the rest is not. */
static isocast_status compare(search *s, double *scratch, double *times) {
    s->probe.ends = s->started + s->request->budget;
    isocast_status status = simulate(s, s->plan.fitted, s->plan.fitted_count, true);
    if (status == ISOCAST_OK) {
        status = simulate_pairs(s);
    }
    if (status == ISOCAST_OK) {
        note_errors(s, true, scratch);
        campaign_tell_progress(s->request->listener, s->twin->evaluations, 0,
                               "simulating the most processes");
        isocast_status held = simulate(s, s->plan.held, s->plan.held_count, false);
        s->twin->held_simulated = held == ISOCAST_OK && s->plan.held_count > 0;
        status = may_go_on(held) ? ISOCAST_OK : held;
    }
    return status == ISOCAST_OK ? validate(s, scratch, times) : status;
}

isocast_status campaign_twin_make(const campaign_twin_request *request, campaign_twin *out) {
    search s = {.request = request, .twin = out, .started = campaign_clock()};
    out->scales = (fit_network_scales){.capacity = 1, .latency = 1, .memory = 1, .node = INFINITY};
    out->all = (campaign_twin_row){.before = NAN, .after = NAN, .twin = NAN, .formulas = NAN};
    s.probe = (campaign_twin_probe){.probe = request->probe,
                                    .version = request->version,
                                    .cache = request->cache,
                                    .listener = request->listener,
                                    .ends = s.started + share_of_search * request->budget};
    isocast_status status = campaign_twin_plan_make(request->machine, request->timings, &s.plan);
    size_t room = count_points(&s.plan);
    double *scratch = calloc(2 * room + 1, sizeof *scratch);
    if (status == ISOCAST_OK && scratch == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    s.most_on_node = 1;
    for (size_t i = 0; i < s.plan.fitted_count; i++) {
        s.most_on_node = fmax(s.most_on_node, s.plan.fitted[i].p_node);
    }
    if (status == ISOCAST_OK) {
        status = campaign_twin_probe_begin(&s.probe);
    }
    if (status == ISOCAST_OK) {
        status = fit_messages(&s);
    }
    if (status == ISOCAST_OK) {
        make_rows(s.plan.pairs, s.plan.pair_count, out);
        make_rows(s.plan.fitted, s.plan.fitted_count, out);
        make_rows(s.plan.held, s.plan.held_count, out);
        status = fit_collectives(&s, scratch);
    }
    if (status == ISOCAST_OK) {
        status = compare(&s, scratch, scratch + room);
    }
    if (status == ISOCAST_PROGRAM) {
        campaign_fail(request->listener, status,
                      "the simulations did not end, or not within the budget of %.3g s\n    hint: "
                      "give more --budget; what was simulated so far is not lost where there is a "
                      "cache",
                      request->budget);
    }
    out->launches = s.probe.count;
    out->cached = s.probe.cached;
    if (status == ISOCAST_OK) {
        const isocast_network network = network_of(out);
        twin_text_write(request, &network, out, &out->text);
        status = out->text.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    campaign_twin_plan_free(&s.plan);
    free(scratch);
    return status;
}

void campaign_twin_free(campaign_twin *twin) {
    isocast_buffer_free(&twin->text);
}

bool campaign_twin_is_better(const campaign_twin_row *row) {
    return row->twin < row->formulas;
}
