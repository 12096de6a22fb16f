#include "what_if.h"

#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "model/formula/block.h"
#include "model/solve/model.h"
#include "model/spec/bill.h"
#include "model/spec/marked_speed.h"
#include "model/spec/one_class.h"
#include "model/spec/rules.h"

/* What a page takes. */
enum { INSTRUCTIONS_MAX = 8000, ROWS_MAX = 64, ROWS_OF_ALL_SCALES = 12 };

/* Numbers of processes that a reader can choose, over those of the rows. */
static const double scales[] = {1 / 8.0, 1 / 6.0, 1 / 4.0, 1 / 3.0, 1 / 2.0, 2 / 3.0, 1,
                                1.5,     2,       3,       4,       6,       8};

static json_t *code_of(const isocast_block *block) {
    json_t *code = json_array();
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *c = &block->code[i];
        const unsigned all[] = {(unsigned)c->opcode, c->result,     c->operand[0],
                                c->operand[1],       c->operand[2], c->block};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            cli_json_append(&code, json_integer(all[k]));
        }
    }
    return code;
}

static json_t *block_of(const isocast_block *block) {
    json_t *constants = json_array();
    json_t *columns = json_array();
    json_t *imports = json_array();
    for (size_t i = 0; i < block->constant_count; i++) {
        cli_json_append(&constants, json_integer(block->constants[i].target));
        cli_json_append(&constants, cli_json_number(block->constants[i].value));
    }
    for (size_t i = 0; i < block->column_count; i++) {
        cli_json_append(&columns, json_integer(block->columns[i].target));
        cli_json_append(&columns, json_integer(block->columns[i].column));
    }
    for (size_t i = 0; i < block->import_count; i++) {
        cli_json_append(&imports, json_integer(block->imports[i].target));
        cli_json_append(&imports, json_integer(block->imports[i].outer));
    }
    json_t *object = json_object();
    cli_json_set(&object, "registers", json_integer(block->register_count));
    cli_json_set(&object, "result", json_integer(block->result));
    cli_json_set(&object, "constants", constants);
    cli_json_set(&object, "columns", columns);
    cli_json_set(&object, "imports", imports);
    cli_json_set(&object, "code", code_of(block));
    return object;
}

json_t *cli_what_if_program(const isocast_program *program) {
    static const char *const names[] = {
#define NAME(name, operands, family, value, by_a, by_b, bounds) #name,
        ISOCAST_OPCODE_LIST(NAME)
#undef NAME
            "SUM",
        "SUM_CLASS", "MAX_CLASS", "MIN_CLASS"};
    json_t *opcodes = json_array();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cli_json_append(&opcodes, json_string(names[i]));
    }
    json_t *blocks = json_array();
    for (size_t i = 0; i < program->block_count; i++) {
        cli_json_append(&blocks, block_of(&program->blocks[i]));
    }
    json_t *outputs = json_array();
    for (size_t i = 0; i < program->output_count; i++) {
        cli_json_append(&outputs, json_integer(program->outputs[i]));
    }
    json_t *object = json_object();
    cli_json_set(&object, "opcodes", opcodes);
    cli_json_set(&object, "blocks", blocks);
    cli_json_set(&object, "outputs", outputs);
    return object;
}

static size_t length_of(const isocast_program *program) {
    size_t length = 0;
    for (size_t i = 0; i < program->block_count; i++) {
        length += program->blocks[i].code_count + program->blocks[i].constant_count;
    }
    return length;
}

/* The rows of the class table, in its order. */
static json_t *classes_of(const isocast_system *system) {
    json_t *rows = json_array();
    for (size_t i = 0; i < ISOCAST_CLASS_ROWS; i++) {
        cli_json_append(&rows, cli_json_numbers(system->table.rows[i], system->count));
    }
    return rows;
}

/* What formulas and bills know of a system, and whether it keeps the algorithm's rules. C, C_j and,
 * where the machine file gives no R_f, R_f follow from the marked speeds of its classes, which a
 * reader can move. */
