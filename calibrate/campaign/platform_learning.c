#include "platform_learning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/concurrency.h"
#include "model/solve/sensitivity.h"
#include "model/spec/capacity.h"
#include "model/spec/machine_load.h"
#include "overlap.h"
#include "platform_ladder.h"
#include "platform_timings.h"
#include "simulation.h"

/* Where two neighbouring sizes have more of T than this each, what is between them matters. */
static const double share_least = 0.001;
/* Where a size has more than this, more time is spent on it. */
static const double share_raised = 0.01;
/* Systems of up to so many processes are simulated themselves, within this share of the budget; by
 * those are the times of others found, and by these what is between sizes. */
static const double small_most = 64;
static const double small_share = 0.6;
static const double ladder_share = 0.45;
static const double raised_share = 0.8;
static const double refined_share = 0.92;
/* Of the time, where a program is executed in the rest. */
static const double share_with_program = 0.6;
/* So many single sizes between two of all, of a command that asks for many N; then straight lines
 * between all sizes there have to do. */
enum { POINTS_MOST = 48 };
/* How often the answer is asked for again. */
enum { ROUNDS_MAX = 12, ROUNDS_WITH_PROGRAM = 30 };

struct campaign_platform_points {
    const campaign_learning *learning;
    const campaign_subject *subject;
    campaign_places places;
    campaign_launches launches;
    campaign_ladder ladder;
    campaign_overlap *overlap; /* NULL: no program is executed */
};

static void forget_model(campaign_subject *subject) {
    isocast_model_free(subject->model);
    isocast_machine_free(subject->machine);
    isocast_diagnostics_clear(&subject->diagnostics);
    subject->model = NULL;
    subject->machine = NULL;
}

void campaign_subject_free(campaign_subject *subject) {
    campaign_platform_points *points = subject->points;
    forget_model(subject);
    if (points != NULL) {
        campaign_places_free(&points->places);
        campaign_ladder_free(&points->ladder);
        campaign_overlap_free(points->overlap);
        free(points);
    }
    subject->points = NULL;
}

