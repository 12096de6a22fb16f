/* Up to a million numbers of processes are looked at one by one, which proves the choice. Beyond,
 * it is looked at numbers that are evenly spread in ln p, and then between the neighbours of the
 * best again and again, which proves nothing. */
#include "least_time.h"

#include <math.h>
#include <stdlib.h>

#include "concurrency.h"
#include "model/base/buffer.h"
#include "model/spec/rules.h"

enum {
    CHUNK = 256,         /* systems at a time */
    EVERY_ONE = 1000001, /* so many are looked at one by one: a million, and one that cannot work */
    SPREAD = 4096,       /* numbers of processes that are looked at where there are more */
    REFINED = 256,       /* between the neighbours of the best */
    POINTS = 97,         /* of T over p */
    ROUNDS_MAX = 64
};

/* Beyond a whole number that a double holds exactly there is no next one. */
static const double rounding = 1e-12;

/* What is known of the search so far. A candidate is reported by its p, or by its index in the
 * list. */
typedef struct search {
    const isocast_model *model;
    const isocast_choice_request *request;
    isocast_effort *effort;
    double best; /* p, or index; NAN: none yet */
    double best_p;
    double best_T;               /* s */
    isocast_choice_ruler reason; /* of all that were refused; ISOCAST_CHOICE_RULERS: they differ */
    bool refused;                /* one was */
    bool any_p;                  /* rules of p are not looked at */
    double looked;
} search;

/* Whether the algorithm's rules of systems hold on p processes. */
static isocast_status keeps_rules(const search *s, double p, bool *kept) {
    const isocast_rules_point point = {s->request->N, s->request->other_sizes, p};
    const char *broken = NULL;
    isocast_status status =
        s->any_p ? ISOCAST_OK
                 : isocast_rules_broken(isocast_model_algorithm(s->model), false, &point, &broken);
    *kept = broken == NULL;
    return status;
}

typedef struct candidate {
    double T, E, memory, concurrency;
} candidate;

/* ISOCAST_CHOICE_BY_TIME: nothing keeps it but its time. */
static isocast_choice_ruler obstacle(const search *s, const isocast_system *system,
                                     const candidate *c) {
    if (isocast_concurrency_is_short(c->concurrency, system->p)) {
        return ISOCAST_CHOICE_BY_CONCURRENCY;
    }
    if (c->memory > isocast_system_memory(system)) {
        return ISOCAST_CHOICE_BY_MEMORY;
    }
    if (!isfinite(c->T)) {
        return ISOCAST_CHOICE_BY_NO_VALUE;
    }
    return c->E < s->request->efficiency * (1 - rounding) ? ISOCAST_CHOICE_BY_EFFICIENCY
                                                          : ISOCAST_CHOICE_BY_TIME;
}

static bool is_better(const search *s, double p, double T) {
    if (isnan(s->best)) {
        return true;
    }
    if (s->request->goal == ISOCAST_CHOICE_MOST) {
        return p > s->best_p || (p == s->best_p && T < s->best_T);
    }
    return T < s->best_T || (T == s->best_T && p < s->best_p);
}

static isocast_status weigh(search *s, double name, const isocast_system *system,
                            const candidate *c) {
    bool kept = false;
    isocast_status status = keeps_rules(s, system->p, &kept);
    s->looked++;
    if (status != ISOCAST_OK || !kept) {
        return status;
    }
    isocast_choice_ruler ruler = obstacle(s, system, c);
    if (ruler != ISOCAST_CHOICE_BY_TIME) {
        s->reason = s->refused && s->reason != ruler ? ISOCAST_CHOICE_RULERS : ruler;
        s->refused = true;
    } else if (is_better(s, system->p, c->T)) {
        s->best = name;
        s->best_p = system->p;
        s->best_T = c->T;
    }
    return ISOCAST_OK;
}

