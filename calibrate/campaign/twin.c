#include "twin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_results.h"
#include "calibrate/samples/median.h"
#include "machine_result.h"
#include "recheck.h"
#include "twin_plan.h"
#include "twin_result.h"
#include "twin_search.h"

/* The fit of timings of another benchmark; false where the operation has none. */
static bool fit_one_operation(const observations *o, size_t operation, double p_most,
                              fit_result *out) {
    const fit_result_settings settings = {.draws = 2, .seed = 1, .p_most = p_most};
    for (size_t i = 0; i < o->operations.count; i++) {
        if (isocast_known_operation_index(o->operations.texts[i]) == operation) {
            return fit_result_make(o, (uint32_t)i, &settings, out) && out->timings.count > 0;
        }
    }
    return false;
}

/* Fills in the formulas' times of one operation. */
static void find_operation(const observations *o, size_t operation, double p_most,
                           campaign_twin_point *points, size_t count) {
    fit_result formula = {0};
    bool fitted = fit_one_operation(o, operation, p_most, &formula);
    for (size_t i = 0; i < count && fitted; i++) {
        if (points[i].operation == operation) {
            points[i].formula = fit_result_time(&formula, points[i].p, points[i].m);
        }
    }
    fit_result_free(&formula);
}

/* The samples of a calibration on no more than p_most processes. False where memory is short. */
static bool take_fewer(const samples *all, double p_most, samples *out) {
    *out = *all;
    out->environment = NULL;
    out->rows = malloc((all->count + 1) * sizeof *out->rows);
    out->count = 0;
    for (size_t i = 0; i < all->count && out->rows != NULL; i++) {
        if (all->rows[i].p <= p_most) {
            out->rows[out->count++] = all->rows[i];
        }
    }
    return out->rows != NULL;
}

/* The nodes of the machine, for a file of its operations. */
static size_t take_classes(const isocast_machine *machine, machine_file_class *out) {
    size_t count = 0;
    for (; count < machine->class_count && count < MACHINE_FILE_CLASSES_MAX; count++) {
        const isocast_node_class *class = &machine->classes[count];
        out[count] = (machine_file_class){.count = (long)class->count,
                                          .processors = (long)class->processors,
                                          .marked_speed = class->marked_speed};
        snprintf(out[count].name, sizeof out[count].name, "%s", class->name);
    }
    return count;
}

/* The machine that these samples make; *out stays where they make none. */
static isocast_status fit_machine(const isocast_machine *machine, const samples *fewer,
                                  isocast_machine **out) {
    fit fitted = {0};
    machine_file_class classes[MACHINE_FILE_CLASSES_MAX];
    const machine_file file = {.name = "fewer",
                               .date = "none",
                               .version = "none",
                               .command = "none",
                               .benchmark = "none",
                               .classes = classes,
                               .class_count = take_classes(machine, classes),
                               .processors = 1,
                               .marked_speed = machine->classes[0].marked_speed,
                               .t_c = NAN,
                               .memory_bandwidth = NAN,
                               .node_bandwidth = NAN,
                               .others = NAN,
                               .samples_file = "none",
                               .samples_sha256 = "none"};
    isocast_status status = fit_samples(fewer, NULL, &fitted);
    status = status == ISOCAST_OK ? campaign_machine_of(&file, &fitted, out) : status;
    fit_free(&fitted);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

static isocast_status find_times(const isocast_machine *machine, campaign_twin_point *points,
                                 size_t count) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        campaign_recheck_point at = {.name = isocast_known_operations[points[i].operation].name,
                                     .p = points[i].p,
                                     .system = points[i].system,
                                     .m = points[i].m,
                                     .predicted = NAN};
        status = campaign_recheck_predict(machine, &at, 1);
        points[i].formula = at.predicted;
    }
    return status;
}

static isocast_status find_by_samples(const isocast_machine *machine, const samples *all,
                                      double p_most, campaign_twin_point *points, size_t count) {
    samples fewer;
    isocast_machine *fitted = NULL;
    isocast_status status = take_fewer(all, p_most, &fewer) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = fit_machine(machine, &fewer, &fitted);
    }
    if (status == ISOCAST_OK && fitted != NULL) {
        status = find_times(fitted, points, count);
    }
    isocast_machine_free(fitted);
    free(fewer.rows);
    return status;
}

/* Fits timings on no more than p_most processes. The points (shape [count]) get the formulas'
 * times. Errors: NO_MEMORY. */
