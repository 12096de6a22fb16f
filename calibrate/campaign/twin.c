#include "twin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/fit_results.h"
#include "calibrate/fit/machine_file.h"
#include "calibrate/samples/median.h"
#include "model/spec/machine_load.h"
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

/* Fills in the times of one operation. */
static void find_operation(const observations *o, size_t operation, double p_most,
                           const campaign_twin_place *places, size_t count, double *times) {
    fit_result formula = {0};
    bool fitted = fit_one_operation(o, operation, p_most, &formula);
    size_t index = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count; k++, index++) {
            if (fitted && places[i].points[k].operation == operation) {
                times[index] = fit_result_time(&formula, places[i].p, places[i].points[k].m);
            }
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

/* The machine file that these samples make; *out is NULL where they make none. */
static isocast_status fit_machine(const isocast_machine *machine, const samples *fewer,
                                  isocast_machine **out) {
    fit fitted = {0};
    *out = NULL;
    isocast_status status = fit_samples(fewer, NULL, &fitted);
    if (status != ISOCAST_OK) {
        fit_free(&fitted);
        return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
    }
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
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    machine_file_write(&file, &fitted, &text);
    fit_free(&fitted);
    status = text.failed
                 ? ISOCAST_NO_MEMORY
                 : isocast_machine_read_text("fewer", text.text, text.length, &diagnostics, out);
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

static isocast_status find_times(const isocast_machine *machine, const campaign_twin_place *places,
                                 size_t count, double *times) {
    isocast_status status = ISOCAST_OK;
    size_t index = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count && status == ISOCAST_OK; k++, index++) {
            const campaign_twin_point *point = &places[i].points[k];
            campaign_recheck_point at = {.name = isocast_known_operations[point->operation].name,
                                         .p = places[i].p,
                                         .system = places[i].system,
                                         .m = point->m,
                                         .predicted = NAN};
            status = campaign_recheck_predict(machine, &at, 1);
            times[index] = at.predicted;
        }
    }
    return status;
}

static isocast_status find_by_samples(const isocast_machine *machine, const samples *all,
                                      double p_most, const campaign_twin_place *places,
                                      size_t count, double *times) {
    samples fewer;
    isocast_machine *fitted = NULL;
    isocast_status status = take_fewer(all, p_most, &fewer) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = fit_machine(machine, &fewer, &fitted);
    }
    if (status == ISOCAST_OK && fitted != NULL) {
        status = find_times(fitted, places, count, times);
    }
    if (fitted != NULL) {
        isocast_machine_free(fitted);
    }
    free(fewer.rows);
    return status;
}

/* Fits timings on no more than p_most processes. times gets the time of each point of the places
 * (shape [count]), one place after the other, s; NAN where there is no formula. Errors: NO_MEMORY.
 */
static isocast_status find_formulas(const isocast_machine *machine,
                                    const campaign_twin_timings *timings, double p_most,
                                    const campaign_twin_place *places, size_t count,
                                    double *times) {
    size_t index = 0;
    bool wanted[ISOCAST_KNOWN_OPERATIONS] = {false};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count; k++) {
            times[index++] = NAN;
            wanted[places[i].points[k].operation] = true;
        }
    }
    if (timings->samples.count > 0) {
        return find_by_samples(machine, &timings->samples, p_most, places, count, times);
    }
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        if (wanted[i]) {
            find_operation(&timings->observations, i, p_most, places, count, times);
        }
    }
    return ISOCAST_OK;
}

/* Of the budget, for all but the timings on the most processes. */
static const double share_of_search = 0.6;

/* A twin on its way. */
typedef struct making {
    campaign_twin_search search;
    campaign_twin_plan plan;
    campaign_launches launches;
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
    return e->count > 0 ? isocast_median(e->values, e->count) : NAN;
}

/* Errors of the twin, and of formulas. */
typedef struct both_errors {
    errors twin, formulas;
} both_errors;

/* Gathers them at the points of an operation, or of all (ISOCAST_KNOWN_OPERATIONS), in places;
 * times: of formulas at all points there; NULL: there are none. `both`: only points that both know
 * count, so that the same points are compared. */