/* Shapes: [count], at most CHUNK. */
static isocast_status evaluate(const search *s, const isocast_system *const *systems, size_t count,
                               candidate *out) {
    double N[CHUNK];
    double T[CHUNK];
    double E[CHUNK];
    double memory[CHUNK];
    double concurrency[CHUNK];
    for (size_t i = 0; i < count; i++) {
        N[i] = s->request->N;
    }
    isocast_model_points points = {.count = count,
                                   .N = N,
                                   .other_sizes = s->request->other_sizes,
                                   .systems = systems,
                                   .systems_stride = 1,
                                   .effort = s->effort};
    isocast_model_results results = {.T = T, .E = E, .memory = memory, .concurrency = concurrency};
    isocast_status status = isocast_model_evaluate(s->model, &points, &results);
    bool known = results.sum_error <= ISOCAST_SUM_ERROR_MAX;
    for (size_t i = 0; i < count; i++) {
        out[i] = (candidate){known ? T[i] : NAN, E[i], memory[i], concurrency[i]};
    }
    return status;
}

/* Systems of so many processes each, shape [count]; free with isocast_systems_free(). */
static isocast_status make_systems(const search *s, const double *p, size_t count,
                                   isocast_system ***out) {
    isocast_buffer text = {0};
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(&text, "%s%.0f", i > 0 ? "," : "", p[i]);
    }
    isocast_diagnostics none = {0};
    size_t made;
    isocast_status status = text.failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_systems_parse(isocast_model_machine(s->model),
                                                        isocast_model_algorithm(s->model)->kernel,
                                                        "processes", text.text, &none, out, &made);
    isocast_diagnostics_clear(&none);
    isocast_buffer_free(&text);
    return status;
}

/* Looks at numbers of processes, shape [count], at most CHUNK. */
static isocast_status look_at_chunk(search *s, const double *p, size_t count) {
    isocast_system **systems;
    candidate candidates[CHUNK];
    isocast_status status = make_systems(s, p, count, &systems);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = evaluate(s, (const isocast_system *const *)systems, count, candidates);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = weigh(s, p[i], systems[i], &candidates[i]);
    }
    isocast_systems_free(systems, count);
    return status;
}

/* Looks at numbers of processes from `from` to `to`, evenly spread in ln p or, where there are no
 * more of them, all. *spacing is the ratio of neighbours, or 0 where it was all. */
static isocast_status look_between(search *s, double from, double to, double numbers,
                                   double *spacing) {
    bool all = to - from < numbers;
    double step = log(to / from) / (numbers - 1);
    double last = all ? to - from + 1 : numbers;
    double p[CHUNK];
    isocast_status status = ISOCAST_OK;
    for (double k = 0; k < last && status == ISOCAST_OK && !isocast_effort_is_spent(s->effort);) {
        size_t count = 0;
        for (; count < CHUNK && k < last; k++) {
            p[count++] = all ? from + k : fmin(round(from * exp(step * k)), to);
        }
        status = look_at_chunk(s, p, count);
    }
    *spacing = all ? 0 : exp(step);
    return status;
}

/* More processes than can work on any system need not be looked at, but for one, for the reason. */
static isocast_status limit_counts(const search *s, double *most) {
    double one = 1;
    isocast_system **systems;
    isocast_status status = make_systems(s, &one, 1, &systems);
    if (status != ISOCAST_OK) {
        return status;
    }
    double working;
    status = isocast_concurrency_of_any_system(s->model, systems[0], s->request->other_sizes,
                                               s->request->N, s->effort, &working);
    isocast_systems_free(systems, 1);
    if (status == ISOCAST_OK) {
        *most = fmin(s->request->most, working + 1);
    }
    return status;
}

/* Of numbers of processes that were looked at whether they keep the rules or not, the best: its
 * neighbours that keep them take its place. `strict` is what was found before, with the rules. */
static isocast_status keep_to_rules(search *s, const search *strict, double most) {
    s->any_p = false;
    bool kept = true;
    isocast_status status = s->best_p > EVERY_ONE ? keeps_rules(s, s->best_p, &kept) : ISOCAST_OK;
    if (status != ISOCAST_OK || kept) {
        return status;
    }
    const isocast_rules_point point = {s->request->N, s->request->other_sizes, s->best_p};
    isocast_valid_pair next;
    status = isocast_rules_nearest_p(isocast_model_algorithm(s->model), &point, &next);
    s->best = strict->best;
    s->best_p = strict->best_p;
    s->best_T = strict->best_T;
    const double beside[] = {next.below, next.above};
    for (size_t k = 0; k < 2 && status == ISOCAST_OK; k++) {
        status = beside[k] <= most ? look_at_chunk(s, &beside[k], 1) : ISOCAST_OK;
    }
    return status;
}