/* `like`: points by the same programs, with which the budget is shared; NULL: there are none. */
static isocast_status create_points(const campaign_learning *l, campaign_subject *subject,
                                    const campaign_platform_points *like) {
    campaign_platform_points *points = calloc(1, sizeof *points);
    subject->points = points;
    if (points == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    points->learning = l;
    points->subject = subject;
    points->places = (campaign_places){.platform = subject->platform, .version = l->version};
    points->launches = (campaign_launches){.probe = l->probe,
                                           .cache = l->cache,
                                           .listener = l->listener,
                                           .budget = l->budget,
                                           .places = &points->places};
    campaign_places_begin(&points->places);
    isocast_status status = ISOCAST_OK;
    if (like != NULL) {
        campaign_launches_begin_like(&points->launches, &like->launches);
    } else {
        status = campaign_launches_begin(&points->launches);
    }
    points->ladder = (campaign_ladder){
        .launches = &points->launches, .quick = l->quick, .kernel = subject->algorithm->kernel};
    status = status == ISOCAST_OK ? campaign_ladder_begin(&points->ladder) : status;
    if (status == ISOCAST_OK && subject->steps != NULL) {
        const campaign_overlap_request of_program = {.steps = subject->steps,
                                                     .simulated = l->schedule,
                                                     .quick = l->quick_schedule,
                                                     .launches = &points->launches};
        status = campaign_overlap_create(&of_program, &points->overlap);
    }
    return status;
}

/* The platform as a machine of what is known so far. `only`: its parameters are the times of one
 * system at the sizes of all; NULL: of all systems, which has none. `parameters`: lines of further
 * ones; NULL: none. */
static isocast_status read_machine(const campaign_platform_points *points,
                                   const campaign_place *only, const char *parameters,
                                   isocast_diagnostics *diagnostics, isocast_machine **out) {
    const campaign_learning *l = points->learning;
    const char *name = only != NULL ? "machine" : points->subject->name;
    isocast_buffer text = {0};
    isocast_machine *machine = NULL;
    campaign_places_write(&points->places, only, &text);
    if (parameters != NULL && parameters[0] != '\0') {
        isocast_buffer_printf(&text, "parameters:\n%s", parameters);
    }
    isocast_status status = text.failed ? ISOCAST_NO_MEMORY
                                        : isocast_machine_read_text(name, text.text, text.length,
                                                                    diagnostics, &machine);
    isocast_buffer_free(&text);
    if (status == ISOCAST_OK && l->dress != NULL) {
        status = l->dress(l->context, points->subject, machine);
    }
    if (status != ISOCAST_OK) {
        isocast_machine_free(machine);
        return status;
    }
    *out = machine;
    return ISOCAST_OK;
}

/* Makes a model of what is known so far. `parameters`: as above; `correction`: a term that uses
 * them; NULL: none. */
static isocast_status make_model(campaign_subject *subject, const char *parameters,
                                 const isocast_correction *correction) {
    forget_model(subject);
    isocast_status status =
        read_machine(subject->points, NULL, parameters, &subject->diagnostics, &subject->machine);
    return status == ISOCAST_OK
               ? isocast_model_create_corrected(subject->algorithm, subject->machine, correction,
                                                &subject->diagnostics, &subject->model)
               : status;
}

/* The same, with the term of the program where there is one. */
static isocast_status bind(campaign_subject *subject) {
    campaign_overlap *overlap = subject->points->overlap;
    isocast_buffer parameters = {0};
    isocast_buffer formula = {0};
    isocast_status status = make_model(subject, NULL, NULL);
    if (status == ISOCAST_OK && overlap != NULL) {
        status = campaign_overlap_write(overlap, subject->model, &parameters, &formula);
    }
    if (status == ISOCAST_OK && formula.length > 0) {
        const isocast_correction correction = {CAMPAIGN_OVERLAP_TERM, formula.text,
                                               CAMPAIGN_OVERLAP_PREFIX};
        campaign_places *places = &subject->points->places;
        for (size_t i = 0; i < places->count; i++) {
            campaign_place *at = &places->items[i];
            at->executed = campaign_overlap_is_known(overlap, at->system);
        }
        status = make_model(subject, parameters.text, &correction);
    }
    isocast_buffer_free(&parameters);
    isocast_buffer_free(&formula);
    return status;
}

/* Simulates on the systems themselves where these are small, as long as that leaves time for the
 * rest. */
static isocast_status simulate_small(campaign_platform_points *points, bool *news) {
    campaign_launches *launches = &points->launches;
    for (size_t i = 0; i < points->places.count; i++) {
        campaign_place *at = &points->places.items[i];
        double p = at->system->p;
        bool large = p > small_most || !campaign_memory_has_room(p);
        for (size_t k = 0; k < ISOCAST_KNOWN_OPERATIONS; k++) {
            campaign_curve *c = &at->curves[k];
            c->elsewhere = c->known ? c->elsewhere : large || c->left;
        }
    }
    launches->until = launches->started + small_share * launches->budget *
                                              (points->overlap != NULL ? share_with_program : 1);
    return campaign_launches_run(launches, news);
}

/* Simulates what was noted and is not known, or takes it from the cache. */
static isocast_status simulate(campaign_subject *subject, size_t left, bool *news) {
    (void)left;
    campaign_platform_points *points = subject->points;
    const double started = points->launches.started;
    const double budget =
        points->learning->budget * (points->overlap != NULL ? share_with_program : 1);
    const double raised = started + raised_share * budget;
    isocast_status status = simulate_small(points, news);
    /* What comes up later than at first has a half of what is left. */
    double half = (campaign_clock() + raised) / 2;
    const struct {
        isocast_status (*find)(campaign_ladder *ladder, double until, bool *news);
        double until;
    } parts[] = {{campaign_ladder_climb, fmax(started + ladder_share * budget, half)},
                 {campaign_ladder_raise, raised},
                 {campaign_ladder_refine, started + refined_share * budget}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == ISOCAST_OK; i++) {
        bool more = false;
        status = parts[i].find(&points->ladder, parts[i].until, &more);
        *news = *news || more;
    }
    return status == ISOCAST_OK && points->learning->timings != NULL
               ? campaign_timings_correct(points->learning->timings, &points->places)
               : status;
}

/* The place of a call: the system's, or that of its parts. */
static isocast_status find_place(campaign_platform_points *points, size_t whole,
                                 const isocast_called *call, const char *name, size_t *out) {
    const isocast_algorithm *algorithm = points->subject->algorithm;
    const isocast_system *system = points->places.items[whole].system;
    if (call->processes == system->p && call->share == system->p_node) {
        *out = whole;
        return ISOCAST_OK;
    }
    if (call->processes > system->p || !(call->share > 0)) {
        return campaign_fail(points->learning->listener, ISOCAST_ARGUMENT,
                             "%s calls %s on %g processes, %g on a node, where the system %s has "
                             "%.0f\n    hint: correct the call in the algorithm file",
                             algorithm->name, name, call->processes, call->share, system->name,
                             system->p);
    }
    return campaign_places_find_part(&points->places, whole, algorithm->kernel, call->processes,
                                     call->share, points->learning->listener, out);
}

/* "16x2", or "16" where there are 0 nodes; NULL where the platform has no such system, or several
 * classes. */
static isocast_status parse_system(const campaign_platform_points *points, double processes,
                                   double nodes, isocast_system **out) {
    const isocast_machine *hardware = points->subject->platform->hardware;
    char name[64];
    isocast_system *named = NULL;
    *out = NULL;
    if (hardware->class_count > 1) {
        return ISOCAST_OK;
    }
    snprintf(name, sizeof name, nodes > 0 ? "%.0fx%.0f" : "%.0f", processes, nodes);
    isocast_status status = isocast_system_named(hardware, points->subject->algorithm->kernel,
                                                 "system", name, NULL, &named);
    if (status == ISOCAST_OK && !named->beyond_machine) {
        *out = named;
    } else {
        isocast_system_free(named);
    }
    return isocast_status_is_of_system(status) ? status : ISOCAST_OK;
}

/* Wants an operation on the system that has timings of it, too. */
static isocast_status want_timed(campaign_platform_points *points, size_t whole, size_t operation) {
    const campaign_learning *l = points->learning;
    const isocast_system *system = points->places.items[whole].system;
    double nodes = l->timings != NULL ? campaign_timings_nodes(l->timings, operation, system) : 0;
    isocast_system *timed = NULL;
    size_t at = 0;
    if (nodes == 0 || nodes == system->nodes) {
        return ISOCAST_OK;
    }
    isocast_status status = parse_system(points, system->p_node, nodes, &timed);
    if (status == ISOCAST_OK && timed != NULL) {
        status = campaign_places_find(&points->places, timed, points->subject->algorithm->kernel,
                                      l->listener, &at);
    }
    if (status == ISOCAST_OK && timed != NULL) {
        points->places.items[at].curves[operation].wanted = true;
    }
    isocast_system_free(timed);
    return status;
}

/* Wants each operation that T leads to. */
static isocast_status want_operations(campaign_platform_points *points, const isocast_model *model,
                                      size_t whole, double N, const double *other_sizes) {
    const isocast_machine *machine = isocast_model_machine(model);
    const isocast_system *system = points->places.items[whole].system;
    isocast_called *calls = NULL;
    size_t count = 0;
    isocast_status status = isocast_model_called(model, system, N, other_sizes, &calls, &count);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        const char *name = machine->operations[calls[i].operation].name;
        size_t operation = isocast_known_operation_index(name);
        /* Who is alone sends nothing; who has no number of processes yet gets it with N. */
        if (operation == ISOCAST_KNOWN_OPERATIONS || !(calls[i].processes > 1)) {
            continue;
        }
        size_t at = 0;
        status = find_place(points, whole, &calls[i], name, &at);
        if (status == ISOCAST_OK) {
            points->places.items[at].curves[operation].wanted = true;
            status = at == whole ? want_timed(points, whole, operation) : ISOCAST_OK;
        }
    }
    free(calls);
    return status;
}

