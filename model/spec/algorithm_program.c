#include "algorithm_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "definition.h"
#include "model/base/known_operation.h"
#include "model/schedule/times.h"
#include "rules.h"
#include "unknown_operations.h"

/* Columns behind the sizes. */
enum { COLUMN_p, COLUMN_C, COLUMN_C_j, COLUMN_nodes, COLUMN_p_node, COLUMN_p_node_max, COLUMNS };

struct isocast_algorithm_run {
    const isocast_algorithm *algorithm;
    isocast_scope scope;
    isocast_symbol *symbols;
    double *inputs; /* [sizes, COLUMNS] */
    isocast_schedule_run *steps;
};

static void add(isocast_algorithm_run *run, isocast_symbol symbol) {
    run->symbols[run->scope.count++] = symbol;
}

/* What the steps see of the algorithm: nothing that only a machine says. */
static isocast_status fill_scope(const isocast_algorithm *a, isocast_algorithm_run *run) {
    static const char *const columns[COLUMNS] = {"p", "C", "C_j", "nodes", "p_node", "p_node_max"};
    isocast_dimension speed = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                       isocast_dimension_of(ISOCAST_BASE_TIME));
    run->symbols = calloc(a->size_count + a->definition_count + a->requirement_count + COLUMNS + 1,
                          sizeof *run->symbols);
    run->inputs = calloc(a->size_count + COLUMNS, sizeof *run->inputs);
    if (run->symbols == NULL || run->inputs == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    run->scope.symbols = run->symbols;
    for (size_t i = 0; i < a->size_count; i++) {
        add(run,
            (isocast_symbol){.name = a->sizes[i].name, .kind = ISOCAST_SYMBOL_INPUT, .index = i});
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        bool is_speed = i == COLUMN_C || i == COLUMN_C_j;
        add(run, (isocast_symbol){.name = columns[i],
                                  .kind = ISOCAST_SYMBOL_INPUT,
                                  .dimension = is_speed ? speed : isocast_dimension_count,
                                  .index = a->size_count + i});
    }
    for (size_t i = 0; i < a->definition_count; i++) {
        add(run, (isocast_symbol){.name = a->definitions[i].name,
                                  .kind = ISOCAST_SYMBOL_FORMULA,
                                  .any_dimension = true,
                                  .formula = a->definitions[i].formula,
                                  .scope = &run->scope});
    }
    for (size_t i = 0; i < a->requirement_count; i++) {
        if (!isnan(a->requirements[i].fallback)) {
            add(run, (isocast_symbol){.name = a->requirements[i].name,
                                      .kind = ISOCAST_SYMBOL_CONSTANT,
                                      .dimension = a->requirements[i].dimension,
                                      .value = a->requirements[i].fallback});
        }
    }
    add(run, (isocast_symbol){.name = "W",
                              .kind = ISOCAST_SYMBOL_FORMULA,
                              .dimension = isocast_dimension_of(ISOCAST_BASE_FLOP),
                              .formula = a->work,
                              .scope = &run->scope});
    return ISOCAST_OK;
}

static isocast_status take_formula(isocast_algorithm *a, const char *label, const char *text,
                                   isocast_names declared, isocast_diagnostics *diagnostics,
                                   isocast_formula **out) {
    isocast_buffer name = {0};
    isocast_buffer_printf(&name, "%s, %s of program", a->tree->source->name, label);
    isocast_status status =
        name.failed ? ISOCAST_NO_MEMORY
                    : isocast_definition_parse(a, name.text, text, declared, diagnostics, out);
    isocast_buffer_free(&name);
    return status;
}

/* The times of the steps become T_c and the overhead. */
static isocast_status take_times(isocast_algorithm *a, const isocast_schedule_times *times,
                                 isocast_names declared, isocast_diagnostics *diagnostics) {
    isocast_status status =
        take_formula(a, "work", times->compute, declared, diagnostics, &a->compute);
    a->overhead = calloc(times->term_count + 1, sizeof *a->overhead);
    if (a->overhead == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < times->term_count && status == ISOCAST_OK; i++) {
        isocast_term *term = &a->overhead[a->overhead_count];
        term->name = strdup(times->terms[i].name);
        a->overhead_count++;
        status = term->name == NULL ? ISOCAST_NO_MEMORY
                                    : take_formula(a, term->name, times->terms[i].text, declared,
                                                   diagnostics, &term->formula);
    }
    return status;
}

