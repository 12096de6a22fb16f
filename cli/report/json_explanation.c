#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "report_explanation.h"

static json_t *systems_array(const isocast_prediction *prediction) {
    json_t *array = json_array();
    for (size_t i = 0; i < prediction->row_count; i++) {
        const isocast_prediction_row *row = &prediction->rows[i];
        json_t *object = json_object();
        cli_json_set(&object, "system", cli_json_string(row->system));
        cli_json_set(&object, "p", cli_json_number(row->p));
        cli_json_set(&object, "C", cli_json_number(row->C));
        cli_json_set(&object, "N", cli_json_number(row->N));
        cli_json_set(&object, "T", cli_json_number(row->T));
        cli_json_set(&object, "E", cli_json_number(row->E));
        cli_json_set(&object, "status", json_string(isocast_row_status_word(row->status)));
        cli_json_set(&object, "note", cli_json_string(row->note));
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *parts_array(const isocast_explanation *e) {
    json_t *array = json_array();
    for (size_t i = 0; i < e->part_count; i++) {
        const isocast_part *part = &e->parts[i];
        json_t *times = json_array();
        json_t *shares = json_array();
        for (size_t row = 0; row < e->prediction->row_count; row++) {
            cli_json_append(&times, cli_json_number(part->T[row]));
            cli_json_append(&shares, cli_json_number(part->T[row] / e->prediction->rows[row].T));
        }
        json_t *object = json_object();
        cli_json_set(&object, "part", cli_json_string(part->name));
        cli_json_set(&object, "T", times);
        cli_json_set(&object, "share", shares);
        cli_json_set(&object, "growth", cli_json_number(part->growth));
        cli_json_append(&array, object);
    }
    return array;
}

static const char *const driver_words[] = {[ISOCAST_DRIVER_PARAMETER] = "parameter",
                                           [ISOCAST_DRIVER_MARKED_SPEED] = "marked-speed",
                                           [ISOCAST_DRIVER_TERM] = "term",
                                           [ISOCAST_DRIVER_REFERENCE] = "reference-factor",
                                           [ISOCAST_DRIVER_MESSAGES] = "messages"};

static json_t *drivers_array(const isocast_explanation *e) {
    json_t *array = json_array();
    for (size_t i = 0; i < e->drivers.count; i++) {
        const isocast_driver *driver = &e->drivers.items[i];
        json_t *object = json_object();
        cli_json_set(&object, "driver", cli_json_string(driver->name));
        cli_json_set(&object, "meaning", cli_json_string(driver->meaning));
        cli_json_set(&object, "kind", json_string(driver_words[driver->kind]));
        cli_json_set(&object, "elasticity", cli_json_number(driver->elasticity));
        cli_json_append(&array, object);
    }
    return array;
}

/* What the drivers move, and where. */
static json_t *sensitivity_object(const isocast_explanation *e) {
    const isocast_prediction *prediction = e->prediction;
    bool solved = e->first < prediction->row_count;
    json_t *object = json_object();
    cli_json_set(&object, "of", json_string(prediction->fixed_size ? "T" : "N"));
    cli_json_set(&object, "system",
                 solved ? cli_json_string(prediction->rows[e->last].system) : json_null());
    cli_json_set(&object, "drivers", drivers_array(e));
    return object;
}

json_t *cli_json_explanation(const isocast_explanation *e, const double *other_sizes,
                             json_t *provenance) {
    const isocast_prediction *prediction = e->prediction;
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    json_t *result = json_pack(
        "{s:s, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema",
        "isocast.explanation/1", "algorithm", cli_json_string(algorithm->name), "machine",
        cli_json_string(machine->name), "metric", isocast_metric_name(prediction->metric), "held",
        cli_held_word(prediction), "size", cli_json_string(algorithm->sizes[0].name), "other_sizes",
        cli_json_other_sizes(algorithm, other_sizes), "target", cli_json_number(prediction->target),
        "systems", systems_array(prediction), "parts", parts_array(e), "sensitivity",
        sensitivity_object(e), "provenance", provenance);
    if (prediction->measure == ISOCAST_SIZE_BY_REFERENCE) {
        cli_json_set(&result, "system_size", json_string("reference"));
    }
    return result;
}