/* The times of an operation on a place, which are parameters of the machine that read_machine()
 * gives, and what T has of each. */
typedef struct shared_rows {
    const isocast_known_operation *known;
    double processes;               /* that the operation is for */
    const campaign_size_time *rows; /* [count], the last is the end of the straight line */
    const double *changes;          /* [count], d ln T/d ln time */
    size_t count;
} shared_rows;

/* What has no value may be anything. */
static bool has_share(const shared_rows *s, size_t i) {
    return !(fabs(s->changes[i]) <= share_least);
}

/* What T has of each second of a row's time, 1/s. */
static double weight_of(const shared_rows *s, size_t i) {
    return fabs(s->changes[i]) / s->rows[i].seconds;
}

/* Whether calls have sizes between the rows i and i + 1: a straight line takes from both ends. A
 * short time may have next to nothing of T beside a long one, but if times jump somewhere between
 * them it may be what the calls really take. */
static bool is_between(const shared_rows *s, size_t i) {
    if (i + 1 >= s->count || (has_share(s, i) && has_share(s, i + 1))) {
        return i + 1 < s->count;
    }
    double a = weight_of(s, i);
    double b = weight_of(s, i + 1);
    double jump = fabs(s->rows[i + 1].seconds - s->rows[i].seconds);
    return fmin(a, b) > campaign_size_near * fmax(a, b) && fmax(a, b) * jump > share_least;
}