static isocast_status make_times(isocast_algorithm *a, isocast_names declared,
                                 isocast_diagnostics *diagnostics) {
    isocast_algorithm_run run = {0};
    isocast_schedule_times times = {0};
    isocast_status status = fill_scope(a, &run);
    if (status == ISOCAST_OK) {
        status = isocast_schedule_times_find(a->program, &run.scope, diagnostics, &times);
    }
    if (status == ISOCAST_OK) {
        status = take_times(a, &times, declared, diagnostics);
    }
    isocast_schedule_times_free(&times);
    free(run.symbols);
    free(run.inputs);
    return status;
}

void isocast_algorithm_read_program(isocast_reader *reader, const isocast_tree_node *root,
                                    isocast_names declared, isocast_algorithm *algorithm) {
    static const char *const others[] = {"compute", "sequential"};
    bool own = isocast_tree_find(root, "overhead") != NULL;
    const isocast_tree_entry *entry = isocast_tree_find(root, "program");
    if (entry == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const isocast_tree_entry *other = isocast_tree_find(root, others[i]);
        if (other != NULL && !own) {
            isocast_reader_refuse(reader, other->key.span, "remove one of the two",
                                  "%s: and program: both say what takes time", others[i]);
        }
    }
    algorithm->program =
        isocast_schedule_read(reader, &entry->value, declared, isocast_name_reserved_hint);
    if (algorithm->program == NULL || reader->status != ISOCAST_OK || own) {
        return;
    }
    isocast_status status = make_times(algorithm, declared, reader->diagnostics);
    reader->status = status != ISOCAST_OK ? status : reader->status;
}

/* Whether the steps call an operation that the file has no time for. */
static bool is_open(const isocast_algorithm *a, const isocast_known_operation *known) {
    bool given = known->instead == NULL || !isocast_algorithm_calls(a, known->name);
    for (size_t i = 0; i < a->operation_count && !given; i++) {
        given = strcmp(a->operations[i].name, known->name) == 0;
    }
    return !given;
}

static isocast_status add_stand_in(isocast_algorithm *a, const isocast_known_operation *known,
                                   isocast_diagnostics *diagnostics) {
    static const char *const declared[] = {"p", "m"};
    isocast_term *terms = realloc(a->operations, (a->operation_count + 1) * sizeof *terms);
    a->operations = terms != NULL ? terms : a->operations;
    char *name = terms != NULL ? strdup(known->name) : NULL;
    if (name == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_term *term = &terms[a->operation_count++];
    *term = (isocast_term){.name = name};
    return isocast_definition_parse(a, known->name, known->instead, (isocast_names){declared, 2},
                                    diagnostics, &term->formula);
}

void isocast_algorithm_add_stand_ins(isocast_reader *reader, isocast_algorithm *algorithm) {
    algorithm->given_operation_count = algorithm->operation_count;
    /* What stands in may call what needs a stand-in itself. */
    bool added = algorithm->program != NULL;
    while (added && reader->status == ISOCAST_OK) {
        added = false;
        for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS && reader->status == ISOCAST_OK; i++) {
            if (is_open(algorithm, &isocast_known_operations[i])) {
                reader->status =
                    add_stand_in(algorithm, &isocast_known_operations[i], reader->diagnostics);
                added = true;
            }
        }
    }
}

isocast_status isocast_algorithm_run_create(const isocast_algorithm_run_request *request,
                                            isocast_diagnostics *diagnostics,
                                            isocast_algorithm_run **out) {
    const isocast_algorithm *a = request->algorithm;
    isocast_algorithm_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    run->algorithm = a;
    isocast_status status = fill_scope(a, run);
    if (status == ISOCAST_OK) {
        double *system = run->inputs + a->size_count;
        memcpy(run->inputs, request->sizes, a->size_count * sizeof *run->inputs);
        bool known = request->nodes > 0 && request->p_node > 0;
        system[COLUMN_p] = request->processes;
        for (int i = 0; i < request->processes; i++) {
            system[COLUMN_C] += request->speeds != NULL ? request->speeds[i] : 1;
        }
        system[COLUMN_C_j] = request->speeds != NULL ? request->speeds[0] : 1;
        system[COLUMN_nodes] = known ? request->nodes : 1;
        system[COLUMN_p_node] = known ? request->p_node : request->processes;
        system[COLUMN_p_node_max] = system[COLUMN_p_node];
        const isocast_schedule_request steps = {.schedule = a->program,
                                                .scope = &run->scope,
                                                .inputs = run->inputs,
                                                .input_count = a->size_count + COLUMNS,
                                                .processes = request->processes,
                                                .speeds = request->speeds,
                                                .most = request->most,
                                                .effort = request->effort};
        status = isocast_schedule_run_create(&steps, diagnostics, &run->steps);
    }
    if (status != ISOCAST_OK) {
        isocast_algorithm_run_free(run);
        return status;
    }
    *out = run;
    return ISOCAST_OK;
}

