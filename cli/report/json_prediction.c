#include "json_prediction.h"

#include <math.h>

#include "cli/output/json_text.h"
#include "model/spec/bill.h"
#include "model/spec/rules.h"

json_t *cli_json_other_sizes(const isocast_algorithm *algorithm, const double *other_sizes) {
    json_t *object = json_object();
    for (size_t i = 1; other_sizes != NULL && i < algorithm->size_count; i++) {
        cli_json_set(&object, algorithm->sizes[i].name, cli_json_number(other_sizes[i - 1]));
    }
    return object;
}

static json_t *terms_object(const isocast_prediction *prediction,
                            const isocast_prediction_row *row) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    json_t *object = json_object();
    for (size_t i = 0; i < prediction->term_count; i++) {
        cli_json_set(&object, algorithm->overhead[i].name, cli_json_number(row->terms[i]));
    }
    return object;
}

/* The sizes next to N for which the algorithm's formulas hold, where they do not hold for all. */
static void set_valid(json_t **object, const isocast_model *model,
                      const isocast_prediction_row *row) {
    if (isocast_valid_excludes(isocast_model_valid(model)) ||
        isocast_rules_look_at_N(isocast_model_algorithm(model))) {
        const cli_json_entry numbers[] = {{"N_valid_below", row->valid_N.below},
                                          {"N_valid_above", row->valid_N.above}};
        cli_json_set_numbers(object, numbers, sizeof numbers / sizeof numbers[0]);
    }
}

/* What the metric holds and is read off, where that is not isospeed-efficiency. */
static void set_metric(json_t **object, const isocast_prediction *prediction,
                       const isocast_prediction_row *row) {
    const isocast_metric_row *metric = isocast_metric_row_of(prediction->metric);
    static const char *const origins[] = {
        [ISOCAST_REFERENCE_UNKNOWN] = "unknown",
        [ISOCAST_REFERENCE_DEFINITION] = "definition",
        [ISOCAST_REFERENCE_GIVEN] = "given",
        [ISOCAST_REFERENCE_MEASURED] = "measured",
    };
    if (prediction->measure == ISOCAST_SIZE_BY_REFERENCE) {
        const cli_json_entry numbers[] = {{"R_f", row->R_f}, {"system_size", row->size}};
        cli_json_set_numbers(object, numbers, 2);
        cli_json_set(object, "R_f_source", json_string(origins[row->reference_origin]));
    }
    if (metric->size == ISOCAST_SIZE_REFERENCE_FACTOR) {
        const cli_json_entry numbers[] = {{"R_f", row->R_f}, {metric->field, row->held}};
        cli_json_set_numbers(object, numbers, sizeof numbers / sizeof numbers[0]);
    }
    if (metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE) {
        const cli_json_entry numbers[] = {{"T_alone", row->T_alone}, {"L_e", row->latency}};
        cli_json_set_numbers(object, numbers, metric->reading == ISOCAST_READ_LATENCY ? 2 : 1);
    }
}

void cli_json_set_bill(json_t **object, const isocast_machine *machine,
                       const isocast_prediction_row *row, const char *cost) {
    if (isocast_machine_counts_nodes(machine)) {
        cli_json_set(object, "nodes", cli_json_number(row->nodes));
    }
    if (isocast_machine_has_bill(machine)) {
        const char *currency = isocast_currency_name(machine->purchase.currency);
        const cli_json_entry numbers[] = {{"price", row->price},
                                          {"power", row->power},
                                          {"energy", row->energy},
                                          {cost, row->cost}};
        cli_json_set_numbers(object, numbers, sizeof numbers / sizeof numbers[0]);
        cli_json_set(object, "currency", cli_json_string(currency[0] != '\0' ? currency : NULL));
    }
}