static size_t cell_of(const campaign_curve *c, double m) {
    size_t k = 0;
    while (k + 2 < c->grid.count && m >= c->grid.rows[k + 1].m) {
        k++;
    }
    return k;
}

/* The size that calls between the rows i and i + 1 have on average, B; NAN where that is not known.
 * The nearer a size is to a row, the more it takes from it. */
static double mean_size(const shared_rows *s, size_t i) {
    double a = s->changes[i] / s->rows[i].seconds;
    double b = s->changes[i + 1] / s->rows[i + 1].seconds;
    double m = (a * s->rows[i].m + b * s->rows[i + 1].m) / (a + b);
    return m >= s->rows[i].m && m <= s->rows[i + 1].m ? round(m) : NAN;
}

/* Wants the one size that all calls between two rows have, if it is one; else all sizes there.
 * Beyond the sizes of all, where there is no such size, the last two rows state the line. */
static isocast_status want_between(const shared_rows *s, size_t i, campaign_curve *c) {
    bool beyond = s->rows[i].m >= c->grid.rows[c->grid.count - 1].m;
    size_t last = cell_of(c, s->rows[i].m);
    size_t k = beyond ? c->grid.count - 1 : last;
    double size = mean_size(s, i);
    bool spread = (i > 0 && is_between(s, i - 1)) || is_between(s, i + 1);
    size_t points = c->points[k].count + c->points_wanted[k].count;
    bool too_large =
        beyond && !campaign_operation_can_be_of(s->known, size, c->elsewhere ? 1 : s->processes);
    if (spread || isnan(size) || points >= POINTS_MOST || too_large) {
        c->cell_wanted[last] = true;
    } else if (!campaign_size_is_near(size, s->rows[i].m) &&
               !campaign_size_is_near(size, s->rows[i + 1].m)) {
        /* Also among sizes that were all looked for: times that jump hold at one size alone. */
        return campaign_size_times_insert(&c->points_wanted[k], size, 0) ? ISOCAST_OK
                                                                         : ISOCAST_NO_MEMORY;
    }
    return ISOCAST_OK;
}

/* The sizes of all round a row that T depends on. */
static void note_share(const shared_rows *s, size_t n, campaign_curve *c) {
    size_t k = 0;
    if (!(fabs(s->changes[n]) >= share_raised)) {
        return;
    }
    while (k + 1 < c->grid.count && c->grid.rows[k + 1].m <= s->rows[n].m) {
        k++;
    }
    c->matters[k] = true;
    if (k + 1 < c->grid.count && s->rows[n].m > c->grid.rows[k].m) {
        c->matters[k + 1] = true;
    }
}