static json_t *system_of(const isocast_machine *machine, const isocast_system *system, bool valid) {
    isocast_bill bill = {.price = NAN, .power = NAN, .rate = NAN};
    isocast_one_class alone;
    if (isocast_machine_has_bill(machine) &&
        isocast_bill_of_system(machine, system, &bill) != ISOCAST_OK) {
        return NULL;
    }
    isocast_one_class_alone(machine, system, &alone);
    bool given = system->reference_origin == ISOCAST_REFERENCE_GIVEN ||
                 system->reference_origin == ISOCAST_REFERENCE_MEASURED;
    json_t *classes = json_array();
    for (size_t i = 0; i < system->count; i++) {
        cli_json_append(&classes, json_integer((json_int_t)system->classes[i]));
    }
    json_t *object = json_object();
    cli_json_set(&object, "name", cli_json_string(system->name));
    cli_json_set(&object, "valid", json_boolean(valid));
    cli_json_set(&object, "p", cli_json_number(system->p));
    cli_json_set(&object, "nodes", cli_json_number(system->nodes));
    cli_json_set(&object, "p_node", cli_json_number(system->p_node));
    cli_json_set(&object, "p_node_max", cli_json_number(system->p_node_max));
    cli_json_set(&object, "R_f", cli_json_number(given ? system->reference_factor : NAN));
    cli_json_set(&object, "memory", cli_json_number(isocast_system_memory(system)));
    cli_json_set(&object, "price", cli_json_number(bill.price));
    cli_json_set(&object, "power", cli_json_number(bill.power));
    cli_json_set(&object, "rate", cli_json_number(bill.rate));
    cli_json_set(&object, "class", classes);
    cli_json_set(&object, "table", classes_of(system));
    cli_json_set(&object, "alone", classes_of(&alone.system));
    return object;
}

/* The system with as many times the processes, and at least one of each part; *out is NULL where
 * there is none that the algorithm's rules allow. Errors: NO_MEMORY. */
static isocast_status scale_system(const isocast_prediction *prediction,
                                   const isocast_prediction_request *request,
                                   const isocast_system *system, double scale,
                                   isocast_system **out) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    isocast_buffer text = {0};
    for (size_t i = 0; i < system->count; i++) {
        double processes = system->table.rows[ISOCAST_CLASS_PROCESSES][i];
        isocast_buffer_puts(&text, i > 0 ? "+" : "");
        if (machine->class_count > 1) {
            isocast_buffer_printf(&text, "%s:", machine->classes[system->classes[i]].name);
        }
        if (system->placed[i]) {
            isocast_buffer_printf(&text, "%.0fx%.0f", system->each[i],
                                  fmax(1, round(scale * processes / system->each[i])));
        } else {
            isocast_buffer_printf(&text, "%.0f", fmax(1, round(scale * processes)));
        }
    }
    isocast_system *found = NULL;
    const char *broken = NULL;
    isocast_status status = text.failed ? ISOCAST_NO_MEMORY
                                        : isocast_system_named(machine, algorithm->kernel,
                                                               "what if", text.text, NULL, &found);
    isocast_buffer_free(&text);
    if (status == ISOCAST_OK) {
        isocast_system_size_by(found, prediction->measure);
        const isocast_rules_point point = {NAN, request->other_sizes, found->p};
        status = isocast_rules_broken(algorithm, false, &point, &broken);
    }
    if (status != ISOCAST_OK || broken != NULL) {
        isocast_system_free(found);
        found = NULL;
    }
    *out = found;
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* The rows' systems at a scale; json_null() where one has none; NULL where memory is short. */
static json_t *systems_at(const isocast_prediction *prediction,
                          const isocast_prediction_request *request, double scale) {
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    isocast_status status = ISOCAST_OK;
    json_t *rows = json_array();
    bool all = true;
    for (size_t i = 0; i < request->system_count && all && status == ISOCAST_OK; i++) {
        const isocast_system *given = request->systems[i];
        isocast_system *other = NULL;
        if (scale != 1) {
            status = scale_system(prediction, request, given, scale, &other);
        }
        const isocast_system *system = scale != 1 ? other : given;
        all = system != NULL;
        if (all) {
            bool valid = scale != 1 || prediction->rows[i].status != ISOCAST_ROW_NOT_VALID;
            cli_json_append(&rows, system_of(machine, system, valid));
        }
        isocast_system_free(other);
    }
    json_t *object = json_object();
    cli_json_set(&object, "scale", cli_json_number(scale));
    cli_json_set(&object, "rows", rows);
    if (!all || status != ISOCAST_OK) {
        json_decref(object);
        object = status == ISOCAST_OK ? json_null() : NULL;
    }
    return object;
}

