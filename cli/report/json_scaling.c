#include <math.h>

#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "report_scaling.h"

static json_t *terms_object(const isocast_model *model, const isocast_prediction_row *point) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    json_t *object = json_object();
    for (size_t i = 0; i < algorithm->overhead_count; i++) {
        double T = point != NULL ? point->terms[i] : (double)NAN;
        cli_json_set(&object, algorithm->overhead[i].name, cli_json_number(T));
    }
    return object;
}

static json_t *row_object(const isocast_model *model, const isocast_scaling_row *row) {
    const isocast_prediction_row unknown = isocast_prediction_row_unknown();
    const isocast_prediction_row *given = isocast_scaling_point(row);
    const isocast_prediction_row *point = given != NULL ? given : &unknown;
    const cli_json_entry numbers[] = {{"p", row->p},
                                      {"C", row->C},
                                      {"N", row->N},
                                      {"W", point->W},
                                      {"T", point->T},
                                      {"T_low", point->T_low},
                                      {"T_high", point->T_high},
                                      {"T_c", point->T_c},
                                      {"T_o", point->T_o},
                                      {"E", point->E},
                                      {"E_low", point->E_low},
                                      {"E_high", point->E_high},
                                      {"S", point->S},
                                      {"T_alone", row->T_alone},
                                      {"speedup", row->speedup},
                                      {"efficiency", row->efficiency},
                                      {"scaled_speedup", row->scaled_speedup},
                                      {"serial_fraction", row->serial_fraction},
                                      {"overhead", row->overhead},
                                      {"cost", row->cost},
                                      {"memory", point->memory},
                                      {"memory_limit", point->memory_limit},
                                      {"concurrency", point->concurrency},
                                      {"p_working", point->p_working}};
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(row->system));
    cli_json_set_numbers(&object, numbers, sizeof numbers / sizeof numbers[0]);
    if (given != NULL) {
        cli_json_set_bill(&object, isocast_model_machine(model), given, "run_cost");
    }
    cli_json_set(&object, "terms", terms_object(model, given));
    cli_json_set(&object, "complete", json_boolean(row->complete));
    cli_json_set(&object, "status", json_string(isocast_row_status_word(row->status)));
    cli_json_set(&object, "note", cli_json_string(row->note));
    return object;
}

static json_t *rows_array(const isocast_scaling *scaling) {
    json_t *array = json_array();
    for (size_t i = 0; i < scaling->row_count; i++) {
        cli_json_append(&array, row_object(scaling->model, &scaling->rows[i]));
    }
    return array;
}

static json_t *begin(const isocast_model *model, const double *other_sizes, const char *held) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    json_t *object = json_object();
    cli_json_set(&object, "schema", json_string("isocast.scaling/1"));
    cli_json_set(&object, "algorithm", cli_json_string(algorithm->name));
    cli_json_set(&object, "machine", cli_json_string(isocast_model_machine(model)->name));
    cli_json_set(&object, "held", json_string(held));
    cli_json_set(&object, "size", cli_json_string(algorithm->sizes[0].name));
    cli_json_set(&object, "other_sizes", cli_json_other_sizes(algorithm, other_sizes));
    return object;
}

json_t *cli_json_scaling(const isocast_scaling *scaling, const double *other_sizes,
                         json_t *provenance) {
    json_t *object = begin(scaling->model, other_sizes, isocast_line_word(scaling->line));
    cli_json_set(&object, "level", cli_json_number(scaling->level));
    cli_json_set(&object, "interval_level",
                 cli_json_number(isocast_scaling_interval_level(scaling)));
    cli_json_set(&object, "choice", json_null());
    cli_json_set(&object, "base",
                 scaling->has_base ? row_object(scaling->model, &scaling->base) : json_null());
    cli_json_set(&object, "rows", rows_array(scaling));
    cli_json_set(&object, "provenance", provenance);
    return object;
}

static json_t *points_array(const isocast_choice *choice) {
    json_t *array = json_array();
    for (size_t i = 0; i < choice->point_count; i++) {
        const isocast_choice_point *point = &choice->points[i];
        const cli_json_entry numbers[] = {{"p", point->p}, {"T", point->T}, {"E", point->E}};
        json_t *object = json_object();
        cli_json_set_numbers(&object, numbers, sizeof numbers / sizeof numbers[0]);
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *choice_object(const isocast_choice *choice) {
    json_t *object = json_object();
    cli_json_set(&object, "goal",
                 json_string(choice->goal == ISOCAST_CHOICE_MOST ? "most" : "least-time"));
    cli_json_set(&object, "efficiency", cli_json_number(choice->efficiency));
    cli_json_set(&object, "most", cli_json_number(choice->most));
    cli_json_set(&object, "least_p", cli_json_number(choice->least_p));
    cli_json_set(&object, "least_T", cli_json_number(choice->least_T));
    cli_json_set(&object, "looked_at", cli_json_number(choice->looked));
    cli_json_set(&object, "complete", json_boolean(choice->complete));
    cli_json_set(&object, "ruled_by",
                 choice->ruler == ISOCAST_CHOICE_RULERS
                     ? json_null()
                     : json_string(isocast_choice_ruler_word(choice->ruler)));
    cli_json_set(&object, "points", points_array(choice));
    return object;
}

json_t *cli_json_choice(const isocast_model *model, const isocast_choice *choice,
                        const double *other_sizes, json_t *provenance) {
    json_t *object = begin(model, other_sizes, isocast_line_word(ISOCAST_LINE_SIZE));
    cli_json_set(&object, "level", cli_json_number(choice->N));
    cli_json_set(&object, "interval_level",
                 cli_json_number(isocast_scaling_interval_level(choice->scaling)));
    cli_json_set(&object, "choice", choice_object(choice));
    cli_json_set(&object, "base", json_null());
    cli_json_set(&object, "rows", rows_array(choice->scaling));
    cli_json_set(&object, "provenance", provenance);
    return object;
}
