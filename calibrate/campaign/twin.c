#include "twin.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "twin_formulas.h"
#include "twin_search.h"
#include "twin_text.h"

/* Of the budget, for all but the timings on the most processes. */
static const double share_of_search = 0.6;

/* A twin on its way. */
typedef struct making {
    campaign_twin_search search;
    campaign_twin_plan plan;
    campaign_twin_probe probe;
    double started; /* s of campaign_clock() */
} making;

/* Whether a failure is that of the platform that was tried, or of the time, and not of the search.
 */
static bool may_go_on(isocast_status status) {
    return status == ISOCAST_OK || status == ISOCAST_PROGRAM;
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
static void note_errors(making *s, bool after, double *scratch) {
    campaign_twin *twin = s->search.twin;
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

/* Errors on the most processes. */
typedef struct held_errors {
    errors twin, formulas;
} held_errors;

/* Gathers them at the points of an operation; times: of formulas at all points there. Where there
 * are formulas only points that both know count, so that the same points are compared. */
static void add_held_errors(const making *s, size_t operation, const double *times, bool both,
                            held_errors *out) {
    size_t index = 0;
    for (size_t i = 0; i < s->plan.held_count; i++) {
        for (size_t k = 0; k < s->plan.held[i].count; k++, index++) {
            const campaign_twin_point *point = &s->plan.held[i].points[k];
            bool of_it = operation == ISOCAST_KNOWN_OPERATIONS || point->operation == operation;
            bool simulated = !isnan(point->simulated);
            bool known = times[index] > 0;
            if (of_it && simulated && (known || !both)) {
                out->twin.values[out->twin.count++] = error_of(point->simulated, point->measured);
            }
            if (of_it && known && (simulated || !both)) {
                out->formulas.values[out->formulas.count++] =
                    error_of(times[index], point->measured);
            }
        }
    }
}

/* scratch: room for twice the points. */
static void validate_row(const making *s, size_t operation, const double *times, double *scratch,
                         size_t room, campaign_twin_row *row) {
    held_errors found = {{.values = scratch}, {.values = scratch + room}};
    add_held_errors(s, operation, times, true, &found);
    if (found.twin.count == 0) {
        add_held_errors(s, operation, times, false, &found);
    }
    row->held_points = found.twin.count;
    row->held_p = s->plan.held_count > 0 ? s->plan.held[s->plan.held_count - 1].p : NAN;
    row->twin = median_error(&found.twin);
    row->formulas = median_error(&found.formulas);
}

/* times: room for those of all points on the most processes; scratch: for twice all points. */
static isocast_status validate(making *s, double *scratch, size_t room, double *times) {
    campaign_twin *twin = s->search.twin;
    isocast_status status =
        campaign_twin_formulas_find(s->search.request->machine, s->search.request->timings,
                                    s->plan.fitted_p, s->plan.held, s->plan.held_count, times);
    for (size_t i = 0; i < twin->row_count && status == ISOCAST_OK; i++) {
        validate_row(s, twin->rows[i].operation, times, scratch, room, &twin->rows[i]);
    }
    if (status == ISOCAST_OK) {
        validate_row(s, ISOCAST_KNOWN_OPERATIONS, times, scratch, room, &twin->all);
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

/* Processes that shared a node which has fewer processors for them, or nodes of no known class. */
static void tell_left_out(const making *s) {
    const campaign_twin_request *request = s->search.request;
    if (s->plan.left_out > 0) {
        campaign_tell(request->listener, CAMPAIGN_WARNING,
                      "%zu of %zu timings are left out: no system of the machine file has so many "
                      "processes on so many nodes (%g processors on a node of %s)",
                      s->plan.left_out, request->timings->count,
                      request->machine->classes[0].processors, request->machine->classes[0].name);
    }
}

/* No message between two nodes was measured, or nobody knows where its processes were. */
static void tell_no_wire(const making *s) {
    const campaign_listener *listener = s->search.request->listener;
    for (size_t i = 0; i < s->plan.fitted_count; i++) {
        s->search.twin->spans_nodes = s->search.twin->spans_nodes || s->plan.fitted[i].nodes > 1;
    }
    if (s->search.twin->spans_nodes) {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "no message between two nodes was measured, or the timings do not state that "
                      "it was: the network is found by collectives alone");
    } else {
        campaign_tell(listener, CAMPAIGN_WARNING,
                      "nothing was measured between two nodes: the network is not known, and the "
                      "twin has one node of each class");
    }
}

static isocast_status fit_messages(making *s) {
    const campaign_twin_timings *timings = s->search.request->timings;
    campaign_twin *twin = s->search.twin;
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
        return campaign_fail(s->search.request->listener, ISOCAST_ARGUMENT,
                             "the timings have no messages between two processes of several sizes: "
                             "a twin begins with these\n    hint: calibrate T_send and T_recv, or "
                             "import a ping-pong (IMB PingPong, OSU latency) with the others");
    }
    twin->spans_nodes = status == ISOCAST_OK && twin->network.has_between;
    if (status == ISOCAST_OK && !twin->network.has_between) {
        tell_no_wire(s);
    }
    if (status == ISOCAST_OK && !twin->network.has_within &&
        s->search.request->machine->classes[0].processors > 1) {
        campaign_tell(s->search.request->listener, CAMPAIGN_WARNING,
                      "no message within a node was measured: there it is taken to be as fast as "
                      "between nodes");
    }
    return status;
}

/* Messages between two processes, simulated, where the twin has such places. */
static isocast_status simulate_pairs(making *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->plan.pair_count; i++) {
        if (s->plan.pairs[i].count > 0) {
            count++;
        }
    }
    campaign_twin_place *first =
        count == 1 && s->plan.pairs[0].count == 0 ? &s->plan.pairs[1] : s->plan.pairs;
    return count > 0 ? campaign_twin_simulate_now(&s->search, first, count, true) : ISOCAST_OK;
}

/* First with messages alone fitted, then with what is searched for. */
static isocast_status fit_collectives(making *s, double *scratch) {
    campaign_twin *twin = s->search.twin;
    if (s->plan.fitted_count == 0) {
        return ISOCAST_OK;
    }
    twin->collectives = ISOCAST_COLLECTIVES_MPICH;
    isocast_status status =
        campaign_twin_simulate_now(&s->search, s->plan.fitted, s->plan.fitted_count, true);
    if (status == ISOCAST_OK) {
        note_errors(s, false, scratch);
        status = campaign_twin_search_run(&s->search);
    }
    twin->searched = status == ISOCAST_OK;
    return status;
}

/* With what was found at last. Time for the search is over, that for the rest is not. */
static isocast_status compare(making *s, double *scratch, size_t room, double *times) {
    s->probe.ends = s->started + s->search.request->budget;
    isocast_status status =
        campaign_twin_simulate_now(&s->search, s->plan.fitted, s->plan.fitted_count, true);
    if (status == ISOCAST_OK) {
        status = simulate_pairs(s);
    }
    if (status == ISOCAST_OK) {
        note_errors(s, true, scratch);
        campaign_tell_progress(s->search.request->listener, s->search.twin->evaluations, 0,
                               "simulating the most processes");
        isocast_status held =
            campaign_twin_simulate_now(&s->search, s->plan.held, s->plan.held_count, false);
        s->search.twin->held_simulated = held == ISOCAST_OK && s->plan.held_count > 0;
        status = may_go_on(held) ? ISOCAST_OK : held;
    }
    return status == ISOCAST_OK ? validate(s, scratch, room, times) : status;
}

isocast_status campaign_twin_make(const campaign_twin_request *request, campaign_twin *out) {
    making s = {.started = campaign_clock()};
    s.search =
        (campaign_twin_search){.request = request, .twin = out, .plan = &s.plan, .probe = &s.probe};
    out->scales = (fit_network_scales){.capacity = 1, .latency = 1, .memory = 1, .node = INFINITY};
    out->all = (campaign_twin_row){.before = NAN, .after = NAN, .twin = NAN, .formulas = NAN};
    s.probe = (campaign_twin_probe){.probe = request->probe,
                                    .version = request->version,
                                    .cache = request->cache,
                                    .listener = request->listener,
                                    .ends = s.started + share_of_search * request->budget};
    isocast_status status = campaign_twin_plan_make(request->machine, request->timings, &s.plan);
    size_t room = count_points(&s.plan);
    double *scratch = calloc(3 * room + 1, sizeof *scratch);
    if (status == ISOCAST_OK && scratch == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK) {
        tell_left_out(&s);
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
        status = compare(&s, scratch, room, scratch + 2 * room);
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
        const isocast_network network = campaign_twin_network(out);
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