static bool has_all_systems(const json_t *at, const json_t *before) {
    return json_is_object(at) && (before == NULL || !json_equal(json_object_get(at, "rows"),
                                                                json_object_get(before, "rows")));
}

static json_t *scales_of(const isocast_prediction *prediction,
                         const isocast_prediction_request *request) {
    json_t *all = json_array();
    bool few = request->system_count > ROWS_OF_ALL_SCALES;
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        double power = log2(scales[i]);
        if (few && power != floor(power)) {
            continue;
        }
        json_t *at = systems_at(prediction, request, scales[i]);
        const json_t *before = json_array_get(all, json_array_size(all) - 1);
        bool is_same = !has_all_systems(at, before);
        if (at != NULL && is_same && scales[i] != 1) {
            json_decref(at);
        } else if (is_same && before != NULL) {
            /* What is as at a smaller scale is what was asked for. */
            json_array_set_new(all, json_array_size(all) - 1, at);
        } else {
            cli_json_append(&all, at);
        }
    }
    return all;
}

static json_t *input_of(const char *kind, const char *name, double value, const char *unit) {
    json_t *object = json_object();
    cli_json_set(&object, "kind", json_string(kind));
    cli_json_set(&object, "name", cli_json_string(name));
    cli_json_set(&object, "value", cli_json_number(value));
    cli_json_set(&object, "unit", json_string(strcmp(unit, "1") == 0 ? "" : unit));
    return object;
}

/* Whether a parameter is a number of an operation's own, which the file does not name alone. */
static bool is_coefficient(const isocast_machine *machine, size_t parameter) {
    bool found = false;
    for (size_t i = 0; i < machine->operation_count + machine->compute_count; i++) {
        const isocast_operation *o = i < machine->operation_count
                                         ? &machine->operations[i]
                                         : &machine->compute[i - machine->operation_count];
        found = found || (parameter >= o->first_parameter &&
                          parameter < o->first_parameter + o->parameter_count);
    }
    return found;
}

/* The inputs of the program, column by column. */
static json_t *inputs_of(const isocast_model *model, const double *other_sizes) {
    static const char *const facts[ISOCAST_SYSTEM_COLUMNS] = {
        [ISOCAST_COLUMN_p] = "p",           [ISOCAST_COLUMN_C] = "C",
        [ISOCAST_COLUMN_C_j] = "C_j",       [ISOCAST_COLUMN_nodes] = "nodes",
        [ISOCAST_COLUMN_p_node] = "p_node", [ISOCAST_COLUMN_p_node_max] = "p_node_max"};
    static const char *const factors[ISOCAST_FACTORS] = {[ISOCAST_FACTOR_LATENCY] = "latency",
                                                         [ISOCAST_FACTOR_BANDWIDTH] = "bandwidth",
                                                         [ISOCAST_FACTOR_FLOP] = "time per flop"};
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    const isocast_machine *machine = isocast_model_machine(model);
    json_t *all = json_array();
    for (size_t i = 0; i < algorithm->size_count; i++) {
        cli_json_append(&all, input_of(i == 0 ? "N" : "size", algorithm->sizes[i].name,
                                       i == 0 ? NAN : other_sizes[i - 1], ""));
    }
    for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
        cli_json_append(&all, input_of("system", facts[i], NAN, ""));
    }
    for (size_t i = 0; i < machine->parameter_count; i++) {
        cli_json_append(&all,
                        input_of(is_coefficient(machine, i) ? "coefficient" : "parameter",
                                 machine->parameters[i].name, isocast_model_parameters(model)[i],
                                 isocast_dimension_text(machine->parameters[i].dimension).text));
    }
    for (size_t i = 0; i < ISOCAST_FACTORS; i++) {
        cli_json_append(&all, input_of("factor", factors[i], 1, ""));
    }
    return all;
}

/* Whether a formula reads a marked speed by its name, as a constant. */
static bool reads_speeds(const isocast_tree *tree) {
    return tree != NULL && strstr(tree->source->text, ".marked_speed") != NULL;
}

static json_t *speeds_of(const isocast_model *model) {
    const isocast_machine *machine = isocast_model_machine(model);
    json_t *all = json_array();
    bool are_constants =
        reads_speeds(machine->tree) || reads_speeds(isocast_model_algorithm(model)->tree);
    for (size_t i = 0; i < machine->class_count && !are_constants; i++) {
        cli_json_append(&all, cli_json_string(machine->classes[i].name));
    }
    return all;
}

