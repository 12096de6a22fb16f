#include <math.h>

#include "cli/output/json_text.h"
#include "report_comparison.h"

static json_t *json_part(const isocast_comparison *c, size_t point, size_t index) {
    const isocast_comparison_group *group = &c->groups[index];
    size_t cell = point * c->group_count + index;
    double T = c->validation->points[point].T;
    double predicted = c->predicted[cell];
    double measured = c->measured[cell];
    json_t *object = json_object();
    cli_json_set(&object, "part", cli_json_string(group->parts));
    cli_json_set(&object, "phase", cli_json_string(group->phases));
    cli_json_set(&object, "predicted", cli_json_number(predicted));
    cli_json_set(&object, "measured", cli_json_number(measured));
    cli_json_set(&object, "error", cli_json_number(measured > 0 ? predicted / measured - 1 : NAN));
    cli_json_set(&object, "share", cli_json_number(measured / T));
    cli_json_set(&object, "off", cli_json_number((predicted - measured) / T));
    return object;
}

static json_t *json_point(const isocast_comparison *c, size_t index) {
    const isocast_validation_point *point = &c->validation->points[index];
    const isocast_validation_system *system = &c->validation->systems[point->system];
    json_t *parts = json_array();
    for (size_t k = 0; k < c->group_count; k++) {
        cli_json_append(&parts, json_part(c, index, k));
    }
    json_t *object = json_object();
    cli_json_set(&object, "system", cli_json_string(system->label));
    cli_json_set(&object, "p", cli_json_number(system->system->p));
    cli_json_set(&object, "N", cli_json_number(point->N));
    cli_json_set(&object, "runs", cli_json_number((double)point->repetitions));
    cli_json_set(&object, "T", cli_json_number(point->T));
    cli_json_set(&object, "T_predicted", cli_json_number(point->T_predicted));
    cli_json_set(&object, "T_error", cli_json_number(point->T_error));
    cli_json_set(&object, "parts", parts);
    return object;
}

static json_t *json_group(const isocast_comparison_group *group) {
    json_t *object = json_object();
    cli_json_set(&object, "part", cli_json_string(group->parts));
    cli_json_set(&object, "phase", cli_json_string(group->phases));
    cli_json_set(&object, "mean_error", cli_json_number(group->mean_error));
    cli_json_set(&object, "mean_off", cli_json_number(group->mean_of_T));
    cli_json_set(&object, "bias_off", cli_json_number(group->bias_of_T));
    return object;
}

json_t *cli_json_comparison(const isocast_comparison *c, const char *runs_name,
                            json_t *provenance) {
    const isocast_machine *machine = isocast_model_machine(c->validation->model);
    json_t *rows = json_array();
    for (size_t i = 0; i < c->validation->point_count; i++) {
        if (c->chosen == NULL || c->chosen[i]) {
            cli_json_append(&rows, json_point(c, i));
        }
    }
    json_t *parts = json_array();
    for (size_t k = 0; k < c->group_count; k++) {
        cli_json_append(&parts, json_group(&c->groups[k]));
    }
    json_t *root = json_object();
    cli_json_set(&root, "schema", json_string("isocast.comparison/1"));
    cli_json_set(&root, "algorithm",
                 cli_json_string(isocast_model_algorithm(c->validation->model)->name));
    cli_json_set(&root, "machine", cli_json_string(machine->name));
    cli_json_set(&root, "simulated", json_boolean(machine->simulated));
    cli_json_set(&root, "runs", cli_json_string(runs_name));
    cli_json_set(&root, "runs_simulated",
                 json_boolean(isocast_validation_has_simulated_runs(c->validation)));
    cli_json_set(&root, "rows", rows);
    cli_json_set(&root, "parts", parts);
    cli_json_set(&root, "most_off",
                 c->most_off < c->group_count ? cli_json_string(c->groups[c->most_off].parts)
                                              : json_null());
    cli_json_set(&root, "provenance", provenance);
    return root;
}