static isocast_status look_at_counts(search *s, bool *complete) {
    double most;
    double spacing;
    isocast_status status = limit_counts(s, &most);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = look_between(s, 1, fmin(most, EVERY_ONE), EVERY_ONE, &spacing);
    *complete = most <= EVERY_ONE && !isocast_effort_is_spent(s->effort);
    if (status != ISOCAST_OK || most <= EVERY_ONE) {
        return status;
    }
    search strict = *s;
    s->any_p = true;
    status = look_between(s, EVERY_ONE, most, SPREAD, &spacing);
    for (int round = 0;
         round < ROUNDS_MAX && status == ISOCAST_OK && spacing > 0 && s->best_p > EVERY_ONE;
         round++) {
        status = look_between(s, fmax(floor(s->best_p / spacing), 1),
                              fmin(ceil(s->best_p * spacing), most), REFINED, &spacing);
    }
    return status == ISOCAST_OK ? keep_to_rules(s, &strict, most) : status;
}

static isocast_status look_at_list(search *s, bool *complete) {
    isocast_status status = ISOCAST_OK;
    size_t i = 0;
    while (i < s->request->system_count && status == ISOCAST_OK &&
           !isocast_effort_is_spent(s->effort)) {
        candidate candidates[CHUNK];
        size_t left = s->request->system_count - i;
        size_t count = left < CHUNK ? left : CHUNK;
        status = evaluate(s, s->request->systems + i, count, candidates);
        for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
            status = weigh(s, (double)(i + k), s->request->systems[i + k], &candidates[k]);
        }
        i += count;
    }
    *complete = i == s->request->system_count && !isocast_effort_is_spent(s->effort);
    return status;
}

/* The next system with more processes; NULL where there is none. */
static const isocast_system *next_of_list(const search *s) {
    const isocast_system *next = NULL;
    for (size_t i = 0; i < s->request->system_count; i++) {
        const isocast_system *system = s->request->systems[i];
        bool kept = false;
        bool is_next = system->p > s->best_p && (next == NULL || system->p < next->p);
        if (is_next && keeps_rules(s, system->p, &kept) == ISOCAST_OK && kept) {
            next = system;
        }
    }
    return next;
}

/* The next number of processes that keeps the rules; the next one where none is known. */
static isocast_status next_count(const search *s, double *next) {
    const isocast_rules_point point = {s->request->N, s->request->other_sizes, s->best_p + 1};
    isocast_valid_pair pair;
    *next = s->best_p + 1;
    if (isocast_model_algorithm(s->model)->rule_count == 0) {
        return ISOCAST_OK;
    }
    isocast_status status =
        isocast_rules_nearest_p(isocast_model_algorithm(s->model), &point, &pair);
    *next = status == ISOCAST_OK && !isnan(pair.above) ? pair.above : *next;
    return status;
}

/* Why it is not one process more. */
static isocast_status find_ruler(const search *s, isocast_choice_ruler *ruler) {
    bool of_list = s->request->system_count > 0;
    isocast_system **made = NULL;
    const isocast_system *next = of_list ? next_of_list(s) : NULL;
    double p = NAN;
    isocast_status status = of_list ? ISOCAST_OK : next_count(s, &p);
    if (status == ISOCAST_OK && !of_list && p <= s->request->most) {
        status = make_systems(s, &p, 1, &made);
        next = status == ISOCAST_OK ? made[0] : NULL;
    }
    *ruler = ISOCAST_CHOICE_BY_END;
    if (status == ISOCAST_OK && next != NULL) {
        candidate c;
        status = evaluate(s, &next, 1, &c);
        *ruler = obstacle(s, next, &c);
    }
    isocast_systems_free(made, made != NULL ? 1 : 0);
    return status;
}

/* Takes the next number of processes below, or else above, that fills its nodes in the place of
 * the one that was found, where T is as good there. */