/* `rows`: the times of an operation, whose parameters begin at `first`. */
static isocast_status want_of_operation(const isocast_machine *machine,
                                        const isocast_change *change, size_t first, shared_rows *s,
                                        campaign_curve *c) {
    double *changes = calloc(s->count, sizeof *changes);
    isocast_status status = changes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t n = 0; n < s->count && status == ISOCAST_OK; n++) {
        changes[n] = change->by_parameters[first + n] * machine->parameters[first + n].value;
    }
    s->changes = changes;
    for (size_t n = 0; n < s->count && status == ISOCAST_OK; n++) {
        note_share(s, n, c);
    }
    for (size_t n = 0; n + 1 < s->count && status == ISOCAST_OK; n++) {
        status = is_between(s, n) ? want_between(s, n, c) : ISOCAST_OK;
    }
    free(changes);
    return status;
}

static isocast_status want_by_change(const isocast_machine *machine, const isocast_change *change,
                                     campaign_place *at) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS && status == ISOCAST_OK; i++) {
        campaign_curve *c = &at->curves[i];
        shared_rows s = {.known = &isocast_known_operations[i],
                         .processes = campaign_place_processes(at)};
        campaign_size_times rows = {0};
        char name[CAMPAIGN_CURVE_NAME_MAX];
        campaign_curve_name(s.known, at, name);
        if (c->grid.count > 1) {
            status = campaign_curve_rows(c, false, &rows);
        }
        s.rows = rows.rows;
        s.count = rows.count;
        for (size_t k = 0; k < machine->operation_count && rows.count > 0; k++) {
            const isocast_operation *operation = &machine->operations[k];
            if (strcmp(operation->name, name) == 0 && operation->parameter_count == rows.count &&
                status == ISOCAST_OK) {
                status = want_of_operation(machine, change, operation->first_parameter, &s, c);
            }
        }
        campaign_size_times_free(&rows);
    }
    return status;
}