static json_t *metric_of(isocast_metric metric) {
    static const char *const readings[] = {[ISOCAST_READ_WORK] = "work",
                                           [ISOCAST_READ_LATENCY] = "latency",
                                           [ISOCAST_READ_TIME] = "time",
                                           [ISOCAST_READ_FUNCTION] = "none"};
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    json_t *object = json_object();
    cli_json_set(&object, "of_work", json_boolean(row->numerator == ISOCAST_NUMERATOR_WORK));
    cli_json_set(&object, "by_speed", json_boolean(row->size == ISOCAST_SIZE_MARKED_SPEED));
    cli_json_set(&object, "reading", json_string(readings[row->reading]));
    cli_json_set(&object, "held", json_string(row->held));
    cli_json_set(&object, "unit", json_string(row->unit));
    return object;
}

static json_t *purchase_of(const isocast_purchase *purchase) {
    json_t *steps = json_array();
    for (size_t i = 0; i < purchase->step_count; i++) {
        const double step[] = {purchase->steps[i].nodes, purchase->steps[i].price,
                               purchase->steps[i].power};
        cli_json_append(&steps, cli_json_numbers(step, sizeof step / sizeof step[0]));
    }
    json_t *object = json_object();
    cli_json_set(&object, "base_price", cli_json_number(purchase->base_price));
    cli_json_set(&object, "base_power", cli_json_number(purchase->base_power));
    cli_json_set(&object, "steps", steps);
    cli_json_set(&object, "running_cost", cli_json_number(purchase->running_cost));
    cli_json_set(&object, "energy_price", cli_json_number(purchase->energy_price));
    cli_json_set(&object, "lifetime", cli_json_number(purchase->lifetime));
    cli_json_set(&object, "use", cli_json_number(purchase->use));
    return object;
}

/* The program of a model where a page has room for it; else *why is a text, or NULL where memory is
 * short. */
static isocast_status movable_of(const isocast_model *model, isocast_program **out, json_t **why) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_model_movable(model, &diagnostics, out);
    isocast_diagnostics_clear(&diagnostics);
    if (status == ISOCAST_OK && length_of(*out) > INSTRUCTIONS_MAX) {
        isocast_program_free(*out);
        status = ISOCAST_INVALID;
    }
    if (status == ISOCAST_INVALID) {
        *why = json_string("The formulas of this program and machine are too long to travel in a "
                           "page. The option --set computes with other numbers.");
    }
    return status;
}

/* What is computed, with which inputs. */
static json_t *formulas_of(const isocast_model *model, const isocast_program *program,
                           const double *other_sizes) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    const isocast_size *size = &algorithm->sizes[0];
    json_t *object = json_object();
    cli_json_set(&object, "program", cli_what_if_program(program));
    cli_json_set(&object, "inputs", inputs_of(model, other_sizes));
    cli_json_set(&object, "terms", json_integer((json_int_t)algorithm->overhead_count));
    cli_json_set(&object, "has_memory", json_boolean(algorithm->memory != NULL));
    cli_json_set(&object, "has_concurrency", json_boolean(algorithm->concurrency != NULL));
    cli_json_set(&object, "speeds", speeds_of(model));
    cli_json_set(&object, "least", cli_json_number(size->min));
    cli_json_set(&object, "most", cli_json_number(size->max));
    return object;
}

static json_t *document_of(const isocast_prediction *prediction,
                           const isocast_prediction_request *request,
                           const isocast_program *program) {
    const isocast_model *model = prediction->model;
    const isocast_machine *machine = isocast_model_machine(model);
    json_t *object = formulas_of(model, program, request->other_sizes);
    cli_json_set(&object, "by_reference",
                 json_boolean(prediction->measure == ISOCAST_SIZE_BY_REFERENCE));
    cli_json_set(&object, "metric", metric_of(prediction->metric));
    cli_json_set(&object, "N", cli_json_number(request->N));
    cli_json_set(&object, "target", cli_json_number(request->efficiency));
    cli_json_set(&object, "base",
                 request->base != NULL ? system_of(machine, request->base, true) : json_null());
    cli_json_set(&object, "scales", scales_of(prediction, request));
    cli_json_set(&object, "purchase", purchase_of(&machine->purchase));
    return object;
}