static isocast_status fill_nodes(search *s, isocast_choice *choice) {
    double processors = isocast_model_machine(s->model)->classes[0].processors;
    double below = floor(s->best_p / processors) * processors;
    const double filling[] = {below, below + processors};
    bool asked = !choice->of_list && choice->goal == ISOCAST_CHOICE_LEAST_TIME;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < 2 && status == ISOCAST_OK && asked && below < s->best_p; k++) {
        search one = *s;
        one.best = NAN;
        if (filling[k] < 1 || filling[k] > s->request->most) {
            continue;
        }
        status = look_at_chunk(&one, &filling[k], 1);
        if (!isnan(one.best) && one.best_T <= s->best_T * (1 + ISOCAST_CHOICE_AS_GOOD)) {
            choice->least_p = s->best_p;
            choice->least_T = s->best_T;
            *s = one;
            asked = false;
            if (filling[k] > choice->least_p && status == ISOCAST_OK) {
                status = find_ruler(s, &choice->ruler);
            }
        }
    }
    return status;
}

/* The system that is chosen, at N, as a line of one row. */
static isocast_status show(const search *s, isocast_scaling **out) {
    bool of_list = s->request->system_count > 0;
    isocast_system **made = NULL;
    isocast_status status = of_list ? ISOCAST_OK : make_systems(s, &s->best, 1, &made);
    if (status != ISOCAST_OK) {
        return status;
    }
    const isocast_system *chosen = of_list ? s->request->systems[(size_t)s->best] : made[0];
    isocast_effort own = isocast_effort_of(1);
    isocast_scaling_request request = {.line = ISOCAST_LINE_SIZE,
                                       .level = s->request->N,
                                       .N = NAN,
                                       .other_sizes = s->request->other_sizes,
                                       .systems = &chosen,
                                       .system_count = 1,
                                       .effort = &own,
                                       .interval_level = s->request->interval_level};
    isocast_scaling *scaling = NULL;
    status = isocast_scale(s->model, &request, &scaling);
    if (status == ISOCAST_OK) {
        scaling->rows[0].scaled_speedup = NAN;
        *out = scaling;
    }
    isocast_systems_free(made, made != NULL ? 1 : 0);
    return status;
}

/* Why none is chosen, as the status and the note of a row. */
static isocast_row_status describe_none(const isocast_choice *choice, isocast_buffer *note) {
    switch (choice->ruler) {
    case ISOCAST_CHOICE_BY_EFFICIENCY:
        isocast_buffer_printf(note, "E is below %.6g with every number of processes",
                              choice->efficiency);
        return ISOCAST_ROW_UNREACHABLE;
    case ISOCAST_CHOICE_BY_CONCURRENCY:
        isocast_buffer_puts(note, "at this size no system has all of its processes at work");
        return ISOCAST_ROW_BEYOND_CONCURRENCY;
    case ISOCAST_CHOICE_BY_MEMORY:
        isocast_buffer_puts(note, "the problem does not fit into any of them");
        return ISOCAST_ROW_BEYOND_MEMORY;
    case ISOCAST_CHOICE_BY_RULES:
        isocast_buffer_puts(note, "each of them breaks a rule of the algorithm file");
        return ISOCAST_ROW_NOT_VALID;
    case ISOCAST_CHOICE_BY_NO_VALUE:
        isocast_buffer_puts(note, "the formulas have no time at this size");
        return ISOCAST_ROW_NOT_CONVERGED;
    default:
        isocast_buffer_puts(note, "none is left: some are below the limit of E, others have not "
                                  "the memory, or not all of their processes can work");
        return ISOCAST_ROW_UNREACHABLE;
    }
}

/* A row that stands for all that were looked at. */
static isocast_status show_none(const search *s, const isocast_choice *choice,
                                isocast_scaling **out) {
    isocast_buffer name = {0};
    isocast_buffer note = {0};
    isocast_row_status row_status = describe_none(choice, &note);
    if (choice->of_list) {
        isocast_buffer_printf(&name, "%zu systems", s->request->system_count);
    } else {
        isocast_buffer_printf(&name, "1..%.10g", choice->most);
    }
    isocast_scaling *scaling = NULL;
    isocast_status status = isocast_scaling_of_none(s->model, isocast_buffer_take(&name),
                                                    isocast_buffer_take(&note), &scaling);
    if (status == ISOCAST_OK) {
        scaling->level = choice->N;
        scaling->rows[0].p = choice->most;
        scaling->rows[0].status = row_status;
        *out = scaling;
    }
    return status;
}