static isocast_status find_formulas(const isocast_machine *machine,
                                    const campaign_twin_timings *timings, double p_most,
                                    campaign_twin_point *points, size_t count) {
    if (timings->samples.count > 0) {
        return find_by_samples(machine, &timings->samples, p_most, points, count);
    }
    bool found[ISOCAST_KNOWN_OPERATIONS] = {false};
    for (size_t i = 0; i < count; i++) {
        const size_t operation = points[i].operation;
        if (!found[operation]) {
            find_operation(&timings->observations, operation, p_most, points, count);
        }
        found[operation] = true;
    }
    return ISOCAST_OK;
}

/* Of the budget, for all but the timings on the most processes. */
static const double share_of_search = 0.6;

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
    return e->count > 0 ? isocast_median(e->values, e->count) : NAN;
}

/* Errors of the twin, and of formulas. */
typedef struct both_errors {
    errors twin, formulas;
} both_errors;

/* Gathers them at the points (shape [count]) of an operation, or of all (ISOCAST_KNOWN_OPERATIONS).
 * `both`: only points that both know count, so that the same points are compared. */
static void add_errors(const campaign_twin_point *points, size_t count, size_t operation, bool both,
                       both_errors *out) {
    for (size_t i = 0; i < count; i++) {
        const campaign_twin_point *point = &points[i];
        bool of_it = operation == ISOCAST_KNOWN_OPERATIONS || point->operation == operation;
        bool simulated = !isnan(point->simulated);
        bool known = point->formula > 0;
        if (of_it && simulated && (known || !both)) {
            out->twin.values[out->twin.count++] = error_of(point->simulated, point->measured);
        }
        if (of_it && known && (simulated || !both)) {
            out->formulas.values[out->formulas.count++] = error_of(point->formula, point->measured);
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

/* Notes the errors of what is fitted, before or after collectives were. scratch: as below. */
static void note_errors(campaign_twin_search *s, bool after, double *scratch) {
    campaign_twin *twin = s->twin;
    for (size_t i = 0; i <= twin->row_count; i++) {
        campaign_twin_row *row = i < twin->row_count ? &twin->rows[i] : &twin->all;
        size_t operation = i < twin->row_count ? row->operation : ISOCAST_KNOWN_OPERATIONS;
        both_errors found = {{.values = scratch}, {.values = scratch + s->plan.count}};
        bool pairs = operation == ISOCAST_KNOWN_message;
        add_errors(pairs ? s->plan.pairs : s->plan.fitted,
                   pairs ? s->plan.pair_count : s->plan.fitted_count, operation, false, &found);
        row->points = found.twin.count;
        *(after ? &row->after : &row->before) = median_error(&found.twin);
    }
}

/* scratch: room for twice the points. */
static void validate_row(const campaign_twin_search *s, size_t operation, double *scratch,
                         campaign_twin_row *row) {
    const campaign_twin_plan *plan = &s->plan;
    both_errors found = {{.values = scratch}, {.values = scratch + plan->count}};
    add_errors(plan->held, plan->held_count, operation, true, &found);
    if (found.twin.count == 0) {
        add_errors(plan->held, plan->held_count, operation, false, &found);
    }
    row->held_points = found.twin.count;
    row->held_p = plan->held_count > 0 ? plan->held[plan->held_count - 1].p : NAN;
    row->twin = median_error(&found.twin);
    row->formulas = median_error(&found.formulas);
}

static isocast_status validate(campaign_twin_search *s, double *scratch) {
    campaign_twin *twin = s->twin;
    isocast_status status = find_formulas(s->request->machine, s->request->timings,
                                          s->plan.fitted_p, s->plan.held, s->plan.held_count);
    for (size_t i = 0; i < twin->row_count && status == ISOCAST_OK; i++) {
        validate_row(s, twin->rows[i].operation, scratch, &twin->rows[i]);
    }
    if (status == ISOCAST_OK) {
        validate_row(s, ISOCAST_KNOWN_OPERATIONS, scratch, &twin->all);
    }
    return status;
}

/* Processes that shared a node which has fewer processors for them, or nodes of no known class. */
static void report_left_out(const campaign_twin_search *s) {
    const campaign_twin_request *request = s->request;
    if (s->plan.left_out > 0) {
        campaign_report(
            request->listener, CAMPAIGN_WARNING,
            "%zu of %zu timings are left out: no system of the machine file has so many "
            "processes on so many nodes (%g processors on a node of %s)",
            s->plan.left_out, request->timings->count, request->machine->classes[0].processors,
            request->machine->classes[0].name);
    }
}

/* No message between two nodes was measured, or nobody knows where its processes were. */
static void report_no_wire(const campaign_twin_search *s) {
    const campaign_listener *listener = s->request->listener;
    for (size_t i = 0; i < s->plan.fitted_count; i++) {
        s->twin->spans_nodes = s->twin->spans_nodes || s->plan.fitted[i].nodes > 1;
    }
    if (s->twin->spans_nodes) {
        campaign_report(
            listener, CAMPAIGN_WARNING,
            "no message between two nodes was measured, or the timings do not state that "
            "it was: the network is found by collectives alone");
    } else {
        campaign_report(listener, CAMPAIGN_WARNING,
                        "nothing was measured between two nodes: the network is not known, and the "
                        "twin has one node of each class");
    }
}

static isocast_status fit_messages(campaign_twin_search *s) {
    const campaign_twin_timings *timings = s->request->timings;
    campaign_twin *twin = s->twin;
    bool reported = !isnan(timings->eager_limit);
    isocast_status status =
        fit_network_make(s->plan.messages, s->plan.message_count, timings->sigma,
                         reported ? timings->eager_limit : INFINITY, &twin->network);
    if (status == ISOCAST_OK && !reported) {
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
        report_no_wire(s);
    }
    if (status == ISOCAST_OK && !twin->network.has_within &&
        s->request->machine->classes[0].processors > 1) {
        campaign_report(s->request->listener, CAMPAIGN_WARNING,
                        "no message within a node was measured: there it is taken to be as fast as "
                        "between nodes");
    }
    return status;
}

/* First with messages alone fitted, then with what is searched for. */
static isocast_status fit_collectives(campaign_twin_search *s, double *scratch) {
    campaign_twin *twin = s->twin;
    if (s->plan.fitted_count == 0) {
        return ISOCAST_OK;
    }
    twin->collectives = ISOCAST_COLLECTIVES_MPICH;
    isocast_status status =
        campaign_twin_simulate_now(s, s->plan.fitted, s->plan.fitted_count, true);
    if (status == ISOCAST_OK) {
        note_errors(s, false, scratch);
        status = campaign_twin_search_run(s);
    }
    twin->searched = status == ISOCAST_OK;
    return status;
}

/* With what was found at last. Time for the search is over, that for the rest is not. */
static isocast_status compare(campaign_twin_search *s, double *scratch) {
    s->launches.until = s->launches.started + s->request->budget;
    isocast_status status =
        campaign_twin_simulate_now(s, s->plan.fitted, s->plan.fitted_count, true);
    if (status == ISOCAST_OK) {
        status = campaign_twin_simulate_now(s, s->plan.pairs, s->plan.pair_count, true);
    }
    if (status == ISOCAST_OK) {
        note_errors(s, true, scratch);
        campaign_report_progress(s->request->listener, s->twin->evaluations, 0,
                                 "simulating the most processes");
        isocast_status held =
            campaign_twin_simulate_now(s, s->plan.held, s->plan.held_count, false);
        s->twin->held_simulated = held == ISOCAST_OK && s->plan.held_count > 0;
        status = may_go_on(held) ? ISOCAST_OK : held;
    }
    return status == ISOCAST_OK ? validate(s, scratch) : status;
}

isocast_status campaign_twin_make(const campaign_twin_request *request, campaign_twin *out) {
    campaign_twin_search s = {.request = request,
                              .twin = out,
                              .launches = {.probe = request->probe,
                                           .cache = request->cache,
                                           .listener = request->listener,
                                           .budget = request->budget}};
    out->scales = (fit_network_scales){.capacity = 1, .latency = 1, .memory = 1, .node = INFINITY};
    out->all = (campaign_twin_row){.before = NAN, .after = NAN, .twin = NAN, .formulas = NAN};
    isocast_status status = campaign_twin_plan_make(request->machine, request->timings, &s.plan);
    double *scratch = calloc(2 * s.plan.count + 1, sizeof *scratch);
    if (status == ISOCAST_OK && scratch == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK) {
        report_left_out(&s);
        status = campaign_launches_begin(&s.launches);
        s.launches.until = s.launches.started + share_of_search * request->budget;
    }
    status = status == ISOCAST_OK ? fit_messages(&s) : status;
    for (size_t i = 0; i < s.plan.count && status == ISOCAST_OK; i++) {
        (void)row_of(out, s.plan.points[i].operation);
    }
    status = status == ISOCAST_OK ? fit_collectives(&s, scratch) : status;
    status = status == ISOCAST_OK ? compare(&s, scratch) : status;
    if (status == ISOCAST_PROGRAM) {
        campaign_fail(request->listener, status,
                      "the simulations did not end, or not within the budget of %.3g s\n    hint: "
                      "give more --budget; what was simulated so far is not lost where there is a "
                      "cache",
                      request->budget);
    }
    out->launches = s.launches.count;
    out->cached = s.launches.cached;
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