static void add_errors(const campaign_twin_place *places, size_t count, size_t operation,
                       const double *times, bool both, both_errors *out) {
    size_t index = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < places[i].count; k++, index++) {
            const campaign_twin_point *point = &places[i].points[k];
            bool of_it = operation == ISOCAST_KNOWN_OPERATIONS || point->operation == operation;
            bool simulated = !isnan(point->simulated);
            bool known = times != NULL && times[index] > 0;
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
        both_errors found = {.twin = {.values = scratch}};
        bool pairs = operation == ISOCAST_KNOWN_message;
        add_errors(pairs ? s->plan.pairs : s->plan.fitted,
                   pairs ? s->plan.pair_count : s->plan.fitted_count, operation, NULL, false,
                   &found);
        row->points = found.twin.count;
        *(after ? &row->after : &row->before) = median_error(&found.twin);
    }
}

/* scratch: room for twice the points. */
static void validate_row(const making *s, size_t operation, const double *times, double *scratch,
                         size_t room, campaign_twin_row *row) {
    both_errors found = {{.values = scratch}, {.values = scratch + room}};
    add_errors(s->plan.held, s->plan.held_count, operation, times, true, &found);
    if (found.twin.count == 0) {
        add_errors(s->plan.held, s->plan.held_count, operation, times, false, &found);
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
        find_formulas(s->search.request->machine, s->search.request->timings, s->plan.fitted_p,
                      s->plan.held, s->plan.held_count, times);
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
static void report_left_out(const making *s) {
    const campaign_twin_request *request = s->search.request;
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
static void report_no_wire(const making *s) {
    const campaign_listener *listener = s->search.request->listener;
    for (size_t i = 0; i < s->plan.fitted_count; i++) {
        s->search.twin->spans_nodes = s->search.twin->spans_nodes || s->plan.fitted[i].nodes > 1;
    }
    if (s->search.twin->spans_nodes) {
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

static isocast_status fit_messages(making *s) {
    const campaign_twin_timings *timings = s->search.request->timings;
    campaign_twin *twin = s->search.twin;
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
        return campaign_fail(s->search.request->listener, ISOCAST_ARGUMENT,
                             "the timings have no messages between two processes of several sizes: "
                             "a twin begins with these\n    hint: calibrate T_send and T_recv, or "
                             "import a ping-pong (IMB PingPong, OSU latency) with the others");
    }
    twin->spans_nodes = status == ISOCAST_OK && twin->network.has_between;
    if (status == ISOCAST_OK && !twin->network.has_between) {
        report_no_wire(s);
    }
    if (status == ISOCAST_OK && !twin->network.has_within &&
        s->search.request->machine->classes[0].processors > 1) {
        campaign_report(s->search.request->listener, CAMPAIGN_WARNING,
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
    s->launches.until = s->started + s->search.request->budget;
    isocast_status status =
        campaign_twin_simulate_now(&s->search, s->plan.fitted, s->plan.fitted_count, true);
    if (status == ISOCAST_OK) {
        status = simulate_pairs(s);
    }
    if (status == ISOCAST_OK) {
        note_errors(s, true, scratch);
        campaign_report_progress(s->search.request->listener, s->search.twin->evaluations, 0,
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
    s.search = (campaign_twin_search){
        .request = request, .twin = out, .plan = &s.plan, .launches = &s.launches};
    out->scales = (fit_network_scales){.capacity = 1, .latency = 1, .memory = 1, .node = INFINITY};
    out->all = (campaign_twin_row){.before = NAN, .after = NAN, .twin = NAN, .formulas = NAN};
    s.launches = (campaign_launches){.probe = request->probe,
                                     .cache = request->cache,
                                     .listener = request->listener,
                                     .budget = request->budget,
                                     .until = s.started + share_of_search * request->budget};
    isocast_status status = campaign_twin_plan_make(request->machine, request->timings, &s.plan);
    size_t room = count_points(&s.plan);
    double *scratch = calloc(3 * room + 1, sizeof *scratch);
    if (status == ISOCAST_OK && scratch == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK) {
        report_left_out(&s);
        status = campaign_launches_begin(&s.launches);
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