/* T from one process to many times as many as were chosen. */
static isocast_status trace(const search *s, isocast_choice *choice) {
    static const double beyond = 64;
    double high = fmin(s->request->most, s->best_p * beyond);
    double p[POINTS];
    candidate candidates[POINTS];
    size_t count = 0;
    for (size_t k = 0; k < POINTS; k++) {
        double next = round(exp(log(high) * (double)k / (POINTS - 1)));
        if (count == 0 || next > p[count - 1]) {
            p[count++] = next;
        }
    }
    isocast_system **systems;
    isocast_status status = make_systems(s, p, count, &systems);
    if (status != ISOCAST_OK) {
        return status;
    }
    choice->points = calloc(count, sizeof *choice->points);
    status = choice->points == NULL
                 ? ISOCAST_NO_MEMORY
                 : evaluate(s, (const isocast_system *const *)systems, count, candidates);
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        const candidate *c = &candidates[k];
        if (isfinite(c->T) && !isocast_concurrency_is_short(c->concurrency, p[k])) {
            choice->points[choice->point_count++] = (isocast_choice_point){p[k], c->T, c->E};
        }
    }
    isocast_systems_free(systems, count);
    return status;
}

static bool request_is_valid(const isocast_model *model, const isocast_choice_request *request) {
    const isocast_size *size = &isocast_model_algorithm(model)->sizes[0];
    bool has_limit = !isnan(request->efficiency);
    bool counts = request->system_count == 0;
    return request->N >= size->min && request->N <= size->max &&
           (has_limit || request->goal != ISOCAST_CHOICE_MOST) &&
           (!has_limit || (request->efficiency > 0 && isfinite(request->efficiency))) &&
           (!counts || (request->most >= 1 && isocast_model_machine(model)->class_count == 1));
}

isocast_status isocast_choose(const isocast_model *model, const isocast_choice_request *request,
                              isocast_choice **out) {
    if (!request_is_valid(model, request)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_choice *choice = calloc(1, sizeof *choice);
    if (choice == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_effort own = isocast_effort_of(request->system_count);
    search s = {.model = model,
                .request = request,
                .effort = request->effort != NULL ? request->effort : &own,
                .best = NAN,
                .best_p = NAN,
                .best_T = NAN,
                .reason = ISOCAST_CHOICE_RULERS};
    choice->goal = request->goal;
    choice->least_p = choice->least_T = NAN;
    choice->efficiency = request->efficiency;
    choice->N = request->N;
    choice->of_list = request->system_count > 0;
    choice->most = choice->of_list ? 0 : request->most;
    for (size_t i = 0; i < request->system_count; i++) {
        choice->most = fmax(choice->most, request->systems[i]->p);
    }
    isocast_status status = choice->of_list ? look_at_list(&s, &choice->complete)
                                            : look_at_counts(&s, &choice->complete);
    choice->looked = s.looked;
    choice->found = !isnan(s.best);
    choice->ruler = s.refused ? s.reason : ISOCAST_CHOICE_BY_RULES;
    if (status == ISOCAST_OK && choice->found) {
        status = find_ruler(&s, &choice->ruler);
        status = status == ISOCAST_OK ? fill_nodes(&s, choice) : status;
        status = status == ISOCAST_OK ? show(&s, &choice->scaling) : status;
        status = status == ISOCAST_OK && !choice->of_list ? trace(&s, choice) : status;
    } else if (status == ISOCAST_OK) {
        status = show_none(&s, choice, &choice->scaling);
    }
    if (status != ISOCAST_OK) {
        isocast_choice_free(choice);
        return status;
    }
    *out = choice;
    return ISOCAST_OK;
}

void isocast_choice_free(isocast_choice *choice) {
    if (choice != NULL) {
        isocast_scaling_free(choice->scaling);
        free(choice->points);
        free(choice);
    }
}
