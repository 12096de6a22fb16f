#include <math.h>

#include "cli/output/json_text.h"
#include "json_prediction.h"
#include "report_ranking.h"

static json_t *contenders_array(const cli_contenders *contenders) {
    json_t *array = json_array();
    for (size_t i = 0; i < contenders->count; i++) {
        const cli_contender *c = &contenders->items[i];
        json_t *set = json_object();
        for (size_t k = 0; k < c->loaded.setting_count; k++) {
            cli_json_set(&set, c->loaded.settings[k].name,
                         cli_json_number(c->loaded.settings[k].value));
        }
        json_t *object = json_object();
        cli_json_set(&object, "name", cli_json_string(c->name));
        cli_json_set(&object, "algorithm", cli_json_string(c->loaded.algorithm->name));
        cli_json_set(&object, "algorithm_file", cli_json_string(c->loaded.algorithm_path));
        cli_json_set(&object, "machine", cli_json_string(c->loaded.machine->name));
        cli_json_set(&object, "machine_file", cli_json_string(c->loaded.machine_path));
        cli_json_set(&object, "set", set);
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *row_object(const cli_ranking_view *v, size_t value, size_t system, size_t k) {
    const isocast_prediction_row *row =
        &v->predictions[value * v->contenders->count + k]->rows[system];
    json_t *object = json_object();
    cli_json_set(&object, "target",
                 v->fixed_size ? json_null() : cli_json_number(v->values[value]));
    cli_json_set(&object, "system", cli_json_string(row->system));
    cli_json_set(&object, "contender", cli_json_string(v->contenders->items[k].name));
    const cli_json_entry numbers[] = {{"p", row->p},
                                      {"C", row->C},
                                      {"N", row->N},
                                      {"W", row->W},
                                      {"T", row->T},
                                      {"E", row->E},
                                      {"ratio", cli_ranking_ratio(v, value, k, system)}};
    cli_json_set_numbers(&object, numbers, sizeof numbers / sizeof numbers[0]);
    cli_json_set_bill(&object, v->contenders->items[k].loaded.machine, row, "cost");
    cli_json_set(&object, "status", cli_json_string(isocast_row_status_word(row->status)));
    cli_json_set(&object, "note", cli_json_string(row->note));
    return object;
}

static json_t *rows_array(const cli_ranking_view *v) {
    json_t *array = json_array();
    for (size_t value = 0; value < v->value_count; value++) {
        for (size_t system = 0; system < v->contenders->system_count; system++) {
            for (size_t k = 0; k < v->contenders->count; k++) {
                cli_json_append(&array, row_object(v, value, system, k));
            }
        }
    }
    return array;
}

/* The place of a ranking: "system" over N, "N" over p. */
static void set_place(json_t **object, const cli_ranking_view *v, bool over_p, size_t place) {
    if (over_p) {
        cli_json_set(object, "N", cli_json_number(v->values[place]));
    } else {
        cli_json_set(object, "system",
                     cli_json_string(v->contenders->items[0].systems[place]->name));
    }
}

static json_t *ranges_array(const cli_ranking_view *v, const isocast_ranking *ranking,
                            bool over_p) {
    json_t *array = json_array();
    for (size_t i = 0; ranking != NULL && i < ranking->range_count; i++) {
        const isocast_ranking_range *range = &ranking->ranges[i];
        bool any = range->fastest < v->contenders->count;
        json_t *object = json_object();
        set_place(&object, v, over_p, range->place);
        cli_json_set(&object, "from", cli_json_number(range->from));
        cli_json_set(&object, "to", cli_json_number(range->to));
        cli_json_set(&object, "fastest",
                     any ? cli_json_string(v->contenders->items[range->fastest].name)
                         : json_null());
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *crossings_array(const cli_ranking_view *v, const isocast_ranking *ranking,
                               bool over_p) {
    json_t *array = json_array();
    for (size_t i = 0; ranking != NULL && i < ranking->pair_count; i++) {
        const isocast_ranking_pair *pair = &ranking->pairs[i];
        const isocast_crossings *c = &pair->crossings;
        const char *names[] = {v->contenders->items[pair->first].name,
                               v->contenders->items[pair->second].name};
        json_t *points = json_array();
        for (size_t k = 0; k < c->count; k++) {
            json_t *point = json_object();
            cli_json_set(&point, "at", cli_json_number(c->at[k]));
            cli_json_set(&point, "T", cli_json_number(c->T[k]));
            cli_json_set(&point, "faster_beyond", cli_json_string(names[c->faster[k]]));
            cli_json_append(&points, point);
        }
        json_t *object = json_object();
        set_place(&object, v, over_p, pair->place);
        cli_json_set(&object, "first", cli_json_string(names[0]));
        cli_json_set(&object, "second", cli_json_string(names[1]));
        cli_json_set(&object, "points", points);
        cli_json_set(&object, "more", json_boolean(c->more));
        cli_json_set(&object, "alike", json_boolean(c->alike));
        cli_json_set(&object, "complete", json_boolean(c->complete_to >= c->end));
        cli_json_set(&object, "complete_to", cli_json_number(c->complete_to));
        cli_json_set(&object, "end", cli_json_number(c->end));
        cli_json_append(&array, object);
    }
    return array;
}

json_t *cli_json_ranking(const cli_ranking_view *view, json_t *provenance) {
    json_t *object = json_object();
    const isocast_algorithm *first = view->contenders->items[0].loaded.algorithm;
    cli_json_set(&object, "schema", cli_json_string("isocast.ranking/1"));
    cli_json_set(&object, "size", cli_json_string(first->sizes[0].name));
    cli_json_set(&object, "held",
                 cli_json_string(view->value_count == 0 ? NULL
                                 : view->fixed_size     ? "size"
                                                        : "efficiency"));
    cli_json_set(&object, "contenders", contenders_array(view->contenders));
    cli_json_set(&object, "rows", rows_array(view));
    cli_json_set(&object, "ranges_over_N", ranges_array(view, view->over_N, false));
    cli_json_set(&object, "crossings_over_N", crossings_array(view, view->over_N, false));
    cli_json_set(&object, "ranges_over_p", ranges_array(view, view->over_p, true));
    cli_json_set(&object, "crossings_over_p", crossings_array(view, view->over_p, true));
    cli_json_set(&object, "curves_over_N", cli_json_ranking_curves(view, false));
    cli_json_set(&object, "curves_over_p", cli_json_ranking_curves(view, true));
    cli_json_set(&object, "provenance", provenance);
    return object;
}