/* What the model says of a system at N, and how it relates to others; the base relates to none. */
static json_t *point_object(const isocast_prediction *prediction, const isocast_prediction_row *row,
                            bool is_base) {
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(row->system));
    const cli_json_entry point[] = {
        {"p", row->p},           {"C", row->C},           {"N", row->N},     {"N_low", row->N_low},
        {"N_high", row->N_high}, {"W", row->W},           {"T", row->T},     {"T_low", row->T_low},
        {"T_high", row->T_high}, {"T_c", row->T_c},       {"T_o", row->T_o}, {"E", row->E},
        {"E_low", row->E_low},   {"E_high", row->E_high}, {"S", row->S}};
    cli_json_set_numbers(&object, point, sizeof point / sizeof point[0]);
    set_valid(&object, prediction->model, row);
    set_metric(&object, prediction, row);
    const cli_json_entry relations[] = {{"psi", row->psi},
                                        {"psi_low", row->psi_low},
                                        {"psi_high", row->psi_high},
                                        {"psi_from_base", row->psi_from_base},
                                        {"psi_from_base_low", row->psi_from_base_low},
                                        {"psi_from_base_high", row->psi_from_base_high},
                                        {"speedup", row->speedup}};
    if (!is_base) {
        cli_json_set_numbers(&object, relations, sizeof relations / sizeof relations[0]);
    }
    const cli_json_entry bounds[] = {{"memory", row->memory},
                                     {"memory_limit", row->memory_limit},
                                     {"concurrency", row->concurrency},
                                     {"p_working", row->p_working}};
    cli_json_set_numbers(&object, bounds, sizeof bounds / sizeof bounds[0]);
    cli_json_set_bill(&object, isocast_model_machine(prediction->model), row, "cost");
    cli_json_set(&object, "terms", terms_object(prediction, row));
    cli_json_set(&object, "status", json_string(isocast_row_status_word(row->status)));
    cli_json_set(&object, "note", cli_json_string(row->note));
    return object;
}

static json_t *roots_array(const isocast_solution *solution) {
    json_t *array = json_array();
    for (size_t i = 0; i < solution->root_count; i++) {
        cli_json_append(&array, cli_json_number(solution->roots[i]));
    }
    return array;
}

/* The reasons of a status: the best attainable E, or every N that meets the target. */
static void set_reasons(json_t **object, const isocast_solution *solution) {
    if (solution->status == ISOCAST_ROW_UNREACHABLE) {
        json_t *best = json_object();
        const cli_json_entry numbers[] = {{"E", solution->best_E}, {"N", solution->best_N}};
        cli_json_set_numbers(&best, numbers, sizeof numbers / sizeof numbers[0]);
        cli_json_set(&best, "at_end_of_range", json_boolean(solution->best_at_end));
        cli_json_set(object, "best", best);
    }
    if (solution->status == ISOCAST_ROW_SEVERAL) {
        cli_json_set(object, "roots", roots_array(solution));
        cli_json_set(object, "more_roots", json_boolean(solution->more_roots));
    }
}

/* How far all solutions are known, and how far was searched. */
static void set_completeness(json_t **object, const isocast_solution *solution) {
    cli_json_set(object, "complete", json_boolean(solution->complete));
    cli_json_set(object, "complete_to", cli_json_number(solution->complete_to));
    cli_json_set(object, "N_end", cli_json_number(solution->N_end));
}

static json_t *row_object(const isocast_prediction *prediction, const isocast_prediction_row *row) {
    json_t *object = point_object(prediction, row, false);
    cli_json_set(&object, "ruled_by", cli_json_string(isocast_row_ruler(row)));
    cli_json_set(&object, "N_efficiency", cli_json_number(row->N_efficiency));
    cli_json_set(&object, "condition", cli_json_number(row->condition));
    if (!prediction->fixed_size) {
        set_completeness(&object, &row->solution);
        set_reasons(&object, &row->solution);
    }
    return object;
}

static json_t *rows_array(const isocast_prediction *prediction) {
    json_t *array = json_array();
    for (size_t i = 0; i < prediction->row_count; i++) {
        cli_json_append(&array, row_object(prediction, &prediction->rows[i]));
    }
    return array;
}

const char *cli_json_held(const isocast_prediction *prediction) {
    bool is_speed = isocast_metric_row_of(prediction->metric)->unit[0] != '\0';
    return prediction->fixed_size ? "size" : is_speed ? "speed" : "efficiency";
}

json_t *cli_json_prediction(const isocast_prediction *prediction, const double *other_sizes,
                            json_t *provenance) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    json_t *result = json_pack(
        "{s:s, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema",
        "isocast.prediction/1", "algorithm", cli_json_string(algorithm->name), "machine",
        cli_json_string(machine->name), "metric", isocast_metric_name(prediction->metric), "held",
        cli_json_held(prediction), "size", cli_json_string(algorithm->sizes[0].name), "other_sizes",
        cli_json_other_sizes(algorithm, other_sizes), "base",
        prediction->has_base ? point_object(prediction, &prediction->base, true) : json_null(),
        "target", cli_json_number(prediction->target), "level", cli_json_number(prediction->level),
        "sum_error", cli_json_number(prediction->sum_error), "rows", rows_array(prediction),
        "provenance", provenance);
    if (prediction->measure == ISOCAST_SIZE_BY_REFERENCE) {
        cli_json_set(&result, "system_size", json_string("reference"));
    }
    return result;
}
