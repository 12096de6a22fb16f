#include <math.h>

#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "report_growth.h"

static json_t *order_object(const isocast_growth_order *order) {
    if (isnan(order->p)) {
        return json_null();
    }
    json_t *object = json_object();
    cli_json_set(&object, "p", cli_json_number(isocast_growth_exponent(order->p)));
    cli_json_set(&object, "log_p", cli_json_number(isocast_growth_exponent(order->log_p)));
    cli_json_set(&object, "log_log_p", cli_json_number(isocast_growth_exponent(order->log_log_p)));
    return object;
}

static json_t *truth_of(isocast_growth_truth truth) {
    return truth == ISOCAST_GROWTH_NOT_CERTAIN ? json_null()
                                               : json_boolean(truth == ISOCAST_GROWTH_YES);
}

static json_t *text_of(const isocast_growth_part *part,
                       void (*put)(const isocast_growth_part *part, isocast_buffer *out)) {
    isocast_buffer text = {0};
    put(part, &text);
    json_t *value = text.failed ? NULL : cli_json_string(text.text);
    isocast_buffer_free(&text);
    return value;
}

static void put_order(const isocast_growth_part *part, isocast_buffer *out) {
    if (part->verdict == ISOCAST_GROWTH_PROVED) {
        isocast_growth_order_put(&part->W, out);
    }
}

static json_t *part_object(const char *name, const char *kind, const isocast_growth_part *part) {
    json_t *object = json_object();
    cli_json_set(&object, "part", cli_json_string(name));
    cli_json_set(&object, "kind", json_string(kind));
    cli_json_set(&object, "verdict", json_string(isocast_growth_verdict_word(part->verdict)));
    cli_json_set(&object, "order", text_of(part, put_order));
    cli_json_set(&object, "W", order_object(&part->W));
    cli_json_set(&object, "N", order_object(&part->N));
    cli_json_set(&object, "depends_on_E", json_boolean(part->depends_on_E));
    cli_json_set(&object, "law", text_of(part, isocast_growth_law_put));
    cli_json_set(&object, "held_at_bound", truth_of(part->at_bound));
    cli_json_set(&object, "falls_later", truth_of(part->falls_later));
    cli_json_set(&object, "lost_at_W", order_object(&part->lost));
    cli_json_set(&object, "reason", cli_json_string(part->reason));
    return object;
}

static json_t *parts_array(const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    const isocast_algorithm *algorithm = isocast_model_algorithm(e->prediction->model);
    json_t *array = json_array();
    for (size_t i = 0; i < growth->term_count; i++) {
        cli_json_append(&array,
                        part_object(algorithm->overhead[i].name, "overhead", &growth->terms[i]));
    }
    cli_json_append(&array, part_object("idle", "computation", &growth->idle));
    cli_json_append(&array, part_object("processes", "bound", &growth->processes));
    if (growth->has_concurrency) {
        cli_json_append(&array, part_object("concurrency", "bound", &growth->concurrency));
    }
    return array;
}

static json_t *rows_array(const isocast_isoefficiency *e) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(e->prediction->model);
    json_t *array = json_array();
    for (size_t k = 0; k < e->prediction->row_count; k++) {
        const isocast_prediction_row *row = &e->prediction->rows[k];
        const isocast_isoefficiency_row *own = &e->rows[k];
        json_t *object = json_object();
        cli_json_set(&object, "system", cli_json_string(row->system));
        const cli_json_entry numbers[] = {{"p", row->p},
                                          {"C", row->C},
                                          {"N", row->N},
                                          {"W", row->W},
                                          {"T", row->T},
                                          {"E", row->E},
                                          {"ideal", own->ideal},
                                          {"cost", own->cost},
                                          {"overhead", own->overhead},
                                          {"idle", own->idle},
                                          {"exponent", own->exponent}};
        cli_json_set_numbers(&object, numbers, sizeof numbers / sizeof numbers[0]);
        json_t *terms = json_object();
        for (size_t i = 0; i < e->prediction->term_count; i++) {
            cli_json_set(&terms, algorithm->overhead[i].name, cli_json_number(own->terms[i]));
        }
        cli_json_set(&object, "terms", terms);
        cli_json_set(&object, "status", json_string(isocast_row_status_word(row->status)));
        cli_json_set(&object, "note", cli_json_string(row->note));
        cli_json_append(&array, object);
    }
    return array;
}

/* The name of the part that rules the order, as among the parts; null where none does alone. */
static json_t *ruler_of(const isocast_isoefficiency *e) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(e->prediction->model);
    size_t terms = e->growth->term_count;
    return e->ruler < terms        ? cli_json_string(algorithm->overhead[e->ruler].name)
           : e->ruler == terms     ? json_string("idle")
           : e->ruler == terms + 1 ? json_string("bound")
                                   : json_null();
}

json_t *cli_json_growth(const isocast_isoefficiency *e, const double *other_sizes,
                        json_t *provenance) {
    const isocast_prediction *prediction = e->prediction;
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    const isocast_question_premises *premises = &e->growth->premises;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}",
                     "schema", "isocast.growth/1", "algorithm", cli_json_string(algorithm->name),
                     "machine", cli_json_string(machine->name), "size",
                     cli_json_string(algorithm->sizes[0].name), "other_sizes",
                     cli_json_other_sizes(algorithm, other_sizes), "target",
                     cli_json_number(prediction->target), "K",
                     cli_json_number(isocast_growth_exponent(e->growth->K)), "growth",
                     part_object("all", "all", &e->growth->whole), "limit_of_E",
                     cli_json_number(e->growth->limit_of_E), "ruler", ruler_of(e), "rules_from_p",
                     cli_json_number(e->rules_from_p), "parts", parts_array(e), "rows",
                     rows_array(e), "provenance", provenance, "squares",
                     (int)(premises->squares || premises->cubes || premises->divisors));
}