/* Wants the sizes that T at N depends on. */
static isocast_status want_sizes(campaign_platform_points *points, const isocast_system *system,
                                 double N, const double *other_sizes, const campaign_place *at) {
    isocast_diagnostics diagnostics = {0};
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    isocast_sensitivity found = {0};
    isocast_effort effort = isocast_effort_of(1);
    isocast_status status = read_machine(points, at, NULL, &diagnostics, &machine);
    if (status == ISOCAST_OK) {
        status = isocast_model_create(points->subject->algorithm, machine, &diagnostics, &model);
    }
    if (status == ISOCAST_OK) {
        isocast_sensitivity_request request = {.model = model,
                                               .system = system,
                                               .N = N,
                                               .other_sizes = other_sizes,
                                               .effort = &effort};
        status = isocast_sensitivity_find(&request, &found);
    }
    for (size_t i = 0; i < points->places.count && status == ISOCAST_OK; i++) {
        if (campaign_place_is_beside(&points->places.items[i], at)) {
            status = want_by_change(machine, &found.of_T, &points->places.items[i]);
        }
    }
    isocast_sensitivity_free(&found);
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

/* Whether all that is wanted of a system was simulated. */
static bool is_known(const campaign_platform_points *points, const campaign_place *of) {
    for (size_t k = 0; k < points->places.count; k++) {
        const campaign_place *at = &points->places.items[k];
        for (size_t i = 0; campaign_place_is_beside(at, of) && i < ISOCAST_KNOWN_OPERATIONS; i++) {
            if (at->curves[i].wanted && !at->curves[i].known) {
                return false;
            }
        }
    }
    return true;
}

static isocast_status need_system(campaign_platform_points *points, const isocast_model *model,
                                  const isocast_system *system, double N,
                                  const double *other_sizes) {
    size_t whole = 0;
    isocast_status status =
        campaign_places_find(&points->places, system, points->subject->algorithm->kernel,
                             points->learning->listener, &whole);
    if (status == ISOCAST_OK) {
        status = want_operations(points, model, whole, N, other_sizes);
    }
    if (status != ISOCAST_OK || !isfinite(N)) {
        return status;
    }
    const campaign_place *at = &points->places.items[whole];
    return is_known(points, at) ? want_sizes(points, system, N, other_sizes, at) : ISOCAST_OK;
}

/* The part of a system that can work at N, where it is not the whole and a number of processes
 * names it; NULL else. The caller owns it. */
static isocast_status find_working_part(const campaign_platform_points *points,
                                        const isocast_model *model, const isocast_system *system,
                                        double N, const double *other_sizes, isocast_system **out) {
    const isocast_machine *hardware = points->subject->platform->hardware;
    isocast_one_class part;
    double working = system->p;
    *out = NULL;
    if (!isfinite(N) || points->subject->algorithm->concurrency == NULL ||
        hardware->class_count > 1) {
        return ISOCAST_OK;
    }
    isocast_effort effort = isocast_effort_of(1);
    isocast_status status =
        isocast_concurrency_working_part(model, system, other_sizes, N, &effort, &part, &working);
    if (status != ISOCAST_OK || working < 2 || working >= system->p) {
        return status;
    }
    isocast_system *named = NULL;
    status = parse_system(points, working, 0, &named);
    if (named != NULL && named->nodes == part.system.nodes &&
        named->p_node_max == part.system.p_node_max) {
        *out = named;
        named = NULL;
    }
    isocast_system_free(named);
    return status;
}

isocast_status campaign_subject_need(const campaign_subject *subject, const isocast_system *system,
                                     double N, const double *other_sizes) {
    campaign_platform_points *points = subject->points;
    const isocast_model *model = subject->model;
    if (system->p < 2) {
        return ISOCAST_OK;
    }
    if (system->beyond_machine) {
        isocast_buffer why = {0};
        isocast_capacity_refuse(&why, system, points->subject->platform->hardware, "platform");
        isocast_status reported = campaign_fail(points->learning->listener, ISOCAST_ARGUMENT, "%s",
                                                why.text != NULL ? why.text : "");
        isocast_buffer_free(&why);
        return reported;
    }
    isocast_system *part = NULL;
    isocast_status status = find_working_part(points, model, system, N, other_sizes, &part);
    if (status == ISOCAST_OK) {
        status = need_system(points, model, part != NULL ? part : system, N, other_sizes);
    }
    if (status == ISOCAST_OK && points->overlap != NULL && isfinite(N)) {
        double working = part != NULL ? part->p : system->p;
        status = campaign_overlap_want(points->overlap, system, N, other_sizes, working);
    }
    isocast_system_free(part);
    return status;
}

static isocast_status begin(const campaign_learning *l, campaign_subject *subjects, size_t count) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        if (i == 0 || subjects[i].platform != subjects[i - 1].platform) {
            campaign_simulation_report_plain(subjects[i].platform, l->listener);
        }
        status = create_points(l, &subjects[i], i > 0 ? subjects[0].points : NULL);
        status = status == ISOCAST_OK ? bind(&subjects[i]) : status;
    }
    return status;
}

/* Who asks for many platforms is to know what that takes before it begins. */
static isocast_status report_missing(const campaign_learning *l, campaign_subject *subjects,
                                     size_t count) {
    size_t missing = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        size_t own = 0;
        status = campaign_launches_missing(&subjects[i].points->launches, &own);
        missing += own;
    }
    if (status == ISOCAST_OK && missing > 0) {
        campaign_report(l->listener, CAMPAIGN_NOTE,
                        "the answer needs at least %zu simulations, as it is for %zu pairs of an "
                        "algorithm and a platform; all of them together may take %g s (--budget)",
                        missing, count, l->budget);
    }
    return status;
}

/* Has every subject find out more by a step, and makes the models again where there was some. */
static isocast_status find_more(isocast_status (*step)(campaign_subject *subject, size_t left,
                                                       bool *news),
                                campaign_subject *subjects, size_t count, bool *news) {
    isocast_status status = ISOCAST_OK;
    *news = false;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        bool own = false;
        status = step(&subjects[i], count - i, &own);
        if (status == ISOCAST_OK && own) {
            status = bind(&subjects[i]);
        }
        *news = *news || own;
    }
    return status;
}