static json_t *class_of(const isocast_node_class *class, const char *program) {
    const double counts[] = {class->count, class->processors};
    const isocast_node_share full = isocast_node_class_share(class, class->processors);
    const isocast_node_share one = isocast_node_class_share(class, 1);
    const double shares[] = {full.memory, full.bandwidth, full.cache};
    const double alone[] = {one.memory, one.bandwidth, one.cache};
    const double amounts[] = {class->price, class->power, class->running_cost};
    json_t *object = json_object();
    cli_json_set(&object, "name", cli_json_string(class->name));
    cli_json_set(&object, "counts", cli_json_numbers(counts, 2));
    cli_json_set(&object, "speed", cli_json_number(isocast_marked_speed_of(class, program)));
    cli_json_set(&object, "shares", cli_json_numbers(shares, 3));
    cli_json_set(&object, "alone", cli_json_numbers(alone, 3));
    cli_json_set(&object, "amounts", cli_json_numbers(amounts, 3));
    return object;
}

/* An offer with its formulas; a text where these are too long. */
static json_t *offer_of(const isocast_offer *offer, const double *other_sizes) {
    json_t *why = NULL;
    isocast_program *program = NULL;
    isocast_status status = movable_of(offer->model, &program, &why);
    if (status != ISOCAST_OK) {
        return why;
    }
    json_t *classes = json_array();
    for (size_t i = 0; i < offer->priced->class_count; i++) {
        cli_json_append(&classes, class_of(&offer->priced->classes[i],
                                           isocast_model_algorithm(offer->model)->kernel));
    }
    json_t *object = formulas_of(offer->model, program, other_sizes);
    isocast_program_free(program);
    cli_json_set(&object, "by_reference", json_false());
    cli_json_set(&object, "metric", metric_of(ISOCAST_METRIC_ISOSPEED_E));
    cli_json_set(&object, "name", cli_json_string(offer->name));
    cli_json_set(&object, "classes", classes);
    cli_json_set(&object, "purchase", purchase_of(&offer->priced->purchase));
    return object;
}

json_t *cli_what_if_of_offers(const isocast_offers *offers) {
    static const char *const goals[] = {
        [ISOCAST_OFFER_PROBLEM] = "problem", [ISOCAST_OFFER_RUN] = NULL,
        [ISOCAST_OFFER_TIME] = "time",       [ISOCAST_OFFER_COST] = "cost",
        [ISOCAST_OFFER_ENERGY] = "energy",   [ISOCAST_OFFER_PROCESSES] = NULL};
    const isocast_offers_request *request = &offers->request;
    bool all = goals[request->goal] != NULL &&
               isocast_model_algorithm(offers->offers[0].model)->rule_count == 0;
    for (size_t i = 0; i < offers->count && all; i++) {
        all = offers->searches[i].all;
    }
    if (!all) {
        return json_string("A browser does not look through the mixes of this question: sliders "
                           "are there for the goals time, cost, energy and largest-problem, where "
                           "every mix inside the budget can be looked at.");
    }
    json_t *list = json_array();
    for (size_t i = 0; i < offers->count; i++) {
        json_t *offer = offer_of(&offers->offers[i], request->other_sizes);
        if (json_is_string(offer)) {
            json_decref(list);
            return offer;
        }
        cli_json_append(&list, offer);
    }
    json_t *object = json_object();
    cli_json_set(&object, "goal", json_string(goals[request->goal]));
    cli_json_set(&object, "N", cli_json_number(request->N));
    cli_json_set(&object, "efficiency", cli_json_number(request->efficiency));
    cli_json_set(&object, "deadline", cli_json_number(request->deadline));
    cli_json_set(&object, "budget", cli_json_number(request->budget));
    cli_json_set(&object, "whole_life", json_boolean(request->whole_life));
    cli_json_set(&object, "offers", list);
    return object;
}

json_t *cli_what_if_of(const cli_prediction_answer *answers, size_t count) {
    const isocast_prediction *prediction = answers[0].prediction;
    const isocast_prediction_request *request = &answers[0].question.request;
    if (count > 1) {
        return json_string("This page answers several questions at once. A page of one of them has "
                           "sliders here.");
    }
    if (request->system_count > ROWS_MAX) {
        return json_string("These are more systems than can be computed again while a slider "
                           "moves. A page of fewer has sliders here.");
    }
    json_t *found = NULL;
    isocast_program *program = NULL;
    if (movable_of(prediction->model, &program, &found) == ISOCAST_OK) {
        found = document_of(prediction, request, program);
        isocast_program_free(program);
    }
    return found;
}
