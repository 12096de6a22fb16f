/* psi between all pairs of systems as curves, one for each system that psi is taken from: the
 * figures of He et al. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "model/base/order.h"
#include "model/base/refused.h"
#include "model/base/text_index.h"
#include "plot_results.h"

/* Names of systems that there is room for; systems that a matrix has at most. */
enum { NAMES_MAX = 24, SYSTEMS_MAX = 1000 };

typedef struct ranked {
    const char *name;
    double size; /* R_f, else C, else p */
    size_t number;
} ranked;

typedef struct systems {
    isocast_text_index names;
    ranked *items;   /* [names.count]; once they are all known, the smallest first */
    json_t **places; /* [names.count], by number: what is drawn at its place */
} systems;

static size_t find(systems *s, const char *name) {
    return isocast_text_index_number(&s->names, name, strlen(name));
}

static void note_size(systems *s, size_t count, const json_t *row) {
    const char *set = plot_text_of(row, "set");
    size_t index = find(s, set[0] != '\0' ? set : plot_text_of(row, "system"));
    double R_f = plot_number_of(row, "R_f");
    double C = plot_number_of(row, "C");
    double size = !isnan(R_f) ? R_f : !isnan(C) ? C : plot_number_of(row, "p");
    if (index < count && !isnan(size)) {
        s->items[index].size = size;
    }
}

ISOCAST_ORDER_BY(by_size, ranked, x->size, (double)x->number)

/* Puts the systems in order. A place is {"x", "name", "pairs"}: lines join what follows each other,
 * so pairs come by the system that they lead to. */
static json_t *place_systems(systems *s, size_t count, const json_t *root) {
    json_t *places = json_array();
    for (size_t i = 0; i < count; i++) {
        s->items[i] = (ranked){.name = s->names.texts[i], .number = i};
    }
    note_size(s, count, json_object_get(root, "base"));
    CLI_JSON_EACH(row, i, json_object_get(root, "rows")) {
        note_size(s, count, row);
    }
    qsort(s->items, count, sizeof *s->items, by_size);
    for (size_t i = 0; i < count; i++) {
        json_t *place = json_object();
        plot_set(place, "x", (double)i + 1);
        cli_json_set(&place, "name", cli_json_string(s->items[i].name));
        cli_json_set(&place, "pairs", json_array());
        s->places[s->items[i].number] = place;
        cli_json_append(&places, place);
    }
    return places;
}

/* Puts pairs at their places. Back to a smaller system psi is the reciprocal, which is nothing new:
 * gives the others. */
static json_t *place_pairs(systems *s, size_t count, const json_t *pairs) {
    json_t *drawn = json_array();
    CLI_JSON_EACH(pair, i, pairs) {
        size_t from = find(s, plot_text_of(pair, "from"));
        size_t to = find(s, plot_text_of(pair, "to"));
        bool forward = from < count && to < count &&
                       plot_number_of(s->places[to], "x") > plot_number_of(s->places[from], "x");
        if (forward && plot_number_of(pair, "psi") > 0) {
            json_array_append(json_object_get(s->places[to], "pairs"), pair);
            cli_json_append(&drawn, json_incref(pair));
        }
    }
    return drawn;
}

static void put_pairs(json_t *root, systems *s, size_t count, plot_data *data) {
    static const plot_table table = PLOT_TABLE(POINTS, "places.pairs", "from", "x psi");
    json_t *places = place_systems(s, count, root);
    json_t *drawn = place_pairs(s, count, json_object_get(root, "pairs"));
    plot_choose(data, drawn, "from");
    plot_name_places(data, places, 0, "name", NAMES_MAX);
    cli_json_set(&root, "places", places);
    plot_put(data, &table, 1, root);
    plot_variable(data, "count", (double)count);
    plot_widen(data, 1);
    plot_widen(data, fmax(1, (double)count));
    data->script = "matrix.gp";
    json_decref(drawn);
}

bool plot_matrix(json_t *root, plot_data *data) {
    systems s = {0};
    CLI_JSON_EACH(pair, i, json_object_get(root, "pairs")) {
        (void)find(&s, plot_text_of(pair, "from"));
        (void)find(&s, plot_text_of(pair, "to"));
    }
    size_t count = s.names.count;
    s.items = calloc(count + 1, sizeof *s.items);
    s.places = calloc(count + 1, sizeof(json_t *));
    if (s.items == NULL || s.places == NULL) {
        isocast_refused_note();
    }
    bool placed = count > 0 && count <= SYSTEMS_MAX && s.items != NULL && s.places != NULL;
    if (placed) {
        put_pairs(root, &s, count, data);
    }
    isocast_text_index_free(&s.names);
    free(s.items);
    free(s.places);
    return placed;
}

/* Times of processor sets: psi where it was asked for, else R_f beside the number of processors. */
void plot_read_sets(json_t *root, plot_data *data) {
    static const plot_table table = PLOT_TABLE(POINTS, "rows", NULL, "x=# n R_f psi");
    const json_t *rows = json_object_get(root, "rows");
    const char *metric = plot_text_of(root, "metric");
    const char *times = plot_file_name(plot_text_of(root, "times"));
    const char *reference = plot_file_name(plot_text_of(root, "reference"));
    if (metric[0] != '\0') {
        plot_title(data, "Scalability of processor sets by %s, from the times of %s", metric,
                   times);
    } else {
        plot_title(data, "Performance reference factors of processor sets, from %s", reference);
    }
    if (plot_matrix(root, data)) {
        return;
    }
    /* From a set to a smaller one psi is off the scale of the others. */
    double before = NAN;
    CLI_JSON_EACH(row, i, rows) {
        double R_f = plot_positive_of(row, "R_f");
        if (R_f < before) {
            plot_set(row, "psi", NAN);
        }
        before = R_f;
    }
    plot_put(data, &table, 1, root);
    plot_name_places(data, rows, 0, "set", NAMES_MAX);
    data->script = "sets.gp";
}