/* Asks what the answer needs of what is known so far. */
static isocast_status need(const campaign_learning *l, campaign_subject *subjects, size_t count,
                           bool first) {
    for (size_t i = 0; i < count; i++) {
        if (subjects[i].points->overlap != NULL) {
            campaign_overlap_begin(subjects[i].points->overlap);
        }
    }
    return l->need(l->context, first);
}

/* Executes the program where all that formulas need is known; `left` subjects share the time. */
static isocast_status execute(campaign_subject *subject, size_t left, bool *news) {
    const campaign_platform_points *points = subject->points;
    double now = campaign_clock();
    double seconds = fmax(points->launches.started + points->learning->budget - now, 0);
    return points->overlap != NULL ? campaign_overlap_execute(points->overlap, subject->model,
                                                              now + seconds / (double)left, news)
                                   : ISOCAST_OK;
}

/* What the results say of the program. Where memory is short, they say nothing. */
static void describe(const campaign_learning *l, campaign_subject *subjects, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_buffer said = {0};
        if (subjects[i].points->overlap != NULL) {
            campaign_overlap_describe(subjects[i].points->overlap, &said);
        } else if (subjects[i].not_executed != NULL) {
            isocast_buffer_printf(&said, "no schedule was executed: %s", subjects[i].not_executed);
        }
        subjects[i].machine->schedule = said.length > 0 ? isocast_buffer_take(&said) : NULL;
        if (subjects[i].machine->schedule != NULL) {
            campaign_report(l->listener, CAMPAIGN_NOTE, "overlap: %s",
                            subjects[i].machine->schedule);
        }
        isocast_buffer_free(&said);
    }
}

static void report_end(const campaign_learning *l, const campaign_subject *subjects, size_t count,
                       bool news) {
    size_t launches = 0;
    size_t cached = 0;
    for (size_t i = 0; i < count; i++) {
        const campaign_platform_points *points = subjects[i].points;
        const campaign_launches *all[] = {&points->launches, &points->ladder.engines[0],
                                          &points->ladder.engines[1]};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            launches += all[k]->count;
            cached += all[k]->cached;
        }
        if (points->overlap != NULL) {
            const campaign_program *program = campaign_overlap_program(points->overlap);
            launches += program->launches;
            cached += program->cached;
        }
        for (size_t k = 0; k < points->places.count; k++) {
            campaign_ladder_report(&points->places.items[k], l->listener);
            if (l->timings != NULL) {
                campaign_timings_report(&points->places.items[k], l->listener);
            }
        }
    }
    if (news) {
        campaign_report(
            l->listener, CAMPAIGN_WARNING,
            "the answer still moved to other sizes after many rounds of simulations; it "
            "may be less exact than usual");
    }
    campaign_report(l->listener, CAMPAIGN_NOTE,
                    "%zu simulations were run; %zu results came from the cache", launches, cached);
}

isocast_status campaign_platform_learn(const campaign_learning *learning,
                                       campaign_subject *subjects, size_t count) {
    isocast_status status = begin(learning, subjects, count);
    bool news = true;
    size_t most = ROUNDS_MAX;
    for (size_t i = 0; i < count; i++) {
        most = subjects[i].steps != NULL ? ROUNDS_WITH_PROGRAM : most;
    }
    for (size_t round = 0; news && round < most && status == ISOCAST_OK; round++) {
        status = need(learning, subjects, count, round == 0);
        if (status == ISOCAST_OK && round == 0 && count > 1) {
            status = report_missing(learning, subjects, count);
        }
        if (status == ISOCAST_OK) {
            status = find_more(simulate, subjects, count, &news);
        }
        if (status == ISOCAST_OK && !news && round > 0) {
            status = find_more(execute, subjects, count, &news);
        }
    }
    if (status == ISOCAST_OK) {
        describe(learning, subjects, count);
        report_end(learning, subjects, count, news);
    }
    return status;
}