void isocast_algorithm_run_free(isocast_algorithm_run *run) {
    if (run != NULL) {
        isocast_schedule_run_free(run->steps);
        free(run->symbols);
        free(run->inputs);
        free(run);
    }
}

const isocast_schedule_run *isocast_algorithm_run_steps(const isocast_algorithm_run *run) {
    return run->steps;
}

/* The sizes of a rehearsal with p processes; false where the file is not valid for them. */
static isocast_status choose_sizes(const isocast_algorithm *a, double p, double *sizes,
                                   bool *valid) {
    static const double usual = 24;
    for (size_t i = 0; i < a->size_count; i++) {
        sizes[i] = i == 0 ? fmin(fmax(usual, ceil(a->sizes[i].min)), floor(a->sizes[i].max))
                          : ceil(a->sizes[i].min);
    }
    const char *broken = NULL;
    isocast_valid_pair nearest = {NAN, NAN};
    const isocast_rules_point point = {sizes[0], sizes + 1, p};
    isocast_status status = isocast_rules_broken(a, false, &point, &broken);
    bool some = isocast_rules_look_at_N(a) || isocast_valid_excludes(&a->sizes[0].valid);
    if (status == ISOCAST_OK && broken == NULL && some) {
        status = isocast_rules_nearest_N(a, &a->sizes[0].valid, &point, &nearest);
        sizes[0] = isnan(nearest.above) ? nearest.below : nearest.above;
    }
    *valid = broken == NULL && !isnan(sizes[0]);
    return status;
}

isocast_status isocast_algorithm_run_rehearse(const isocast_algorithm_run *run, double most,
                                              const isocast_rehearsal_watch *watch,
                                              isocast_diagnostics *diagnostics,
                                              isocast_rehearsal *out) {
    const isocast_algorithm *a = run->algorithm;
    double p = run->inputs[a->size_count + COLUMN_p];
    isocast_buffer setting = {0};
    isocast_buffer_printf(&setting, "%.0f process%s", p, p == 1 ? "" : "es");
    for (size_t i = 0; i < a->size_count; i++) {
        isocast_buffer_printf(&setting, "%s %s = %.10g", i + 1 < a->size_count ? "," : " and",
                              a->sizes[i].name, run->inputs[i]);
    }
    isocast_status status =
        setting.failed
            ? ISOCAST_NO_MEMORY
            : isocast_schedule_rehearse(run->steps, most, setting.text, watch, diagnostics, out);
    isocast_buffer_free(&setting);
    return status;
}

static isocast_status rehearse_at(const isocast_algorithm *a, int processes, double *sizes,
                                  isocast_effort *effort, isocast_diagnostics *diagnostics) {
    static const double actions_most = 20000;
    bool valid = false;
    isocast_algorithm_run *run = NULL;
    isocast_rehearsal counted;
    isocast_status status = choose_sizes(a, processes, sizes, &valid);
    if (status != ISOCAST_OK || !valid) {
        return status;
    }
    const isocast_algorithm_run_request request = {.algorithm = a,
                                                   .sizes = sizes,
                                                   .processes = processes,
                                                   .most = actions_most,
                                                   .effort = effort};
    status = isocast_algorithm_run_create(&request, diagnostics, &run);
    if (status == ISOCAST_OK) {
        status = isocast_algorithm_run_rehearse(run, actions_most, NULL, diagnostics, &counted);
    }
    isocast_algorithm_run_free(run);
    return status;
}

isocast_status isocast_algorithm_rehearse(const isocast_algorithm *algorithm,
                                          isocast_diagnostics *diagnostics) {
    /* One process alone last: what is wrong there is so with more as a rule, where it is clearer.
     */
    static const int processes[] = {2, 3, 4, 5, 6, 8, 9, 16, 1};
    isocast_effort effort = isocast_effort_of(0);
    double *sizes = calloc(algorithm->size_count + 1, sizeof *sizes);
    isocast_status status = sizes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; algorithm->program != NULL && status == ISOCAST_OK &&
                       i < sizeof processes / sizeof processes[0];
         i++) {
        status = rehearse_at(algorithm, processes[i], sizes, &effort, diagnostics);
    }
    free(sizes);
    return status;
}
